package core

import (
	"context"
	"errors"
	"os/user"
	"strconv"
	"sync/atomic"
	"time"

	"shoeboard/cmd/internal/doctor"
	"shoeboard/stats"
	"shoeboard/tracker/localapi"
)

const (
	// comesIn is how long the first screen of a unit may take: an X server and a window
	// on a slow board.
	comesIn = time.Minute
	// backIn is how long one that has shown the board may take to come back: a restart,
	// by hand or by the watchdog.
	backIn = 30 * time.Second
	// glance is how often is looked whether a screen is missed.
	glance = 5 * time.Second
	// screenUser is whose the screen is on a unit that was set up from the package.
	screenUser = "shoeboard-screen"
)

// drawn is a screen's word that the board is on it.
type drawn struct {
	at   atomic.Pointer[time.Time] // nil: none since the core started
	news chan struct{}
}

func newDrawn() *drawn { return &drawn{news: make(chan struct{}, 1)} }

// Drawn takes the word of a screen that the board is on it now. It never waits and may
// be called from anywhere.
func (c *Core) Drawn() { c.drawn.take() }

func (d *drawn) take() {
	now := time.Now()
	d.at.Store(&now)
	select {
	case d.news <- struct{}{}:
	default: // it is looked at anyway
	}
}

// ago returns how long ago a screen gave its word, false when none has.
func (d *drawn) ago() (time.Duration, bool) {
	at := d.at.Load()
	if at == nil {
		return 0, false
	}
	return time.Since(*at), true
}

// shows returns nil when a screen shows the board, else why what only a screen shows
// would be seen nowhere.
func (c *Core) shows() error {
	if ago, some := c.drawn.ago(); some && ago < doctor.DrawnIn {
		return nil
	}
	if c.Set.Machine != nil {
		if missing, _ := c.Set.Machine.Monitors(); missing {
			return errors.New("nobody would see it: no monitor is connected: look at its cable at both ends")
		}
	}
	return errors.New("nobody would see it: no screen shows the board: journalctl -u shoeboard-screen -b tells why")
}

// screenTest shows a page where there is a screen to show it.
func (c *Core) screenTest(ctx context.Context, page string, forced bool) error {
	if page != "" {
		if err := c.shows(); err != nil {
			return err
		}
	}
	return c.pages.Show(ctx, page, forced)
}

// screens returns those whose word is believed: the packaged screen's user, where there is
// one, beside root and the core's own.
func screens() (g localapi.Guard) {
	if u, err := user.Lookup(screenUser); err == nil {
		if id, err := strconv.Atoi(u.Uid); err == nil {
			g.Users = []int{id}
		}
	}
	return g
}

// watchScreen raises the fault of a board that is seen nowhere, and ends it, from the
// first board on until ctx ends.
func (c *Core) watchScreen(ctx context.Context) {
	if !c.started(ctx) {
		return
	}
	l := lookout{expected: c.Set.Service, since: time.Now()}
	again := time.NewTicker(glance)
	defer again.Stop()
	for {
		ago, came := c.drawn.ago()
		missing, mute := false, false
		if c.Set.Machine != nil && (!came || ago >= doctor.DrawnIn) {
			missing, mute = c.Set.Machine.Monitors()
		}
		if text, changed := l.look(time.Now(), ago, came, missing, mute); changed {
			c.setFaults(ctx, map[string]string{stats.NoScreen: text})
		}
		select {
		case <-again.C:
		case <-c.drawn.news:
		case <-ctx.Done():
			return
		}
	}
}

// lookout decides when a board is seen nowhere. A missing monitor is a fault of its own,
// and no screen is missed while there is none.
type lookout struct {
	expected bool      // a screen has to come; else one is missed only once it has come
	since    time.Time // when a screen last showed the board, or none could
	told     sight     // said last; the run before may have left the fault
}

// sight is whether the board is seen, as far as it was told.
type sight int

const (
	untold sight = iota
	seen
	unseen
)

// look returns the fault's text, "" when it is over, and false when nothing has changed. A
// screen gave its word so long ago, if one came at all; a monitor is missing, or there
// and has not said what it can show.
func (l *lookout) look(now time.Time, ago time.Duration, came, missing, mute bool) (text string, changed bool) {
	patience := comesIn
	if came {
		patience = backIn
		if drawn := now.Add(-ago); drawn.After(l.since) {
			l.since = drawn
		}
	}
	if missing || !came && !l.expected {
		l.since = now
	}
	is := l.told
	switch {
	case missing, came && ago < doctor.DrawnIn:
		is = seen
	case now.Sub(l.since) >= patience:
		is = unseen
	}
	if is == l.told {
		return "", false
	}
	if l.told = is; is == unseen {
		text = unseenText(came, mute)
	}
	return text, true
}

// unseenText returns the sentence of a board that no screen shows.
func unseenText(came, mute bool) string {
	switch {
	case mute:
		return "No screen shows the board: the monitor does not say what it can show. Switch the monitor off and on"
	case came:
		return "No screen shows the board any more: players see nothing. Call a technician"
	}
	return "No screen shows the board: none has come since the start. Call a technician"
}
