package stats

import (
	"slices"
	"time"

	"shoeboard/stats/road"
	"shoeboard/tracker"
	"shoeboard/tracker/game"
)

// BoardVersion is the version of the Board's JSON form. Fields may be added
// within a version; a reader ignores what it does not know.
const BoardVersion = 1

// Board is all that the screen shows. Amounts are in cents, shares in tenths
// of a percent. Every state of the board has its field here.
// A Folder fills in what follows from the record; Dealer and what comes after it is for the
// unit to fill in.
type Board struct {
	Version int    `json:"version"`
	Seq     uint64 `json:"seq"` // journal sequence that this Board shows
	Table   string `json:"table"`
	Venue   string `json:"venue,omitempty"`
	Game    Game   `json:"game"`

	Phase     string    `json:"phase"`            // word of a tracker.Phase
	Behind    string    `json:"behind,omitempty"` // the phase under "paused"
	Bar       Bar       `json:"bar"`              // what the phase bar says
	Countdown *Deadline `json:"countdown,omitempty"`
	LastHand  bool      `json:"last_hand,omitempty"` // chip: the hand being dealt is the last
	ShoeOver  bool      `json:"shoe_over,omitempty"`
	Review    bool      `json:"review,omitempty"`

	ShoeToday int   `json:"shoe_today,omitempty"` // 0: none yet
	Shoe      Shoe  `json:"shoe"`
	Previous  *Shoe `json:"previous,omitempty"`
	Marked    []int `json:"marked,omitempty"` // numbers of the hands corrected since the last record

	Limits     []tracker.Limit `json:"limits,omitempty"`
	Collection []tracker.Rate  `json:"collection,omitempty"`
	AskMarks   bool            `json:"ask_marks,omitempty"` // show Shoe.Ask
	Attract    Attract         `json:"attract"`

	Dealer       Dealer       `json:"dealer"`
	Faults       []Fault      `json:"faults,omitempty"`       // that are there now
	EndedFaults  []Fault      `json:"ended_faults,omitempty"` // that have ended and nobody has acknowledged
	Saving       bool         `json:"saving,omitempty"`       // a record has been on its way to disk for over 1 s
	ConfigFault  *ConfigFault `json:"config_fault,omitempty"`
	ClockTrusted bool         `json:"clock_trusted"`
	Code         string       `json:"code,omitempty"` // of the record, for a camera between shoes, and when the day ends
	Zone         string       `json:"zone,omitempty"` // IANA name of the local time zone
	Demo         bool         `json:"demo,omitempty"`
	Identify     bool         `json:"identify,omitempty"` // flash the table number
	Test         string       `json:"test,omitempty"`     // technician's page: one of TestPages, or KeypadTest
	Keypad       []KeyState   `json:"keypad,omitempty"`   // for Test KeypadTest
	Menu         *Menu        `json:"menu,omitempty"`     // the technician's, in the place of the board
	StatusLine   string       `json:"status_line,omitempty"`
}

// Game is the game in force, as far as a screen needs it.
type Game struct {
	ID       string `json:"id"`
	Name     string `json:"name"`             // "EZ Baccarat Panda 8"
	Accent   string `json:"accent,omitempty"` // the part of Name that is highlighted, "Panda 8"
	Approval string `json:"approval,omitempty"`
	Bets     []Bet  `json:"bets"` // the pack's tracked bets, in the order that BetSet numbers them
	TiePays  string `json:"tie_pays,omitempty"`
}

// Bet is one tracked bet. Labels are by language code ("en", "zh-Hant", …).
type Bet struct {
	ID     string            `json:"id"`
	Labels map[string]string `json:"labels"`
	Short  string            `json:"short"`            // "D7"
	Pays   string            `json:"pays"`             // "40 TO 1"
	Mark   string            `json:"mark,omitempty"`   // core of its bead: "gold", "white", "kill", empty: none
	Pushes string            `json:"pushes,omitempty"` // the side whose base bet pushes when it wins: "banker"
}

// BarKind says which of its messages the phase bar shows.
type BarKind string

// What the bar says (design/board.md).
const (
	BarClosedTable BarKind = "table-closed"
	BarShuffling   BarKind = "shuffling"
	BarPlaceBets   BarKind = "place-bets"
	BarNoMoreBets  BarKind = "no-more-bets"
	BarResult      BarKind = "result" // of hand Last, Last.Outcome and Last.Bets say which
	BarEmpty       BarKind = "empty"  // mode off before the first hand of a shoe
	BarFree        BarKind = "free-hand"
	BarVoid        BarKind = "void"
	BarShoeOver    BarKind = "shoe-over"
	BarPaused      BarKind = "paused"
	BarReview      BarKind = "review"
)

// Bar is the phase bar's message with the last hand, which is its text or its chip.
type Bar struct {
	Kind    BarKind `json:"kind"`
	Free    bool    `json:"free,omitempty"`     // the result shown is of a free hand
	Last    *Mark   `json:"last,omitempty"`     // the last recorded hand
	LastNo  int     `json:"last_no,omitempty"`  // its number
	Run     int     `json:"run,omitempty"`      // length of the current run of equal winners
	RunSide string  `json:"run_side,omitempty"` // "player" or "banker"
	Reason  string  `json:"reason,omitempty"`   // of a void
}

// Deadline is a running countdown: the moment it ends on the boot-time clock,
// so that it means the same in every process of the unit.
type Deadline struct {
	Boot  string        `json:"boot"`
	At    time.Duration `json:"at"`    // boot-time clock, ns
	Total int           `json:"total"` // its whole length, s
}

// Shoe is one shoe's figures and roads.
type Shoe struct {
	Number int    `json:"number,omitempty"`
	Marks  []Mark `json:"marks"` // every hand in deal order: the bead plate, down six rows
	Hands  int    `json:"hands"` // saved hands, free ones included
	Free   int    `json:"free,omitempty"`
	// Lost holds the numbers of the hands whose records cannot be read. While there are any
	// the counts are of the other hands, shares (0) and hands since (-1) are not known, and
	// all roads except the bead plate end before the first of them.
	Lost     []int       `json:"lost,omitempty"`
	Player   Count       `json:"player"`
	Banker   Count       `json:"banker"`
	Tie      Count       `json:"tie"`
	Bets     []Count     `json:"bets"` // in the order of Game.Bets
	Naturals Naturals    `json:"naturals"`
	Roads    *road.Roads `json:"roads,omitempty"`
}

// Mark is one hand as the roads show it.
type Mark struct {
	Outcome       game.Outcome `json:"o"` // 0: the hand is one of Shoe.Lost
	PlayerNatural bool         `json:"pn,omitempty"`
	BankerNatural bool         `json:"bn,omitempty"`
	PlayerPair    bool         `json:"pp,omitempty"`
	BankerPair    bool         `json:"bp,omitempty"`
	Free          bool         `json:"free,omitempty"`
	Fixed         bool         `json:"fixed,omitempty"`
	Totals        bool         `json:"totals,omitempty"` // PlayerTotal and BankerTotal are known
	PlayerTotal   uint8        `json:"pt,omitempty"`
	BankerTotal   uint8        `json:"bt,omitempty"`
	Bets          game.BetSet  `json:"bets,omitempty"`
}

// Count is how often something happened in a shoe.
type Count struct {
	N     int `json:"n"`
	Share int `json:"share"` // tenths of a percent of all hands; Player, Banker and Tie add to 1000
	Since int `json:"since"` // hands since it last happened, 0 when it was the last hand; -1 never
}

// Naturals counts two-card totals of 8 or 9.
type Naturals struct {
	Player int `json:"player"` // hands where Player had one (both included)
	Banker int `json:"banker"`
	Both   int `json:"both"`
	Hands  int `json:"hands"` // hands with any
}

// Dealer is what the dealer keys and is told. Lines are the echo's two lines of
// at most 20 characters. On the screen they are small at the end of the
// collection row, unless there is an echo of the dealer's own.
type Dealer struct {
	Lines    [2]string `json:"lines"`
	Entering bool      `json:"entering,omitempty"`  // something is pending
	Asking   bool      `json:"asking,omitempty"`    // a question waits for OK or CLEAR
	Refused  bool      `json:"refused,omitempty"`   // Lines say why the last press was refused
	Told     string    `json:"told,omitempty"`      // what else Lines say: ToldHint and so on; empty: the phase
	Blink    bool      `json:"blink,omitempty"`     // what is pending has waited for long
	OnScreen bool      `json:"on_screen,omitempty"` // there is no echo: the screen shows it
	Proposed *Mark     `json:"proposed,omitempty"`
}

// What Dealer.Told says.
const (
	ToldHint    = "hint"    // what a key did or would do
	ToldSaved   = "saved"   // it is on disk
	ToldWarning = "warning" // what was keyed is not, or a shoe is not to be believed
)

// Fault is something that staff must know, in one sentence.
type Fault struct {
	Code  string `json:"code"`            // "keypad-missing", "not-recording", "clock-not-set", …
	Text  string `json:"text"`            // with what to do
	Staff bool   `json:"staff,omitempty"` // too small for players to care: a mark for the staff

	Began int64  `json:"began,omitempty"`           // Unix milliseconds of its first time; 0: the clock was not set
	Times int    `json:"times,omitempty"`           // how often it has been raised since
	By    string `json:"acknowledged_by,omitempty"` // empty: nobody has acknowledged it

	Ended   bool  `json:"ended,omitempty"`    // it is not there any more
	EndedAt int64 `json:"ended_at,omitempty"` // Unix milliseconds; 0: the clock was not set
}

// Codes of faults that more is made of.
const (
	ConfigCode = "config"    // a refused configuration, beside its ConfigFault
	NoScreen   = "no-screen" // no screen shows the board: only the dealer's own devices can tell
)

// Faults returns recorded faults as a Board shows them.
func Faults(recorded []tracker.Fault) []Fault {
	faults := make([]Fault, len(recorded))
	for i, f := range recorded {
		faults[i] = Fault{Code: f.Code, Text: f.Text, Staff: f.Ended || f.Acknowledged(), Began: wall(f.Raised),
			Times: f.Times, By: f.By, Ended: f.Ended, EndedAt: wall(f.EndedAt)}
	}
	return faults
}

// wall returns a stamp's time, 0 when it cannot be trusted.
func wall(s tracker.Stamp) int64 {
	if !s.Trusted {
		return 0
	}
	return s.Wall
}

// ConfigFault is the first fault of a configuration that was refused.
type ConfigFault struct {
	File string `json:"file"`
	Line int    `json:"line"`
	Key  string `json:"key"`
	Text string `json:"text"`
}

// Sentence returns what is wrong, after the key where one has it.
func (f ConfigFault) Sentence() string {
	if f.Key == "" {
		return f.Text
	}
	return f.Key + ": " + f.Text
}

// Attract holds the texts of the pages between shoes.
type Attract struct {
	On      bool   `json:"on,omitempty"` // 10 s in every 30, after 3 minutes of shuffling
	Message string `json:"message,omitempty"`
	Info    string `json:"info,omitempty"`
	Care    string `json:"care,omitempty"`
}

// KeyState is one key on the technician's keypad page.
type KeyState struct {
	Pos  string `json:"pos"`
	Name string `json:"name,omitempty"`
	Down bool   `json:"down,omitempty"`
	Seen int    `json:"seen,omitempty"` // presses since the page opened
}

// Menu is a page of the technician's menu, or the question of a take-over, whole. It
// takes the place of the board while it is there.
type Menu struct {
	Title string   `json:"title"`
	Lines []string `json:"lines,omitempty"` // those in view, at most a dozen of 44 characters
	// At is the line that the dealer's echo shows, -1 when all lines are in view.
	At      int    `json:"at"`
	Above   bool   `json:"above,omitempty"` // there are lines before those in view
	Below   bool   `json:"below,omitempty"` // and after them
	Hint    string `json:"hint"`            // which key does what
	Working bool   `json:"working,omitempty"`
	Failed  bool   `json:"failed,omitempty"`  // Lines say why it came to nothing
	Asking  bool   `json:"asking,omitempty"`  // a question that must be answered
	Refused string `json:"refused,omitempty"` // why the last press was refused
}

// KeypadTest is the Board.Test of the technician's page for the keypad. It is no
// page of the screen's own test: keys are not stepped through.
const KeypadTest = "keypad"

// testPages are the pages of the screen test in the order in which a technician
// steps through them: how the panel is mounted, its colours and pixels, then two pages
// a language with everything that the board says in it.
var testPages = [...]string{
	"pattern", "rotation", "overscan", "grid", "colours",
	"white", "black", "red", "green", "blue",
	"phases-en", "labels-en", "phases-zh-Hant", "labels-zh-Hant", "phases-zh-Hans", "labels-zh-Hans",
	"phases-vi", "labels-vi", "phases-ko", "labels-ko", "phases-es", "labels-es", "phases-tl", "labels-tl",
}

// TestPages returns the names of the technician's screen pages in their order.
// Board.Test takes one of them, or KeypadTest.
func TestPages() []string { return slices.Clone(testPages[:]) }
