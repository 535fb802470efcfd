package display

import (
	"context"
	"image"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/xproto"

	"shoeboard/display/displaytest"
)

func TestKeysAreCalledWhatIsPrintedOnThem(t *testing.T) {
	for _, c := range []struct {
		code    int
		symbols []xproto.Keysym
		want    string
	}{
		{87, []xproto.Keysym{0xff9c, 0xffb1}, "KP1"},
		{91, []xproto.Keysym{0xff9f, 0xffac}, "KPDOT"},
		{104, []xproto.Keysym{0xff8d}, "KPENTER"},
		{33, []xproto.Keysym{'p', 'P'}, "P"},
		{10, []xproto.Keysym{'1', '!'}, "1"},
		{10, []xproto.Keysym{'&', '1'}, "1"}, // a French layout: digits with Shift
		{67, []xproto.Keysym{0xffbe}, "F1"},
		{36, []xproto.Keysym{0xff0d}, "ENTER"},
		{150, []xproto.Keysym{0x1008ff2f, 0, 0}, "KEY142"},
		{151, nil, "KEY143"},
	} {
		if got := keyName(c.code, c.symbols); got != c.want {
			t.Errorf("key %d with %x is called %q, want %q", c.code, c.symbols, got, c.want)
		}
	}
}

// A key happened when the server says, however late it is heard; the server's clock has
// 32 bits of milliseconds, and one elsewhere is another clock.
func TestAKeyHappenedBeforeItWasHeard(t *testing.T) {
	now := time.Now()
	const day = 24 * time.Hour
	for _, c := range []struct {
		mono time.Duration // of the machine
		at   uint32        // of the event, ms
		late time.Duration
	}{
		{5 * time.Second, 5000, 0},
		{5*time.Second + 300*time.Microsecond, 5000, 300 * time.Microsecond},
		{5*time.Second + 90*time.Millisecond, 5000, 90 * time.Millisecond},
		{40 * day, uint32(40*day/time.Millisecond - 7), 7 * time.Millisecond},
		{1<<32*time.Millisecond + 2*time.Millisecond, 1<<32 - 3, 5 * time.Millisecond},
		{5 * time.Second, 5001, 0}, // ahead of this machine
		{time.Minute, 5000, 0},     // long before: another clock
		{time.Minute, 900_000_000, 0},
	} {
		if got := now.Sub(happened(xproto.Timestamp(c.at), now, c.mono)); got != c.late {
			t.Errorf("at %v an event of %d ms is %v late, want %v", c.mono, c.at, got, c.late)
		}
	}
}

func TestEdgesAlternateWhateverComes(t *testing.T) {
	var got []string
	keys := &keyboard{down: map[xproto.Keycode]string{}, tell: func(k Key) {
		got = append(got, k.Name+map[bool]string{true: "+", false: "-"}[k.Down])
	}}
	keys.names[10], keys.names[11] = "1", "2"
	l := &watcher{keys: keys, watch: watch{changed: func() {}}}
	keymap := make([]byte, 31)
	keymap[0] = 1 << 3 // key 11
	for _, e := range []xgb.Event{
		xproto.KeyReleaseEvent{Detail: 10}, // pressed elsewhere
		xproto.KeyPressEvent{Detail: 10},
		xproto.KeyPressEvent{Detail: 10}, // it repeats
		xproto.KeyPressEvent{Detail: 11},
		xproto.FocusOutEvent{Mode: xproto.NotifyModeGrab}, // a shortcut of the desktop
		xproto.KeyReleaseEvent{Detail: 10},
		xproto.FocusOutEvent{Mode: xproto.NotifyModeNormal}, // another window has the keyboard
		xproto.KeyReleaseEvent{Detail: 11},
		xproto.ExposeEvent{},                   // of no interest
		xproto.KeymapNotifyEvent{Keys: keymap}, // we have the keyboard again; 2 is down
		xproto.KeyPressEvent{Detail: 11},       // it repeats
		xproto.KeyPressEvent{Detail: 10},
		xproto.KeyReleaseEvent{Detail: 11},
		xproto.KeyPressEvent{Detail: 11},
	} {
		if gone, err := l.event(e); gone || err != nil {
			t.Fatalf("%v: %v, %v", e, gone, err)
		}
	}
	if gone, _ := l.event(xproto.DestroyNotifyEvent{}); !gone {
		t.Error("a window that is destroyed is not noticed")
	}
	keys.releaseAll()
	if want := []string{"1+", "2+", "1-", "2-", "1+", "2+", "1-", "2-"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestMonitorOfAWindow(t *testing.T) {
	left, right := image.Rect(0, 0, 1920, 1080), image.Rect(1920, 0, 3000, 1920)
	for _, c := range []struct {
		name     string
		window   image.Rectangle
		monitors []image.Rectangle
		want     image.Rectangle
	}{
		{"its own", left, []image.Rectangle{left, right}, left},
		{"a smaller mode", left, []image.Rectangle{image.Rect(0, 0, 1280, 720)}, image.Rect(0, 0, 1280, 720)},
		{"the second", image.Rect(1920, 0, 2000, 100), []image.Rectangle{left, right}, right},
		{"its place is gone", right, []image.Rectangle{left}, left},
		{"left of all", image.Rect(-5, -7, 5, 3), []image.Rectangle{right, left}, right},
	} {
		if got, ok := monitorOf(c.window, c.monitors); !ok || got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
	if _, ok := monitorOf(left, nil); ok {
		t.Error("without a monitor there is nothing to cover")
	}
}

func TestNoServerIsAnError(t *testing.T) {
	for _, display := range []string{"nonsense", ":54321"} {
		if _, err := openX(t.Context(), display); err == nil {
			t.Errorf("display %q: no error", display)
		}
	}
}

// bare opens an empty window in another.
func bare(t *testing.T, x *xgb.Conn, parent xproto.Window, r image.Rectangle) xproto.Window {
	t.Helper()
	screen := xproto.Setup(x).DefaultScreen(x)
	id, err := xproto.NewWindowId(x)
	if err != nil {
		t.Fatal(err)
	}
	err = xproto.CreateWindowChecked(x, screen.RootDepth, id, parent, int16(r.Min.X), int16(r.Min.Y), uint16(r.Dx()), uint16(r.Dy()), 0,
		xproto.WindowClassInputOutput, screen.RootVisual, 0, nil).Check()
	if err != nil {
		t.Fatal(err)
	}
	xproto.MapWindow(x, id)
	return id
}

// owned opens a bare window that belongs to a process.
func owned(t *testing.T, x *xgb.Conn, pid uint32, parent xproto.Window, where image.Rectangle) xproto.Window {
	t.Helper()
	w := bare(t, x, parent, where)
	const name = "_NET_WM_PID"
	atom, err := xproto.InternAtom(x, false, uint16(len(name)), name).Reply()
	if err != nil {
		t.Fatal(err)
	}
	value := make([]byte, 4)
	xgb.Put32(value, pid)
	if err := xproto.ChangePropertyChecked(x, xproto.PropModeReplace, w, atom.Atom, xproto.AtomCardinal, 32, 1, value).Check(); err != nil {
		t.Fatal(err)
	}
	return w
}

func TestListensToItsOwnWindow(t *testing.T) {
	server := displaytest.Start(t, 640, 480)
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	client, err := openX(ctx, server.Display)
	if err != nil {
		t.Fatal(err)
	}
	x := client.x // the windows are on the same connection: the package has no room for two
	keys, changes, done := make(chan Key, 10), make(chan bool, 100), make(chan error, 1)
	go func() {
		done <- client.follow(ctx, watch{pid: 77, cover: true,
			key: func(k Key) { keys <- k }, changed: func() { changes <- true }})
	}()
	root, all := client.root, image.Rect(0, 0, 640, 480)
	owned(t, x, 78, root, image.Rect(0, 0, 10, 10))
	w := owned(t, x, 77, bare(t, x, root, all), all) // as in the frame of a window manager
	xproto.SetInputFocus(x, xproto.InputFocusNone, w, xproto.TimeCurrentTime)
	for len(keys) == 0 { // until it has found the window
		server.Xdotool(t, "key", "KP_Enter")
		time.Sleep(20 * time.Millisecond)
	}
	if k := <-keys; k.Name != "KPENTER" || !k.Down {
		t.Errorf("heard %v", k)
	}
	server.Run(t, "xrandr", "x11-xserver-utils", strings.Fields("--newmode small 40 320 330 340 350 240 241 242 243")...)
	server.Run(t, "xrandr", "x11-xserver-utils", strings.Fields("--addmode screen small")...)
	server.Run(t, "xrandr", "x11-xserver-utils", strings.Fields("--output screen --mode small")...)
	<-changes
	awaitPlace(t, x, w, image.Rect(0, 0, 320, 240))
	cancel()
	if err := <-done; err != nil {
		t.Errorf("asked to end, it says %v", err)
	}
}

// awaitPlace waits until a window lies at a place of its parent.
func awaitPlace(t *testing.T, x *xgb.Conn, w xproto.Window, want image.Rectangle) {
	t.Helper()
	for end := time.Now().Add(patience); ; time.Sleep(20 * time.Millisecond) {
		g, err := xproto.GetGeometry(x, xproto.Drawable(w)).Reply()
		if err != nil {
			t.Fatal(err)
		}
		got := rectangle(g.X, g.Y, g.Width, g.Height)
		if got == want {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("the window lies at %v, not at %v", got, want)
		}
	}
}

func TestKeepsToTheMonitorOfItsOutput(t *testing.T) {
	server := displaytest.Start(t, 640, 480)
	monitor := func(args string) {
		t.Helper()
		server.Run(t, "xrandr", "x11-xserver-utils", strings.Fields(args)...)
	}
	monitor("--setmonitor LEFT 320/80x480/120+0+0 screen")
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	client, err := openX(ctx, server.Display)
	if err != nil {
		t.Fatal(err)
	}
	x := client.x
	came := make(chan error, 1)
	go func() { came <- client.awaitMonitor(ctx, "RIGHT") }()
	select {
	case err := <-came:
		t.Fatalf("a monitor that is not there has come: %v", err)
	case <-time.After(200 * time.Millisecond):
	}
	right := func() {
		monitor("--setmonitor RIGHT 320/80x200/50+320+10 none")
		monitor("--fb 640x480 --output screen --off") // a change that the server tells of
		monitor("--output screen --auto")
	}
	right()
	if err := <-came; err != nil {
		t.Fatal(err)
	}
	monitor("--delmonitor RIGHT")
	w := owned(t, x, 77, client.root, image.Rect(0, 0, 100, 100))
	heard := make(chan Key, 10)
	go func() {
		_ = client.follow(ctx, watch{pid: 77, cover: true, output: "RIGHT", changed: func() {}, key: func(k Key) { heard <- k }})
	}()
	xproto.SetInputFocus(x, xproto.InputFocusNone, w, xproto.TimeCurrentTime)
	for len(heard) == 0 { // until it has found the window
		server.Xdotool(t, "key", "KP_Enter")
		time.Sleep(20 * time.Millisecond)
	}
	xproto.ConfigureWindow(x, w, xproto.ConfigWindowX, []uint32{5})
	awaitPlace(t, x, w, image.Rect(-2000, 0, -720, 720)) // over nobody's board
	right()
	awaitPlace(t, x, w, image.Rect(320, 10, 640, 210))
	xproto.ConfigureWindow(x, w, xproto.ConfigWindowX|xproto.ConfigWindowY, []uint32{0, 0}) // the game loop goes full screen
	awaitPlace(t, x, w, image.Rect(320, 10, 640, 210))
}
