package console

import "strings"

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

// grammar is the state table of design/keying.md, a word for what the key does.
// "-" is refused with a reason; nothing changes.
func grammar() [rows][columns]string {
	text := [rows]string{
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
	}
	var g [rows][columns]string
	for r, line := range text {
		copy(g[r][:], strings.Fields(line))
	}
	return g
}

// column says which column of the table k stands in.
func (k Key) column(modifier bool) column {
	switch k {
	case KeyBonus:
		if modifier {
			return colModifier
		}
		return colResult
	case KeyPair, KeyBankerPair, KeyPlayerPair:
		return colModifier
	case KeyFree:
		return colFree
	case KeyOK:
		return colOK
	case KeyClear:
		return colClear
	case KeyFix:
		return colFix
	case KeyBets:
		return colBets
	case KeyPause:
		return colPause
	case KeyVoid:
		return colVoid
	case KeyCut:
		return colCut
	case KeyNewShoe:
		return colNewShoe
	case KeyFloor:
		return colFloor
	case KeyPlDealer:
		return colPlDealer
	}
	return colResult
}
