package tracker

// Kind names a fact or a command. The words are in records for ever: a kind may be
// added, never renamed or given another meaning.
type Kind string

// The facts (and, with the same names, the commands that lead to them).
const (
	PackInstalled   Kind = "pack-installed"   // Source, Reason (digest)
	SettingsApplied Kind = "settings-applied" // Settings
	TableOpened     Kind = "table-opened"     // Day
	TableShut       Kind = "table-shut"
	ShoeStarted     Kind = "shoe-started"    // Day, Hand: number of the shoe today
	ShoeTakenBack   Kind = "shoe-taken-back" // the finished shoe goes on
	BetsOpened      Kind = "bets-opened"     // Seconds: the countdown, 0 untimed
	BetsShut        Kind = "bets-shut"       // Reason: "key", "time", "restart", "free"
	ShuffleEnded    Kind = "shuffle-ended"   // mode off: the bar is empty until the first hand
	HandRecorded    Kind = "hand"            // Hand, Token, Free, Hold
	HandFixed       Kind = "hand-fixed"      // Hand, Token, Free, Was; By, Reason: of the floor, as the next three
	HandReplaced    Kind = "hand-replaced"   // as HandFixed, by the dealer alone; not a fix: the doubles question
	HandRemoved     Kind = "hand-removed"    // Hand, Was, By, Reason
	HandInserted    Kind = "hand-inserted"   // Hand, Token, Free, By, Reason
	HandVoided      Kind = "hand-voided"     // Reason
	FreeSet         Kind = "free-hand"       // On; off (up to 0.1): nothing opens
	FreeTakenOff    Kind = "free-taken-off"  // Seconds: what was left of the countdown behind it
	CutSet          Kind = "cut-card"        // Hand: the last hand's number, 0 takes it off
	GamePaused      Kind = "paused"
	GameResumed     Kind = "resumed" // Seconds as BetsOpened when bets were open
	ReviewSet       Kind = "review"  // On

	// Asides: see Event.
	FaultRaised       Kind = "fault-raised"       // Code, Text, Times, Seconds: so long before this record
	FaultEnded        Kind = "fault-ended"        // Code
	FaultAcknowledged Kind = "fault-acknowledged" // Code, By
	Acted             Kind = "acted"              // Code: what was done to the unit; Was, Text: old and new; By
)

// Event is one fact. The comment of its kind names the fields that it uses; all others
// are zero. At is not part of the written form: the journal's envelope has it.
type Event struct {
	Kind     Kind      `json:"k"`
	Hand     int       `json:"n,omitempty"`
	Token    string    `json:"r,omitempty"`
	Was      string    `json:"was,omitempty"`
	Free     bool      `json:"free,omitempty"`
	On       bool      `json:"on,omitempty"`
	Hold     bool      `json:"hold,omitempty"` // nothing opens by itself after this record
	Seconds  int       `json:"s,omitempty"`
	Reason   string    `json:"why,omitempty"`
	Day      string    `json:"day,omitempty"`
	Source   string    `json:"source,omitempty"`
	Settings *Settings `json:"settings,omitempty"`
	Code     string    `json:"code,omitempty"`
	Text     string    `json:"text,omitempty"`
	Times    int       `json:"times,omitempty"`
	By       string    `json:"by,omitempty"`
	// Aside: neither figures nor phase depend on this fact. A program that is older
	// than its kind passes over it, so that an update can be taken back.
	Aside bool  `json:"aside,omitempty"`
	At    Stamp `json:"-"`
}

// newerError reports what a newer program has written and this one may not pass over.
type newerError struct{ What string }

func (e *newerError) Error() string {
	return e.What + ": a newer program has written it, update this one"
}

// Command is a request: the event that it would come to, before Decide has checked
// and completed it.
type Command Event

// Refusal is why a command is not allowed, in words that fit the dealer's echo.
type Refusal struct {
	Text string // at most 20 characters, "SHOE IS OVER"
	Hint string // what to do, at most 20 characters
	Long string // the same where there is room; empty: there is no more to say
}

func (r *Refusal) Error() string {
	switch {
	case r.Long != "":
		return r.Long
	case r.Hint == "":
		return r.Text
	}
	return r.Text + ": " + r.Hint
}

func refuse(text, hint string) error { return &Refusal{Text: text, Hint: hint} }
