package core

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"shoeboard/cmd/internal/clock"
	"shoeboard/cmd/internal/config"
	"shoeboard/stats"
	"shoeboard/tracker"
	"shoeboard/tracker/table"
)

// another is another value for each key that a running core takes.
var another = map[string]string{
	"venue": `venue = "Another House"`, "zone": `zone = "Asia/Macau"`, "day_ends": `day_ends = "04:30"`, "decks": "decks = 6", "bets": `bets = "close"`,
	"bet_seconds": "bet_seconds = 33", "reopen_seconds": "reopen_seconds = 7", "auto_open": "auto_open = 44", "min_hand": "min_hand = 5",
	"confirm": "confirm = false", "dealer_fix": "dealer_fix = 2", "collection": `collection = "b"`,
	"collections": "[collections.a]\nrates = [{ from = 1, fee = 9 }]", "limit": "[[limit]]\nbets = [\"tie\"]\nmin = 7\nmax = 70",
	"roads": "[roads]\ntail = \"stay\"\nleading_tie = \"own_column\"\nask_marks = true", "texts": "[texts]\nmessage = \"m\"\ninfo_line = \"i\"\ncare_line = \"c\"",
	"game": `game = "dai-bacc"`, "entry": `entry = "totals"`,
}

// Every key takes effect when the file says that it does: while a hand is dealt those
// marked now, and when it is recorded those marked hand.
func TestKeysTakeEffectWhenTheySayThatTheyDo(t *testing.T) {
	const base = `collection = "a"
[collections.a]
rates = [{ from = 1, fee = 1 }]
[collections.b]
rates = [{ from = 1, fee = 2 }]
`
	keys := reflect.TypeFor[config.Config]()
	for i := range keys.NumField() {
		key, effect := keys.Field(i).Tag.Get("toml"), keys.Field(i).Tag.Get("effect")
		if effect == "" || effect == "start" || effect == "stick" {
			continue
		}
		change, known := another[key]
		if !known {
			t.Errorf("%s has no other value here", key)
			continue
		}
		t.Run(key, func(t *testing.T) {
			text := base
			switch key {
			case "collection":
				text = strings.Replace(base, `collection = "a"`, change, 1)
			case "collections":
				text = strings.Replace(base, "[collections.a]\nrates = [{ from = 1, fee = 1 }]", change, 1)
			case "limit", "roads", "texts":
				text += change
			default:
				text = change + "\n" + base
			}
			takesEffect(t, base, text, effect)
		})
	}
}

// takesEffect changes the file of a core in the middle of a hand.
func takesEffect(t *testing.T, before, after, effect string) {
	packs, err := config.Packs()
	if err != nil {
		t.Fatal(err)
	}
	text := before
	load := func() (config.Loaded, error) {
		f, err := config.Read("f", []byte(text), packs)
		return config.Loaded{File: f}, err
	}
	l, err := load()
	if err != nil {
		t.Fatal(err)
	}
	c, board, stop := runCore(t, Setup{Data: t.TempDir(), Table: "14", Config: l.File.Table("14"), Clock: clock.New(1, false), Reload: load})
	defer stop()
	ctx := t.Context()
	// seen is what is in force, as the record and the board have it.
	seen := func() (s string) {
		err := c.Table.Do(ctx, func(d *table.Engine, v *stats.Board) {
			s = fmt.Sprintf("%+v %s %s %s", d.State().Settings, v.Zone, c.Set.Config.DayEnds, d.State().Shoe.Pack.ID)
		})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	does := func(phase string, cmd tracker.Command) {
		t.Helper()
		err := c.Table.Do(ctx, func(d *table.Engine, _ *stats.Board) { d.Request(c.Set.Clock.Now(), "test", cmd) })
		if err != nil {
			t.Fatal(err)
		}
		board(phase, func(b *stats.Board) bool { return b.Phase == phase })
		for out := true; out; { // what a fact brings along follows it
			if err := c.Table.Do(ctx, func(d *table.Engine, _ *stats.Board) { out = d.Recording() }); err != nil {
				t.Fatal(err)
			}
		}
	}
	does("shuffling", tracker.Command{Kind: tracker.TableOpened})
	does("betting", tracker.Command{Kind: tracker.BetsOpened, Seconds: 20})
	was := seen()
	text = after
	if err := c.Reload(ctx); err != nil {
		t.Fatal(err)
	}
	does("bets-closed", tracker.Command{Kind: tracker.BetsShut}) // what was to be recorded at once is before it
	if now := seen(); (now != was) != (effect == "now") {
		t.Errorf("in the hand, a change of effect %s:\n%s\n%s", effect, was, now)
	}
	does("result", tracker.Command{Kind: tracker.HandRecorded, Token: "P"})
	if now := seen(); (now != was) != (effect == "now" || effect == "hand") {
		t.Errorf("after the hand, a change of effect %s:\n%s\n%s", effect, was, now)
	}
	does("shuffling", tracker.Command{Kind: tracker.ShoeStarted})
	does("table-closed", tracker.Command{Kind: tracker.TableShut})
	if now := seen(); now == was {
		t.Errorf("after the shoe, a change of effect %s did nothing:\n%s", effect, now)
	}
}

// A file may give a keypad its digits and ask for totals at once. The keys come with the
// next start, so totals do too, and whoever had the file read again is told.
func TestTotalsWaitForTheirKeys(t *testing.T) {
	packs, err := config.Packs()
	if err != nil {
		t.Fatal(err)
	}
	const pad = "[[keypad]]\nlayout = \"ours\"\n[keymap.ours]\nbase = \"numpad-17\"\n"
	const lacks = pad + "[keymap.ours.keys]\nKP5 = { tap = \"BOTH_NATURAL\" }\n"
	for _, c := range []struct {
		was, is string
		entry   tracker.EntryMode
		says    string
	}{
		{lacks, "bet_seconds = 33\nentry = \"totals\"\n" + pad, tracker.EntryResults, "keypad pad has no key yet for 5: sudo systemctl restart shoeboard"},
		{pad, "bet_seconds = 33\nentry = \"totals\"\n" + pad, tracker.EntryTotals, ""},
	} {
		text := c.was
		load := func() (config.Loaded, error) {
			f, err := config.Read("f", []byte(text), packs)
			return config.Loaded{File: f, Text: []byte(text)}, err
		}
		l, err := load()
		if err != nil {
			t.Fatal(err)
		}
		data := t.TempDir()
		core, board, stop := runCore(t, Setup{Data: data, Table: "14", Config: l.File.Table("14"), Clock: clock.New(1, false), Reload: load})
		board("a board", func(*stats.Board) bool { return true })
		text = c.is
		if err := core.Reload(t.Context()); (err == nil) != (c.says == "") || err != nil && !strings.Contains(err.Error(), c.says) {
			t.Errorf("told %v, want %q", err, c.says)
		}
		var s tracker.Settings
		for s.BetSeconds != 33 {
			if err := core.Table.Do(t.Context(), func(d *table.Engine, _ *stats.Board) { s = d.State().Settings }); err != nil {
				t.Fatal(err)
			}
		}
		if s.Entry != c.entry {
			t.Errorf("%s are keyed, want %s", s.Entry, c.entry)
		}
		if good, err := os.ReadFile(filepath.Join(data, config.LastGood)); string(good) != text || err != nil {
			t.Errorf("the last good one is %q, %v", good, err)
		}
		stop()
	}
}
