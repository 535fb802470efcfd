package watchdog

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

	"shoeboard/display/scene"
)

// drawnIn is how soon the window's loop must ask for the picture of the newest
// Board, and the X server must answer.
const drawnIn = 3 * time.Second

// DrawnEvery is how often a screen tells the core that the board is on it.
const DrawnEvery = 3 * time.Second

// Witness sees the window's loop ask for pictures.
type Witness struct {
	first chan struct{} // closed at the first picture
	again chan struct{} // holds one token after each
	once  sync.Once
	turn  sync.Mutex // one beat at a time: two would take each other's token
}

// NewWitness is a witness that has seen nothing yet.
func NewWitness() *Witness {
	return &Witness{first: make(chan struct{}), again: make(chan struct{}, 1)}
}

// Picture is the function that the window asks, watched.
func (w *Witness) Picture(of func(w, h int) ([]scene.Op, time.Duration)) func(w, h int) ([]scene.Op, time.Duration) {
	return func(width, height int) ([]scene.Op, time.Duration) {
		ops, next := of(width, height)
		w.once.Do(func() { close(w.first) })
		select {
		case w.again <- struct{}{}:
		default:
		}
		return ops, next
	}
}

// beat asks for a picture and waits until the loop has fetched it: then no Board
// that came before is undrawn. refresh must not wait; x asks the X server.
func (w *Witness) beat(ctx context.Context, refresh func(), x func(context.Context) error) error {
	w.turn.Lock()
	defer w.turn.Unlock()
	ctx, cancel := context.WithTimeout(ctx, drawnIn)
	defer cancel()
	select {
	case <-w.again: // of before
	default:
	}
	refresh()
	select {
	case <-w.again:
	case <-ctx.Done():
		return fmt.Errorf("the window's loop does not fetch the board: %w", ctx.Err())
	}
	return x(ctx)
}

// Pulse is the screen's life for the service manager: READY with the first picture;
// well is called when the screen has done what it is for half a minute long.
func (w *Witness) Pulse(ctx context.Context, log *slog.Logger, refresh, well func()) {
	m := ServiceManager()
	if !m.on {
		return
	}
	m.Pulse(ctx, Life{Ready: w.first, Log: log, Well: well, Status: func() string { return "the board is on the screen" },
		Beat: func(ctx context.Context) error { return w.beat(ctx, refresh, ownX) }})
}

// Tell tells the core every DrawnEvery that the board is on the screen, until ctx ends.
// While the loop or the X server stands still, or the window does not show its picture,
// it tells nothing, and the core draws its conclusion.
func (w *Witness) Tell(ctx context.Context, log *slog.Logger, refresh func(), shows func() bool, drawn func(context.Context) error) {
	said := ""
	tick := time.NewTicker(DrawnEvery)
	defer tick.Stop()
	for ctx.Err() == nil {
		if w.beat(ctx, refresh, ownX) == nil && shows() {
			why := ""
			if err := drawn(ctx); err != nil && ctx.Err() == nil {
				why = err.Error()
			}
			if why != said && why != "" {
				log.Warn("the core does not learn that the board is on the screen", "err", why)
			}
			said = why
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
