package table

import (
	"log/slog"
	"time"

	"shoeboard/hw"
	"shoeboard/stats"
	"shoeboard/tracker"
	"shoeboard/tracker/console"
	"shoeboard/tracker/game"
	"shoeboard/tracker/menu"
)

// savingAfter is how long a record may be in flight before the board says so.
const savingAfter = time.Second

// maxQueue bounds the decisions that wait for the record in flight.
const maxQueue = 8

// Setup is what an Engine is built from.
type Setup struct {
	State tracker.State              // folded from the record
	Keys  Keys                       // of the keypads
	Roles map[string]Role            // of the sources that are no keypads
	Day   func(tracker.Stamp) string // local date of a stamp, empty when not trusted
	Log   *slog.Logger
}

// Keys says what the positions of each source mean in a game, nil before the first; other
// is for a source that pads does not name. It is asked again for every game.
type Keys func(p *game.Pack) (pads map[string]console.Map, other console.Map)

// Event is what an Engine handles: an hw.Event, one of the types below, or nil, which lets
// it go on after a call of another method.
type Event any

// What else than a device an Engine hears of.
type (
	// Tick says that the moment has come that Next returned.
	Tick struct{}
	// Committed says that the record in flight is on disk, with this sequence number.
	Committed struct{ Seq uint64 }
	// Failed says that the record in flight could not be written and will be tried again.
	Failed struct{ Err error }
	// Finished is the result of the maintenance task with this number.
	Finished struct {
		No     int
		Result menu.Result
	}
)

// Effects is what has to be done after an event, in this order.
type Effects struct {
	Entry      *[]byte      // save this as what is being keyed; empty: clear it
	Tone       console.Tone // for the dealer
	Indicators Indicators
	Cancel     bool          // the maintenance task that runs
	Task       *menu.Task    // start it; its result comes back as Finished
	Counted    bool          // a hand or a shoe is on disk: the next one that a shoe reads is the next hand
	Roll       bool          // begin a new journal segment with the state as it is now
	Ended      *tracker.Shoe // put this shoe into the history
	Write      *Write        // append this record
	Err        error         // a fault of the program: the record does not fold
}

// Write is one record to be appended.
type Write struct {
	Record tracker.Record
	At     tracker.Stamp
	Source string
}

// pending is a decision that waits to be recorded.
type pending struct {
	commands []tracker.Command
	keys     []string
	source   string
	dealer   bool        // the dealer made it: until it is saved OK is refused
	quiet    bool        // it concerns faults alone, and nobody waits for it
	entry    []byte      // what was being keyed and went into the decision
	notify   func(error) // called once it is on disk, or with why it will not be; may be nil
}

// inFlight is the record on its way to disk.
type inFlight struct {
	pending
	facts  []tracker.Event
	seq    uint64        // the number that it is expected to get
	after  tracker.State // with the facts folded in under that number
	since  time.Duration
	failed error
}

// Engine is the table's logic: the state, the console, the decision in flight and those
// that wait. Not safe for more than one goroutine.
type Engine struct {
	setup    Setup
	pads     map[string]console.Map // keys of each source in the game in force
	other    console.Map            // of a source that pads does not name
	state    tracker.State
	console  console.Console
	inFlight *inFlight
	queue    []pending
	faults   map[string]sighting
	there    map[string]bool   // of the keypads that have come or gone: which are there
	stuck    map[string]string // the stuck key of each keypad that has one
	cards    bool              // there is a card-reading shoe
	shoe     shoeInput
	blind    map[string]bool // echoes that show nothing
	turned   map[string]bool // key switches whose key is turned on
	task     task            // of the technician's menu
	config   *Config
	staff    bool          // the unit has staff
	entry    string        // what was being keyed, as it was saved last
	rolled   bool          // since the last record a segment was begun, and that takes a number
	started  time.Duration // when this boot's program began
	saved    tracker.Stamp // State.Saved of the hand that was acknowledged last
	acked    tracker.Stamp // and when it was
	clock    tracker.Stamp // the last moment at which the clock was set
	folder   stats.Folder

	// Of this step:
	now     tracker.Stamp
	known   *console.Context // nil: something has changed since it was made
	echo    stats.Dealer
	effects Effects
}

// NewEngine returns an Engine in the given state with nothing pending.
func NewEngine(s Setup) *Engine {
	e := &Engine{setup: s, state: s.State, clock: s.State.Saved, faults: map[string]sighting{},
		there: map[string]bool{}, stuck: map[string]string{}, blind: map[string]bool{},
		turned: map[string]bool{},
		shoe:   newShoeInput(s.State)}
	e.pads, e.other = s.Keys(s.State.Shoe.Pack)
	for _, role := range s.Roles {
		e.cards = e.cards || role == Shoe
	}
	e.reportLost()
	e.reportNewer()
	return e
}

// State returns the state as recorded.
func (e *Engine) State() tracker.State { return e.state }

// Recording reports whether a record is in flight.
func (e *Engine) Recording() bool { return e.inFlight != nil }

// Echo returns what the dealer's echo shows after the last event.
func (e *Engine) Echo() stats.Dealer { return e.echo }

// Handle takes one event and returns its effects. It is the whole way of a press through
// the table, in one direction; press.md follows it from the key to the pixel.
func (e *Engine) Handle(now tracker.Stamp, event Event) Effects {
	e.now, e.known, e.effects = now, nil, Effects{}
	if shown := e.faults[clockNotSet].here; shown == now.Trusted {
		e.checkClock()
	}

	// What was meant. A decision waits in the queue.
	switch event := event.(type) {
	case hw.Press:
		e.press(event)
	case Committed:
		e.effects.Err = e.commit(event.Seq)
	case Failed:
		e.fail(event.Err)
	case Tick:
		e.tick()
	case Finished:
		e.finishTask(event)
	case hw.Notice:
		e.notice(event)
	case hw.Event:
		e.readShoe(event)
	}
	if e.cards {
		e.askShoe()
	}

	// What is decided, and what of it goes to disk: one record at a time.
	for e.inFlight == nil {
		next, ok := e.nextPending()
		if !ok {
			break
		}
		facts, after, err := tracker.Decide(e.state, next.commands...)
		if err != nil {
			e.refuse(next, err)
			continue
		}
		at := next.commands[0].At
		e.inFlight = &inFlight{pending: next, facts: facts, seq: at.Seq, after: after, since: now.Mono}
		e.effects.Write = &Write{Record: tracker.Record{Events: facts, Keys: next.keys}, At: at, Source: next.source}
		e.known = nil
	}
	e.keepEntry()
	if t := &e.task; t.No != 0 && !t.isCancelled && e.console.Task() != t.No {
		t.isCancelled, e.effects.Cancel = true, true // nothing waits for it any more
	}

	// What is shown. Fill adds it to a Board.
	e.echo = e.console.Echo(e.context())
	e.effects.Indicators = e.indicators()
	return e.effects
}

// keysOf returns the keys of a source.
func (e *Engine) keysOf(source string) console.Map {
	if m, named := e.pads[source]; named {
		return m
	}
	return e.other
}

// press takes a press or a release: the console knows what the dealer means by it.
func (e *Engine) press(p hw.Press) {
	if e.setup.Roles[p.Source] == KeySwitch {
		e.turnKeySwitch(p)
		return
	}
	if !p.Down && e.stuck[p.Source] == p.Pos {
		e.unstick(p.Source)
	}
	c, out := e.console.Press(e.context(), p.Source, p.Pos, e.keysOf(p.Source)[p.Pos], p.Down)
	e.accept(c, out, p.Source)
}

// at begins a step at a moment.
func (e *Engine) at(now tracker.Stamp) {
	if now != e.now {
		e.now, e.known = now, nil
		e.watchClock()
	}
}

// context returns what the console may know of the table. It is made once a step, and
// again where something was decided.
func (e *Engine) context() *console.Context {
	if e.known != nil {
		return e.known
	}
	t := &console.Context{State: e.state, Projected: e.state, Saved: e.state.Saved, Now: e.now,
		Totals: e.state.Settings.Entry == tracker.EntryTotals}
	if f := e.inFlight; f != nil {
		t.Projected, t.Failing = f.after, f.failed != nil
		t.Saving = f.dealer || t.Failing || !f.quiet && e.now.Mono-f.since >= savingAfter
	}
	for _, p := range e.queue {
		t.Saving = t.Saving || p.dealer
		if _, after, err := tracker.Decide(t.Projected, p.commands...); err == nil {
			t.Projected = after
		}
	}
	if e.state.Saved == e.saved {
		t.Saved = e.acked
	}
	if s := e.faults[stats.NoScreen]; s.here {
		f, recorded := e.state.Fault(stats.NoScreen)
		t.Unseen = s.times > 0 || !recorded || !f.Acknowledged()
	}
	if e.state.Review != nil {
		t.ReviewKey = e.reviewKey()
	}
	if e.console.InMenu() {
		t.Menu = menu.Context{Staff: e.staff, KeyOn: len(e.turned) > 0, Tests: stats.TestPages(),
			Faults: e.faultsToAcknowledge(e.state)}
	}
	e.known = t
	return t
}

// accept keeps the console, queues what it decided, and starts what it asks for.
func (e *Engine) accept(c console.Console, out console.Out, source string) {
	before := e.console
	e.console = c
	e.effects.Tone = max(e.effects.Tone, out.Tone)
	if c.InMenu() != before.InMenu() {
		e.known = nil
	}
	if out.Task != nil {
		e.startTask(*out.Task)
	}
	if len(out.Commands) == 0 {
		return
	}
	p := pending{commands: out.Commands, keys: out.Keys, source: source, dealer: true}
	if t := e.context(); c.Save(t) == nil {
		p.entry = before.Save(t)
	}
	if len(e.queue) >= maxQueue {
		e.refuse(p, &tracker.Refusal{Text: "TOO MANY KEYS", Hint: "PLEASE WAIT"})
		return
	}
	e.queue, e.known = append(e.queue, p), nil
}

// enqueue queues a decision that is not the dealer's, and reports whether there was room.
func (e *Engine) enqueue(p pending) bool {
	hasRoom := len(e.queue) < maxQueue
	if hasRoom {
		e.queue, e.known = append(e.queue, p), nil
	}
	return hasRoom
}

// Request queues commands that do not come from the keypad.
func (e *Engine) Request(now tracker.Stamp, source string, commands ...tracker.Command) {
	e.at(now)
	for i := range commands {
		commands[i].At = now
	}
	e.enqueue(pending{commands: commands, source: source})
}

// nextPending returns the decision to be made next, of faults when nothing else waits, for
// the number that its record is going to have.
func (e *Engine) nextPending() (next pending, ok bool) {
	switch {
	case len(e.queue) > 0:
		next, ok = e.queue[0], true
		e.queue, e.known = e.queue[1:], nil
	case len(e.faults) > 0 || len(e.state.Faults) > 0:
		next, ok = e.nextFault()
	}
	if ok && next.commands[0].Kind == tracker.FaultAcknowledged {
		c := next.commands[0] // who acknowledges has seen on the board what is not recorded yet
		next.commands = append(e.unrecorded(c.Code, c.At, true), c)
		e.countRecorded(c.Code)
	}
	for i := range next.commands {
		c := &next.commands[i]
		if c.At.Seq = e.state.Seq + 1; e.rolled {
			c.At.Seq++
		}
		if e.setup.Day != nil && (c.Kind == tracker.ShoeStarted || c.Kind == tracker.TableOpened) {
			c.Day = e.setup.Day(c.At)
		}
	}
	return next, ok
}

// refuse tells the dealer why; what no dealer asked for is only logged.
func (e *Engine) refuse(p pending, err error) {
	kind := p.commands[0].Kind
	if e.setup.Log != nil {
		e.setup.Log.Info("refused", "source", p.source, "kind", kind, "why", err)
	}
	if p.dealer {
		if p.notify == nil && (kind == tracker.HandFixed || kind == tracker.HandRemoved) {
			e.console = e.console.RefuseFix(e.context(), err)
		} else {
			e.console = e.console.Refuse(e.context(), err)
		}
		e.effects.Tone = max(e.effects.Tone, console.Refused)
	}
	if p.notify != nil {
		p.notify(err)
	}
}

// commit goes on with the state after the record in flight, which is on disk.
func (e *Engine) commit(seq uint64) (err error) {
	f, before := e.inFlight, e.state
	e.inFlight, e.rolled, e.known, e.state = nil, false, nil, f.after
	if seq != f.seq {
		for i := range f.facts {
			f.facts[i].At.Seq = seq
		}
		if e.state, err = tracker.Apply(before, f.facts...); err != nil {
			return err // Decide has folded them: only a fault of the program gets here
		}
	}
	if e.faults[notRecording].here {
		e.endFault(notRecording)
	}
	ended := false
	for _, fact := range f.facts {
		if e.cards {
			e.shoe.record(e, fact)
		}
		if fact.Kind != tracker.HandRecorded || fact.Hand == 1 { // later hands lack nothing new
			e.reportLost()
			e.reportNewer()
		}
		switch fact.Kind {
		case tracker.HandRecorded:
			e.saved, e.acked, ended = e.state.Saved, e.now, true
		case tracker.HandVoided:
			ended = true
		case tracker.ShoeStarted:
			e.effects.Roll, e.rolled, ended = true, true, true
			if len(before.Shoe.Hands) > 0 {
				e.effects.Ended = &before.Shoe
			}
		}
	}
	e.effects.Counted = ended
	if e.state.Shoe.Pack != before.Shoe.Pack {
		e.pads, e.other = e.setup.Keys(e.state.Shoe.Pack)
	}
	e.console = e.console.Committed(e.context(), f.facts, f.dealer)
	if e.config != nil {
		e.applyConfig(ended)
	}
	if f.notify != nil {
		e.effects.Tone = max(e.effects.Tone, console.Ack)
		f.notify(nil)
	}
	return nil
}

// fail shows that the record in flight cannot be written.
func (e *Engine) fail(err error) {
	if e.inFlight != nil {
		e.inFlight.failed, e.known = err, nil
	}
	e.SetFault(e.now, notRecording, "E21 NOT RECORDING: use paper, call a technician")
}
