package matrix_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"shoeboard/hw"
	"shoeboard/hw/debounce"
	"shoeboard/hw/hwtest"
	"shoeboard/hw/linux"
	"shoeboard/hw/matrix"
)

const (
	ms  = time.Millisecond
	lag = 40 * ms // a scan, 20 ms of stable release, and the scans themselves
)

func settings(diodes bool) matrix.Settings {
	return matrix.Settings{Name: "keys-1", Rows: 5, Cols: 8, Diodes: diodes, Times: debounce.Contacts()}
}

func source(s matrix.Settings, l *hwtest.Lines) *matrix.Matrix {
	return matrix.New(s, func() (matrix.Lines, error) { return l.Open() }, l.Now)
}

func TestConformance(t *testing.T) {
	for bounce, diodes := range map[time.Duration]bool{0: true, 12 * ms: false} {
		t.Run(fmt.Sprintf("diodes %v bounce %v", diodes, bounce), func(t *testing.T) {
			hwtest.Conform(t, func(t *testing.T) *hwtest.Bench {
				l := hwtest.NewLines(hwtest.NewGrid(diodes), matrix.ColumnFlags)
				l.Bounce(bounce)
				return &hwtest.Bench{
					Source: source(settings(diodes), l), Keys: []string{"r1c2", "r1c3", "r5c8"},
					Set: l.Set, Lag: lag + bounce,
					Plug: func() { l.Unplug(false) }, Unplug: func() { l.Unplug(true) },
				}
			})
		})
	}
}

// desk is a matrix, its wires and a session that has begun.
type desk struct {
	*hwtest.Session
	wires *hwtest.Lines
}

func atDesk(t *testing.T, s matrix.Settings, test func(t *testing.T, d *desk)) {
	synctest.Test(t, func(t *testing.T) {
		l := hwtest.NewLines(hwtest.NewGrid(s.Diodes), matrix.ColumnFlags)
		d := &desk{hwtest.NewSession(t, &hwtest.Bench{Source: source(s, l), Set: l.Set, Lag: lag}), l}
		d.Start()
		d.ExpectChange(lag, hw.Came)
		test(t, d)
	})
}

func TestEveryKeyHasItsName(t *testing.T) {
	atDesk(t, settings(false), func(t *testing.T, d *desk) {
		for r := 1; r <= 5; r++ {
			for c := 1; c <= 8; c++ {
				pos := fmt.Sprintf("r%dc%d", r, c)
				d.wires.Set(pos, true)
				d.Expect(100*ms, "+"+pos)
				d.wires.Set(pos, false)
				d.Expect(500*ms, "-"+pos)
			}
		}
	})
}

// Public bug reports: periph/host 78, periph/conn 40. An idle keypad spun.
func TestIdleKeypadRestsAndItsFirstPressWorks(t *testing.T) {
	atDesk(t, settings(false), func(t *testing.T, d *desk) {
		d.Wait(time.Second)
		d.wires.Uses()
		d.Wait(time.Minute)
		if n := d.wires.Uses(); n > 60*10 {
			t.Errorf("%d operations on the wires in an idle minute, want at most ten a second", n)
		}
		d.wires.Set("r3c4", true)
		d.Expect(15*ms, "+r3c4")
	})
}

// Public bug reports: pad4pi 16 and 17. Two keys of one row shorted two columns.
func TestTwoKeysOfOneRowAreBothSeen(t *testing.T) {
	atDesk(t, settings(false), func(t *testing.T, d *desk) {
		d.Hold("r1c2")
		d.Hold("r1c3")
		d.LetGo("r1c2")
	})
}

// Public bug reports: pad4pi 2 and 18. Quick presses were doubled or told as
// keys that were not pressed.
func TestQuickPressesAreNeitherDoubledNorInvented(t *testing.T) {
	atDesk(t, settings(false), func(t *testing.T, d *desk) {
		d.wires.Bounce(12 * ms)
		pressed := 0
		for i := range 30 { // eight a second
			d.wires.Set("r2c2", true)
			d.Wait(60*ms + time.Duration(i%7)*ms)
			d.wires.Set("r2c2", false)
			d.Wait(65*ms - time.Duration(i%7)*ms)
			presses, _ := d.Take()
			for _, p := range presses {
				if p.Pos != "r2c2" {
					t.Fatalf("told %+v", p)
				}
				if p.Down {
					pressed++
				}
			}
		}
		if pressed != 30 {
			t.Errorf("%d of 30 presses told", pressed)
		}
		d.Wait(time.Second)
		d.Take()
		d.wires.Bounce(0)
		d.wires.Set("r2c2", true) // the next key 20 ms after release
		d.Wait(40 * ms)
		d.wires.Set("r2c2", false)
		d.Wait(20 * ms)
		d.wires.Set("r4c5", true)
		d.Expect(40*ms, "+r2c2", "-r2c2", "+r4c5")
	})
}

// Public bug reports: makerspace-auth 52, DoorPi 134, pikeyd 8. Noise on a wire
// pressed keys, or one for ever.
func TestSpikeOnARowPressesNothing(t *testing.T) {
	atDesk(t, settings(false), func(t *testing.T, d *desk) {
		for i := range 200 {
			d.wires.Spike(1+i%5, ms)
			d.Wait(time.Duration(3*i)*100*time.Microsecond + 6*ms)
		}
		d.Expect(time.Second)
	})
}

func TestSpikeLongerThanAScanPressesNothing(t *testing.T) {
	atDesk(t, settings(false), func(t *testing.T, d *desk) {
		for i := range 100 {
			d.wires.Spike(2, 30*ms)
			d.Wait(time.Duration(i)*100*time.Microsecond + 50*ms)
		}
		d.Expect(time.Second)
	})
}

func TestNoiseWithoutEndDoesNotMakeItSpin(t *testing.T) {
	atDesk(t, settings(false), func(t *testing.T, d *desk) {
		d.Wait(time.Second)
		d.wires.Uses()
		for range 10000 { // ten seconds of it
			d.wires.Spike(2, 10*time.Microsecond)
			time.Sleep(ms)
		}
		if n := d.wires.Uses(); n > 10*200*30 {
			t.Errorf("%d operations in ten noisy seconds, want no more than scanning takes", n)
		}
		d.Expect(0)
	})
}

func TestRowThatTouchesGroundIsAFaultAndPressesNothing(t *testing.T) {
	atDesk(t, settings(false), func(t *testing.T, d *desk) {
		d.Hold("r2c1")
		d.wires.Ground(2, true)
		if n := d.ExpectChange(time.Minute, hw.Faulty); !strings.Contains(n.Text, "row 2") {
			t.Errorf("the fault is told as %q", n.Text)
		}
		d.wires.Set("r2c1", false)
		d.wires.Set("r2c4", true) // cannot be seen
		d.wires.Set("r3c5", true) // the other rows go on
		d.Expect(lag, "+r3c5")
		d.wires.Ground(2, false)
		d.ExpectChange(lag, hw.Came)
		d.Expect(time.Second) // r2c4 went down unseen
		d.wires.Set("r2c4", false)
		d.Expect(time.Second)
		d.Hold("r2c4")
	})
}

func TestBrokenWirePressesNothing(t *testing.T) {
	atDesk(t, settings(false), func(t *testing.T, d *desk) {
		d.wires.BreakCol(3, true)
		d.wires.BreakRow(4, true)
		d.wires.Set("r1c3", true)
		d.wires.Set("r4c1", true)
		d.Expect(time.Second)
		d.Hold("r1c1")
	})
}

func TestGhostsAreRefusedUntilAllIsLetGo(t *testing.T) {
	atDesk(t, settings(false), func(t *testing.T, d *desk) {
		d.Hold("r1c1")
		d.Hold("r1c2")
		d.wires.Set("r2c1", true) // r2c2 seems down too
		d.ExpectChange(lag, hw.Ghost)
		d.wires.Set("r1c1", false)
		d.wires.Set("r1c2", false)
		d.Expect(time.Second, "-r1c1", "-r1c2") // r2c1 is still down, and is not told
		d.wires.Set("r2c1", false)
		d.Expect(time.Second)
		d.Hold("r2c1")
	})
}

func TestDiodesTellThreeKeysApart(t *testing.T) {
	atDesk(t, settings(true), func(t *testing.T, d *desk) {
		for _, pos := range []string{"r1c1", "r1c2", "r2c1", "r2c2"} {
			d.Hold(pos)
		}
	})
}

func TestFailureOfAMomentTellsNothingAndLosesNoKey(t *testing.T) {
	atDesk(t, settings(false), func(t *testing.T, d *desk) {
		d.Hold("r1c1")
		d.wires.Fail(3)
		d.wires.Set("r1c1", false)
		d.Expect(lag+20*ms, "-r1c1")
		for n := range 200 { // a failure at every operation of resting and waking
			d.Wait(time.Second + time.Duration(n)*3*ms)
			d.wires.Fail(1)
			d.wires.Set("r2c2", true)
			d.Expect(lag+20*ms, "+r2c2")
			d.wires.Set("r2c2", false)
			d.Expect(time.Second, "-r2c2")
		}
	})
}

func TestSizeThatNoMatrixHasIsRefused(t *testing.T) {
	s := settings(false)
	s.Cols = 9
	err := source(s, hwtest.NewLines(hwtest.NewGrid(false), matrix.ColumnFlags)).Run(context.Background(), nil)
	if err == nil || !strings.Contains(err.Error(), "5 rows by 9 columns") {
		t.Errorf("got %v", err)
	}
}

func TestNothingIsLeftOpen(t *testing.T) {
	hwtest.LeavesNothingOpen(t, func() (hw.Source, func(bool), func() int) {
		l := hwtest.NewLines(hwtest.NewGrid(false), matrix.ColumnFlags)
		return source(settings(false), l), l.Unplug, l.Opened
	})
}

// Whatever fingers and faults do, a key is told down only while it is down.
func TestNoKeyIsToldThatWasNotDown(t *testing.T) {
	for seed := range uint64(20) {
		atDesk(t, settings(false), func(t *testing.T, d *desk) {
			random := rand.New(rand.NewPCG(seed, 0))
			down, last := map[string]bool{}, map[string]time.Duration{}
			d.wires.Bounce(time.Duration(random.IntN(15)) * ms)
			for range 500 {
				misuse(random, d.wires, down)
				d.Wait(time.Duration(1+random.IntN(60)) * ms)
				now := d.wires.Now()
				presses, _ := d.Take()
				for _, p := range presses {
					if at, ok := last[p.Pos]; p.Down && !down[p.Pos] && (!ok || p.At-at > lag) {
						t.Fatalf("seed %d: told %+v, last down %v", seed, p, at)
					}
				}
				for pos, is := range down {
					if is {
						last[pos] = now
					}
				}
			}
		})
	}
}

// misuse does one random thing to the keypad.
func misuse(random *rand.Rand, w *hwtest.Lines, down map[string]bool) {
	row := 1 + random.IntN(5)
	switch random.IntN(10) {
	case 0:
		w.Spike(row, time.Duration(random.IntN(30))*ms)
	case 1:
		w.Ground(row, random.IntN(3) == 0)
	case 2:
		w.Fail(random.IntN(20))
	default:
		pos := fmt.Sprintf("r%dc%d", row, 1+random.IntN(3))
		down[pos] = !down[pos] && random.IntN(2) == 0
		w.Set(pos, down[pos])
	}
}

// A Raspberry Pi pulls most lines down unless somebody asks for something else. Columns
// that were asked for without a pull held the row of every pressed key between two pulls:
// it read low with no column driven, and the key was a fault and no press.
func TestColumnsThatNobodyPullsUpPressNothing(t *testing.T) {
	for name, c := range map[string]struct {
		columns linux.Flags
		press   bool
	}{"as they are asked for": {matrix.ColumnFlags, true}, "without a pull": {matrix.ColumnFlags &^ linux.PullUp, false}} {
		synctest.Test(t, func(t *testing.T) {
			l := hwtest.NewLines(hwtest.NewGrid(false), c.columns)
			ctx, cancel := context.WithCancel(t.Context())
			out, ended := make(chan hw.Event, 100), make(chan error, 1)
			go func() { ended <- source(settings(false), l).Run(ctx, out) }()
			time.Sleep(time.Second)
			l.Set("r5c1", true)
			time.Sleep(time.Second)
			cancel()
			<-ended
			close(out)
			pressed := false
			for e := range out {
				p, is := e.(hw.Press)
				pressed = pressed || is && p.Down && p.Pos == "r5c1"
			}
			if pressed != c.press {
				t.Errorf("%s: pressed %v, expected %v", name, pressed, c.press)
			}
		})
	}
}
