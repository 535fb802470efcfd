package table_test

import (
	"errors"
	"testing"
	"time"

	"shoeboard/hw"
	"shoeboard/tracker/console"
	"shoeboard/tracker/table"
)

// A digit stays that of its fault for as long as the page is open: one that goes moves
// none of the others, and a second press of the same key acknowledges nothing else.
func TestDigitsOfFaultsStay(t *testing.T) {
	r := shut(t, usual())
	for _, code := range []string{"heat", "space", "volts"} {
		r.fault(code, "Look at "+code)
		r.fault(code, "")
	}
	r.play("FLOOR 3")
	r.wants("page", r.page(), "FAULTS: 3\n1  heat  (over)\n2  space  (over)\n3  volts  (over)\nLook at heat")
	r.play("1 1")
	r.wants("twice", r.line(), "FAULT 1 IS DONE | OK=NEXT  CLEAR=BACK")
	r.wants("page then", r.page(), "FAULTS: 2\n1  heat  (done)\n2  space  (over)\n3  volts  (over)\nIt is over and acknowledged.")
	r.fault("cold", "Look at cold")
	r.play("4 3")
	r.wants("one that came", r.page(), "FAULTS: 2\n1  heat  (done)\n2  space  (over)\n3  volts  (done)\n4  cold  (seen)\nIt is over and acknowledged.")
	r.play("CLEAR 3")
	r.wants("opened anew", r.page(), "FAULTS: 2\n1  space  (over)\n2  cold  (seen)\nLook at space")
}

// A disk that takes nothing keeps the record from knowing of a fault: the page shows it
// all the same, as the board does, and no digit is said to be seen before it is on disk.
func TestFaultsInTheMenuWithoutADisk(t *testing.T) {
	r := shut(t, usual())
	r.play("FLOOR")
	r.slow = time.Hour
	r.fault("heat", "Look at heat")
	r.handle(table.Failed{Err: errors.New("no space left on device")})
	r.play("3")
	r.wants("page", r.page(), "FAULTS: 2\n1  heat\n2  not-recording\nLook at heat")
	r.play("2").wait(3 * time.Second)
	r.wants("pressed", r.page(), "FAULTS: 2\n1  heat\n2  not-recording\nLook at heat")
	r.slow = 0
	r.ack()
	r.settle()
	r.wants("on disk", r.page(), "FAULTS: 1\n1  heat\n2  not-recording  (done)\nLook at heat")
}

// A clock that is not set stands on the page as on the board, and is told by its digit.
func TestClockInTheMenu(t *testing.T) {
	r := shut(t, usual())
	r.now.Trusted = false
	r.play("FLOOR 3")
	r.wants("page", r.page(), "FAULTS: 1\n1  clock-not-set\nThe clock is not set: times are not to be\ntrusted")
	r.play("1")
	r.wants("seen", r.line(), "1 clock-not-set | SEEN        OK=NEXT")
	r.wants("board", r.shown(), ".clock-not-set by keypad")
	r.now.Trusted = true
	r.settle()
	r.wants("told", r.told(), "raised clock-not-set, acknowledged clock-not-set by keypad, ended clock-not-set")
}

// A fault that somebody knew of, that goes and comes again while a hand is keyed, is one
// that nobody knows of, on the board at once and in the record after.
func TestKnownFaultThatComesAgain(t *testing.T) {
	r := sit(t, usual())
	for range 3 {
		r.plug(hw.Went)
		r.plug(hw.Came)
	}
	r.plug(hw.Went)
	if err := r.acknowledge("keypad-missing", "tech"); err != nil {
		t.Fatal(err)
	}
	r.wants("known", r.shown(), ".keypad-missing by tech")
	r.engine.SetFault(r.now, "keypad-missing", "")
	r.fault("keypad-missing", "Keypad missing: plug it in again")
	r.wants("again at once", r.shown(), "!keypad-missing")
	r.play("PLAYER OK")
	if f, _ := r.state().Fault("keypad-missing"); f.Acknowledged() || f.Times != 5 {
		t.Errorf("the record says %+v", f)
	}
}

// A key without a meaning that is let go after the keypad test has gone holds up none of
// the others.
func TestUnknownKeyOverTheEndOfTheKeypadTest(t *testing.T) {
	r := shut(t, usual()).play("FLOOR 5")
	r.down("CLEAR")
	r.pass(time.Second)
	r.handle(hw.Press{Source: "pad", Pos: "NUMLOCK", Down: true})
	r.pass(1100 * ms)
	r.up("CLEAR")
	r.handle(hw.Press{Source: "pad", Pos: "NUMLOCK", Down: false})
	r.pass(time.Second)
	r.press("CLEAR")
	if r.tone != console.Ack || r.page() != "" {
		t.Errorf("CLEAR: %q, %q", r.line(), r.page())
	}
	r.wait(20 * time.Second)
	r.wants("later", r.line(), "TABLE CLOSED | NEW SHOE 2s = OPEN")
}

// What a page says to be refused is the reason, and nothing that merely stands on the
// echo; that hands are not recorded stands on every page.
func TestWhatAPageRefuses(t *testing.T) {
	r := shut(t, usual()).play("FLOOR 9")
	refused := func(what, want string) {
		t.Helper()
		r.wants(what, r.board().Menu.Refused, want)
	}
	r.press("1")
	r.press("OK")
	refused("an OK that came too soon", "TOO SOON: OK AGAIN")
	r.wait(time.Second).press("TIE")
	refused("a digit", "2=DOWN  8=UP  CLEAR=BACK")
	r.wait(3 * time.Second)
	refused("later", "")
	r.slow = time.Hour
	r.fault("heat", "Look at heat")
	r.handle(table.Failed{Err: errors.New("no space left on device")})
	refused("without a disk", "E21 NOT RECORDING: use paper, call a technician")
}
