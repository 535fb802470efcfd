package transfer

import (
	"os"
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
		if code != FaultTwice {
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
	u = spare(t, "10000000bbbb")
	u.must(u.questions(slot)[0].Yes(u.id))
	return dead, u, slot
}

// A table was taken over, and the unit that was thought dead is switched on again: both
// boards say so as soon as the stick has been in them, until one has another table.
func TestTwoUnitsWithOneTable(t *testing.T) {
	dead, u, slot := takenOver(t)
	u.says("after the take-over", slot, "")
	u.grow()
	u.says("later", slot, "")
	dead.says("revived", slot, "Unit 10000000bbbb has taken table 14 over from this one. One of them must")
	dead.grow()
	dead.says("and used", slot, "has taken table 14 over")
	u.says("then", slot, "Unit 10000000aaaa, from which table 14 came, has hands that are not here")
	dead.must(datadir.WriteTable(dead.data, "20"))
	dead.says("moved", slot, "")
	u.says("moved", slot, "")
}

// The stick could only be read when the table was taken over: the word is left in it when
// it is in the unit that has the table.
func TestWordIsLeftLater(t *testing.T) {
	dead, u, slot := takenOver(t)
	u.must(os.Remove(filepath.Join(slot.Dir, home(dead.id), passedFile)))
	u.says("with a stick that knows nothing", slot, "")
	dead.says("revived", slot, "has taken table 14 over")
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
	u.says("that had it meanwhile", slot, "Unit 10000000aaaa has taken table 14 over from this one")
}

// A card was moved, and the stick of the dead unit follows: it learns of it there.
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
	blank.says("with a new card, at the same table", slot, "")
	moved.says("once more", slot, "")
	blank.says("once more", slot, "has taken table 14 over")
}

// What was taken over was an old copy: the stick of the dead unit goes further, and the
// board says so without saying that the dead unit lives.
func TestAStickThatGoesFurtherThanWhatWasTakenOver(t *testing.T) {
	dead, old, slot := newUnit(t, "10000000aaaa", "14"), newStick(t), newStick(t)
	dead.shoes(2, 3)
	dead.mirrored(old)
	dead.grow()
	dead.mirrored(slot)
	u := spare(t, "10000000bbbb")
	u.must(u.questions(old)[0].Yes(u.id))
	u.says("with the newer stick", slot, "Unit 10000000aaaa, from which table 14 came, has hands that are not here")
}
