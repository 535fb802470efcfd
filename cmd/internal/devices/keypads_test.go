package devices

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"shoeboard/cmd/internal/config"
	"shoeboard/cmd/internal/testkit"
	"shoeboard/hw/hwtest"
	"shoeboard/hw/matrix"
)

// testBench is a test of keypads on fakes.
type testBench struct {
	in   *hwtest.Input
	grid *hwtest.Grid
	h    Hardware
	out  testkit.Text
	stop func()
	done chan error
}

func newTestBench(t *testing.T) *testBench {
	b := &testBench{in: hwtest.NewInput(), grid: hwtest.NewGrid(false), done: make(chan error, 1)}
	lines := hwtest.NewLines(b.grid, matrix.ColumnFlags)
	b.h = Hardware{proc: t.TempDir(), Dev: filepath.Join(t.TempDir(), "dev"), Input: b.in, Now: b.in.Now, Log: testkit.Log(),
		Wires: func(config.Keypad) func() (matrix.Lines, error) {
			return func() (matrix.Lines, error) { return lines.Open() }
		}}
	return b
}

// start runs a test of the keypads of a configuration.
func (b *testBench) start(t *testing.T, venue string, coreRuns, live bool, set func(*KeypadTest)) {
	cfg := testkit.Config(t, venue)
	pack, err := config.Pack(cfg.Game)
	if err != nil {
		t.Fatal(err)
	}
	test := KeypadTest{Config: cfg, Pack: pack, Enrolled: NewEnrolments(t.TempDir()), CoreRuns: coreRuns, Live: live}
	if set != nil {
		set(&test)
	}
	ctx, cancel := context.WithCancel(t.Context())
	b.stop = cancel
	go func() { b.done <- b.h.TestKeypads(ctx, test, &b.out) }()
	b.wait(100 * time.Millisecond)
}

func (b *testBench) wait(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

// end stops the test and returns its last table and its verdict.
func (b *testBench) end() (string, error) {
	b.stop()
	err := <-b.done
	said := b.out.String()
	return said[strings.Index(said, "\n\nKEYPAD")+1:], err
}

func TestKeypadTestOfAUSBPad(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newTestBench(t)
		n := b.in.Plug("event1", testkit.SomePad("SEM USB Keypad", testkit.PortA))
		b.start(t, "", false, false, nil)
		press := func(code uint16, hold time.Duration) {
			n.Key(code, true)
			b.wait(hold)
			n.Key(code, false)
			b.wait(time.Second)
		}
		n.Key(codeNumLock, true)
		press(75, 120*time.Millisecond)
		n.Key(codeNumLock, false)
		for range 3 { // a worn switch: 2 ms on, 3 ms off
			n.Key(71, true)
			b.wait(2 * time.Millisecond)
			n.Key(71, false)
			b.wait(3 * time.Millisecond)
		}
		press(71, 300*time.Millisecond)
		press(72, 20*time.Millisecond)
		press(102, 50*time.Millisecond) // the code of Home: the same key with NumLock off
		n.Key(testkit.CodeOK, true)
		b.wait(16 * time.Second)
		testkit.Expect(t, b.out.String(), "pad KP4 (75) down BANKER NATURAL", "pad KP4 (75) up")
		table, err := b.end()
		testkit.Expect(t, table, "SEM USB Keypad", "KP4 75 BANKER NATURAL 1 120 ms -", "KP7 102 DRAGON 7 2 50 ms 15 ms",
			"KP8 72 PANDA 8 1 20 ms -", "KPENTER 96 OK 1 16000 ms - STUCK", "NumLock moved 2 times", "! key KPENTER has been down for 15 s",
			"not pressed yet: ESC TAB")
		if err == nil || !strings.Contains(err.Error(), "KPENTER is stuck") {
			t.Errorf("the verdict is %v", err)
		}
	})
}

func TestKeypadTestOfAMatrix(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newTestBench(t)
		b.start(t, testkit.WiredPad, false, false, nil)
		press := func(pos string, hold time.Duration) {
			b.grid.Set(pos, true)
			b.wait(hold)
			b.grid.Set(pos, false)
			b.wait(time.Second)
		}
		press("r5c1", 150*time.Millisecond)
		b.grid.Bounce(12 * time.Millisecond)
		for range 10 {
			press("r4c1", 100*time.Millisecond)
		}
		b.grid.Bounce(0)
		for _, pos := range []string{"r1c1", "r1c2", "r2c1"} { // three corners: the fourth is a ghost
			b.grid.Set(pos, true)
			b.wait(100 * time.Millisecond)
		}
		table, err := b.end()
		testkit.Expect(t, table, "KEYPAD wired (matrix, matrix-4x5): keypad of 5 rows by 4 columns", "r5c1 - BANKER 1 1",
			"r4c1 - BANKER NATURAL 10", "! GHOST: several keys are down", "r1c1 - 1 s: REVIEW 1", "down")
		if strings.Contains(table, "r2c2 -") {
			t.Errorf("the ghost was shown as a key:\n%s", table)
		}
		if err != nil {
			t.Errorf("the verdict is %v", err)
		}
		bounce := 0
		for line := range strings.Lines(table) {
			if f := strings.Fields(line); len(f) > 6 && f[0] == "r4c1" && strings.HasSuffix(strings.TrimSpace(line), "ms") && f[len(f)-2] != "-" {
				bounce++
			}
		}
		if bounce != 1 {
			t.Errorf("12 ms of bounce are not shown:\n%s", table)
		}
	})
}

func TestKeypadTestSaysWhoHasThePad(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newTestBench(t)
		b.in.Plug("/dev/input/event1", testkit.SomePad("SEM USB Keypad", testkit.PortA)).Busy(true)
		b.in.Plug("/dev/input/event2", testkit.SomePad("Dell Keyboard", testkit.PortB))
		testkit.Plant(t, b.h.proc, map[string]string{"812/comm": "shoeboard\n"}, map[string]string{"812/fd/9": "/dev/input/event1"})
		testkit.Plant(t, b.h.proc, nil, map[string]string{"812/fd/10": b.h.path("/dev/i2c-1")})
		b.start(t, "[[keypad]]\nname = \"pad\"\n"+testkit.WiredPad, true, false, nil)
		table, err := b.end()
		testkit.Expect(t, table, "/dev/input/event1 is held by shoeboard (process 812)", "systemctl stop shoeboard", "the running core is using it")
		if err == nil || strings.Contains(table, "Dell") {
			t.Errorf("the verdict is %v of\n%s", err, table)
		}
		b.start(t, "[[keypad]]\nname = \"chip\"\nkind = \"expander\"\nlayout = \"matrix-4x5\"\n", false, false, nil)
		table, err = b.end()
		testkit.Expect(t, table, "/dev/i2c-1 is held by shoeboard (process 812)")
		if err == nil {
			t.Error("a keypad that another program scans passed the test")
		}
	})
}

// The pad goes in mid-press and comes back; the test goes on.
func TestKeypadTestOverAnUnplug(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newTestBench(t)
		n := b.in.Plug("event1", testkit.SomePad("SEM USB Keypad", testkit.PortA))
		b.start(t, "", false, true, nil)
		n.Key(testkit.CodeKP1, true)
		b.wait(200 * time.Millisecond)
		b.in.Unplug("event1")
		b.wait(time.Second)
		testkit.Expect(t, b.out.String(), "keypad missing")
		n = b.in.Plug("event2", testkit.SomePad("SEM USB Keypad", testkit.PortA))
		b.wait(2 * time.Second)
		n.Key(testkit.CodeKP1, true)
		b.wait(200 * time.Millisecond)
		n.Key(testkit.CodeKP1, false)
		b.wait(200 * time.Millisecond)
		table, err := b.end()
		testkit.Expect(t, table, "KP1 79 BANKER 2 200 ms - \x1b[K")
		if err != nil {
			t.Errorf("the verdict is %v", err)
		}
	})
}

// Ctrl+C on the very keyboard that is tested and so reaches nobody else.
func TestKeypadTestEndsByItsOwnKeyboard(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newTestBench(t)
		n := b.in.Plug("event1", testkit.SomePad("Keyboard and Numeric Pad", testkit.PortA))
		b.start(t, "", false, false, nil)
		n.Key(codeC, true)
		n.Key(codeC, false)
		n.Key(codeCtrl, true)
		b.wait(5 * time.Second)
		if len(b.done) > 0 {
			t.Fatal("ended too early")
		}
		n.Key(codeC, true)
		b.wait(time.Second)
		if err := <-b.done; err != nil {
			t.Error(err)
		}
		b.stop()
	})
}

func TestKeypadTestForScripts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newTestBench(t)
		began := time.Now()
		b.start(t, "", false, false, func(p *KeypadTest) { p.Once = true })
		if err := <-b.done; err == nil || time.Since(began) > 2*time.Second {
			t.Errorf("without a pad --once says %v after %v", err, time.Since(began))
		}
		b.in.Plug("event1", testkit.SomePad("SEM USB Keypad", testkit.PortA))
		b.start(t, "", false, false, nil)
		time.AfterFunc(3*time.Second, b.stop)
		if err := <-b.done; err != nil || b.in.Opened() != 0 {
			t.Errorf("with a pad: %v; %d devices left open", err, b.in.Opened())
		}
		b.stop()
	})
}
