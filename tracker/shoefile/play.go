package shoefile

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"shoeboard/hw"
	"shoeboard/stats"
	"shoeboard/tracker"
	"shoeboard/tracker/console"
	"shoeboard/tracker/game"
	"shoeboard/tracker/table"
)

// Times of a file that is played: a hand takes 45 s, a tap 60 ms, and from key to
// key 760 ms pass, so that an OK is never too soon.
const (
	handTakes = 45 * time.Second
	tapTakes  = 60 * time.Millisecond
	keyGap    = 760 * time.Millisecond
)

// defaultGame is the game of a file that names none.
const defaultGame = "ez-baccarat-panda-8"

// Setup says on what table files are played.
type Setup struct {
	Pack     func(id string) (source []byte, ok bool) // the rule packs there are
	Layout   string                                   // the keypad of key lines, see console.Layouts
	Settings tracker.Settings
	Game     string // empty: EZ Baccarat
}

// Player plays shoe files on a table of its own.
type Player struct {
	setup   Setup
	engine  *table.Engine
	keys    console.Map
	now     tracker.Stamp
	disk    []entry
	scratch []byte
	boots   int
	presses int
	pace    time.Duration // from key to key
	// Failures are the expectations that did not hold.
	Failures []error
}

// entry is one record of the player's disk.
type entry struct {
	payload []byte
	at      tracker.Stamp
}

// NewPlayer returns a Player at an open table that shuffles its first shoe.
func NewPlayer(s Setup) (*Player, error) {
	if s.Game == "" {
		s.Game = defaultGame
	}
	p := &Player{setup: s, pace: keyGap, now: tracker.Stamp{Mono: time.Hour, Wall: 1_790_000_000_000, Trusted: true}}
	if err := p.boot(); err != nil {
		return nil, err
	}
	if err := p.game(s.Game); err != nil {
		return nil, err
	}
	return p, p.decide(tracker.Command{Kind: tracker.TableOpened})
}

// Play plays f; name is used in errors. It stops at the first step that is
// impossible, and returns an *Error with its line. Expectations that do not hold
// are collected in Failures, and play goes on.
func (p *Player) Play(name string, f File) error {
	for _, s := range f.steps {
		err := s.do(p)
		if err == nil {
			continue
		}
		fault := &Error{name, s.line, err.Error()}
		if unmet := (*unmetError)(nil); !errors.As(err, &unmet) {
			return fault
		}
		p.Failures = append(p.Failures, fault)
	}
	return nil
}

// State returns the state of the table as recorded.
func (p *Player) State() tracker.State { return p.engine.State() }

// Board returns the board of a table without an echo.
func (p *Player) Board() *stats.Board {
	b := &stats.Board{Dealer: stats.Dealer{OnScreen: true}}
	p.engine.Fill(b)
	return b
}

// boot starts the program with what is on disk.
func (p *Player) boot() error {
	p.boots++
	p.now.Boot = fmt.Sprintf("boot-%d", p.boots)
	var s tracker.State
	for _, e := range p.disk {
		r, err := tracker.UnmarshalRecord(e.payload, e.at)
		if err != nil {
			return err
		}
		if s, err = tracker.Apply(s, r.Events...); err != nil {
			return err
		}
	}
	p.engine = table.NewEngine(table.Setup{State: s, Roles: map[string]table.Role{shoeName: table.Shoe},
		Keys: func(*game.Pack) (map[string]console.Map, console.Map) { return nil, p.keys },
		Day:  func(tracker.Stamp) string { return "2026-11-30" }})
	p.engine.Restart(p.now, p.scratch)
	return p.handle(nil)
}

// decide decides commands as one decision; a refusal is an error.
func (p *Player) decide(cmds ...tracker.Command) error {
	if _, _, err := tracker.Decide(p.engine.State(), cmds...); err != nil {
		return err
	}
	p.engine.Request(p.now, "file", cmds...)
	return p.handle(nil)
}

// handle lets the engine handle an event: its disk never fails and takes no time.
func (p *Player) handle(event table.Event) error {
	for {
		fx := p.engine.Handle(p.now, event)
		if fx.Err != nil {
			return fx.Err
		}
		if fx.Entry != nil {
			p.scratch = *fx.Entry
		}
		if fx.Write == nil {
			return nil
		}
		payload, err := fx.Write.Record.Marshal()
		if err != nil {
			return err
		}
		at := fx.Write.At
		at.Seq = uint64(len(p.disk) + 1)
		p.disk = append(p.disk, entry{payload, at})
		event = table.Committed{Seq: at.Seq}
	}
}

// pass lets time go by; whatever is due on the way happens when it is due.
func (p *Player) pass(d time.Duration) error {
	until := p.now.Mono + d
	for {
		next, ok := p.engine.Next(p.now)
		if !ok || next > until {
			p.move(until)
			return nil
		}
		p.move(next)
		if err := p.handle(table.Tick{}); err != nil {
			return err
		}
	}
}

func (p *Player) move(to time.Duration) {
	p.now.Wall += int64((to - p.now.Mono) / time.Millisecond)
	p.now.Mono = to
}

// press holds keys down together; 0 is a tap, or as long as the key's hold takes.
func (p *Player) press(names []string, d time.Duration) error {
	edge := func(pos string, down bool) error {
		return p.handle(hw.Press{Source: "pad", Pos: pos, Down: down, At: p.now.Mono})
	}
	hold := max(d, tapTakes)
	for _, name := range names {
		pos, ok := p.keys.Find(name)
		if !ok {
			return fmt.Errorf("the keypad has no key %q", name)
		}
		if d == 0 {
			hold = max(hold, p.keys.HoldOf(name))
		}
		p.presses++
		if err := edge(pos, true); err != nil {
			return err
		}
		if err := p.pass(10 * time.Millisecond); err != nil {
			return err
		}
	}
	if err := p.pass(hold); err != nil {
		return err
	}
	for _, name := range names {
		pos, _ := p.keys.Find(name)
		if err := edge(pos, false); err != nil {
			return err
		}
	}
	return p.pass(p.pace)
}

// game puts another game on the table.
func (p *Player) game(id string) error {
	source, ok := p.setup.Pack(id)
	if !ok {
		return fmt.Errorf("game %q is not known", id)
	}
	pack, err := game.Load(id, source)
	if err != nil {
		return err
	}
	keys, ok := console.Layout(p.setup.Layout, pack)
	if !ok {
		return fmt.Errorf("keypad %q is not known: expected one of %v", p.setup.Layout, console.Layouts())
	}
	p.keys = keys
	install := tracker.Command{Kind: tracker.PackInstalled, Source: string(source)}
	if p.State().Shoe.Pack == nil {
		return p.decide(tracker.Command{Kind: tracker.SettingsApplied, Settings: &p.setup.Settings}, install)
	}
	return p.decide(install)
}

func (p *Player) decks(n int) error {
	if pack := p.State().Shoe.Pack; n < pack.Decks.Min || n > pack.Decks.Max {
		return fmt.Errorf("decks %d: %s is played with %d to %d", n, pack.Name, pack.Decks.Min, pack.Decks.Max)
	}
	return nil
}

func (p *Player) newShoe() error {
	if p.State().NoHandYet() {
		return nil
	}
	return p.decide(tracker.Command{Kind: tracker.ShoeStarted})
}

// deal deals a hand: the time it takes, then its record.
func (p *Player) deal(token string, free bool) error {
	if err := p.pass(handTakes); err != nil {
		return err
	}
	return p.decide(tracker.Command{Kind: tracker.HandRecorded, Token: token, Free: free || p.State().Free})
}

// correct puts a hand right. A fix leaves the free flag as it was.
func (p *Player) correct(kind tracker.Kind, n int, token string) error {
	c := tracker.Command{Kind: kind, Hand: n, Token: token}
	hands, last := p.State().Shoe.Hands, n
	if n == 0 {
		last = len(hands)
	}
	if kind == tracker.HandFixed && last >= 1 && last <= len(hands) {
		c.Free = hands[last-1].Free
	}
	return p.decide(c)
}

// floor puts a hand right in the name of the floor.
func (p *Player) floor(kind tracker.Kind, n int, token string) error {
	var why error
	c := tracker.Command{Kind: kind, Hand: n, Token: token, By: "floor"}
	if _, err := p.engine.Correct(p.now, c, nil, func(err error) { why = err }); err != nil {
		return err
	}
	return errors.Join(p.handle(nil), why)
}

func (p *Player) void(reason string) error {
	if !slices.Contains(tracker.Reasons(), reason) {
		return fmt.Errorf("void %q: expected one of %q", reason, tracker.Reasons())
	}
	return p.decide(tracker.Command{Kind: tracker.HandVoided, Reason: reason})
}

func (p *Player) pauseOrResume() error {
	if p.State().Phase == tracker.Paused {
		return p.decide(tracker.Command{Kind: tracker.GameResumed})
	}
	return p.decide(tracker.Command{Kind: tracker.GamePaused})
}

func (p *Player) cut() error {
	return p.decide(tracker.Command{Kind: tracker.CutSet, Hand: p.State().NextCut()})
}

// bets does what the key of that name does.
func (p *Player) bets() error {
	s := p.State()
	switch {
	case s.Phase == tracker.Betting:
		return p.decide(tracker.Command{Kind: tracker.BetsShut, Reason: "key"})
	case s.Settings.Bets == tracker.BetsOff && s.Phase == tracker.Shuffling:
		return p.decide(tracker.Command{Kind: tracker.ShuffleEnded})
	}
	return p.decide(tracker.Command{Kind: tracker.BetsOpened, Seconds: s.Settings.Countdown()})
}
