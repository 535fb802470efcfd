package console

import (
	"cmp"
	"slices"
	"strings"

	"shoeboard/tracker"
	"shoeboard/tracker/game"
)

// state is a row of the grammar: what is pending, else the phase of the table.
type state uint8

const (
	tableClosed state = iota
	shuffling
	betting
	betsClosed // 15 s or less
	betsLong   // longer
	result
	paused
	saving

	// A hand is being keyed, or a question over it waits.
	modifiers
	entry
	askSame
	askReplace
	askShoeOver
	askShoe // the shoe read another hand than was keyed

	// Other questions.
	askVoid
	askNewShoe
	askClose
	askGoesOn
	askOpen
	noResult

	// A recorded hand is open for correction.
	fixing
	fixKeyed
	removing

	lapsed
	inMenu // the technician's
	states
)

// idle is the mode with nothing pending.
const idle state = 0

// The columns of keys that compose a hand; every other column is a key.
const (
	resultKeys   Key = "RESULT"
	modifierKeys Key = "MODIFIER"
)

// grammarText is the state table of design/keying.md: in each state, in the order of the
// constants above, a word for what the keys of each column do. "-" is refused with a
// reason; nothing changes.
const grammarText = `
STATE       RESULT   MODIFIER FREE      OK        CLEAR FIX     BETS     PAUSE   VOID    CUT  NEW_SHOE FLOOR   PL_DEALER
tableClosed -        -        -         -         -     -       -        -       -       -    open?    menu    -
shuffling   propose  modify   flag      -         hint  goeson? open     pause   void?   -    close?   pin     log
betting     propose  modify   flag      -         hint  fix     shut     pause   void?   cut  newshoe? pin     log
betsClosed  propose  modify   flag      -         hint  fix     reopen   pause   void?   cut  newshoe? pin     log
betsLong    propose  modify   flag      -         hint  fix     noresult pause   void?   cut  newshoe? pin     log
result      propose  modify   flag      -         hint  fix     open     pause   void?   cut  newshoe? pin     log
paused      propose  modify   flag      -         hint  fix     resume   resume  void?   cut  newshoe? pin     log
saving      propose  modify   -         -         drop  drop    -        -       -       cut  -        pin     log
modifiers   propose  modify   flag      whowon    drop  drop    shutonly -       void?   cut  -        -       -
entry       propose  modify   flag      save      drop  drop    shutonly -       void?   cut  -        -       -
askSame     propose  modify   flagback  stands    drop  drop    asnew    -       void?   -    -        -       -
askReplace  propose  modify   flagback  replace   drop  drop    asnew    -       void?   -    -        -       -
askShoeOver propose  modify   flagback  newshoe1  drop  drop    asnew    -       void?   -    -        -       -
askShoe     propose  modify   flagback  mine      drop  drop    shoe     -       void?   -    -        -       -
askVoid     propose  modify   reason    void      drop  drop    shutonly -       reason  -    -        -       -
askNewShoe  propose  modify   -         yes       drop  drop    -        -       -       -    -        -       -
askClose    propose  modify   -         yes       drop  drop    -        -       -       -    -        -       -
askGoesOn   once     once     once      yes       drop  drop    -        -       once    -    -        -       -
askOpen     -        -        -         yes       drop  drop    -        -       -       -    -        -       -
noResult    propose  modify   flag      -         leave fix     reopen   pause   void?   cut  newshoe? pin     log
fixing      keyed    keyedold keyedfree unchanged out   back    outact   -       remove? -    -        -       -
fixKeyed    replaced toggled  keyedfree fixes     out   back    fixasnew -       remove? -    -        -       -
removing    keyed    keyedold keyedfree removes   out   back    -        -       same    -    -        -       -
lapsed      once     once     once      once      hint  again   once     asphase once    asphase asphase  pin     log
inMenu      digit    digit    -         enter     up    menuout digit    -       -       -    -        menuout -
`

// grammar is the state table with the actions of its words.
var grammar = readGrammar()

func readGrammar() (g [states]map[Key]*action) {
	lines := strings.Split(strings.TrimSpace(grammarText), "\n")
	columns := strings.Fields(lines[0])
	for state, line := range lines[1:] {
		g[state] = map[Key]*action{KeyReview: refused} // in the menu; elsewhere it always acts
		for i, word := range strings.Fields(line) {
			for _, a := range actions {
				if slices.Contains(strings.Fields(a.words), word) {
					g[state][Key(columns[i])] = a
				}
			}
		}
	}
	return g
}

// press is a key that acts.
type press struct {
	key     Key
	binding Binding
}

// action is what a key does in a state.
type action struct {
	words    string // in the state table
	writes   bool   // has something recorded, or answers a question that does: waits while SAVING
	confirms bool   // says yes to what is on the echo, which has to have stood there
	do       func(*Console, *Context, press) Out
}

// The actions that have a meaning beside their function.
var (
	refused       = &action{words: "- whowon", do: (*Console).refuseKey}
	once          = &action{words: "once", do: (*Console).sayEnded}
	again         = &action{words: "again", do: (*Console).openFix}
	asPhase       = &action{words: "asphase"}
	outAct        = &action{words: "outact", writes: true}
	askForVoid    = &action{words: "void?", writes: true, do: asks(askVoid)}
	askForNewShoe = &action{words: "newshoe?", writes: true, do: asks(askNewShoe)}
)

// actions are the dictionary of the state table.
var actions = []*action{
	refused, once, again, asPhase, outAct, askForVoid, askForNewShoe,
	{words: "propose modify keyed keyedold replaced toggled", do: (*Console).compose},
	{words: "flag flagback", writes: true, do: (*Console).turnFree},
	{words: "hint", do: (*Console).hint},
	{words: "drop leave out", do: (*Console).drop},
	{words: "cut", do: (*Console).cut},
	{words: "pin", do: says("ONLY ON CLOSED TABLE")},
	{words: "log", do: says("PL-DEALER NOT IN USE")},

	{words: "open", writes: true, do: bets((*Console).openBets)},
	{words: "shut", writes: true, do: bets((*Console).shutBets)},
	{words: "shutonly", writes: true, do: (*Console).shutOnly},
	{words: "reopen", writes: true, do: bets((*Console).reopenBets)},
	{words: "noresult", writes: true, do: bets((*Console).askResult)},
	{words: "pause", writes: true, do: records(tracker.GamePaused)},
	{words: "resume", writes: true, do: records(tracker.GameResumed)},

	{words: "save", writes: true, confirms: true, do: (*Console).save},
	{words: "stands", writes: true, confirms: true, do: (*Console).keepLast},
	{words: "replace newshoe1 void yes", writes: true, confirms: true, do: (*Console).confirm},
	{words: "asnew", writes: true, do: (*Console).insist},
	{words: "mine", do: (*Console).insist},
	{words: "shoe", confirms: true, do: (*Console).proposeRead},
	{words: "reason", do: (*Console).nextReason},
	{words: "close?", do: asks(askClose)},
	{words: "goeson?", do: (*Console).askGoesOn},
	{words: "open?", do: asks(askOpen)},

	{words: "fix back", do: (*Console).openFix},
	{words: "keyedfree", do: (*Console).fixFreeFlag},
	{words: "fixasnew", writes: true, do: (*Console).fixAsNew},
	{words: "unchanged fixes removes", writes: true, confirms: true, do: (*Console).saveFix},
	{words: "remove?", do: (*Console).askRemove},
	{words: "same", do: func(*Console, *Context, press) Out { return Out{Tone: Ack} }},

	{words: "menu digit enter up menuout", do: (*Console).menuKey},
}

// act does what the grammar says of a key.
func (c *Console) act(t *Context, p press) Out {
	if c.mode == lapsed {
		c.forgive(t)
	}
	if t.Totals && c.mode != inMenu && p.key == p.binding.Tap {
		p.key = c.totalsKey(t, p)
	}
	ok := p.key == KeyOK
	switch {
	case ok && c.mode == idle && !t.Saving && c.wrote > 0 && t.Now.Mono-c.wrote < secondOK:
		return Out{} // of a finger that pressed twice: the echo says what the first saved
	case ok && (c.Pending() || c.hasNotice()):
		c.okAt = t.Now.Mono
	}
	c.dropped = false
	c.uncover(t)
	if c.mode == inMenu {
		return c.action(t, p).do(c, t, p)
	}
	c.log = append(slices.Clip(c.log), cmp.Or(pressName(p), p.binding.Digit))
	c.log = c.log[max(0, len(c.log)-12):] // for the record, the last dozen of them
	if p.key == KeyReview {               // it freezes the board at once and releases it; keying goes on
		return c.decide(t, tracker.Command{Kind: tracker.ReviewSet, On: t.Projected.Review == nil})
	}
	if c.isFixing() {
		c.changed, c.beeps = t.Now.Mono, 0 // it lapses 30 s after the last press
	}
	switch a := c.action(t, p); {
	case a.writes && t.Saving:
		return c.refuseSaving(t)
	case a.confirms && c.isTooSoon(t):
		return c.refuseSoon(t)
	default:
		return a.do(c, t, p)
	}
}

// column returns the column of the state table that a key is in.
func column(t *Context, p press) Key {
	switch _, own := grammar[idle][p.key]; {
	case own:
		return p.key
	case isModifier(t.State.Shoe.Pack, p):
		return modifierKeys
	}
	return resultKeys
}

// action looks the key up in the state table. Some actions are those of another row.
func (c *Console) action(t *Context, p press) *action {
	col := column(t, p)
	switch a := grammar[c.row(t)][col]; {
	case a == again && c.tooFar:
		return a
	case c.mode == lapsed && a != once && t.Saving:
		return grammar[saving][col]
	case a == asPhase, a == again, a == outAct && !t.Saving:
		c.clear()
		return grammar[c.row(t)][col]
	default:
		return a
	}
}

// row returns the row of the state table.
func (c *Console) row(t *Context) state {
	switch {
	case c.mode == entry && t.Saving:
		return saving
	case c.mode == entry && c.hand.Outcome == game.NoOutcome:
		return modifiers
	case c.mode == fixing && (c.keyed || c.fixFree != c.fixed(t).Free):
		return fixKeyed
	case c.mode != idle:
		return c.mode
	case t.Saving && t.Projected.Phase == tracker.TableClosed:
		return tableClosed // as soon as it is on disk
	case t.Saving:
		return saving
	}
	d, ok := t.State.Since.Since(t.Now)
	if t.State.Phase == tracker.BetsClosed && !(ok && d <= reopenWithin) {
		return betsLong
	}
	return [...]state{tracker.TableClosed: tableClosed, tracker.Shuffling: shuffling, tracker.Betting: betting,
		tracker.BetsClosed: betsClosed, tracker.Result: result, tracker.Paused: paused}[t.State.Phase]
}
