package console

import (
	"reflect"
	"testing"
	"time"

	"shoeboard/assets"
	"shoeboard/tracker"
	"shoeboard/tracker/game"
)

// resting is a table with three hands, now.
func resting(p *game.Pack) *Context {
	t := seat(p, 3, tracker.Hand{Result: game.Result{Outcome: game.Banker}})
	for i := range t.State.Shoe.Hands {
		t.State.Shoe.Hands[i].Result = game.Result{Outcome: game.Banker}
	}
	t.Projected = t.State
	t.Now = tracker.Stamp{Boot: "boot", Mono: time.Hour}
	return t
}

// What is pending comes back as it was, marked unfinished: every result and every
// modifier, as an entry and as a fix.
func TestPendingComesBack(t *testing.T) {
	for _, id := range assets.PackIDs() {
		p := packOf(t, id)
		table := resting(p)
		for _, r := range results(p) {
			for _, c := range []Console{
				{pending: pending{mode: entry, hand: r}},
				{pending: pending{mode: entry, hand: r, early: true, isNew: true, isPast: true}, hold: true},
				{pending: pending{mode: fixing, hand: r, fix: 2, keyed: true}},
				{pending: pending{mode: fixing, hand: r, fix: 3, keyed: true, fixFree: true}},
			} {
				back, err := Console{}.Restore(table, c.Save(table))
				if err != nil {
					t.Fatalf("%s, %+v: %v", id, r, err)
				}
				want := c
				want.unfinished = true
				want.set(table, c.mode, readQuestion)
				if !reflect.DeepEqual(back, want) {
					t.Fatalf("%s: got %+v\nwant %+v", id, back, want)
				}
			}
		}
	}
}

// A question comes back as its proposal, a fix without a key and what else was to put a hand
// right as ended; other questions do not come back.
func TestWhatComesBackOfAQuestion(t *testing.T) {
	table := resting(packOf(t, "dai-bacc"))
	tie := game.Result{Outcome: game.Tie}
	for m, want := range map[state]state{idle: idle, entry: entry, askSame: entry, askReplace: entry, askShoeOver: entry, askVoid: idle,
		askNewShoe: idle, askClose: idle, askGoesOn: lapsed, askOpen: idle, noResult: idle, fixing: lapsed, removing: lapsed, lapsed: lapsed} {
		c := Console{pending: pending{mode: m, hand: tie}}
		if m == fixing || m == removing {
			c.fix, c.hand = 3, table.State.Shoe.Hands[2].Result
		}
		back := Console{}
		if data := c.Save(table); data != nil {
			var err error
			if back, err = back.Restore(table, data); err != nil {
				t.Fatal(err)
			}
		}
		if back.mode != want {
			t.Errorf("mode %d comes back as %d, want %d", m, back.mode, want)
		}
	}
}

// What does not fit the table any more is refused, and nothing is pending.
func TestPendingThatDoesNotFit(t *testing.T) {
	open := resting(packOf(t, "dai-bacc"))
	closed := resting(packOf(t, "dai-bacc"))
	closed.State.Phase = tracker.TableClosed
	for name, c := range map[string]struct {
		table *Context
		text  string
	}{
		"no text":              {open, ``},
		"a version to come":    {open, `{"v":2,"o":1}`},
		"an unknown result":    {open, `{"v":1,"o":4}`},
		"another game's bet":   {open, `{"v":1,"o":2,"bets":["dragon-7"]}`},
		"what cannot be":       {open, `{"v":1,"o":1,"bets":["tiger-7"]}`},
		"a bonus alone":        {open, `{"v":1,"bets":["tiger-7"]}`},
		"a natural alone":      {open, `{"v":1,"nat":"b"}`},
		"nothing":              {open, `{"v":1}`},
		"a fix of no hand":     {open, `{"v":1,"o":1,"fix":4,"keyed":true}`},
		"a fix of no result":   {open, `{"v":1,"fix":2,"keyed":true}`},
		"a fix below zero":     {open, `{"v":1,"o":1,"fix":-1}`},
		"a closed table":       {closed, `{"v":1,"o":1}`},
		"a table without game": {&Context{}, `{"v":1,"o":1}`},
	} {
		back, err := Console{}.Restore(c.table, []byte(c.text))
		if err == nil || back.Pending() || back.mode != idle {
			t.Errorf("%s: taken: %v, mode %d", name, err, back.mode)
		}
	}
}

// A scratch file of any bytes never stops the program; what it gives can be saved and
// comes back the same.
func FuzzRestore(f *testing.F) {
	for _, text := range []string{`{"v":1,"o":2}`, `{"v":1,"bets":["kill"]}`, `{"v":1,"o":3,"nat":"pb","pairs":"b","early":true}`,
		`{"v":1,"o":1,"fix":2,"keyed":true,"free":true}`, `{"v":1,"lapsed":true}`, `{"v":1,"o":250}`, `[]`} {
		f.Add([]byte(text))
	}
	p := packOf(f, "dai-bacc")
	f.Fuzz(func(t *testing.T, data []byte) {
		table := resting(p)
		c, err := Console{}.Restore(table, data)
		if err != nil {
			return
		}
		fits(t, "restored", c.lines(table))
		saved := c.Save(table)
		if saved == nil {
			return // it had lapsed
		}
		again, err := Console{}.Restore(table, saved)
		if err != nil {
			t.Fatalf("%s gave %s: %v", data, saved, err)
		}
		if string(again.Save(table)) != string(saved) {
			t.Fatalf("%s comes back as %s", saved, again.Save(table))
		}
	})
}
