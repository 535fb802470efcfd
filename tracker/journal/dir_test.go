package journal_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"shoeboard/tracker/journal"
)

func TestDirIsAFolder(t *testing.T) {
	dir := journal.Dir(filepath.Join(t.TempDir(), "a", "journal"))
	if list, err := dir.List(); len(list) != 0 || err != nil {
		t.Fatalf("a folder that is missing: %v, %v", list, err)
	}
	lock := must[io.Closer](t)(dir.Lock())
	if _, err := dir.Lock(); !errors.Is(err, journal.ErrInUse) {
		t.Fatalf("second lock: %v", err)
	}
	if _, err := dir.Open("x"); !errors.Is(err, os.ErrNotExist) {
		t.Fatalf("open what is not there: %v", err)
	}
	f := must[journal.File](t)(dir.Create("x"))
	must[int](t)(f.WriteAt([]byte("0123456789"), 0))
	must[int](t)(f.WriteAt([]byte("ab"), 9))
	if err := errors.Join(f.Truncate(10), f.Datasync(), f.Close(), dir.Rename("x", "y"), dir.SyncDir()); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(string(dir), "lost+found"), 0o700); err != nil {
		t.Fatal(err)
	}
	if b := must[[]byte](t)(dir.Read("y")); string(b) != "012345678a" {
		t.Fatalf("read %q", b)
	}
	list := must[[]string](t)(dir.List())
	slices.Sort(list)
	if !slices.Equal(list, []string{"lock", "y"}) {
		t.Fatalf("list %v", list)
	}
	if err := f.Datasync(); err == nil {
		t.Fatal("a closed file was synced")
	}
	if err := lock.Close(); err != nil {
		t.Fatal(err)
	}
	lock = must[io.Closer](t)(dir.Lock())
	defer lock.Close()
}

// A file for a folder, and a folder that may not be made, are errors that name
// the path.
func TestDirWhereNoneCanBe(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	_, _, err := journal.Open(journal.Dir(path), unit)
	var named *os.PathError
	if !errors.As(err, &named) || named.Path != path {
		t.Fatalf("got %v", err)
	}
}

// scratched is a file on a medium with one bad sector.
type scratched struct {
	b   []byte
	bad int64
}

var errScratch = errors.New("input/output error")

func (s scratched) ReadAt(p []byte, off int64) (int, error) {
	n := copy(p, s.b[off:])
	if s.bad >= off && s.bad < off+int64(len(p)) {
		return int(s.bad-off) / 4096 * 4096, errScratch
	}
	return n, nil
}

// One bad sector costs the records in it and no others.
func TestABadSectorIsReadAround(t *testing.T) {
	files, want := threeShoes(t)
	b := files.Bytes(firstShoe)
	if len(b) < 3*4096 {
		b = append(b, make([]byte, 3*4096)...)
	}
	data, err := journal.ReadAround(scratched{b, 5000}, len(b))
	if !errors.Is(err, errScratch) || len(data) != len(b) {
		t.Fatalf("%d of %d bytes, %v", len(data), len(b), err)
	}
	for i := range data {
		bad := i >= 4096 && i < 8192
		if bad && data[i] != 0 || !bad && data[i] != b[i] {
			t.Fatalf("byte %d is %d", i, data[i])
		}
	}
	for _, r := range journal.Parse(data, 1) {
		if !equal(r.Record, want[r.Seq-1]) {
			t.Fatalf("record %v was never written", r)
		}
	}
}
