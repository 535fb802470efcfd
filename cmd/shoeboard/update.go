package main

import (
	"context"
	_ "embed"
	"fmt"

	"shoeboard/cmd/internal/update"
)

//go:embed update.pub
var updateKeyText string

// updateVerb replaces the program by a signed package, or puts the old one back.
type updateVerb struct {
	Install updateInstall `cmd:"" default:"withargs" help:"Installs a signed package; the one before comes back if the new one does not start."`
	Resume  updateResume  `cmd:"" help:"Finishes or takes back an update that was interrupted; done at every boot."`
	Sign    updateSign    `cmd:"" help:"Signs a package, for those who make them."`
	Keygen  updateKeygen  `cmd:"" help:"Makes a pair of keys to sign packages with."`
}

type updateKeygen struct {
	Out string `arg:"" help:"File for the private key; FILE.pub gets the public one." type:"path"`
}

// Run makes a pair of keys.
func (v *updateKeygen) Run(p *program) error {
	err := update.MakeKeys(v.Out)
	if err == nil {
		fmt.Fprintf(p.out, "Wrote %s, which signs: keep it secret and safe; and %[1]s.pub, which goes into the packages.\n", v.Out)
	}
	return err
}

// updateSign signs a package. Signed is "shoeboard update 1 " and the SHA-256 of the
// package in hexadecimal.
type updateSign struct {
	File string `arg:"" help:"The package." type:"existingfile"`
	Key  string `help:"File with the private key." type:"existingfile" required:"" placeholder:"FILE"`
}

// Run writes FILE.sig.
func (v *updateSign) Run(p *program) error {
	err := update.Sign(v.File, v.Key)
	if err == nil {
		fmt.Fprintf(p.out, "Wrote %s.sig, which goes with it.\n", v.File)
	}
	return err
}

type updateInstall struct {
	File     string `arg:"" help:"The package, with its signature beside it in FILE.sig." type:"existingfile"`
	Previous string `help:"The package that is installed now, with its signature, where none was kept: the way back." type:"existingfile" placeholder:"FILE"`
}

// Run installs a package that is signed, for this machine and newer, while no shoe is
// in play.
func (v *updateInstall) Run(ctx context.Context, p *program, all *verbs) error {
	u, err := p.updater(all.Config)
	if err != nil {
		return err
	}
	return u.Update(ctx, v.File, v.Previous)
}

type updateResume struct{}

// Run finishes what was interrupted.
func (*updateResume) Run(ctx context.Context, p *program, all *verbs) error {
	u, err := p.updater(all.Config)
	if err != nil {
		return err
	}
	return u.Resume(ctx)
}

// updater is the updater of this unit.
func (p *program) updater(config string) (*update.Updater, error) {
	client, err := p.client("", config)
	if err != nil {
		return nil, err
	}
	return update.New(p.root, updateKeyText, client, func(format string, a ...any) { fmt.Fprintf(p.out, format+"\n", a...) })
}
