package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

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
