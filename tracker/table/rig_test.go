package table_test

import (
	"fmt"
	"strings"
	"sync"
	"time"

	"shoeboard/assets"
	"shoeboard/hw"
	"shoeboard/stats"
	"shoeboard/tracker"
	"shoeboard/tracker/console"
	"shoeboard/tracker/game"
	"shoeboard/tracker/menu"
	"shoeboard/tracker/table"
)

// scene is the table that a rig plays at.
type scene struct {
	game    string
	layout  string
	bets    tracker.BetsMode
	confirm bool
	pairs   bool // the pack marks pairs
	fixes   int  // dealer_fix
	totals  bool // totals are keyed
	quick   bool // no min_hand
}

func (s scene) String() string {
	return fmt.Sprintf("%s/%s/%s", s.game, s.layout, s.bets)
}

// usual is a table as it comes.
func usual() scene {
	return scene{game: "ez-baccarat-panda-8", layout: "numpad-17", bets: tracker.BetsTimer, confirm: true, fixes: 1}
}

// tb is what a rig needs of a test, a property test among them.
type tb interface {
	Helper()
	Failed() bool
	Fatal(args ...any)
	Fatalf(format string, args ...any)
	Error(args ...any)
	Errorf(format string, args ...any)
}

// rig is an Engine with a keypad and a disk that a test drives by hand.
type rig struct {
	t      tb
	engine *table.Engine
	pack   *game.Pack
	keys   console.Map
	now    tracker.Stamp
	scene

	first   tracker.State // before the first record
	disk    []onDisk
	scratch []byte
	away    *table.Write  // the record on its way, nil when none is
	due     time.Duration // when it will be on disk
	slow    time.Duration // how long a record takes
	tone    console.Tone  // loudest since the last press
	lights  table.Indicators
	boots   int
	rolls   int           // segments begun, each with a checkpoint that has a number
	look    func()        // after every step, for a test that wants to see all
	wrote   []table.Write // every record that the engine gave out

	errands []menu.Task // that the menu sent
	recalls int         // and called back

	counted func() // a hand or a shoe was recorded
}

// onDisk is one record as the disk has it.
type onDisk struct {
	payload []byte
	at      tracker.Stamp
}

// opened are the tables already opened, by scene: loading a pack is the dear part.
var opened sync.Map

func openTable(t tb, s scene) (tracker.State, *game.Pack) {
	t.Helper()
	type ready struct {
		state tracker.State
		pack  *game.Pack
	}
	s.layout = ""
	if r, ok := opened.Load(s); ok {
		return r.(ready).state, r.(ready).pack
	}
	_, source, _ := assets.Pack(s.game)
	if s.pairs {
		source = []byte(strings.Replace(string(source), "pair_marks = false", "pair_marks = true", 1))
	}
	settings := tracker.DefaultSettings()
	settings.Bets, settings.Confirm, settings.DealerFix = s.bets, s.confirm, s.fixes
	if s.totals {
		settings.Entry = tracker.EntryTotals
	}
	if s.quick {
		settings.MinHand = 0
	}
	state := tracker.State{}
	for _, c := range []tracker.Command{
		{Kind: tracker.SettingsApplied, Settings: &settings},
		{Kind: tracker.PackInstalled, Source: string(source)},
		{Kind: tracker.TableOpened, Day: "2026-11-30"},
	} {
		c.At = tracker.Stamp{Seq: state.Seq + 1, Boot: "boot-1", Mono: time.Minute}
		events, _, err := tracker.Decide(state, c)
		if err != nil {
			t.Fatal(err)
		}
		if state, err = tracker.Apply(state, events...); err != nil {
			t.Fatal(err)
		}
	}
	opened.Store(s, ready{state, state.Shoe.Pack})
	return state, state.Shoe.Pack
}

// sit is a rig at an open table that shuffles its first shoe.
func sit(t tb, s scene) *rig {
	t.Helper()
	state, pack := openTable(t, s)
	keys, ok := console.Layout(s.layout, pack)
	if !ok {
		t.Fatalf("no layout %s", s.layout)
	}
	r := &rig{t: t, scene: s, pack: pack, keys: keys, first: state, boots: 1,
		now: tracker.Stamp{Boot: "boot-1", Mono: time.Hour, Wall: 1_790_000_000_000, Trusted: true}}
	r.boot(state)
	return r
}

func (r *rig) boot(s tracker.State) {
	r.engine = table.NewEngine(table.Setup{State: s, Keys: r.keysOf, Roles: map[string]table.Role{"shoe": table.Shoe, "key": table.KeySwitch, "echo": table.EchoLines}, Day: func(tracker.Stamp) string { return "2026-11-30" }})
	r.engine.Restart(r.now, r.scratch)
	r.settle()
}

// keysOf are the pad's keys, those of another game when it comes.
func (r *rig) keysOf(p *game.Pack) (map[string]console.Map, console.Map) {
	if p != nil && p.ID != r.pack.ID {
		r.pack = p
		r.keys, _ = console.Layout(r.layout, p)
	}
	return nil, r.keys
}

// deal puts hands into the shoe without keys, an hour ago.
func (r *rig) deal(n int, last string) *rig {
	r.t.Helper()
	s := r.state()
	for i := range n {
		token := "P"
		if i == n-1 {
			token = last
		}
		at := tracker.Stamp{Boot: r.now.Boot, Mono: r.now.Mono - time.Hour, Seq: r.first.Seq + uint64(len(r.disk)) + 1}
		events, _, err := tracker.Decide(s, tracker.Command{Kind: tracker.HandRecorded, Token: token, At: at})
		if err != nil {
			r.t.Fatal(err)
		}
		payload, err := tracker.Record{Events: events}.Marshal()
		if err != nil {
			r.t.Fatal(err)
		}
		r.disk = append(r.disk, onDisk{payload, at})
		if s, err = tracker.Apply(s, events...); err != nil {
			r.t.Fatal(err)
		}
	}
	r.boot(s)
	return r
}

// restart kills the program and starts it anew after a while, in the same boot or
// in another; a record on its way is lost unless it landed.
func (r *rig) restart(landed, sameBoot bool) {
	r.t.Helper()
	if r.away != nil && landed {
		r.land()
	}
	r.away = nil
	r.now.Mono += 8 * time.Second
	if !sameBoot {
		r.boots++
		r.now.Boot = fmt.Sprintf("boot-%d", r.boots)
		r.now.Mono = 20 * time.Second
	}
	r.boot(r.replayed())
}

// replayed is the state that the disk alone gives.
func (r *rig) replayed() tracker.State {
	r.t.Helper()
	s := r.first
	for _, d := range r.disk {
		rec, err := tracker.UnmarshalRecord(d.payload, d.at)
		if err != nil {
			r.t.Fatal(err)
		}
		if s, err = tracker.Apply(s, rec.Events...); err != nil {
			r.t.Fatal(err)
		}
	}
	return s
}

// settle lets the engine go on.
func (r *rig) settle() { r.t.Helper(); r.handle(nil) }

// handle lets the engine handle an event and carries out the effects; a quick disk takes
// the record at once.
func (r *rig) handle(event table.Event) {
	r.t.Helper()
	for {
		fx := r.engine.Handle(r.now, event)
		if fx.Err != nil {
			r.t.Fatal(fx.Err)
		}
		r.carryOut(fx)
		if fx.Write == nil {
			return
		}
		if r.away != nil {
			r.t.Fatal("two records on their way at once")
		}
		r.wrote = append(r.wrote, *fx.Write)
		r.away, r.due = fx.Write, r.now.Mono+r.slow
		if r.slow > 0 {
			return
		}
		event = table.Committed{Seq: r.land()}
		r.away = nil
	}
}

// carryOut does all but the write.
func (r *rig) carryOut(fx table.Effects) {
	r.tone = max(r.tone, fx.Tone)
	r.lights = fx.Indicators
	if fx.Entry != nil {
		r.scratch = *fx.Entry
	}
	if r.look != nil {
		r.look()
	}
	if fx.Counted && r.counted != nil {
		r.counted()
	}
	if fx.Roll {
		r.rolls++
	}
	if fx.Cancel {
		r.recalls++
	}
	if fx.Task != nil {
		r.errands = append(r.errands, *fx.Task)
	}
}

// land puts the record on its way on disk and gives its number.
func (r *rig) land() uint64 {
	r.t.Helper()
	payload, err := r.away.Record.Marshal()
	if err != nil {
		r.t.Fatal(err)
	}
	at := r.away.At
	at.Seq = r.first.Seq + uint64(len(r.disk)+r.rolls) + 1
	r.disk = append(r.disk, onDisk{payload, at})
	return at.Seq
}

// ack lands the record on its way and says so.
func (r *rig) ack() {
	r.t.Helper()
	seq := r.land()
	r.away = nil
	r.handle(table.Committed{Seq: seq})
}

// pass lets time go by; what is due on the way happens when it is due.
func (r *rig) pass(d time.Duration) {
	r.t.Helper()
	until := r.now.Mono + d
	for {
		next, some := r.engine.Next(r.now)
		if r.away != nil && (!some || r.due < next) {
			next, some = r.due, true
		}
		if !some || next > until {
			r.move(until)
			return
		}
		r.move(next)
		if r.away != nil && next >= r.due {
			r.ack()
		} else {
			r.handle(table.Tick{})
		}
	}
}

func (r *rig) move(to time.Duration) {
	r.now.Wall += int64((to - r.now.Mono) / time.Millisecond)
	r.now.Mono = to
}

func (r *rig) pos(key string) string {
	r.t.Helper()
	if key == "pair" { // the pad's way to mark a Banker pair
		key = "PAIR"
		if !r.has(key) {
			key = "BANKER_PAIR"
		}
	}
	pos, ok := r.keys.Find(key)
	if !ok {
		r.t.Fatalf("the keypad has no key %q", key)
	}
	return pos
}

func (r *rig) has(key string) bool {
	_, ok := r.keys.Find(key)
	return ok
}

func (r *rig) edge(key string, down bool) {
	r.t.Helper()
	r.handle(hw.Press{Source: "pad", Pos: r.pos(key), Down: down, At: r.now.Mono})
}

func (r *rig) down(key string) { r.t.Helper(); r.edge(key, true) }
func (r *rig) up(key string)   { r.t.Helper(); r.edge(key, false) }

// held presses one key for as long as said.
func (r *rig) held(key string, d time.Duration) {
	r.t.Helper()
	r.tone = console.Silent
	r.down(key)
	r.pass(d)
	r.up(key)
}

// press presses one key as its name wants it: a tap, or its hold.
func (r *rig) press(key string) {
	r.t.Helper()
	r.held(key, max(60*time.Millisecond, r.keys.HoldOf(key)))
}

// play presses keys at a dealer's pace, never too soon for an OK.
func (r *rig) play(keys string) *rig {
	r.t.Helper()
	for _, key := range strings.Fields(keys) {
		r.press(key)
		r.pass(760 * time.Millisecond)
	}
	return r
}

// wait is pass in a chain.
func (r *rig) wait(d time.Duration) *rig { r.t.Helper(); r.pass(d); return r }

func (r *rig) echo() stats.Dealer { return r.engine.Echo() }

// line is the echo as one text.
func (r *rig) line() string {
	e := r.echo()
	return strings.TrimSuffix(e.Lines[0]+" | "+e.Lines[1], " | ")
}

func (r *rig) state() tracker.State { return r.engine.State() }

// list is the shoe's hands as tokens, free ones with +free behind them.
func (r *rig) list() string {
	words := []string{}
	for _, h := range r.state().Shoe.Hands {
		w := tracker.FormatToken(r.pack, h)
		if h.Free {
			w += "+free"
		}
		words = append(words, w)
	}
	return strings.Join(words, " ")
}

// proposed is the hand being keyed as a token, "" when none is; without a result
// it begins with "-".
func (r *rig) proposed() string {
	d := r.board().Dealer
	if d.Proposed == nil {
		return ""
	}
	m := d.Proposed
	return tokenOf(r.pack, m)
}

func tokenOf(p *game.Pack, m *stats.Mark) string {
	return tracker.FormatToken(p, tracker.Hand{Result: game.Result{Outcome: m.Outcome, PlayerNatural: m.PlayerNatural,
		BankerNatural: m.BankerNatural, PlayerPair: m.PlayerPair, BankerPair: m.BankerPair, Bets: m.Bets}})
}

// wants fails the test unless got is want.
func (r *rig) wants(what, got, want string) {
	r.t.Helper()
	if got != want {
		r.t.Errorf("%s: got %q, want %q (echo %q, hands %q)", what, got, want, r.line(), r.list())
	}
}
