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

	"shoeboard/cmd/shoeboard/config"
	"shoeboard/cmd/shoeboard/devices"
	"shoeboard/cmd/shoeboard/ports"
	"shoeboard/cmd/shoeboard/version"
	"shoeboard/stats"
	"shoeboard/tracker/localapi"
)

// verdict is what a probe comes to.
type verdict string

const (
	fine    verdict = "ok"
	warning verdict = "warning" // the table can be dealt at; somebody should look
	broken  verdict = "fault"   // somebody must look
	unknown verdict = "n/a"     // this machine has no such thing, or it cannot be asked
)

// finding is one line of the doctor.
type finding struct {
	Group   string  `json:"group"` // "configuration", "record", …
	Name    string  `json:"name"`
	Verdict verdict `json:"verdict"`
	Text    string  `json:"text"`         // what was found
	Do      string  `json:"do,omitempty"` // what to do; on every warning and fault
}

// patient is the unit as the probes see it: files below one root, and what was
// read before.
type patient struct {
	root    fs.FS  // that stands for "/"
	path    string // of root
	config  config.Config
	loaded  config.InForce
	table   string
	devices []devices.Use
	board   *stats.Board // of the running core; nil: none
	health  localapi.Health
	why     error // why there is no board
	version localapi.Version
}

// probe looks at one part of the unit.
type probe func(*patient) []finding

// probes are all, in the order of the report.
func probes() []probe {
	return []probe{probeConfig, probeCore, probeBoard, probeRecord, probeIndex, probeSpace, probeStorage,
		probeClock, probePower, probeDisplay, probeDevices, probePermissions, probeProgram}
}

// examine runs all probes.
func examine(p *patient) []finding {
	var all []finding
	for _, look := range probes() {
		all = append(all, look(p)...)
	}
	return all
}

type doctorVerb struct {
	JSON   bool   `help:"As JSON."`
	Data   string `help:"Data folder; without it the configuration's." type:"path" placeholder:"DIR"`
	Socket string `help:"Socket of the core; without it the configuration's." type:"path" placeholder:"PATH"`
}

// Run looks at everything that a unit needs and says what to do. It changes
// nothing. It fails when there is a fault; a warning is no failure.
func (v *doctorVerb) Run(ctx context.Context, p *program, all *verbs) error {
	sick, err := p.patient(ctx, all.Config, v.Data, v.Socket)
	if err != nil {
		return err
	}
	found := examine(sick)
	if v.JSON {
		err = writeJSON(p.out, found)
	} else {
		err = report(p.out, found)
	}
	if err != nil {
		return err
	}
	if n := count(found, broken); n > 0 {
		return fmt.Errorf("%d of %d checks found a fault", n, len(found))
	}
	return nil
}

// patient reads what the probes share.
func (p *program) patient(ctx context.Context, path, data, socket string) (*patient, error) {
	quiet := *p
	quiet.log = discard() // what is wrong with the configuration is a finding here
	l, err := quiet.readConfig(path, data)
	if err != nil {
		return nil, err
	}
	common := l.File.Table("")
	number, err := config.TableNumber("", cmp.Or(data, common.Data))
	if err != nil {
		return nil, err
	}
	sick := &patient{root: os.DirFS(p.root), path: p.root, loaded: l, table: number, config: l.File.Table(number)}
	sick.config.Data, sick.config.Socket = cmp.Or(data, sick.config.Data), cmp.Or(socket, sick.config.Socket)
	sick.devices = devices.Below(p.root, p.log).Inventory(sick.config, ports.NewBook(sick.config.Data)).Configured
	client := localapi.Client{Path: sick.config.Socket}
	ctx, cancel := context.WithTimeout(ctx, soon)
	defer cancel()
	if sick.board, sick.why = client.Board(ctx); sick.why != nil {
		return sick, nil
	}
	sick.health, sick.why = client.Health(ctx)
	if sick.why == nil {
		sick.version, sick.why = client.Version(ctx)
	}
	return sick, nil
}

// report writes findings by group for a person.
func report(out io.Writer, found []finding) error {
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
	fmt.Fprintf(&t, "\n%d checks: %d faults, %d warnings, %d not on this machine\n", len(found), count(found, broken), count(found, warning), count(found, unknown))
	_, err := io.WriteString(out, t.String())
	return err
}

func count(found []finding, v verdict) (n int) {
	for _, f := range found {
		if f.Verdict == v {
			n++
		}
	}
	return n
}

// grouped puts findings into a group.
func grouped(group string, found ...finding) []finding {
	for i := range found {
		found[i].Group = group
	}
	return found
}

func probeConfig(p *patient) []finding {
	file := finding{Name: "file", Verdict: fine, Text: fmt.Sprintf("%s can be used (%s)", p.loaded.Path, p.loaded.Hash())}
	switch {
	case p.loaded.Fault != nil:
		file = finding{Name: "file", Verdict: broken, Text: config.Told(p.loaded.Fault), Do: "correct it (shoeboard config check), then: sudo shoeboard config reload. Until then the last good one is in force"}
	case p.loaded.Path == "":
		file = finding{Name: "file", Verdict: warning, Text: "there is none: no limits and no fees are shown",
			Do: "sudo shoeboard config init --out /etc/shoeboard/shoeboard.toml, then edit it"}
	}
	number := finding{Name: "table", Verdict: fine, Text: "this unit stands at table " + p.table}
	if _, err := os.Stat(p.config.Data + "/table"); errors.Is(err, fs.ErrNotExist) {
		number.Verdict, number.Text, number.Do = warning, "nobody has said which table this unit stands at: it takes table 1", "sudo shoeboard config table 14"
	}
	return grouped("configuration", file, number)
}

func probeCore(p *patient) []finding {
	switch {
	case errors.Is(p.why, localapi.ErrNoCore):
		return grouped("core", finding{Name: "running", Verdict: broken, Text: "no core is running on " + p.config.Socket,
			Do: "sudo systemctl start shoeboard; if it does not stay: journalctl -u shoeboard -b"})
	case p.why != nil:
		return grouped("core", finding{Name: "running", Verdict: broken, Text: p.why.Error(), Do: "run the doctor with sudo; if it stays: sudo systemctl restart shoeboard"})
	case !p.health.Alive:
		return grouped("core", finding{Name: "running", Verdict: broken, Text: "its loop does not answer: " + p.health.Error,
			Do: "its watchdog starts it again within seconds; if it stays: sudo systemctl restart shoeboard"})
	}
	found := []finding{{Name: "running", Verdict: fine, Text: fmt.Sprintf("table %s, %s, record %d", p.board.Table, p.board.Phase, p.board.Seq)}}
	b := version.Read()
	version := finding{Name: "version", Verdict: fine, Text: b.Line()}
	if p.version.Program != b.Version || p.version.Revision != b.Revision {
		version.Verdict, version.Text = warning, fmt.Sprintf("the core that runs is %s, this program is %s", p.version.Program, b.Line())
		version.Do = "when the shoe is over: sudo systemctl restart shoeboard shoeboard-screen"
	}
	return grouped("core", append(found, version)...)
}

// remedies say what to do about the faults that a Board shows.
var remedies = map[string]string{
	"not-recording":  "keep the table on paper; look at storage and space below; change the card",
	"keypad-missing": "plug the keypad in again, or another one",
	"clock-not-set":  "let the unit reach a time server once, or set it: sudo timedatectl set-time \"2026-11-30 18:00\"",
	"record":         "shoeboard verify tells what is missing; the hands since are safe",
	"history":        "sudo systemctl restart shoeboard makes the index anew",
	"safe-mode":      "journalctl -u shoeboard -b tells why it failed; then: sudo systemctl restart shoeboard",
	"no-start":       "journalctl -u shoeboard -b",
	"game-waits":     "nothing: the game changes with the next shoe",
	"keypad-unknown": "take the foreign keyboard off, or name it in the configuration: shoeboard hw list",
}

// probeBoard tells the faults that staff see on the board.
func probeBoard(p *patient) []finding {
	if p.board == nil {
		return nil
	}
	var found []finding
	for _, f := range p.board.Faults {
		do, known := remedies[f.Code]
		if !known {
			do = "see the sentence itself"
		}
		v := broken
		if f.Code == "clock-not-set" || f.Code == "game-waits" {
			v = warning
		}
		found = append(found, finding{Name: f.Code, Verdict: v, Text: f.Text, Do: do})
	}
	if len(found) == 0 {
		found = []finding{{Name: "faults", Verdict: fine, Text: "none"}}
	}
	return grouped("board", found...)
}
