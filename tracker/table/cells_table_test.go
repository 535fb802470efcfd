package table_test

import (
	"strings"
	"time"

	"shoeboard/tracker"
)

// What the words of the state table mean for bets, shoes, fixes and restarts.

func (c *check) asksNewShoe() {
	c.t.Helper()
	n := len(c.was.state.Shoe.Hands)
	if strings.HasPrefix(c.way.state, "bets closed") || c.way.state == "NO RESULT" || c.way.name == "closed behind" {
		c.asks("HAND "+itoa(n+1)+" NO RESULT", "OK=NEW SHOE CLEAR=NO")
		return
	}
	c.asks("NEW SHOE? "+itoa(n)+" HANDS", "OK=YES  CLEAR=NO")
}

// isNoResult: the question, and that nothing opens by itself after its answer.
func (c *check) isNoResult() {
	c.t.Helper()
	c.asks("HAND 3 NO RESULT", "KEY IT, FREE OR VOID")
	c.pass(time.Second)
	c.play("TIE OK").wait(time.Minute)
	c.wants("after the answer", c.state().Phase.String(), "result")
}

func (c *check) opensFromShuffling() {
	c.t.Helper()
	if c.bets == tracker.BetsOff {
		c.wants("phase", c.is.state.Phase.String(), "result")
		if len(c.is.state.Shoe.Hands) != 0 || c.is.state.Finished != nil {
			c.t.Error("the bar is not empty")
		}
		return
	}
	c.opens()
}

func (c *check) opens() {
	c.t.Helper()
	c.acked()
	seconds := map[tracker.BetsMode]int{tracker.BetsTimer: 20}[c.bets]
	if c.is.state.Phase != tracker.Betting || c.is.state.BetSeconds != seconds {
		c.t.Errorf("bets did not open for %d s: %+v", seconds, short(c.is.state))
	}
}

func (c *check) opensFromResult() {
	c.t.Helper()
	c.free()
	switch {
	case c.bets == tracker.BetsOff:
		c.kept()
		if !c.is.echo.Refused || !strings.Contains(c.line(), "BETS NOT IN USE") {
			c.t.Errorf("not refused: %q", c.line())
		}
	case c.way.name == "shoe over":
		c.refused("SHOE OVER, 3 HANDS")
		c.pass(time.Second)
		c.press("BETS")
		c.is = c.moment()
		c.opens()
	default:
		c.opens()
	}
}

// isBetsClosed: BETS, CLEAR or 30 s lead to closed bets with nothing pending.
func (c *check) isBetsClosed() {
	c.t.Helper()
	c.free()
	c.wants("phase", c.is.state.Phase.String(), "bets-closed")
}

// closesOnly: BETS over something pending closes open bets and opens none.
func (c *check) closesOnly() {
	c.t.Helper()
	if c.was.state.Phase != tracker.Betting {
		c.isRefused()
		return
	}
	c.acked()
	c.wants("phase", c.is.state.Phase.String(), "bets-closed")
	if c.was.proposed != c.is.proposed || c.was.echo.Asking != c.is.echo.Asking || c.is.records(c) != 1 {
		c.t.Errorf("closing changed what is pending: %q %+v to %q %+v", c.was.proposed, c.was.echo, c.is.proposed, c.is.echo)
	}
}

func (m moment) records(c *check) int { return m.records_ - c.was.records_ }

func (c *check) reopens() {
	c.t.Helper()
	c.acked()
	c.free()
	if c.is.state.Phase != tracker.Betting || c.is.state.BetSeconds != 10 {
		c.t.Errorf("not open for 10 s: %+v", short(c.is.state))
	}
	c.pass(11 * time.Second)
	c.wants("after 10 s", c.state().Phase.String(), "bets-closed")
}

func (c *check) pauses() {
	c.t.Helper()
	c.acked()
	c.free()
	if c.is.state.Phase != tracker.Paused || c.is.state.Behind != c.was.state.Phase {
		c.t.Errorf("not paused: %+v", short(c.is.state))
	}
	c.pass(time.Hour)
	c.wants("after an hour", c.state().Phase.String(), "paused")
}

func (c *check) returns() {
	c.t.Helper()
	c.acked()
	if c.is.state.Phase != c.was.state.Behind || c.is.state.BetSeconds != c.was.state.BetSeconds {
		c.t.Errorf("not the phase behind: %+v to %+v", short(c.was.state), short(c.is.state))
	}
	c.pass(time.Hour)
	if s := c.state(); s.Phase == tracker.Betting && c.was.state.Behind != tracker.Betting {
		c.t.Error("after a pause something opened by itself")
	}
}

func (c *check) cuts() {
	c.t.Helper()
	if c.way.state == "SAVING" {
		c.pass(2 * time.Hour)
		c.is = c.moment()
		c.wants("cut after saving", itoa(c.is.state.Shoe.Last), itoa(c.number()+2))
		return
	}
	c.acked()
	if want := c.number() + 1; c.is.state.Shoe.Last != want {
		c.t.Errorf("last hand %d, want %d", c.is.state.Shoe.Last, want)
	}
	c.wants("echo", c.line(), "LAST IS HAND "+itoa(c.number()+1)+" | TAP AGAIN=HAND "+itoa(c.number()))
	if c.was.proposed != c.is.proposed {
		c.t.Errorf("what was keyed changed: %q to %q", c.was.proposed, c.is.proposed)
	}
}

// records fails unless exactly this was recorded as the last of n hands.
func (c *check) records(token string, n int) {
	c.t.Helper()
	c.free()
	if got := len(c.is.state.Shoe.Hands); got != n {
		c.t.Errorf("%d hands, want %d", got, n)
	}
	words := strings.Fields(c.list())
	c.wants("last hand", words[len(words)-1], token)
	c.wants("phase", c.is.state.Phase.String(), "result")
}

func (c *check) replaced() {
	c.t.Helper()
	c.free()
	c.wants("hands", c.list(), "B P B")
	if len(c.is.state.Corrected) != 1 || c.is.state.Shoe.Fixes != 0 {
		c.t.Errorf("marked %v, %d fixes", c.is.state.Corrected, c.is.state.Shoe.Fixes)
	}
}

// isNew: 0 made it a new hand, and OK after 0.7 s saves it without asking.
func (c *check) isNew() {
	c.t.Helper()
	if c.way.name == "free" { // the FREE that was keyed goes with it
		c.wants("free hand", c.is.proposed, "P")
		c.pass(time.Second)
		c.play("OK")
		c.wants("hands", c.list(), "B P P+free")
		return
	}
	c.pending(c.was.proposed, c.number())
	c.press("OK")
	if len(c.state().Shoe.Hands) != len(c.was.state.Shoe.Hands) {
		c.t.Error("OK was too soon and saved")
	}
	c.pass(time.Second)
	c.press("OK")
	c.is = c.moment()
	c.records(c.was.proposed, c.number())
}

func (c *check) startsShoe() {
	c.t.Helper()
	c.records("P", 1)
	if c.is.state.Shoe.Number != c.was.state.Shoe.Number+1 || c.is.state.Previous == nil || len(c.is.state.Previous.Hands) != 3 {
		c.t.Errorf("no new shoe: %+v", short(c.is.state))
	}
}

func (c *check) voids() {
	c.t.Helper()
	c.free()
	if c.is.state.Void != "misdeal" || c.is.state.Phase != tracker.Result || len(c.is.state.Shoe.Hands) != 2 || c.is.state.Shoe.Voids != 1 {
		c.t.Errorf("not void: %+v", short(c.is.state))
	}
}

func (c *check) doesIt() {
	c.t.Helper()
	c.free()
	s := c.is.state
	want := map[string]string{"new shoe": "shuffling 2 0", "close": "table-closed 2 0", "goes on": "result 1 2", "open": "shuffling 2 0"}[c.way.name]
	c.wants(c.way.name, s.Phase.String()+" "+itoa(s.Shoe.Number)+" "+itoa(len(s.Shoe.Hands)), want)
}

// drops: by CLEAR, by time, by a restart.
func (c *check) drops() {
	c.t.Helper()
	c.free()
	if c.way.state == "VOID?" && c.way.name == "betting" && (c.col == "30 s" || c.col == "restart") {
		return // the countdown went on
	}
	if len(c.was.state.Shoe.Hands) != len(c.is.state.Shoe.Hands) || c.was.state.Void != c.is.state.Void {
		c.t.Errorf("dropped, but: %+v to %+v", short(c.was.state), short(c.is.state))
	}
	if c.was.proposed != "" && strings.HasPrefix(c.col, "CLEAR") {
		c.kept()
		c.wants("echo", c.line(), itoa(c.number())+" DROPPED, | NOT SAVED")
	}
}

func (c *check) dropsNext() {
	c.t.Helper()
	if c.was.proposed == "" {
		c.refused("SAVING 3")
		return
	}
	c.kept()
	c.free()
	c.wants("echo", c.line(), "4 DROPPED, | NOT SAVED")
}

func (c *check) isFixOpen() {
	c.t.Helper()
	n := len(c.was.state.Shoe.Hands)
	c.kept()
	c.acked()
	if !c.is.echo.Entering || c.is.echo.Asking {
		c.t.Errorf("no fix: %+v", c.is.echo)
	}
	c.wants("echo", c.line(), "FIX "+itoa(n)+": WAS "+map[int]string{2: "PLAYER", 3: "TIE"}[n]+" | KEY RIGHT ONE, OK")
}

// stepsBack: one hand back, as far as a dealer may; then to the floor. This fix is
// of the last but one, and dealer_fix is 2.
func (c *check) stepsBack() {
	c.t.Helper()
	c.wants("hands", c.list(), "B P")
	c.wants("echo", c.line(), "FIX 1: WAS BANKER | KEY RIGHT ONE, OK")
	c.press("FIX")
	if !c.echo().Refused || c.echo().Entering || c.line() != "NO HAND TO FIX" {
		c.t.Errorf("stepped back past the first hand: %q", c.line())
	}
	c.is = c.moment()
	c.isLapsed()
}

// isFixOpenAgain: what has lapsed opens again, but for what was refused.
func (c *check) isFixOpenAgain() {
	c.t.Helper()
	if c.way.name != "stepped too far" {
		c.isFixOpen()
		return
	}
	c.refused("NO HAND TO FIX")
	c.isLapsed()
}

func (c *check) fixesIt() {
	c.t.Helper()
	c.free()
	want := map[string]string{"": "B B", "free": "B P+free", "kill": "B P+kill"}[c.way.name]
	c.wants("hands", c.list(), want)
	records := 1
	if c.col == "restart" && c.is.state.Phase == tracker.Betting {
		records = 2 // the bets were to open by themselves while the program was not there
	}
	if h := c.is.state.Shoe.Hands[1]; !h.Fixed || c.is.state.Shoe.Fixes != 1 || c.is.records(c) != records {
		c.t.Errorf("not a fix: %+v", short(c.is.state))
	}
}

func (c *check) removes() {
	c.t.Helper()
	c.free()
	c.wants("hands", c.list(), "B")
}

// isLapsed: the next result only says so, then keys act as ever.
func (c *check) isLapsed() {
	c.t.Helper()
	c.free()
	said := "FIX ENDED, NO CHANGE"
	if len(c.was.state.Shoe.Hands) > 0 {
		said += " | LAST 2 PLAYER"
	}
	c.press("TIE")
	c.wants("echo", c.line(), said)
	c.wants("proposed", c.proposed(), "")
	c.press("BANKER")
	c.wants("nor by a second key", c.proposed(), "")
	c.pass(3 * time.Second)
	c.press("TIE")
	c.wants("proposed", c.proposed(), "T")
}

// isSame: after a restart the table stands as it did; VOID in REMOVE? changes nothing.
func (c *check) isSame() {
	c.t.Helper()
	if c.col == "VOID" {
		c.kept()
		if !c.is.echo.Asking {
			c.t.Errorf("no question: %+v", c.is.echo)
		}
		return
	}
	c.free()
	if c.was.records_ != c.is.records_ || c.was.state.Phase != c.is.state.Phase || c.was.state.Behind != c.is.state.Behind {
		c.t.Errorf("not the same: %+v to %+v", short(c.was.state), short(c.is.state))
	}
}

func (c *check) isFixUnfinished() {
	c.t.Helper()
	c.kept()
	c.wants("keyed", c.is.proposed, c.was.proposed)
	if !strings.HasPrefix(c.is.echo.Lines[0], "2 ") || !strings.Contains(c.line(), "UNFINISHED") {
		c.t.Errorf("not the fix: %q", c.line())
	}
	c.pass(time.Second)
	c.press("OK")
	c.is = c.moment()
	c.fixesIt()
}

// isTimedClosed: a countdown does not go on; bets without one do.
func (c *check) isTimedClosed() {
	c.t.Helper()
	want := "bets-closed"
	if c.was.state.BetSeconds == 0 {
		want = "betting"
	}
	c.wants("phase", c.is.state.Phase.String(), want)
}

func (c *check) isNotSaved() {
	c.t.Helper()
	c.free()
	if len(c.was.state.Shoe.Hands) != len(c.is.state.Shoe.Hands) {
		c.t.Errorf("hands: %q", c.list())
	}
	c.wants("echo", c.line(), "NOT SAVED: KEY AGAIN")
	c.press("TIE")
	c.wants("the next key also acts", c.proposed(), "T")
}

// isUnfinished: what was keyed comes back with its 30 s anew; so does a question,
// as its proposal.
func (c *check) isUnfinished() {
	c.t.Helper()
	c.isUnfinishedNow()
	c.pass(29 * time.Second)
	c.wants("after 29 s", c.proposed(), c.was.proposed)
	c.pass(2 * time.Second)
	c.wants("after 31 s", c.proposed(), "")
}

func (c *check) isUnfinishedNow() {
	c.t.Helper()
	c.wants("proposed", c.is.proposed, c.was.proposed)
	if !c.is.echo.Entering || c.is.echo.Asking || !strings.Contains(c.line(), "UNFINISHED") {
		c.t.Errorf("not unfinished: %+v", c.is.echo)
	}
	if len(c.was.state.Shoe.Hands) != len(c.is.state.Shoe.Hands) {
		c.t.Errorf("hands: %q", c.list())
	}
}

// isSavedOrUnfinished: the record on its way did not land here: its hand comes back.
// Where it landed, what was keyed after it does.
func (c *check) isSavedOrUnfinished() {
	c.t.Helper()
	c.wants("not landed", c.is.proposed, "B")
	if len(c.is.state.Shoe.Hands) != 2 || !strings.HasPrefix(c.line(), "3? BANKER | UNFINISHED") {
		c.t.Errorf("not landed: %q, hands %q", c.line(), c.list())
	}
	again := sit(c.t, c.scene)
	c.way.play(again)
	next := again.proposed()
	again.restart(true, c.key == "restart")
	again.wants("landed", again.list(), "B P B")
	again.wants("landed, what was keyed after it", again.proposed(), next)
}
