package transfer

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"shoeboard/cmd/internal/datadir"
	"shoeboard/tracker"
)

// machineID is the longest name that a unit has.
const machineID = "0123456789abcdef0123456789abcdef"

// told is what the board of a unit says of its table while this stick is in it.
func (u unit) told(slot Slot) string {
	u.t.Helper()
	m, _ := u.mirroring(slot)
	text := ""
	m.Fault = func(code, now string) {
		if code != faultTwice {
			u.t.Errorf("%s: %s", code, now)
		}
		if long := strings.NewReplacer(u.id, machineID, "10000000aaaa", machineID, "10000000bbbb", machineID, "table 14", "table 14ABCDEF").Replace(now); len(long) > tracker.MaxFaultText {
			u.t.Errorf("the record has room for %d bytes, not for %d: %s", tracker.MaxFaultText, len(long), long)
		}
		text = now
	}
	for now := time.Duration(0); now < 3*every; now += every {
		m.step(u.t.Context(), now)
	}
	return text
}

// says wants a sentence with these words, none for "".
func (u unit) says(when string, slot Slot, want string) {
	u.t.Helper()
	if got := u.told(slot); want == "" && got != "" || !strings.Contains(got, want) {
		u.t.Errorf("%s the board of %s says %q, expected %q", when, u.id, got, want)
	}
}

// takenOver is a dead unit, a stick with its mirror, and a spare that has its table.
func takenOver(t *testing.T) (dead, u unit, slot Slot) {
	dead, slot = newUnit(t, "10000000aaaa", "14"), newStick(t)
	dead.shoes(2, 3)
	dead.mirrored(slot)
	return dead, takenFrom(t, slot), slot
}

// takenFrom is a spare that took a table over from a stick.
func takenFrom(t *testing.T, slot Slot) unit {
	u := spare(t, "10000000bbbb")
	u.must(u.questions(slot)[0].Yes(u.id))
	return u
}

// A table was taken over, and the unit that was thought dead is switched on again: both
// boards say so as soon as the stick has been in them, until one has another table.
func TestTwoUnitsWithOneTable(t *testing.T) {
	dead, u, slot := takenOver(t)
	u.says("after the take-over", slot, "")
	u.grow()
	u.says("later", slot, "")
	dead.says("revived", slot, "Unit 10000000bbbb records table 14 too. Switch one of the two off")
	dead.grow()
	dead.says("and used", slot, "Unit 10000000bbbb records table 14 too")
	u.says("then", slot, "Unit 10000000aaaa records table 14 too")
	dead.must(datadir.WriteTable(dead.data, "20"))
	dead.says("moved", slot, "")
	u.says("moved", slot, "")
}

// The unit gets a blank card and its table back from the one that had it meanwhile.
func TestATableThatComesBack(t *testing.T) {
	dead, u, slot := takenOver(t)
	u.grow()
	u.mirrored(slot)
	again := spare(t, dead.id)
	q := again.questions(slot)
	if len(q) != 1 || q[0].Unit != u.id {
		t.Fatalf("asks %+v", q)
	}
	again.must(q[0].Yes(again.id))
	again.says("with its table", slot, "")
	u.says("that had it meanwhile", slot, "Unit 10000000aaaa records table 14 too")
}

// A card was moved, and the stick of the dead unit follows. A unit with a new card at the
// same table has a record of its own: the stick says nothing of it.
func TestTheStickOfAUnitWhoseCardWasMoved(t *testing.T) {
	dead := newUnit(t, "10000000aaaa", "14")
	dead.shoes(3)
	slot := newStick(t)
	dead.mirrored(slot)
	moved := dead
	moved.id = "10000000bbbb"
	moved.must(moved.questions(newStick(t))[0].Yes(moved.id))
	moved.says("with the card", slot, "")
	blank := newUnit(t, dead.id, "14") // its mirror goes aside with what is in it
	blank.shoes(1)
	blank.says("with a new card", slot, "")
	moved.says("once more", slot, "")
}

// An old copy was taken over, also one from a stick that was pulled out early: the stick of
// the dead unit goes further, and the board says so.
func TestAStickThatGoesFurtherThanWhatWasTakenOver(t *testing.T) {
	for _, early := range []bool{false, true} {
		dead, old, slot := newUnit(t, "10000000aaaa", "14"), newStick(t), newStick(t)
		dead.shoes(make([]int, 2*atOnce)...)
		dead.shoes(2, 3)
		m, _ := dead.mirroring(old)
		m.step(t.Context(), 0)
		if !early {
			dead.mirrored(old)
		}
		dead.grow()
		dead.mirrored(slot)
		u := spare(t, "10000000bbbb")
		u.must(u.questions(old)[0].Yes(u.id))
		u.says("with the newer stick", slot, "Unit 10000000aaaa records table 14 too")
	}
}

// A stick has no words of its own for the board: it names a unit only by a serial number.
func TestAStickHasNoWordsOfItsOwn(t *testing.T) {
	dead := newUnit(t, "PAYS-2-TO-1-ON-TIE", "14")
	dead.shoes(2, 3)
	slot := newStick(t)
	dead.mirrored(slot)
	u := spare(t, "10000000bbbb")
	u.must(u.questions(slot)[0].Yes(u.id))
	dead.grow()
	dead.mirrored(slot)
	u.says("with a unit that is called so", slot, "Another unit records table 14 too.")
}

// The fault of a stick is over when the stick is gone.
func TestTheStickIsPulledOut(t *testing.T) {
	dead, _, slot := takenOver(t)
	dead.grow()
	u := takenFrom(t, slot)
	dead.grow()
	dead.mirrored(slot)
	m, _ := u.mirroring(slot)
	shown := map[string]string{}
	m.Fault = func(code, text string) { shown[code] = text }
	for i, s := range []Slot{slot, {Dir: filepath.Join(t.TempDir(), "none")}, slot} {
		m.Slot = s
		m.step(t.Context(), time.Duration(i)*time.Second)
		if in := s == slot; (shown[faultTwice] != "") != in {
			t.Errorf("stick %v: the board says %q", in, shown[faultTwice])
		}
	}
}
