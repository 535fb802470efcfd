// Package watchdog tells the service manager (systemd) whether a process works.
//
// Words: a beat checks that everything has made progress; a start is healthy when it has
// been ready and beating for half a minute.
//
// A caller may assume that READY is said once and not before it is true, that the
// watchdog is fed after a good beat and never otherwise, that without a manager
// nothing is said, and that failed starts are counted over a crash and forgotten by a
// boot. Nothing here starts or stops anything.
package watchdog

import (
	"context"
	"log/slog"
	"os"
	"strconv"
	"time"

	"github.com/coreos/go-systemd/v22/daemon"
)

const (
	// statusEvery is how often the status line is read where there is no watchdog.
	statusEvery = 5 * time.Second
	// healthyAfter is how long a start must go well not to count as failed.
	healthyAfter = 30 * time.Second
)

// IsManaged reports whether a service manager started this process and listens to it.
func IsManaged() bool { return os.Getenv("NOTIFY_SOCKET") != "" }

// Service is a process as its manager sees it.
type Service struct {
	Ready   <-chan struct{}             // closed when the process works
	Beat    func(context.Context) error // nil: everything has made progress
	Status  func() string
	Healthy func() // called once, when the start is healthy; may be nil
	Log     *slog.Logger
	// Stays says that the process goes on when ctx ends: systemd kills one that says STOPPING
	// and does not end.
	Stays bool
}

// Pulse says READY, feeds the watchdog after each good beat, keeps the status line,
// and says STOPPING when ctx ends, unless the process stays.
func (s Service) Pulse(ctx context.Context) {
	select {
	case <-s.Ready:
	case <-ctx.Done():
		return
	}
	said := s.Status()
	s.say("READY=1\nSTATUS=" + said)
	began := time.Now()
	tick := time.NewTicker(beatEvery())
	defer tick.Stop()
	for {
		if err := s.Beat(ctx); err != nil && ctx.Err() == nil {
			s.Log.Error("the watchdog is not fed", "err", err)
		} else if err == nil {
			s.say("WATCHDOG=1")
			if s.Healthy != nil && time.Since(began) >= healthyAfter {
				s.Healthy()
				s.Healthy = nil
			}
		}
		if now := s.Status(); now != said {
			said = now
			s.say("STATUS=" + said)
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			if !s.Stays {
				s.say("STOPPING=1")
			}
			return
		}
	}
}

// beatEvery returns half of the time after which the manager's watchdog bites. WATCHDOG_PID
// does not count: a child of the unit's main process feeds for the screen, which
// NotifyAccess=all allows.
func beatEvery() time.Duration {
	usec, _ := strconv.ParseInt(os.Getenv("WATCHDOG_USEC"), 10, 64)
	if every := time.Duration(usec) * time.Microsecond / 2; every > 0 {
		return every
	}
	return statusEvery
}

// say tells the manager, where there is one.
func (s Service) say(state string) {
	if _, err := daemon.SdNotify(false, state); err != nil {
		s.Log.Warn("the service manager cannot be told", "err", err)
	}
}
