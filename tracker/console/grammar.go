package console

import (
	"strings"

	"shoeboard/tracker"
	"shoeboard/tracker/game"
)

// row is a state of the grammar: the phase when nothing is pending, else what is.
type row uint8

const (
	rowTableClosed row = iota
	rowShuffling
	rowBetting
	rowBetsClosed // 15 s or less
	rowBetsLong   // longer
	rowResult
	rowPaused
	rowNoResult
	rowModifiers
	rowProposal
	rowSame
	rowReplace
	rowShoeOver
	rowShoe // SHOE SAYS
	rowVoid
	rowQuestion // NEW SHOE? CLOSE?
	rowGoesOn   // GOES ON?
	rowOpen     // OPEN?
	rowFix
	rowFixKeyed
	rowRemove
	rowLapsed
	rowSaving
	rowMenu
	rows
)

// column is a kind of key.
type column uint8

const (
	colResult column = iota
	colModifier
	colFree
	colOK
	colClear
	colFix
	colBets
	colPause
	colVoid
	colCut
	colNewShoe
	colFloor
	colPlDealer
	columns
)

// columnOf says which column a key stands in; all others are results or modifiers.
var columnOf = map[Key]column{KeyFree: colFree, KeyOK: colOK, KeyClear: colClear, KeyFix: colFix, KeyBets: colBets,
	KeyPause: colPause, KeyVoid: colVoid, KeyCut: colCut, KeyNewShoe: colNewShoe, KeyFloor: colFloor, KeyPlDealer: colPlDealer}

// grammarText returns the state table of design/keying.md, a word for what each key does.
// "-" is refused with a reason; nothing changes.
func grammarText() (words [rows][]string) {
	for r, line := range [rows]string{
		//             result  modif.  free     ok       clear   fix     bets     pause   void    cut newshoe floor pl-d
		rowTableClosed: "-      -       -        -        -       -       -        -       -       -   open?   menu  -",
		rowShuffling:   "propose modify flag     -        hint    goeson? open     pause   void?   -   close?  pin   log",
		rowBetting:     "propose modify flag     -        hint    fix     shut     pause   void?   cut newshoe? pin  log",
		rowBetsClosed:  "propose modify flag     -        hint    fix     reopen   pause   void?   cut newshoe? pin  log",
		rowBetsLong:    "propose modify flag     -        hint    fix     noresult pause   void?   cut newshoe? pin  log",
		rowResult:      "propose modify flag     -        hint    fix     open     pause   void?   cut newshoe? pin  log",
		rowPaused:      "propose modify flag     -        hint    fix     resume   resume  void?   cut newshoe? pin  log",
		rowNoResult:    "propose modify flag     -        leave   fix     reopen   pause   void?   cut newshoe? pin  log",
		rowModifiers:   "propose modify flag     whowon   drop    drop    shutonly -       void?   cut -       -     -",
		rowProposal:    "propose modify flag     save     drop    drop    shutonly -       void?   cut -       -     -",
		rowSame:        "propose modify flagback stands   drop    drop    asnew    -       void?   -   -       -     -",
		rowReplace:     "propose modify flagback replace  drop    drop    asnew    -       void?   -   -       -     -",
		rowShoeOver:    "propose modify flagback newshoe1 drop    drop    asnew    -       void?   -   -       -     -",
		rowShoe:        "propose modify flagback mine     drop    drop    shoe     -       void?   -   -       -     -",
		rowVoid:        "propose modify reason   void     drop    drop    shutonly -       reason  -   -       -     -",
		rowQuestion:    "propose modify -        yes      drop    drop    -        -       -       -   -       -     -",
		rowGoesOn:      "once   once    once     yes      drop    drop    -        -       once    -   -       -     -",
		rowOpen:        "-      -       -        yes      drop    drop    -        -       -       -   -       -     -",
		rowFix:         "keyed  keyedold keyedfree unchanged out  back    outact   -       remove? -   -       -     -",
		rowFixKeyed:    "replaced toggled keyedfree fixes out     back    fixasnew -       remove? -   -       -     -",
		rowRemove:      "keyed  keyedold keyedfree removes out    back    -        -       same    -   -       -     -",
		rowLapsed:      "once   once    once     once     hint    again   once     asphase once    asphase asphase pin log",
		rowSaving:      "propose modify -        -        drop    drop    -        -       -       cut -       pin   log",
		rowMenu:        "digit  digit   -        enter    up      menuout digit    -       -       -   -       menuout -",
	} {
		words[r] = strings.Fields(line)
	}
	return words
}

// grammar returns the state table with the actions of its words.
func grammar() (g [rows][columns]action) {
	byWord := map[string]action{}
	for a, m := range actions {
		byWord[m.word] = action(a)
	}
	for r, words := range grammarText() {
		for col, word := range words {
			g[r][col] = byWord[word]
		}
	}
	return g
}

// action is what a key does in a state: its place in actions.
type action uint8

// The actions that have a meaning beside their function.
const (
	refused action = iota
	once
	again
	asPhase
	outAct
	askForVoid
	askForNewShoe
)

// press is a key that acts.
type press struct {
	key     Key
	binding Binding
}

// meaning says what an action does.
type meaning struct {
	word     string // in the state table
	writes   bool   // has something recorded, or answers a question that does: waits while SAVING
	confirms bool   // says yes to what is on the echo, which has to have stood there
	do       func(*Console, *Context, press) Out
}

// actions are the dictionary of the state table.
var actions = [...]meaning{
	refused:       {word: "-", do: (*Console).refuseKey},
	once:          {word: "once", do: (*Console).sayEnded},
	again:         {word: "again", do: (*Console).fixAgain},
	asPhase:       {word: "asphase"},
	outAct:        {word: "outact", writes: true},
	askForVoid:    {word: "void?", writes: true, do: asks(askVoid)},
	askForNewShoe: {word: "newshoe?", writes: true, do: asks(askNewShoe)},

	{word: "propose", do: (*Console).compose},
	{word: "modify", do: (*Console).compose},
	{word: "flag", writes: true, do: (*Console).turnFree},
	{word: "flagback", writes: true, do: (*Console).turnFree},
	{word: "hint", do: (*Console).hint},
	{word: "leave", do: (*Console).leaveQuietly},
	{word: "drop", do: (*Console).drop},
	{word: "cut", do: (*Console).cut},
	{word: "pin", do: says("ONLY ON CLOSED TABLE")},
	{word: "log", do: says("PL-DEALER NOT IN USE")},

	{word: "open", writes: true, do: bets((*Console).openBets)},
	{word: "shut", writes: true, do: bets((*Console).shutBets)},
	{word: "shutonly", writes: true, do: (*Console).shutOnly},
	{word: "reopen", writes: true, do: bets((*Console).reopenBets)},
	{word: "noresult", writes: true, do: bets((*Console).askResult)},
	{word: "pause", writes: true, do: (*Console).pause},
	{word: "resume", writes: true, do: (*Console).resume},

	{word: "whowon", do: (*Console).askWhoWon},
	{word: "save", writes: true, confirms: true, do: (*Console).save},
	{word: "stands", writes: true, confirms: true, do: (*Console).keepLast},
	{word: "replace", writes: true, confirms: true, do: (*Console).replaceLast},
	{word: "newshoe1", writes: true, confirms: true, do: (*Console).startShoe},
	{word: "asnew", writes: true, do: (*Console).takeAsNew},
	{word: "mine", do: (*Console).chooseMine},
	{word: "shoe", confirms: true, do: (*Console).chooseShoe},
	{word: "void", writes: true, confirms: true, do: (*Console).void},
	{word: "reason", do: (*Console).nextReason},
	{word: "close?", do: asks(askClose)},
	{word: "goeson?", do: (*Console).askGoesOn},
	{word: "open?", do: asks(askOpen)},
	{word: "yes", writes: true, confirms: true, do: (*Console).yes},

	{word: "fix", do: (*Console).fixLast},
	{word: "back", do: (*Console).fixBefore},
	{word: "keyed", do: (*Console).compose},
	{word: "keyedold", do: (*Console).compose},
	{word: "replaced", do: (*Console).compose},
	{word: "toggled", do: (*Console).compose},
	{word: "keyedfree", do: (*Console).fixFreeFlag},
	{word: "out", do: (*Console).leaveQuietly},
	{word: "fixasnew", writes: true, do: (*Console).fixAsNew},
	{word: "unchanged", writes: true, confirms: true, do: (*Console).saveFix},
	{word: "fixes", writes: true, confirms: true, do: (*Console).saveFix},
	{word: "remove?", do: (*Console).askRemove},
	{word: "removes", writes: true, confirms: true, do: (*Console).saveFix},
	{word: "same", do: (*Console).ackKey},

	{word: "menu", do: (*Console).openMenu},
	{word: "digit", do: (*Console).menuKey},
	{word: "enter", do: (*Console).menuKey},
	{word: "up", do: (*Console).menuKey},
	{word: "menuout", do: (*Console).menuKey},
}

// act does what the grammar says of a key.
func (c *Console) act(t *Context, p press) Out {
	c.forgive(t)
	if byTotals(t) && c.mode != inMenu && p.key == p.binding.Tap {
		p.key = c.totalsKey(t, p)
	}
	ok := p.key == KeyOK
	switch {
	case ok && c.mode == idle && !t.Saving && c.wrote > 0 && t.Now.Mono-c.wrote < secondOK:
		return Out{} // of a finger that pressed twice: what the first saved stands on the echo
	case ok && (c.Pending() || c.hasNotice()):
		c.okAt = tracker.Stamp{Boot: t.Now.Boot, Mono: t.Now.Mono}
	}
	c.dropped = false
	c.uncover(t)
	if c.mode == inMenu {
		return actions[c.action(t, p)].do(c, t, p)
	}
	c.logKey(pressName(p))
	if p.key == KeyReview { // it freezes the board at once and releases it; keying goes on behind it
		return c.decide(t, tracker.Command{Kind: tracker.ReviewSet, On: t.Projected.Review == nil})
	}
	c.touchFix(t)
	switch m := &actions[c.action(t, p)]; {
	case m.writes && t.Saving:
		return c.refuseSaving(t)
	case m.confirms && c.isTooSoon(t):
		return c.refuseSoon(t)
	default:
		return m.do(c, t, p)
	}
}

// action looks the key up in the state table. Some actions are those of another row.
func (c *Console) action(t *Context, p press) action {
	col := columnOf[p.key]
	switch {
	case p.key == KeyReview:
		return refused // in the menu
	case isModifier(t.State.Pack(), p):
		col = colModifier
	}
	switch a := c.grammar[c.row(t)][col]; {
	case a == again && c.tooFar:
		return a
	case c.mode == lapsed && a != once && t.Saving:
		return c.grammar[rowSaving][col]
	case a == asPhase, a == again, a == outAct && !t.Saving:
		c.clear()
		return c.grammar[c.row(t)][col]
	default:
		return a
	}
}

// row says where c stands in the state table.
func (c *Console) row(t *Context) row {
	switch c.mode {
	case idle:
		switch {
		case t.Saving && t.Projected.Phase == tracker.TableClosed:
			return rowTableClosed // as soon as it is on disk
		case t.Saving:
			return rowSaving
		}
		return phaseRow(t)
	case entry:
		switch {
		case t.Saving:
			return rowSaving
		case c.hand.Outcome == game.NoOutcome:
			return rowModifiers
		}
		return rowProposal
	case fixing:
		if c.keyed || c.isFreeKeyed(t) {
			return rowFixKeyed
		}
		return rowFix
	}
	return [...]row{askSame: rowSame, askReplace: rowReplace, askShoeOver: rowShoeOver, askShoe: rowShoe,
		askVoid: rowVoid, askNewShoe: rowQuestion, askClose: rowQuestion, askGoesOn: rowGoesOn, askOpen: rowOpen,
		noResult: rowNoResult, removing: rowRemove, lapsed: rowLapsed, inMenu: rowMenu}[c.mode]
}

// phaseRow returns the row when nothing is pending.
func phaseRow(t *Context) row {
	switch t.State.Phase {
	case tracker.TableClosed:
		return rowTableClosed
	case tracker.Shuffling:
		return rowShuffling
	case tracker.Betting:
		return rowBetting
	case tracker.BetsClosed:
		if d, ok := t.State.Since.Since(t.Now); ok && d <= reopenWithin {
			return rowBetsClosed
		}
		return rowBetsLong
	case tracker.Paused:
		return rowPaused
	}
	return rowResult
}
