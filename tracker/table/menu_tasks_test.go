package table_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"shoeboard/hw"
	"shoeboard/stats"
	"shoeboard/tracker/menu"
	"shoeboard/tracker/table"
)

// The screen test goes through its pages with OK and is left with CLEAR.
func TestScreenTestInTheMenu(t *testing.T) {
	onBothPads(t, func(t *testing.T, r *rig) {
		r.play("FLOOR 4")
		for _, name := range append(stats.TestPages(), stats.TestPages()[0]) {
			if b := r.board(); b.Test != name || b.Menu != nil {
				t.Fatalf("the page is %q with %+v, want %q", b.Test, b.Menu, name)
			}
			r.play("OK")
		}
		r.wants("echo", r.line(), fmt.Sprintf("2 OF %d %s | OK=NEXT  CLEAR=BACK", len(stats.TestPages()), strings.ToUpper(stats.TestPages()[1])))
		r.play("CLEAR")
		if b := r.board(); b.Test != "" || b.Menu == nil {
			t.Errorf("CLEAR leaves %q", b.Test)
		}
	})
}

// In the keypad test every key counts and none does anything else; CLEAR held for 2 s
// leaves, or a minute without a press.
func TestKeypadTestInTheMenu(t *testing.T) {
	onBothPads(t, func(t *testing.T, r *rig) {
		records := len(r.disk)
		r.play("FLOOR 5")
		if b := r.board(); b.Test != stats.KeypadTest || len(b.Keypad) < 16 || b.Keypad[0].Seen != 0 {
			t.Fatalf("the page is %q with %d keys", b.Test, len(b.Keypad))
		}
		for pos := range r.keys {
			for range 2 {
				r.handle(hw.Press{Source: "pad", Pos: pos, Down: true})
				r.pass(50 * ms)
				r.handle(hw.Press{Source: "pad", Pos: pos, Down: false})
			}
		}
		r.handle(hw.Press{Source: "pad", Pos: "NUMLOCK", Down: true})
		b := r.board()
		if len(b.Keypad) != len(r.keys)+1 {
			t.Errorf("%d keys, want %d", len(b.Keypad), len(r.keys)+1)
		}
		for _, k := range b.Keypad {
			if want := map[bool]int{true: 1, false: 2}[k.Pos == "NUMLOCK"]; k.Seen != want || k.Down != (k.Pos == "NUMLOCK") {
				t.Errorf("key %+v, want %d presses", k, want)
			}
		}
		r.wants("echo", r.echo().Lines[0], "NO MEANING x1")
		if len(r.disk) != records || len(r.errands) != 0 {
			t.Error("a key did something")
		}
		r.held("CLEAR", 1900*ms)
		if r.board().Test != stats.KeypadTest {
			t.Error("CLEAR left too soon")
		}
		r.held("CLEAR", 2100*ms)
		if !strings.HasPrefix(r.page(), "MENU") {
			t.Errorf("CLEAR for 2 s leads to %q", r.page())
		}
		r.play("5").wait(61 * time.Second)
		if b := r.board(); b.Test != "" || b.Menu != nil {
			t.Errorf("after a minute there is %q, %+v", b.Test, b.Menu)
		}
	})
}

// A task that fails says why; one that never ends is given up after five minutes,
// and the next is refused until it has ended. Leaving calls it back and drops what it
// says.
func TestErrandsThatDoNotCome(t *testing.T) {
	onBothPads(t, func(t *testing.T, r *rig) {
		r.play("FLOOR 2").answers(menu.Result{Failed: true, Lines: []string{"The doctor cannot look: no such file"}})
		if m := r.board().Menu; !m.Failed || m.Working || !strings.HasPrefix(m.Lines[0], "The doctor cannot look") {
			t.Errorf("the page is %+v", m)
		}
		r.play("CLEAR 1").wait(4 * time.Minute)
		r.wants("still", r.line(), "STATUS | WORKING")
		r.wait(time.Minute)
		r.wants("given up", r.line(), "FAILED   8=UP 2=DOWN | No answer")
		if r.recalls != 1 {
			t.Errorf("%d errands were called back, want 1", r.recalls)
		}
		r.play("CLEAR 2")
		r.wants("the next", r.line(), "FAILED   8=UP 2=DOWN | Still busy: status")
		r.sent(2, menu.Status, "")
		r.answers(menu.Result{Lines: []string{"too late"}})
		if strings.Contains(r.page(), "too late") {
			t.Error("an answer to nobody is shown")
		}
		r.play("OK")
		r.sent(3, menu.Doctor, "")
		r.play("FLOOR")
		if r.recalls != 2 || r.page() != "" {
			t.Errorf("left: %d called back, %q", r.recalls, r.page())
		}
		r.answers(menu.Result{Lines: []string{"dropped"}})
		r.wants("echo", r.line(), "TABLE CLOSED | NEW SHOE 2s = OPEN")
	})
}

// Two keys within 80 ms are one slip: the page is as before, and the answer to what the
// first had asked is dropped, whatever is asked next.
func TestTwoKeysInTheMenu(t *testing.T) {
	r := shut(t, usual()).play("FLOOR")
	r.down("1")
	r.pass(30 * ms)
	r.down("2")
	r.up("1")
	r.up("2")
	if !strings.HasPrefix(r.page(), "MENU") || r.recalls != 1 {
		t.Fatalf("the page is %q, %d called back", r.page(), r.recalls)
	}
	r.answers(menu.Result{Lines: []string{"status"}})
	r.wait(3 * time.Second).play("2")
	r.sent(2, menu.Doctor, "")
	r.handle(table.Finished{No: 1, Result: menu.Result{Lines: []string{"status"}}})
	r.wants("echo", r.line(), "DOCTOR | WORKING")
}

// A restart in the menu leaves it.
func TestRestartInTheMenu(t *testing.T) {
	for _, keys := range []string{"", "2", "4", "5", "6", "8 4"} {
		r := shut(t, usual()).play("FLOOR " + keys)
		r.restart(false, keys == "4")
		r.wants("echo", r.line(), "TABLE CLOSED | NEW SHOE 2s = OPEN")
		r.play("NEW_SHOE OK TIE OK")
		r.wants("hands", r.list(), "T")
	}
}

// A pad that is unplugged in the menu loses the digits keyed; the menu waits for it.
func TestUnpluggedInTheMenu(t *testing.T) {
	onBothPads(t, func(t *testing.T, r *rig) {
		r.plug(hw.Came)
		r.play("FLOOR 7 1 2")
		r.down("3")
		r.handle(hw.Notice{Source: "pad", Change: hw.Went})
		r.wait(5 * time.Second)
		r.handle(hw.Notice{Source: "pad", Change: hw.Came})
		r.play("5 OK")
		r.sent(1, menu.SetTable, "5")
		r.answers(menu.Result{}).play("CLEAR 5")
		r.down("TIE")
		r.handle(hw.Notice{Source: "pad", Change: hw.Went})
		for _, k := range r.board().Keypad {
			if k.Down {
				t.Errorf("%+v is down on a pad that is gone", k)
			}
		}
		r.wait(61 * time.Second)
		r.wants("a minute later", r.line(), "TABLE CLOSED | NEW SHOE 2s = OPEN")
	})
}

// A fault is acknowledged by its digit, and goes when it has ended as well.
func TestFaultsInTheMenu(t *testing.T) {
	onBothPads(t, func(t *testing.T, r *rig) {
		r.play("FLOOR 3")
		r.wants("none", r.line(), "NO FAULTS | CLEAR=BACK FLOOR=OUT")
		for _, code := range []string{"heat", "space"} {
			r.engine.SetFault(r.now, code, "Something of "+code+": see to it")
			r.settle()
		}
		r.wants("echo", r.line(), "1 heat | DIGIT=SEEN  OK=NEXT")
		r.play("OK")
		r.wants("next", r.line(), "2 space | DIGIT=SEEN  OK=NEXT")
		if !strings.HasPrefix(r.page(), "FAULTS: 2\n1  heat\n2  space\nSomething of space: see to it") {
			t.Errorf("the page is %q", r.page())
		}
		r.play("2")
		if f, _ := r.state().Fault("space"); f.By != "keypad" {
			t.Errorf("not acknowledged: %+v", f)
		}
		r.wants("seen", r.line(), "2 space | SEEN        OK=NEXT")
		r.play("2")
		r.wants("again", r.echo().Lines[0], "ACKNOWLEDGED ALREADY")
		r.play("3")
		r.wants("no such", r.echo().Lines[0], "NO FAULT 3")
		r.engine.SetFault(r.now, "space", "")
		r.settle()
		r.wait(3 * time.Second)
		r.wants("gone", r.line(), "2 space | DONE        OK=NEXT")
		r.play("OK")
		r.wants("next", r.line(), "1 heat | DIGIT=SEEN  OK=NEXT")
	})
}
