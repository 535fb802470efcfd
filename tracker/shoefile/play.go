package shoefile

import (
	"fmt"
	"time"

	"shoeboard/hw"
	"shoeboard/stats"
	"shoeboard/tracker"
	"shoeboard/tracker/console"
	"shoeboard/tracker/game"
	"shoeboard/tracker/table"
)

// Times of a file that is played: a hand takes 45 s, a tap 60 ms, and from key to
// key 750 ms pass, so that an OK is never too soon.
const (
	handTakes = 45 * time.Second
	tapTakes  = 60 * time.Millisecond
	keyGap    = 760 * time.Millisecond
)

// DefaultGame is the game of a file that names none.
const DefaultGame = "ez-baccarat-panda-8"

// Setup says on what table files are played.
type Setup struct {
	Pack     func(id string) (source []byte, ok bool) // the rule packs there are
	Layout   string                                   // the keypad of key lines, see console.Layouts
	Settings tracker.Settings
	Game     string // DefaultGame when empty
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

// NewPlayer is a Player at an open table that shuffles its first shoe.
func NewPlayer(s Setup) (*Player, error) {
	if s.Game == "" {
		s.Game = DefaultGame
	}
	p := &Player{setup: s, pace: keyGap, now: tracker.Stamp{Mono: time.Hour, Wall: 1_790_000_000_000, Trusted: true}}
	if err := p.boot(); err != nil {
		return nil, err
	}
	if err := p.game(s.Game); err != nil {
		return nil, err
	}
	return p, p.wish(tracker.Command{Kind: tracker.TableOpened})
}

// boot starts the program anew with what is on disk.
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
	p.engine = table.NewEngine(table.Setup{State: s, Keys: func(*game.Pack) (map[string]console.Map, console.Map) { return nil, p.keys }, Roles: map[string]table.Role{shoeName: table.Shoe}, Day: func(tracker.Stamp) string { return "2026-11-30" }})
	p.engine.Restart(p.now, p.scratch)
	return p.handle(nil)
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
	if p.engine.State().Pack() == nil {
		settings := p.setup.Settings
		return p.wish(tracker.Command{Kind: tracker.SettingsApplied, Settings: &settings},
			tracker.Command{Kind: tracker.PackInstalled, Source: string(source)})
	}
	return p.wish(tracker.Command{Kind: tracker.PackInstalled, Source: string(source)})
}

// wish asks for commands as one decision; a refusal is an error.
func (p *Player) wish(cmds ...tracker.Command) error {
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

// press holds keys down together.
func (p *Player) press(k Press) error {
	hold := max(k.Hold, tapTakes)
	for _, name := range k.Names {
		pos, ok := p.keys.Find(name)
		if !ok {
			return fmt.Errorf("the keypad has no key %q", name)
		}
		if k.Hold == 0 {
			hold = max(hold, p.keys.HoldOf(name))
		}
		p.presses++
		if err := p.edge(pos, true); err != nil {
			return err
		}
		if err := p.pass(10 * time.Millisecond); err != nil {
			return err
		}
	}
	if err := p.pass(hold); err != nil {
		return err
	}
	for _, name := range k.Names {
		pos, _ := p.keys.Find(name)
		if err := p.edge(pos, false); err != nil {
			return err
		}
	}
	return p.pass(p.pace)
}

func (p *Player) edge(pos string, down bool) error {
	return p.handle(hw.Press{Source: "pad", Pos: pos, Down: down, At: p.now.Mono})
}

// State is the state of the table as recorded.
func (p *Player) State() tracker.State { return p.engine.State() }

// Board returns the board of a table without an echo.
func (p *Player) Board() *stats.Board {
	b := &stats.Board{Dealer: stats.Dealer{OnScreen: true}}
	p.engine.Fill(b)
	return b
}
