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
	// screenEvery is how often the core checks whether a screen is missing.
	screenEvery = 5 * time.Second
	// screenUser is whose the screen is on a unit that was set up from the package.
	screenUser = "shoeboard-screen"
)

// drawn notes that a screen has said that the board is on it.
type drawn struct {
	at   atomic.Pointer[time.Time] // nil: none since the core started
	news chan struct{}
}

func newDrawn() *drawn { return &drawn{news: make(chan struct{}, 1)} }

// Drawn notes that the board is on a screen now. It never waits and may be called from
// anywhere.
func (c *Core) Drawn() { c.drawn.note() }

func (d *drawn) note() {
	now := time.Now()
	d.at.Store(&now)
	select {
	case d.news <- struct{}{}:
	default: // it is read anyway
	}
}

// ago returns how long ago a screen last said so, false when none has.
func (d *drawn) ago() (time.Duration, bool) {
	at := d.at.Load()
	if at == nil {
		return 0, false
	}
	return time.Since(*at), true
}

// checkScreen returns nil when a screen shows the board, else why nobody would see what
// only a screen shows.
func (c *Core) checkScreen() error {
	if ago, some := c.drawn.ago(); some && ago < doctor.ScreenTimeout {
		return nil
	}
	if c.Set.Machine != nil {
		if missing, _ := c.Set.Machine.Monitors(); missing {
			return errors.New("nobody would see it: no monitor is connected: check its cable at both ends")
		}
	}
	return errors.New("nobody would see it: no screen shows the board: journalctl -u shoeboard-screen -b tells why")
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

// watchScreen raises and clears the fault of a board that is on no screen, until ctx ends.
func (c *Core) watchScreen(ctx context.Context) {
	w := screenWatch{expected: c.Set.Service, since: time.Now()}
	again := time.NewTicker(screenEvery)
	defer again.Stop()
	for {
		ago, came := c.drawn.ago()
		missing, mute := false, false
		if c.Set.Machine != nil && (!came || ago >= doctor.ScreenTimeout) {
			missing, mute = c.Set.Machine.Monitors()
		}
		if text, changed := w.check(time.Now(), ago, came, missing, mute); changed {
			c.SetFaults(ctx, map[string]string{stats.NoScreen: text})
		}
		select {
		case <-again.C:
		case <-c.drawn.news:
		case <-ctx.Done():
			return
		}
	}
}

// screenWatch decides when a board is on no screen. A missing monitor is a fault of its
// own, and no screen is missing while there is none.
type screenWatch struct {
	expected bool      // a screen must come; else one is missing only once it has come
	since    time.Time // when a screen last showed the board, or none could
	reported bool      // once at least; the run before may have left the fault
	unseen   bool      // as it was reported
}

// check returns the fault's text, "" when it is over, and false when nothing has changed.
// A screen drew the board so long ago, if one came at all; a monitor is missing, or is
// there and has not said what it can show.
func (w *screenWatch) check(now time.Time, ago time.Duration, came, missing, mute bool) (text string, changed bool) {
	patience := comesIn
	if came {
		patience = backIn
		if drawn := now.Add(-ago); drawn.After(w.since) {
			w.since = drawn
		}
	}
	if missing || !came && !w.expected {
		w.since = now
	}
	unseen := now.Sub(w.since) >= patience
	switch {
	case missing, came && ago < doctor.ScreenTimeout:
		unseen = false
	case !unseen:
		return "", false // not known yet
	}
	if w.reported && unseen == w.unseen {
		return "", false
	}
	if w.reported, w.unseen = true, unseen; unseen {
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
