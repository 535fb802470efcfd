package table_test

import (
	"strconv"
	"strings"
	"time"

	"shoeboard/tracker"
)

func itoa(n int) string { return strconv.Itoa(n) }

// cell checks what a cell of the table says.
func (c *check) cell(word string, cells map[[2]string]string) {
	c.t.Helper()
	switch word {
	case "=":
		c.cell(cells[[2]string{"bets closed, longer", c.col}], cells)
	case "as phase":
		c.cell(cells[[2]string{"result", c.col}], cells)
	case "":
		c.free() // 30 s mean nothing to what is not pending
	default:
		check, known := dictionary()[word]
		if !known {
			c.t.Fatalf("the table has the word %q, which this test does not know", word)
		}
		check(c)
	}
}

// dictionary is what every word of the table means to one who looks on.
func dictionary() map[string]func(*check) {
	return map[string]func(*check){
		"–":          (*check).isRefused,
		"– once":     (*check).isRefusedOnce,
		"– WHO WON?": func(c *check) { c.refused("WHO WON?", "BANKER  TIE  PLAYER") },

		"proposal 1":      func(c *check) { c.pending(keyed("", c.key), 1) },
		"proposal":        (*check).isProposal,
		"proposal (–)":    (*check).isProposalUnlessClosed,
		"replaces":        (*check).replaces,
		"modifier":        func(c *check) { c.pending(toggled("-", c.key), c.number()) },
		"modifier (–)":    (*check).isModifierUnlessClosed,
		"toggle":          (*check).toggles,
		"keyed":           (*check).isKeyed,
		"keyed, from old": func(c *check) { c.isFix(toggled("P", c.key)) },
		"next proposal":   func(c *check) { c.pending(keyed(c.was.proposed, c.key), c.number()+1) },
		"next":            (*check).isNext,

		"flag":             func(c *check) { c.flagged(c.was.state.Phase) },
		"flag, bets close": func(c *check) { c.flagged(tracker.BetsClosed) },
		"flag, proposal":   (*check).isFlagAndProposal,

		"hint":                        (*check).isHint,
		"SHOE GOES ON?":               func(c *check) { c.asks("SHOE 1 GOES ON?", "OK=YES  CLEAR=NO") },
		"VOID?":                       func(c *check) { c.asks("VOID HAND "+itoa(c.number())+"?", "MISDEAL") },
		"next reason":                 func(c *check) { c.asks("VOID HAND", "EXPOSED CARD") },
		"17-key: next reason; else –": (*check).isNextReasonOn17,
		"CLOSE TABLE?":                func(c *check) { c.asks("CLOSE TABLE?", "OK=YES  CLEAR=NO") },
		"OPEN?":                       func(c *check) { c.asks("OPEN TABLE?", "OK=YES  CLEAR=NO") },
		"NEW SHOE?":                   (*check).asksNewShoe,
		"NO RESULT":                   (*check).isNoResult,
		"REMOVE?":                     func(c *check) { c.asks("REMOVE 2 ") },
		"PIN":                         func(c *check) { c.refused(notBuilt["PIN"]) },
		"log":                         func(c *check) { c.refused("PL-DEALER NOT IN USE") },

		"betting (off: bar empty)":          (*check).opensFromShuffling,
		"betting (off –; shoe over – once)": (*check).opensFromResult,
		"bets closed":                       (*check).isBetsClosed,
		"closes, else –":                    (*check).closesOnly,
		"reopen 10 s":                       (*check).reopens,
		"paused":                            (*check).pauses,
		"phase behind":                      (*check).returns,
		"cut":                               (*check).cuts,
		"save or ask":                       func(c *check) { c.records(c.was.proposed, 3) },
		"48 stands":                         func(c *check) { c.kept(); c.free(); c.acked() },
		"replaces 48":                       (*check).replaced,
		"proposal, new":                     (*check).isNew,
		"proposal 83":                       (*check).isNew,
		"proposal 49, new":                  (*check).isNew,
		"the shoe's":                        func(c *check) { c.pending("B+banker-natural", 3) },
		"mine":                              func(c *check) { c.pending(c.was.proposed, 3) },
		"new shoe, hand 1":                  (*check).startsShoe,
		"void":                              (*check).voids,
		"does it":                           (*check).doesIt,
		"drop":                              (*check).drops,
		"drops next":                        (*check).dropsNext,
		"drops next; else –":                (*check).dropsNext,
		"fix":                               (*check).isFixOpen,
		"unchanged, out":                    func(c *check) { c.kept(); c.free(); c.wants("echo", c.is.echo.Lines[0], "2 UNCHANGED") },
		"out":                               func(c *check) { c.kept(); c.free() },
		"out, acts":                         (*check).opensFromResult,
		"one back or floor":                 (*check).stepsBack,
		"fixes":                             (*check).fixesIt,
		"removes":                           (*check).removes,
		"lapsed":                            (*check).isLapsed,
		"gone":                              func(c *check) { c.free(); c.press("TIE"); c.wants("the next key", c.proposed(), "T") },
		"same":                              (*check).isSame,
		"same, UNFINISHED":                  (*check).isFixUnfinished,
		"timer: bets closed":                (*check).isTimedClosed,
		"NOT SAVED":                         (*check).isNotSaved,
		"UNFINISHED":                        (*check).isUnfinished,
		"saved, or UNFINISHED":              (*check).isSavedOrUnfinished,
	}
}

// keyed is what a result key makes of what was keyed before, as a token: KILL and
// pairs stay, but a natural or OX 6 drops KILL.
func keyed(before, key string) string {
	base := map[string]string{"BANKER": "B", "PLAYER": "P", "TIE": "T", "BANKER_NATURAL": "B+banker-natural",
		"PLAYER_NATURAL": "P+player-natural", "BOTH_NATURAL": "T+natural", "dragon-7": "B+dragon-7", "panda-8": "P+panda-8",
		"tiger-7": "B+tiger-7", "ox-6": "P+ox-6"}[key]
	natural := strings.Contains(key, "NATURAL")
	if strings.Contains(before, "+kill") && !natural && key != "ox-6" {
		letter, rest := base[:1], base[1:]
		base = letter + "+kill" + rest
	}
	for _, p := range []string{"+player-pair", "+banker-pair"} {
		if strings.Contains(before, p) {
			base += p
		}
	}
	return base
}

// toggled is what KILL or a pair key makes of what was keyed before.
func toggled(before, key string) string {
	flip := func(token, flag string) string {
		if strings.Contains(token, flag) {
			return strings.Replace(token, flag, "", 1)
		}
		letter, rest := token[:1], token[1:]
		if flag == "+kill" || flag == "+player-pair" && strings.HasPrefix(rest, "+banker-pair") {
			return letter + flag + rest
		}
		return letter + rest + flag
	}
	switch key {
	case "kill":
		return flip(before, "+kill")
	case "PLAYER_PAIR":
		return flip(before, "+player-pair")
	case "PAIR":
		if strings.Contains(before, "+banker-pair") {
			return flip(flip(before, "+banker-pair"), "+player-pair")
		}
	}
	return flip(before, "+banker-pair")
}

// isRefused: refused with the reason that the state has.
func (c *check) isRefused() {
	c.t.Helper()
	n := itoa(c.number())
	switch c.way.state {
	case "table closed":
		c.refused("TABLE CLOSED", "NEW SHOE")
	case "modifiers only", "proposal":
		c.refused("SAVE "+n+" FIRST", "OK=SAVE   CLEAR=DROP")
	case "SAME?", "REPLACE?", "SHOE OVER?", "SHOE SAYS?":
		c.refused("SAVE " + n + " FIRST")
	case "fix", "fix, keyed", "REMOVE?":
		c.refused("FIX 2 FIRST")
	case "SAVING":
		c.refused("SAVING " + n)
	case "NO RESULT":
		c.refused("HAND "+n+" NO RESULT", "KEY IT, FREE OR VOID")
	case "VOID?", "NEW SHOE? CLOSE? GOES ON? (OPEN?)":
		c.refused("ANSWER FIRST")
	case "shuffling", "betting", "bets closed, 15 s or less", "bets closed, longer", "result", "paused":
		c.refused(map[string]string{"OK": "NOTHING TO SAVE", "CUT": "NO HAND DEALT YET", "BETS 0": "BETS NOT IN USE"}[c.col])
	default:
		c.t.Errorf("no reason is known for %q", c.way.state)
	}
}

// isRefusedOnce: FIX WAS LEFT is said once, then keys act as ever.
func (c *check) isRefusedOnce() {
	c.t.Helper()
	c.refused("FIX WAS LEFT", "LAST 2 PLAYER")
	c.pass(3 * time.Second)
	c.press("TIE")
	c.wants("the key after", c.proposed(), "T")
}

func (c *check) isProposal() {
	c.t.Helper()
	if c.col == "restart" { // a question returns as its proposal, and OK asks again
		c.isUnfinishedNow()
		c.pass(time.Second)
		c.press("OK")
		if !c.echo().Asking {
			c.t.Errorf("OK does not ask again: %q, hands %q", c.line(), c.list())
		}
		return
	}
	if c.col == "KILL, pair" { // in a question over a proposal
		c.pending(toggled(c.was.proposed, c.key), c.number())
		return
	}
	c.pending(keyed(c.was.proposed, c.key), c.number())
}

func (c *check) isProposalUnlessClosed() {
	c.t.Helper()
	if c.way.name == "open" {
		c.isRefused()
		return
	}
	c.isProposal()
}

func (c *check) isModifierUnlessClosed() {
	c.t.Helper()
	if c.way.name == "open" {
		c.isRefused()
		return
	}
	c.pending(toggled("-", c.key), c.number())
}

// replaces: the last result key wins.
func (c *check) replaces() {
	c.t.Helper()
	if c.way.state != "fix, keyed" {
		c.pending(keyed(c.was.proposed, c.key), c.number())
		return
	}
	if c.way.name == "free" { // no result is keyed yet: it starts afresh
		c.isFix(keyed("", c.key))
		return
	}
	c.isFix(keyed(c.was.proposed, c.key))
}

// toggles: KILL and pairs go on and off; with nothing left nothing is pending.
func (c *check) toggles() {
	c.t.Helper()
	if c.col == "FREE" {
		c.turnsFree()
		return
	}
	if c.way.state == "fix, keyed" && c.way.name == "free" {
		c.isFix(toggled("P", c.key)) // the free flag was keyed, not the result
		return
	}
	want := toggled(c.was.proposed, c.key)
	switch {
	case c.way.state == "fix, keyed":
		c.isFix(want)
	case want == "-":
		c.kept()
		c.free()
	default:
		c.pending(want, c.number())
	}
}

// turnsFree: FREE in a keyed fix turns the flag of the hand, and leaves the rest.
func (c *check) turnsFree() {
	c.t.Helper()
	c.kept()
	c.acked()
	want := map[string]string{"": "2 P > B FREE? | OK=FIX 2  0=HAND 3", "free": "FIX 2: WAS PLAYER | KEY RIGHT ONE, OK",
		"kill": "2 P > P+KILL FREE? | OK=FIX 2  0=HAND 3"}[c.way.name]
	c.wants("echo", c.line(), want)
}

// isNext composes the next hand while a record is on its way.
func (c *check) isNext() {
	c.t.Helper()
	before := c.was.proposed
	if before == "" {
		before = "-"
	}
	c.pending(toggled(before, c.key), c.number()+1)
}

// isKeyed: a key in an unkeyed fix, FREE turning the flag of the old hand.
func (c *check) isKeyed() {
	c.t.Helper()
	if c.col == "FREE" {
		c.kept()
		c.wants("echo", c.line(), "2 FREE HAND? | OK=FIX 2  0=HAND 3")
		return
	}
	c.isFix(keyed("", c.key))
}

// isFix fails unless this is keyed in the fix of hand 2, which was a Player win.
func (c *check) isFix(token string) {
	c.t.Helper()
	c.kept()
	c.acked()
	c.wants("keyed", c.is.proposed, token)
	if !c.is.echo.Entering || c.is.echo.Asking || !strings.HasPrefix(c.is.echo.Lines[0], "2 ") {
		c.t.Errorf("no fix of hand 2: %+v", c.is.echo)
	}
}

func (c *check) flagged(phase tracker.Phase) {
	c.t.Helper()
	c.acked()
	was := c.was.state
	if phase == tracker.Result || phase == tracker.Betting {
		phase = tracker.BetsClosed // a free hand has no bets
	}
	if !c.is.state.Free || c.is.state.Phase != phase || len(c.is.state.Shoe.Hands) != len(was.Shoe.Hands) {
		c.t.Errorf("free hand: %+v to %+v", short(was), short(c.is.state))
	}
	if c.was.proposed != c.is.proposed {
		c.t.Errorf("what was keyed changed: %q to %q", c.was.proposed, c.is.proposed)
	}
	c.pass(time.Minute)
	if c.state().Phase == tracker.Betting {
		c.t.Error("after FREE something opened by itself")
	}
}

func (c *check) isFlagAndProposal() {
	c.t.Helper()
	if !c.is.state.Free || c.is.echo.Asking || !c.is.echo.Entering || c.was.proposed != c.is.proposed {
		c.t.Errorf("flag and proposal: free %v, %+v, %q to %q", c.is.state.Free, c.is.echo, c.was.proposed, c.is.proposed)
	}
}

func (c *check) isHint() {
	c.t.Helper()
	c.kept()
	c.free()
	c.acked()
	want := "FIX: HOLD CLEAR 1s | LAST 2 PLAYER"
	switch {
	case c.way.state == "shuffling":
		want = "SHOE 1 GOES ON: | HOLD CLEAR 1s"
	case len(c.was.state.Shoe.Hands) == 3:
		want = "FIX: HOLD CLEAR 1s | LAST 3 TIE"
	}
	c.wants("hint", c.line(), want)
}

// isNextReasonOn17: on the 17-key pad FREE is the VOID key.
func (c *check) isNextReasonOn17() {
	c.t.Helper()
	if c.layout == "numpad-17" {
		c.asks("VOID HAND", "EXPOSED CARD")
		return
	}
	c.isRefused()
}

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
	if !c.echo().Refused || !c.echo().Entering || c.line() != "NO HAND TO FIX" {
		c.t.Errorf("stepped back past the first hand: %q", c.line())
	}
}

func (c *check) fixesIt() {
	c.t.Helper()
	c.free()
	want := map[string]string{"": "B B", "free": "B P+free", "kill": "B P+kill"}[c.way.name]
	c.wants("hands", c.list(), want)
	if h := c.is.state.Shoe.Hands[1]; !h.Fixed || c.is.state.Shoe.Fixes != 1 || c.is.records(c) != 1 {
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
	if len(c.is.state.Shoe.Hands) != 2 {
		c.t.Errorf("hands: %q", c.list())
	}
	c.press("TIE")
	c.wants("echo", c.line(), "FIX WAS LEFT | LAST 2 PLAYER")
	c.wants("proposed", c.proposed(), "")
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
