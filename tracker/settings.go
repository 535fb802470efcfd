package tracker

// BetsMode says how betting time is kept (design/keying.md, "Bets and the timer").
type BetsMode string

// The three modes.
const (
	BetsOff   BetsMode = "off"   // the bar keeps the last result until the next
	BetsClose BetsMode = "close" // bets show as open again after a result; BETS closes them
	BetsTimer BetsMode = "timer" // BETS opens and starts the countdown
)

// EntryMode says what the dealer keys of a hand (design/keying.md).
type EntryMode string

// The two modes. A record from before there were two has none, which means results.
const (
	EntryResults EntryMode = "results" // who won, and with what
	EntryTotals  EntryMode = "totals"  // both totals, and which of them are on three cards
)

// Limit is the least and most that may be wagered on some bets. Amounts in cents.
type Limit struct {
	Bets []string `json:"bets"` // "player", "banker" or ids of the pack's bets
	Min  int      `json:"min"`
	Max  int      `json:"max"`
}

// Rate is one posted collection fee. Exactly one of a range of wagers, Bets and
// PlayerDealer says what it is taken for. Amounts in cents; a fee is never a
// share of a wager (GEGR-001174, GEGR-002117).
type Rate struct {
	From         int      `json:"from,omitempty"`
	To           int      `json:"to,omitempty"`
	Bets         []string `json:"bets,omitempty"`
	PlayerDealer bool     `json:"player_dealer,omitempty"`
	Fee          int      `json:"fee"`
}

// Settings are the settings of the table in force. They come in by an event, so
// that a replay sees what was in force then.
type Settings struct {
	Table      string    `json:"table"`           // "14"
	Venue      string    `json:"venue,omitempty"` // the house's name
	Limits     []Limit   `json:"limits,omitempty"`
	Collection []Rate    `json:"collection,omitempty"` // the one schedule in force, at most five rates
	Decks      int       `json:"decks,omitempty"`      // in the shoe; 0: not known
	Bets       BetsMode  `json:"bets"`
	BetSeconds int       `json:"bet_seconds"`    // countdown of a timed betting round, s
	Reopen     int       `json:"reopen_seconds"` // countdown after a reopening, s
	AutoOpen   int       `json:"auto_open"`      // mode close: bets show as open again after a result, s
	MinHand    int       `json:"min_hand"`       // no two hands are nearer than this, s
	Entry      EntryMode `json:"entry,omitempty"`
	Confirm    bool      `json:"confirm"`     // a result needs OK
	DealerFix  int       `json:"dealer_fix"`  // how many hands back a dealer may fix, 0 to 3
	Tail       string    `json:"tail"`        // "gravity" or "stay" (rules/roads.md)
	LeadingTie string    `json:"leading_tie"` // "overlay" or "own_column"
	AskMarks   bool      `json:"ask_marks,omitempty"`
	Message    string    `json:"message,omitempty"` // house message of the attract pages
	InfoLine   string    `json:"info_line,omitempty"`
	CareLine   string    `json:"care_line,omitempty"`
}

// DefaultSettings returns the defaults of design/keying.md and rules/roads.md.
func DefaultSettings() Settings {
	return Settings{
		Table: "1", Decks: 8, Bets: BetsTimer, BetSeconds: 20, Reopen: 10, AutoOpen: 20, MinHand: 12,
		Entry: EntryResults, Confirm: true, DealerFix: 1, Tail: "gravity", LeadingTie: "overlay",
		InfoLine: "This board is for information. Cards and the dealer's call decide.",
		CareLine: "Gambling problem? Call 1-800-GAMBLER.",
	}
}

// Countdown returns the length of a new betting round in seconds, 0 when it is untimed.
func (s Settings) Countdown() int {
	if s.Bets == BetsTimer {
		return s.BetSeconds
	}
	return 0
}
