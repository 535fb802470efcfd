package scene

import (
	"image/color"
	"slices"
	"testing"
	"time"

	"shoeboard/display/specimen"
	"shoeboard/stats"
)

// Whatever the echo says that is not what the table does stands on the screen where
// there is no echo, under a mark of what it means.
func TestMessagesToTheDealerAreShown(t *testing.T) {
	for name, want := range map[string]string{
		"told-not-saved": "dealer, attention|NOT SAVED: KEY AGAIN",
		"told-fix-left":  "dealer, attention|FIX ENDED, NO CHANGE|LAST 70 PLAYER",
		"told-cut":       "message to the dealer|LAST IS HAND 72|TAP AGAIN=HAND 71",
		"told-dropped":   "message to the dealer|71 DROPPED,|NOT SAVED",
		"told-fixed":     "recorded|70 FIXED|LAST 70 PLAYER",
		"told-frozen":    "message to the dealer|BOARD FROZEN|HOLD * = RELEASE",
		"proposal-waits": "dealer is entering|71? BANKER NATURAL|OK=SAVE CLEAR=DROP",
		"refused":        "key refused|SAVE 71 FIRST|OK=SAVE CLEAR=DROP",
	} {
		s := state(t, name)
		if got := said(Build(&s.Board, look(s, reference(t))), "dealer."); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

// A warning that was a refusal too (a keypad that lost a key) is a warning; CUT's answer
// over a proposal is a message, not the entry.
func TestTheStrongestMarkWins(t *testing.T) {
	for _, c := range []struct {
		dealer stats.Dealer
		want   string
	}{
		{stats.Dealer{Told: "warning", Refused: true}, "dealer, attention|x"},
		{stats.Dealer{Told: "hint", Entering: true, Blink: true}, "message to the dealer|x"},
		{stats.Dealer{Told: "saved", Refused: true}, "key refused|x"},
		{stats.Dealer{Asking: true, Entering: true, Blink: true}, "question to the dealer|x"},
		{stats.Dealer{}, ""},
	} {
		c.dealer.Lines[0] = "x"
		b := echo(c.dealer)
		if got := said(Build(&b, reference(t)), "dealer."); got != c.want {
			t.Errorf("%+v: %q, want %q", c.dealer, got, c.want)
		}
	}
}

// Where the dealer has an echo of his own nothing of it is on the board.
func TestAnEchoKeepsItsWordsFromTheBoard(t *testing.T) {
	for _, s := range specimen.All() {
		if !s.Board.Dealer.OnScreen {
			continue
		}
		v := look(s, reference(t))
		s.Board.Dealer.OnScreen = false
		with := Build(&s.Board, v)
		s.Board.Dealer = stats.Dealer{}
		if !slices.Equal(with, Build(&s.Board, v)) {
			t.Errorf("%s: the picture is another with an echo", s.Name)
		}
	}
}

// What has waited for long blinks: bright, dim, bright, and nothing but the dealer's
// lines. It can be read all the time.
func TestWhatWaitsBlinks(t *testing.T) {
	v := reference(t)
	s := state(t, "proposal-waits")
	v = look(s, v)
	var inks []color.NRGBA
	var rest []Op
	for v.Now = time.Hour; v.Now < time.Hour+4*dealerHalf; v.Now += dealerHalf {
		ops := Build(&s.Board, v)
		inks = append(inks, named(ops, "dealer.line")[1].Color)
		if got := said(ops, "dealer."); got != "dealer is entering|71? BANKER NATURAL|OK=SAVE CLEAR=DROP" {
			t.Errorf("at %v: %q", v.Now, got)
		}
		others := slices.DeleteFunc(ops, func(o Op) bool { return o.Name == "dealer.line" || o.Name == "dealer.edge" })
		if rest != nil && !slices.Equal(rest, others) {
			t.Error("more than the dealer's lines changes")
		}
		rest = others
	}
	if bright, dim := v.Theme.Amber, v.Theme.Muted; !slices.Equal(inks, []color.NRGBA{bright, dim, bright, dim}) {
		t.Errorf("inks %v", inks)
	}
}

// A core that is gone may have left a proposal behind: its picture stays as it is under
// the veil and costs nothing.
func TestNothingBlinksWithoutACore(t *testing.T) {
	s := state(t, "proposal-waits")
	s.Board.ClockTrusted = false
	v := look(s, reference(t))
	v.Waiting, v.Now = true, time.Hour
	if next, ok := NextChange(&s.Board, v); ok {
		t.Errorf("a new picture after %v", next)
	}
	later := v
	later.Now += dealerHalf
	if !slices.Equal(Build(&s.Board, v), Build(&s.Board, later)) {
		t.Error("it blinks")
	}
}
