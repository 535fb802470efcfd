// Package watchdog tells the service manager whether a process does what it is for.
//
// Words: a beat is a proof that everything which must have moved has moved; a life is
// what a process shows its manager; a start has come to something when it has been
// ready and beating for half a minute.
//
// A caller may assume that READY is said once and not before it is true, that the
// watchdog is fed after a good beat and never otherwise, that without a manager
// nothing is told, and that failed starts are counted over a crash and forgotten by a
// boot. Nothing here starts or stops anything.
package watchdog

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"strconv"
	"time"

	"github.com/coreos/go-systemd/v22/daemon"

	"shoeboard/stats"
)

const (
	// tokenIn is how soon a token must be through the table's loop and the journal.
	tokenIn = 2 * time.Second
	// savingMost is how long a record may be on its way without having failed: a
	// writer that fails tries again and says so, one that hangs says nothing.
	savingMost = 6 * time.Second
	// statusEvery is how often the manager's status line is looked at where it has
	// no watchdog.
	statusEvery = 5 * time.Second
)

// Manager is the service manager (systemd) that may have started this process.
type Manager struct {
	on    bool          // there is one that listens
	every time.Duration // how often its watchdog is to be fed; 0: it has none
	tell  func(state string) error
}

// ServiceManager is what the environment says. WATCHDOG_PID is not looked at: the
// screen is fed for by a child of the unit's main process, which NotifyAccess=all
// allows.
func ServiceManager() Manager {
	usec, _ := strconv.ParseInt(os.Getenv("WATCHDOG_USEC"), 10, 64)
	return Manager{
		on:    os.Getenv(daemonSocket) != "",
		every: time.Duration(usec) * time.Microsecond / 2,
		tell: func(state string) error {
			_, err := daemon.SdNotify(false, state)
			return err
		},
	}
}

// Listens reports whether a service manager started this process and waits for its word.
func (m Manager) Listens() bool { return m.on }

const daemonSocket = "NOTIFY_SOCKET"

// Life is what a process shows its manager.
type Life struct {
	Ready  <-chan struct{}             // closed when the process does what it is for
	Beat   func(context.Context) error // nil: everything that must have moved has moved
	Status func() string
	Well   func() // called once, when it has been ready and beating for wellAfter
	Log    *slog.Logger
}

// wellAfter is how long a start must go well not to count as failed.
const wellAfter = 30 * time.Second

// Pulse says READY, feeds the watchdog after each good beat, keeps the status line,
// and says STOPPING when ctx ends.
func (m Manager) Pulse(ctx context.Context, l Life) {
	select {
	case <-l.Ready:
	case <-ctx.Done():
		return
	}
	said := l.Status()
	m.say(l.Log, "READY=1\nSTATUS="+said)
	every := m.every
	if every <= 0 {
		every = statusEvery
	}
	began := time.Now()
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		if err := l.Beat(ctx); err != nil && ctx.Err() == nil {
			l.Log.Error("not well: the service manager is not told otherwise", "err", err)
		} else if err == nil {
			m.say(l.Log, "WATCHDOG=1")
			if l.Well != nil && time.Since(began) >= wellAfter {
				l.Well()
				l.Well = nil
			}
		}
		if now := l.Status(); now != said {
			said = now
			m.say(l.Log, "STATUS="+said)
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			m.say(l.Log, "STOPPING=1")
			return
		}
	}
}

func (m Manager) say(log *slog.Logger, state string) {
	if !m.on {
		return
	}
	if err := m.tell(state); err != nil {
		log.Warn("service manager not told", "err", err)
	}
}

// Heart beats when a token has gone through the table's loop and the journal.
type Heart struct {
	Loop    func(context.Context) error
	Journal func() // returns when the journal's lock has been had
	Board   func() *stats.Board
	Clock   func() time.Duration

	token  chan struct{} // on its way through the journal; nil: none
	saving time.Duration // since when a record has been on its way; 0: none
}

// Beat sends a token through the loop and the journal, and says what did not answer
// within 2 s, or that a record has hung for long.
func (h *Heart) Beat(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, tokenIn)
	defer cancel()
	if err := h.Loop(ctx); err != nil {
		return fmt.Errorf("the table's loop does not answer: %w", err)
	}
	if h.token == nil {
		token := make(chan struct{})
		h.token = token
		go func() {
			h.Journal()
			close(token)
		}()
	}
	select {
	case <-h.token:
		h.token = nil
	case <-ctx.Done():
		return fmt.Errorf("the journal does not answer: %w", ctx.Err())
	}
	return h.writes()
}

// writes says whether the journal's writer moves. One that has failed and tries
// again is alive, and the board says NOT RECORDING.
func (h *Heart) writes() error {
	b := h.Board()
	if b == nil || !b.Saving || faulted(b, "not-recording") {
		h.saving = 0
		return nil
	}
	if h.saving == 0 {
		h.saving = h.Clock()
	}
	if on := h.Clock() - h.saving; on > savingMost {
		return fmt.Errorf("a record has been on its way to disk for %v", on.Round(time.Second))
	}
	return nil
}

func faulted(b *stats.Board, code string) bool {
	for _, f := range b.Faults {
		if f.Code == code {
			return true
		}
	}
	return false
}
