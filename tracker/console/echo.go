package console

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"shoeboard/stats"
	"shoeboard/tracker"
	"shoeboard/tracker/game"
)

// Width says how many characters a line of the echo has.
const Width = 20

const yesNo = "OK=YES  CLEAR=NO"

// Echo shows two lines of at most Width characters, as data for any echo device.
func (c Console) Echo(t *Context) stats.Dealer {
	e := stats.Dealer{Entering: c.Pending(), Blink: c.Pending() && c.beeps > 0, Refused: c.note.refused,
		Asking: c.mode >= askSame && c.mode <= noResult || c.mode == removing}
	over := c.note
	if t.Failing && (over.kind == stats.ToldSaved || over.early) {
		over = note{} // of what was on disk before; E21 stays
	}
	if over.lines[0] == "" {
		e.Lines = c.lines(t)
	}
	switch {
	case over.lines[0] != "":
		e.Lines, e.Told = over.lines, over.kind
	case over.lines[1] != "":
		e.Lines[1] = over.lines[1]
	case c.mode == lapsed:
		e.Told = stats.ToldWarning
	case c.mode == idle && t.State.Review != nil:
		e.Told = stats.ToldHint
	}
	for i, l := range e.Lines {
		e.Lines[i] = l[:min(Width, len(l))] // a guard: the texts are made to fit
	}
	if c.isKeying() || c.mode == fixing && c.keyed && c.hand.Outcome != game.NoOutcome {
		m := stats.MarkOf(&tracker.Hand{Result: c.hand, Free: t.State.Free})
		e.Proposed = &m
	}
	return e
}

// lines returns the echo without a note.
func (c *Console) lines(t *Context) [2]string {
	n := t.Projected.Shoe.Next()
	switch c.mode {
	case idle:
		return c.idleLines(t)
	case entry:
		return c.entryLines(t, n)
	case askSame:
		line := fmt.Sprintf("SAME RESULT, %ds AGO", int(c.ago/time.Second))
		if c.ago < 0 {
			line = fmt.Sprintf("SAME RESULT AS %d", n-1)
		}
		return [2]string{line, fit(fmt.Sprintf("OK=STILL %d  0=NEW", n-1), fmt.Sprintf("OK=STILL %d 0=NEW", n-1))}
	case askReplace:
		old, _ := t.State.Last()
		return [2]string{c.changeLine(t, n-1, old, t.State.Free && !old.Free), fixOrNew(n-1, n)}
	case askShoeOver:
		return [2]string{fmt.Sprintf("SHOE OVER, %d HANDS", n-1),
			fit(fmt.Sprintf("OK=NEW SHOE 0=HAND%d", n), fmt.Sprintf("OK=NEW SHOE 0=H%d", n))}
	case askShoe:
		return [2]string{shoeSays(t, "SHOE SAYS ", c.seen.dealt), "OK=MINE  0=SHOE"}
	case askVoid:
		return [2]string{fmt.Sprintf("VOID HAND %d?", n), strings.ToUpper(tracker.Reasons()[c.reason]) + "  OK=YES"}
	case askNewShoe:
		return newShoeLines(&t.State)
	case askClose:
		return [2]string{"CLOSE TABLE?", yesNo}
	case askGoesOn:
		if s := t.State.Finished; s != nil {
			return [2]string{fmt.Sprintf("SHOE %d GOES ON?", s.Number), yesNo}
		}
		return [2]string{"SHOE GOES ON?", yesNo}
	case askOpen:
		return [2]string{"OPEN TABLE?", yesNo}
	case noResult:
		return [2]string{fmt.Sprintf("HAND %d NO RESULT", n), "KEY IT, FREE OR VOID"}
	case lapsed:
		return [2]string{fixEnded, lastLine(&t.State)}
	case inMenu:
		return c.menu.Lines(c.menuContext(t))
	}
	return c.fixLines(t)
}

func (c *Console) entryLines(t *Context, n int) [2]string {
	second := "OK=SAVE   CLEAR=DROP"
	switch hasResult := c.hand.Outcome != game.NoOutcome; {
	case !hasResult && c.unfinished:
		return [2]string{c.openLines(t)[0], "UNFINISHED: KEY IT"}
	case !hasResult:
		return c.openLines(t)
	case t.Failing:
		second = "E21 NOT RECORDING"
	case t.Saving:
		second = fmt.Sprintf("SAVING %d, WAIT", t.State.Shoe.Next())
	case c.unfinished:
		second = "UNFINISHED: OK/CLEAR"
	}
	return [2]string{keyedLine(t, fmt.Sprintf("%d? ", n), c.hand), second}
}

// openLines ask for the result of what is keyed so far: "KILL: WHO WON?".
func (c *Console) openLines(t *Context) [2]string {
	if t.Totals || c.hand.PlayerCards > 0 {
		return [2]string{keyedLine(t, fmt.Sprintf("%d? ", t.Projected.Shoe.Next()), c.hand), totalsNext(c.hand)}
	}
	is := nameOf(t.State.Shoe.Pack, c.hand)
	return [2]string{fit(is.long+": WHO WON?", is.short+": WHO WON?", "WHO WON?"), toKey[t.Totals]}
}

// toKey names what makes a result, and betsKey the key that is BETS, where totals are keyed
// or not.
var (
	toKey   = map[bool]string{false: "BANKER  TIE  PLAYER", true: "PLAYER'S TOTAL?"}
	betsKey = map[bool]string{false: "BETS", true: "OK"}
)

// keyedLine says after some words what is keyed, with its totals if those were keyed:
// "49? BANKER", "49? 6.-7 BANKER".
func keyedLine(t *Context, words string, r game.Result) string {
	if r.PlayerCards > 0 {
		words += totalsOf(r) + " "
	}
	return strings.Join(strings.Fields(nameOf(t.State.Shoe.Pack, r).in(words, "")), " ")
}

// changeLine says the old and the new result of a hand: "48 BANKER > PLAYER?"; where
// totals are keyed "48 PLAYER > 6-7 B?", and "48 5-7 > 6-7 BANKER?" if they alone change.
func (c *Console) changeLine(t *Context, n int, old tracker.Hand, freeTurned bool) string {
	after, totals := "?", totalsOf(c.hand)
	if freeTurned {
		free := map[bool]string{false: " FREE", true: " -FREE"}[old.Free]
		if c.isUnchanged(t, old) {
			return fmt.Sprintf("%d%s HAND?", n, free)
		}
		after = free + "?"
	}
	now, was := nameOf(t.State.Shoe.Pack, c.hand), nameOf(t.State.Shoe.Pack, old.Result)
	is := fmt.Sprintf("%d ", n)
	to, brief := is+"> ", fmt.Sprintf("%d>", n)
	switch {
	case old.Lost():
		return fit(is+"NOT KNOWN > "+now.long+after, to+now.short+after, brief+now.code+after)
	case totals == "":
		return fit(is+was.long+" > "+now.long+after, is+was.short+" > "+now.short+after,
			is+was.code+" > "+now.code+after, to+now.short+after, brief+now.code+after)
	case old.Known && old.Result.WithoutTotals() == c.hand.WithoutTotals():
		was.short = totalsOf(old.Result)
	}
	return fit(is+was.short+" > "+totals+" "+now.long+after, is+was.short+" > "+totals+" "+now.code+after,
		to+totals+" "+now.code+after, brief+totals+" "+now.code+after,
		brief+totals+now.pairs+after) // all else follows from the totals
}

// fixOrNew says what OK and 0 do where the hand keyed may be the last one or a new one.
func fixOrNew(n, next int) string {
	return fit(fmt.Sprintf("OK=FIX %d  0=HAND %d", n, next), fmt.Sprintf("OK=FIX%d 0=HAND%d", n, next))
}

// newShoeLines ask for a new shoe, and say so when a hand has no result yet.
func newShoeLines(s *tracker.State) [2]string {
	hands := len(s.Shoe.Hands)
	if s.Phase == tracker.BetsClosed || s.Phase == tracker.Paused && s.Behind == tracker.BetsClosed {
		return [2]string{fmt.Sprintf("HAND %d NO RESULT", hands+1), "OK=NEW SHOE CLEAR=NO"}
	}
	return [2]string{fmt.Sprintf("NEW SHOE? %d HANDS", hands), yesNo}
}

func (c *Console) fixLines(t *Context) [2]string {
	old := c.fixed(t)
	is, was := fmt.Sprintf("FIX %d: ", c.fix), nameOf(t.State.Shoe.Pack, old.Result)
	isOpen := c.mode == fixing && c.row(t) == fixing
	switch {
	case c.mode == removing:
		remove := fmt.Sprintf("REMOVE %d", c.fix)
		return [2]string{fit(was.in(remove+" ", "?"), remove+"?"), "OK=REMOVE  CLEAR=OUT"}
	case c.keyed && c.hand.Outcome == game.NoOutcome:
		return [2]string{keyedLine(t, is, c.hand), totalsNext(c.hand)}
	case isOpen && old.Lost():
		return [2]string{is + "NOT KNOWN", "KEY RIGHT ONE, OK"}
	case isOpen:
		return [2]string{fit(was.in(is+"WAS ", ""), was.in(is, "")), "KEY RIGHT ONE, OK"}
	}
	second := fixOrNew(c.fix, t.Projected.Shoe.Next())
	switch {
	case c.unfinished:
		second = "UNFINISHED: OK/CLEAR"
	case t.Totals && !c.hasResult(): // 0 is a digit still
		second = fit(fmt.Sprintf("OK=FIX %d  CLEAR=OUT", c.fix), fmt.Sprintf("OK=FIX%d CLEAR=OUT", c.fix))
	}
	return [2]string{c.changeLine(t, c.fix, old, c.fixFree != old.Free), second}
}

// idleLines say what the table does and what was recorded last; while no screen shows
// the board they say that instead of the latter. A frozen board is let go first.
func (c *Console) idleLines(t *Context) [2]string {
	s := &t.State
	switch {
	case t.Failing:
		return [2]string{"E21 NOT RECORDING", "USE PAPER. CALL TECH"}
	case t.Saving:
		return [2]string{fmt.Sprintf("SAVING %d", s.Shoe.Next()), "PLEASE WAIT"}
	case s.Review != nil:
		key := cmp.Or(t.ReviewKey, "REVIEW")
		return [2]string{"BOARD FROZEN", fit("HOLD "+key+" = RELEASE", "HOLD "+key+"=RELEASE")}
	}
	lines := phaseLines(t, s.Shoe.Next())
	if t.Unseen {
		lines[1] = "NO SCREEN: CALL TECH"
	}
	return lines
}

// phaseLines returns what the table does while hand n is dealt.
func phaseLines(t *Context, n int) [2]string {
	s := &t.State
	free := fmt.Sprintf("%d FREE HAND", n)
	switch {
	case s.Phase == tracker.TableClosed:
		return [2]string{"TABLE CLOSED", "NEW SHOE 2s = OPEN"}
	case s.Phase == tracker.Paused && s.Free:
		return [2]string{"GAME PAUSED", free}
	case s.Phase == tracker.Paused:
		return [2]string{"GAME PAUSED", betsKey[t.Totals] + " = GO ON"}
	case s.Free:
		return [2]string{free, lastLine(s)}
	case s.Phase == tracker.Shuffling:
		return [2]string{"SHUFFLING", "BURN, THEN DEAL"}
	case s.Phase == tracker.Betting:
		return [2]string{openLine(t, n), lastLine(s)}
	case s.Phase == tracker.BetsClosed:
		return [2]string{fmt.Sprintf("%d BETS CLOSED", n), lastLine(s)}
	case s.Void != "":
		void := fmt.Sprintf("%d VOID", n)
		return [2]string{fit(void+": "+strings.ToUpper(s.Void), void), lastLine(s)}
	case s.Shoe.Over():
		return [2]string{fmt.Sprintf("SHOE OVER, %d HANDS", n-1), "NEW SHOE: HOLD 2s"}
	case s.Shoe.Last > 0:
		return [2]string{fmt.Sprintf("LAST IS HAND %d", s.Shoe.Last), lastLine(s)}
	case n > 1:
		return [2]string{savedLine(s), "FIX: HOLD CLEAR 1s"}
	}
	return [2]string{fmt.Sprintf("%d KEY THE RESULT", n), ""}
}

// openLine writes "49 BETS OPEN     18s", the seconds at the right end.
func openLine(t *Context, n int) string {
	line := fmt.Sprintf("%d BETS OPEN", n)
	if t.State.BetSeconds == 0 {
		return line
	}
	d, _ := t.State.Since.Since(t.Now)
	left := time.Duration(t.State.BetSeconds)*time.Second - d
	seconds := fmt.Sprintf("%ds", max(0, int((left+time.Second-1)/time.Second)))
	return fmt.Sprintf("%-*s%s", Width-len(seconds), line, seconds)
}

// savedLine writes "49 BANKER NAT  SAVED".
func savedLine(s *tracker.State) string {
	last, _ := s.Last()
	before := fmt.Sprintf("%d %s", len(s.Shoe.Hands), freeWord[last.Free])
	is := nameOf(s.Shoe.Pack, last.Result)
	return fit(before+is.long+"  SAVED", before+is.short+"  SAVED", before+is.code+" SAVED",
		fmt.Sprintf("%d FREE HAND SAVED", len(s.Shoe.Hands)))
}

// lastLine writes "LAST 48 BANKER D7".
func lastLine(s *tracker.State) string {
	last, ok := s.Last()
	if !ok {
		return ""
	}
	before := fmt.Sprintf("LAST %d ", len(s.Shoe.Hands))
	free, is := before+freeWord[last.Free], nameOf(s.Shoe.Pack, last.Result)
	return fit(free+is.last, free+is.short, free+is.code, before+is.code)
}

// freeWord says before a hand's result that it was a free hand.
var freeWord = map[bool]string{true: "FREE "}

// name is a result in the dealer's words.
type name struct {
	long  string // "BANKER NATURAL", "TIGER 7 + KILL"
	short string // where that has no room: "B NAT", "T7+K"
	code  string // which always has: "BN" (natural), "B98" (9 over 8), "T7+K/2" (both pairs)
	last  string // for the LAST line: the side and short bets, "BANKER D7"
	pairs string // those of the code
}

// in returns the name in the longest way that fits between two texts.
func (n name) in(before, after string) string {
	return fit(before+n.long+after, before+n.short+after, before+n.code+after)
}

// nameOf returns the name of a result.
func nameOf(pack *game.Pack, r game.Result) (n name) {
	pairs := ""
	switch {
	case r.BankerPair && r.PlayerPair:
		pairs, n.pairs = " BP PP", "/2"
	case r.BankerPair:
		pairs, n.pairs = " BP", "/B"
	case r.PlayerPair:
		pairs, n.pairs = " PP", "/P"
	}
	side := ""
	if r.Outcome != game.NoOutcome {
		side = strings.ToUpper(r.Outcome.String())
	}
	long, short, longBets, shortBets, bets := side, side, "", "", ""
	for i := range pack.Extra(r).All() {
		b := pack.Bets[i]
		bets += " " + b.Short
		if side != "" && pack.Implied(i) == r.Outcome {
			long, short = betName(b), b.Short
			continue
		}
		longBets += " + " + betName(b)
		shortBets += "+" + b.Short
	}
	code := short
	if side != "" && short == side {
		code = r.Outcome.Letter()
		if shortBets != "" || pairs != "" {
			short = code
		}
	}
	longNatural, shortNatural, codeNatural := naturals(r)
	long += longNatural
	if r.Outcome == game.Tie && longNatural != "" {
		long = "NATURAL TIE"
	}
	n.long = strings.TrimPrefix(long+longBets+pairs, " + ")
	n.short = strings.TrimPrefix(short+shortNatural+shortBets+pairs, "+")
	n.code = strings.TrimPrefix(code+codeNatural+shortBets, "+") + n.pairs
	n.last = side + shortNatural + bets + pairs
	if r == (game.Result{}) { // its record cannot be read
		n.last = "NOT KNOWN"
	}
	return n
}

// naturals returns the words for the naturals of a result: whose, when it was the loser's.
func naturals(r game.Result) (long, short, code string) {
	whose := ""
	switch {
	case !r.PlayerNatural && !r.BankerNatural:
		return "", "", ""
	case r.PlayerNatural && r.BankerNatural && r.Outcome != game.Tie:
		return " 9 OVER 8", " 9/8", "98"
	case r.Outcome == game.Banker && !r.BankerNatural:
		whose = " (P)"
	case r.Outcome == game.Player && !r.PlayerNatural:
		whose = " (B)"
	}
	return " NATURAL" + whose, " NAT" + whose, "N"
}

// betName names a bet on the echo by its id, because labels may be too long: "TIGER 7".
func betName(b game.Bet) string { return strings.ToUpper(strings.ReplaceAll(b.ID, "-", " ")) }

// fit returns the first of the texts that fits a line of the echo, else the last.
func fit(texts ...string) string {
	for len(texts) > 1 && len(texts[0]) > Width {
		texts = texts[1:]
	}
	return texts[0]
}
