package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"golang.org/x/sync/errgroup"

	"shoeboard/cmd/internal/export"
	"shoeboard/cmd/internal/version"
	"shoeboard/stats"
	"shoeboard/tracker/localapi"
)

type statusVerb struct {
	Line bool `help:"One line: table, game, version, configuration, faults."`
	jsonFlag
	socketFlag
}

// unitStatus is what status --json prints.
type unitStatus struct {
	Table       string             `json:"table"`
	Game        string             `json:"game"`
	Phase       string             `json:"phase"`
	Hands       int                `json:"hands"`
	Shoe        int                `json:"shoe_today,omitempty"`
	Seq         uint64             `json:"seq"`
	Clock       bool               `json:"clock_trusted"`
	Core        localapi.Version   `json:"core"`
	Alive       bool               `json:"alive"`
	Error       string             `json:"error,omitempty"`
	Faults      []stats.Fault      `json:"faults,omitempty"`
	Ended       []stats.Fault      `json:"ended_faults,omitempty"` // and not acknowledged
	ConfigFault *stats.ConfigFault `json:"config_fault,omitempty"`
	Line        string             `json:"line"`
}

// Run prints the state of this unit. It fails when the core does not run or does not
// answer; it does not fail for faults on the board.
func (v *statusVerb) Run(ctx context.Context, p *program, all *verbs) error {
	client, err := v.client(p, all)
	if err != nil {
		return err
	}
	s, err := readStatus(ctx, client)
	if err != nil {
		return err
	}
	switch {
	case v.JSON:
		err = writeJSON(p.out, s)
	case v.Line:
		_, err = fmt.Fprintln(p.out, s.Line)
	default:
		_, err = fmt.Fprint(p.out, s.text())
	}
	if err == nil && !s.Alive {
		err = errors.New("the core's main loop does not answer: " + s.Error)
	}
	return err
}

// apiTimeout bounds what a verb requests of the core.
const apiTimeout = 3 * time.Second

// readStatus requests the state of a unit from its core.
func readStatus(ctx context.Context, client localapi.Client) (unitStatus, error) {
	ctx, cancel := context.WithTimeout(ctx, apiTimeout)
	defer cancel()
	b, err := client.Board(ctx)
	if err != nil {
		return unitStatus{}, err
	}
	version, err := client.Version(ctx)
	if err != nil {
		return unitStatus{}, err
	}
	health, err := client.Health(ctx)
	if err != nil {
		return unitStatus{}, err
	}
	return unitStatus{Table: b.Table, Game: b.Game.ID, Phase: b.Phase, Hands: b.Shoe.Hands, Shoe: b.ShoeToday,
		Seq: b.Seq, Clock: b.ClockTrusted, Core: version, Alive: health.Alive, Error: health.Error,
		Faults: b.Faults, Ended: b.EndedFaults, ConfigFault: b.ConfigFault, Line: b.StatusLine}, nil
}

func (s unitStatus) text() string {
	var t strings.Builder
	fmt.Fprintf(&t, "Table %s, %s: %s, %s in this shoe, record %d\n%s\n",
		s.Table, s.Game, s.Phase, export.Count(s.Hands, "hand"), s.Seq, s.Line)
	for _, f := range s.Faults {
		by := ""
		if f.By != "" {
			by = " (acknowledged by " + f.By + ")"
		}
		fmt.Fprintf(&t, "%s: %s%s\n", f.Code, f.Text, by)
	}
	for _, f := range s.Ended {
		fmt.Fprintf(&t, "%s has ended and is not acknowledged: %s\n", f.Code, f.Text)
	}
	if len(s.Faults)+len(s.Ended) == 0 {
		t.WriteString("No faults.\n")
	}
	return t.String()
}

type identifyVerb struct {
	Seconds int `arg:"" optional:"" default:"15" help:"How long, 0 to 600 seconds; 0 stops it."`
	socketFlag
}

// Run flashes the table's number on the screen.
func (v *identifyVerb) Run(ctx context.Context, p *program, all *verbs) error {
	if err := within("seconds", v.Seconds, 0, 600); err != nil {
		return err
	}
	client, err := v.client(p, all)
	if err != nil {
		return err
	}
	if err := client.Identify(ctx, time.Duration(v.Seconds)*time.Second); err != nil {
		return err
	}
	if v.Seconds == 0 {
		fmt.Fprintln(p.out, "The table's number no longer flashes.")
		return nil
	}
	fmt.Fprintf(p.out, "The table's number flashes on the screen for %d seconds.\n", v.Seconds)
	return nil
}

type pressVerb struct {
	Keys []string `arg:"" help:"Names of keys, such as BANKER OK; NEW_SHOE:2.2 is held 2.2 seconds."`
	socketFlag
}

// tapTime is how long a key is down; betweenKeys is how long none is: a question refuses
// an answer that comes sooner than anybody can have read it.
const (
	tapTime     = 90 * time.Millisecond
	betweenKeys = 800 * time.Millisecond
)

// Run presses keys of the pad one after another, at a core that was started with
// --socket-keys.
func (v *pressVerb) Run(ctx context.Context, p *program, all *verbs) error {
	for _, word := range v.Keys { // all of them before any is pressed
		if _, _, err := parseKey(word); err != nil {
			return err
		}
	}
	client, err := v.client(p, all)
	if err != nil {
		return err
	}
	for _, word := range v.Keys {
		name, hold, _ := parseKey(word)
		if err := client.Press(ctx, name, true); err != nil {
			return err
		}
		pause(ctx, hold)
		if err := client.Press(ctx, name, false); err != nil {
			return err
		}
		pause(ctx, betweenKeys)
	}
	return ctx.Err()
}

func parseKey(word string) (name string, hold time.Duration, err error) {
	name, seconds, held := strings.Cut(word, ":")
	if !held {
		return name, tapTime, nil
	}
	f, err := strconv.ParseFloat(seconds, 64)
	if err != nil || !(f >= 0 && f <= 10) {
		return "", 0, wrongUse("key %q: expected NAME or NAME:SECONDS, at most 10", word)
	}
	return name, time.Duration(f * float64(time.Second)), nil
}

func pause(ctx context.Context, d time.Duration) {
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
}

type versionVerb struct{ jsonFlag }

// Run prints what this program was built from.
func (v *versionVerb) Run(p *program) error {
	b := version.Read()
	if v.JSON {
		return writeJSON(p.out, b)
	}
	fmt.Fprintf(p.out, "shoeboard %s\n%s %s/%s\n", b.Line(), b.Go, b.OS, b.Arch)
	return nil
}

type fleetVerb struct {
	Hosts []string `arg:"" help:"Units by their ssh names: pi@table14, 192.168.1.14, …"`
	SSH   string   `name:"ssh" help:"The ssh program." default:"ssh"`
	jsonFlag
}

// unitLine is the status of one unit of a fleet.
type unitLine struct {
	Host    string   `json:"host"`
	Table   string   `json:"table,omitempty"`
	Game    string   `json:"game,omitempty"`
	Program string   `json:"version,omitempty"`
	Config  string   `json:"configuration,omitempty"`
	Faults  string   `json:"faults,omitempty"`
	Odd     []string `json:"odd,omitempty"` // how it differs, or what is wrong
}

// fleetConcurrency and fleetTimeout bound how many units are read at a time, and how long
// one may take.
const (
	fleetConcurrency = 16
	fleetTimeout     = 15 * time.Second
)

// Run reads the status line of every unit over ssh and marks those that differ from most,
// that have a fault, or that do not answer. It fails when there is one.
func (v *fleetVerb) Run(ctx context.Context, p *program) error {
	units := make([]unitLine, len(v.Hosts))
	var g errgroup.Group
	g.SetLimit(fleetConcurrency)
	for i, host := range v.Hosts {
		g.Go(func() error {
			units[i] = readFleetUnit(ctx, v.SSH, host)
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		return err
	}
	markOdd(units)
	if v.JSON {
		if err := writeJSON(p.out, units); err != nil {
			return err
		}
	} else if err := printFleet(p, units); err != nil {
		return err
	}
	odd := 0
	for _, u := range units {
		if len(u.Odd) > 0 {
			odd++
		}
	}
	if odd > 0 {
		return fmt.Errorf("%d of %d units differ or report a problem", odd, len(units))
	}
	return nil
}

// readFleetUnit reads the status line of one unit. ssh must not ask for a password.
func readFleetUnit(ctx context.Context, ssh, host string) unitLine {
	u := unitLine{Host: host}
	if strings.HasPrefix(host, "-") {
		u.Odd = []string{"not a host name"} // ssh would read it as a flag
		return u
	}
	ctx, cancel := context.WithTimeout(ctx, fleetTimeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, ssh, "-o", "BatchMode=yes", "-o", "ConnectTimeout=5", "--", host,
		"sudo -n shoeboard status --line")
	cmd.WaitDelay = time.Second
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err == nil {
		err = u.read(strings.TrimSpace(string(out)))
	}
	if err != nil {
		why, _, _ := strings.Cut(strings.TrimSpace(stderr.String()), "\n")
		u.Odd = append(u.Odd, "no answer: "+cmp.Or(why, err.Error()))
	}
	return u
}

// read parses a status line.
func (u *unitLine) read(line string) error {
	parts := strings.Split(line, " · ")
	if len(parts) != 5 || !strings.HasPrefix(parts[0], "table ") || !strings.HasPrefix(parts[3], "configuration ") {
		return fmt.Errorf("%.80q is not a status line", line)
	}
	u.Table, u.Game, u.Program = strings.TrimPrefix(parts[0], "table "), parts[1], parts[2]
	u.Config, u.Faults = strings.TrimPrefix(parts[3], "configuration "), parts[4]
	return nil
}

// markOdd notes how each unit differs from most of those that answered, and whether it has
// faults. Two units of one table are both marked.
func markOdd(units []unitLine) {
	programs, configs, tables := map[string]int{}, map[string]int{}, map[string]int{}
	for _, u := range units {
		if u.Table != "" {
			programs[u.Program]++
			configs[u.Config]++
			tables[u.Table]++
		}
	}
	program, config := commonest(programs), commonest(configs)
	for i := range units {
		u := &units[i]
		if u.Table == "" {
			continue
		}
		if u.Program != program {
			u.Odd = append(u.Odd, "version: most have "+program)
		}
		if u.Config != config {
			u.Odd = append(u.Odd, "configuration: most have "+config)
		}
		if tables[u.Table] > 1 {
			u.Odd = append(u.Odd, "another unit has the same table")
		}
		if u.Faults != "no faults" {
			u.Odd = append(u.Odd, "faults")
		}
	}
}

// commonest returns the value that most units have; of equals the first by name.
func commonest(counts map[string]int) (most string) {
	for value, n := range counts {
		if best := counts[most]; n > best || n == best && value < most {
			most = value
		}
	}
	return most
}

// printFleet writes the units as a table of text.
func printFleet(p *program, units []unitLine) error {
	w := tabwriter.NewWriter(p.out, 0, 4, 2, ' ', 0)
	fmt.Fprintln(w, "HOST\tTABLE\tGAME\tVERSION\tCONFIGURATION\tFAULTS\tODD")
	for _, u := range units {
		columns := []string{u.Host, u.Table, u.Game, u.Program, u.Config, u.Faults, strings.Join(u.Odd, "; ")}
		fmt.Fprintln(w, strings.Join(columns, "\t"))
	}
	return w.Flush()
}
