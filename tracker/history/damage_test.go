package history_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"shoeboard/tracker/history"
)

// written gives the file of an index that was built and then grew, as it does
// on a unit.
func written(t testing.TB, rows []history.Row) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "history.db")
	h, _ := open(t, path, &book{rows: rows[:len(rows)-30]})
	for _, r := range rows[len(rows)-30:] {
		if err := h.Put(r); err != nil {
			t.Fatal(err)
		}
	}
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func save(t testing.TB, path string, b []byte) {
	t.Helper()
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
}

// spoil damages a file in one of the ways that media, kernels and people do.
func spoil(rng *rand.Rand, b []byte) []byte {
	at := rng.IntN(len(b))
	sector := at / 512 * 512
	page := at / 4096 * 4096
	switch rng.IntN(9) {
	case 0, 1: // flipped bits
		for range 1 + rng.IntN(4) {
			b[rng.IntN(len(b))] ^= 1 << rng.IntN(8)
		}
	case 2: // one in a page's head or its elements, where it hurts most
		b[page+rng.IntN(256)] ^= 1 << rng.IntN(8)
	case 3: // zeroed sectors
		clear(b[sector:min(len(b), sector+512*(1+rng.IntN(16)))])
	case 4: // cut short
		return b[:at]
	case 5: // cut short at a page
		return b[:page]
	case 6: // a page in another's place
		other := rng.IntN(len(b)/4096) * 4096
		copy(b[page:page+4096], b[other:other+4096])
	case 7: // noise
		for i := sector; i < min(len(b), sector+512); i++ {
			b[i] = byte(rng.Uint32())
		}
	case 8: // the newest transaction's beginning lost
		newest := newestMeta(b)
		clear(b[newest : newest+512])
	}
	return b
}

func TestADamagedFileGivesEveryRow(t *testing.T) {
	rows := shoes(400)
	whole := written(t, rows)
	path := filepath.Join(t.TempDir(), "history.db")
	did := make(map[history.Did]int)
	for seed := range uint64(400) {
		rng := rand.New(rand.NewPCG(seed, 2))
		damaged := spoil(rng, slices.Clone(whole))
		save(t, path, damaged)
		h, report := open(t, path, &book{rows: rows})
		did[report.Did]++
		holds(t, h, rows)
		more := shoe(len(rows) + 1)
		if err := h.Put(more); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if r, found, err := h.Get(more.Shoe); !found || err != nil || r.Last != more.Last {
			t.Fatalf("seed %d: %v, %v", seed, found, err)
		}
		if err := h.Close(); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if report.Aside != "" {
			if aside, err := os.ReadFile(report.Aside); err != nil || !slices.Equal(aside, damaged) {
				t.Fatalf("seed %d: the damaged file was not kept: %v", seed, err)
			}
		}
	}
	if did[history.Rebuilt] < 150 || did[history.Kept] == 0 || did[history.CaughtUp] == 0 {
		t.Errorf("the damage did not do its work: %v", did)
	}
}

// patched opens the file with each of the patches, which leave all rows good,
// and counts how often it was rebuilt; every row must be found, a put must
// work, and the next start must find all whole.
func patched(t *testing.T, rows []history.Row, whole []byte, patches func(yield func(at int, patch []byte) bool)) (rebuilt int) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "history.db")
	for at, patch := range patches {
		b := slices.Clone(whole)
		copy(b[at:], patch)
		save(t, path, b)
		h, report := open(t, path, &book{rows: rows})
		if report.Did == history.Rebuilt {
			rebuilt++
		}
		for _, r := range rows {
			if _, found, err := h.Get(r.Shoe); !found || err != nil {
				t.Fatalf("byte %d: shoe %d: %v, %v", at, r.Shoe, found, err)
			}
		}
		more := append(slices.Clone(rows), shoe(len(rows)+1))
		if err := errors.Join(h.Put(more[len(rows)]), h.Close()); err != nil {
			t.Fatalf("byte %d: %v", at, err)
		}
		h, report = open(t, path, &book{rows: more})
		if report.Did != history.Kept {
			t.Fatalf("byte %d, the next start: %v", at, report)
		}
		if err := h.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return rebuilt
}

// pagesOf gives where each page of a kind begins.
func pagesOf(whole []byte, kind uint16) (list []int) {
	for at := 8192; at < len(whole); at += 4096 {
		if binary.LittleEndian.Uint16(whole[at+8:]) == kind {
			list = append(list, at)
		}
	}
	return list
}

// newestMeta is where the newer of the two beginnings is.
func newestMeta(b []byte) int {
	if binary.LittleEndian.Uint64(b[4096+16+48:]) > binary.LittleEndian.Uint64(b[16+48:]) {
		return 4096
	}
	return 0
}

func word(n uint64) []byte { return binary.LittleEndian.AppendUint64(nil, n) }

// A branch leads back to itself: bbolt would follow the circle until the stack
// is used up, which ends the process and cannot be caught.
func TestACircleOfPagesIsFound(t *testing.T) {
	rows := shoes(400)
	whole := written(t, rows)
	circles := patched(t, rows, whole, func(yield func(int, []byte) bool) {
		for _, at := range pagesOf(whole, 1) {
			for i := range int(binary.LittleEndian.Uint16(whole[at+10:])) {
				if !yield(at+16+16*i+8, word(uint64(at/4096))) {
					return
				}
			}
		}
	})
	if circles == 0 {
		t.Fatal("no branch was in use")
	}
}

// A branch's key is wrong: all rows are there, but a search does not find them.
func TestAWrongSignpostIsFound(t *testing.T) {
	rows := shoes(400)
	whole := written(t, rows)
	wrong := patched(t, rows, whole, func(yield func(int, []byte) bool) {
		for _, at := range pagesOf(whole, 1) {
			for i := range int(binary.LittleEndian.Uint16(whole[at+10:])) {
				e := at + 16 + 16*i
				key := e + int(binary.LittleEndian.Uint32(whole[e:]))
				if !yield(key+6, []byte{whole[key+6] ^ 3}) {
					return
				}
			}
		}
	})
	if wrong == 0 {
		t.Fatal("no branch was in use")
	}
}

// The list of free pages names one that is in use: bbolt would write over it.
func TestAUsedPageCalledFreeIsFound(t *testing.T) {
	rows := shoes(400)
	whole := written(t, rows)
	list := int(binary.LittleEndian.Uint64(whole[newestMeta(whole)+16+32:])) * 4096
	first, tried := list+16, 0
	wrong := patched(t, rows, whole, func(yield func(int, []byte) bool) {
		for id := uint64(2); id < binary.LittleEndian.Uint64(whole[first:]); id++ {
			tried++
			if !yield(first, word(id)) {
				return
			}
		}
	})
	if tried == 0 || wrong != tried {
		t.Fatalf("of %d pages called free %d were found", tried, wrong)
	}
}

// The key under which the sum stands is damaged and nothing else: all rows are
// good, and every Put would fail.
func TestASumUnderAnotherNameIsFound(t *testing.T) {
	rows := shoes(40)
	whole := written(t, rows)
	path := filepath.Join(t.TempDir(), "history.db")
	rebuilt := 0
	for at := range whole {
		if !bytes.HasPrefix(whole[at:], []byte("sum")) {
			continue
		}
		b := slices.Clone(whole)
		b[at] ^= 2
		save(t, path, b)
		h, report := open(t, path, &book{rows: rows})
		if report.Did == history.Rebuilt {
			rebuilt++
		}
		if err := h.Put(shoe(41)); err != nil {
			t.Fatal(err)
		}
		if err := h.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if rebuilt == 0 {
		t.Fatal("the sum in use was never hit")
	}
}

// What is in the file's place is put aside, whatever it is, and is still there.
func TestSomethingElseInItsPlace(t *testing.T) {
	rows := shoes(40)
	for name, place := range map[string]func(path string) error{
		"nothing":       func(string) error { return nil },
		"an empty file": func(path string) error { return os.WriteFile(path, nil, 0o600) },
		"a text":        func(path string) error { return os.WriteFile(path, []byte("shoes"), 0o600) },
		"an empty dir":  func(path string) error { return os.Mkdir(path, 0o700) },
		"a full dir":    func(path string) error { return os.MkdirAll(filepath.Join(path, "photos"), 0o700) },
		"a dead link":   func(path string) error { return os.Symlink("nowhere", path) },
		"a locked file": func(path string) error { return os.WriteFile(path, []byte("shoes"), 0) },
		"leftover temp": func(path string) error { return os.WriteFile(path+".tmp", []byte("half"), 0o600) },
		"a dir and temp": func(path string) error {
			return errors.Join(os.Mkdir(path, 0o700), os.WriteFile(path+".tmp", nil, 0o600))
		},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "history.db")
			if err := place(path); err != nil {
				t.Fatal(err)
			}
			_, statErr := os.Lstat(path)
			h, report := open(t, path, &book{rows: rows})
			holds(t, h, rows)
			if report.Did != history.Rebuilt || report.Why == nil || report.Rows != 40 || (report.Aside == "") != (statErr != nil) {
				t.Errorf("%v", report)
			}
			if report.Aside != "" {
				if _, err := os.Lstat(report.Aside); err != nil {
					t.Error(err)
				}
			}
			if err := h.Close(); err != nil {
				t.Fatal(err)
			}
			if _, report = open(t, path, &book{rows: rows}); report.Did != history.Kept {
				t.Errorf("the next start: %v", report)
			}
		})
	}
}

func TestOnlyTheNewestDamagedFilesAreKept(t *testing.T) {
	path := filepath.Join(t.TempDir(), "history.db")
	b := &book{rows: shoes(3)}
	for n := range 6 {
		save(t, path, fmt.Appendf(nil, "damage %d", n+1))
		h, report := open(t, path, b)
		if report.Aside != fmt.Sprintf("%s.corrupt.%d", path, n+1) {
			t.Fatalf("put aside as %s", report.Aside)
		}
		if err := h.Close(); err != nil {
			t.Fatal(err)
		}
	}
	left, err := filepath.Glob(path + ".corrupt.*")
	if err != nil || len(left) != 3 || left[0] != path+".corrupt.4" {
		t.Fatalf("left are %v, %v", left, err)
	}
}

// The file is damaged under an index that is open. Every call answers with a
// row that is right, or with damage, and from then on with damage, until the
// owner rebuilds.
func TestDamageUnderAnOpenIndex(t *testing.T) {
	rows := shoes(300)
	seen := 0
	for name, strike := range map[string]func(f *os.File, size int64) error{
		"cut short": func(f *os.File, _ int64) error { return f.Truncate(4096) },
		"zeroed":    func(f *os.File, size int64) error { _, err := f.WriteAt(make([]byte, size), 0); return err },
		"noise": func(f *os.File, size int64) error {
			noise := make([]byte, size-8192)
			rng := rand.New(rand.NewPCG(1, 1))
			for i := range noise {
				noise[i] = byte(rng.Uint32())
			}
			_, err := f.WriteAt(noise, 8192)
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "history.db")
			h, _ := open(t, path, &book{rows: rows})
			f, err := os.OpenFile(path, os.O_RDWR, 0)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			info, err := f.Stat()
			if err == nil {
				err = strike(f, info.Size())
			}
			if err != nil {
				t.Fatal(err)
			}
			damaged := error(nil)
			for n := range 50 {
				r, found, err := h.Get(shoe(n + 1).Shoe)
				if err != nil && !errors.Is(err, history.ErrDamaged) || found && (err != nil || r.Last != shoe(n+1).Last) {
					t.Fatalf("get: %+v, %v, %v", r, found, err)
				}
				if err := h.Put(shoe(301 + n)); err != nil {
					damaged = err
				}
			}
			if !errors.Is(damaged, history.ErrDamaged) {
				t.Fatalf("50 puts into a damaged file: %v", damaged)
			}
			if _, _, err := h.Last(); !errors.Is(err, history.ErrDamaged) {
				t.Fatalf("after damage: %v", err)
			}
			for _, err := range h.Range(0, 1000) {
				if !errors.Is(err, history.ErrDamaged) {
					t.Fatalf("range after damage: %v", err)
				}
			}
			seen++
			report, err := h.Rebuild(damaged, (&book{rows: rows}).give)
			if err != nil || report.Did != history.Rebuilt || report.Aside == "" || report.Rows != 300 {
				t.Fatalf("%v, %v", report, err)
			}
			holds(t, h, rows)
			if err := h.Put(shoe(301)); err != nil {
				t.Fatal(err)
			}
		})
	}
	if seen != 3 {
		t.Errorf("damage was seen %d times", seen)
	}
}
