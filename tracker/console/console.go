package console

import (
	"errors"
	"slices"
	"time"

	"shoeboard/tracker"
	"shoeboard/tracker/game"
	"shoeboard/tracker/menu"
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
	secondOK     = 2 * time.Second
	beepFirst    = 5 * time.Second
	beepSecond   = 15 * time.Second
)

// fixesOfDealer is how many fixes a shoe may have before they are the floor's.
const fixesOfDealer = 3

// forEver is later than any moment of a boot.
const forEver = time.Duration(1<<63 - 1)

// mode is what is pending. What the table does when nothing is stands in tracker.State.
type mode uint8

const (
	idle mode = iota
	entry
	askSame
	askReplace
	askShoeOver
	askShoe // the shoe read another hand than was keyed
	askVoid
	askNewShoe
	askClose
	askGoesOn
	askOpen
	noResult
	fixing
	removing
	lapsed
	inMenu // the technician's
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

// Told is what kind of message stands on the echo. It means what its tone means, for
// those who do not hear it.
type Told string

// The kinds of message. A refusal is Echo.Refused.
const (
	ToldNothing Told = ""
	ToldHint    Told = "hint"    // what a key did or would do
	ToldSaved   Told = "saved"   // it is on disk
	ToldWarning Told = "warning" // it is not, or a shoe is not to be believed
)

// Out is what came of a press or of time passing.
type Out struct {
	// Commands are one decision: all of them or none. Empty: nothing to record.
	Commands []tracker.Command
	// Keys are the presses that led to the decision, newest last.
	Keys []string
	Tone Tone
	// Errand asks the world for something; Answered takes what came of it. Nil: nothing.
	Errand *menu.Task
}

// Context is what a Console knows of the table with every press.
type Context struct {
	State     tracker.State // as recorded
	Projected tracker.State // as it will be once all that is on its way to disk is recorded
	Saved     tracker.Stamp // when this shoe's last hand was acknowledged
	Saving    bool          // a record of the dealer's is on its way
	Failing   bool          // the record on its way could not be written and is tried again
	Unseen    bool          // no screen shows the board, and nobody has acknowledged that
	Now       tracker.Stamp
	Tests     []string        // names of the pages of the screen test
	Faults    []tracker.Fault // that stand, those that the record has not been told of yet among them

	ReviewKey string // what is printed on the key that is REVIEW; empty: its name
}

// held is a key that is down.
type held struct {
	source, pos string
	binding     Binding
	at          time.Duration
	fired       bool // its hold has acted, or it acted going down
	refused     bool // it went down with another: its release does nothing
	stuck       bool // ignored until it is let go
	deferred    bool // acts when let go or after chordWithin
	result      bool // with confirm off, letting it go records
}

// notSaved is what the dealer is told of what he keyed and what is gone.
const notSaved = "NOT SAVED: KEY AGAIN"

// note is a message over the echo. An empty line leaves what stands there.
type note struct {
	lines   [2]string
	until   time.Duration // forEver: until the next key
	refused bool
	early   bool // an OK is asked for again
	told    Told
}

// Console is the dealer's side of the table: what is pending and which keys are down.
type Console struct {
	grammar *[rows][columns]string

	mode       mode
	hand       game.Result   // the proposal, or the fix being keyed
	seen       shoeHand      // the proposal as a card-reading shoe read it
	changed    time.Duration // when what is pending last changed: it reminds and expires from here
	shown      time.Duration // since when it stands on the echo unchanged
	wait       time.Duration // how long it has to stand before OK
	beeps      int           // reminders given
	early      bool          // its first key came within min_hand of the last record
	ago        time.Duration // how old that record was when the doubles question was put; negative: not known
	isNew      bool          // 0 made it a new hand: no doubles question
	isPast     bool          // 0 made it a hand past the last: no shoe-over question
	unfinished bool          // came back after a restart
	reason     int           // of the void asked about
	fix        int           // number of the hand being fixed
	keyed      bool          // a result or a modifier was keyed in the fix
	fixFree    bool          // the fixed hand is a free hand
	hold       bool          // after NO RESULT nothing opens by itself

	tooFar   bool          // the fix was refused: holding again asks for the same hand
	offered  bool          // the question is a shoe's, not the dealer's
	endedAt  time.Duration // when FIX ENDED was said to a key, while lapsed; 0: not yet
	wrote    time.Duration // when the key before this one saved a hand; 0: it did not
	okAt     tracker.Stamp // of the last OK that answered something
	dropped  bool          // what was pending went without the dealer's doing, and he has pressed no key since
	overSaid bool          // BETS was refused after SHOE OVER
	overAt   time.Duration // when

	menu    menuState // where the technician stands, and what he waits for
	errands int       // how many went out

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

// Pending says whether something of the dealer's waits for OK or CLEAR.
func (c Console) Pending() bool { return c.mode != idle && c.mode < lapsed }

// Asking says whether a question waits.
func (c Console) Asking() bool { return c.mode >= askSame && c.mode <= noResult || c.mode == removing }

// keying says whether a hand is being composed, a question over it included.
func (c *Console) keying() bool { return c.mode >= entry && c.mode <= askShoe }

// fixes says whether a recorded hand is open for correction.
func (c *Console) fixes() bool { return c.mode == fixing || c.mode == removing }

// row is where c stands in the state table.
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
		if c.keyed || c.freeKeyed(t) {
			return rowFixKeyed
		}
		return rowFix
	}
	return [...]row{askSame: rowSame, askReplace: rowReplace, askShoeOver: rowShoeOver, askShoe: rowShoe, askVoid: rowVoid,
		askNewShoe: rowQuestion, askClose: rowQuestion, askGoesOn: rowGoesOn, askOpen: rowOpen,
		noResult: rowNoResult, removing: rowRemove, lapsed: rowLapsed, inMenu: rowMenu}[c.mode]
}

// phaseRow is the row when nothing is pending.
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

// set begins a mode; what is pending has changed now and has to stand for wait.
func (c *Console) set(m mode, wait time.Duration, now time.Duration) {
	c.mode, c.changed, c.shown, c.wait, c.beeps = m, now, now, wait, 0
}

// clear drops everything pending.
func (c *Console) clear() {
	c.mode, c.hand, c.early, c.isNew, c.isPast, c.unfinished = idle, game.Result{}, false, false, false, false
	c.seen, c.menu = shoeHand{}, menuState{}
	c.fix, c.keyed, c.fixFree, c.beeps, c.endedAt, c.tooFar, c.offered = 0, false, false, 0, 0, false, false
}

// leave drops everything pending where the dealer did not ask for it: a fix
// lapses, so that its result is never taken for a new hand.
func (c *Console) leave() {
	lapses := c.fixes() || c.mode == lapsed || c.mode == askGoesOn
	if c.note.early {
		c.note = note{}
	}
	c.dropped = c.dropped || c.Pending()
	c.clear()
	if lapses {
		c.mode = lapsed
	}
}

// cover puts a note over the echo. What was pending and had not stood long enough
// when it was covered has to stand anew after.
func (c *Console) cover(t *Context, n note) {
	c.uncover(t.Now.Mono)
	if n.lines[0] != "" && (c.Pending() || c.mode >= inMenu) && t.Now.Mono-c.shown < c.wait {
		c.shown = n.until
	}
	c.note = n
}

// uncover takes the note away.
func (c *Console) uncover(now time.Duration) {
	c.note = note{}
	c.shown = min(c.shown, now)
}

// say puts a message over the echo that is not a refusal.
func (c *Console) say(t *Context, line1, line2 string) {
	c.cover(t, note{lines: [2]string{line1, line2}, until: t.Now.Mono + noteFor, told: ToldHint})
}

// refuse says why nothing happened; what is pending stays.
func (c *Console) refuse(t *Context, line1, line2 string) Out {
	c.cover(t, note{lines: [2]string{line1, line2}, until: t.Now.Mono + noteFor, refused: true})
	return Out{Tone: Refused}
}

// refuseBelow says why nothing happened, in the second line when something is
// pending: the dealer goes on seeing what was keyed.
func (c *Console) refuseBelow(t *Context, why string) Out {
	if c.Pending() {
		return c.refuse(t, "", why)
	}
	return c.refuse(t, why, "")
}

// decide makes the commands one decision, with the presses that led to it. While
// something is pending its presses wait for its own record.
func (c *Console) decide(t *Context, cmds ...tracker.Command) Out {
	for i := range cmds {
		cmds[i].At = t.Now
	}
	keys := c.log
	if c.Pending() {
		keys = keys[max(0, len(keys)-1):]
	} else {
		c.log = nil
	}
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
func (c Console) Refuse(t *Context, err error) Console {
	var r *tracker.Refusal
	switch {
	case !errors.As(err, &r):
		c.refuse(t, "NOT RECORDED", "KEY AGAIN OR TECH")
	case r.Hint == "":
		c.refuseBelow(t, r.Text)
	default:
		c.refuse(t, r.Text, r.Hint)
	}
	return c
}
