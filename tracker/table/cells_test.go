package table_test

import (
	"strconv"
	"strings"
	"time"

	"shoeboard/tracker"
	"shoeboard/tracker/console"
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
		"–":            (*check).isRefused,
		"– once":       (*check).isRefusedOnce,
		"– once, drop": (*check).isRefusedOnceAndDropped,
		"– WHO WON?":   func(c *check) { c.refused("WHO WON?", "BANKER  TIE  PLAYER") },

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
		"MENU":                        (*check).isMenu,
		"digit":                       (*check).isPage,
		"digit (PAIR –)":              (*check).isPageUnlessPair,
		"MORE":                        (*check).isMore,
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
		"out":                               func(c *check) { c.kept(); c.free(); c.isNoMenu() },
		"out, acts":                         (*check).opensFromResult,
		"one back; floor: lapsed":           (*check).stepsBack,
		"fix; floor: –":                     (*check).isFixOpenAgain,
		"fixes":                             (*check).fixesIt,
		"removes":                           (*check).removes,
		"lapsed":                            (*check).isLapsed,
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
	case "MENU":
		c.refused(map[string]string{"BETS 0": "NO ITEM 0"}[c.col], "CLEAR=BACK FLOOR=OUT")
	case "VOID?", "NEW SHOE? CLOSE? (OPEN?)", "GOES ON?":
		c.refused("ANSWER FIRST")
	case "shuffling", "betting", "bets closed, 15 s or less", "bets closed, longer", "result", "paused":
		c.refused(map[string]string{"OK": "NOTHING TO SAVE", "CUT": "NO HAND DEALT YET", "BETS 0": "BETS NOT IN USE"}[c.col])
	default:
		c.t.Errorf("no reason is known for %q", c.way.state)
	}
}

// isRefusedOnce: FIX ENDED, NO CHANGE is said once, then keys act as ever.
func (c *check) isRefusedOnce() {
	c.t.Helper()
	c.refused("FIX ENDED, NO CHANGE", "LAST 2 PLAYER")
	c.pass(3 * time.Second)
	c.press("TIE")
	c.wants("the key after", c.proposed(), "T")
}

// isRefusedOnceAndDropped: the same where a question goes with it.
func (c *check) isRefusedOnceAndDropped() {
	c.t.Helper()
	c.kept()
	c.free()
	if c.tone != console.Refused || c.line() != "FIX ENDED, NO CHANGE" {
		c.t.Errorf("not refused: tone %d, %q", c.tone, c.line())
	}
	c.press("OK")
	c.kept()
	c.pass(time.Second)
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
