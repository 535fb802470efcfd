package main

import (
	"context"
	_ "embed"
	"fmt"
	"path/filepath"

	"shoeboard/cmd/internal/update"
	"shoeboard/cmd/internal/version"
)

//go:embed update.pub
var updateKeyText string

// updateVerb replaces the program by a signed package.
type updateVerb struct {
	Install updateInstall `cmd:"" default:"withargs" help:"Install a signed package; undo one that does not start."`
	Resume  updateResume  `cmd:"" help:"Finish or undo an interrupted update; every boot does this."`
	Sign    updateSign    `cmd:"" help:"Sign a package, for those who make them."`
	Keygen  updateKeygen  `cmd:"" help:"Make a pair of keys to sign packages with."`
}

type updateKeygen struct {
	Out string `arg:"" help:"File for the private key; FILE.pub gets the public one." type:"path"`
}

// Run makes a pair of keys.
func (v *updateKeygen) Run(p *program) error {
	err := update.MakeKeys(v.Out)
	if err == nil {
		fmt.Fprintf(p.out, "Wrote the private key %s: keep it secret and safe. "+
			"The public one, %[1]s.pub, goes into the packages.\n", v.Out)
	}
	return err
}

// updateSign signs a package or a slot, as what it is and with its SHA-256.
type updateSign struct {
	File string `arg:"" help:"The package." type:"existingfile"`
	Key  string `help:"File with the private key." type:"existingfile" required:"" placeholder:"FILE"`
}

// Run writes FILE.sig.
func (v *updateSign) Run(p *program) error {
	err := update.Sign(v.File, v.Key)
	if err == nil {
		fmt.Fprintf(p.out, "Wrote the signature, %s.sig: keep it beside the package.\n", v.File)
	}
	return err
}

type updateInstall struct {
	File     string `arg:"" help:"The package, with its signature beside it in FILE.sig." type:"existingfile"`
	Previous string `help:"Signed package of the installed version, to restore." type:"existingfile" placeholder:"FILE"`
}

// Run installs a package that is signed, for this machine and newer, while no shoe is
// in play.
func (v *updateInstall) Run(ctx context.Context, p *program, all *verbs) error {
	l, err := p.readConfig(all.Config, "")
	if err != nil {
		return err
	}
	u, err := p.updater(all.Config)
	if err != nil {
		return err
	}
	p.acted(ctx, l, "update", version.Read().Line(), filepath.Base(v.File))
	return u.Update(ctx, v.File, v.Previous)
}

type updateResume struct{}

// Run finishes or undoes an interrupted update.
func (*updateResume) Run(ctx context.Context, p *program, all *verbs) error {
	u, err := p.updater(all.Config)
	if err != nil {
		return err
	}
	return u.Resume(ctx)
}

// updater returns the updater of this unit.
func (p *program) updater(config string) (*update.Updater, error) {
	client, err := p.client("", config)
	if err != nil {
		return nil, err
	}
	say := func(format string, a ...any) { fmt.Fprintf(p.out, format+"\n", a...) }
	return update.New(p.root, updateKeyText, client, say)
}
