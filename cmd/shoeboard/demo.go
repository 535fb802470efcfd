package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"shoeboard/cmd/internal/clock"
	"shoeboard/cmd/internal/config"
	"shoeboard/cmd/internal/core"
	"shoeboard/cmd/internal/datadir"
	"shoeboard/cmd/internal/maintenance"
	"shoeboard/cmd/internal/version"
	"shoeboard/cmd/internal/view"
	"shoeboard/display"
	"shoeboard/display/termview"
	"shoeboard/hw"
	"shoeboard/tracker"
	"shoeboard/tracker/console"
	"shoeboard/tracker/game"
	"shoeboard/tracker/history"
	"shoeboard/tracker/journal"
	"shoeboard/tracker/localapi"
)

type demoVerb struct {
	Game     string  `help:"ez-baccarat-panda-8 or dai-bacc; the default is the configuration's." placeholder:"ID"`
	Table    string  `help:"Number of the table." default:"14"`
	Data     string  `help:"Keep the record in this folder, not a temporary one." type:"path" placeholder:"DIR"`
	Socket   string  `help:"Also serve the board on this socket." type:"path" placeholder:"PATH"`
	Auto     bool    `help:"Deal without a dealer."`
	Speed    float64 `help:"How many times faster than at a table to deal." default:"1"`
	Seed     uint64  `help:"Seed of the shuffle; 0: random." default:"0"`
	Shoes    int     `help:"Stop after this many shoes; 0: never." default:"0"`
	Full     bool    `help:"Use the whole screen."`
	Print    bool    `help:"Print the board as text at the end."`
	NoWindow bool    `help:"Open no window."`
	PNG      string  `help:"Draw the board into this file at the end." type:"path" placeholder:"OUT"`
}

// Run runs core and screen in one process.
func (v *demoVerb) Run(ctx context.Context, p *program, all *verbs) error {
	if err := v.check(); err != nil {
		return err
	}
	if err := p.demoAllowed(ctx, all.Config); err != nil {
		return err
	}
	cfg, hash, err := v.config(p, all.Config)
	if err != nil {
		return err
	}
	data, done, err := v.folder()
	if err != nil {
		return err
	}
	defer done()
	pack, err := config.Pack(cfg.Game)
	if err != nil {
		return err
	}
	set := core.Setup{Data: data, Table: v.Table, Config: cfg, Clock: clock.New(v.Speed, true), Demo: true, Hash: hash,
		Socket: v.Socket, Pads: keyboardOnly}
	set.Maintenance = maintenance.Demo{Data: data, Table: v.Table, Build: version.Read()}
	c, err := core.Open(p.log, set)
	if err != nil {
		return err
	}
	return v.play(ctx, p, c, pack)
}

// keyboardOnly maps every source to the keyboard's keys.
func keyboardOnly(p *game.Pack) (map[string]console.Map, console.Map) {
	return nil, console.Keyboard(p)
}

// check refuses flags that make no sense.
func (v *demoVerb) check() error {
	if err := within("--speed", v.Speed, 0.1, 1000); err != nil {
		return err
	}
	if err := within("--shoes", v.Shoes, 0, 10_000); err != nil {
		return err
	}
	if v.Game != "" {
		if _, err := config.Pack(v.Game); err != nil {
			return usageError{err}
		}
	}
	return checkTable(v.Table)
}

// config returns the configuration of the demo, and its name in the status line: the file's
// if it can be read, with limits and fees as an example where it has none.
func (v *demoVerb) config(p *program, path string) (cfg config.Config, hash string, err error) {
	l, err := p.readConfig(path, "")
	if err != nil {
		return cfg, "", err
	}
	if l.Fault != nil && path != "" {
		return cfg, "", errors.New(config.FaultText(l.Fault))
	}
	cfg, hash = l.File.Table(v.Table), l.Hash()
	if v.Game != "" {
		cfg.Game = v.Game
	}
	if len(cfg.Limits) == 0 && len(cfg.Collections) == 0 {
		cfg, hash = exampleHouse(cfg), "example"
	}
	return cfg, hash, nil
}

// folder returns where the record is kept, and done, which removes it if it is temporary.
func (v *demoVerb) folder() (dir string, done func(), err error) {
	if v.Data != "" {
		return v.Data, func() {}, nil
	}
	dir, err = os.MkdirTemp("", "shoeboard-demo-")
	return dir, func() { os.RemoveAll(dir) }, err
}

// demoAllowed refuses a demo on a provisioned unit unless its table is closed: a
// demo must never be taken for the table's own board.
func (p *program) demoAllowed(ctx context.Context, path string) error {
	found, _ := p.source().Find()
	if found == "" {
		return nil
	}
	cfg, _, err := p.loadConfig(cmp.Or(path, found), "")
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	phase := ""
	if b, err := (localapi.Client{Path: cfg.Socket}).Board(ctx); err == nil {
		phase = b.Phase
	} else {
		phase = phaseOnDisk(cfg.Data)
	}
	if phase != "" && phase != tracker.TableClosed.String() {
		return fmt.Errorf("this unit is set up (%s) and its table is in phase %q: close the table first", found, phase)
	}
	return nil
}

// phaseOnDisk returns the phase in which the record of a core that is not running ends,
// "" when there is no record.
func phaseOnDisk(data string) string {
	dir := datadir.Journal(data)
	if _, err := os.Stat(dir); err != nil {
		return ""
	}
	found, err := journal.Look(journal.Dir(dir)) // only looked at: the record is the unit's
	if err != nil {
		return "unknown: " + err.Error()
	}
	s, _ := history.Restore(found)
	return s.Phase.String()
}

// play runs core, dealer and window until the first of them ends.
func (v *demoVerb) play(ctx context.Context, p *program, c *core.Core, pack *game.Pack) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	ran := make(chan error, 1)
	coreCtx, stopCore := context.WithCancel(context.WithoutCancel(ctx))
	defer stopCore()
	var sources []hw.Source
	if v.Auto {
		sources = append(sources, newDealer(v, c, pack, cancel))
	}
	go func() {
		ran <- c.Run(coreCtx, sources...)
		cancel()
	}()
	err := v.window(ctx, p, c)
	last, _ := c.Hub.Newest()
	stopCore()
	if coreErr := <-ran; err == nil {
		err = coreErr
	}
	if err != nil || last == nil {
		return err
	}
	if v.Print {
		fmt.Fprint(p.out, termview.Render(last, columns(p.out, 100), false, termNow(last)))
	}
	if v.PNG == "" {
		return nil
	}
	picture := pictureFlags{Languages: []string{"en", "zh-Hant"}, Theme: "dark", Width: 1920, Height: 1080}
	if err := picture.draw(v.PNG, last, "DEMO"); err != nil {
		return err
	}
	fmt.Fprintln(p.out, "picture:", v.PNG)
	return nil
}

// window shows the board until ctx ends or the window is closed.
func (v *demoVerb) window(ctx context.Context, p *program, c *core.Core) error {
	if v.NoWindow {
		<-ctx.Done()
		return nil
	}
	s := c.Set.Config.Screens[0]
	l, err := view.New(s)
	if err != nil {
		return err
	}
	if !v.Full {
		l.Output = "" // the window opens on its desktop
	}
	g := &view.Presenter{Setup: l, Clock: c.Set.Clock}
	teller := hw.NewTeller("keyboard", c.In)
	keys := func(k display.Key) {
		teller.Press(ctx, k.Name, k.Down, c.Set.Clock.At(k.At))
	}
	drawn := func(context.Context) error { c.Drawn(); return nil }
	w := view.Window{Presenter: g, Screen: s, Full: v.Full, Keys: keys, Boards: c.Hub.Boards, Drawn: drawn}
	return w.Show(ctx, p.log)
}

// exampleHouse gives a demo limits and fees to show. A unit never invents them:
// they are the venue's facts.
func exampleHouse(c config.Config) config.Config {
	bonus := []string{"dragon-7", "panda-8"}
	c.Limits = []config.Limit{{Bets: []string{"player", "banker"}, Min: 10, Max: 1000}}
	if c.Game == "dai-bacc" {
		bonus = []string{"kill", "ox-6", "tiger-7"}
	} else {
		c.Limits = append(c.Limits, config.Limit{Bets: []string{"tie"}, Min: 1, Max: 100})
	}
	for _, id := range bonus {
		c.Limits = append(c.Limits, config.Limit{Bets: []string{id}, Min: 1, Max: 50})
	}
	c.Collection = "example"
	c.Collections = map[string]config.Collection{"example": {Rates: []config.Rate{
		{From: 10, To: 100, Fee: 1}, {From: 101, To: 500, Fee: 2}, {From: 501, To: 1000, Fee: 4},
		{Bets: bonus, Fee: 1}, {PlayerDealer: true, Fee: 5},
	}}}
	return c
}
