package e2e

import (
	"testing"
	"time"

	"shoeboard/cmd/internal/config"
	"shoeboard/cmd/internal/testkit"
	"shoeboard/display/displaytest"
	"shoeboard/stats"
)

// What players see of the real program, on X servers that a monitor comes to and
// leaves.
func TestScreens(t *testing.T) {
	binary := buildBinary(t)
	for _, c := range []struct {
		name string
		test func(*testing.T, string)
	}{{"stays on", staysOn}, {"draws nothing that is not new", drawsNothingThatIsNotNew}, {"two show one board", twoShowOneBoard},
		{"moves to another table", movesToAnotherTable}} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel() // they wait more than they work
			c.test(t, binary)
		})
	}
}

// A night at a table: the monitor is off when the unit starts, is switched on and off
// while hands are dealt, wakes up in another mode, and the core is killed. No hand
// is lost, and whenever there is a monitor it shows the board, the whole of it.
func staysOn(t *testing.T, binary string) {
	u := newStation(t, binary, "bets = \"off\"\nmin_hand = 0\n")
	x := displaytest.Start(t, 1024, 600)
	x.Run(t, "xrandr", "x11-xserver-utils", "--newmode", "other", "40", "800", "840", "968", "1056", "600", "601", "605", "628")
	x.Run(t, "xrandr", "x11-xserver-utils", "--addmode", "screen", "other")
	s := config.Default().Screens[0]
	core := u.core()

	monitorOff(t, x)
	screen := u.screen(x, s.Name)
	quiet(t, "with no monitor from the start", screen)
	u.hand("PLAYER")
	monitorOn(t, x)
	u.awaitBoard("the board: switched on for the first time", x, s, 1024, 600, false)

	monitorOff(t, x)
	time.Sleep(1500 * time.Millisecond) // the window's loop turns once a second
	u.hand("BANKER")
	quiet(t, "with the monitor off", screen)
	monitorOn(t, x)
	u.awaitBoard("the board: switched on again", x, s, 1024, 600, false)

	x.Run(t, "xrandr", "x11-xserver-utils", "--output", "screen", "--mode", "other")
	u.awaitBoard("the board: in another mode", x, s, 800, 600, false)
	monitorOff(t, x)
	u.hand("TIE")
	x.Run(t, "xrandr", "x11-xserver-utils", "--output", "screen", "--mode", "other")
	u.awaitBoard("the board: switched on in the wrong mode", x, s, 800, 600, false)
	x.Run(t, "xrandr", "x11-xserver-utils", "--output", "screen", "--mode", "1024x600")
	u.awaitBoard("the board: in its own mode again", x, s, 1024, 600, false)

	if err := core.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	u.awaitBoard("the screen waits for the core", x, s, 1024, 600, true)
	u.core()
	u.hand("PLAYER")
	u.awaitBoard("the board: with a new core", x, s, 1024, 600, false)
	if n := u.board().Shoe.Hands; n != 4 {
		t.Errorf("%d hands were saved, 4 were keyed", n)
	}
	if !x.CursorHidden(t) {
		t.Error("the cursor is to be seen")
	}
	screen.end()
}

func monitorOff(t *testing.T, x displaytest.Server) {
	t.Helper()
	x.Run(t, "xrandr", "x11-xserver-utils", "--fb", "1024x600", "--output", "screen", "--off")
}

func monitorOn(t *testing.T, x displaytest.Server) {
	t.Helper()
	x.Run(t, "xrandr", "x11-xserver-utils", "--output", "screen", "--mode", "1024x600")
}

// quiet expects a screen that nobody sees to take under 1 % of a processor.
func quiet(t *testing.T, when string, p *proc) {
	t.Helper()
	const watch = 3 * time.Second
	for began := time.Now(); ; { // it has just started or just been left alone
		before := p.cpu()
		time.Sleep(watch)
		used := p.cpu() - before
		if used <= watch/100 {
			return
		}
		if time.Since(began) > testkit.Patience {
			t.Fatalf("%s the screen still takes %v of processor time in %v", when, used, watch)
		}
	}
}

// A countdown is redrawn once a second, and what does not change is not redrawn.
func drawsNothingThatIsNotNew(t *testing.T, binary string) {
	u := newStation(t, binary, "bets = \"timer\"\nbet_seconds = 60\nmin_hand = 0\n")
	x := displaytest.Start(t, 1024, 600)
	s := config.Default().Screens[0]
	u.core()

	still := u.screen(x, s.Name)
	u.awaitBoard("the board at rest", x, s, 1024, 600, false)
	time.Sleep(4 * time.Second)
	opening := frames(t, still.end())
	if opening > 8 {
		t.Errorf("%d frames to open the window and rest for 4 s", opening)
	}

	u.press("BETS", 60*time.Millisecond)
	u.until("the countdown runs", func(b *stats.Board) bool { return b.Countdown != nil })
	began := time.Now()
	counting := u.screen(x, s.Name)
	u.awaitBoard("the board with its countdown", x, s, 1024, 600, false)
	time.Sleep(5 * time.Second)
	n := frames(t, counting.end()) - opening
	if took := time.Since(began); n < 2 || n > int(took/time.Second)+4 {
		t.Errorf("%d frames more than at rest in %v of a countdown", n, took)
	}
}
