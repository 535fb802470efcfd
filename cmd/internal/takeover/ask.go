package takeover

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
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
	last    *stats.Board
}

// errAnswered ends everything that Ask began.
var errAnswered = errors.New("the question was answered")

// Ask asks until a question is answered for good, and reports whether the answer was yes:
// this unit has the table now. After a no it goes on as itself. It returns
// false when ctx ends first.
func Ask(ctx context.Context, s Setup) (yes bool, err error) {
	pack, err := config.Pack(s.Config.Game)
	if err != nil {
		return false, err
	}
	a := &asker{Setup: s, keys: keys{}, missing: map[string]bool{}, in: make(chan hw.Event, 64), beat: make(chan struct{}),
		took: make(chan error, 1), hub: localapi.NewHub(),
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
	note := time.NewTimer(0)
	defer note.Stop()
	var end <-chan time.Time
	for {
		a.show()
		if a.noted > 0 && a.noted < forEver {
			note.Reset(a.noted - a.Clock.Mono())
		}
		if end == nil && (a.state == taken || a.state == declined) {
			end = time.After(readableFor)
		}
		select {
		case <-ctx.Done():
			return a.wait()
		case <-end:
			return errAnswered
		case <-a.beat:
		case <-note.C:
			if a.Clock.Mono() >= a.noted {
				a.uncover(a.Clock.Mono())
			}
		case err := <-a.took:
			a.finish(a.Clock.Mono(), err)
		case e := <-a.in:
			a.event(e)
		}
	}
}

// wait gives a take-over that runs a moment to end. Ended in its midst it has not
// happened, or the next start ends it.
func (a *asker) wait() error {
	if a.state == working {
		select {
		case <-a.took:
		case <-time.After(patience):
		}
	}
	return nil
}

// event takes one event of a keypad. Other devices have nothing to say here.
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
		case hw.Went, hw.Lost, hw.Faulty:
			a.keys.forget(e.Source)
			a.missing[e.Source] = a.missing[e.Source] || e.Change == hw.Went
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
	now := a.Clock.Mono()
	before := a.state
	key, other := a.keys.move(now, position{e.Source, e.Pos}, b, e.Down)
	switch {
	case other != "":
		a.uncover(now)
		a.Panel.Sound(a.refuse(now, "ONE KEY AT A TIME", other+" IS DOWN"))
	case key != "":
		a.Panel.Sound(a.press(now, key))
	}
	if a.state == working && before != working {
		go func(q transfer.Question) { a.took <- q.Yes(a.unit) }(a.left[0])
	}
}

// show gives out board and echo.
func (a *asker) show() {
	lines := a.lines()
	lit := map[string]table.Light{}
	for _, key := range a.keys.names() {
		lit[key] = table.Pressed
	}
	if a.state == asking {
		lit[string(console.KeyOK)] = max(lit[string(console.KeyOK)], table.Waiting)
		lit[string(console.KeyClear)] = max(lit[string(console.KeyClear)], table.Waiting)
	}
	a.Panel.Show(table.Indicators{Lines: lines, Seconds: -1, Lit: lit})
	b := a.board(lines)
	if a.last == nil || !reflect.DeepEqual(b, a.last) {
		a.last = b
		a.hub.Publish(b)
	}
}

// board returns the board of a closed table with the question on it.
func (a *asker) board(lines [2]string) *stats.Board {
	b := core.ClosedBoard(a.Setup.Setup, lines)
	b.Menu = a.page()
	b.Dealer.Asking, b.Dealer.Entering = a.state == asking, a.state == asking
	b.Dealer.Refused, b.Dealer.OnScreen = a.note[0] != "", !a.Panel.HasEcho()
	b.StatusLine = fmt.Sprintf("table %s · asks whether to take table %s over", a.Table, a.left[0].Table)
	b.Faults = append(b.Faults, stats.Fault{Code: "take-over", Text: fmt.Sprintf(
		"The unit asks whether to take table %s over. Answer at the keypad, or: sudo shoeboard takeover", a.left[0].Table)})
	if slices.Contains(slices.Collect(maps.Values(a.missing)), true) {
		b.Faults = append(b.Faults, stats.Fault{Code: "keypad-missing", Text: "Keypad missing: plug it in again"})
	}
	return b
}

// service returns the question as the service manager sees it.
func (a *asker) service() watchdog.Service {
	return watchdog.Service{Log: a.Log, Healthy: a.Healthy, Status: func() string { b, _ := a.hub.Newest(); return b.StatusLine },
		Beat: func(ctx context.Context) error {
			ctx, cancel := context.WithTimeout(ctx, answersIn)
			defer cancel()
			select {
			case a.beat <- struct{}{}:
				return nil
			case <-ctx.Done():
				return fmt.Errorf("the question of a take-over does not answer: %w", ctx.Err())
			}
		}}
}

// api returns what the socket may ask for.
func (a *asker) api(ctx context.Context) localapi.Core {
	first := errors.New("this unit asks at the keypad whether to take a table over: answer that first")
	api := localapi.Core{Hub: a.hub,
		Acknowledge: func(context.Context, string, string) error { return first },
		Correct:     func(context.Context, localapi.Correction) (c localapi.Corrected, err error) { return c, first }}
	if a.Keys {
		api.Press = a.pressed(ctx)
	}
	return api
}

// pressed returns the function that plays a key by its name.
func (a *asker) pressed(ctx context.Context) func(context.Context, string, bool) error {
	t := hw.NewTeller("socket", a.in)
	turn := make(chan struct{}, 1) // a Teller numbers events and belongs to one caller
	return func(_ context.Context, key string, down bool) error {
		pos, ok := a.other.Find(key)
		if !ok {
			return fmt.Errorf("key %q is not on the pad: expected a name as OK or CLEAR, or a digit", key)
		}
		turn <- struct{}{}
		defer func() { <-turn }()
		t.Press(ctx, pos, down, a.Clock.Mono())
		return ctx.Err()
	}
}
