package table_test

import (
	"strings"
	"testing"
	"time"

	"shoeboard/hw"
	"shoeboard/tracker"
	"shoeboard/tracker/menu"
)

// acts are what the record says that was done to the unit: "07 sign-in right".
func (r *rig) acts() (all []string) {
	for _, d := range r.disk {
		record, err := tracker.UnmarshalRecord(d.payload, d.at)
		if err != nil {
			r.t.Fatal(err)
		}
		for _, e := range record.Events {
			if e.Kind == tracker.Acted {
				all = append(all, strings.Join(strings.Fields(strings.Join([]string{e.By, e.Code, e.Was, e.Text}, " ")), " "))
			}
		}
	}
	return all
}

func (r *rig) wantActs(want ...string) {
	r.t.Helper()
	r.wants("acts", strings.Join(r.acts(), "; "), strings.Join(want, "; "))
}

func (r *rig) staffed() *rig {
	r.engine.SetStaff(r.now, true)
	r.settle()
	return r
}

func (r *rig) signsIn(keys, value string) {
	r.t.Helper()
	r.play(keys + " OK")
	r.sent(len(r.errands), menu.SignIn, strings.ReplaceAll(keys, " ", ""))
	r.answers(menu.Result{Lines: []string{"Signed in."}, Value: value}).play("OK")
}

// Whoever stands at a closed table cannot make it another one: who sets the number has
// signed in, and the record has who it was, and no PIN.
func TestTheTableNumberNeedsATechnician(t *testing.T) {
	onBothPads(t, func(t *testing.T, r *rig) {
		was := r.state().Settings.Table
		r.staffed().play("FLOOR 7")
		r.wants("page", r.page(), "SIGN IN\nStaff number and PIN, eight digits.\nStaff   PIN _")
		r.play("1 2 1 6 1 8 0")
		r.wants("echo", r.line(), "STAFF 12 PIN *****_ | OK=IN    CLEAR=BACK")
		r.play("OK")
		r.wants("too few", r.echo().Lines[0], "KEY ALL 8 DIGITS")
		r.wait(3 * time.Second).play("3 OK")
		r.sent(1, menu.SignIn, "12161803")
		r.answers(menu.Result{Failed: true, Lines: []string{"number and PIN are not right"}}).play("OK")
		r.wants("again", r.page(), "SIGN IN\nStaff number and PIN, eight digits.\nStaff   PIN _")
		r.signsIn("1 2 1 6 1 8 0 9", "12 floor")
		r.wants("the floor may not", r.page(), "SIGN IN\nStaff number and PIN, eight digits.\nStaff   PIN _")
		r.signsIn("0 7 2 7 1 8 2 8", "07 technician")
		r.play("9 9 OK")
		r.sent(4, menu.SetTable, "99")
		r.answers(menu.Result{}).play("CLEAR")
		r.wantActs("12 sign-in wrong", "12 sign-in right", "07 sign-in right", "07 table-number "+was+" 99")
		r.engine.SetFault(r.now, "heat", "Too hot")
		r.settle()
		r.play("3 1")
		if f, _ := r.state().Fault("heat"); f.By != "07" {
			t.Errorf("the fault is acknowledged by %q", f.By)
		}
		r.play("FLOOR FLOOR 7")
		r.wants("left, signed out", r.page(), "SIGN IN\nStaff number and PIN, eight digits.\nStaff   PIN _")
	})
}

// The key switch stands for the floor, and for no technician; out of its lock it is nobody.
func TestTheKeySwitchStandsForTheFloor(t *testing.T) {
	r := shut(t, usual()).staffed()
	r.handle(hw.Press{Source: "key", Pos: "review", Down: true})
	r.play("FLOOR 8 4").answers(menu.Result{Value: "202611300658"}).wait(3 * time.Second)
	r.play("OK")
	r.sent(2, menu.Export, "20261130")
	r.answers(menu.Result{}).play("FLOOR FLOOR 7")
	r.wants("table number", r.page(), "SIGN IN\nStaff number and PIN, eight digits.\nStaff   PIN _")
	r.handle(hw.Press{Source: "key", Pos: "review", Down: false})
	r.play("FLOOR FLOOR 8 4")
	r.wants("without the key", r.page(), "SIGN IN\nStaff number and PIN, eight digits.\nStaff   PIN _")
	r.wantActs("key-switch export 20261130")
}

// Without staff everything works as before, and the record has what was done.
func TestWithoutStaffNobodyIsAsked(t *testing.T) {
	r := shut(t, usual())
	r.play("FLOOR 7 9 9 OK").sent(1, menu.SetTable, "99")
	r.answers(menu.Result{}).play("FLOOR FLOOR 9 3 OK").sent(2, menu.PowerOff, "")
	r.wantActs("keypad table-number "+r.state().Settings.Table+" 99", "keypad power-off")
}
