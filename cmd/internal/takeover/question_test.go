package takeover

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"shoeboard/cmd/internal/config"
	"shoeboard/cmd/internal/transfer"
	"shoeboard/tracker/console"
	"shoeboard/tracker/menu"
)

const ms = time.Millisecond

// desk is a question with a keypad before it.
type desk struct {
	question
	keys keys
	now  time.Duration
	pad  console.Map
	tone console.Tone
	yes  int // take-overs begun
}

func ask(t testing.TB, layout string, tables ...transfer.Question) *desk {
	pack, err := config.Pack("ez-baccarat-panda-8")
	if err != nil {
		t.Fatal(err)
	}
	pad, _ := console.Layout(layout, pack)
	d := &desk{keys: keys{}, now: time.Minute, pad: pad, question: question{unit: "spare", zone: time.UTC, left: tables, shown: time.Minute}}
	return d
}

func (d *desk) move(key string, down bool) {
	pos, ok := d.pad.Find(key)
	if !ok {
		pos = key
	}
	was := d.state
	acts, other := d.keys.move(d.now, position{"pad", pos}, d.pad[pos], down)
	switch {
	case other != "":
		d.tone = d.together(d.now, other)
	case acts != "":
		d.tone = d.press(d.now, acts)
	}
	if d.state == working && was != working {
		d.yes++
	}
}

func (d *desk) tap(key string) *desk {
	d.tone = console.Silent
	d.move(key, true)
	d.now += 60 * ms
	d.move(key, false)
	return d
}

func (d *desk) wait(t time.Duration) *desk {
	d.now += t
	if d.now >= d.noted {
		d.uncover(d.now)
	}
	return d
}

func (d *desk) echo() string { l := d.lines(); return l[0] + " | " + l[1] }

func (d *desk) wants(t testing.TB, what, echo string) {
	t.Helper()
	if d.echo() != echo {
		t.Errorf("%s: %q, want %q", what, d.echo(), echo)
	}
}

// card is a question of a card, stick one of a USB stick.
func card(number string) transfer.Question {
	return transfer.Question{Table: number, Unit: "old", Card: true, LastHand: time.Date(2026, 11, 30, 5, 6, 0, 0, time.UTC), Shoe: 3, Hands: 51}
}

func stick(number string) transfer.Question {
	return transfer.Question{Table: number, Unit: "gone"}
}

var layouts = []string{"numpad-17", "matrix-4x5"}

// The state table: in each state each key acts as it says there, and every other is refused
// with the reason.
func TestEachKeyInEachState(t *testing.T) {
	const first, again = "ANSWER FIRST | OK=YES  CLEAR=NO", "NOT TAKEN OVER | FLOOR=ASK AGAIN"
	for _, c := range []struct {
		name   string
		into   string // the keys that lead there
		tables []transfer.Question
		ok     string
		clear  string
		floor  string
		others string
	}{
		{"asking", "", []transfer.Question{card("14")}, "TAKE OVER TABLE 14? | WORKING", again, first, first},
		{"asking of the stick", "", []transfer.Question{stick("7")}, "TAKE OVER TABLE 7? | WORKING", "NOT TAKEN OVER | STARTS AS ITSELF", first, first},
		{"more tables", "", []transfer.Question{stick("14"), stick("15")}, "TAKE OVER TABLE 14? | WORKING", "TAKE OVER TABLE 15? | OK=YES  CLEAR=NO", first, first},
		{"working", "OK", []transfer.Question{card("14")}, "WORKING | PLEASE WAIT", "WORKING | PLEASE WAIT", "WORKING | PLEASE WAIT", "WORKING | PLEASE WAIT"},
		{"closed", "CLEAR", []transfer.Question{card("14")}, again, again, "TAKE OVER TABLE 14? | OK=YES  CLEAR=NO", again},
	} {
		for _, layout := range layouts {
			want := map[string]string{"OK": c.ok, "CLEAR": c.clear, "FLOOR": c.floor}
			for _, key := range []string{"OK", "CLEAR", "FLOOR", "BANKER", "TIE", "0", "9", "FREE", "VOID", "NEW_SHOE", "CUT", "REVIEW", "PL_DEALER"} {
				d := ask(t, layout, c.tables...).wait(time.Second)
				for _, k := range strings.Fields(c.into) {
					d.tap(k).wait(3 * time.Second)
				}
				d.tap(key)
				text, acts := want[key]
				if !acts {
					text = c.others
				}
				d.wants(t, layout+", "+c.name+", "+key, text)
				refused := text == first || strings.HasPrefix(text, "WORKING") || text == again && c.name == "closed"
				if d.tone != map[bool]console.Tone{true: console.Refused, false: console.Ack}[refused] {
					t.Errorf("%s, %s: tone %v", c.name, key, d.tone)
				}
			}
		}
	}
}

// The whole way of a yes: not before the question was readable, a failure that leaves it,
// and a table that is taken.
func TestYes(t *testing.T) {
	for _, layout := range layouts {
		d := ask(t, layout, card("14"))
		if d.wait(500 * ms).tap("OK"); d.yes != 0 || d.tone != console.Refused {
			t.Error("an OK that came too soon took the table over")
		}
		if d.wait(500 * ms).tap("OK"); d.yes != 0 {
			t.Error("a second OK that came too soon took the table over")
		}
		d.wait(time.Second).tap("OK")
		d.finish(d.now, errors.New("The record cannot be read"))
		d.wants(t, "failed", "The record cannot be | read")
		if m := d.page(); !m.Failed || !m.Asking || m.Lines[0] != "The record cannot be read" {
			t.Errorf("%+v", m)
		}
		d.wait(time.Second).tap("OK")
		d.finish(d.now, nil)
		d.wants(t, "taken", "TABLE 14 TAKEN | STARTS AGAIN")
		if m := d.page(); m.Title != "TABLE 14 TAKEN OVER" || m.Asking || m.Failed || d.yes != 2 {
			t.Errorf("%+v, %d take-overs", m, d.yes)
		}
	}
}

// The page says whose record it is, of when, and how many tables are left; after a no to a
// card what to do.
func TestPage(t *testing.T) {
	d := ask(t, "numpad-17", stick("15"), card("14")).wait(time.Second)
	if m := d.page(); m.Title != "TAKE OVER TABLE 15?" || !m.Asking || m.Hint != "OK = YES     CLEAR = NEXT TABLE, 1 MORE" ||
		!slices.Equal(m.Lines, []string{"The stick has the record of unit gone.", "No hand is in it.", "This unit is spare.", "YES only if that unit is out of use."}) {
		t.Errorf("%+v", m)
	}
	d.wants(t, "two tables", "TAKE OVER TABLE 15? | OK=YES  CLEAR=NEXT")
	d.tap("CLEAR").wait(time.Second).tap("TIE")
	if m := d.page(); m.Lines[0] != "The card in this unit is that of unit old." || m.Lines[1] != "Last hand: 2026-11-30 05:06, shoe 3, hand 51" || m.Refused != "ANSWER FIRST  OK=YES  CLEAR=NO" {
		t.Errorf("%+v", m)
	}
	d.wait(3 * time.Second).tap("CLEAR")
	if m := d.page(); m.Title != "TABLE 14 NOT TAKEN OVER" || m.Hint != "FLOOR = ASK AGAIN" || !strings.Contains(strings.Join(m.Lines, " "), "Nothing is recorded") {
		t.Errorf("%+v", m)
	}
}

// Two keys at once count for nothing; a key that hangs does not keep others from counting.
func TestOneKeyAtATime(t *testing.T) {
	d := ask(t, "numpad-17", card("14")).wait(time.Second)
	d.move("CLEAR", true)
	d.wait(30*ms).move("OK", true)
	d.wants(t, "together", "ONE KEY AT A TIME | CLEAR IS DOWN")
	d.move("OK", false)
	d.move("CLEAR", false)
	if d.state != asking || d.yes != 0 {
		t.Error("one of two keys counted")
	}
	d.wait(3*time.Second).move("BANKER", true)
	d.wait(16 * time.Second).tap("OK")
	if d.yes != 1 {
		t.Errorf("beside a stuck key: %s", d.echo())
	}
	d = ask(t, "numpad-17", card("14")).wait(time.Second)
	d.move("CLEAR", true)
	d.wants(t, "before it is let go", "TAKE OVER TABLE 14? | OK=YES  CLEAR=NO")
	d.wait(time.Second).move("CLEAR", false)
	d.wants(t, "let go", "NOT TAKEN OVER | FLOOR=ASK AGAIN")
	d.move("OK", true)
	d.keys.forget("pad")
	if len(d.keys) != 0 {
		t.Error("a keypad that went holds keys")
	}
}

// Anything pressed at any time: a table is taken over by an OK alone that came after the
// question was readable, and the echo always says something that fits.
func TestAnythingPressed(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		d := ask(t, rapid.SampledFrom(layouts).Draw(r, "layout"), card("14"), stick("1234"))
		names := []string{"OK", "CLEAR", "FLOOR", "BANKER", "0", "VOID", "NEW_SHOE"}
		for range rapid.IntRange(1, 40).Draw(r, "steps") {
			key, down := rapid.SampledFrom(names).Draw(r, "key"), rapid.Bool().Draw(r, "down")
			shown, yes, was := d.shown, d.yes, d.state
			d.move(key, down)
			if d.yes > yes && (key != "OK" || was != asking || d.now-shown < standsFor) {
				r.Fatalf("%s took the table over, %v after the question", key, d.now-shown)
			}
			if d.state == working && rapid.Bool().Draw(r, "fails") {
				d.finish(d.now, errors.New(rapid.String().Draw(r, "why")))
			}
			for i, line := range d.lines() {
				if len(line) > console.Width || i == 0 && line == "" && !d.failed {
					r.Fatalf("the echo shows %q", d.lines())
				}
			}
			if m := d.page(); len(m.Lines) > menu.PageLines || slices.ContainsFunc(m.Lines, func(l string) bool { return len(l) > menu.PageWidth }) {
				r.Fatalf("the page shows %q", m.Lines)
			}
			d.wait(time.Duration(rapid.IntRange(10, 2000).Draw(r, "ms")) * ms)
		}
	})
}
