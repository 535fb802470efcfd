//go:build guest

package guest

import (
	"fmt"
	"os"
	"slices"
	"testing"
	"time"

	"shoeboard/hw"
	"shoeboard/hw/debounce"
	"shoeboard/hw/expander"
	"shoeboard/hw/hwtest"
	"shoeboard/hw/linux"
	"shoeboard/hw/matrix"
)

const ms = time.Millisecond

func names(letter string, n int) (list []string) {
	for i := range n {
		list = append(list, fmt.Sprint(letter, i+1))
	}
	return list
}

// onLines is a matrix of five rows by eight columns on the GPIO chip.
func onLines(diodes bool) *matrix.Matrix {
	w := matrix.Wiring{Dir: "/dev", Rows: names("R", 5), Cols: names("C", 8), Settle: 50 * time.Microsecond}
	return matrix.New(matrix.Settings{Name: "keys-1", Rows: 5, Cols: 8, Diodes: diodes, Times: debounce.Contacts()}, w.Open, linux.BootTime)
}

// onChip is a matrix of four rows by five columns on the expander.
func onChip(t *testing.T, chip, interrupt string) *matrix.Matrix {
	w := expander.Wiring{Chip: chip, Bus: bus(t), Addr: 0x20, Rows: 4, Cols: 5, Dir: "/dev", Interrupt: interrupt}
	return matrix.New(matrix.Settings{Name: "keys-2", Rows: 4, Cols: 5, Times: debounce.Contacts()}, w.Open, linux.BootTime)
}

// The longest times from a movement to its event: twenty milliseconds of stable
// release, the bounce, a scan, and what an emulated processor takes.
const (
	linesLag = 80 * ms
	chipLag  = 120 * ms
)

func linesBench(t *testing.T) *hwtest.Bench {
	atRest(t)
	return &hwtest.Bench{
		Source: onLines(false), Keys: []string{"r1c2", "r1c3", "r5c8"}, Lag: linesLag,
		Set:    func(pos string, down bool) { setKey(t, 1, pos, down) },
		Unplug: func() { command(t, "lines 0") },
		Plug:   func() { command(t, "lines 1") },
	}
}

func chipBench(interrupt string) func(t *testing.T) *hwtest.Bench {
	return otherChipBench(0, "mcp23017", interrupt)
}

// otherChipBench is the bench with the chip that it calls by that number.
func otherChipBench(number int, chip, interrupt string) func(t *testing.T) *hwtest.Bench {
	return func(t *testing.T) *hwtest.Bench {
		atRest(t)
		command(t, "chip %d", number)
		return &hwtest.Bench{
			Source: onChip(t, chip, interrupt), Keys: []string{"r1c2", "r1c3", "r4c5"}, Lag: chipLag,
			Set:    func(pos string, down bool) { setKey(t, 2, pos, down) },
			Unplug: func() { command(t, "gone 1") },
			Plug:   func() { command(t, "gone 0") },
		}
	}
}

func TestMatrixOnAGPIOChip(t *testing.T) {
	hwtest.ConformLive(t, func(t *testing.T) *hwtest.Bench {
		b := linesBench(t)
		command(t, "bounce 1 12000")
		return b
	})
	if n := count(t, "shorts"); n != 0 {
		t.Errorf("two columns were driven against each other %d times", n)
	}
}

func TestMatrixOnAnExpanderWithItsInterrupt(t *testing.T) { hwtest.ConformLive(t, chipBench("INTA")) }

func TestMatrixOnAnExpanderThatIsPolled(t *testing.T) { hwtest.ConformLive(t, chipBench("")) }

// The other chips differ in registers, pulls and interrupts.
func TestMatrixOnOtherExpanders(t *testing.T) {
	for number, chip := range []string{1: "tca9555", 2: "pcf8575"} {
		if chip == "" {
			continue
		}
		for _, interrupt := range []string{"INTA", ""} {
			t.Run(chip+" "+interrupt, func(t *testing.T) {
				s := atWires(t, otherChipBench(number, chip, interrupt)(t))
				for i := range 20 {
					s.Tap(fmt.Sprintf("r%dc%d", i/5+1, i%5+1))
				}
				s.Hold("r2c2")
				s.Hold("r2c3")
				s.Unplug()
				s.ExpectChange(time.Second, hw.Went)
				s.Set("r2c2", false)
				s.Set("r2c3", false)
				s.Plug()
				s.ExpectChange(2*time.Second, hw.Came)
				s.Wait(time.Second)
				command(t, "reset 0")
				s.Wait(2 * time.Second)
				if presses, _ := s.Take(); len(presses) > 0 {
					t.Errorf("a reset pressed %+v", presses)
				}
				s.Tap("r4c5")
			})
		}
	}
}

// atWires starts a session that has come.
func atWires(t *testing.T, b *hwtest.Bench) *hwtest.Session {
	t.Helper()
	s := hwtest.NewLiveSession(t, b)
	s.Come()
	return s
}

// Public bug report: periph/host 75. To ask for the state of outputs let go of them.
func TestReadingTheStateOfLinesLeavesOutputsAlone(t *testing.T) {
	atRest(t)
	light, err := linux.RequestLines("/dev", "light", linux.Output, 1, "LIGHT")
	if err != nil {
		t.Fatal(err)
	}
	defer light.Close()
	before := state(t, "LIGHT")
	var chips []linux.Chip
	for range 100 {
		if chips, err = linux.Chips("/dev"); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range chips {
		if i := slices.IndexFunc(c.Lines, func(l linux.LineInfo) bool { return l.Name == "LIGHT" }); i >= 0 {
			if l := c.Lines[i]; !l.Output || !l.Used || l.Consumer != "light" {
				t.Errorf("the light is told as %+v", l)
			}
		}
	}
	if after := state(t, "LIGHT"); after != before || before != "out 1 turns 1" {
		t.Errorf("the light was %q and is %q", before, after)
	}
}

// Public bug report: periph/host 70. A second name of the chip cost descriptor 0.
func TestSecondNameOfAChipCostsNothing(t *testing.T) {
	atRest(t)
	const alias = "/dev/gpiochip99"
	if err := os.Symlink("gpiochip0", alias); err != nil {
		t.Fatal(err)
	}
	defer os.Remove(alias)
	before, err := os.Readlink("/proc/self/fd/0")
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		chips, err := linux.Chips("/dev")
		if _, findErr := linux.FindLine(chips, "R1"); err != nil || findErr != nil {
			t.Fatal(err, findErr)
		}
	}
	if after, err := os.Readlink("/proc/self/fd/0"); after != before || err != nil {
		t.Errorf("descriptor 0 was %q and is %q, %v", before, after, err)
	}
}

// Public bug report: raspberrypi/linux 6144. The chip's number changed. Here it does
// because the chip is removed whole while its lines are held.
func TestChipThatComesBackUnderAnotherNumberIsFound(t *testing.T) {
	command(t, "spare 1")
	w := matrix.Wiring{Dir: "/dev", Rows: []string{"shoeboard-spare:0"}, Cols: []string{"shoeboard-spare:1"}}
	s := atWires(t, &hwtest.Bench{Source: matrix.New(matrix.Settings{Name: "keys-1", Rows: 1, Cols: 1, Times: debounce.Contacts()}, w.Open, linux.BootTime)})
	path := func() string {
		chips, _ := linux.Chips("/dev")
		p, err := linux.FindLine(chips, "shoeboard-spare:0")
		if err != nil {
			t.Fatal(err)
		}
		return p.Path
	}
	before := path()
	for range 3 {
		command(t, "spare 0")
		s.ExpectChange(time.Second, hw.Went)
		command(t, "spare 1")
		s.ExpectChange(2*time.Second, hw.Came)
	}
	if after := path(); after == before {
		t.Errorf("the chip is %s again", after)
	}
}

// Public bug reports: pad4pi 2 and 18. Quick presses were doubled or told as others.
func TestQuickPressesWithBounceAreEachToldOnce(t *testing.T) {
	b := linesBench(t)
	command(t, "bounce 1 12000")
	s := atWires(t, b)
	for i := range 30 { // eight a second
		b.Set("r2c2", true)
		s.Wait(60*ms + time.Duration(i%7)*ms)
		b.Set("r2c2", false)
		s.Wait(65*ms - time.Duration(i%7)*ms)
	}
	s.Wait(linesLag)
	presses, notices := s.Take()
	down := 0
	for _, p := range presses {
		if p.Pos != "r2c2" {
			t.Fatalf("told %+v", p)
		}
		if p.Down {
			down++
		}
	}
	if down != 30 || len(presses) != 60 || len(notices) != 0 {
		t.Errorf("%d presses and %d events of 30 presses; notices %v", down, len(presses), notices)
	}
}

// Public bug reports: makerspace-auth 52, DoorPi 134, pikeyd 8.
func TestSpikesPressNothingAndAGroundedRowIsNamed(t *testing.T) {
	b := linesBench(t)
	s := atWires(t, b)
	for i := range 40 {
		command(t, "spike 1 %d 1000", i%5+1)
		s.Wait(30*ms + time.Duration(i)*ms)
	}
	s.Expect(100 * ms)
	command(t, "ground 1 3 1")
	s.ExpectChange(time.Second, hw.Faulty)
	s.Tap("r2c2")
	command(t, "ground 1 3 0")
	s.ExpectChange(time.Second, hw.Came)
}

func TestReadingsThatFailAreNoLevels(t *testing.T) {
	b := linesBench(t)
	s := atWires(t, b)
	for i := range 5 {
		command(t, "fail 3")
		b.Set("r3c3", true)
		s.Expect(linesLag+50*ms, "+r3c3")
		command(t, "fail %d", i)
		b.Set("r3c3", false)
		s.Expect(linesLag+50*ms, "-r3c3")
	}
}

// Public bug reports: pad4pi 5, arduino-mcp23017 13, home-assistant 23127, piface 8.
func TestInterruptThatIsLowAtTheStartSilencesNothing(t *testing.T) {
	b := chipBench("INTA")(t)
	command(t, "wire 2")
	s := hwtest.NewLiveSession(t, b)
	s.Come() // and no phantom press
	s.Tap("r2c2")
	command(t, "wire 0")
	s.Expect(2 * time.Second)
	s.Tap("r3c3")
}

// The same reports: two changes before the first is served, and no answer while it is.
func TestInterruptsInQuickOrderAndNoAnswerSilenceNothing(t *testing.T) {
	b := chipBench("INTA")(t)
	s := atWires(t, b)
	for i := range 30 {
		s.Wait(150*ms + time.Duration(i)*7*ms) // at any point of resting and arming
		b.Set("r1c1", true)
		b.Set("r1c1", false)
		command(t, "nak %d", i%4)
		s.Tap("r2c2")
	}
}

func TestInterruptWhoseWireBreaksIsFoundOut(t *testing.T) {
	b := chipBench("INTA")(t)
	s := atWires(t, b)
	s.Wait(time.Second)
	command(t, "wire 1")
	b.Set("r2c2", true)
	s.Expect(time.Second, "+r2c2")
	b.Set("r2c2", false)
	s.Expect(time.Second, "-r2c2")
	s.Tap("r2c2")
}

// A chip whose supply was cut for a moment reads as if nothing were pressed, for ever.
func TestChipThatLostItsSettingsComesBack(t *testing.T) {
	b := chipBench("INTA")(t)
	s := atWires(t, b)
	command(t, "reset 0")
	s.Wait(2 * time.Second)
	if _, notices := s.Take(); len(notices) > 2 {
		t.Errorf("told %+v", notices)
	}
	s.Tap("r2c2")
}

func TestChipInItsOtherRegisterOrderIsSetRight(t *testing.T) {
	b := chipBench("INTA")(t)
	command(t, "bank1 0")
	s := atWires(t, b)
	s.Tap("r2c2")
}

// A bus whose clock line hangs is given up in time and comes back.
func TestBusThatHangsIsMissedAndComesBack(t *testing.T) {
	b := chipBench("INTA")(t)
	s := atWires(t, b)
	command(t, "hang 1000000")
	s.ExpectChange(time.Second, hw.Went)
	command(t, "hang 0")
	s.ExpectChange(2*time.Second, hw.Came)
}

// A keypad whose lines another program holds is missing, in words, and comes.
func TestLinesThatAreHeldAreMissing(t *testing.T) {
	b := linesBench(t)
	other, err := linux.RequestLines("/dev", "another", linux.Input, 0, "C1")
	if err != nil {
		t.Fatal(err)
	}
	s := hwtest.NewLiveSession(t, b)
	s.Start()
	s.ExpectChange(time.Second, hw.Went)
	other.Close()
	s.ExpectChange(2*time.Second, hw.Came)
}
