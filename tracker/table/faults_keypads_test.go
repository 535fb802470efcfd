package table_test

import (
	"testing"
	"time"

	"shoeboard/hw"
)

// A strange keyboard beside the keypad does no harm: it is said, and the board does not
// go on saying it. In the keypad's place it does, until it has left.
func TestStrangeKeyboard(t *testing.T) {
	r := sit(t, usual())
	strange := hw.Notice{Source: "pad", Change: hw.Unknown, Text: "keyboard X is not enrolled and is ignored"}
	r.handle(strange)
	r.wants("before the keypad", r.shown(), "!keypad-unknown-pad")
	r.plug(hw.Came)
	r.handle(strange)
	r.wants("beside the keypad", r.shown(), ".keypad-unknown-pad ended")
	if err := r.acknowledge("keypad-unknown-pad", "tech"); err != nil {
		t.Fatal(err)
	}
	r.wants("known", r.shown(), "")
	r.plug(hw.Went)
	r.handle(strange)
	r.wants("in its place", r.shown(), "!keypad-missing, !keypad-unknown-pad")
	r.handle(hw.Notice{Source: "pad", Change: hw.Left, Text: "no keyboard that is not enrolled is there any more"})
	r.wants("taken off", r.shown(), "!keypad-missing, .keypad-unknown-pad ended")
	r.handle(strange)
	r.wants("in its place again", r.shown(), "!keypad-missing, !keypad-unknown-pad")
	r.plug(hw.Came)
	r.wants("the keypad is back", r.shown(), ".keypad-missing ended, .keypad-unknown-pad ended")
}

// Nobody can plug in what is wired to the unit: a technician is told what to check.
func TestWiredKeypadThatFailsIsNoneToPlugIn(t *testing.T) {
	r := sit(t, usual())
	r.handle(hw.Notice{Source: "pad", Change: hw.Went, Wired: true, Text: "keypad missing: no answer; check its cable"})
	r.wants("fault", r.board().Faults[0].Text, "Keypad does not answer: call a technician (no answer; check its cable)")
}

// A key that was stuck when events were lost may have been let go unseen: its fault is
// over, unless the keypad tells of it again.
func TestStuckKeyWhoseReleaseWasLost(t *testing.T) {
	r := sit(t, usual())
	stuck := hw.Notice{Source: "pad", Change: hw.Stuck, Pos: "KP1"}
	r.handle(stuck)
	r.wants("stuck", r.shown(), "!keypad-pad")
	r.plug(hw.Lost)
	r.wants("lost", r.shown(), ".keypad-pad ended")
	r.handle(stuck)
	r.wants("again", r.shown(), "!keypad-pad")
	r.handle(hw.Press{Source: "pad", Pos: "KP1"})
	r.wants("let go", r.shown(), ".keypad-pad ended")
}

// A plug that flaps must not fill the disk: the first time is recorded, and the whole count
// once it flaps no more, or with the acknowledgement.
func TestFlappingKeypadWritesLittle(t *testing.T) {
	r := sit(t, usual())
	for range 1000 {
		r.plug(hw.Went)
		r.wait(700 * time.Millisecond)
		r.plug(hw.Came)
		r.wait(700 * time.Millisecond)
	}
	if n := len(r.wrote); n > 20 {
		t.Errorf("1,000 cycles wrote %d records", n)
	}
	r.wait(2 * time.Minute)
	if f, _ := r.state().Fault("keypad-missing"); f.Times != 1000 || !f.Ended || len(r.wrote) > 20 {
		t.Errorf("at rest the record says %+v in %d records", f, len(r.wrote))
	}
	r.plug(hw.Went)
	r.wants("shown", r.shown(), "!keypad-missing")
	if f := r.board().Faults[0]; f.Times != 1001 {
		t.Errorf("the board counts %d", f.Times)
	}
	if err := r.acknowledge("keypad-missing", "keypad"); err != nil {
		t.Fatal(err)
	}
	if f, _ := r.state().Fault("keypad-missing"); f.Times != 1001 || f.Ended || f.By != "keypad" {
		t.Errorf("the record says %+v", f)
	}
}

// A second keypad beside the first does nothing, and somebody may stand before it: that is
// on the board for as long as it is plugged in.
func TestAKeypadThatIsIgnoredIsNamedUntilItLeaves(t *testing.T) {
	r := sit(t, usual())
	r.plug(hw.Came)
	r.handle(hw.Notice{Source: "pad", Change: hw.Unknown, Text: "keyboard Y is not enrolled and is ignored", Pad: true})
	r.wait(time.Hour)
	r.wants("beside the keypad", r.shown(), "!keypad-unknown-pad")
	r.handle(hw.Notice{Source: "pad", Change: hw.Left})
	r.wants("taken off", r.shown(), ".keypad-unknown-pad ended")
}
