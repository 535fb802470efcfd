package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"github.com/google/renameio/v2"

	"shoeboard/cmd/internal/config"
	"shoeboard/cmd/internal/datadir"
)

// configVerb has the verbs for the one file of a venue.
type configVerb struct {
	Init   configInit   `cmd:"" help:"Print or write a commented file with every setting and its default."`
	Check  configCheck  `cmd:"" help:"Check a file: errors are listed with line and key."`
	Show   configShow   `cmd:"" help:"Show the settings in force for a table."`
	Table  configTable  `cmd:"" help:"Print this unit's table number, or set it."`
	Reload configReload `cmd:"" help:"Reload the configuration of the running core."`
}

type configInit struct {
	Out   string `help:"File to write; the default is to print it." type:"path" placeholder:"FILE"`
	Force bool   `help:"Overwrite an existing file."`
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
		return fmt.Errorf("%s exists; --force overwrites it", v.Out)
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
	File string `arg:"" optional:"" help:"File to check; the default is the one in force." type:"path"`
}

// Run reports the errors of a file, and warns of what it probably does not mean.
func (v *configCheck) Run(p *program, all *verbs) error {
	path := cmp.Or(v.File, all.Config)
	inForce, ignored := p.source().Find()
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
		return fmt.Errorf("%s is not valid", path)
	}
	fmt.Fprintf(p.out, "%s is valid (%s).\n", path, l.Hash())
	if len(bytes.TrimSpace(l.Text)) == 0 {
		fmt.Fprintln(p.out, "warning: it is empty; a unit that had a configuration refuses an empty file")
	}
	for _, other := range ignored {
		switch path {
		case inForce:
			fmt.Fprintf(p.out, "warning: %s is ignored; remove the file that you do not need\n", other)
		case other:
			fmt.Fprintf(p.out, "warning: this file is ignored, %s takes precedence; "+
				"remove the file that you do not need\n", inForce)
		}
	}
	for _, w := range l.File.Warnings() {
		fmt.Fprintln(p.out, "warning:", w)
	}
	if tables := l.File.Tables(); len(tables) > 0 {
		fmt.Fprintf(p.out, "Tables with their own settings: %s\n", strings.Join(tables, ", "))
	}
	if number := chosenTable(l.File.Table("").Data); number != "" && l.File.NoPart(number) != "" {
		fmt.Fprintf(p.out, "This unit is table %s: %s\n", number, l.File.NoPart(number))
	}
	return nil
}

// chosenTable returns the number that this unit was given, "" when it has none or it
// cannot be read.
func chosenTable(data string) string {
	number, _ := datadir.ReadTable(data) // the doctor tells of one that cannot be read
	return number
}

type configShow struct {
	Table     string `help:"Number of the table; the default is this unit's." placeholder:"N"`
	Effective bool   `help:"Show what is in force: the last good copy when the file is refused."`
	Origin    bool   `help:"Add the file and line of every value, and when a change takes effect."`
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
		number = cmp.Or(number, "1")
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
func (v *configTable) Run(ctx context.Context, p *program, all *verbs) error {
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
			fmt.Fprintln(p.out, cmp.Or(number, "1"))
		}
		return err
	}
	was, _ := datadir.ReadTable(dir) // one that cannot be read is replaced
	if err := datadir.WriteTable(dir, v.Number); err != nil {
		return err
	}
	if was != v.Number {
		p.acted(ctx, l, "table-number", was, v.Number)
	}
	fmt.Fprintf(p.out, "This unit becomes table %s when its core restarts: sudo systemctl restart shoeboard\n",
		v.Number)
	if none := l.File.NoPart(v.Number); none != "" {
		fmt.Fprintf(p.out, "Note: %s\n", none)
	}
	return nil
}

type configReload struct{ socketFlag }

// Run reloads the configuration of the core.
func (v *configReload) Run(ctx context.Context, p *program, all *verbs) error {
	client, err := v.client(p, all)
	if err != nil {
		return err
	}
	if err := client.Reload(ctx); err != nil {
		return err
	}
	p.tellUnrecorded(client.Acted(ctx, "config-reload", "", "", os.Getenv("SUDO_UID")))
	fmt.Fprintln(p.out, "The core has reloaded its configuration. "+
		"Some settings change at the next hand, shoe or start: shoeboard config show --origin")
	return nil
}

var errNoFile = errors.New("there is no configuration file: create one with \"shoeboard config init\"")
