package history

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	bolt "go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"
	"golang.org/x/sys/unix"
)

const kept = 3 // damaged files that are kept for the technician

// Source gives rows from the journal to put: all of them when from is 0, else
// those from the shoe with key from on, which comes again itself. Rows may come
// in any order and more than once, the last of a shoe counts; their bytes must
// stay as they are until the source returns.
type Source func(from uint64, put func(Row) error) error

// Did is what Open or Rebuild did.
type Did int

const (
	// Kept: the file was whole and reached as far as the journal.
	Kept Did = iota
	// CaughtUp: the newest rows were made from the journal.
	CaughtUp
	// Rebuilt: all rows were made from the journal.
	Rebuilt
)

// Report says what Open or Rebuild did.
type Report struct {
	Did   Did
	Why   error  // what was wrong with the file; nil when Kept
	Aside string // where the damaged file is now, "" if there was none
	Rows  int    // rows made from the journal
}

// String is a sentence for the log.
func (r Report) String() string {
	var b strings.Builder
	switch r.Did {
	case Kept:
		return "history: the index is whole"
	case CaughtUp:
		fmt.Fprintf(&b, "history: %d shoes added from the journal: %v", r.Rows, r.Why)
	case Rebuilt:
		fmt.Fprintf(&b, "history: rebuilt with %d shoes from the journal: %v", r.Rows, r.Why)
	}
	if r.Aside != "" {
		fmt.Fprintf(&b, "; the old file is %s", r.Aside)
	}
	return b.String()
}

// Reach is how far the rows go when made from the journal.
type Reach struct {
	Newest uint64 // the Last of the newest row, 0 when there is none
	Dealt  uint64 // the shoe being dealt: a row of it is from before it was taken back
	// Gone says of a row that the journal has lost its records and that it stays all the
	// same. Nil: there is none.
	Gone func(Row) bool
}

// Open opens the index at path, whose folder must exist. An index that does not
// reach as far as the journal, or further, is brought into step. An error means
// that there is no index, because the folder cannot be written, another process
// has the file, or rebuild failed; the record is not concerned.
func Open(path string, reach Reach, rebuild Source) (*History, Report, error) {
	h := &History{path: path, gone: reach.Gone}
	report, err := h.open(reach, rebuild)
	if err != nil {
		return nil, report, err
	}
	return h, report, nil
}

// Rebuild puts the file aside and makes all rows anew; why is what showed the
// damage.
func (h *History) Rebuild(why error, rebuild Source) (Report, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	_ = shut(h.db) // it is being given up
	h.db = nil
	_, lost, _ := h.rows()
	report, err := h.make(why, with(lost, rebuild))
	if err == nil {
		h.bad.Store(nil)
	}
	return report, err
}

func (h *History) open(reach Reach, rebuild Source) (Report, error) {
	found, lost, err := h.rows()
	if errors.Is(err, ErrInUse) {
		return Report{}, err
	}
	if err != nil {
		return h.make(err, with(lost, rebuild))
	}
	if err = h.take(); err != nil {
		if errors.Is(err, ErrDamaged) {
			return h.make(err, with(lost, rebuild))
		}
		return Report{}, err
	}
	switch {
	case found.Last == reach.Newest, found.Shoe > 0 && found.Shoe == reach.Dealt:
		return Report{}, nil
	case found.Last > reach.Newest: // it is of another record, and so is what that has lost
		lost = nil
		err = fmt.Errorf("it reaches to record %d, the journal to %d", found.Last, reach.Newest)
	default:
		why := fmt.Errorf("it reached to record %d, the journal to %d", found.Last, reach.Newest)
		var rows int
		if rows, err = fill(h.db, found.Shoe, rebuild); err == nil {
			return Report{Did: CaughtUp, Why: why, Rows: rows}, nil
		}
		if !errors.Is(err, ErrDamaged) {
			return Report{}, errors.Join(err, shut(h.db))
		}
	}
	_ = shut(h.db) // it is being given up
	return h.make(err, with(lost, rebuild))
}

// examine looks through the file, which no other process may have open, and gives its rows.
func examine(path string, each func(Row) error) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return errors.New("it is not a file")
	}
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }() // opened for reading only
	if err := unix.Flock(int(f.Fd()), unix.LOCK_SH|unix.LOCK_NB); errors.Is(err, unix.EWOULDBLOCK) {
		return fmt.Errorf("%w (%s)", ErrInUse, path) // what it writes would look like damage
	}
	return look(f, info.Size(), each)
}

// look checks pages, rows and their sum, and gives the rows.
func look(file io.ReaderAt, size int64, each func(Row) error) error {
	var rows, total sum
	sums := 0
	err := inspect(file, size, func(bucket, key, value []byte) (err error) {
		switch string(bucket) {
		case string(shoesName):
			var r Row
			if r, err = decode(key, value); err == nil {
				rows.add(value)
				err = each(r)
			}
		case string(indexName):
			if total, err = decodeSum(value); string(key) == string(sumKey) {
				sums++
			}
		default:
			err = fmt.Errorf("%w: bucket %q", errPages, bucket)
		}
		return err
	})
	if err == nil && (sums != 1 || rows != total) {
		err = fmt.Errorf("%d rows are there, %d should be, or one is not the right one", rows.rows, total.rows)
	}
	return err
}

// Read gives every row of the index at path, oldest first, to one who does not
// have it open. It takes no lock and changes nothing, so it may run beside the
// process that has: each row is right, and ErrDamaged at the end says that they
// may not be all, because the file is damaged or was written meanwhile. An
// error of each ends it.
func Read(path string, each func(Row) error) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }() // opened for reading only
	info, err := f.Stat()
	if err != nil {
		return err
	}
	var own error
	err = look(f, info.Size(), func(r Row) error {
		own = each(r)
		return own
	})
	if err != nil && own == nil {
		err = fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	return err
}

func openFile(path string, quick bool) (db *bolt.DB, err error) {
	err = guard(func() (err error) {
		db, err = bolt.Open(path, 0o640, &bolt.Options{Timeout: time.Second, PageSize: pageSize, NoSync: quick})
		if err == nil {
			db.AllocSize = grow
		}
		return err
	})
	if errors.Is(err, bolterrors.ErrTimeout) {
		err = fmt.Errorf("%w (%s)", ErrInUse, path)
	}
	return db, err
}

// make puts aside what is at the path, and makes the index under another name
// first, so that a cut at any moment leaves none or a whole one.
func (h *History) make(why error, rebuild Source) (Report, error) {
	report := Report{Did: Rebuilt, Why: why}
	temp := h.path + ".tmp"
	if err := os.Remove(temp); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return report, err
	}
	var err error
	if report.Rows, err = create(temp, rebuild); err != nil {
		return report, errors.Join(err, os.Remove(temp))
	}
	if report.Aside, err = putAside(h.path); err != nil {
		return report, err
	}
	if err = os.Rename(temp, h.path); err == nil {
		err = syncDir(filepath.Dir(h.path))
	}
	if err != nil {
		return report, err
	}
	return report, h.take()
}

// take opens the file at the path and remembers which it is.
func (h *History) take() error {
	db, err := openFile(h.path, false)
	if err != nil {
		return err
	}
	if h.id, err = os.Stat(h.path); err != nil {
		return errors.Join(err, shut(db))
	}
	h.db = db
	return nil
}

// create makes a new file with all rows and syncs it once, at the end.
func create(path string, rebuild Source) (rows int, err error) {
	db, err := openFile(path, true)
	if err != nil {
		return 0, err
	}
	err = guard(func() error {
		return db.Update(func(tx *bolt.Tx) error {
			_, err := tx.CreateBucket(shoesName)
			index, err2 := tx.CreateBucket(indexName)
			if err := errors.Join(err, err2); err != nil {
				return err
			}
			return index.Put(sumKey, (&sum{}).encode())
		})
	})
	if err == nil {
		rows, err = fill(db, 0, rebuild)
	}
	if err == nil {
		err = guard(db.Sync)
	}
	return rows, errors.Join(err, shut(db))
}

// fill puts what the source gives, some rows at a time.
func fill(db *bolt.DB, from uint64, rebuild Source) (rows int, err error) {
	waiting := make([]Row, 0, batch)
	flush := func() error {
		err := guard(func() error {
			return db.Update(func(tx *bolt.Tx) error {
				for _, r := range waiting {
					if err := store(tx, r); err != nil {
						return err
					}
				}
				return nil
			})
		})
		rows += len(waiting)
		waiting = waiting[:0]
		return err
	}
	err = rebuild(from, func(r Row) error {
		if waiting = append(waiting, r); len(waiting) < batch {
			return nil
		}
		return flush()
	})
	if err != nil {
		return rows, err
	}
	return rows, flush()
}

// putAside renames what is at path, whatever it is, and lets go of the oldest
// of those put aside before.
func putAside(path string) (string, error) {
	if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	found, err := filepath.Glob(path + ".corrupt.*")
	if err != nil {
		return "", err
	}
	last := 0
	for _, name := range found {
		if n, err := strconv.Atoi(strings.TrimPrefix(name, path+".corrupt.")); err == nil {
			last = max(last, n)
		}
	}
	for _, name := range found {
		if n, err := strconv.Atoi(strings.TrimPrefix(name, path+".corrupt.")); err == nil && n <= last+1-kept {
			_ = os.Remove(name) // only room is lost; a folder somebody filled stays
		}
	}
	aside := fmt.Sprintf("%s.corrupt.%d", path, last+1)
	return aside, os.Rename(path, aside)
}

func syncDir(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
