package table_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"shoeboard/stats"
	"shoeboard/tracker/console"
	"shoeboard/tracker/menu"
	"shoeboard/tracker/table"
)

// board is what a screen is told now.
func (r *rig) board() *stats.Board {
	b := &stats.Board{Dealer: stats.Dealer{OnScreen: true}}
	r.engine.Fill(b)
	return b
}

// page is the menu's page on the screen as one text, "" when there is none.
func (r *rig) page() string {
	m := r.board().Menu
	if m == nil {
		return ""
	}
	return strings.Join(append([]string{m.Title}, m.Lines...), "\n")
}

// shut is a rig at a closed table with two hands behind it.
func shut(t tb, s scene) *rig {
	r := sit(t, s)
	twoHands(r)
	return r.play("NEW_SHOE OK NEW_SHOE OK")
}

// answers gives an answer to the task that went out last.
func (r *rig) answers(a menu.Result) *rig {
	r.t.Helper()
	if len(r.errands) == 0 {
		r.t.Fatal("no task is out")
	}
	r.handle(table.Finished{No: r.errands[len(r.errands)-1].No, Result: a})
	return r
}

// sent fails unless this is the task that went out last, and the nth.
func (r *rig) sent(n int, kind menu.Kind, arg string) {
	r.t.Helper()
	if len(r.errands) != n {
		r.t.Fatalf("errands %+v, want %d of them", r.errands, n)
	}
	if e := r.errands[n-1]; e.Kind != kind || e.Arg != arg {
		r.t.Errorf("task %+v, want %s %q", e, kind, arg)
	}
}

func (c *check) isMenu() {
	c.t.Helper()
	c.kept()
	c.free()
	c.acked()
	if !strings.HasPrefix(c.page(), "MENU\n1  Status") {
		c.t.Errorf("no menu: %q, echo %q", c.page(), c.line())
	}
}

func (c *check) isNoMenu() {
	c.t.Helper()
	if b := c.board(); b.Menu != nil || b.Test != "" {
		c.t.Errorf("the menu is there still: %+v, %q", b.Menu, b.Test)
	}
}

// isPage: the digit printed on the key opens its page.
func (c *check) isPage() {
	c.t.Helper()
	c.kept()
	c.free()
	c.acked()
	titles := map[string]string{"1": "STATUS", "2": "DOCTOR", "3": "FAULTS", "6": "SET TIME", "7": "TABLE NUMBER", "8": "STICK", "9": "POWER"}
	b := c.board()
	switch digit := c.keys[c.pos(c.key)].Digit; {
	case digit == "4" && b.Test == stats.TestPages()[0], digit == "5" && b.Test == stats.KeypadTest:
	case b.Menu == nil || b.Menu.Title != titles[digit]:
		c.t.Errorf("key %s, digit %s: %+v", c.key, digit, b.Menu)
	}
}

func (c *check) isPageUnlessPair() {
	c.t.Helper()
	if c.keys[c.pos(c.key)].Digit == "" {
		c.refused("NO KEY OF THE MENU", "CLEAR=BACK FLOOR=OUT")
		return
	}
	c.isPage()
}

func (c *check) isMore() {
	c.t.Helper()
	c.kept()
	c.acked()
	c.wants("echo", c.line(), "3 FAULTS  4 SCREEN | 5 KEYPAD  6 TIME")
}

// pads are both keypads, at tables of both games.
func pads() []scene {
	numpad, matrix := usual(), usual()
	matrix.layout, matrix.game = "matrix-4x5", "dai-bacc"
	return []scene{numpad, matrix}
}

// onBothPads plays a story at a closed table on each keypad.
func onBothPads(t *testing.T, story func(t *testing.T, r *rig)) {
	for _, s := range pads() {
		t.Run(s.layout, func(t *testing.T) { story(t, shut(t, s)) })
	}
}

// A dealer who presses FLOOR on a closed table by mistake sees the menu, is told how to
// leave whatever he presses, and leaves by FLOOR, by CLEAR, or by doing nothing.
func TestFloorByMistake(t *testing.T) {
	onBothPads(t, func(t *testing.T, r *rig) {
		records := len(r.disk)
		for _, out := range []func(){func() { r.play("FLOOR") }, func() { r.play("CLEAR") }, func() { r.press("FIX") }, func() { r.wait(61 * time.Second) }} {
			r.play("FLOOR")
			r.wants("echo", r.line(), "MENU         OK=MORE | 1 STATUS  2 DOCTOR")
			for _, key := range []string{"NEW_SHOE", "CUT", "FREE", "VOID", "REVIEW", "PAUSE", "PL_DEALER"} {
				r.press(key)
				if !strings.Contains(r.line(), "FLOOR=OUT") || r.tone != console.Refused {
					t.Errorf("%s in the menu: %q", key, r.line())
				}
			}
			out()
			if r.page() != "" || r.line() != "TABLE CLOSED | NEW SHOE 2s = OPEN" {
				t.Errorf("the menu is there still: %q", r.line())
			}
		}
		if len(r.disk) != records || len(r.errands) != 0 {
			t.Errorf("%d records and %+v came of it", len(r.disk)-records, r.errands)
		}
		r.play("NEW_SHOE OK BANKER OK")
		r.wants("hands", r.list(), "B")
	})
}

// In every other state FLOOR stays as it was.
func TestFloorAtAnOpenTable(t *testing.T) {
	for _, s := range pads() {
		r := sit(t, s)
		twoHands(r)
		for _, keys := range []string{"", "BANKER", "CLEAR", "BETS", "PAUSE", "NEW_SHOE"} {
			r.play(keys + " FLOOR")
			if r.page() != "" || r.tone != console.Refused {
				t.Errorf("after %q FLOOR opened %q", keys, r.page())
			}
			r.play("CLEAR")
		}
	}
}

// While the table's closing is on its way to disk there is no menu yet.
func TestNoMenuBeforeTheTableIsShutOnDisk(t *testing.T) {
	r := sit(t, usual())
	twoHands(r)
	r.play("NEW_SHOE OK NEW_SHOE")
	r.slow = time.Hour
	r.play("OK FLOOR")
	if r.page() != "" || !strings.HasPrefix(r.line(), "SAVING") {
		t.Errorf("the echo says %q, the screen %q", r.line(), r.page())
	}
}

// The whole list comes round on the echo by OK.
func TestMenuOnTheEcho(t *testing.T) {
	onBothPads(t, func(t *testing.T, r *rig) {
		r.play("FLOOR")
		var seen []string
		for range 4 {
			seen = append(seen, r.line())
			r.play("OK")
		}
		want := []string{"MENU         OK=MORE | 1 STATUS  2 DOCTOR", "3 FAULTS  4 SCREEN | 5 KEYPAD  6 TIME",
			"7 TABLE   8 STICK | 9 POWER", "MENU         OK=MORE | 1 STATUS  2 DOCTOR"}
		if !slices.Equal(seen, want) {
			t.Errorf("the echo shows %q", seen)
		}
	})
}

// A technician reads the doctor's findings to their end with 2 and back with 8.
func TestTechnicianReadsTheDoctor(t *testing.T) {
	onBothPads(t, func(t *testing.T, r *rig) {
		r.play("FLOOR 2")
		r.sent(1, menu.Doctor, "")
		r.wants("echo", r.line(), "DOCTOR | WORKING")
		if m := r.board().Menu; !m.Working {
			t.Errorf("the page does not say that it works: %+v", m)
		}
		r.play("2")
		r.wants("a key meanwhile", r.line(), "WORKING | CLEAR=BACK")
		var lines []string
		for i := range 15 {
			lines = append(lines, fmt.Sprintf("Finding %d: something is not as it should be, see to it now", i))
		}
		r.answers(menu.Result{Lines: lines})
		r.wants("echo", r.line(), "DOCTOR   8=UP 2=DOWN | Finding 0: something")
		if m := r.board().Menu; len(m.Lines) != menu.PageLines || m.At != 0 || m.Above || !m.Below {
			t.Errorf("the first page is %+v", m)
		}
		for steps := 0; ; steps++ {
			r.press("2")
			if r.tone == console.Refused {
				break
			}
			if m := r.board().Menu; m.At < 0 || m.At >= len(m.Lines) {
				t.Fatalf("nothing is marked: %+v", m)
			}
			if steps > 60 {
				t.Fatal("it never ends")
			}
		}
		if m := r.board().Menu; m.Below || !strings.HasPrefix(m.Lines[m.At], "Finding 14") {
			t.Errorf("the last page is %+v", m)
		}
		r.press("8")
		r.play("OK")
		r.sent(2, menu.Doctor, "")
	})
}

// The time is keyed over what it is, digit by digit, put right with CLEAR, refused when
// it cannot be or is not keyed to its end, and set by OK.
func TestTechnicianSetsTheTime(t *testing.T) {
	onBothPads(t, func(t *testing.T, r *rig) {
		r.play("FLOOR 6")
		r.sent(1, menu.Clock, "")
		r.answers(menu.Result{Value: "202611300658"})
		r.wants("echo", r.line(), "[2]026-11-30 06:58 | OK=SET   CLEAR=BACK")
		r.wait(time.Second).play("OK")
		r.wants("nothing keyed", r.echo().Lines[0], "KEY ALL 12 DIGITS")
		r.wait(3 * time.Second)
		r.play("2 0 2 6 1 3")
		r.wants("keyed", r.line(), "2026-13-[3]0 06:58 | OK=SET   CLEAR=BACK")
		r.play("OK")
		r.wants("an impossible month", r.echo().Lines[0], "NO SUCH TIME")
		if m := r.board().Menu; !strings.Contains(m.Refused, "NO SUCH TIME") {
			t.Errorf("the screen does not say so: %+v", m)
		}
		r.play("CLEAR 2 0 1 1 8 0 OK")
		r.wants("the last digit left as it stood", r.echo().Lines[0], "KEY ALL 12 DIGITS")
		r.play("5 9")
		r.wants("a digit too many", r.echo().Lines[0], "ALL DIGITS KEYED")
		r.wait(3 * time.Second)
		r.wants("put right", r.line(), "2026-12-01 18:05 | OK=SET   CLEAR=BACK")
		r.play("OK")
		r.sent(2, menu.SetTime, "202612011805")
		r.answers(menu.Result{Lines: []string{"The time is set."}})
		r.wants("done", r.line(), "SET TIME | The time is set.")
		r.wait(time.Second).play("OK")
		r.wants("back", r.line(), "MENU         OK=MORE | 1 STATUS  2 DOCTOR")
	})
}

func TestYearsThatAreRefused(t *testing.T) {
	for year, want := range map[string]string{"2025": "YEAR 2026 TO 2037", "2038": "YEAR 2026 TO 2037", "0000": "YEAR 2026 TO 2037"} {
		r := shut(t, usual()).play("FLOOR 6").answers(menu.Result{Value: "202611300658"})
		r.play(strings.Join(strings.Split(year, ""), " ") + " OK")
		r.wants(year, r.echo().Lines[0], want)
		r.sent(1, menu.Clock, "")
	}
}

// The table's number is keyed whole.
func TestTechnicianSetsTheTable(t *testing.T) {
	onBothPads(t, func(t *testing.T, r *rig) {
		r.play("FLOOR 7")
		r.wants("echo", r.echo().Lines[0], fmt.Sprintf("TABLE %s > _", r.state().Settings.Table))
		r.play("OK")
		r.wants("nothing keyed", r.echo().Lines[0], "KEY THE TABLE NUMBER")
		r.play("0 OK")
		r.wants("a nought", r.echo().Lines[0], "NO TABLE BEGINS 0")
		r.play("CLEAR 2 7 OK")
		r.sent(1, menu.SetTable, "27")
		r.answers(menu.Result{Lines: []string{"Table 27: the program starts again"}})
		r.wants("echo", r.echo().Lines[1], "Table 27: the")
	})
}

// What the stick offers is shown before OK does it.
func TestTechnicianUpdates(t *testing.T) {
	onBothPads(t, func(t *testing.T, r *rig) {
		r.play("FLOOR 8 3")
		r.sent(1, menu.FindUpdate, "")
		r.answers(menu.Result{Failed: true, Lines: []string{"No stick is plugged in"}})
		r.wants("echo", r.echo().Lines[0], "FAILED   8=UP 2=DOWN")
		r.play("OK")
		r.sent(2, menu.FindUpdate, "")
		r.answers(menu.Result{Ready: true, Value: "shoeboard_1.2.0_arm64.deb", Lines: []string{"Version 1.2.0 is on the stick", "1.1.0 is installed"}})
		r.wants("echo", r.line(), "UPDATE?       OK=YES | Version 1.2.0 is on")
		if m := r.board().Menu; m.Lines[0] != "UPDATE?" || len(m.Lines) != 3 {
			t.Errorf("the page is %+v", m)
		}
		r.press("OK")
		if len(r.errands) != 2 {
			t.Fatal("an OK that came at once was taken")
		}
		r.wait(time.Second).play("OK")
		r.sent(3, menu.Update, "shoeboard_1.2.0_arm64.deb")
		r.answers(menu.Result{Lines: []string{"Installing. The unit starts again."}})
		r.wait(time.Second).play("OK")
		r.wants("back", r.echo().Lines[0], "STICK        OK=MORE")
	})
}

// Every page is reached, and what it asks and what its OK does is this.
func TestEveryPage(t *testing.T) {
	for keys, want := range map[string]string{"1": "status", "2": "doctor", "6": "clock", "8 1": "stick", "8 2 OK": "support-bundle",
		"8 3": "find-update", "8 4": "clock", "9 1 OK": "restart", "9 2 OK": "reboot", "9 3 OK": "power-off"} {
		onBothPads(t, func(t *testing.T, r *rig) {
			r.play("FLOOR " + keys)
			r.sent(1, menu.Kind(want), "")
			r.answers(menu.Result{Value: "202611300658", Lines: []string{"ok"}})
			for range 3 {
				r.wait(time.Second).play("CLEAR")
			}
			if r.page() != "" {
				t.Errorf("%s: three CLEARs lead to %q", keys, r.page())
			}
		})
	}
	r := shut(t, usual()).play("FLOOR 8 4").answers(menu.Result{Value: "202611300658"})
	r.wants("day", r.echo().Lines[0], "[2]026-11-30")
	r.wait(time.Second).play("OK")
	r.sent(2, menu.Export, "20261130")
}

// Whatever becomes of a task, its page does not stand for ever: not when the key that
// left it was one of two and did not count, nor when it was called back and says nothing.
func TestPagesThatWaitComeToAnEnd(t *testing.T) {
	onBothPads(t, func(t *testing.T, r *rig) {
		r.play("FLOOR 1")
		r.sent(1, menu.Status, "")
		r.down("FLOOR")
		r.down("OK")
		r.up("OK")
		r.up("FLOOR")
		r.pass(5*time.Minute + 61*time.Second)
		if m := r.board().Menu; m != nil {
			t.Errorf("after a key that did not count: %+v", m)
		}
	})
	onBothPads(t, func(t *testing.T, r *rig) {
		r.play("FLOOR 9 2 OK")
		r.sent(1, menu.Reboot, "")
		r.play("CLEAR")
		r.wants("called back", r.echo().Lines[1], "CANCELLING")
		r.pass(61 * time.Second)
		if m := r.board().Menu; m != nil {
			t.Errorf("after a call back: %+v", m)
		}
	})
}
