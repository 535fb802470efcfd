package table_test

import (
	"os"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"shoeboard/stats"
	"shoeboard/tracker"
	"shoeboard/tracker/console"
	"shoeboard/tracker/table"
)

// The state table of the keying grammar stands in testdata/state-table.md in the
// words of the grammar itself. This test drives a table into every state by real
// presses, presses every key there, in both games, on both keypads and in all three
// modes, and looks at what can be seen from outside: the state, the record, the
// echo, the tone. It knows nothing of the table inside the console.

// grammarTable reads the table: what a state's row says of a column.
func grammarTable(t *testing.T) (states, columns []string, cells map[[2]string]string) {
	t.Helper()
	text, err := os.ReadFile("testdata/state-table.md")
	if err != nil {
		t.Fatal(err)
	}
	cells = map[[2]string]string{}
	for i, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		words := strings.Split(strings.Trim(line, "|"), "|")
		for k := range words {
			words[k] = strings.TrimSpace(words[k])
		}
		switch {
		case i == 0:
			columns = words[1:]
		case i > 1:
			states = append(states, words[0])
			for k, col := range columns {
				cells[[2]string{words[0], col}] = words[k+1]
			}
		}
	}
	return states, columns, cells
}

// way is one way into a state of the table.
type way struct {
	state string
	name  string
	play  func(r *rig)
	only  string // this game only
}

// afterDoubles is when a result is no slip any more, counted from play's end.
const afterDoubles = 11500 * time.Millisecond

// twoHands is an open table with two hands, the last one old enough for no
// question, the bets neither open nor closed. They are played once for a scene.
func twoHands(r *rig) {
	if was, ok := played.Load(r.scene); ok {
		p := was.(*rig)
		r.now, r.disk, r.scratch = p.now, slices.Clone(p.disk), nil
		r.boot(p.state())
		return
	}
	r.play("BANKER OK").wait(afterDoubles)
	r.play("PLAYER OK").wait(afterDoubles)
	kept := *r
	played.Store(r.scene, &kept)
	r.boot(r.state())
}

var played sync.Map

// open opens bets; with bets off they are open only where the settings changed meanwhile.
func open(r *rig) {
	if r.state().Settings.Bets == tracker.BetsOff {
		r.engine.Request(r.now, "test", tracker.Command{Kind: tracker.BetsOpened, Seconds: r.state().Settings.Reopen})
		r.settle()
		r.wait(2 * time.Second)
		r.tone = console.Ack // as after a key
		return
	}
	r.play("BETS").wait(2 * time.Second)
}

func closed(r *rig) {
	open(r)
	r.play("BETS").wait(2 * time.Second)
}

// ways are all ways into the states, by real presses from an open table.
func ways() []way {
	then := func(keys string, more ...func(*rig)) func(*rig) {
		return func(r *rig) {
			twoHands(r)
			for _, f := range more {
				f(r)
			}
			r.play(keys)
		}
	}
	long := func(r *rig) { closed(r); r.wait(16 * time.Second) }
	slow := func(r *rig) { r.slow = time.Hour }
	over := func(r *rig) { r.play("CUT CUT TIE OK").wait(afterDoubles) }
	return []way{
		{"table closed", "", then("NEW_SHOE OK NEW_SHOE OK"), ""},
		{"shuffling", "", then("NEW_SHOE OK"), ""},
		{"betting", "", then("", open), ""},
		{"bets closed, 15 s or less", "", then("", closed), ""},
		{"bets closed, longer", "", then("", long), ""},
		{"result", "", then(""), ""},
		{"result", "shoe over", then("", over), ""},
		{"paused", "result behind", then("PAUSE"), ""},
		{"paused", "betting behind", then("PAUSE", open), ""},
		{"paused", "closed behind", then("PAUSE", closed), ""},
		{"NO RESULT", "", then("BETS", long), ""},
		{"modifiers only", "pair", then("pair"), ""},
		{"modifiers only", "kill", then("kill"), "dai-bacc"},
		{"modifiers only", "betting", then("pair", open), ""},
		{"proposal", "", then("PLAYER"), ""},
		{"proposal", "betting", then("PLAYER", open), ""},
		{"proposal", "kill", then("TIE kill"), "dai-bacc"},
		{"SAME?", "", then("PLAYER OK PLAYER OK"), ""},
		{"REPLACE?", "", then("PLAYER OK BANKER OK"), ""},
		{"SHOE OVER?", "", then("PLAYER OK", over), ""},
		{"SHOE SAYS?", "", func(r *rig) { then("PLAYER")(r); r.reads("2S,KH/9D,KC"); r.pass(700 * time.Millisecond) }, ""},
		{"SHOE SAYS?", "betting", func(r *rig) { then("PLAYER", open)(r); r.reads("2S,KH/9D,KC"); r.pass(700 * time.Millisecond) }, ""},
		{"VOID?", "", then("VOID"), ""},
		{"VOID?", "betting", then("VOID", open), ""},
		{"NEW SHOE? CLOSE? (OPEN?)", "new shoe", then("NEW_SHOE"), ""},
		{"NEW SHOE? CLOSE? (OPEN?)", "close", then("NEW_SHOE OK NEW_SHOE"), ""},
		{"GOES ON?", "goes on", then("NEW_SHOE OK FIX"), ""},
		{"NEW SHOE? CLOSE? (OPEN?)", "open", then("NEW_SHOE OK NEW_SHOE OK NEW_SHOE"), ""},
		{"fix", "", then("FIX"), ""},
		{"fix, keyed", "", then("FIX BANKER"), ""},
		{"fix, keyed", "free", then("FIX FREE"), ""},
		{"fix, keyed", "kill", then("FIX kill"), "dai-bacc"},
		{"REMOVE?", "", then("FIX VOID"), ""},
		{"REMOVE?", "of a keyed one", then("FIX TIE VOID"), ""},
		{"fix lapsed", "", func(r *rig) { then("FIX")(r); r.pass(30 * time.Second) }, ""},
		{"fix lapsed", "let go too soon", func(r *rig) { then("")(r); r.held("CLEAR", 700*ms); r.pass(3 * time.Second) }, ""},
		{"fix lapsed", "stepped too far", func(r *rig) { then("FIX FIX FIX")(r); r.pass(3 * time.Second) }, ""},
		{"MENU", "", then("NEW_SHOE OK NEW_SHOE OK FLOOR"), ""},
		{"SAVING", "", then("BANKER OK", slow), ""},
		{"SAVING", "with the next", then("BANKER OK PLAYER", slow), ""},
	}
}

// notBuilt are the rows whose place is left: FLOOR asks for a PIN once there are any.
var notBuilt = map[string]string{"PIN": "ONLY ON CLOSED TABLE"}

func TestEveryRowHasAWay(t *testing.T) {
	states, _, _ := grammarTable(t)
	have := map[string]bool{}
	for _, w := range ways() {
		have[w.state] = true
	}
	for _, s := range states {
		if _, later := notBuilt[s]; have[s] == later {
			t.Errorf("state %q: a way in %v, left for later %v", s, have[s], later)
		}
	}
	if want := len(states) - len(notBuilt); len(have) != want {
		t.Errorf("ways lead to %d states, the table has %d", len(have), want)
	}
}

// keysOf are the keys of a column on a rig's keypad.
func keysOf(column string, r *rig) []string {
	named := map[string][]string{
		"result key": {"BANKER", "PLAYER", "TIE", "BANKER_NATURAL", "PLAYER_NATURAL", "BOTH_NATURAL", "dragon-7", "panda-8", "tiger-7", "ox-6"},
		"KILL, pair": {"kill", "PAIR", "BANKER_PAIR", "PLAYER_PAIR"},
		"FREE":       {"FREE"}, "OK": {"OK"}, "CLEAR": {"CLEAR"}, "CLEAR hold": {"FIX"}, "BETS 0": {"BETS"}, "PAUSE": {"PAUSE"},
		"VOID": {"VOID"}, "CUT": {"CUT"}, "NEW SHOE": {"NEW_SHOE"}, "FLOOR": {"FLOOR"}, "PL-D": {"PL_DEALER"},
		"30 s": {"30 s"}, "restart": {"restart", "restart, another boot"},
	}
	var keys []string
	for _, k := range named[column] {
		if strings.HasPrefix(k, "restart") || k == "30 s" || r.has(k) {
			keys = append(keys, k)
		}
	}
	return keys
}

// scenes are both games, both keypads and all three modes.
func scenes() []scene {
	var all []scene
	layouts, modes := console.Layouts(), []tracker.BetsMode{tracker.BetsOff, tracker.BetsClose, tracker.BetsTimer}
	if !table.AllWalks() {
		layouts, modes = []string{usual().layout}, []tracker.BetsMode{usual().bets}
	}
	for _, g := range []string{"ez-baccarat-panda-8", "dai-bacc"} {
		for _, l := range layouts {
			for _, b := range modes {
				all = append(all, scene{game: g, layout: l, bets: b, confirm: true, pairs: true, fixes: 2})
			}
		}
	}
	return all
}

func TestStateTable(t *testing.T) {
	_, columns, cells := grammarTable(t)
	tried := map[string]int{}
	for _, s := range scenes() {
		t.Run(s.String(), func(t *testing.T) {
			for _, w := range ways() {
				if w.only != "" && w.only != s.game {
					continue
				}
				for _, col := range columns {
					for _, key := range keysOf(col, sit(t, s)) {
						c := enter(t, s, w, col, key)
						c.cell(cells[[2]string{w.state, col}], cells)
						tried[w.state+" x "+col]++
						if t.Failed() {
							t.Fatalf("%s (%s) x %s (%s), bets %s: the grammar says %q", w.state, w.name, col, key, s.bets,
								cells[[2]string{w.state, col}])
						}
					}
				}
			}
		})
	}
	if want := 23 * 15; len(tried) != want {
		t.Errorf("%d cells of the table were tried, want %d", len(tried), want)
	}
}

// moment is what can be seen at one time.
type moment struct {
	state    tracker.State
	echo     stats.Dealer
	proposed string
	records_ int
}

func (r *rig) moment() moment {
	return moment{r.state(), r.echo(), r.proposed(), len(r.disk)}
}

// check is one key pressed in one state, with what was before and after.
type check struct {
	*rig
	way  way
	col  string
	key  string
	was  moment
	is   moment
	bets tracker.BetsMode
}

// enter drives into a state and presses the key.
func enter(t tb, s scene, w way, col, key string) *check {
	t.Helper()
	r := sit(t, s)
	w.play(r)
	if !strings.Contains(w.name, "next") && w.state != "SAVING" {
		r.pass(100 * time.Millisecond)
	}
	c := &check{rig: r, way: w, col: col, key: key, was: r.moment(), bets: s.bets}
	switch key {
	case "30 s":
		r.pass(30*time.Second + time.Millisecond)
	case "restart":
		r.restart(false, true)
	case "restart, another boot":
		r.restart(false, false)
	default:
		r.press(key)
	}
	c.is = r.moment()
	return c
}

// nothing fails unless nothing of the table changed and what is pending is as it was.
func (c *check) nothing() {
	c.t.Helper()
	if !reflect.DeepEqual(c.was.state, c.is.state) || c.was.records_ != c.is.records_ {
		c.t.Errorf("the state changed: %+v to %+v", short(c.was.state), short(c.is.state))
	}
	if c.was.proposed != c.is.proposed || c.was.echo.Entering != c.is.echo.Entering || c.was.echo.Asking != c.is.echo.Asking {
		c.t.Errorf("what is pending changed: %q %+v to %q %+v", c.was.proposed, c.was.echo, c.is.proposed, c.is.echo)
	}
}

// refused fails unless the press was refused with its reason, in its own tone.
func (c *check) refused(reasons ...string) {
	c.t.Helper()
	c.nothing()
	if c.tone != console.Refused || !c.is.echo.Refused {
		c.t.Errorf("not refused: tone %d, echo %+v", c.tone, c.is.echo)
	}
	for _, reason := range reasons {
		if !strings.Contains(c.line(), reason) {
			c.t.Errorf("the reason %q is missing: %q", reason, c.line())
		}
	}
}

// acked fails unless the press was heard to act.
func (c *check) acked() {
	c.t.Helper()
	if c.tone != console.Ack || c.is.echo.Refused {
		c.t.Errorf("did not act: tone %d, echo %+v", c.tone, c.is.echo)
	}
}

// pending fails unless this is being keyed, under this number, and nothing was recorded.
func (c *check) pending(token string, n int) {
	c.t.Helper()
	c.kept()
	c.wants("proposed", c.is.proposed, token)
	if !c.is.echo.Entering || c.is.echo.Asking {
		c.t.Errorf("not a proposal: %+v", c.is.echo)
	}
	if want := itoa(n) + "? "; !strings.HasPrefix(token, "-") && !strings.HasPrefix(c.is.echo.Lines[0], want) {
		c.t.Errorf("the echo does not begin with %q: %q", want, c.is.echo.Lines[0])
	}
	if strings.HasPrefix(token, "-") && !strings.Contains(c.is.echo.Lines[0], "WHO WON?") {
		c.t.Errorf("the echo does not ask for the result: %q", c.is.echo.Lines[0])
	}
}

// kept fails if the record changed.
func (c *check) kept() {
	c.t.Helper()
	if c.was.records_ != c.is.records_ || !reflect.DeepEqual(c.was.state, c.is.state) {
		c.t.Errorf("something was recorded: %+v to %+v", short(c.was.state), short(c.is.state))
	}
}

// asks fails unless a question stands with these words.
func (c *check) asks(words ...string) {
	c.t.Helper()
	c.kept()
	c.acked()
	if !c.is.echo.Asking {
		c.t.Errorf("no question: %+v", c.is.echo)
	}
	for _, w := range words {
		if !strings.Contains(c.line(), w) {
			c.t.Errorf("the question lacks %q: %q", w, c.line())
		}
	}
}

// free fails unless nothing is pending.
func (c *check) free() {
	c.t.Helper()
	if c.is.echo.Entering || c.is.echo.Asking || c.is.proposed != "" {
		c.t.Errorf("still pending: %q, %+v", c.is.proposed, c.is.echo)
	}
}

// number is that of the hand being keyed.
func (c *check) number() int { return len(c.was.state.Shoe.Hands) + 1 }

// short is what matters of a state, for messages.
func short(s tracker.State) map[string]any {
	return map[string]any{"phase": s.Phase.String(), "behind": s.Behind.String(), "hands": len(s.Shoe.Hands), "free": s.Free, "void": s.Void,
		"last": s.Shoe.Last, "shoe": s.Shoe.Number, "seconds": s.BetSeconds, "seq": s.Seq, "fixes": s.Shoe.Fixes}
}
