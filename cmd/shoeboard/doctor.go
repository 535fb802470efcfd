package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/google/renameio/v2"

	"shoeboard/cmd/internal/core"
	"shoeboard/cmd/internal/datadir"
	"shoeboard/cmd/internal/doctor"
	"shoeboard/cmd/internal/export"
	"shoeboard/cmd/internal/transfer"
	"shoeboard/stats"
	"shoeboard/tracker/journal"
	"shoeboard/tracker/localapi"
)

type doctorVerb struct{ unitFlags }

// Run checks everything that a unit needs and says what to do. It changes nothing. It
// fails when there is a fault; a warning is no failure.
func (v *doctorVerb) Run(ctx context.Context, p *program, all *verbs) error {
	u, err := v.collect(ctx, p, all)
	if err != nil {
		return err
	}
	found := doctor.Check(u)
	if v.JSON {
		err = writeJSON(p.out, found)
	} else {
		err = doctor.Report(p.out, found)
	}
	if err != nil {
		return err
	}
	if n := doctor.Count(found, doctor.Broken); n > 0 {
		return fmt.Errorf("%d of %d checks found a fault", n, len(found))
	}
	return nil
}

type faultsVerb struct{ unitFlags }

// Run lists the faults that are present, and those that have ended and nobody has
// acknowledged. It reads the record of a core that does not run.
func (v *faultsVerb) Run(ctx context.Context, p *program, all *verbs) error {
	u, err := v.collect(ctx, p, all)
	if err != nil {
		return err
	}
	if u.Loaded.Fault != nil {
		p.refused = &u.Loaded
	}
	faults, err := u.Faults()
	if err != nil {
		return fmt.Errorf("the record of this unit: %w", err)
	}
	if v.JSON {
		return writeJSON(p.out, append([]stats.Fault{}, faults...)) // no faults are a list too
	}
	for _, f := range faults {
		fmt.Fprintf(p.out, "%s: %s\n    %s\n", f.Code, f.Text, u.History(f))
	}
	if len(faults) == 0 {
		fmt.Fprintln(p.out, "No faults.")
	}
	return nil
}

type ackVerb struct {
	Codes []string `arg:"" name:"code" help:"Codes of faults, as listed by \"shoeboard faults\"."`
	socketFlag
}

// Run acknowledges faults in the caller's name, and waits until that is recorded. Under
// sudo that is the user who called sudo; the core asks the kernel about anybody else.
func (v *ackVerb) Run(ctx context.Context, p *program, all *verbs) error {
	client, err := v.client(p, all)
	if err != nil {
		return err
	}
	for _, code := range v.Codes {
		if e := client.Acknowledge(ctx, code, os.Getenv("SUDO_USER")); e != nil {
			err = errors.Join(err, e)
			continue
		}
		fmt.Fprintf(p.out, "%s is acknowledged\n", code)
	}
	return err
}

type monitorVerb struct {
	Wait bool `help:"Wait until one is connected."`
	jsonFlag
}

// Run lists the connectors for monitors. Without --wait it fails when no monitor is
// connected.
func (v *monitorVerb) Run(ctx context.Context, p *program) error {
	all, ok, err := doctor.Monitors(ctx, os.DirFS(p.root), v.Wait)
	if err != nil {
		return err
	}
	if v.JSON {
		return writeJSON(p.out, append([]doctor.Connector{}, all...)) // none are a list too
	}
	for _, c := range all {
		fmt.Fprintln(p.out, c)
	}
	switch {
	case len(all) == 0:
		fmt.Fprintln(p.out, "This machine names no connectors for monitors.")
	case !ok:
		return errors.New("no monitor is connected")
	}
	return nil
}

type verifyVerb struct {
	Head        bool     `help:"Check the code that the board showed at the end of a shoe: --head SHOE CODE."`
	Stick       bool     `help:"Compare the record with its copies on the stick as well."`
	From        string   `help:"With --stick: a folder that stands for the stick." type:"path" placeholder:"DIR"`
	ShoeAndCode []string `arg:"" optional:"" help:"With --head: 2026-11-30/3, or column shoe of an export; the code."`
	jsonFlag
	dataFlag
}

// Run prints the SHA-256 of everything that decides what the board shows, to be compared
// with another unit's or with published ones, and the head of the record's chain. It fails
// when a file is not as the package had it, or the record is not whole or contradicts its
// checkpoints or the index.
func (v *verifyVerb) Run(ctx context.Context, p *program, all *verbs) error {
	if len(v.ShoeAndCode) > 0 && !v.Head {
		return wrongUse("verify %s: expected --head before it", strings.Join(v.ShoeAndCode, " "))
	}
	if err := v.exists(); err != nil {
		return err
	}
	l, err := p.readConfig(all.Config, v.Data)
	if err != nil {
		return err
	}
	data := cmp.Or(v.Data, l.File.Table("").Data)
	if _, err := os.ReadDir(datadir.Journal(data)); errors.Is(err, fs.ErrPermission) {
		return err
	}
	if v.Head {
		return v.prove(p, data)
	}
	out := doctor.Verify(p.root, l, data)
	out.Audit(ctx, data, localapi.Client{Path: l.File.Table("").Socket})
	if v.Stick {
		if err := witness(&out, p.stick(v.From), data); err != nil {
			return err
		}
	}
	if v.JSON {
		err = writeJSON(p.out, out)
	} else {
		_, err = io.WriteString(p.out, out.Text())
	}
	if err == nil && len(out.Wrong) > 0 {
		err = fmt.Errorf("%d problems were found", len(out.Wrong))
	}
	return err
}

// witness compares the record with its copies on the stick.
func witness(out *doctor.Verification, slot transfer.Slot, data string) error {
	all, err := slot.Compare(data)
	for _, w := range all {
		if w.First > 0 {
			out.Wrong = append(out.Wrong, fmt.Sprintf("record: records %d to %d%s are others in the copy %s: "+
				"record %[1]d was altered here or there", w.First, w.Last, doctor.In(data, w.First), w.Folder))
		}
		if w.OnlyFirst > 0 {
			out.Wrong = append(out.Wrong, fmt.Sprintf("record: of records %d to %d some are only in the copy %s",
				w.OnlyFirst, w.OnlyLast, w.Folder))
		}
		if !w.Any() {
			out.Copies = append(out.Copies, fmt.Sprintf("%s has %s as they are here",
				w.Folder, export.Count(w.Same, "record")))
		}
	}
	return err
}

// prove checks a code that the board showed.
func (v *verifyVerb) prove(p *program, data string) error {
	if len(v.ShoeAndCode) < 2 {
		return wrongUse("--head: expected a shoe and its code, such as 2026-11-30/3 K7QF-2M9D-XX4T-0P1R-Z")
	}
	code, err := journal.ParseCode(strings.Join(v.ShoeAndCode[1:], ""))
	if err != nil {
		return usageError{fmt.Errorf("--head: %w", err)}
	}
	proof, err := doctor.Prove(data, v.ShoeAndCode[0], code)
	if err != nil {
		return err
	}
	if v.JSON {
		err = writeJSON(p.out, proof)
	} else {
		_, err = io.WriteString(p.out, proof.Text())
	}
	if err == nil && proof.Wrong != "" {
		err = errors.New("the code does not hold")
	}
	return err
}

type bundleVerb struct {
	dataFlag
	Out   string `arg:"" help:"File to write, such as /media/stick/table14-support.tar.gz." type:"path"`
	Lines int    `help:"Lines of the services' logs." default:"2000"`
}

// Run writes a support bundle.
func (v *bundleVerb) Run(ctx context.Context, p *program, all *verbs) error {
	if err := within("--lines", v.Lines, 0, 1_000_000); err != nil {
		return err
	}
	u, err := doctor.Collect(ctx, p.root, all.Config, v.Data, "")
	if err != nil {
		return err
	}
	out, err := renameio.NewPendingFile(v.Out, renameio.WithPermissions(0o640))
	if err != nil {
		return fmt.Errorf("%s cannot be written: %w", v.Out, cmp.Or(errors.Unwrap(err), err))
	}
	defer out.Cleanup()
	files, err := doctor.Bundle(ctx, u, core.ID(), v.Lines, out)
	if err != nil {
		return err
	}
	if err := out.CloseAtomicallyReplace(); err != nil {
		return err
	}
	fmt.Fprintf(p.out, "Wrote %s: %d files, without addresses, names and serial numbers. "+
		"Check it before you send it.\n", v.Out, files)
	return nil
}
