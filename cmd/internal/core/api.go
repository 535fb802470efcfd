package core

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"shoeboard/cmd/internal/version"
	"shoeboard/hw"
	"shoeboard/stats"
	"shoeboard/tracker"
	"shoeboard/tracker/localapi"
	"shoeboard/tracker/menu"
	"shoeboard/tracker/table"
)

// recordedIn is how long a request waits for the disk.
const recordedIn = 5 * time.Second

// api returns what the socket may request of the core.
func (c *Core) api() localapi.Core {
	api := localapi.Core{
		Hub:         c.Hub,
		Version:     programVersion(),
		Alive:       func(ctx context.Context) error { return c.Table.Do(ctx, func(*table.Engine, *stats.Board) {}) },
		Identify:    c.overlay.showNumber,
		ScreenTest:  c.overlay.showPage,
		Screens:     screens(),
		Drawn:       c.drawn.note,
		DrawnAgo:    c.drawn.ago,
		Shoes:       c.shoes.Stream,
		Acknowledge: c.acknowledge,
		Acted:       c.acted,
		Correct:     c.correct,
	}
	if c.Set.Reload != nil {
		api.Reload = c.Reload
	}
	if c.Set.Keys {
		api.Press = c.pressed(hw.NewTeller("socket", c.In))
	}
	return api
}

func programVersion() localapi.Version {
	b := version.Read()
	return localapi.Version{Program: b.Version, Revision: b.Revision, Go: b.Go, Board: stats.BoardVersion}
}

// status returns what writes the unit in one line: table, game in play, program,
// configuration, faults.
func (c *Core) status() func(b *stats.Board) string {
	build := version.Read().Line()
	return func(b *stats.Board) string {
		return fmt.Sprintf("table %s · %s · %s · configuration %s · %s", c.Set.Table, cmp.Or(b.Game.ID, c.Pack.ID),
			build, c.Set.Hash, faultCodes(b))
	}
}

// faultCodes returns the faults in few letters: the codes of those that nobody has
// acknowledged, and how many are acknowledged or over.
func faultCodes(b *stats.Board) string {
	var words []string
	acknowledged := 0
	for _, f := range b.Faults {
		if f.By != "" {
			acknowledged++
			continue
		}
		words = append(words, f.Code)
	}
	if acknowledged > 0 {
		words = append(words, fmt.Sprintf("%d acknowledged", acknowledged))
	}
	if n := len(b.EndedFaults); n > 0 {
		words = append(words, fmt.Sprintf("%d over", n))
	}
	if len(words) == 0 {
		return "no faults"
	}
	return strings.Join(words, ", ")
}

// pressed returns what plays a key of the pad by its name, as if the pad had been pressed.
func (c *Core) pressed(t *hw.Teller) func(context.Context, string, bool) error {
	turn := make(chan struct{}, 1) // a Teller numbers events and belongs to one caller
	return func(ctx context.Context, key string, down bool) error {
		var pos string
		ok := false
		err := c.Table.Do(ctx, func(d *table.Engine, _ *stats.Board) { pos, ok = d.Position(key) })
		switch {
		case err != nil:
			return err
		case !ok:
			return fmt.Errorf("key %q is not on the pad: expected a name as BANKER, a bet's id or a digit", key)
		}
		turn <- struct{}{}
		defer func() { <-turn }()
		t.Press(ctx, pos, down, c.Set.Clock.Mono())
		return ctx.Err()
	}
}

// acknowledge records in by's name that a fault is known, and returns when that is on
// disk.
func (c *Core) acknowledge(ctx context.Context, code, by string) error {
	var refused error
	err := c.Table.Do(ctx, func(e *table.Engine, _ *stats.Board) {
		refused = e.Acknowledge(c.Set.Clock.Now(), code, by)
	})
	if err = errors.Join(err, refused); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, recordedIn)
	defer cancel()
	waits := func(f stats.Fault) bool { return f.Code == code && f.By == "" }
	for {
		b, newer := c.Hub.Newest()
		if !slices.ContainsFunc(slices.Concat(b.Faults, b.EndedFaults), waits) {
			return nil
		}
		select {
		case <-newer:
		case <-ctx.Done():
			return errors.New("it is not on disk yet and will be when the record can be written: " +
				"look again with \"shoeboard faults\"")
		}
	}
}

// acted has it recorded that a verb did something to the unit.
func (c *Core) acted(ctx context.Context, act, was, is, by string) error {
	var refused error
	err := c.Table.Do(ctx, func(e *table.Engine, _ *stats.Board) {
		refused = e.Act(c.Set.Clock.Now(), tracker.Command{Code: act, Was: was, Text: is, By: by})
	})
	return errors.Join(err, refused)
}

// correct records a correction of the floor, and returns when it is on disk.
func (c *Core) correct(ctx context.Context, what localapi.Correction) (localapi.Corrected, error) {
	kinds := map[string]tracker.Kind{
		"fix": tracker.HandFixed, "insert": tracker.HandInserted, "remove": tracker.HandRemoved}
	cmd := tracker.Command{Kind: kinds[what.Do], Hand: what.Hand, Token: what.Token, By: what.By, Reason: what.Why}
	var made localapi.Corrected
	saved := make(chan error, 1)
	var fact tracker.Event
	var refused error
	err := c.Table.Do(ctx, func(d *table.Engine, _ *stats.Board) {
		fact, refused = d.Correct(c.Set.Clock.Now(), cmd, what.Free, func(err error) {
			made.Hands, made.Review = len(d.State().Shoe.Hands), d.State().Review != nil
			saved <- err
		})
	})
	if err == nil { // else it may be running still
		err = refused
	}
	if err != nil {
		return localapi.Corrected{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, recordedIn)
	defer cancel()
	select {
	case err := <-saved:
		if err != nil {
			return localapi.Corrected{}, err
		}
	case <-ctx.Done():
		return localapi.Corrected{}, errors.New("it is not on disk yet and will be when the record can be written: " +
			"look at the board before you try again")
	}
	made.Hand, made.Was, made.Token, made.Free, made.By = fact.Hand, fact.Was, fact.Token, fact.Free, fact.By
	return made, nil
}

// maintain does a task of the technician's menu.
func (c *Core) maintain(ctx context.Context, t menu.Task) menu.Result {
	env := Env{Trusted: c.Set.Clock.Now().Trusted, End: c.EndSoon}
	err := c.Table.Do(ctx, func(*table.Engine, *stats.Board) {
		env.Game, env.Hash, env.Zone = c.Pack.ID, c.Set.Hash, c.Set.Config.Location()
	})
	if err != nil {
		return menu.Result{Failed: true, Lines: []string{err.Error()}}
	}
	return c.Set.Maintenance.Do(ctx, t, env)
}
