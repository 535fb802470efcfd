package journal_test

import (
	"testing"

	"shoeboard/tracker/journal"
	"shoeboard/tracker/journal/journaltest"
)

// coded is threeShoes with the code that was shown after each of them; in the forged one an
// event of the second shoe is another, and the chain after it is computed again.
func coded(t *testing.T, forged bool) (*journaltest.FS, [3]journal.Code) {
	t.Helper()
	files := journaltest.New()
	j, _ := open(t, files)
	if !j.Code().IsZero() {
		t.Errorf("an empty record has code %v", j.Code())
	}
	var codes [3]journal.Code
	for n := range 60 {
		if n%20 == 0 {
			must[uint64](t)(j.Roll(checkpoint(n)))
		}
		e := event(n)
		if forged && n == 27 {
			e.Payload = append(e.Payload[:len(e.Payload):len(e.Payload)], ' ')
		}
		must[uint64](t)(j.Append(e))
		codes[n/20] = j.Code()
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	return files, codes
}

// Somebody who has only the video and the unit: the code of the first shoe proves it, those
// of the others are in no record of the forger's.
func TestACodeFindsAForgedHand(t *testing.T) {
	files, codes := coded(t, false)
	for i, code := range codes {
		if first, last, err := journal.Find(files, code); err != nil || first != 1 || last != uint64(21*(i+1)) {
			t.Errorf("shoe %d: records %d to %d, %v", i+1, first, last, err)
		}
	}
	j, _ := open(t, files)
	if j.Code() != codes[2] {
		t.Errorf("after a start the code is %v, it was %v", j.Code(), codes[2])
	}
	j.Close()
	files, others := coded(t, true)
	if check := must[journal.Check](t)(journal.Verify(files)); len(check.Problems) > 0 {
		t.Fatalf("the forger's chain: %v", check.Problems)
	}
	for i, code := range codes {
		first, last, err := journal.Find(files, code)
		if err != nil || (last != 0) != (i == 0) || i == 0 && (first != 1 || last != 21) {
			t.Errorf("shoe %d: records %d to %d, %v", i+1, first, last, err)
		}
	}
	if others[0] != codes[0] || others[1] == codes[1] || others[2] == codes[2] {
		t.Error("the codes do not tell the records apart")
	}
}

// A code proves nothing before a break of the chain.
func TestACodeProvesNothingBeforeABreak(t *testing.T) {
	files, codes := coded(t, false)
	other, _ := coded(t, true)
	files.Put(secondShoe, other.Bytes(secondShoe))
	if first, last, err := journal.Find(files, codes[2]); err != nil || first != 43 || last != 63 {
		t.Errorf("after an exchanged segment: records %d to %d, %v", first, last, err)
	}
	files.Drop(secondShoe)
	if first, last, err := journal.Find(files, codes[2]); err != nil || first != 43 || last != 63 {
		t.Errorf("after a missing segment: records %d to %d, %v", first, last, err)
	}
}
