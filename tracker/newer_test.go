package tracker

import (
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
