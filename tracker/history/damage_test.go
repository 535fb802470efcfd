package history

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"
	"time"
)

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

// newestMeta is where the newer of the two beginnings is.
func newestMeta(b []byte) int {
	if binary.LittleEndian.Uint64(b[4096+16+48:]) > binary.LittleEndian.Uint64(b[16+48:]) {
		return 4096
	}
	return 0
}

func load(t testing.TB, path string) []byte {
	t.Helper()
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

// A damaged file is called damaged, or gives rows that are right: all, or those that it had
// one transaction before.
func TestADamagedFileIsFound(t *testing.T) {
	rows := shoes(400)
	path := written(t, rows)
	whole := load(t, path)
	found, kept := 0, 0
	for seed := range uint64(150) {
		save(t, path, spoil(rand.New(rand.NewPCG(seed, 2)), slices.Clone(whole)))
		got, err := read(t, path)
		switch {
		case errors.Is(err, ErrDamaged):
			found++
		case err != nil || len(got) < len(rows)-1 || !reflect.DeepEqual(got, rows[:len(got)]):
			t.Fatalf("seed %d: %d rows, %v", seed, len(got), err)
		default:
			kept++
		}
	}
	if found < 60 || kept == 0 {
		t.Errorf("the damage did not do its work: %d found, %d whole", found, kept)
	}
}

// Whatever is wrong with the file at a start, every shoe of the journal is there, and the
// next one is added.
func TestADamagedFileGivesEveryShoe(t *testing.T) {
	c := newChronicle(t.Fatal)
	for range 40 {
		c.shoe(true, "P", "B+tiger-7", "T", "6.2-7.3")
	}
	rows, _ := c.rows()
	path := written(t, rows)
	whole := load(t, path)
	for seed := range uint64(25) {
		damaged := spoil(rand.New(rand.NewPCG(seed, 3)), slices.Clone(whole))
		save(t, path, damaged)
		k := keep(t, path, c.files)
		k.holds("every row", rows)
		k.stop()
		if aside, err := filepath.Glob(path + ".corrupt.*"); err != nil || len(aside) > quarantine {
			t.Fatalf("seed %d: %q, %v", seed, aside, err)
		}
	}
}

// patched reads a file with each of the patches, which leave all rows good, and counts how
// often it is called damaged.
func patched(t *testing.T, path string, patches func(yield func(at int, patch []byte) bool)) (damaged int) {
	t.Helper()
	whole := load(t, path)
	for at, patch := range patches {
		b := slices.Clone(whole)
		copy(b[at:], patch)
		save(t, path, b)
		began := time.Now()
		if _, err := read(t, path); errors.Is(err, ErrDamaged) {
			damaged++
		} else if err != nil {
			t.Fatalf("byte %d: %v", at, err)
		}
		if took := time.Since(began); took > 10*time.Second {
			t.Fatalf("byte %d: it took %v", at, took)
		}
	}
	return damaged
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

func word(n uint64) []byte { return binary.LittleEndian.AppendUint64(nil, n) }

// few takes some of many.
func few[T any](list []T) []T { return list[:min(len(list), 3)] }

// A branch leads back to itself: bbolt would follow the circle until the memory is used up,
// which ends the process and cannot be caught. It ends the child.
func TestACircleOfPagesIsFound(t *testing.T) {
	path := written(t, shoes(400))
	whole := load(t, path)
	circles := patched(t, path, func(yield func(int, []byte) bool) {
		for _, at := range few(pagesOf(whole, 1)) {
			for i := range min(2, int(binary.LittleEndian.Uint16(whole[at+10:]))) {
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
	path := written(t, shoes(400))
	whole := load(t, path)
	wrong := patched(t, path, func(yield func(int, []byte) bool) {
		for _, at := range few(pagesOf(whole, 1)) {
			for i := range min(5, int(binary.LittleEndian.Uint16(whole[at+10:]))) {
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
	path := written(t, shoes(400))
	whole := load(t, path)
	list := int(binary.LittleEndian.Uint64(whole[newestMeta(whole)+16+32:])) * 4096
	first, tried := list+16, 0
	wrong := patched(t, path, func(yield func(int, []byte) bool) {
		for id := uint64(2); id < min(12, binary.LittleEndian.Uint64(whole[first:])); id++ {
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

// The key under which the sum stands is damaged and nothing else: all rows are good, and no
// row could be added.
func TestASumUnderAnotherNameIsFound(t *testing.T) {
	path := written(t, shoes(40))
	whole := load(t, path)
	wrong := patched(t, path, func(yield func(int, []byte) bool) {
		for at := range whole {
			if bytes.HasPrefix(whole[at:], []byte("sum")) && !yield(at, []byte("sun")) {
				return
			}
		}
	})
	if wrong == 0 {
		t.Fatal("the sum in use was never hit")
	}
}

// A file that is in another's place is put in quarantine, whatever it is.
func TestSomethingElseInItsPlace(t *testing.T) {
	c := newChronicle(t.Fatal)
	c.shoe(true, "P", "B")
	rows, _ := c.rows()
	for name, place := range map[string]func(path string) error{
		"an empty file": func(path string) error { return os.WriteFile(path, nil, 0o600) },
		"a text":        func(path string) error { return os.WriteFile(path, []byte("shoes"), 0o600) },
		"an empty dir":  func(path string) error { return os.Mkdir(path, 0o700) },
		"a full dir":    func(path string) error { return os.MkdirAll(filepath.Join(path, "photos"), 0o700) },
		"a dead link":   func(path string) error { return os.Symlink("nowhere", path) },
		"a locked file": func(path string) error { return os.WriteFile(path, []byte("shoes"), 0) },
		"leftover temp": func(path string) error { return os.WriteFile(path+".tmp", []byte("half"), 0o600) },
	} {
		path := filepath.Join(t.TempDir(), "history.db")
		if err := place(path); err != nil {
			t.Fatal(err)
		}
		_, none := os.Lstat(path)
		k := keep(t, path, c.files)
		k.holds(name, rows)
		k.stop()
		if aside, _ := filepath.Glob(path + ".corrupt.*"); (len(aside) == 0) != (none != nil) {
			t.Errorf("%s: %q", name, aside)
		}
	}
}

// The file is damaged under a keeper that has it open. It gives rows that are right, or
// damage, and then it is made again.
func TestDamageUnderAnOpenFile(t *testing.T) {
	c := newChronicle(t.Fatal)
	for range 60 {
		c.shoe(true, "P", "B+tiger-7", "T")
	}
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
		path := filepath.Join(t.TempDir(), "history.db")
		k := keep(t, path, c.files)
		rows, _ := c.rows()
		k.holds("all", rows)
		f, err := os.OpenFile(path, os.O_RDWR, 0)
		if err != nil {
			t.Fatal(err)
		}
		info, err := f.Stat()
		if err == nil {
			err = errors.Join(strike(f, info.Size()), f.Close())
		}
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		_ = k.Stream(t.Context(), 0, &b) // it may not have felt it
		c.shoe(true, "P")
		k.Wake()
		rows, _ = c.rows()
		k.holds(name, rows)
		k.stop()
	}
}

// FuzzFile patches and cuts a file. Either it is called damaged or it ends with the same shoe
// as before.
func FuzzFile(f *testing.F) {
	rows := shoes(60)
	path := written(f, rows)
	whole := load(f, path)
	f.Add(uint32(0), []byte{}, uint32(0))
	f.Fuzz(func(t *testing.T, at uint32, patch []byte, cut uint32) {
		b := slices.Clone(whole)
		copy(b[at%uint32(len(b)):], patch)
		b = b[:len(b)-int(cut%uint32(len(b)))]
		mine := filepath.Join(t.TempDir(), "history.db")
		save(t, mine, b)
		got, err := read(t, mine)
		if err == nil && !reflect.DeepEqual(got, rows[:len(got)]) || err == nil && len(got) < 59 {
			t.Fatalf("%d rows", len(got))
		}
		if err != nil && !errors.Is(err, ErrDamaged) {
			t.Fatal(err)
		}
	})
}

// FuzzRow reads any bytes as a row: what is read as one is written the same way again. The
// checksum is made good first, or nothing behind it is reached.
func FuzzRow(f *testing.F) {
	for _, r := range []Row{{Shoe: 1}, shoe(3), shoe(50)} {
		f.Add(keyOf(r.Shoe), r.encode())
	}
	f.Fuzz(func(t *testing.T, key, value []byte) {
		if len(value) >= 4 {
			value = binary.BigEndian.AppendUint32(slices.Clone(value[:len(value)-4]), sealOf(key, value[:len(value)-4]))
		}
		r, err := decode(key, value)
		if err != nil {
			return
		}
		again, err := decode(keyOf(r.Shoe), r.encode())
		if err != nil || !reflect.DeepEqual(again, r) {
			t.Fatalf("%+v became %+v, %v", r, again, err)
		}
	})
}
