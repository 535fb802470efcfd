package tracker

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
)

// An update that is taken back leaves a record which the newer program has written: an
// aside of a kind that this program does not know, fields that it does not know, and
// a fault as it knows them are read; a fact that the figures depend on is not guessed.
func TestOlderProgramReadsANewerRecord(t *testing.T) {
	before := table(t, ez)
	newer := `{"v":1,"colour":"red","e":[{"k":"door-opened","aside":true,"door":2},{"k":"fault-raised","aside":true,"code":"heat","text":"Too hot","fan":"off"}]}`
	r, err := UnmarshalRecord([]byte(newer), Stamp{Seq: before.Seq + 1})
	if err != nil {
		t.Fatal(err)
	}
	after, err := ApplyAll(before, r.Events)
	if err != nil {
		t.Fatal(err)
	}
	if len(after.Faults) != 1 || after.Phase != before.Phase || after.Seq != before.Seq+1 {
		t.Errorf("after it: phase %s, faults %+v, seq %d", after.Phase, after.Faults, after.Seq)
	}
	if _, err := Apply(after, Event{Kind: "hand-doubled", Hand: 1}); err == nil || !strings.Contains(err.Error(), "newer program") {
		t.Errorf("a kind that counts: %v, expected a refusal that says why", err)
	}
	if got, err := UnmarshalCheckpoint([]byte(strings.Replace(string(written(t, after)), `{"v":1,`, `{"v":1,"doors":[1,2],`, 1))); err != nil || len(got.Faults) != 1 {
		t.Errorf("a checkpoint with more in it: %v", err)
	}
}

// A newer program may keep more faults than this one, longer ones, and such as this one
// does not know: its checkpoint is read all the same, with as much of them as fits here.
func TestOlderProgramReadsANewerCheckpoint(t *testing.T) {
	s := do(t, table(t, ez, "P", "B"), raised("heat", "Too hot"), raised("space", "Card full"), acknowledged("space", "tech"))
	newer := s
	newer.Faults = append([]Fault{{}, {Code: strings.Repeat("c", 99), Times: 1}}, s.Faults...)
	newer.Faults = append(newer.Faults, Fault{Code: "heat", Times: 7}, Fault{Code: "over", Times: 1, Ended: true, By: "tech"}, Fault{Code: "never", Text: strings.Repeat("x", 999), By: strings.Repeat("y", 99)})
	for i := range 99 {
		newer.Faults = append(newer.Faults, Fault{Code: fmt.Sprint("f", i), Times: 1})
	}
	got, err := UnmarshalCheckpoint(written(t, newer))
	if err != nil {
		t.Fatal(err)
	}
	f, _ := got.Fault("never")
	if len(got.Faults) != MaxFaults || !reflect.DeepEqual(got.Faults[:2], s.Faults) || len(f.Text) != MaxFaultText || len(f.By) != MaxFaultBy || f.Times != 1 {
		t.Errorf("%d faults: %+v", len(got.Faults), got.Faults)
	}
	if got.Faults = s.Faults; !reflect.DeepEqual(bare(got), bare(s)) {
		t.Errorf("got %+v\nwant %+v", bare(got), bare(s))
	}
}
