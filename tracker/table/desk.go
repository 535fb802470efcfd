package table

import (
	"log/slog"
	"maps"
	"slices"
	"strings"
	"time"

	"shoeboard/hw"
	"shoeboard/stats"
	"shoeboard/tracker"
	"shoeboard/tracker/console"
	"shoeboard/tracker/game"
	"shoeboard/tracker/menu"
)

// savingAfter is how long a record may be on its way before the board says so.
const savingAfter = time.Second

// maxQueue bounds the decisions that wait behind a record on its way.
const maxQueue = 8

// Setup is what a Desk is built from.
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

// wish is a decision that waits to be recorded.
type wish struct {
	cmds   []tracker.Command
	keys   []string
	source string
	dealer bool        // of the dealer's making: until it is saved OK is refused
	entry  []byte      // what was pending and went into the decision
	told   func(error) // is told that it is on disk, or why it will not be; nil: nobody waits
}

// flight is the record on its way to disk.
type flight struct {
	wish
	events []tracker.Event
	after  tracker.State // with the events folded in
	since  time.Duration
	failed error
}

// Work is what has to be done after a step, in this order.
type Work struct {
	Pending *[]byte       // save this as the pending entry; empty: clear it
	Write   *Write        // append this record
	Roll    bool          // begin a new journal segment with the state as it is now
	Ended   *tracker.Shoe // this shoe has ended: put it into the history
	Tone    console.Tone  // what the dealer hears
	Errand  *menu.Task    // ask the world for this; Done takes what came of it
	Recall  bool          // nobody waits any more for the errand that is out
	Counted bool          // a hand or a shoe is on disk: what a shoe reads next is the next hand
}

// Write is one record to be appended.
type Write struct {
	Record tracker.Record
	At     tracker.Stamp
	Source string
}

// Desk is the table's logic: State and Console, what is on its way, what waits.
// Not safe for more than one goroutine.
type Desk struct {
	setup   Setup
	pads    map[string]console.Map // keys of each source in the game in force
	other   console.Map            // of a source that pads does not name
	state   tracker.State
	console console.Console
	flight  *flight
	queue   []wish
	faults  map[string]sighting
	away    map[string]bool   // keypads that are gone
	there   map[string]bool   // keypads that have come
	stuck   map[string]string // the stuck key of each keypad that has one
	errands errands           // of the technician's menu
	feed    feed              // of the card-reading shoes
	blind   map[string]bool   // echoes that show nothing
	wanted  *Wanted
	scratch string
	rolled  bool // since the last record a segment was begun, and that takes a number
	work    Work
	started time.Duration // when this boot's program began
	record  tracker.Stamp // State.Saved of the hand that was acknowledged last
	acked   tracker.Stamp // and when it was
}

// NewDesk is a Desk in the given state with nothing pending.
func NewDesk(s Setup) *Desk {
	d := &Desk{setup: s, state: s.State, console: console.New(), faults: map[string]sighting{}, away: map[string]bool{}, there: map[string]bool{}, stuck: map[string]string{},
		blind: map[string]bool{}, feed: newFeed(s.State)}
	d.pads, d.other = s.Keys(s.State.Pack())
	d.tellLost()
	d.tellNewer()
	return d
}

// State is the state as recorded.
func (d *Desk) State() tracker.State { return d.state }

// Recording says whether a record is on its way to disk.
func (d *Desk) Recording() bool { return d.flight != nil }

// Work is what the last steps left to do; it is handed out once.
func (d *Desk) Work(now tracker.Stamp) Work {
	d.ask(now)
	d.launch(now)
	d.keepScratch()
	d.recall()
	w := d.work
	d.work = Work{}
	return w
}

func (d *Desk) at(now tracker.Stamp) *console.Context {
	t := &console.Context{State: d.state, Projected: d.coming(), Saved: d.state.Saved, Saving: d.saving(now), Now: now}
	if d.state.Saved == d.record {
		t.Saved = d.acked
	}
	t.Failing = d.flight != nil && d.flight.failed != nil
	t.Unseen = d.unseen()
	if d.state.Review != nil {
		t.ReviewKey = d.reviewKey()
	}
	if d.console.InMenu() {
		t.Tests, t.Faults = stats.TestPages(), d.standing(d.state, now).Faults
	}
	return t
}

// coming is the state once all that is on its way or waits is recorded.
func (d *Desk) coming() tracker.State {
	s := d.state
	if d.flight != nil {
		s = d.flight.after
	}
	for _, w := range d.queue {
		if _, after, err := tracker.Decide(s, w.cmds...); err == nil {
			s = after
		}
	}
	return s
}

// saving: a record of the dealer's is on its way or waits, or any but of faults has been
// for 1 s.
func (d *Desk) saving(now tracker.Stamp) bool {
	if f := d.flight; f != nil && (f.dealer || f.failed != nil || !f.quiet() && now.Mono-f.since >= savingAfter) {
		return true
	}
	return slices.ContainsFunc(d.queue, func(w wish) bool { return w.dealer })
}

// Input takes one event of a source.
func (d *Desk) Input(now tracker.Stamp, e hw.Event) {
	switch e := e.(type) {
	case hw.Press:
		if d.setup.Roles[e.Source] == KeySwitch {
			d.switched(now, e)
			return
		}
		if !e.Down && d.stuck[e.Source] == e.Pos {
			delete(d.stuck, e.Source)
			d.endFault("keypad-" + e.Source)
		}
		b := d.keysOf(e.Source)[e.Pos]
		c, out := d.console.Press(d.at(now), e.Source, e.Pos, b, e.Down)
		d.take(now, c, out, e.Source)
	case hw.Notice:
		switch role := d.setup.Roles[e.Source]; role {
		case Keypad:
			d.notice(now, e)
		case Shoe:
			d.feedNotice(e)
		default:
			d.deviceNotice(role, e)
		}
	default:
		d.feedInput(now, e)
	}
}

// Position is where a keypad that is not configured has a key, by the key's name, a bet's
// id or a digit.
func (d *Desk) Position(key string) (string, bool) { return d.other.Find(key) }

// Echo is what the dealer's echo shows.
func (d *Desk) Echo(now tracker.Stamp) stats.Dealer { return d.console.Echo(d.at(now)) }

// reviewKey returns the sign on the key whose hold is REVIEW where it is the same on all
// keypads, else empty.
func (d *Desk) reviewKey() string {
	pads := slices.Collect(maps.Values(d.pads))
	if len(pads) == 0 {
		pads = []console.Map{d.other}
	}
	for _, keys := range pads {
		if keys["KPASTERISK"].Hold != console.KeyReview {
			return ""
		}
	}
	return "*"
}

func (d *Desk) keysOf(source string) console.Map {
	if m, named := d.pads[source]; named {
		return m
	}
	return d.other
}

// notice: after a source went or lost events nothing of it is held, and what was
// being keyed cannot be trusted.
func (d *Desk) notice(now tracker.Stamp, e hw.Notice) {
	if _, stuck := d.stuck[e.Source]; stuck && (e.Change == hw.Lost || e.Change == hw.Went || e.Change == hw.Faulty) {
		delete(d.stuck, e.Source) // its release may not be told: if it is stuck still, that is
		d.endFault("keypad-" + e.Source)
	}
	was := d.there[e.Source]
	switch e.Change {
	case hw.Came:
		delete(d.away, e.Source)
		d.there[e.Source] = true
		if len(d.away) == 0 {
			d.endFault("keypad-missing")
		}
		d.endFault("keypad-" + e.Source)
		d.endFault("keypad-unknown-" + e.Source)
		return
	case hw.Ghost:
		d.console = d.console.Refuse(d.at(now), &tracker.Refusal{Text: "ONE KEY AT A TIME"})
		d.work.Tone = max(d.work.Tone, console.Refused)
		return
	case hw.Stuck:
		d.stuck[e.Source] = e.Pos
		d.setFault("keypad-"+e.Source, "Key "+e.Pos+" of keypad "+e.Source+" is stuck: free it or change the keypad")
		return
	case hw.Unknown:
		d.setFault("keypad-unknown-"+e.Source, e.Text)
		if d.there[e.Source] && !e.Pad { // it is ignored beside the keypad, and does no harm
			d.endFault("keypad-unknown-" + e.Source)
		}
		return
	case hw.Left:
		d.endFault("keypad-unknown-" + e.Source)
		return
	case hw.Went:
		d.away[e.Source] = true
		delete(d.there, e.Source)
		text := "Keypad missing: plug it in again"
		if e.Wired {
			text = "Keypad does not answer: call a technician"
		}
		if e.Text != "" {
			text += " (" + strings.TrimPrefix(e.Text, "keypad missing: ") + ")"
		}
		d.setFault("keypad-missing", text)
	case hw.Faulty:
		d.setFault("keypad-"+e.Source, "Keypad "+e.Source+": "+e.Text)
	}
	if !was && e.Change != hw.Lost {
		return // it has lost no key: it was not there
	}
	c, out := d.console.Lost(d.at(now), e.Source)
	d.take(now, c, out, e.Source)
}

// take keeps the console and queues its decision.
func (d *Desk) take(now tracker.Stamp, c console.Console, out console.Out, source string) {
	entry := d.entry()
	d.console = c
	d.work.Tone = max(d.work.Tone, out.Tone)
	d.sent(now, out.Task)
	if len(out.Commands) == 0 {
		return
	}
	if d.entry() != nil {
		entry = nil // it is pending still
	}
	w := wish{cmds: out.Commands, keys: out.Keys, source: source, dealer: true, entry: entry}
	if !d.enqueue(w) {
		d.refused(now, w, &tracker.Refusal{Text: "TOO MANY KEYS", Hint: "PLEASE WAIT"})
	}
}

func (d *Desk) enqueue(w wish) bool {
	if len(d.queue) >= maxQueue {
		return false
	}
	d.queue = append(d.queue, w)
	return true
}

// Wish queues commands that do not come from the keypad.
func (d *Desk) Wish(now tracker.Stamp, source string, cmds ...tracker.Command) {
	for i := range cmds {
		cmds[i].At = now
	}
	d.enqueue(wish{cmds: cmds, source: source})
}

// launch puts the next decision that is allowed on its way.
func (d *Desk) launch(now tracker.Stamp) {
	d.tidyFaults(now)
	for d.flight == nil {
		w, some := d.nextWish(now)
		if !some {
			return
		}
		w.cmds = d.abreast(d.state, w.cmds)
		for i := range w.cmds {
			w.cmds[i].Day = d.day(w.cmds[i])
		}
		events, after, err := tracker.Decide(d.state, w.cmds...)
		if err != nil {
			d.refused(now, w, err)
			continue
		}
		d.flight = &flight{wish: w, events: events, after: after, since: now.Mono}
		d.told(events)
		d.work.Write = &Write{Record: tracker.Record{Events: events, Keys: w.keys}, At: w.cmds[0].At, Source: w.source}
	}
}

// nextWish takes the next decision: what was asked for, then what nobody waits for.
func (d *Desk) nextWish(now tracker.Stamp) (wish, bool) {
	if len(d.queue) == 0 {
		return d.faultWish(now)
	}
	w := d.queue[0]
	d.queue = d.queue[1:]
	return w, true
}

// day is the local date for the commands that begin a shoe.
func (d *Desk) day(c tracker.Command) string {
	if d.setup.Day != nil && (c.Kind == tracker.ShoeStarted || c.Kind == tracker.TableOpened) {
		return d.setup.Day(c.At)
	}
	return c.Day
}

// refused tells the dealer why; what no dealer asked for is only logged.
func (d *Desk) refused(now tracker.Stamp, w wish, err error) {
	if d.setup.Log != nil {
		d.setup.Log.Info("refused", "source", w.source, "kind", w.cmds[0].Kind, "why", err)
	}
	if w.dealer {
		if k := w.cmds[0].Kind; w.told == nil && (k == tracker.HandFixed || k == tracker.HandRemoved) {
			d.console = d.console.RefuseFix(d.at(now), err)
		} else {
			d.console = d.console.Refuse(d.at(now), err)
		}
		d.work.Tone = max(d.work.Tone, console.Refused)
	}
	if w.told != nil {
		w.told(err)
	}
}

// Saved says that the record on its way is on disk with this sequence number.
func (d *Desk) Saved(now tracker.Stamp, seq uint64) error {
	f := d.flight
	d.flight, d.rolled = nil, false
	d.endFault(notRecording)
	before, ended := d.state, false
	for i := range f.events {
		f.events[i].At.Seq = seq
		next, err := tracker.Apply(d.state, f.events[i])
		if err != nil {
			return err // Decide allowed it: only a fault of the program gets here
		}
		d.state = next
		if f.events[i].Kind == tracker.HandRecorded {
			d.record, d.acked = d.state.Saved, now
		}
		d.feedFact(f.events[i])
		ended = ended || counts(f.events[i].Kind)
		if f.events[i].Kind == tracker.ShoeStarted {
			d.work.Roll, d.rolled = true, true
			if n := len(before.Shoe.Hands); n > 0 {
				d.work.Ended = d.state.Finished
			}
		}
	}
	d.work.Counted = d.work.Counted || ended
	d.tellLost()
	d.tellNewer()
	if d.state.Pack() != before.Pack() {
		d.pads, d.other = d.setup.Keys(d.state.Pack())
	}
	d.console = d.console.Committed(d.at(now), f.events, f.dealer)
	d.applyWanted(now, ended)
	if f.told != nil {
		d.work.Tone = max(d.work.Tone, console.Ack)
		f.told(nil)
	}
	return nil
}

// Failed says that the record could not be written and will be tried again.
func (d *Desk) Failed(err error) {
	if d.flight != nil {
		d.flight.failed = err
	}
	d.setFault(notRecording, "E21 NOT RECORDING: use paper, call a technician")
}
