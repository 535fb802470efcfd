package view

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"regexp"
	"sync"
	"time"

	"shoeboard/cmd/internal/watchdog"
	"shoeboard/display/scene"
)

// drawnIn is how soon the window's loop must ask for the picture of the newest
// Board, and the X server must answer.
const drawnIn = 3 * time.Second

// DrawnEvery is how often a screen tells the core that the board is on it.
const DrawnEvery = 3 * time.Second

// pictureFunc returns the picture for w x h pixels and how long it stays right.
type pictureFunc func(w, h int) ([]scene.Op, time.Duration)

// probe watches the window's loop ask for pictures.
type probe struct {
	first chan struct{} // closed at the first picture
	again chan struct{} // holds one token after each
	once  sync.Once
	turn  sync.Mutex // one beat at a time: two would take each other's token
}

func newProbe() *probe {
	return &probe{first: make(chan struct{}), again: make(chan struct{}, 1)}
}

// picture returns the function that the window asks, watched.
func (p *probe) picture(of pictureFunc) pictureFunc {
	return func(width, height int) ([]scene.Op, time.Duration) {
		ops, next := of(width, height)
		p.once.Do(func() { close(p.first) })
		select {
		case p.again <- struct{}{}:
		default:
		}
		return ops, next
	}
}

// beat asks for a picture and waits until the loop has fetched it: then no Board
// that came before is undrawn. refresh must not wait; x asks the X server.
func (p *probe) beat(ctx context.Context, refresh func(), x func(context.Context) error) error {
	p.turn.Lock()
	defer p.turn.Unlock()
	ctx, cancel := context.WithTimeout(ctx, drawnIn)
	defer cancel()
	select {
	case <-p.again: // of before
	default:
	}
	refresh()
	select {
	case <-p.again:
	case <-ctx.Done():
		return fmt.Errorf("the window's loop does not fetch the board: %w", ctx.Err())
	}
	return x(ctx)
}

// pulse tells the service manager that the screen works: READY with the first picture.
// It calls healthy once that has gone on for half a minute.
func (p *probe) pulse(ctx context.Context, log *slog.Logger, refresh, healthy func()) {
	if !watchdog.IsManaged() {
		return
	}
	watchdog.Service{Ready: p.first, Log: log, Healthy: healthy,
		Status: func() string { return "the board is on the screen" },
		Beat:   func(ctx context.Context) error { return p.beat(ctx, refresh, ownX) }}.Pulse(ctx)
}

// tellCore tells the core every DrawnEvery that the board is on the screen, until ctx
// ends. While the loop or the X server does not answer, or the window does not show its
// picture, it tells nothing: the core raises a fault.
func (p *probe) tellCore(ctx context.Context, log *slog.Logger, refresh func(), isShown func() bool,
	drawn func(context.Context) error) {
	said := ""
	tick := time.NewTicker(DrawnEvery)
	defer tick.Stop()
	for ctx.Err() == nil {
		if p.beat(ctx, refresh, ownX) == nil && isShown() {
			failure := ""
			if err := drawn(ctx); err != nil && ctx.Err() == nil {
				failure = err.Error()
			}
			if failure != said && failure != "" {
				log.Warn("the core does not learn that the board is on the screen", "err", failure)
			}
			said = failure
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
		}
	}
}

// ownX asks the X server that this process draws on.
func ownX(ctx context.Context) error { return askX(ctx, "/tmp/.X11-unix", os.Getenv("DISPLAY")) }

var localDisplay = regexp.MustCompile(`^(?:unix)?:(\d+)(?:\.\d+)?$`)

// askX begins to connect to a local X server and waits for its word. Whether it lets
// us in does not matter: a server that hangs says nothing.
func askX(ctx context.Context, folder, display string) error {
	found := localDisplay.FindStringSubmatch(display)
	if found == nil {
		return nil // over a network it is not this unit's to restart
	}
	c, err := new(net.Dialer).DialContext(ctx, "unix", folder+"/X"+found[1])
	if err != nil {
		return fmt.Errorf("the X server: %w", err)
	}
	defer c.Close()
	deadline, _ := ctx.Deadline()
	if err := c.SetDeadline(deadline); err != nil {
		return err
	}
	// byte order, unused, protocol 11.0, no authorization
	hello := []byte{'l', 0, 11, 0, 0, 0, 0, 0, 0, 0, 0, 0}
	answer := make([]byte, 8)
	if _, err = c.Write(hello); err == nil {
		_, err = io.ReadFull(c, answer)
	}
	if err != nil {
		return errors.Join(errors.New("the X server does not answer"), err)
	}
	return nil
}
