package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"strconv"
	"time"

	"github.com/coreos/go-systemd/v22/daemon"

	"shoeboard/stats"
	"shoeboard/tracker/table"
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

// manager is the service manager (systemd) that may have started this process.
type manager struct {
	on    bool          // there is one that listens
	every time.Duration // how often its watchdog is to be fed; 0: it has none
	tell  func(state string) error
}

// serviceManager is what the environment says. WATCHDOG_PID is not looked at: the
// screen is fed for by a child of the unit's main process, which NotifyAccess=all
// allows.
func serviceManager() manager {
	usec, _ := strconv.ParseInt(os.Getenv("WATCHDOG_USEC"), 10, 64)
	return manager{
		on:    os.Getenv(daemonSocket) != "",
		every: time.Duration(usec) * time.Microsecond / 2,
		tell: func(state string) error {
			_, err := daemon.SdNotify(false, state)
			return err
		},
	}
}

const daemonSocket = "NOTIFY_SOCKET"

// life is what a process shows its manager.
type life struct {
	ready  <-chan struct{}             // closed when the process does what it is for
	beat   func(context.Context) error // nil: everything that must have moved has moved
	status func() string
	well   func() // called once, when it has been ready and beating for wellAfter
	log    *slog.Logger
}

// wellAfter is how long a start must go well not to count as failed.
const wellAfter = 30 * time.Second

// pulse says READY, feeds the watchdog after each good beat, keeps the status line,
// and says STOPPING when ctx ends.
func (m manager) pulse(ctx context.Context, l life) {
	select {
	case <-l.ready:
	case <-ctx.Done():
		return
	}
	said := l.status()
	m.say(l.log, "READY=1\nSTATUS="+said)
	every := m.every
	if every <= 0 {
		every = statusEvery
	}
	began := time.Now()
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		if err := l.beat(ctx); err != nil && ctx.Err() == nil {
			l.log.Error("not well: the service manager is not told otherwise", "err", err)
		} else if err == nil {
			m.say(l.log, "WATCHDOG=1")
			if l.well != nil && time.Since(began) >= wellAfter {
				l.well()
				l.well = nil
			}
		}
		if now := l.status(); now != said {
			said = now
			m.say(l.log, "STATUS="+said)
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			m.say(l.log, "STOPPING=1")
			return
		}
	}
}

func (m manager) say(log *slog.Logger, state string) {
	if !m.on {
		return
	}
	if err := m.tell(state); err != nil {
		log.Warn("service manager not told", "err", err)
	}
}

// heart beats when a token has gone through the table's loop and the journal.
type heart struct {
	loop    func(context.Context) error
	journal func() // returns when the journal's lock has been had
	board   func() *stats.Board
	clock   func() time.Duration

	token  chan struct{} // on its way through the journal; nil: none
	saving time.Duration // since when a record has been on its way; 0: none
}

func (c *core) heart() *heart {
	return &heart{
		loop:    func(ctx context.Context) error { return c.table.Do(ctx, func(*table.Desk, *table.View) {}) },
		journal: func() { _ = c.journal.Err() }, // that it answers is the answer
		board:   func() *stats.Board { b, _ := c.hub.Newest(); return b },
		clock:   c.set.clock.Mono,
	}
}

func (h *heart) beat(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, tokenIn)
	defer cancel()
	if err := h.loop(ctx); err != nil {
		return fmt.Errorf("the table's loop does not answer: %w", err)
	}
	if h.token == nil {
		token := make(chan struct{})
		h.token = token
		go func() {
			h.journal()
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
func (h *heart) writes() error {
	b := h.board()
	if b == nil || !b.Saving || faulted(b, "not-recording") {
		h.saving = 0
		return nil
	}
	if h.saving == 0 {
		h.saving = h.clock()
	}
	if on := h.clock() - h.saving; on > savingMost {
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

// pulse is the core's life for the service manager: READY with the first board.
func (c *core) pulse(ctx context.Context) {
	ready := make(chan struct{})
	go func() {
		for {
			b, newer := c.hub.Newest()
			if b != nil {
				close(ready)
				return
			}
			select {
			case <-newer:
			case <-ctx.Done():
				return
			}
		}
	}()
	h := c.heart()
	serviceManager().pulse(ctx, life{ready: ready, beat: h.beat, well: c.set.well, log: c.log,
		status: func() string { return h.board().StatusLine }})
}
