package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"golang.org/x/sys/unix"

	"shoeboard/cmd/internal/export"
	"shoeboard/cmd/internal/secret"
	"shoeboard/cmd/internal/staff"
	"shoeboard/tracker"
)

// staffVerb has the verbs for the staff of a unit.
type staffVerb struct {
	List   staffList   `cmd:"" help:"List the staff: number, role, name."`
	Set    staffSet    `cmd:"" help:"Enter somebody, or change role, name or PIN."`
	Remove staffRemove `cmd:"" help:"Remove somebody."`
	Clear  staffClear  `cmd:"" help:"Remove everybody: the unit asks nobody for a PIN."`
	Export staffExport `cmd:"" help:"Write the staff to a file for other units of the venue."`
	Import staffImport `cmd:"" help:"Take the staff of a file in place of the unit's."`
}

// venueVerb has the verbs for the venue's key.
type venueVerb struct {
	Keygen  venueKeygen  `cmd:"" help:"Make the key of a venue, once for all its units."`
	Install venueInstall `cmd:"" help:"Install the venue's key on this unit."`
}

type staffList struct {
	jsonFlag
	dataFlag
}

// Run prints the staff.
func (v *staffList) Run(p *program, all *verbs) error {
	_, data, err := v.folder(p, all)
	if err != nil {
		return err
	}
	people, err := staff.People(data)
	if err != nil {
		return err
	}
	if v.JSON {
		return writeJSON(p.out, people)
	}
	if len(people) == 0 {
		fmt.Fprintln(p.out, "This unit has no staff: nobody is asked for a PIN.")
	}
	w := tabwriter.NewWriter(p.out, 0, 4, 2, ' ', 0)
	for _, m := range people {
		fmt.Fprintf(w, "%s\t%s\t%s\n", m.Number, m.Role, m.Name)
	}
	return w.Flush()
}

type staffSet struct {
	Number  string `arg:"" help:"Two digits."`
	Role    string `arg:"" help:"dealer, floor, technician or manager."`
	Name    string `help:"Stays on this unit, and is never in the record." placeholder:"NAME"`
	KeepPIN bool   `name:"keep-pin" help:"Keep the PIN; else a new one is read from the keyboard or input."`
	dataFlag
}

// Run enters somebody.
func (v *staffSet) Run(ctx context.Context, p *program, all *verbs) error {
	l, data, err := v.folder(p, all)
	if err != nil {
		return err
	}
	pin := ""
	if !v.KeepPIN {
		if pin, err = readPIN(p.err, os.Stdin); err != nil {
			return err
		}
	}
	person := staff.Person{Number: v.Number, Name: v.Name, Role: tracker.Role(v.Role)}
	if err := staff.Set(data, p.keys(), person, pin); err != nil {
		return err
	}
	p.acted(ctx, l, "staff-set", "", v.Number+" "+v.Role)
	fmt.Fprintf(p.out, "Staff %s is %s.\n", v.Number, v.Role)
	return nil
}

// readPIN reads a PIN, on a terminal twice and unseen.
func readPIN(prompt io.Writer, in *os.File) (string, error) {
	fd, lines := int(in.Fd()), bufio.NewScanner(in)
	seen, err := unix.IoctlGetTermios(fd, unix.TCGETS)
	if err != nil { // no terminal
		lines.Scan()
		return strings.TrimSpace(lines.Text()), lines.Err()
	}
	unseen := *seen
	unseen.Lflag &^= unix.ECHO
	if err := unix.IoctlSetTermios(fd, unix.TCSETS, &unseen); err != nil {
		return "", err
	}
	defer func() { _ = unix.IoctlSetTermios(fd, unix.TCSETS, seen) }()
	var pins [2]string
	for i, text := range []string{"PIN, six digits: ", "\nAgain: "} {
		fmt.Fprint(prompt, text)
		lines.Scan()
		pins[i] = strings.TrimSpace(lines.Text())
	}
	fmt.Fprintln(prompt)
	if pins[0] != pins[1] {
		return "", errors.New("the two PINs differ: nothing was changed")
	}
	return pins[0], lines.Err()
}

type staffRemove struct {
	Number string `arg:"" help:"Two digits."`
	dataFlag
}

// Run removes somebody.
func (v *staffRemove) Run(ctx context.Context, p *program, all *verbs) error {
	l, data, err := v.folder(p, all)
	if err == nil {
		err = staff.Remove(data, v.Number)
	}
	if err == nil {
		p.acted(ctx, l, "staff-remove", v.Number, "")
		fmt.Fprintf(p.out, "Staff %s is removed.\n", v.Number)
	}
	return err
}

type staffClear struct{ dataFlag }

// Run removes everybody.
func (v *staffClear) Run(ctx context.Context, p *program, all *verbs) error {
	l, data, err := v.folder(p, all)
	if err == nil {
		err = staff.Clear(data, p.keys())
	}
	if err == nil {
		p.acted(ctx, l, "staff-clear", "", "")
		fmt.Fprintln(p.out, "This unit has no staff: nobody is asked for a PIN.")
	}
	return err
}

type venueKeyFlag struct {
	Key string `help:"The venue's key; the default is the one installed on this unit." type:"path" placeholder:"FILE"`
}

// read reads the venue's key.
func (f venueKeyFlag) read(p *program) (secret.Key, error) {
	k, err := secret.Read(cmp.Or(f.Key, filepath.Join(p.keys(), secret.Venue)))
	if errors.Is(err, os.ErrNotExist) {
		err = fmt.Errorf("the venue's key is not on this unit: shoeboard venue install FILE (%w)", err)
	}
	return k, err
}

type staffExport struct {
	File string `arg:"" help:"File to write." type:"path"`
	venueKeyFlag
	dataFlag
}

// Run writes the staff for other units.
func (v *staffExport) Run(p *program, all *verbs) error {
	_, data, err := v.folder(p, all)
	if err != nil {
		return err
	}
	key, err := v.read(p)
	if err != nil {
		return err
	}
	n, err := staff.Export(data, p.keys(), v.File, key)
	if err == nil {
		fmt.Fprintf(p.out, "Wrote %s: %s. Only units with the venue's key can read it.\n",
			v.File, export.Count(n, "person"))
	}
	return err
}

type staffImport struct {
	File string `arg:"" help:"File that \"staff export\" wrote." type:"existingfile"`
	venueKeyFlag
	dataFlag
}

// Run takes the staff of another unit.
func (v *staffImport) Run(ctx context.Context, p *program, all *verbs) error {
	l, data, err := v.folder(p, all)
	if err != nil {
		return err
	}
	key, err := v.read(p)
	if err != nil {
		return err
	}
	n, err := staff.Import(data, p.keys(), v.File, key)
	if err == nil {
		p.acted(ctx, l, "staff-import", "", export.Count(n, "person"))
		fmt.Fprintf(p.out, "This unit has the staff of %s: %s.\n", v.File, export.Count(n, "person"))
	}
	return err
}

type venueKeygen struct {
	File string `arg:"" help:"File to write; keep it secret and safe." type:"path"`
}

// Run makes a key.
func (v *venueKeygen) Run(p *program) error {
	if _, err := os.Lstat(v.File); err == nil {
		return fmt.Errorf("%s is there already: a new key would lock out all units that have it", v.File)
	}
	if err := secret.New().Write(v.File); err != nil {
		return err
	}
	fmt.Fprintf(p.out, "Wrote %s. Keep it secret; install it on each unit: sudo shoeboard venue install %[1]s\n",
		v.File)
	return nil
}

type venueInstall struct {
	File string `arg:"" help:"The venue's key." type:"existingfile"`
}

// Run installs the venue's key.
func (v *venueInstall) Run(ctx context.Context, p *program, all *verbs) error {
	l, err := p.readConfig(all.Config, "")
	if err != nil {
		return err
	}
	k, err := secret.Read(v.File)
	if err == nil {
		err = k.Write(filepath.Join(p.keys(), secret.Venue))
	}
	if err == nil {
		p.acted(ctx, l, "venue-key", "", "")
		fmt.Fprintln(p.out, "This unit has the venue's key.")
	}
	return err
}
