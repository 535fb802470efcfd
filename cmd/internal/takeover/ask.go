package takeover

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"reflect"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"shoeboard/cmd/internal/config"
	"shoeboard/cmd/internal/core"
	"shoeboard/cmd/internal/transfer"
	"shoeboard/cmd/internal/watchdog"
	"shoeboard/hw"
	"shoeboard/stats"
	"shoeboard/tracker/console"
	"shoeboard/tracker/localapi"
	"shoeboard/tracker/table"
)

const (
	readableFor = 2 * time.Second // how long the outcome is shown before Ask returns
	answersIn   = 2 * time.Second // how soon the loop must take a beat
	patience    = 5 * time.Second // for a take-over that runs when ctx ends
)

// errAnswered ends everything that Ask began.
var errAnswered = errors.New("the question was answered")

// Setup is what a question needs: of a core its devices, socket and configuration.
type Setup struct {
	core.Setup
	Keypads   []hw.Source
	Questions []transfer.Question // at least one
	Log       *slog.Logger
}

// asker runs a question against time, keys and screen.
type asker struct {
	Setup
	question
	pads    map[string]console.Map
	other   console.Map // of sources that pads does not name
	keys    keys
	missing map[string]bool // the keypads that went
	in      chan hw.Event
	beat    chan struct{}
	took    chan error // the outcome of a take-over
	hub     *localapi.Hub
}

// Ask asks until a question is answered for good, and reports whether the answer was yes:
// this unit has the table now. After a no it goes on as itself. It returns false when ctx
// ends first.
func Ask(ctx context.Context, s Setup) (yes bool, err error) {
	pack, err := config.Pack(s.Config.Game)
	if err != nil {
		return false, err
	}
	a := &asker{Setup: s, keys: keys{}, missing: map[string]bool{}, in: make(chan hw.Event, 64),
		beat: make(chan struct{}), took: make(chan error, 1), hub: localapi.NewHub(),
		question: question{unit: core.ID(), zone: s.Config.Location(), left: s.Questions, shown: s.Clock.Mono()}}
	a.pads, a.other = s.Pads(pack)
	for _, q := range s.Questions {
		s.Log.Info("asks whether to take a table over", "table", q.Table, "unit", q.Unit, "card", q.Card)
	}
	a.show()
	g, gctx := errgroup.WithContext(ctx)
	for _, source := range slices.Concat(s.Keypads, s.Panel.Sources) {
		g.Go(func() error { return source.Run(gctx, a.in) })
	}
	g.Go(func() error { return core.ServeBoards(gctx, s.Setup, a.api(gctx), a.service()) })
	g.Go(func() error { return a.run(gctx) })
	if err := g.Wait(); !errors.Is(err, errAnswered) {
		return false, err
	}
	return a.state == taken, nil
}

// run takes keys and time until the question is answered, or ctx ends.
func (a *asker) run(ctx context.Context) error {
	var end <-chan time.Time
	for {
		a.show()
		var over <-chan time.Time
		if a.noted > 0 {
			over = time.After(a.noted - a.Clock.Mono())
		}
		if end == nil && (a.state == taken || a.state == declined) {
			end = time.After(readableFor)
		}
		select {
		case <-ctx.Done():
			if a.state == working { // ended in its midst it has not happened, or the next start ends it
				select {
				case <-a.took:
				case <-time.After(patience):
				}
			}
			return nil
		case <-end:
			return errAnswered
		case <-a.beat:
		case <-over:
			a.uncover(a.Clock.Mono())
		case err := <-a.took:
			a.finish(a.Clock.Mono(), err)
		case e := <-a.in:
			a.event(e)
		}
	}
}

// event takes one event of a keypad; other devices have nothing to say here.
func (a *asker) event(e hw.Event) {
	switch e := e.(type) {
	case hw.Press:
		if _, other := a.Panel.Roles[e.Source]; !other {
			a.move(e)
		}
	case hw.Notice:
		if _, other := a.Panel.Roles[e.Source]; other {
			return
		}
		switch e.Change {
		case hw.Came:
			delete(a.missing, e.Source)
		case hw.Went:
			a.missing[e.Source] = true
			fallthrough
		case hw.Lost, hw.Faulty:
			a.keys.forget(e.Source)
		}
	}
}

// move takes one movement of a key.
func (a *asker) move(e hw.Press) {
	pad, named := a.pads[e.Source]
	if !named {
		pad = a.other
	}
	b, known := pad[e.Pos]
	if !known {
		return
	}
	now, before := a.Clock.Mono(), a.state
	switch key, other := a.keys.move(now, position{e.Source, e.Pos}, b, e.Down); {
	case other != "":
		a.Panel.Sound(a.together(now, other))
	case key != "":
		a.Panel.Sound(a.press(now, key))
	}
	if a.state == working && before != working {
		go func(q transfer.Question) { a.took <- q.Yes(a.unit) }(a.left[0])
	}
}

// show gives out board and echo.
func (a *asker) show() {
	lit := map[string]table.Light{}
	if a.state == asking {
		lit[string(console.KeyOK)], lit[string(console.KeyClear)] = table.Waiting, table.Waiting
	}
	for _, h := range a.keys {
		lit[cmp.Or(h.binding.Bet, string(h.binding.Tap), string(h.binding.Hold))] = table.Pressed
	}
	a.Panel.Show(table.Indicators{Lines: a.lines(), Seconds: -1, Lit: lit})
	b := a.board()
	if shown, _ := a.hub.Newest(); !reflect.DeepEqual(b, shown) {
		a.hub.Publish(b)
	}
}

// board returns the board of a closed table with the question on it.
func (a *asker) board() *stats.Board {
	number := a.left[0].Table
	b := core.ClosedBoard(a.Setup.Setup, a.lines())
	b.Menu = a.page()
	b.Dealer.Asking, b.Dealer.Entering = a.state == asking, a.state == asking
	b.Dealer.Refused, b.Dealer.OnScreen = a.note[0] != "", !a.Panel.HasEcho()
	b.StatusLine = fmt.Sprintf("table %s · asks whether to take table %s over", a.Table, number)
	b.Faults = append(b.Faults, stats.Fault{Code: "take-over", Text: "The unit asks whether to take table " + number +
		" over. Answer at the keypad, or: sudo shoeboard takeover"})
	if len(a.missing) > 0 {
		b.Faults = append(b.Faults, stats.Fault{Code: "keypad-missing", Text: "Keypad missing: plug it in again"})
	}
	return b
}

// service returns the question as the service manager sees it.
func (a *asker) service() watchdog.Service {
	beat := func(ctx context.Context) error {
		select {
		case a.beat <- struct{}{}:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(answersIn):
			return errors.New("the question of a take-over does not answer")
		}
	}
	status := func() string { b, _ := a.hub.Newest(); return b.StatusLine }
	return watchdog.Service{Log: a.Log, Healthy: a.Healthy, Status: status, Beat: beat, Stays: true}
}

// api returns the part of the local API that a question has.
func (a *asker) api(ctx context.Context) localapi.Core {
	first := errors.New("this unit asks at the keypad whether to take a table over: answer that first")
	api := localapi.Core{Hub: a.hub,
		Acknowledge: func(context.Context, string, string) error { return first },
		Correct:     func(context.Context, localapi.Correction) (c localapi.Corrected, err error) { return c, first }}
	if !a.Keys {
		return api
	}
	keys, turn := hw.NewTeller("socket", a.in), make(chan struct{}, 1) // a Teller belongs to one caller
	api.Press = func(_ context.Context, key string, down bool) error {
		pos, ok := a.other.Find(key)
		if !ok {
			return fmt.Errorf("key %q is not on the pad: expected a name as OK or CLEAR, or a digit", key)
		}
		turn <- struct{}{}
		defer func() { <-turn }()
		keys.Press(ctx, pos, down, a.Clock.Mono())
		return ctx.Err()
	}
	return api
}
