package journal_test

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"shoeboard/tracker/journal"
	"shoeboard/tracker/journal/journaltest"
)

// threeShoes is a record of three segments with 20 events each, and its
// records. Segments begin at 1, 22 and 43.
func threeShoes(t testing.TB) (*journaltest.FS, []journal.Record) {
	t.Helper()
	files := journaltest.New()
	j, _ := open(t, files)
	for n := range 60 {
		if n%20 == 0 {
			must[uint64](t)(j.Roll(checkpoint(n)))
		}
		must[uint64](t)(j.Append(event(n)))
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	return files, all(t, files)
}

const (
	firstShoe  = "0000000000000001.jrn"
	secondShoe = "0000000000000022.jrn"
	thirdShoe  = "0000000000000043.jrn"
)

// start is where record seq begins in a segment of threeShoes.
func start(t testing.TB, files *journaltest.FS, segment string, nth int) int {
	t.Helper()
	b, at := files.Bytes(segment), 64
	for range nth {
		at += int(b[at]) | int(b[at+1])<<8
	}
	return at
}

func TestATornTailIsCutAndKept(t *testing.T) {
	files, want := threeShoes(t)
	whole := files.Bytes(thirdShoe)
	last := start(t, files, thirdShoe, 20)
	for _, tail := range []int{1, 7, 75, 76, 100} {
		files.Put(thirdShoe, whole[:last+tail])
		j, found := open(t, files)
		if found.Last != 62 || len(found.Problems) != 1 {
			t.Fatalf("%d bytes of the last record: last %d, %v", tail, found.Last, found.Problems)
		}
		p := found.Problems[0]
		if p.Trouble != journal.Torn || p.Offset != int64(last) || p.Bytes != int64(tail) || !bytes.Equal(files.Bytes(p.Kept), whole[last:last+tail]) {
			t.Fatalf("reported %v", p)
		}
		if len(files.Bytes(thirdShoe)) != last || j.NeedsRoll() {
			t.Fatal("the tail was not cut")
		}
		if err := j.Close(); err != nil {
			t.Fatal(err)
		}
	}
	check := must[journal.Check](t)(journal.Verify(files))
	if len(check.Kept) != 5 || len(check.Problems) != 0 {
		t.Fatalf("five tails were cut in one place, kept are %v; %v", check.Kept, check.Problems)
	}
	same(t, all(t, files), want[:62])
}

// Cutting the tail is itself cut at every operation: its bytes are always
// either still there or kept, and the next start cuts it.
func TestACutWhileTheTailIsCutLosesNothing(t *testing.T) {
	whole, _ := threeShoes(t)
	base := whole.Ops()
	for n := 0; ; n++ {
		for seed := range uint64(8) {
			files, _ := threeShoes(t)
			torn := append(files.Bytes(thirdShoe), "half a record"...)
			files.Put(thirdShoe, torn)
			files.CutAt(base+n, journaltest.After)
			if _, _, err := journal.Open(files, unit); err == nil && !files.Off() {
				if n < 5 {
					t.Fatalf("only %d operations", n)
				}
				return
			}
			files = files.AfterPowerCut(seed)
			kept := bytes.HasSuffix(files.Bytes(thirdShoe), []byte("half a record"))
			for name, b := range contents(t, files) {
				kept = kept || strings.HasSuffix(name, ".cut") && string(b) == "half a record"
			}
			if !kept {
				t.Fatalf("operation %d, seed %d: the bytes are gone", n, seed)
			}
			j, found := open(t, files)
			if found.Last != 63 || j.NeedsRoll() {
				t.Fatalf("operation %d, seed %d: %v", n, seed, found.Problems)
			}
		}
	}
}

func TestABadMiddleIsAGapAndTheRestIsUsed(t *testing.T) {
	files, want := threeShoes(t)
	b := files.Bytes(thirdShoe)
	b[start(t, files, thirdShoe, 5)+80] ^= 4
	copy(b[start(t, files, thirdShoe, 9):], make([]byte, start(t, files, thirdShoe, 12)-start(t, files, thirdShoe, 9)))
	files.Put(thirdShoe, b)

	j, found := open(t, files)
	left := slices.Concat(want[43:47], want[48:51], want[54:])
	same(t, found.Records, left)
	if len(found.Problems) != 2 || found.Problems[0].First != 48 || found.Problems[0].Last != 48 || found.Problems[1].First != 52 || found.Problems[1].Last != 54 {
		t.Fatalf("reported %v", found.Problems)
	}
	if !j.NeedsRoll() {
		t.Fatal("a damaged segment is to be written on")
	}
	if seq := must[uint64](t)(j.Roll(checkpoint(60))); seq != 64 {
		t.Fatalf("the roll got number %d", seq)
	}
	if !bytes.Equal(files.Bytes(thirdShoe), b) {
		t.Fatal("the damaged segment was changed")
	}
	must[uint64](t)(j.Append(event(60)))
	check := must[journal.Check](t)(journal.Verify(files))
	if len(check.Problems) != 2 || check.Records != 61 || check.Last != 65 {
		t.Fatalf("verify %+v", check)
	}
}

func TestALastSegmentWithoutACheckpointFallsBack(t *testing.T) {
	damage := map[string]struct {
		do        func(b []byte, second int) []byte
		gone      int    // events of the last segment that cannot be read
		next      uint64 // at least the next number; at most 100 more
		onlyFirst bool
	}{
		"checkpoint flipped": {func(b []byte, _ int) []byte { b[100] ^= 1; return b }, 0, 64, false},
		"header zeroed":      {func(b []byte, _ int) []byte { clear(b[:64]); return b }, 0, 64, true},
		"all zeroed":         {func(b []byte, _ int) []byte { clear(b); return b }, 20, 64, false},
		"emptied":            {func(b []byte, _ int) []byte { return nil }, 20, 44, false},
		"cut in the header":  {func(b []byte, _ int) []byte { return b[:40] }, 20, 44, false},
		"cut in checkpoint":  {func(b []byte, second int) []byte { return b[:second-1] }, 20, 45, false},
		"rubbish":            {func(b []byte, _ int) []byte { return bytes.Repeat([]byte("rubbish"), len(b)/7) }, 20, 64, false},
	}
	for name, d := range damage {
		t.Run(name, func(t *testing.T) {
			files, want := threeShoes(t)
			bad := d.do(files.Bytes(thirdShoe), start(t, files, thirdShoe, 1))
			files.Put(thirdShoe, bad)
			j, found := open(t, files)
			expect, checkpoint := slices.Concat(want[22:42], want[43:63-d.gone]), "20"
			if d.gone > 0 {
				expect = want[22:42]
			}
			if d.onlyFirst {
				expect, checkpoint = want[43:], "40"
			}
			same(t, found.Records, expect)
			if string(found.Checkpoint.Payload) != checkpoint || len(found.Problems) == 0 || !j.NeedsRoll() {
				t.Fatalf("checkpoint %s, %v", found.Checkpoint.Payload, found.Problems)
			}
			seq := must[uint64](t)(j.Roll(journal.Record{}))
			if seq < d.next || seq > d.next+100 {
				t.Fatalf("the roll got number %d, want one no record can have had, from %d", seq, d.next)
			}
			if !bytes.Equal(files.Bytes(thirdShoe), bad) {
				t.Fatal("the damaged segment was changed")
			}
			must[uint64](t)(j.Append(event(77)))
			_, found = open(t, files.AfterPowerCut(1))
			if len(found.Problems) != 0 || found.Last != seq+1 {
				t.Fatalf("the next start found %+v", found)
			}
		})
	}
}

func TestAMissingSegmentIsAGap(t *testing.T) {
	files, _ := threeShoes(t)
	files.Drop(secondShoe)
	j, found := open(t, files)
	if len(found.Problems) != 0 || found.Last != 63 || j.NeedsRoll() {
		t.Fatalf("the last segment is whole, but found %v", found.Problems)
	}
	check := must[journal.Check](t)(journal.Verify(files))
	if len(check.Problems) != 1 || check.Problems[0].First != 22 || check.Problems[0].Last != 42 {
		t.Fatalf("verify: %v", check.Problems)
	}
}

// An altered record with a checksum made good is found by the chain.
func TestTheChainFindsWhatTheChecksumDoesNot(t *testing.T) {
	files, _ := threeShoes(t)
	other := journaltest.New()
	j, _ := open(t, other)
	for n := range 20 {
		if n == 0 {
			must[uint64](t)(j.Roll(checkpoint(0)))
		}
		e := event(n)
		if n == 7 {
			e.Wall++
		}
		must[uint64](t)(j.Append(e))
	}
	// One record of the forged shoe, checksum and all, in place of the true one.
	b, forged := files.Bytes(firstShoe), other.Bytes(firstShoe)
	from, to := start(t, files, firstShoe, 8), start(t, files, firstShoe, 9)
	copy(b[from:to], forged[from:to])
	files.Put(firstShoe, b)
	check := must[journal.Check](t)(journal.Verify(files))
	if len(check.Problems) != 1 || check.Problems[0].Trouble != journal.Altered || check.Problems[0].First != 10 {
		t.Fatalf("verify: %v", check.Problems)
	}
	// The whole segment exchanged: the next one does not follow from it.
	files.Put(firstShoe, forged)
	check = must[journal.Check](t)(journal.Verify(files))
	if len(check.Problems) != 1 || check.Problems[0].Trouble != journal.Altered || check.Problems[0].First != 22 {
		t.Fatalf("verify: %v", check.Problems)
	}
}

func TestANewerFormatIsLeftAlone(t *testing.T) {
	files, _ := threeShoes(t)
	b := files.Bytes(thirdShoe)
	journal.SetVersion(b, 2)
	files.Put(thirdShoe, b)
	var newer *journal.VersionError
	if _, _, err := journal.Open(files, unit); !errors.As(err, &newer) || newer.Version != 2 || newer.Segment != thirdShoe {
		t.Fatalf("format 2: %v", err)
	}
	if !bytes.Equal(files.Bytes(thirdShoe), b) {
		t.Fatal("it was changed")
	}
}

// The medium refuses to read: once, then a second look helps; for ever, then
// the unit starts from the segment before, in a fresh one.
func TestAMediumThatRefusesToRead(t *testing.T) {
	files, want := threeShoes(t)
	files.FailAt(files.Ops()+1, journaltest.EIO) // list, then read
	_, found := open(t, files)
	if found.Last != 63 || len(found.Problems) != 0 {
		t.Fatalf("refused once: %v", found.Problems)
	}

	files, _ = threeShoes(t)
	for n := range 2 {
		files.FailAt(files.Ops()+1+n, journaltest.EIO)     // to find the checkpoint
		files.FailAt(files.Ops()+1+3+1+n, journaltest.EIO) // to pass on the records
	}
	j, found := open(t, files)
	same(t, found.Records, want[22:42])
	if !j.NeedsRoll() || len(found.Problems) == 0 || found.Problems[0].Trouble != journal.Unreadable {
		t.Fatalf("refused for ever: %v", found.Problems)
	}
	seq := must[uint64](t)(j.Roll(checkpoint(40)))
	// The medium has thought better of it: the records are all there again.
	check := must[journal.Check](t)(journal.Verify(files))
	if len(check.Problems) != 1 || check.Records != 64 || check.Last != seq {
		t.Fatalf("verify %+v", check)
	}
}

// Random damage: the reader never panics, never gives a record that was not
// written, and says so whenever one is missing.
func TestRandomDamageIsNeverInvented(t *testing.T) {
	pristine, want := threeShoes(t)
	for seed := range uint64(1000) {
		rng := rand.New(rand.NewPCG(seed, 1))
		files := pristine.AfterKill()
		for range 1 + rng.IntN(3) {
			name := []string{firstShoe, secondShoe, thirdShoe}[rng.IntN(3)]
			files.Put(name, spoil(rng, files.Bytes(name)))
		}
		var got []journal.Record
		missing := make(map[uint64]bool)
		for r, err := range journal.Records(files, 0) {
			var p *journal.Problem
			switch {
			case err == nil:
				got = append(got, r)
			case errors.As(err, &p):
				for seq := p.First; seq <= p.Last && seq <= 63; seq++ {
					missing[seq] = true
				}
			default:
				t.Fatal(err)
			}
		}
		judgeDamage(t, seed, got, want, missing)

		j, found, err := journal.Open(files, unit)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		judgeDamage(t, seed, found.Records, want, nil)
		if j.NeedsRoll() {
			must[uint64](t)(j.Roll(checkpoint(60)))
		}
		must[uint64](t)(j.Append(event(1000)))
		last := j.Last()
		_, found = open(t, files.AfterPowerCut(seed))
		if len(found.Problems) != 0 || found.Last != last {
			t.Fatalf("seed %d: the start after found %v", seed, found.Problems)
		}
	}
}

// judgeDamage: what was read is a selection of what was written, and what is
// not there below the last record read is reported.
func judgeDamage(t *testing.T, seed uint64, got, want []journal.Record, missing map[uint64]bool) {
	t.Helper()
	next := uint64(1)
	for _, r := range got {
		if r.Seq < next || r.Seq > uint64(len(want)) || !equal(r, want[r.Seq-1]) {
			t.Fatalf("seed %d: record %v was never written", seed, r)
		}
		for ; missing != nil && next < r.Seq; next++ {
			if !missing[next] {
				t.Fatalf("seed %d: record %d is missing and nobody says so", seed, next)
			}
		}
		next = r.Seq + 1
	}
}

// spoil damages bytes in one of the ways that media and people do.
func spoil(rng *rand.Rand, b []byte) []byte {
	if len(b) == 0 {
		return b
	}
	at := rng.IntN(len(b))
	stretch := b[at:min(len(b), at+1+rng.IntN(600))]
	switch rng.IntN(7) {
	case 0: // a flipped bit
		b[at] ^= 1 << rng.IntN(8)
	case 1: // zeroed sectors
		clear(stretch)
	case 2: // noise
		for i := range stretch {
			stretch[i] = byte(rng.Uint32())
		}
	case 3: // shortened
		return b[:at]
	case 4: // a stretch of itself elsewhere: old sectors, valid records among them
		copy(b[rng.IntN(len(b)):], slices.Clone(stretch))
	case 5: // something put in
		return slices.Insert(b, at, slices.Clone(stretch)...)
	case 6: // something taken out
		return slices.Delete(b, at, at+len(stretch))
	}
	return b
}
