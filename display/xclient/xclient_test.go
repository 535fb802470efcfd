package xclient

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"io"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestDisplaysAreUnderstood(t *testing.T) {
	for text, want := range map[string]address{
		":0": {"", "0"}, ":12.0": {"", "12"}, "unix:1": {"", "1"}, "table14:2.1": {"table14", "2"}, "[::1]:3": {},
	} {
		got, err := parseDisplay(text)
		if text == "[::1]:3" {
			if err == nil {
				t.Errorf("%q is read as %v", text, got)
			}
			continue
		}
		if err != nil || got != want {
			t.Errorf("%q is read as %v, %v; want %v", text, got, err, want)
		}
	}
	for _, text := range []string{"", "0", ":", ":x", ":-1"} {
		if _, err := parseDisplay(text); err == nil || !strings.Contains(err.Error(), "DISPLAY") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// entry is one entry of an authority file.
func entry(family uint16, fields ...string) (out []byte) {
	out = binary.BigEndian.AppendUint16(out, family)
	for _, f := range fields {
		out = binary.BigEndian.AppendUint16(out, uint16(len(f)))
		out = append(out, f...)
	}
	return out
}

func TestCookieOfThisHostComesFirst(t *testing.T) {
	const magic = "MIT-MAGIC-COOKIE-1"
	file := slices.Concat(
		entry(256, "other", "0", "XDM-AUTHORIZATION-1", "wrong protocol"),
		entry(65535, "", "", magic, "any"),
		entry(256, "table14", "1", magic, "other display"),
		entry(256, "table14", "0", magic, "right"))
	if got := findCookie(file, "table14", "0"); string(got) != "right" {
		t.Errorf("got %q", got)
	}
	if got := findCookie(file, "elsewhere", "7"); string(got) != "any" {
		t.Errorf("an entry of any host: %q", got)
	}
	if got := findCookie(file[:40], "table14", "0"); got != nil {
		t.Errorf("a torn file gives %q", got)
	}
	path := filepath.Join(t.TempDir(), "authority")
	if err := os.WriteFile(path, file, 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("XAUTHORITY", path)
	if got := (address{"table14", "0"}).cookie(); string(got) != "right" {
		t.Errorf("from the file: %q", got)
	}
	t.Setenv("XAUTHORITY", path+".gone")
	if got := (address{"table14", "0"}).cookie(); got != nil {
		t.Errorf("no file gives %q", got)
	}
}

func FuzzFindCookie(f *testing.F) {
	f.Add(entry(256, "table14", "0", "MIT-MAGIC-COOKIE-1", "secret"))
	f.Add([]byte{1, 0, 0, 200})
	f.Fuzz(func(t *testing.T, file []byte) {
		if got := findCookie(file, "table14", "0"); got != nil && !bytes.Contains(file, got) {
			t.Errorf("%q is not in the file", got)
		}
	})
}

// hello plays a server that answers the greeting with bytes of its own.
func hello(t testing.TB, answer []byte, cookie []byte) (*conn, []byte, error) {
	client, server := net.Pipe()
	defer client.Close()
	defer server.Close()
	heard := make(chan []byte, 1)
	go func() {
		said := make([]byte, 12+len(pad(cookie)))
		if cookie != nil {
			said = make([]byte, len(said)+20)
		}
		io.ReadFull(server, said)
		heard <- said
		server.Write(answer)
		server.Close()
	}()
	c := &conn{Conn: client, in: bufio.NewReader(client)}
	err := c.setUp(cookie)
	return c, <-heard, err
}

func TestGreeting(t *testing.T) {
	for _, n := range []int{0, 1, 20, 21} {
		c, said, err := hello(t, greeting(n), []byte("sixteen letters!"))
		if err != nil || c.root != fakeRoot {
			t.Errorf("a vendor of %d letters: root %d, %v", n, c.root, err)
		}
		if said[0] != 'l' || !bytes.Contains(said, []byte("MIT-MAGIC-COOKIE-1")) || !bytes.HasSuffix(said, []byte("sixteen letters!")) {
			t.Errorf("said %q", said)
		}
	}
	refusal := append([]byte{0, 9, 11, 0, 0, 0, 3, 0}, "No cookie..."...)
	if _, _, err := hello(t, refusal, nil); err == nil || !strings.Contains(err.Error(), `"No cookie"`) {
		t.Errorf("refused: %v", err)
	}
	for n := range len(greeting(4)) {
		if _, _, err := hello(t, greeting(4)[:n], nil); err == nil {
			t.Fatalf("a greeting torn after %d bytes is taken", n)
		}
	}
}

func FuzzGreeting(f *testing.F) {
	f.Add(greeting(4)[8:])
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, body []byte) {
		c := &conn{}
		if err := c.readRoot(body); err == nil && !bytes.Contains(body, words(c.root)) {
			t.Errorf("root %d is not in the greeting", c.root)
		}
	})
}

func TestKeysAreCalledWhatIsPrintedOnThem(t *testing.T) {
	for _, c := range []struct {
		code    byte
		symbols []uint32
		want    string
	}{
		{87, []uint32{0xff9c, 0xffb1}, "KP1"},
		{91, []uint32{0xff9f, 0xffac}, "KPDOT"},
		{104, []uint32{0xff8d}, "KPENTER"},
		{33, []uint32{'p', 'P'}, "P"},
		{10, []uint32{'1', '!'}, "1"},
		{10, []uint32{'&', '1'}, "1"}, // a French layout: digits with Shift
		{67, []uint32{0xffbe}, "F1"},
		{36, []uint32{0xff0d}, "ENTER"},
		{150, []uint32{0x1008ff2f, 0, 0}, "KEY142"},
		{151, nil, "KEY143"},
	} {
		if got := keyName(c.code, c.symbols); got != c.want {
			t.Errorf("key %d with %x is called %q, want %q", c.code, c.symbols, got, c.want)
		}
	}
}

func TestEdgesAlternateWhateverComes(t *testing.T) {
	var got []string
	f, l := plug(t, Window{Key: func(k Key) {
		got = append(got, k.Name+map[bool]string{true: "+", false: "-"}[k.Down])
	}})
	l.names = [256]string{10: "1", 11: "2"}
	go func() {
		f.event(evKeyRelease, 10, 0) // pressed elsewhere
		f.event(evKeyPress, 10, 0)
		f.event(evKeyPress, 10, 0) // it repeats
		f.event(evKeyPress|0x80, 11, 0)
		f.event(evFocusOut, 0, 1) // a shortcut of the desktop
		f.event(evKeyRelease, 10, 0)
		f.event(evFocusOut, 0, 0) // another window has the keyboard
		f.event(evKeyRelease, 11, 0)
		f.event(12, 0, 0)                                                   // of no interest
		f.conn.Write(append([]byte{evKeymap, 1 << 3}, make([]byte, 30)...)) // we have the keyboard; 11 is down
		f.event(evKeyPress, 11, 0)                                          // it repeats
		f.event(evKeyRelease, 11, 0)
		f.event(evKeyPress, 10, 0)
		f.event(evDestroy, 0, 0)
	}()
	if err := l.hear(); err != nil {
		t.Fatal(err)
	}
	if want := []string{"1+", "2+", "1-", "2-", "1+", "1-"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestWindowIsFoundBelowItsFrame(t *testing.T) {
	var keys []Key
	f, l := plug(t, Window{PID: 77, Key: func(k Key) { keys = append(keys, k) }})
	f.windows = map[uint32][]uint32{fakeRoot: {1, 2}, 1: {11}, 2: {21}, 21: nil} // 11 goes away meanwhile
	f.owners[21] = 77
	go f.serve()
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	done := make(chan error, 1)
	go func() { done <- l.run(ctx) }()
	for !f.ready(reqChangeAttributes) {
		time.Sleep(time.Millisecond)
	}
	f.event(evKeyPress, 87, 0)
	f.conn.Close()
	if err := <-done; err == nil {
		t.Error("a server that is gone is no error")
	}
	if len(keys) != 2 || keys[0].Name != "KP1" || !keys[0].Down || keys[1].Down {
		t.Errorf("keys %v", keys)
	}
	if !slices.Equal(l.found, []uint32{21}) {
		t.Errorf("windows %v", l.found)
	}
}

func TestWindowKeepsCoveringItsMonitor(t *testing.T) {
	left, right := area{0, 0, 1920, 1080}, area{1920, 0, 1080, 1920}
	for _, c := range []struct {
		name    string
		window  area
		screens []area
		managed bool
		want    *area
	}{
		{"nothing changed", left, []area{left, right}, false, nil},
		{"smaller mode", left, []area{{0, 0, 1280, 720}}, false, &area{0, 0, 1280, 720}},
		{"second monitor", area{1920, 0, 720, 480}, []area{left, right}, false, &right},
		{"its place is gone", area{1920, 0, 1080, 1920}, []area{left}, false, &left},
		{"negative place", area{-5, -7, 10, 10}, []area{left}, false, &left},
		{"no monitor", left, nil, false, nil},
		{"a window manager does it", area{0, 0, 9, 9}, []area{left}, true, nil},
	} {
		changed := 0
		f, l := plug(t, Window{Cover: true, Changed: func() { changed++ }})
		f.places[5], f.screens, f.managed = c.window, c.screens, c.managed
		l.found, l.randr = []uint32{5}, extension{fakeRandr, fakeRandrEvent}
		go f.serve()
		if err := l.monitorsChanged(); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if _, err := l.atom("_NET_WM_PID"); err != nil { // all before it has been served
			t.Fatal(err)
		}
		var want []uint32
		if c.want != nil {
			want = []uint32{5, 0xf, uint32(c.want.x), uint32(c.want.y), uint32(c.want.w), uint32(c.want.h)}
		}
		if !slices.Equal(f.moves, want) || changed != 1 {
			t.Errorf("%s: moved %v, want %v; told %d times", c.name, f.moves, want, changed)
		}
	}
}
