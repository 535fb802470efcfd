// Package doctor checks everything that a unit needs: its configuration, its core,
// its record, its card, clock, supply, monitors, devices and program.
//
// Words: a Unit is what was collected about a unit once; a check examines one thing and
// returns findings; a finding is fine, a warning, a fault, or not on this machine, and
// says what to do about what is wrong. A digest is the SHA-256 of something that decides
// what a board shows.
//
// A caller may assume that checking changes nothing, that every warning and every fault
// has something to do, and that a machine which is no Raspberry Pi has no faults for that.
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
	"shoeboard/cmd/internal/version"
	"shoeboard/stats"
	"shoeboard/tracker/localapi"
)

// Verdict is the result of a check.
type Verdict string

// The verdicts, best first.
const (
	Fine    Verdict = "ok"
	Warning Verdict = "warning" // the table can be dealt; somebody should look
	Broken  Verdict = "fault"   // somebody must look
	Unknown Verdict = "n/a"     // this machine has no such thing, or it cannot be examined
)

// Finding is one line of the doctor.
type Finding struct {
	Group   string  `json:"group"` // "configuration", "record", …
	Name    string  `json:"name"`
	Verdict Verdict `json:"verdict"`
	Text    string  `json:"text"`         // what was found
	Do      string  `json:"do,omitempty"` // what to do; on every warning and fault
	// Code is the fault that it raises on the board while the core watches the machine;
	// empty if it raises no fault.
	Code string `json:"code,omitempty"`
}

// is returns the finding with a verdict, a text and what to do.
func (f Finding) is(v Verdict, text, do string) Finding {
	f.Verdict, f.Text, f.Do = v, text, do
	return f
}

// Unit is what the checks know of a unit: files below one root, and what was read before.
type Unit struct {
	root      fs.FS  // that stands for "/"
	path      string // of root
	Config    config.Config
	Loaded    config.Loaded
	Table     string
	unknown   error // why the table's number is not known; Table is a substitute
	inventory devices.Inventory
	board     *stats.Board // of the running core; nil: none
	health    localapi.Health
	why       error // why there is no board
	version   localapi.Version
	faults    []stats.Fault
	faultsErr error // why the faults are not known
}

// check examines one part of the unit.
type check func(*Unit) []Finding

// Check runs all checks, in the order of the report.
func Check(u *Unit) []Finding {
	var all []Finding
	for _, c := range []struct {
		group string
		run   check
	}{
		{"configuration", checkConfig}, {"core", checkCore}, {"faults", checkFaults},
		{"record", checkRecord}, {"record", checkIndex}, {"storage", checkSpace}, {"storage", checkStorage},
		{"clock", checkClock}, {"power", checkPower}, {"display", checkDisplay}, {"devices", checkDevices},
		{"permissions", checkPermissions}, {"permissions", checkStaff},
		{"program", checkProgram}, {"program", checkUpdate},
	} {
		for _, f := range c.run(u) {
			f.Group = c.group
			all = append(all, f)
		}
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
	fmt.Fprintf(&t, "\n%d checks: %d faults, %d warnings, %d not on this machine\n",
		len(found), Count(found, Broken), Count(found, Warning), Count(found, Unknown))
	_, err := io.WriteString(out, t.String())
	return err
}

// Count returns how many findings have a verdict.
func Count(found []Finding, v Verdict) (n int) {
	for _, f := range found {
		if f.Verdict == v {
			n++
		}
	}
	return n
}

// coreTimeout is how soon the core must answer.
const coreTimeout = 3 * time.Second

// Collect reads what the checks share of the unit below root. The configuration is the
// one at path, data folder and socket are its own; "" is what the unit has.
func Collect(ctx context.Context, root, path, data, socket string) (*Unit, error) {
	quiet := slog.New(slog.DiscardHandler) // what is wrong with the configuration is a finding here
	l, err := config.Source{Root: root, Log: quiet}.Read(path, data)
	if err != nil {
		return nil, err
	}
	number, unknown := datadir.TableOf(cmp.Or(data, l.File.Table("").Data))
	u := &Unit{root: os.DirFS(root), path: root, Loaded: l, Table: number, unknown: unknown}
	u.Config = l.File.Table(number)
	u.Config.Data, u.Config.Socket = cmp.Or(data, u.Config.Data), cmp.Or(socket, u.Config.Socket)
	u.inventory = devices.Below(root, quiet).Inventory(u.Config, devices.NewEnrolments(u.Config.Data))
	client := localapi.Client{Path: u.Config.Socket}
	ctx, cancel := context.WithTimeout(ctx, coreTimeout)
	defer cancel()
	if u.board, u.why = client.Board(ctx); u.why != nil {
		u.faults, u.faultsErr = recordedFaults(u.Config.Data)
		return u, nil
	}
	u.faults = append(append(u.faults, u.board.Faults...), u.board.EndedFaults...)
	u.health, u.why = client.Health(ctx)
	if u.why == nil {
		u.version, u.why = client.Version(ctx)
	}
	return u, nil
}

// checkConfig checks the file in force and the number of the table.
func checkConfig(u *Unit) []Finding {
	l := u.Loaded
	file := Finding{Name: "file"}.is(Fine, fmt.Sprintf("%s is valid (%s)", l.Path, l.Hash()), "")
	switch {
	case l.Fault != nil:
		file = file.is(Broken, config.FaultText(l.Fault), "correct it (shoeboard config check), then: "+
			"sudo shoeboard config reload. Until then the last good copy is in force")
	case l.Path == "":
		file = file.is(Warning, "there is none: the board shows no limits and no fees",
			"sudo shoeboard config init --out /etc/shoeboard/shoeboard.toml, then edit it")
	case len(l.Ignored) > 0:
		file = file.is(Warning, fmt.Sprintf("%s; %s is ignored", file.Text, l.Ignored[0]),
			"remove the file that you do not need")
	}
	table := Finding{Name: "table"}
	chosen, _ := datadir.ReadTable(u.Config.Data) // why it cannot be read is known
	switch none := l.File.NoPart(u.Table); {
	case u.unknown != nil:
		table = table.is(Broken, u.unknown.Error(), remedies["table-unknown"])
	case chosen == "":
		table = table.is(Warning, "no table number is set: the unit uses table 1", "sudo shoeboard config table 14")
	case none != "":
		table = table.is(Fine, "this unit is table "+u.Table+": "+none, "")
	default:
		table = table.is(Fine, "this unit is table "+u.Table, "")
	}
	return []Finding{file, table}
}

// checkCore checks that the core runs, answers, and is the installed version.
func checkCore(u *Unit) []Finding {
	running := Finding{Name: "running"}
	switch {
	case errors.Is(u.why, localapi.ErrNoCore):
		return []Finding{running.is(Broken, "no core is running on "+u.Config.Socket,
			"sudo systemctl start shoeboard; if it stops again: journalctl -u shoeboard -b")}
	case u.why != nil:
		return []Finding{running.is(Broken, u.why.Error(),
			"run the doctor with sudo; if the fault stays: sudo systemctl restart shoeboard")}
	case !u.health.Alive:
		return []Finding{running.is(Broken, "its main loop does not answer: "+u.health.Error,
			"the watchdog restarts it within seconds; if the fault stays: sudo systemctl restart shoeboard")}
	}
	b := version.Read()
	installed := Finding{Name: "version"}.is(Fine, b.Line(), "")
	if u.version.Program != b.Version || u.version.Revision != b.Revision {
		installed = installed.is(Warning,
			fmt.Sprintf("the running core is %s, this program is %s", u.version.Program, b.Line()),
			"after this shoe: sudo systemctl restart shoeboard shoeboard-screen")
	}
	state := fmt.Sprintf("table %s, %s, record %d", u.board.Table, u.board.Phase, u.board.Seq)
	return []Finding{running.is(Fine, state, ""), installed}
}
