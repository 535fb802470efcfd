package table_test

import (
	"maps"
	"strings"
	"testing"
	"time"

	"shoeboard/tracker"
	"shoeboard/tracker/console"
	"shoeboard/tracker/menu"
	"shoeboard/tracker/table"
)

// The question of a take-over stands before everything: no key, no time and no setting
// writes anything of another unit's record. OK hands the table over.
func TestTakeOver(t *testing.T) {
	for _, s := range pads() {
		r := sit(t, s)
		twoHands(r)
		r.play("BETS")
		r.moved()
		records := len(r.disk)
		r.desk.Configure(r.now, table.Wanted{Settings: func() tracker.Settings { s := r.state().Settings; s.Table = "15"; return s }()})
		r.wait(time.Hour).play("BANKER FLOOR NEW_SHOE REVIEW FIX BETS")
		if e := r.echo(); !e.Refused || !strings.Contains(r.line(), "ANSWER FIRST") {
			t.Errorf("a key is not refused: %q", r.line())
		}
		r.wait(3 * time.Second)
		r.wants("echo", r.line(), "TAKE OVER TABLE 14? | OK=YES  CLEAR=NO")
		if m := r.board().Menu; m == nil || !m.Asking || m.Title != "TAKE OVER TABLE 14?" || len(m.Lines) != 2 {
			t.Errorf("the screen shows %+v", m)
		}
		if len(r.disk) != records || len(r.errands) != 0 {
			t.Fatalf("%d records before the answer", len(r.disk)-records)
		}
		r.play("OK BANKER")
		r.sent(1, console.ErrandTakeOver, "card")
		r.wants("meanwhile", r.line(), "WORKING | PLEASE WAIT")
		r.wait(time.Hour)
		r.wants("a long copy", r.line(), "TAKE OVER TABLE 14? | WORKING")
		r.answers(menu.Result{Failed: true, Lines: []string{"The record cannot be read"}})
		r.wants("failed", r.line(), "The record cannot be | read")
		r.wait(time.Second).play("OK")
		r.answers(menu.Result{Lines: []string{"This unit has the", "table now"}})
		r.wants("done", r.line(), "This unit has the | table now")
		r.play("BANKER OK")
		r.wants("hands", r.list(), "B P B")
		r.wants("the settings that waited", r.state().Settings.Table, "15")
	}
}

// After No the table stays shut until the question is put again; a blank unit that
// leaves a stick alone goes on as it is.
func TestTakeOverRefused(t *testing.T) {
	r := shut(t, usual())
	r.moved()
	r.wait(time.Second).play("CLEAR")
	r.sent(1, console.ErrandLeaveTable, "card")
	r.answers(menu.Result{Locked: true})
	r.wants("locked", r.line(), "NOT TAKEN OVER | FLOOR=ASK AGAIN")
	for _, key := range []string{"OK", "CLEAR", "BANKER", "NEW_SHOE"} {
		r.press(key)
		r.wants(key, r.line(), "NOT TAKEN OVER | FLOOR=ASK AGAIN")
	}
	r.play("FLOOR")
	r.wants("again", r.line(), "TAKE OVER TABLE 14? | OK=YES  CLEAR=NO")
	r.wait(time.Second).play("CLEAR")
	r.answers(menu.Result{Lines: []string{"The stick is left as", "it is"}})
	r.wait(3 * time.Second).play("NEW_SHOE OK TIE OK")
	r.wants("hands", r.list(), "T")
}

// A stick that holds several tables is asked about one after the other.
func TestTakeOverOfOneOfSeveral(t *testing.T) {
	r := shut(t, usual())
	r.takeOver = []console.TakeOver{{ID: "a", Table: "14"}, {ID: "b", Table: "15"}}
	r.restart(false, false)
	r.wait(time.Second)
	r.wants("echo", r.line(), "TAKE OVER TABLE 14? | OK=YES  CLEAR=NEXT")
	r.play("CLEAR")
	r.wants("echo", r.line(), "TAKE OVER TABLE 15? | OK=YES  CLEAR=NO")
	r.play("OK")
	r.sent(1, console.ErrandTakeOver, "b")
}

// On a pad whose CLEAR acts as it goes down a No is on its way when a second key follows
// within 80 ms: it stands, and the page says what came of it.
func TestTakeOverRefusedBesideAnotherKey(t *testing.T) {
	r := shut(t, usual())
	r.keys = maps.Clone(r.keys)
	r.keys[r.pos("CLEAR")] = console.Binding{Tap: console.KeyClear}
	r.moved()
	r.wait(time.Second).down("CLEAR")
	r.pass(30 * ms)
	r.down("BANKER")
	r.up("BANKER")
	r.up("CLEAR")
	r.sent(1, console.ErrandLeaveTable, "card")
	r.answers(menu.Result{Locked: true}).wait(3 * time.Second)
	r.wants("locked", r.line(), "NOT TAKEN OVER | FLOOR=ASK AGAIN")
}
