package console

import (
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
	Blink    bool // a proposal waits to be confirmed
}

// Echo is what stands on the echo now.
func (c Console) Echo(t Table) Echo {
	e := Echo{Entering: c.Pending(), Asking: c.Asking(), Blink: c.mode == entry && c.beeps > 0}
	if c.note.lines[0] != "" {
		e.Lines, e.Refused = c.note.lines, c.note.refused
	} else {
		e.Lines = c.lines(t)
	}
	for i, l := range e.Lines {
		e.Lines[i] = fit(l)
	}
	return e
}

// Proposed is the hand being keyed, and false when there is none.
func (c Console) Proposed(t Table) (game.Result, bool) {
	return c.hand, c.mode >= entry && c.mode <= askShoeOver || c.mode == fixing && c.keyed
}

func (c *Console) lines(t Table) [2]string {
	n := c.number(t)
	switch c.mode {
	case idle:
		return c.idleLines(t)
	case entry:
		return c.entryLines(t, n)
	case askSame:
		d, _ := t.State.Saved.Since(tracker.Stamp{Boot: t.Now.Boot, Mono: t.Now.Mono})
		return [2]string{fmt.Sprintf("SAME RESULT, %ds AGO", int(d/time.Second)), fit(fmt.Sprintf("OK=STILL %d  0=NEW", n-1), fmt.Sprintf("OK=STILL %d 0=NEW", n-1))}
	case askReplace:
		return [2]string{fit(fmt.Sprintf("%d %s?", n-1, c.change(t, n-1)), fmt.Sprintf("REPLACE %d?", n-1)),
			fit(fmt.Sprintf("OK=FIX %d  0=HAND %d", n-1, n), fmt.Sprintf("OK=FIX%d 0=HAND%d", n-1, n))}
	case askShoeOver:
		return [2]string{fmt.Sprintf("SHOE OVER, %d HANDS", n-1), fit(fmt.Sprintf("OK=NEW SHOE 0=HAND %d", n), fmt.Sprintf("OK=NEW SHOE 0=HAND%d", n), fmt.Sprintf("OK=NEW SHOE 0=H%d", n))}
	case askVoid:
		return [2]string{fmt.Sprintf("VOID HAND %d?", n), strings.ToUpper(tracker.Reasons()[c.reason]) + "  OK=YES"}
	case askNewShoe:
		return c.newShoeLines(t)
	case askClose:
		return [2]string{"CLOSE TABLE?", "OK=YES  CLEAR=NO"}
	case askGoesOn:
		return [2]string{fmt.Sprintf("SHOE %d GOES ON?", t.State.Finished.Number), "OK=YES  CLEAR=NO"}
	case askOpen:
		return [2]string{"OPEN TABLE?", "OK=YES  CLEAR=NO"}
	case noResult:
		return [2]string{fmt.Sprintf("HAND %d NO RESULT", n), "KEY IT, FREE OR VOID"}
	case lapsed:
		return [2]string{"FIX WAS LEFT", c.lastLine(t)}
	}
	return c.fixLines(t)
}

func (c *Console) entryLines(t Table, n int) [2]string {
	if c.hand.Outcome == game.NoOutcome {
		return [2]string{c.describe(t, c.hand) + ": WHO WON?", "BANKER  TIE  PLAYER"}
	}
	line := fit(fmt.Sprintf("%d? %s", n, c.describe(t, c.hand)), fmt.Sprintf("%d? %s", n, shortName(t.State.Pack(), c.hand)))
	if c.unfinished {
		return [2]string{line, "UNFINISHED: OK/CLEAR"}
	}
	if t.Saving {
		return [2]string{line, fmt.Sprintf("SAVING %d, WAIT", n-1)}
	}
	return [2]string{line, "OK=SAVE   CLEAR=DROP"}
}

// change is the old and the new result of a hand, "BANKER > PLAYER".
func (c *Console) change(t Table, n int) string {
	p := t.State.Pack()
	if n < 1 || n > len(t.State.Shoe.Hands) {
		return c.describe(t, c.hand)
	}
	old := t.State.Shoe.Hands[n-1].Result
	return fit2(16, longName(p, old)+" > "+longName(p, c.hand), shortName(p, old)+" > "+shortName(p, c.hand), "> "+shortName(p, c.hand))
}

func (c *Console) newShoeLines(t Table) [2]string {
	hands := len(t.State.Shoe.Hands)
	if t.State.Phase == tracker.BetsClosed && !t.State.Shoe.Over() {
		return [2]string{fmt.Sprintf("HAND %d NO RESULT", hands+1), "OK=NEW SHOE CLEAR=NO"}
	}
	return [2]string{fmt.Sprintf("NEW SHOE? %d HANDS", hands), "OK=YES  CLEAR=NO"}
}

func (c *Console) fixLines(t Table) [2]string {
	p := t.State.Pack()
	if c.fix < 1 || c.fix > len(t.State.Shoe.Hands) {
		return [2]string{"HAND IS GONE", "CLEAR=OUT"}
	}
	old := t.State.Shoe.Hands[c.fix-1].Result
	switch {
	case c.mode == removing:
		return [2]string{fit(fmt.Sprintf("REMOVE %d %s?", c.fix, longName(p, old)), fmt.Sprintf("REMOVE %d %s?", c.fix, shortName(p, old))), "OK=REMOVE  CLEAR=OUT"}
	case !c.keyed:
		return [2]string{fit(fmt.Sprintf("FIX %d: WAS %s", c.fix, longName(p, old)), fmt.Sprintf("FIX %d: WAS %s", c.fix, shortName(p, old))), "KEY RIGHT ONE, OK"}
	}
	free := ""
	if c.fixFree != t.State.Shoe.Hands[c.fix-1].Free {
		free = map[bool]string{true: " FREE", false: " NOT FREE"}[c.fixFree]
	}
	line := fmt.Sprintf("%d %s%s?", c.fix, c.change(t, c.fix), free)
	second := fit(fmt.Sprintf("OK=FIX %d  0=HAND %d", c.fix, t.State.Shoe.Next()), fmt.Sprintf("OK=FIX%d 0=HAND%d", c.fix, t.State.Shoe.Next()))
	if c.unfinished {
		second = "UNFINISHED: OK/CLEAR"
	}
	return [2]string{fit(line, fmt.Sprintf("%d > %s%s?", c.fix, shortName(p, c.hand), free)), second}
}

// idleLines say what the table does and what was recorded last.
func (c *Console) idleLines(t Table) [2]string {
	s := t.State
	n := s.Shoe.Next()
	second := c.lastLine(t)
	if t.Saving {
		return [2]string{fmt.Sprintf("%d SAVING", n), "PLEASE WAIT"}
	}
	if s.Free && s.Phase != tracker.TableClosed {
		return [2]string{fmt.Sprintf("%d FREE HAND", n), second}
	}
	switch s.Phase {
	case tracker.TableClosed:
		return [2]string{"TABLE CLOSED", "NEW SHOE 2s = OPEN"}
	case tracker.Shuffling:
		return [2]string{"SHUFFLING", "BURN, THEN DEAL"}
	case tracker.Betting:
		return [2]string{fit(c.openLine(t, n)), second}
	case tracker.BetsClosed:
		return [2]string{fmt.Sprintf("%d BETS CLOSED", n), second}
	case tracker.Paused:
		return [2]string{"GAME PAUSED", "BETS = GO ON"}
	}
	return c.resultLines(t)
}

// openLine is "49 BETS OPEN     18s", the seconds at the right end.
func (c *Console) openLine(t Table, n int) string {
	line := fmt.Sprintf("%d BETS OPEN", n)
	if t.State.BetSeconds == 0 {
		return line
	}
	d, _ := t.State.Since.Since(t.Now)
	left := time.Duration(t.State.BetSeconds)*time.Second - d
	seconds := fmt.Sprintf("%ds", max(0, int((left+time.Second-1)/time.Second)))
	return line + strings.Repeat(" ", max(1, Width-len(line)-len(seconds))) + seconds
}

func (c *Console) resultLines(t Table) [2]string {
	s := t.State
	n := len(s.Shoe.Hands)
	switch last, ok := s.Last(); {
	case s.Void != "":
		return [2]string{fit(fmt.Sprintf("%d VOID: %s", n+1, strings.ToUpper(s.Void))), c.lastLine(t)}
	case s.Shoe.Over():
		return [2]string{fmt.Sprintf("SHOE OVER, %d HANDS", n), "NEW SHOE: HOLD 2s"}
	case s.Shoe.Last > 0 && s.Shoe.Last >= s.Shoe.Next():
		return [2]string{fmt.Sprintf("LAST IS HAND %d", s.Shoe.Last), c.lastLine(t)}
	case ok:
		name := shortName(s.Pack(), last.Result)
		return [2]string{fit(fmt.Sprintf("%d %s  SAVED", n, longName(s.Pack(), last.Result)), fmt.Sprintf("%d %s  SAVED", n, name)), "FIX: HOLD CLEAR 1s"}
	}
	return [2]string{fmt.Sprintf("%d KEY THE RESULT", n+1), ""}
}

func (c *Console) lastLine(t Table) string {
	last, ok := t.State.Last()
	if !ok {
		return ""
	}
	n := len(t.State.Shoe.Hands)
	return fit(fmt.Sprintf("LAST %d %s", n, lastName(t.State.Pack(), last.Result)), fmt.Sprintf("LAST %d %s", n, shortName(t.State.Pack(), last.Result)))
}

func (c *Console) describe(t Table, r game.Result) string { return longName(t.State.Pack(), r) }

func numbered(n int, text string) string { return fmt.Sprintf("%d %s", n, text) }
