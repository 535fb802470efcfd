// Package doctor looks at everything that a unit needs: its configuration, its core,
// its record, the card it is on, clock, supply, monitors, devices and program.
//
// Words: the patient is a unit with what was asked of it once; a probe looks at one
// thing and gives findings; a finding is fine, a warning, a fault, or not on this
// machine, and what is wrong says what to do.
//
// A caller may assume that looking changes nothing, that every warning and every
// fault has something to do, and that a machine which is no Raspberry Pi gives no
// faults for that. Sums are the digests of everything that decides what a board shows.
package doctor

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"strings"
	"time"

	"shoeboard/cmd/internal/config"
	"shoeboard/cmd/internal/datadir"
	"shoeboard/cmd/internal/devices"
	"shoeboard/cmd/internal/ports"
	"shoeboard/cmd/internal/version"
	"shoeboard/stats"
	"shoeboard/tracker/localapi"
)

// Verdict is what a probe comes to.
type Verdict string

// The verdicts, from well to not to be told.
const (
	Fine    Verdict = "ok"
	Warning Verdict = "warning" // the table can be dealt at; somebody should look
	Broken  Verdict = "fault"   // somebody must look
	Unknown Verdict = "n/a"     // this machine has no such thing, or it cannot be asked
)

// Finding is one line of the doctor.
type Finding struct {
	Group   string  `json:"group"` // "configuration", "record", …
	Name    string  `json:"name"`
	Verdict Verdict `json:"verdict"`
	Text    string  `json:"text"`         // what was found
	Do      string  `json:"do,omitempty"` // what to do; on every warning and fault
	// Code is the fault that this is on the board while the core watches the machine;
	// empty: it is none there.
	Code string `json:"code,omitempty"`
}

// Patient is the unit as the probes see it: files below one root, and what was
// read before.
type Patient struct {
	root    fs.FS  // that stands for "/"
	path    string // of root
	Config  config.Config
	Loaded  config.Loaded
	Table   string
	unknown error // why the unit does not know its table; Table stands in
	devices []devices.Use
	board   *stats.Board // of the running core; nil: none
	health  localapi.Health
	why     error // why there is no board
	version localapi.Version
	Standing
}

// probe looks at one part of the unit.
type probe func(*Patient) []Finding

// probes are all, in the order of the report.
func probes() []probe {
	return []probe{probeConfig, probeCore, probeFaults, probeRecord, probeIndex, probeSpace, probeStorage,
		probeClock, probePower, probeDisplay, probeDevices, probePermissions, probeProgram, probeUpdate}
}

// Examine runs all probes.
func Examine(p *Patient) []Finding {
	var all []Finding
	for _, look := range probes() {
		all = append(all, look(p)...)
	}
	return all
}

// Report writes findings by group for a person.
func Report(out io.Writer, found []Finding) error {
	var t strings.Builder
	group := ""
	for _, f := range found {
		if f.Group != group {
			group = f.Group
			fmt.Fprintf(&t, "%s\n", strings.ToUpper(group[:1])+group[1:])
		}
		fmt.Fprintf(&t, "  %-8s %s: %s\n", f.Verdict, f.Name, f.Text)
		if f.Do != "" {
			fmt.Fprintf(&t, "           → %s\n", f.Do)
		}
	}
	fmt.Fprintf(&t, "\n%d checks: %d faults, %d warnings, %d not on this machine\n", len(found), Count(found, Broken), Count(found, Warning), Count(found, Unknown))
	_, err := io.WriteString(out, t.String())
	return err
}

// Count is how many findings are so.
func Count(found []Finding, v Verdict) (n int) {
	for _, f := range found {
		if f.Verdict == v {
			n++
		}
	}
	return n
}

// grouped puts findings into a group.
func grouped(group string, found ...Finding) []Finding {
	for i := range found {
		found[i].Group = group
	}
	return found
}

func probeConfig(p *Patient) []Finding {
	file := Finding{Name: "file", Verdict: Fine, Text: fmt.Sprintf("%s can be used (%s)", p.Loaded.Path, p.Loaded.Hash())}
	switch {
	case p.Loaded.Fault != nil:
		file = Finding{Name: "file", Verdict: Broken, Text: config.FaultText(p.Loaded.Fault), Do: "correct it (shoeboard config check), then: sudo shoeboard config reload. Until then the last good one is in force"}
	case p.Loaded.Path == "":
		file = Finding{Name: "file", Verdict: Warning, Text: "there is none: no limits and no fees are shown",
			Do: "sudo shoeboard config init --out /etc/shoeboard/shoeboard.toml, then edit it"}
	case len(p.Loaded.Ignored) > 0:
		file.Verdict, file.Text, file.Do = Warning, fmt.Sprintf("%s; %s is there too and is not read", file.Text, p.Loaded.Ignored[0]), "remove the one that is not meant"
	}
	number := Finding{Name: "table", Verdict: Fine, Text: "this unit stands at table " + p.Table}
	if p.unknown != nil {
		number.Verdict, number.Text, number.Do = Broken, p.unknown.Error(), remedies["table-unknown"]
	} else if !datadir.HasTable(p.Config.Data) {
		number.Verdict, number.Text, number.Do = Warning, "nobody has said which table this unit stands at: it takes table 1", "sudo shoeboard config table 14"
	} else if none := p.Loaded.File.NoPart(p.Table); none != "" {
		number.Text += ": " + none
	}
	return grouped("configuration", file, number)
}

func probeCore(p *Patient) []Finding {
	switch {
	case errors.Is(p.why, localapi.ErrNoCore):
		return grouped("core", Finding{Name: "running", Verdict: Broken, Text: "no core is running on " + p.Config.Socket,
			Do: "sudo systemctl start shoeboard; if it does not stay: journalctl -u shoeboard -b"})
	case p.why != nil:
		return grouped("core", Finding{Name: "running", Verdict: Broken, Text: p.why.Error(), Do: "run the doctor with sudo; if it stays: sudo systemctl restart shoeboard"})
	case !p.health.Alive:
		return grouped("core", Finding{Name: "running", Verdict: Broken, Text: "its loop does not answer: " + p.health.Error,
			Do: "its watchdog starts it again within seconds; if it stays: sudo systemctl restart shoeboard"})
	}
	found := []Finding{{Name: "running", Verdict: Fine, Text: fmt.Sprintf("table %s, %s, record %d", p.board.Table, p.board.Phase, p.board.Seq)}}
	b := version.Read()
	version := Finding{Name: "version", Verdict: Fine, Text: b.Line()}
	if p.version.Program != b.Version || p.version.Revision != b.Revision {
		version.Verdict, version.Text = Warning, fmt.Sprintf("the core that runs is %s, this program is %s", p.version.Program, b.Line())
		version.Do = "when the shoe is over: sudo systemctl restart shoeboard shoeboard-screen"
	}
	return grouped("core", append(found, version)...)
}

// answersIn is how soon the core must answer.
const answersIn = 3 * time.Second

// Meet reads what the probes share of the unit below root. The configuration is the
// one at path, data folder and socket are its own; "" is what the unit has.
func Meet(ctx context.Context, root, path, data, socket string) (*Patient, error) {
	quiet := slog.New(slog.DiscardHandler) // what is wrong with the configuration is a finding here
	l, err := config.Source{Root: root, Log: quiet}.Read(path, data)
	if err != nil {
		return nil, err
	}
	number, unknown := datadir.TableOf(cmp.Or(data, l.File.Table("").Data))
	sick := &Patient{root: os.DirFS(root), path: root, Loaded: l, Table: number, unknown: unknown, Config: l.File.Table(number)}
	sick.Config.Data, sick.Config.Socket = cmp.Or(data, sick.Config.Data), cmp.Or(socket, sick.Config.Socket)
	sick.devices = devices.Below(root, quiet).Inventory(sick.Config, ports.NewBook(sick.Config.Data)).Configured
	client := localapi.Client{Path: sick.Config.Socket}
	ctx, cancel := context.WithTimeout(ctx, answersIn)
	defer cancel()
	if sick.board, sick.why = client.Board(ctx); sick.why != nil {
		sick.Standing = recorded(sick.Config)
		return sick, nil
	}
	sick.Standing = shown(sick.board, sick.Config)
	sick.health, sick.why = client.Health(ctx)
	if sick.why == nil {
		sick.version, sick.why = client.Version(ctx)
	}
	return sick, nil
}
