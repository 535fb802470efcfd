package console

import (
	"errors"
	"fmt"
	"time"

	"shoeboard/stats"
	"shoeboard/tracker"
	"shoeboard/tracker/game"
	"shoeboard/tracker/menu"
)

// Times of the grammar (design/keying.md). The longer times that a reference
// gives elsewhere (10 s expiry, 1.5 s doubles) yield to these.
const (
	tapWithin     = 400 * time.Millisecond
	chordWithin   = 80 * time.Millisecond
	readKeyed     = 250 * time.Millisecond // how long a keyed hand is shown before an OK counts
	readQuestion  = 700 * time.Millisecond // and a question
	stuckAfter    = 15 * time.Second
	expiresAfter  = 30 * time.Second
	betsLock      = 1500 * time.Millisecond
	reopenWithin  = 15 * time.Second
	noteFor       = 2500 * time.Millisecond
	secondOK      = 2 * time.Second
	betsAfterOK   = 3 * time.Second // by totals: an earlier OK may be the second press of the one that saved
	beepFirst     = 5 * time.Second
	beepSecond    = 15 * time.Second
	fixesOfDealer = 3 // in a shoe; all later ones are the floor's
)

// forEver is later than any moment of a boot.
const forEver = time.Duration(1<<63 - 1)

// Context holds what a Console may know of the table. It is built once a step.
type Context struct {
	State     tracker.State // as recorded
	Totals    bool          // totals are keyed at this table
	Projected tracker.State // as it will be once all that is on its way to disk is recorded
	Saved     tracker.Stamp // when this shoe's last hand was acknowledged
	Saving    bool          // a record of the dealer's is on its way
	Failing   bool          // the record on its way could not be written and is tried again
	Unseen    bool          // no screen shows the board, and nobody has acknowledged that
	Now       tracker.Stamp
	ReviewKey string       // the sign on the key that is REVIEW; empty: its name
	Menu      menu.Context // what an open menu shows; the time and the next task are the Console's
}

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
	// Task is to be started; Finish takes its result. Nil: none.
	Task *menu.Task
}

// note is a message over the echo. An empty line leaves the one below it in sight.
type note struct {
	lines   [2]string
	until   time.Duration // forEver: until the next key
	refused bool
	early   bool   // an OK came too soon and is asked for again
	kind    string // stats.ToldHint and so on; empty: a refusal
}

// notSaved tells the dealer that what he keyed is gone.
const notSaved = "NOT SAVED: KEY AGAIN"

// pending is what waits for OK or CLEAR, and goes as one.
type pending struct {
	mode       state
	hand       game.Result   // the proposal, or the fix being keyed
	seen       shoeHand      // the proposal as a card-reading shoe read it
	early      bool          // its first key came within min_hand of the last record
	isNew      bool          // 0 made it a new hand: no doubles question
	isPast     bool          // 0 made it a hand past the last: no shoe-over question
	unfinished bool          // came back after a restart
	reason     int           // of the void asked about
	fix        int           // number of the hand being fixed
	keyed      bool          // a result or a modifier was keyed in the fix
	fixFree    bool          // the fixed hand is a free hand
	tooFar     bool          // the fix was refused: holding again asks for the same hand
	offered    bool          // the question is a shoe's, not the dealer's
	beeps      int           // reminders given
	endedAt    time.Duration // when FIX ENDED was said to a key, while lapsed; 0: not said yet
	menu       menu.Menu
}

// Console holds what is pending on the dealer's side, and which keys are down. Its zero
// value has nothing pending.
type Console struct {
	pending
	changed time.Duration // when what is pending last changed: it reminds and expires from here
	shown   time.Duration // since when the echo shows it unchanged
	wait    time.Duration // how long it has to stand before OK
	ago     time.Duration // how old the last record was when the doubles question was put; negative: not known
	hold    bool          // after NO RESULT nothing opens by itself
	wrote   time.Duration // when the key before this one saved a hand; 0: it did not
	okAt    time.Duration // when OK last answered something; 0: never
	dropped bool          // what was pending went without the dealer's doing, and he has pressed no key since
	overAt  time.Duration // when BETS was refused after SHOE OVER; 0: it was not
	tasks   int           // how many the menu has started
	note    note
	down    []held
	log     []string
	undo    *Console // before the last key that acted going down
}

// Pending reports whether something of the dealer's waits for OK or CLEAR.
func (c Console) Pending() bool { return c.mode != idle && c.mode < lapsed }

// isKeying reports whether a hand is being composed, a question over it included.
func (c *Console) isKeying() bool { return c.mode >= entry && c.mode <= askShoe }

// isFixing reports whether a recorded hand is open for correction.
func (c *Console) isFixing() bool { return c.mode == fixing || c.mode == removing }

// set begins a mode; what is pending has changed now and has to stand for wait.
func (c *Console) set(t *Context, m state, wait time.Duration) Out {
	now := t.Now.Mono
	c.mode, c.changed, c.shown, c.wait, c.beeps = m, now, now, wait, 0
	return Out{Tone: Ack}
}

func (c *Console) ask(t *Context, m state) Out { return c.set(t, m, readQuestion) }

func (c *Console) clear() { c.pending = pending{} }

// leave drops what is pending unasked, and reports whether a hand was being keyed. A fix
// lapses: its result is never taken for a new hand.
func (c *Console) leave() (unsaved bool) {
	unsaved = c.isKeying()
	lapses := c.isFixing() || c.mode == lapsed || c.mode == askGoesOn
	if c.note.early {
		c.note = note{}
	}
	c.dropped = c.dropped || c.Pending()
	c.clear()
	if lapses {
		c.mode = lapsed
	}
	return unsaved
}

// distrust drops what is pending, because what was keyed may not be what was intended.
func (c *Console) distrust(why string) Out {
	c.undo = nil
	if !c.Pending() {
		return Out{}
	}
	c.leave()
	c.warn(notSaved, why)
	c.note.refused = true
	return Out{Tone: Refused}
}

// warn puts a warning over the echo, until the next key.
func (c *Console) warn(line1, line2 string) {
	c.note = note{lines: [2]string{line1, line2}, until: forEver, kind: stats.ToldWarning}
}

// cover puts a note over the echo. What had not been readable for long enough has to be so after it.
func (c *Console) cover(t *Context, n note) {
	c.uncover(t)
	if n.lines[0] != "" && (c.Pending() || c.mode == inMenu) && t.Now.Mono-c.shown < c.wait {
		c.shown = n.until
	}
	c.note = n
}

func (c *Console) uncover(t *Context) {
	c.note = note{}
	c.shown = min(c.shown, t.Now.Mono)
}

// say puts a message over the echo that is not a refusal.
func (c *Console) say(t *Context, kind, line1, line2 string) Out {
	c.cover(t, note{lines: [2]string{line1, line2}, until: t.Now.Mono + noteFor, kind: kind})
	return Out{Tone: Ack}
}

// refuse says why nothing happened. What is pending stays in sight above a single line.
func (c *Console) refuse(t *Context, line1, line2 string) Out {
	if line2 == "" && c.Pending() {
		line1, line2 = "", line1
	}
	c.cover(t, note{lines: [2]string{line1, line2}, until: t.Now.Mono + noteFor, refused: true})
	return Out{Tone: Refused}
}

// refuseSaving refuses because only one record at a time is on its way.
func (c *Console) refuseSaving(t *Context) Out {
	return c.refuse(t, fmt.Sprintf("SAVING %d", t.State.Shoe.Next()), "PLEASE WAIT")
}

// Refuse shows why the table did not allow what the dealer asked for.
func (c Console) Refuse(t *Context, err error) Console {
	r := &tracker.Refusal{Text: "NOT RECORDED", Hint: "KEY AGAIN OR TECH"}
	errors.As(err, &r)
	c.refuse(t, r.Text, r.Hint)
	return c
}

// RefuseFix ends a correction that was decided and could not be recorded.
func (c Console) RefuseFix(t *Context, err error) Console {
	c.lapse(t)
	return c.Refuse(t, err)
}

// corrections are the words for what became of a hand.
var corrections = map[tracker.Kind]string{tracker.HandFixed: "FIXED", tracker.HandReplaced: "REPLACED",
	tracker.HandInserted: "ADDED", tracker.HandRemoved: "REMOVED"}

// Committed tells the dealer that his decision is on disk, and drops what is pending
// when another game has come (it was composed of the old game's bets), the table has
// closed, or totals are pending where results are keyed from now on.
func (c Console) Committed(t *Context, events []tracker.Event, dealer bool) Console {
	for _, e := range events {
		switch {
		case e.Kind == tracker.PackInstalled:
			c.distrust("ANOTHER GAME NOW")
		case e.Kind == tracker.TableShut:
			c.distrust("TABLE CLOSED")
		case e.Kind == tracker.SettingsApplied && !t.Totals && c.hand.PlayerCards > 0 && (c.keyed || c.isKeying()):
			c.distrust("RESULT KEYS NOW")
		case e.Kind == tracker.TableOpened && c.mode == inMenu:
			c.clear() // the table is in use
		case e.By != "" && e.Hand > 0:
			c.sayFloor(t, e)
		case dealer && e.Kind == tracker.CutSet:
			c.sayCut(t, e.Hand)
		case !dealer || c.Pending():
		case e.Kind == tracker.HandRecorded:
			c.say(t, stats.ToldSaved, savedLine(&t.State), "FIX: HOLD CLEAR 1s")
		case corrections[e.Kind] != "":
			c.say(t, stats.ToldSaved, fmt.Sprintf("%d %s", e.Hand, corrections[e.Kind]), lastLine(&t.State))
		}
	}
	return c
}

// sayCut says what the tap came to and what another would.
func (c *Console) sayCut(t *Context, last int) {
	next := "TAP AGAIN=OFF"
	if n := t.State.NextCut(); n > 0 {
		next = fmt.Sprintf("TAP AGAIN=HAND %d", n)
	}
	c.say(t, stats.ToldHint, cutLine(last), next)
}

// cutLine names the last hand of the shoe.
func cutLine(last int) string {
	if last == 0 {
		return "CUT CARD OFF"
	}
	return fmt.Sprintf("LAST IS HAND %d", last)
}

// sayFloor says what the floor has corrected, until the next key. A proposal stays in
// sight above it, and so does a warning, as that a hand was not saved.
func (c *Console) sayFloor(t *Context, e tracker.Event) {
	if c.mode == lapsed {
		c.clear() // what he could not correct is corrected
	}
	line := fmt.Sprintf("FLOOR %s %d", corrections[e.Kind], e.Hand)
	is := ""
	if e.Kind != tracker.HandRemoved {
		h := t.State.Shoe.Hands[e.Hand-1]
		is = nameOf(t.State.Shoe.Pack, h.Result).in(freeWord[h.Free], "")
	}
	switch {
	case c.Pending():
		c.say(t, "", "", line)
	case c.note.kind != stats.ToldWarning:
		c.cover(t, note{lines: [2]string{line, is}, until: forEver, kind: stats.ToldSaved})
	case c.note.lines[1] == notSaved:
		c.note.lines = [2]string{notSaved, line}
	default:
		c.note.lines[1] = line
	}
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

// finish makes the decision and leaves nothing pending.
func (c *Console) finish(t *Context, cmds ...tracker.Command) Out {
	c.clear()
	switch cmds[len(cmds)-1].Kind {
	case tracker.HandRecorded, tracker.HandVoided, tracker.HandFixed, tracker.HandReplaced, tracker.HandRemoved:
		c.wrote = t.Now.Mono
	}
	switch cmds[0].Kind {
	case tracker.HandRecorded, tracker.HandVoided, tracker.ShoeStarted, tracker.ShoeTakenBack:
		c.hold, c.overAt = false, 0
	}
	return c.decide(t, cmds...)
}
