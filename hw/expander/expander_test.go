package expander_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"shoeboard/hw"
	"shoeboard/hw/debounce"
	"shoeboard/hw/expander"
	"shoeboard/hw/hwtest"
	"shoeboard/hw/matrix"
)

const (
	ms  = time.Millisecond
	lag = 50 * ms
)

// chips are those that there are, as they are after power-on.
var chips = []struct {
	name  string
	build func(*hwtest.Grid, uint16) *hwtest.Chip
}{
	{"mcp23017", hwtest.NewMCP}, {"tca9555", hwtest.NewTCA}, {"pcf8575", hwtest.NewPCF},
}

// source is a matrix of 4 rows by 5 columns on a chip.
func source(chip string, m *hwtest.Chip, interrupt bool) *matrix.Matrix {
	return matrix.New(matrix.Settings{Name: "keys-1", Rows: 4, Cols: 5, Times: debounce.Contacts()},
		func() (matrix.Lines, error) {
			var intr expander.Interrupt
			if interrupt {
				intr = m.Interrupt()
			}
			return expander.Open(m.Open(), intr, expander.Wiring{Chip: chip, Addr: m.Addr, Rows: 4, Cols: 5})
		}, m.Now)
}

func TestConformance(t *testing.T) {
	for _, c := range chips {
		for _, interrupt := range []bool{true, false} {
			if !interrupt && c.name != "mcp23017" {
				continue // to be polled is the same for all
			}
			t.Run(fmt.Sprintf("%s interrupt %v", c.name, interrupt), func(t *testing.T) {
				hwtest.Conform(t, func(t *testing.T) *hwtest.Bench {
					m := c.build(hwtest.NewGrid(false), 0x20)
					m.Bounce(5 * ms)
					return &hwtest.Bench{
						Source: source(c.name, m, interrupt), Keys: []string{"r1c2", "r1c3", "r4c5"}, Set: m.Set, Lag: lag,
						Plug: func() { m.Unplug(false) }, Unplug: func() { m.Unplug(true) },
					}
				})
			})
		}
	}
}

// desk is a keypad on a chip and a session that has not begun.
type desk struct {
	*hwtest.Session
	name string
	chip *hwtest.Chip
}

// atDesk runs a test on every chip.
func atDesk(t *testing.T, interrupt bool, test func(t *testing.T, d *desk)) {
	for _, c := range chips {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				m := c.build(hwtest.NewGrid(false), 0x20)
				test(t, &desk{hwtest.NewSession(t, &hwtest.Bench{Source: source(c.name, m, interrupt), Set: m.Set, Lag: lag}), c.name, m})
			})
		})
	}
}

// Public bug reports: pad4pi 5, arduino-mcp23017 13, home-assistant 23127, piface
// 8. The keypad fell silent once the interrupt had stayed low.
func TestInterruptThatIsLowAtTheStartSilencesNothing(t *testing.T) {
	atDesk(t, true, func(t *testing.T, d *desk) {
		d.chip.GroundInterrupt(true)
		d.Start()
		d.ExpectChange(lag, hw.Came) // and no phantom press
		d.Expect(time.Minute)
		d.Hold("r2c2")
		d.chip.GroundInterrupt(false)
		d.LetGo("r2c2")
		d.Wait(time.Minute)
		d.Hold("r3c3")
	})
}

// A scan of the chip takes two milliseconds; a press may wait for one, and for ten of
// stable contact.
func TestScansThatTakeTheirTimeMakeNoPressLate(t *testing.T) {
	atDesk(t, true, func(t *testing.T, d *desk) {
		d.Start()
		d.ExpectChange(time.Second, hw.Came)
		d.chip.Set("r2c2", true)
		d.Expect(14*ms, "+r2c2")
	})
}

// Without its interrupt a resting keypad is read every twelve milliseconds.
func TestPolledPressIsToldWithinThirtyMilliseconds(t *testing.T) {
	atDesk(t, false, func(t *testing.T, d *desk) {
		d.Start()
		d.ExpectChange(time.Second, hw.Came)
		for i := range 100 {
			d.Wait(200*ms + time.Duration(i)*370*time.Microsecond) // it rests after a tenth of a second
			d.chip.Set("r2c2", true)
			d.Expect(27*ms, "+r2c2")
			d.LetGo("r2c2")
		}
	})
}

func TestTwoChangesBeforeServiceSilenceNothing(t *testing.T) {
	atDesk(t, true, func(t *testing.T, d *desk) {
		d.Start()
		d.ExpectChange(lag, hw.Came)
		for i := range 200 { // a touch too short to count, at any point of resting and arming
			d.chip.Set("r2c2", true)
			time.Sleep(time.Duration(i) * 50 * time.Microsecond)
			d.chip.Set("r2c2", false)
			d.Wait(300*ms + time.Duration(i)*700*time.Microsecond)
			d.Take()
			d.Hold("r1c1")
			d.chip.Set("r1c1", false)
			d.Expect(time.Second, "-r1c1")
		}
	})
}

func TestNAKDuringServiceSilencesNothing(t *testing.T) {
	atDesk(t, true, func(t *testing.T, d *desk) {
		d.Start()
		d.ExpectChange(lag, hw.Came)
		for n := range 60 {
			d.Wait(time.Second + time.Duration(n)*ms)
			d.chip.NAK(1 + n%4)
			d.chip.Set("r1c1", true)
			d.Expect(lag+30*ms, "+r1c1")
			d.chip.NAK(1 + n%4)
			d.chip.Set("r1c1", false)
			d.Expect(lag+30*ms, "-r1c1")
		}
	})
}

func TestBrokenInterruptWireIsFoundOut(t *testing.T) {
	atDesk(t, true, func(t *testing.T, d *desk) {
		d.chip.BreakInterrupt(true)
		d.Start()
		d.ExpectChange(lag, hw.Came)
		d.Wait(time.Minute)
		d.chip.Set("r1c1", true)
		d.Expect(time.Second, "+r1c1") // late, once
		d.chip.Set("r1c1", false)
		d.Expect(10*time.Second, "-r1c1")
		d.Hold("r4c5")
	})
}

// A reset takes the pull-ups off the rows, which then read anything.
func TestResetAtAnyPointPressesNothing(t *testing.T) {
	atDesk(t, true, func(t *testing.T, d *desk) {
		d.Start()
		d.ExpectChange(lag, hw.Came)
		for i := range 200 {
			d.chip.Set("r1c1", false)
			d.Wait(300 * ms)
			d.Take()
			d.chip.Set("r1c1", i%2 == 0)
			d.Wait(time.Duration(i) * 317 * time.Microsecond)
			d.Take()
			d.chip.Reset()
			d.Wait(1700 * ms) // half a second until it is looked at, and one until it is tried again
			presses, notices := d.Take()
			for _, p := range presses { // what had begun before the reset
				if p.Pos != "r1c1" || p.Down != (i%2 == 0) {
					t.Fatalf("told %+v", p)
				}
			}
			if len(notices) == 0 && d.name == "pcf8575" { // which every reading sets up anew
				continue
			}
			if len(notices) != 2 || notices[0].Change != hw.Went || notices[1].Change != hw.Came {
				t.Fatalf("round %d told %+v, want that the keypad went and came", i, notices)
			}
			if !strings.Contains(notices[0].Text, "lost its settings") {
				t.Errorf("the reset is told as %q", notices[0].Text)
			}
		}
		d.Hold("r4c5")
	})
}

func TestBusThatHangsIsMissingWithinASecond(t *testing.T) {
	atDesk(t, false, func(t *testing.T, d *desk) {
		d.Start()
		d.ExpectChange(lag, hw.Came)
		d.Hold("r1c1")
		d.chip.Hang(20)
		if n := d.ExpectChange(time.Second, hw.Went); !strings.Contains(n.Text, "timed out") {
			t.Errorf("the bus is told as %q", n.Text)
		}
		d.chip.Set("r1c1", false)
		d.ExpectChange(40*time.Second, hw.Came)
		d.Hold("r1c1")
	})
}

func TestChipInItsOtherRegisterOrderComesBack(t *testing.T) {
	atDesk(t, true, func(t *testing.T, d *desk) {
		if d.name != "mcp23017" {
			d.chip.Reset() // the others have one order only
		} else {
			d.chip.Bank1()
		}
		d.Start()
		d.ExpectChange(lag, hw.Came)
		d.Hold("r4c5")
	})
}

// periph's driver reads Low, which is pressed, when the bus fails.
func TestFailingBusPressesNothing(t *testing.T) {
	for seed := range uint64(10) {
		atDesk(t, seed%2 == 0, func(t *testing.T, d *desk) {
			random := rand.New(rand.NewPCG(seed, 0))
			d.Start()
			d.Wait(time.Second)
			for range 300 {
				d.chip.NAK(random.IntN(60))
				if random.IntN(5) == 0 {
					d.chip.Hang(random.IntN(10))
				}
				d.Wait(time.Duration(random.IntN(300)) * ms)
			}
			d.Wait(10 * time.Second)
			if presses, _ := d.Take(); len(presses) > 0 {
				t.Fatalf("seed %d: told %+v of a keypad that nobody touched", seed, presses)
			}
		})
	}
}

func TestColumnThatTouchesTheSupplyIsAnError(t *testing.T) {
	for _, c := range chips {
		synctest.Test(t, func(t *testing.T) {
			m := highColumn{c.build(hwtest.NewGrid(false), 0x20), map[string]int{"tca9555": 1}[c.name]}
			l, err := expander.Open(m, nil, expander.Wiring{Chip: c.name, Addr: 0x20, Rows: 4, Cols: 5})
			if err != nil {
				t.Fatal(err)
			}
			l.Drive(0b00100)
			if low, err := l.Rows(); low != 0 || err == nil || !strings.Contains(err.Error(), "00000100") {
				t.Errorf("%s: rows %b, %v", c.name, low, err)
			}
		})
	}
}

// highColumn is a chip whose third column is pulled to the supply. It is read as byte
// number first.
type highColumn struct {
	*hwtest.Chip
	first int
}

func (h highColumn) TxWrites(addr uint16, r []byte, ws ...[]byte) error {
	err := h.Chip.TxWrites(addr, r, ws...)
	if len(r) == 2 {
		r[h.first] |= 0b00100
	}
	return err
}

func TestSizesThatThePortsDoNotHaveAreRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for chip, sizes := range map[string][][2]int{
			"mcp23017": {{0, 5}, {8, 5}, {4, 0}, {4, 8}}, "tca9555": {{9, 5}, {4, 9}}, "pcf8575": {{9, 5}, {4, 9}}, "pcf8574": {{4, 5}},
		} {
			for _, size := range sizes {
				m := hwtest.NewMCP(hwtest.NewGrid(false), 0x20)
				w := expander.Wiring{Chip: chip, Addr: 0x20, Rows: size[0], Cols: size[1]}
				if _, err := expander.Open(m.Open(), m.Interrupt(), w); err == nil {
					t.Errorf("%s of %v was accepted", chip, size)
				}
				if m.Opened() != 0 {
					t.Errorf("%d of bus and interrupt are left open", m.Opened())
				}
			}
		}
	})
}

// All eight lines of a port are keys where the chip has them.
func TestEveryKeyOfEightByEightHasItsName(t *testing.T) {
	for _, c := range chips[1:] {
		synctest.Test(t, func(t *testing.T) {
			m := c.build(hwtest.NewGrid(false), 0x20)
			keys := matrix.New(matrix.Settings{Name: "keys-1", Rows: 8, Cols: 8, Times: debounce.Contacts()}, func() (matrix.Lines, error) {
				return expander.Open(m.Open(), m.Interrupt(), expander.Wiring{Chip: c.name, Addr: 0x20, Rows: 8, Cols: 8})
			}, m.Now)
			d := hwtest.NewSession(t, &hwtest.Bench{Source: keys, Set: m.Set, Lag: lag})
			d.Start()
			d.ExpectChange(lag, hw.Came)
			for i := range 64 {
				pos := fmt.Sprintf("r%dc%d", i/8+1, i%8+1)
				d.Tap(pos)
			}
		})
	}
}

func TestNothingIsLeftOpen(t *testing.T) {
	hwtest.LeavesNothingOpen(t, func() (hw.Source, func(bool), func() int) {
		m := hwtest.NewMCP(hwtest.NewGrid(false), 0x20)
		return source("mcp23017", m, true), m.Unplug, m.Opened
	})
}

func TestWrongAddressIsMissing(t *testing.T) {
	for _, c := range chips {
		synctest.Test(t, func(t *testing.T) {
			m := c.build(hwtest.NewGrid(false), 0x21)
			w := expander.Wiring{Chip: c.name, Addr: 0x20, Rows: 4, Cols: 5}
			if _, err := expander.Open(m.Open(), nil, w); err == nil || m.Opened() != 0 {
				t.Errorf("got %v with %d left open", err, m.Opened())
			}
		})
	}
}

func TestMissingBusIsAClearError(t *testing.T) {
	w := expander.Wiring{Bus: t.TempDir() + "/i2c-1", Addr: 0x20, Rows: 4, Cols: 5}
	_, err := w.Open()
	for _, err := range []error{err, w.Probe()} {
		if err == nil || !strings.Contains(err.Error(), "I2C") {
			t.Errorf("got %v", err)
		}
	}
}
