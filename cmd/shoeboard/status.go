package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"shoeboard/cmd/internal/export"
	"shoeboard/stats"
	"shoeboard/tracker/localapi"
)

type statusVerb struct {
	Line bool `help:"One line: table, game, version, configuration, faults."`
	jsonFlag
	socketFlag
}

// unitStatus is what status --json gives.
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

// Run says how this unit is. It fails when the core does not run or does not
// answer; faults on the board are told and are no failure of this verb.
func (v *statusVerb) Run(ctx context.Context, p *program, all *verbs) error {
	client, err := v.client(p, all)
	if err != nil {
		return err
	}
	s, err := askStatus(ctx, client)
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
		err = errors.New("the core's loop does not answer: " + s.Error)
	}
	return err
}

func askStatus(ctx context.Context, client localapi.Client) (unitStatus, error) {
	ctx, cancel := context.WithTimeout(ctx, soon)
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
	return unitStatus{Table: b.Table, Game: b.Game.ID, Phase: b.Phase, Hands: b.Shoe.Hands, Shoe: b.ShoeToday, Seq: b.Seq, Clock: b.ClockTrusted,
		Core: version, Alive: health.Alive, Error: health.Error, Faults: b.Faults, Ended: b.EndedFaults, ConfigFault: b.ConfigFault, Line: b.StatusLine}, nil
}

func (s unitStatus) text() string {
	var t strings.Builder
	fmt.Fprintf(&t, "Table %s, %s: %s, %s in this shoe, record %d\n%s\n", s.Table, s.Game, s.Phase, export.Count(s.Hands, "hand"), s.Seq, s.Line)
	for _, f := range s.Faults {
		known := ""
		if f.By != "" {
			known = " (acknowledged by " + f.By + ")"
		}
		fmt.Fprintf(&t, "%s: %s%s\n", f.Code, f.Text, known)
	}
	for _, f := range s.Ended {
		fmt.Fprintf(&t, "%s is over and not acknowledged: %s\n", f.Code, f.Text)
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
	said := fmt.Sprintf("The table's number flashes on the screen for %d seconds.", v.Seconds)
	if v.Seconds == 0 {
		said = "The table's number does not flash any more."
	}
	fmt.Fprintln(p.out, said)
	return nil
}

type pressVerb struct {
	Keys []string `arg:"" help:"Names of keys, BANKER OK; NEW_SHOE:2.2 is held 2.2 seconds."`
	socketFlag
}

// tapFor is how long a key is down; between is how long none is: a question refuses
// an answer that comes sooner than anybody can have read it.
const (
	tapFor  = 90 * time.Millisecond
	between = 800 * time.Millisecond
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
		pause(ctx, between)
	}
	return ctx.Err()
}

func parseKey(word string) (name string, hold time.Duration, err error) {
	name, seconds, held := strings.Cut(word, ":")
	if !held {
		return name, tapFor, nil
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
