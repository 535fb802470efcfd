package console

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"shoeboard/tracker"
	"shoeboard/tracker/game"
)

// Width is how many characters a line of the echo has.
const Width = 20

// Echo is what the dealer's echo shows: two lines of at most Width characters, as
// data that any echo device can show.
type Echo struct {
	Lines    [2]string
	Entering bool // something is pending
	Asking   bool // a question waits
	Refused  bool // the lines say why the last press was refused
	Told     Told // what else the lines say, beside what is pending and what the table does
	Blink    bool // the dealer was reminded of what is pending
}

// Echo is what stands on the echo now.
func (c Console) Echo(t *Context) Echo {
	e := Echo{Lines: c.lines(t), Entering: c.Pending(), Asking: c.Asking(), Refused: c.note.refused,
		Blink: c.Pending() && c.beeps > 0}
	switch {
	case t.Failing && (c.note.told == ToldSaved || c.note.early): // of what was on disk before; E21 stands
	case c.note.lines[0] != "":
		e.Lines, e.Told = c.note.lines, c.note.told
	case c.note.lines[1] != "":
		e.Lines[1] = c.note.lines[1]
	case c.mode == lapsed:
		e.Told = ToldWarning
	case c.mode == idle && t.State.Review != nil:
		e.Told = ToldHint
	}
	for i, l := range e.Lines {
		e.Lines[i] = l[:min(Width, len(l))] // a guard: the texts are made to fit
	}
	return e
}

// Proposed is the hand being keyed, and false when there is none.
func (c Console) Proposed(t *Context) (game.Result, bool) {
	return c.hand, c.keying() || c.mode == fixing && c.keyed && c.hand.Outcome != game.NoOutcome
}

// lines are the echo without a note.
func (c *Console) lines(t *Context) [2]string {
	n := c.number(t)
	const yesNo = "OK=YES  CLEAR=NO"
	switch c.mode {
	case idle:
		return c.idleLines(t)
	case entry:
		return c.entryLines(t, n)
	case askSame:
		return [2]string{c.sameLine(n - 1), fit(fmt.Sprintf("OK=STILL %d  0=NEW", n-1), fmt.Sprintf("OK=STILL %d 0=NEW", n-1))}
	case askReplace:
		old, _ := t.State.Last()
		return [2]string{changeLine(t, n-1, old, c.hand, t.State.Free && !old.Free), fixOrNew(n-1, n)}
	case askShoeOver:
		return [2]string{fmt.Sprintf("SHOE OVER, %d HANDS", n-1), fit(fmt.Sprintf("OK=NEW SHOE 0=HAND%d", n), fmt.Sprintf("OK=NEW SHOE 0=H%d", n))}
	case askShoe:
		return c.shoeLines(t)
	case askVoid:
		return [2]string{fmt.Sprintf("VOID HAND %d?", n), strings.ToUpper(tracker.Reasons()[c.reason]) + "  OK=YES"}
	case askNewShoe:
		return newShoeLines(t)
	case askClose:
		return [2]string{"CLOSE TABLE?", yesNo}
	case askGoesOn:
		return [2]string{goesOnLine(t.State), yesNo}
	case askOpen:
		return [2]string{"OPEN TABLE?", yesNo}
	case noResult:
		return [2]string{fmt.Sprintf("HAND %d NO RESULT", n), "KEY IT, FREE OR VOID"}
	case lapsed:
		return [2]string{fixEnded, lastLine(t.State)}
	case inMenu:
		return c.menuLines(t)
	}
	return c.fixLines(t)
}

func (c *Console) entryLines(t *Context, n int) [2]string {
	second := "OK=SAVE   CLEAR=DROP"
	switch {
	case t.Failing:
		second = "E21 NOT RECORDING"
	case t.Saving:
		second = savingLine(t) + ", WAIT"
	case c.unfinished:
		second = "UNFINISHED: OK/CLEAR"
	}
	lines := c.openLines(t)
	switch {
	case c.hand.Outcome != game.NoOutcome:
		return [2]string{keyedLine(t, "%d? ", n, c.hand), second}
	case c.unfinished:
		return [2]string{lines[0], "UNFINISHED: KEY IT"}
	}
	return lines
}

// openLines ask for the result of what is keyed so far: "KILL: WHO WON?".
func (c *Console) openLines(t *Context) [2]string {
	p := t.State.Pack()
	if byTotals(t) || c.hand.PlayerCards > 0 {
		return [2]string{keyedLine(t, "%d? ", c.number(t), c.hand), totalsNext(c.hand)}
	}
	return [2]string{fit(longName(p, c.hand)+": WHO WON?", shortName(p, c.hand)+": WHO WON?", "WHO WON?"), toKey(t)}
}

// toKey are the keys that make a result.
func toKey(t *Context) string {
	if byTotals(t) {
		return totalsNext(game.Result{})
	}
	return "BANKER  TIE  PLAYER"
}

// betsKey is the key that is BETS: where 0 is a digit, OK with nothing pending.
func betsKey(t *Context) string {
	if byTotals(t) {
		return "OK"
	}
	return "BETS"
}

// named is a line with a hand's number and its result in the longest words that fit.
func named(t *Context, format string, n int, r game.Result) string {
	p := t.State.Pack()
	return fit(fmt.Sprintf(format, n, longName(p, r)), fmt.Sprintf(format, n, shortName(p, r)), fmt.Sprintf(format, n, codeName(p, r)))
}

func (c *Console) sameLine(n int) string {
	if c.ago < 0 {
		return fmt.Sprintf("SAME RESULT AS %d", n)
	}
	return fmt.Sprintf("SAME RESULT, %ds AGO", int(c.ago/time.Second))
}

// changeLine is the old and the new result of a hand: "48 BANKER > PLAYER?".
func changeLine(t *Context, n int, old tracker.Hand, r game.Result, freeTurned bool) string {
	p := t.State.Pack()
	free, totals := "", totalsOf(r)
	if freeTurned {
		free = map[bool]string{false: " FREE", true: " -FREE"}[old.Free]
		if keepsTotals(r, old.Result) && untold(old.Result) == p.Complete(untold(r)) {
			return fmt.Sprintf("%d%s HAND?", n, free)
		}
	}
	if old.Lost() {
		return fit(fmt.Sprintf("%d NOT KNOWN > %s%s?", n, longName(p, r), free), fmt.Sprintf("%d > %s%s?", n, shortName(p, r), free),
			fmt.Sprintf("%d>%s%s?", n, codeName(p, r), free))
	}
	if totals != "" {
		return totalsChange(p, n, old.Result, r, free)
	}
	return fit(fmt.Sprintf("%d %s > %s%s?", n, longName(p, old.Result), longName(p, r), free),
		fmt.Sprintf("%d %s > %s%s?", n, shortName(p, old.Result), shortName(p, r), free),
		fmt.Sprintf("%d %s > %s%s?", n, codeName(p, old.Result), codeName(p, r), free),
		fmt.Sprintf("%d > %s%s?", n, shortName(p, r), free),
		fmt.Sprintf("%d>%s%s?", n, codeName(p, r), free))
}

// fixOrNew is what OK and 0 do where what was keyed may be the last hand's or a new one.
func fixOrNew(n, next int) string {
	return fit(fmt.Sprintf("OK=FIX %d  0=HAND %d", n, next), fmt.Sprintf("OK=FIX%d 0=HAND%d", n, next))
}

// newShoeLines ask for a new shoe, and say so when a hand has no result yet.
func newShoeLines(t *Context) [2]string {
	s := t.State
	hands := len(s.Shoe.Hands)
	if s.Phase == tracker.BetsClosed || s.Phase == tracker.Paused && s.Behind == tracker.BetsClosed {
		return [2]string{fmt.Sprintf("HAND %d NO RESULT", hands+1), "OK=NEW SHOE CLEAR=NO"}
	}
	return [2]string{fmt.Sprintf("NEW SHOE? %d HANDS", hands), "OK=YES  CLEAR=NO"}
}

func goesOnLine(s tracker.State) string {
	if s.Finished == nil {
		return "SHOE GOES ON?"
	}
	return fmt.Sprintf("SHOE %d GOES ON?", s.Finished.Number)
}

func (c *Console) fixLines(t *Context) [2]string {
	old, ok := c.fixed(t)
	switch {
	case !ok:
		return [2]string{"HAND IS GONE", "CLEAR=OUT"}
	case c.mode == removing:
		return [2]string{fit(named(t, "REMOVE %d %s?", c.fix, old.Result), fmt.Sprintf("REMOVE %d?", c.fix)), "OK=REMOVE  CLEAR=OUT"}
	case c.keyed && c.hand.Outcome == game.NoOutcome:
		return [2]string{keyedLine(t, "FIX %d: ", c.fix, c.hand), totalsNext(c.hand)}
	case c.row(t) == rowFix && old.Lost():
		return [2]string{fmt.Sprintf("FIX %d: NOT KNOWN", c.fix), "KEY RIGHT ONE, OK"}
	case c.row(t) == rowFix:
		return [2]string{fit(named(t, "FIX %d: WAS %s", c.fix, old.Result), named(t, "FIX %d: %s", c.fix, old.Result)), "KEY RIGHT ONE, OK"}
	}
	second := fixOrNew(c.fix, c.number(t))
	switch {
	case c.unfinished:
		second = "UNFINISHED: OK/CLEAR"
	case byTotals(t) && !c.handTold(): // 0 is a digit still
		second = fit(fmt.Sprintf("OK=FIX %d  CLEAR=OUT", c.fix), fmt.Sprintf("OK=FIX%d CLEAR=OUT", c.fix))
	}
	return [2]string{changeLine(t, c.fix, old, c.hand, c.fixFree != old.Free), second}
}

// idleLines say what the table does and what was recorded last; while no screen shows
// the board they say that instead of the latter. A frozen board is let go first.
func (c *Console) idleLines(t *Context) [2]string {
	lines := c.atRest(t)
	if t.Unseen && !t.Failing && !t.Saving && t.State.Review == nil {
		lines[1] = "NO SCREEN: CALL TECH"
	}
	return lines
}

func (c *Console) atRest(t *Context) [2]string {
	s := t.State
	n := s.Shoe.Next()
	switch {
	case t.Failing:
		return [2]string{"E21 NOT RECORDING", "USE PAPER. CALL TECH"}
	case t.Saving:
		return [2]string{savingLine(t), "PLEASE WAIT"}
	case s.Review != nil:
		key := cmp.Or(t.ReviewKey, "REVIEW")
		return [2]string{"BOARD FROZEN", fit("HOLD "+key+" = RELEASE", "HOLD "+key+"=RELEASE")}
	case s.Phase == tracker.TableClosed:
		return [2]string{"TABLE CLOSED", "NEW SHOE 2s = OPEN"}
	case s.Phase == tracker.Paused && s.Free:
		return [2]string{"GAME PAUSED", fmt.Sprintf("%d FREE HAND", n)}
	case s.Phase == tracker.Paused:
		return [2]string{"GAME PAUSED", betsKey(t) + " = GO ON"}
	case s.Free:
		return [2]string{fmt.Sprintf("%d FREE HAND", n), lastLine(s)}
	case s.Phase == tracker.Shuffling:
		return [2]string{"SHUFFLING", "BURN, THEN DEAL"}
	case s.Phase == tracker.Betting:
		return [2]string{openLine(t, n), lastLine(s)}
	case s.Phase == tracker.BetsClosed:
		return [2]string{fmt.Sprintf("%d BETS CLOSED", n), lastLine(s)}
	}
	return resultLines(s)
}

// savingLine names the hand on its way, or the one that is being dealt.
func savingLine(t *Context) string { return fmt.Sprintf("SAVING %d", t.State.Shoe.Next()) }

// openLine is "49 BETS OPEN     18s", the seconds at the right end.
func openLine(t *Context, n int) string {
	line := fmt.Sprintf("%d BETS OPEN", n)
	if t.State.BetSeconds == 0 {
		return line
	}
	d, _ := t.State.Since.Since(t.Now)
	left := time.Duration(t.State.BetSeconds)*time.Second - d
	seconds := fmt.Sprintf("%ds", max(0, int((left+time.Second-1)/time.Second)))
	return line + strings.Repeat(" ", max(1, Width-len(line)-len(seconds))) + seconds
}

func resultLines(s tracker.State) [2]string {
	n := len(s.Shoe.Hands)
	switch {
	case s.Void != "":
		return [2]string{fit(fmt.Sprintf("%d VOID: %s", n+1, strings.ToUpper(s.Void)), fmt.Sprintf("%d VOID", n+1)), lastLine(s)}
	case s.Shoe.Over():
		return [2]string{fmt.Sprintf("SHOE OVER, %d HANDS", n), "NEW SHOE: HOLD 2s"}
	case s.Shoe.Last > 0:
		return [2]string{fmt.Sprintf("LAST IS HAND %d", s.Shoe.Last), lastLine(s)}
	case n > 0:
		return [2]string{savedLine(s), "FIX: HOLD CLEAR 1s"}
	}
	return [2]string{fmt.Sprintf("%d KEY THE RESULT", n+1), ""}
}

// savedLine is "49 BANKER NAT  SAVED".
func savedLine(s tracker.State) string {
	last, ok := s.Last()
	if !ok {
		return ""
	}
	n, p, free := len(s.Shoe.Hands), s.Pack(), freeWord(last)
	return fit(fmt.Sprintf("%d %s%s  SAVED", n, free, longName(p, last.Result)), fmt.Sprintf("%d %s%s  SAVED", n, free, shortName(p, last.Result)),
		fmt.Sprintf("%d %s%s SAVED", n, free, codeName(p, last.Result)), fmt.Sprintf("%d FREE HAND SAVED", n))
}

// lastLine is "LAST 48 BANKER D7".
func lastLine(s tracker.State) string {
	last, ok := s.Last()
	if !ok {
		return ""
	}
	n, p, free := len(s.Shoe.Hands), s.Pack(), freeWord(last)
	return fit(fmt.Sprintf("LAST %d %s%s", n, free, lastName(p, last.Result)), fmt.Sprintf("LAST %d %s%s", n, free, shortName(p, last.Result)),
		fmt.Sprintf("LAST %d %s%s", n, free, codeName(p, last.Result)), fmt.Sprintf("LAST %d %s", n, codeName(p, last.Result)))
}

// freeWord says before a hand's result that it was a free hand.
func freeWord(h tracker.Hand) string {
	if h.Free {
		return "FREE "
	}
	return ""
}
