package shoefile

import (
	"errors"
	"fmt"
	"slices"

	"shoeboard/tracker"
)

// Play plays f; name is used in errors. It stops at the first step that is
// impossible, and returns an *Error with its line. Expectations that do not hold
// are collected in Failures, and play goes on.
func (p *Player) Play(name string, f File) error {
	for _, s := range f.Steps {
		if err := p.step(name, s); err != nil {
			return &Error{name, s.Line, err.Error()}
		}
	}
	return nil
}

func (p *Player) step(name string, s Step) error {
	switch s.Op {
	case Hand, Free:
		return p.hand(s)
	case Fix, Remove, Insert:
		return p.correct(s)
	case Floor:
		return p.floor(s)
	case Shoe:
		if p.State().NoHandYet() {
			return nil
		}
		return p.wish(tracker.Command{Kind: tracker.ShoeStarted})
	case Game:
		return p.game(s.Text)
	case Decks:
		if d := p.State().Pack().Decks; s.N < d.Min || s.N > d.Max {
			return fmt.Errorf("decks %d: %s is played with %d to %d", s.N, p.State().Pack().Name, d.Min, d.Max)
		}
		return nil
	case Void:
		return p.void(s)
	case Bets, Pause, Cut, Review:
		return p.phase(s)
	case KeyPress:
		return p.press1(s)
	case Wait:
		return p.pass(s.Wait)
	case PowerCut:
		return p.boot()
	case Set:
		return p.set(s)
	case ShoeCard, ShoeHand, ShoeDoubt, ShoeCut, ShoeNew, ShoeVoid, ShoeLost, ShoeBack:
		return p.shoe(s)
	}
	if err := p.expect(s.Words); err != nil {
		p.Failures = append(p.Failures, &Error{name, s.Line, err.Error()})
	}
	return nil
}

func (p *Player) press1(s Step) error {
	for _, k := range s.Keys {
		if err := p.press(k); err != nil {
			return err
		}
	}
	return nil
}

// set changes a setting of the table, or the pace of the keys.
func (p *Player) set(s Step) error {
	settings := p.State().Settings
	switch s.Text {
	case "pace":
		p.pace = s.Wait
		return nil
	case "bets":
		settings.Bets = tracker.BetsMode(s.Words[0])
	case "confirm":
		settings.Confirm = s.Words[0] == "on"
	case "entry":
		settings.Entry = tracker.EntryMode(s.Words[0])
	case "dealer-fix":
		settings.DealerFix = int(s.Words[0][0] - '0')
	}
	return p.wish(tracker.Command{Kind: tracker.SettingsApplied, Settings: &settings})
}

// hand deals a hand: the time it takes, then its record.
func (p *Player) hand(s Step) error {
	if err := p.pass(handTakes); err != nil {
		return err
	}
	return p.wish(tracker.Command{Kind: tracker.HandRecorded, Token: s.Text, Free: s.Op == Free || p.State().Free})
}

// correct puts a hand right. Text in a fix leaves the free flag as it was.
func (p *Player) correct(s Step) error {
	hands := p.State().Shoe.Hands
	c := tracker.Command{Kind: tracker.HandFixed, Hand: s.N, Token: s.Text}
	switch {
	case s.Op == Remove:
		c.Kind = tracker.HandRemoved
	case s.Op == Insert:
		c.Kind = tracker.HandInserted
	case s.N >= 1 && s.N <= len(hands):
		c.Free = hands[s.N-1].Free
	case s.N == 0 && len(hands) > 0:
		c.Free = hands[len(hands)-1].Free
	}
	return p.wish(c)
}

// floor puts a hand right in the name of the floor.
func (p *Player) floor(s Step) error {
	kind := map[Op]tracker.Kind{Fix: tracker.HandFixed, Insert: tracker.HandInserted, Remove: tracker.HandRemoved}[Op(s.Words[0])]
	var why error
	_, err := p.engine.Correct(p.now, tracker.Command{Kind: kind, Hand: s.N, Token: s.Text, By: "floor"}, nil, func(err error) { why = err })
	if err != nil {
		return err
	}
	return errors.Join(p.handle(nil), why)
}

func (p *Player) void(s Step) error {
	if s.Text == "" {
		s.Text = tracker.Reasons()[0]
	}
	if !slices.Contains(tracker.Reasons(), s.Text) {
		return fmt.Errorf("void %q: expected one of %q", s.Text, tracker.Reasons())
	}
	return p.wish(tracker.Command{Kind: tracker.HandVoided, Reason: s.Text})
}

// phase does what the key of the same name does.
func (p *Player) phase(s Step) error {
	st := p.State()
	switch s.Op {
	case Review:
		return p.wish(tracker.Command{Kind: tracker.ReviewSet, On: s.Text == "on"})
	case Pause:
		if st.Phase == tracker.Paused {
			return p.wish(tracker.Command{Kind: tracker.GameResumed})
		}
		return p.wish(tracker.Command{Kind: tracker.GamePaused})
	case Cut:
		return p.wish(tracker.Command{Kind: tracker.CutSet, Hand: st.NextCut()})
	}
	switch {
	case st.Phase == tracker.Betting:
		return p.wish(tracker.Command{Kind: tracker.BetsShut, Reason: "key"})
	case st.Settings.Bets == tracker.BetsOff && st.Phase == tracker.Shuffling:
		return p.wish(tracker.Command{Kind: tracker.ShuffleEnded})
	}
	return p.wish(tracker.Command{Kind: tracker.BetsOpened, Seconds: st.Settings.Countdown()})
}
