package e2e

import (
	"strings"
	"testing"

	"shoeboard/cmd/internal/testkit"
	"shoeboard/display/displaytest"
)

// Two screens of one core, each on its own monitor and in its own way, show the same
// board.
func twoShowOneBoard(t *testing.T, binary string) {
	screens := testkit.Config(t, testkit.TwoScreens).Screens
	players, pit := screens[0], screens[1]
	pit.PixelShift = false // this test compares pixels where they belong
	u := newStation(t, binary, strings.Replace(testkit.TwoScreens, "pixel_shift = true\n", "", 1))
	u.core()
	u.hand("PLAYER")
	wide, upright := displaytest.Start(t, 1280, 720), displaytest.Start(t, 1366, 768)
	first, second := u.screen(wide, players.Name), u.screen(upright, pit.Name)
	for _, key := range []string{"", "BANKER_NATURAL", "TIE", "PLAYER"} {
		if key != "" {
			u.hand(key)
		}
		u.awaitBoard("the players' screen after "+key, wide, players, 1280, 720, false)
		u.awaitBoard("the pit's screen after "+key, upright, pit, 1366, 768, false)
	}
	// By now either monitor has had its size for longer than it takes to judge it.
	if said := first.end(); strings.Contains(said, "WARN") {
		t.Errorf("a monitor without fault: %s", said)
	}
	if said := second.end(); strings.Count(said, "the panel is too small (screen_inches = 15, 1366x768)") != 1 || strings.Contains(said, "the monitor shows") {
		t.Errorf("a monitor of 15 inches: %s", said)
	}
}
