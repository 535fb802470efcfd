package console

import (
	"errors"
	"slices"
	"time"

	"shoeboard/tracker"
	"shoeboard/tracker/game"
)

// Times of the grammar (design/keying.md). The longer times that a reference
// gives elsewhere (10 s expiry, 1.5 s doubles) yield to these.
const (
	tapWithin    = 400 * time.Millisecond
	chordWithin  = 80 * time.Millisecond
	standsFor    = 250 * time.Millisecond
	standsAfterQ = 700 * time.Millisecond
	stuckAfter   = 15 * time.Second
	expiresAfter = 30 * time.Second
	betsLock     = 1500 * time.Millisecond
	reopenWithin = 15 * time.Second
	noteFor      = 2500 * time.Millisecond
	beepFirst    = 5 * time.Second
	beepSecond   = 15 * time.Second
)

// mode is what is pending. What the table does when nothing is stands in tracker.State.
type mode uint8

const (
	idle mode = iota
	entry
	askSame
	askReplace
	askShoeOver
	askVoid
	askNewShoe
	askClose
	askGoesOn
	askOpen
	noResult
	fixing
	removing
	lapsed
)

// Tone is what the dealer hears.
type Tone uint8

// The tones, quietest first.
const (
	Silent  Tone = iota
	Ack          // the press acted
	Refused      // the press was refused: another tone
	Remind       // a proposal waits
)

// Out is what came of a press or of time passing.
type Out struct {
	// Commands are one decision: all of them or none. Empty: nothing to record.
	Commands []tracker.Command
	// Keys are the presses that led to the decision, newest last.
	Keys []string
	Tone Tone
}

// Table is what a Console is told with every press: the State, whether a record of
// the dealer's is on its way to disk, and the time.
type Table struct {
	State  tracker.State
	Saving bool
	Now    tracker.Stamp
}

// held is a key that is down.
type held struct {
	source, pos string
	binding     Binding
	at          time.Duration
	fired       bool // its hold has acted, or it acted going down
	dead        bool // refused or stuck: its release does nothing
	deferred    bool // acts when let go or after chordWithin
}

// note is a message that covers the echo.
type note struct {
	lines   [2]string
	until   time.Duration // 0: until the next key
	refused bool
}

// Console is the dealer's side of the table: what is pending and which keys are down.
type Console struct {
	grammar *[rows][columns]string

	mode       mode
	hand       game.Result   // the proposal, or the fix being keyed
	since      time.Duration // when what is pending last changed
	wait       time.Duration // how long it has to stand before OK
	firstKey   time.Duration // first key of the proposal
	beeps      int           // reminders given
	isNew      bool          // 0 made it a new hand: no doubles question
	isPast     bool          // 0 made it a hand past the last: no shoe-over question
	unfinished bool          // came back after a restart
	reason     int           // of the void asked about
	fix        int           // number of the hand being fixed
	keyed      bool          // something was keyed in the fix
	fixFree    bool          // the fixed hand is a free hand
	hold       bool          // after NO RESULT nothing opens by itself
	overSaid   bool          // BETS was refused once after SHOE OVER

	note note
	down []held
	log  []string
	undo *Console // before the last key that acted going down
}

// New is a Console with nothing pending.
func New() Console {
	g := grammar()
	return Console{grammar: &g}
}

// Pending says whether something waits for OK or CLEAR.
func (c Console) Pending() bool { return c.mode != idle && c.mode != lapsed }

// Asking says whether a question waits.
func (c Console) Asking() bool { return c.mode >= askSame && c.mode <= noResult || c.mode == removing }

// row is where c stands in the state table.
func (c *Console) row(t Table) row {
	if t.Saving && (c.mode == idle || c.mode == entry || c.mode == lapsed) {
		return rowSaving
	}
	switch c.mode {
	case entry:
		if c.hand.Outcome == game.NoOutcome {
			return rowModifiers
		}
		return rowProposal
	case fixing:
		if c.keyed {
			return rowFixKeyed
		}
		return rowFix
	case askClose, askGoesOn, askNewShoe:
		return rowQuestion
	case idle:
		return phaseRow(t)
	}
	return map[mode]row{askSame: rowSame, askReplace: rowReplace, askShoeOver: rowShoeOver, askVoid: rowVoid,
		askOpen: rowOpen, noResult: rowNoResult, removing: rowRemove, lapsed: rowLapsed}[c.mode]
}

// phaseRow is the row when nothing is pending.
func phaseRow(t Table) row {
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

// set begins a mode; what is pending has changed now and has to stand for wait.
func (c *Console) set(m mode, wait time.Duration, now time.Duration) {
	c.mode, c.since, c.wait, c.beeps = m, now, wait, 0
}

// clear drops everything pending.
func (c *Console) clear() {
	c.mode, c.hand, c.isNew, c.isPast, c.unfinished = idle, game.Result{}, false, false, false
	c.fix, c.keyed, c.fixFree, c.beeps = 0, false, false, 0
}

// refuse says why nothing happened. What is pending stays; had it not stood long
// enough before the note covered it, it has to stand anew after.
func (c *Console) refuse(t Table, line1, line2 string) Out {
	now := t.Now.Mono
	if c.Pending() && now-c.since < c.wait {
		c.since = now + noteFor
	}
	c.note = note{lines: [2]string{line1, line2}, until: now + noteFor, refused: true}
	return Out{Tone: Refused}
}

// decide makes the commands one decision, with the presses that led to it.
func (c *Console) decide(t Table, cmds ...tracker.Command) Out {
	for i := range cmds {
		cmds[i].At = t.Now
	}
	keys := c.log
	c.log = nil
	return Out{Commands: cmds, Keys: keys, Tone: Ack}
}

// logKey keeps the press for the record, the last dozen of them.
func (c *Console) logKey(name string) {
	c.log = append(slices.Clip(c.log), name)
	if len(c.log) > 12 {
		c.log = c.log[len(c.log)-12:]
	}
}

// Refuse shows why the table did not allow what the dealer asked for.
func (c Console) Refuse(t Table, err error) Console {
	var r *tracker.Refusal
	if errors.As(err, &r) {
		c.refuse(t, r.Text, r.Hint)
	} else {
		c.refuse(t, "NOT RECORDED", "KEY AGAIN OR TECH")
	}
	return c
}
