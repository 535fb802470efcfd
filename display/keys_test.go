package display

import (
	"slices"
	"strconv"
	"testing"
	"time"

	"shoeboard/display/displaytest"
)

// edges are the press and the release of each key in turn.
func edges(names ...string) (out []string) {
	for _, n := range names {
		out = append(out, n+" true", n+" false")
	}
	return out
}

// expectKeys waits for as many edges as wanted and compares them all.
func (c *client) expectKeys(want []string) {
	c.t.Helper()
	for len(c.keys) < len(want) {
		c.wait("key")
	}
	time.Sleep(100 * time.Millisecond) // room for edges too many
	c.frames()
	if !slices.Equal(c.keys, want) {
		c.t.Errorf("keys %q\nwant %q", c.keys, want)
	}
	c.keys = nil
}

// hears waits until the window hears keys: the server tells it a moment after
// the window has appeared.
func (c *client) hears(x displaytest.Server) {
	c.t.Helper()
	for len(c.keys) < 2 {
		x.Xdotool(c.t, "key", "F12")
		time.Sleep(100 * time.Millisecond)
		c.frames()
	}
	x.Xdotool(c.t, "key", "F11") // behind the last F12, which may still be on its way
	for c.wait("key") != "F11 false" {
	}
	c.keys = nil
}

func TestEveryKeyOfThePadHasItsName(t *testing.T) {
	t.Parallel()
	x := displaytest.Start(t, 800, 480)
	win := open(t, x, "full keys")
	win.hears(x)
	x.Xdotool(t, "key", "KP_End", "KP_Down", "KP_Begin", "KP_Insert", "KP_Delete", "KP_Enter", "KP_Add", "KP_Subtract", "KP_Multiply", "KP_Divide",
		"Num_Lock", "Num_Lock", "Escape", "Tab", "BackSpace", "Return", "p", "b", "t", "7", "F1", "space", "Left")
	win.expectKeys(edges("KP1", "KP2", "KP5", "KP0", "KPDOT", "KPENTER", "KPPLUS", "KPMINUS", "KPASTERISK", "KPSLASH",
		"NUMLOCK", "NUMLOCK", "ESC", "TAB", "BACKSPACE", "ENTER", "P", "B", "T", "7", "F1", "SPACE", "LEFT"))
}

func TestPadKeysHaveTheSameNameWithNumLock(t *testing.T) {
	t.Parallel()
	x := displaytest.Start(t, 800, 480)
	win := open(t, x, "full keys")
	win.hears(x)
	x.Xdotool(t, "key", "Num_Lock", "key", "87", "key", "91", "key", "Num_Lock") // by key number: 1 and the point
	win.expectKeys(edges("NUMLOCK", "KP1", "KPDOT", "NUMLOCK"))
}

// A dealer's fastest keying, while each key makes a new picture: the window is
// busy painting most of the time and still hears all.
func TestNoKeyIsLostWhilePainting(t *testing.T) {
	t.Parallel()
	x := displaytest.Start(t, 1920, 1080)
	win := open(t, x, "full keys")
	win.hears(x)
	names := []string{"KP_End", "KP_Enter", "KP_Enter", "KP_Down", "KP_Enter", "KP_Next", "KP_Next", "KP_Enter"}
	var want []string
	for i := range 40 {
		win.send("show board " + strconv.Itoa(i))
		x.Xdotool(t, "key", "--delay", "20", names[i%8], names[(i+3)%8])
		linux := map[string]string{"KP_End": "KP1", "KP_Down": "KP2", "KP_Next": "KP3", "KP_Enter": "KPENTER"}
		want = append(want, edges(linux[names[i%8]], linux[names[(i+3)%8]])...)
	}
	win.expectKeys(want)
}

func TestTwoTapsWithinAFrameAreTwo(t *testing.T) {
	t.Parallel()
	x := displaytest.Start(t, 1920, 1080)
	win := open(t, x, "full keys")
	win.hears(x)
	for i := range 20 {
		win.send("show board " + strconv.Itoa(i))
		x.Xdotool(t, "key", "--delay", "0", "KP_Enter", "KP_Enter", "KP_End", "KP_Enter")
		win.expectKeys(edges("KPENTER", "KPENTER", "KP1", "KPENTER"))
	}
}

func TestChordAndHoldKeepTheirEdges(t *testing.T) {
	t.Parallel()
	x := displaytest.Start(t, 800, 480)
	win := open(t, x, "full keys")
	win.hears(x)
	x.Xdotool(t, "keydown", "KP_Next", "sleep", "0.02", "keydown", "KP_Enter", "sleep", "0.02", "keyup", "KP_Next", "sleep", "0.02", "keyup", "KP_Enter")
	win.expectKeys([]string{"KP3 true", "KPENTER true", "KP3 false", "KPENTER false"})
	// Longer than the server waits before it repeats a key by itself.
	x.Xdotool(t, "keydown", "BackSpace", "sleep", "1.5", "keyup", "BackSpace")
	win.expectKeys(edges("BACKSPACE"))
}

func TestHeldKeyIsReleasedWhenTheWindowLosesTheKeyboard(t *testing.T) {
	t.Parallel()
	x := displaytest.Start(t, 800, 480)
	win := open(t, x, "keys")
	win.hears(x)
	x.Xdotool(t, "keydown", "KP_Enter")
	win.wait("key")
	other := open(t, x, "keys 300x200") // takes the keyboard as it opens
	win.wait("key")
	x.Xdotool(t, "keyup", "KP_Enter")
	win.expectKeys(edges("KPENTER"))
	other.expectKeys(nil)
}
