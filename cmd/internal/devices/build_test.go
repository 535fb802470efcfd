package devices

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"shoeboard/cmd/internal/config"
	"shoeboard/cmd/internal/datadir"
	"shoeboard/cmd/internal/testkit"
	"shoeboard/hw"
	"shoeboard/hw/evdev"
	"shoeboard/hw/hwtest"
	"shoeboard/hw/matrix"
)

// unit is the input devices of a unit and its data folder.
type unit struct {
	in       *hwtest.Input
	enrolled *Enrolments
}

func newUnit(t *testing.T) *unit { return &unit{hwtest.NewInput(), NewEnrolments(t.TempDir())} }

// run runs the sources of the keypads until stop is called.
func (u *unit) run(t *testing.T, keypads ...config.Keypad) (sessions []*hwtest.Session, stop func()) {
	t.Helper()
	cfg := config.Defaults().Table("1")
	cfg.Keypads = keypads
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	sources := (Hardware{Input: u.in, Log: testkit.Log()}).Keypads(cfg, u.enrolled)
	for _, s := range sources {
		s := hwtest.NewSession(t, &hwtest.Bench{Source: until{s, ctx, done}})
		s.Start()
		sessions = append(sessions, s)
	}
	time.Sleep(100 * time.Millisecond)
	synctest.Wait()
	return sessions, func() {
		cancel()
		for range sources {
			<-done
		}
	}
}

// until is a source that ends with another context as well.
type until struct {
	hw.Source
	ctx  context.Context
	done chan struct{}
}

func (u until) Run(ctx context.Context, out chan<- hw.Event) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	stop := context.AfterFunc(u.ctx, cancel)
	defer stop()
	err := u.Source.Run(ctx, out)
	select {
	case u.done <- struct{}{}:
	case <-time.After(time.Minute): // the test has ended
	}
	return err
}

// changes are the changes that a session has been told of.
func changes(s *hwtest.Session) (list []hw.Change, words string) {
	_, notices := s.Take()
	for _, n := range notices {
		list = append(list, n.Change)
		words += n.Text + "\n"
	}
	return list, words
}

func expectChanges(t *testing.T, s *hwtest.Session, want ...hw.Change) string {
	t.Helper()
	got, words := changes(s)
	if !slices.Equal(got, want) {
		t.Fatalf("told changes %v, want %v; in words: %s", got, want, words)
	}
	return words
}

// A pad is taken by a table that knows none, and remembered by model and port. Another, or the
// same in another port, stands in while it is missing, and is not remembered.
func TestPadIsEnrolledByModelAndPort(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		u := newUnit(t)
		u.in.Plug("event1", testkit.SomePad("SEM USB Keypad", testkit.PortA))
		s, stop := u.run(t, testkit.PadNamed("pad"))
		expectChanges(t, s[0], hw.Came)
		stop()

		u.in.Unplug("event1")
		u.in.Plug("event2", testkit.SomePad("SEM USB Keypad", testkit.PortB))
		for range 2 {
			s, stop = u.run(t, testkit.PadNamed("pad"))
			if words := expectChanges(t, s[0], hw.Came, hw.Unknown); !strings.Contains(words, "stands in for") {
				t.Errorf("another port is announced as %q", words)
			}
			stop()
		}
		u.in.Plug("event1", testkit.SomePad("SEM USB Keypad", testkit.PortA))
		s, stop = u.run(t, testkit.PadNamed("pad"))
		if words := expectChanges(t, s[0], hw.Came, hw.Unknown); !strings.Contains(words, testkit.PortB+" is not enrolled and is ignored") {
			t.Errorf("told %q", words)
		}
		stop()
	})
}

func TestAnotherModelIsNotAcceptedForTheEnrolledPad(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		u := newUnit(t)
		if err := u.enrolled.Put(testkit.PadNamed("pad"), testkit.SomePad("SEM USB Keypad", testkit.PortA).Match); err != nil {
			t.Fatal(err)
		}
		n := u.in.Plug("event1", testkit.SomePad("Barcode Numeric Reader", testkit.PortA))
		s, stop := u.run(t, testkit.PadNamed("pad"))
		defer stop()
		n.Key(testkit.CodeOK, true)
		s[0].Wait(5 * time.Second)
		if words := expectChanges(t, s[0], hw.Unknown, hw.Went); !strings.Contains(words, "keyboard 1a2c:2124 at "+testkit.PortA) || strings.Contains(words, "Barcode") {
			t.Errorf("told %q", words)
		}
	})
}

// A keyboard may stand in where no pad is known, but the pad must work when it comes.
func TestKeyboardThatStandsInIsNotRemembered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		u := newUnit(t)
		u.in.Plug("event1", testkit.SomePad("Dell Keyboard", testkit.PortB))
		s, stop := u.run(t, testkit.PadNamed("pad"))
		expectChanges(t, s[0], hw.Came)
		stop()
		u.in.Plug("event2", testkit.SomePad("SEM USB Keypad", testkit.PortA))
		s, stop = u.run(t, testkit.PadNamed("pad"))
		if words := expectChanges(t, s[0], hw.Came, hw.Unknown); !strings.Contains(words, "SEM USB Keypad") {
			t.Errorf("told %q", words)
		}
		stop()
	})
}

func TestEachOfTwoPadsKeepsItsOwn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		u := newUnit(t)
		for name, port := range map[string]string{"pad-1": testkit.PortA, "pad-2": testkit.PortB} {
			if err := u.enrolled.Put(testkit.PadNamed(name), testkit.SomePad("SEM USB Keypad", port).Match); err != nil {
				t.Fatal(err)
			}
		}
		n := u.in.Plug("event2", testkit.SomePad("SEM USB Keypad", testkit.PortB))
		s, stop := u.run(t, testkit.PadNamed("pad-1"), testkit.PadNamed("pad-2"))
		defer stop()
		expectChanges(t, s[0], hw.Went)
		expectChanges(t, s[1], hw.Came)
		n.Key(testkit.CodeOK, true) // of the other one: it stands in for nobody
		s[0].Wait(5 * time.Second)
		expectChanges(t, s[0])
	})
}

func TestPartOfAPadsNameIsEnough(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		u := newUnit(t)
		u.in.Plug("event1", testkit.SomePad("Another Keypad", testkit.PortA))
		k := testkit.PadNamed("pad")
		k.Device = "SEM USB Keypad"
		s, stop := u.run(t, k)
		expectChanges(t, s[0], hw.Came, hw.Unknown) // the other one stands in
		u.in.Plug("event2", testkit.SomePad("SEM USB Keypad", testkit.PortB))
		s[0].Wait(2 * time.Second)
		expectChanges(t, s[0], hw.Lost, hw.Came, hw.Unknown) // and is ignored now: its keys do nothing
		stop()
		if m, err := u.enrolled.find(k); err != nil || m != testkit.SomePad("SEM USB Keypad", testkit.PortB).Match {
			t.Errorf("remembered is %v, %v", m, err)
		}
	})
}

func TestConfigurationThatNamesAnotherPadIsObeyed(t *testing.T) {
	enrolled := NewEnrolments(t.TempDir())
	k := testkit.PadNamed("pad")
	if err := enrolled.Put(k, testkit.SomePad("SEM USB Keypad", testkit.PortA).Match); err != nil {
		t.Fatal(err)
	}
	k.Vendor, k.Product, k.Device, k.Port = 0x1a2c, 0x2124, "SEM USB Keypad", testkit.PortB
	if m, err := enrolled.find(k); err != nil || m != configured(k) {
		t.Errorf("in force is %v, %v; want the configured one", m, err)
	}
}

func TestCorruptFileOfEnrolmentsCostsOnlyTheMemory(t *testing.T) {
	enrolled := NewEnrolments(filepath.Join(t.TempDir(), "data"))
	k := testkit.PadNamed("pad")
	if m, err := enrolled.find(k); err != nil || m != (evdev.Match{}) {
		t.Errorf("without a file: %v, %v", m, err)
	}
	want := testkit.SomePad("SEM USB Keypad", testkit.PortA).Match
	for range 2 {
		if err := enrolled.Put(k, want); err != nil {
			t.Fatal(err)
		}
		if m, err := enrolled.find(k); err != nil || m != want {
			t.Fatalf("in force is %v, %v", m, err)
		}
		if err := os.WriteFile(enrolled.Path, []byte(`{"pads": [{"keyp`), 0o644); err != nil {
			t.Fatal(err)
		}
		if m, err := enrolled.find(k); m != (evdev.Match{}) || err == nil || !strings.Contains(err.Error(), "pads.json") {
			t.Fatalf("a corrupt file: %v, %v", m, err)
		}
	}
}

// A file that cannot be read is not corrupt: other pads may be enrolled in it.
func TestAFileOfEnrolmentsThatCannotBeReadIsKept(t *testing.T) {
	enrolled := NewEnrolments(t.TempDir())
	if err := os.Mkdir(enrolled.Path, 0o755); err != nil { // to read a folder is an error of the medium's kind
		t.Fatal(err)
	}
	err := enrolled.Put(testkit.PadNamed("pad"), testkit.SomePad("SEM USB Keypad", testkit.PortA).Match)
	if err == nil || !strings.Contains(err.Error(), "cannot be read") {
		t.Errorf("a pad was enrolled over a file that cannot be read: %v", err)
	}
}

// A pad that a technician enrols as root is written into the core's folder as the core's.
func TestAPadThatRootEnrolsIsTheCores(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can give a file away")
	}
	data := t.TempDir()
	if err := os.Chown(data, 65534, 65534); err != nil {
		t.Fatal(err)
	}
	enrolled := NewEnrolments(data)
	if err := enrolled.Put(testkit.PadNamed("pad"), testkit.SomePad("SEM USB Keypad", testkit.PortA).Match); err != nil {
		t.Fatal(err)
	}
	if uid, gid, err := datadir.Owner(enrolled.Path); uid != 65534 || gid != 65534 || err != nil {
		t.Errorf("it is user %d's and group %d's, %v", uid, gid, err)
	}
}

// A keypad of the core keeps every promise of a source.
func TestKeypadsOfTheCoreConform(t *testing.T) {
	one, wired := testkit.Config(t, ""), testkit.Config(t, testkit.WiredPad)
	t.Run("usb", func(t *testing.T) {
		codes := map[string]uint16{"KP1": testkit.CodeKP1, "KPENTER": testkit.CodeOK}
		hwtest.Conform(t, func(t *testing.T) *hwtest.Bench {
			in, down := hwtest.NewInput(), map[uint16]bool{}
			n := in.Plug("event1", testkit.SomePad("SEM USB Keypad", testkit.PortA))
			return &hwtest.Bench{
				Source: Hardware{Input: in, Log: testkit.Log()}.Keypads(one, NewEnrolments(t.TempDir()))[0],
				Keys:   []string{"KP1", "KPENTER"}, Lag: 5 * time.Millisecond,
				Set:    func(pos string, d bool) { down[codes[pos]] = d; n.Key(codes[pos], d) },
				Unplug: func() { in.Unplug("event1") },
				Plug: func() {
					var held []uint16
					for code, d := range down {
						if d {
							held = append(held, code)
						}
					}
					n = in.Plug("event1", testkit.SomePad("SEM USB Keypad", testkit.PortA), held...)
				},
			}
		})
	})
	t.Run("matrix", func(t *testing.T) {
		hwtest.Conform(t, func(t *testing.T) *hwtest.Bench {
			grid := hwtest.NewGrid(false)
			lines := hwtest.NewLines(grid, matrix.ColumnFlags)
			p := Hardware{Now: grid.Now, Log: testkit.Log(), Input: hwtest.NewInput(), Wires: func(config.Keypad) func() (matrix.Lines, error) {
				return func() (matrix.Lines, error) { return lines.Open() }
			}}
			return &hwtest.Bench{
				Source: p.Keypads(wired, NewEnrolments(t.TempDir()))[0],
				Keys:   []string{"r5c1", "r4c3"}, Lag: 50 * time.Millisecond,
				Set: grid.Set, Plug: func() { lines.Unplug(false) }, Unplug: func() { lines.Unplug(true) },
			}
		})
	})
}

// Nobody can plug in a wired keypad: what is told says what to check, and where.
func TestWiredKeypadThatIsMissingSaysWhatToCheck(t *testing.T) {
	expander := `[[keypad]]
name = "keys"
kind = "expander"
chip = "mcp23017"
bus = "/dev/i2c-1"
address = 0x20
grid = "5x4"
layout = "matrix-4x5"
`
	for venue, want := range map[string]string{
		testkit.WiredPad: "; check its cable, and rows and columns of keypad ",
		expander:         "; check its cable and supply, and bus (/dev/i2c-1), chip and address (0x20) of keypad keys in the configuration",
	} {
		cfg := testkit.Config(t, venue)
		out := make(chan hw.Event)
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() {
			done <- Below(t.TempDir(), testkit.Log()).Keypads(cfg, NewEnrolments(t.TempDir()))[0].Run(ctx, out)
		}()
		n, is := (<-out).(hw.Notice)
		if !is || n.Change != hw.Went || !n.Wired || !strings.Contains(n.Text, want) {
			t.Errorf("told %+v, want %q", n, want)
		}
		cancel()
		hwtest.Stops(t, done)
	}
}

// What learn remembers the core takes at its next start.
func TestLearntPadIsTheCoresPad(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		u := newUnit(t)
		if err := u.enrolled.Put(testkit.PadNamed("pad"), testkit.SomePad("Programmable", testkit.PortB).Match); err != nil {
			t.Fatal(err)
		}
		u.in.Plug("event1", testkit.SomePad("SEM USB Keypad", testkit.PortA))
		u.in.Plug("event2", testkit.SomePad("Programmable", testkit.PortB))
		s, stop := u.run(t, testkit.PadNamed("pad"))
		defer stop()
		words := ""
		_, notices := s[0].Take()
		for _, n := range notices {
			words += n.Text + "\n"
		}
		if !strings.Contains(words, `keypad "Programmable"`) || !strings.Contains(words, "keyboard 1a2c:2124 at "+testkit.PortA+" is not enrolled") {
			t.Errorf("told %s", words)
		}
	})
}
