package table

import (
	"reflect"
	"slices"

	"shoeboard/tracker"
)

// Wanted are settings that take effect as soon as they may: what a hand is dealt and
// keyed by between two hands, the game and its decks between shoes, all else at once.
type Wanted struct {
	Settings tracker.Settings
	Pack     []byte // source of the rule pack
	Digest   string
}

// Configure asks for settings and a game; what may not change now changes with the first
// record after which it may.
func (d *Desk) Configure(now tracker.Stamp, w Wanted) {
	d.wanted = &w
	d.applyWanted(now, false)
}

// applyWanted wishes for what may change now. ended says that a hand or a shoe has just
// ended.
func (d *Desk) applyWanted(now tracker.Stamp, ended bool) {
	if d.wanted == nil {
		return
	}
	w, anotherGame := d.wanted.Settings, d.wantsGame(now)
	if !d.betweenHands(ended) {
		w = ofTheHand(d.state.Settings, w)
	}
	if anotherGame { // its bets are not this game's
		w.Limits, w.Collection = d.state.Settings.Limits, d.state.Settings.Collection
	}
	if !d.betweenShoes() {
		w.Decks = d.state.Settings.Decks
	}
	if !reflect.DeepEqual(d.state.Settings, w) && !d.queued(tracker.SettingsApplied) {
		d.Wish(now, "config", tracker.Command{Kind: tracker.SettingsApplied, Settings: &w})
	}
}

// wantsGame wishes for the game that is wanted, and says whether it has to wait for the
// next shoe.
func (d *Desk) wantsGame(now tracker.Stamp) (waits bool) {
	w, p := d.wanted, d.state.Pack()
	if w.Digest == "" || p != nil && p.Digest == w.Digest {
		d.endFault(gameWaits)
		return false
	}
	if !d.betweenShoes() {
		d.setFault(gameWaits, "The game changes with the next shoe")
		return true
	}
	if !d.queued(tracker.PackInstalled) {
		d.Wish(now, "config", tracker.Command{Kind: tracker.PackInstalled, Source: string(w.Pack)})
	}
	return false
}

// betweenShoes says that no hand of the shoe has begun.
func (d *Desk) betweenShoes() bool {
	return len(d.state.Shoe.Hands) == 0 && (d.state.Phase == tracker.TableClosed || d.state.Phase == tracker.Shuffling)
}

// betweenHands says that no hand is being dealt under the limits that are posted. Where
// bets are never opened by a key nobody knows when a hand begins: then it is only as one
// has ended.
func (d *Desk) betweenHands(ended bool) bool {
	phase := d.state.Phase
	if phase == tracker.Paused {
		phase = d.state.Behind
	}
	switch {
	case d.console.Pending() && d.entry() != nil || d.state.Free:
		return false
	case phase == tracker.Result:
		return ended || d.state.Settings.Bets != tracker.BetsOff
	}
	return phase == tracker.TableClosed || phase == tracker.Shuffling
}

// ofTheHand is w with what a hand is dealt and keyed by as it stands in s.
func ofTheHand(s, w tracker.Settings) tracker.Settings {
	w.Limits, w.Collection = s.Limits, s.Collection
	w.Bets, w.BetSeconds, w.Reopen, w.AutoOpen = s.Bets, s.BetSeconds, s.Reopen, s.AutoOpen
	w.MinHand, w.Entry, w.Confirm, w.DealerFix = s.MinHand, s.Entry, s.Confirm, s.DealerFix
	return w
}

func (d *Desk) queued(k tracker.Kind) bool {
	has := func(w wish) bool { return w.cmds[0].Kind == k }
	return slices.ContainsFunc(d.queue, has) || d.flight != nil && has(d.flight.wish)
}
