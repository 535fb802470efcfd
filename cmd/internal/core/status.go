package core

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"shoeboard/cmd/internal/config"
	"shoeboard/hw"
	"shoeboard/stats"
	"shoeboard/tracker/table"
)

// publish gives a Board out with the unit in one line: table, game in play, program,
// configuration, faults. The table keeps the Board to compare the next one with, so a
// copy goes out.
func (c *Core) publish(b *stats.Board) {
	out := *b
	out.StatusLine = fmt.Sprintf("table %s · %s · %s · %s", c.Set.Table, cmp.Or(b.Game.ID, c.Pack.ID), b.StatusLine, faultCodes(b))
	c.Hub.Publish(&out)
}

// faultCodes are the faults in few letters: those that are there by their codes, and how
// many are known or over.
func faultCodes(b *stats.Board) string {
	var words []string
	known := 0
	for _, f := range b.Faults {
		if f.By != "" {
			known++
			continue
		}
		words = append(words, f.Code)
	}
	if known > 0 {
		words = append(words, fmt.Sprintf("%d acknowledged", known))
	}
	if n := len(b.EndedFaults); n > 0 {
		words = append(words, fmt.Sprintf("%d over", n))
	}
	if len(words) == 0 {
		return "no faults"
	}
	return strings.Join(words, ", ")
}

// configFault is the sentence of a configuration that was refused, "" for none.
func configFault(f *stats.ConfigFault) string {
	if f == nil {
		return ""
	}
	return "Configuration refused, the settings before it stay in force: " + config.FaultText(f)
}

// tableFault is the sentence of a unit that does not know its table, "" for one that
// does. Why it does not is in the log and for the doctor to say.
func tableFault(number string, unknown error) string {
	if unknown == nil {
		return ""
	}
	return fmt.Sprintf("The unit cannot read which table this is, and goes on as table %s. Check the limits, and key the number in the technician's menu", number)
}

// faults returns the sentences of what a core can say of itself before it opens, by their
// codes; "" where there is none.
func (s Setup) faults() map[string]string {
	faults := map[string]string{stats.ConfigCode: configFault(s.Fault), "table-unknown": tableFault(s.Table, s.Unknown)}
	if s.Safe > 0 {
		faults["safe-mode"] = safeFault(s.Safe)
	}
	return faults
}

// pressed takes a key of the pad by its name, as if the pad had been pressed.
func (c *Core) pressed(t *hw.Teller) func(context.Context, string, bool) error {
	turn := make(chan struct{}, 1) // a Teller numbers events and belongs to one caller
	return func(ctx context.Context, key string, down bool) error {
		var pos string
		ok := false
		err := c.Table.Do(ctx, func(d *table.Desk, _ *table.View) { pos, ok = d.Position(key) })
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
