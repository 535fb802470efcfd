package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/google/renameio/v2"

	"shoeboard/cmd/internal/config"
	"shoeboard/cmd/internal/datadir"
)

// configVerb is what a technician does with the one file of a venue.
type configVerb struct {
	Init   configInit   `cmd:"" help:"A commented file to begin with: every setting with its default."`
	Check  configCheck  `cmd:"" help:"Says everything that is wrong with a file, with line and key."`
	Show   configShow   `cmd:"" help:"The settings in force for a table."`
	Table  configTable  `cmd:"" help:"Which table this unit stands at; with a number: sets it."`
	Reload configReload `cmd:"" help:"Has the running core read its configuration again."`
}

type configInit struct {
	Out   string `help:"File to write; without it the text is printed. On a unit: /boot/firmware/shoeboard.toml, or /etc/shoeboard/shoeboard.toml where that folder is not there." type:"path" placeholder:"FILE"`
	Force bool   `help:"Write over a file that is there."`
}

// Run prints or writes the commented file.
func (v *configInit) Run(p *program) error {
	if v.Out == "" {
		_, err := p.out.Write(config.Init())
		return err
	}
	switch info, err := os.Stat(v.Out); {
	case err == nil && info.IsDir():
		return fmt.Errorf("%s is a folder: expected a file, such as %s", v.Out, filepath.Join(v.Out, "shoeboard.toml"))
	case err == nil && !v.Force:
		return fmt.Errorf("%s is there already; --force writes over it", v.Out)
	}
	if err := os.MkdirAll(filepath.Dir(v.Out), 0o755); err != nil {
		return err
	}
	if err := renameio.WriteFile(v.Out, config.Init(), 0o644); err != nil {
		return err
	}
	fmt.Fprintf(p.out, "Wrote %s. Edit it, then: shoeboard config check %[1]s\n", v.Out)
	return nil
}

type configCheck struct {
	File string `arg:"" optional:"" help:"File to check; without it the one in force." type:"path"`
}

// Run says everything that is wrong with the file, and what in it is probably not meant.
func (v *configCheck) Run(p *program, all *verbs) error {
	path := cmp.Or(v.File, all.Config)
	inForce, over := p.source().Find()
	if path == "" {
		path = inForce
	}
	if path == "" {
		return errNoFile
	}
	known, err := config.Packs()
	if err != nil {
		return err
	}
	l, err := config.ReadFile(path, known)
	if err != nil {
		fmt.Fprintln(p.err, err)
		return fmt.Errorf("%s cannot be used", path)
	}
	fmt.Fprintf(p.out, "%s can be used (%s).\n", path, l.Hash())
	if len(bytes.TrimSpace(l.Text)) == 0 {
		fmt.Fprintln(p.out, "warning: it is empty; a unit that had a configuration refuses it")
	}
	for _, other := range over {
		switch path {
		case inForce:
			fmt.Fprintf(p.out, "warning: %s is there too and is not read; remove the one that is not meant\n", other)
		case other:
			fmt.Fprintf(p.out, "warning: it is not read while %s is there; remove the one that is not meant\n", inForce)
		}
	}
	for _, w := range l.File.Warnings() {
		fmt.Fprintln(p.out, "warning:", w)
	}
	if tables := l.File.Tables(); len(tables) > 0 {
		fmt.Fprintf(p.out, "Tables with settings of their own: %s\n", strings.Join(tables, ", "))
	}
	if number := chosenTable(l.File.Table("").Data); number != "" && l.File.NoPart(number) != "" {
		fmt.Fprintf(p.out, "This unit stands at table %s: %s\n", number, l.File.NoPart(number))
	}
	return nil
}

// chosenTable is the number that somebody has given this unit, "" while nobody has, or
// where it cannot be read.
func chosenTable(data string) string {
	number, err := datadir.ReadTable(data)
	if err != nil || !datadir.HasTable(data) {
		return ""
	}
	return number
}

type configShow struct {
	Table     string `help:"Number of the table; without it this unit's." placeholder:"N"`
	Effective bool   `help:"What is in force now: the last good configuration when the file is refused. Without it only the file counts."`
	Origin    bool   `help:"With the file and line of every value, and when a change takes effect."`
	jsonFlag
}

// Run prints the settings of a table.
func (v *configShow) Run(p *program, all *verbs) error {
	if err := checkTable(v.Table); err != nil {
		return err
	}
	l, err := p.source().Read(all.Config, "")
	if err != nil {
		return err
	}
	if l.Fault != nil && !v.Effective {
		return errors.New(config.FaultText(l.Fault))
	}
	number := v.Table
	if number == "" {
		if number, err = datadir.ReadTable(l.File.Table("").Data); err != nil {
			return err
		}
	}
	values := l.File.Values(number)
	if v.JSON {
		return writeJSON(p.out, values)
	}
	if l.Fault != nil {
		fmt.Fprintf(p.out, "# refused: %s\n", config.FaultText(l.Fault))
	}
	fmt.Fprintf(p.out, "# table %s, configuration %s\n", number, l.Hash())
	if none := l.File.NoPart(number); none != "" {
		fmt.Fprintf(p.out, "# %s\n", none)
	}
	w := tabwriter.NewWriter(p.out, 0, 8, 2, ' ', 0)
	for _, val := range values {
		fmt.Fprintf(w, "%s = %s", val.Key, val.Value)
		if v.Origin {
			fmt.Fprintf(w, "\t# %s\t%s", origin(val), effect(val.Effect))
		}
		fmt.Fprintln(w)
	}
	return w.Flush()
}

func origin(v config.Value) string {
	if v.File == "" {
		return "built in"
	}
	return fmt.Sprintf("%s:%d", v.File, v.Line)
}

func effect(when string) string {
	if when == "now" {
		return "changes at once"
	}
	return "changes at the next " + when
}

type configTable struct {
	Number string `arg:"" optional:"" help:"Up to 8 digits and letters."`
	dataFlag
}

// Run sets or prints the number of this unit's table.
func (v *configTable) Run(p *program, all *verbs) error {
	if err := checkTable(v.Number); err != nil {
		return err
	}
	l, err := p.readConfig(all.Config, v.Data)
	if err != nil {
		return err
	}
	dir := cmp.Or(v.Data, l.File.Table("").Data)
	if v.Number == "" {
		number, err := datadir.ReadTable(dir)
		if err == nil {
			fmt.Fprintln(p.out, number)
		}
		return err
	}
	if err := datadir.WriteTable(dir, v.Number); err != nil {
		return err
	}
	fmt.Fprintf(p.out, "This unit stands at table %s when its core starts again: sudo systemctl restart shoeboard\n", v.Number)
	if none := l.File.NoPart(v.Number); none != "" {
		fmt.Fprintf(p.out, "Mind: %s\n", none)
	}
	return nil
}

type configReload struct{ socketFlag }

// Run asks the core to read its configuration again.
func (v *configReload) Run(ctx context.Context, p *program, all *verbs) error {
	client, err := v.client(p, all)
	if err != nil {
		return err
	}
	if err := client.Reload(ctx); err != nil {
		return err
	}
	fmt.Fprintln(p.out, "The core has read its configuration. Some settings wait for the next hand, shoe or start (config show --origin).")
	return nil
}

// writeJSON writes v as JSON that a person can read too.
func writeJSON(out io.Writer, v any) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return err
	}
	_, err := out.Write(b.Bytes())
	return err
}

// soon bounds what a verb asks of the core.
const soon = 3 * time.Second

var errNoFile = errors.New("there is no configuration: make one with \"shoeboard config init\"")
