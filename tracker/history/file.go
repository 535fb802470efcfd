package history

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	bolt "go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"
)

var (
	// ErrDamaged says that the file is damaged.
	ErrDamaged = errors.New("history: the index is damaged")
	// ErrInUse says that another process has the file open, and that it was not to be asked.
	ErrInUse = errors.New("history: another process has the index open")
)

var (
	shoesName = []byte("shoes")
	indexName = []byte("index")
	sumKey    = []byte("sum")
)

const (
	batchRows  = 500     // rows a transaction when many are written
	pageRows   = 200     // rows a transaction when many are read
	density    = 0.9     // how full pages are left, as shoes come in order
	growBytes  = 1 << 20 // by which the file grows; bbolt's own 16 MB are a year of shoes
	pageSize   = 4096
	quarantine = 3 // damaged files that are kept for the technician
)

// Path returns the path of the file in a data folder.
func Path(data string) string { return filepath.Join(data, "history.db") }

// openFile opens a file, which bbolt's check has passed or which is new.
func openFile(path string, o bolt.Options) (db *bolt.DB, err error) {
	if o.PageSize = pageSize; o.Timeout == 0 {
		o.Timeout = time.Second
	}
	err = guard(func() (err error) {
		if db, err = bolt.Open(path, 0o640, &o); err == nil {
			db.AllocSize = growBytes
		}
		return err
	})
	if errors.Is(err, bolterrors.ErrTimeout) {
		err = fmt.Errorf("%w (%s)", ErrInUse, path)
	}
	return db, err
}

// guard turns a panic or a memory fault of bbolt into ErrDamaged.
func guard(call func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%w: %v", ErrDamaged, p)
		}
	}()
	return call()
}

// shut closes a file without trusting it: after a panic bbolt may hold its own
// locks for ever, and then the file stays open to the end of the process.
func shut(db *bolt.DB) error {
	if db == nil {
		return nil
	}
	done := make(chan error, 1)
	go func() { done <- guard(db.Close) }()
	select {
	case err := <-done:
		return err
	case <-time.After(time.Second):
		return fmt.Errorf("%w: it does not close", ErrDamaged)
	}
}

// buckets returns the two buckets of a file, or ErrDamaged.
func buckets(tx *bolt.Tx) (shoes, index *bolt.Bucket, err error) {
	shoes, index = tx.Bucket(shoesName), tx.Bucket(indexName)
	if shoes == nil || index == nil {
		return nil, nil, fmt.Errorf("%w: a bucket is missing", ErrDamaged)
	}
	return shoes, index, nil
}

// change puts a row in the place of the one with a key, which need not be there; an empty
// value removes it. It keeps the sum of all rows.
func change(tx *bolt.Tx, key, value []byte) error {
	shoes, index, err := buckets(tx)
	if err != nil {
		return err
	}
	total, err := decodeSum(index.Get(sumKey))
	old := shoes.Get(key)
	if err == nil && old != nil {
		_, err = decode(key, old)
		total.drop(old)
	}
	if err != nil {
		return fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	shoes.FillPercent = density
	if value == nil {
		err = shoes.Delete(key)
	} else {
		total.add(value)
		err = shoes.Put(key, value)
	}
	return errors.Join(err, index.Put(sumKey, total.encode()))
}

// newestRows calls each for the rows from the newest back, until that returns false.
func newestRows(db *bolt.DB, each func(Row) bool) error {
	return guard(func() error {
		return db.View(func(tx *bolt.Tx) error {
			shoes, _, err := buckets(tx)
			if err != nil {
				return err
			}
			c := shoes.Cursor()
			for key, value := c.Last(); key != nil; key, value = c.Prev() {
				r, err := decode(key, value)
				if err != nil {
					return fmt.Errorf("%w: %w", ErrDamaged, err)
				}
				if !each(r) {
					break
				}
			}
			return nil
		})
	})
}

// check examines a file with bbolt's own check, then every row and the sum of all. A
// damaged file may end the process: it runs in one of its own.
func check(db *bolt.DB) error {
	return guard(func() error {
		return db.View(func(tx *bolt.Tx) error {
			var first error
			for err := range tx.Check() { // to its end, which its goroutine waits for
				if first == nil {
					first = fmt.Errorf("%w: %w", ErrDamaged, err)
				}
			}
			if first != nil {
				return first
			}
			return checkRows(tx)
		})
	})
}

func checkRows(tx *bolt.Tx) error {
	shoes, index, err := buckets(tx)
	if err != nil {
		return err
	}
	total, err := decodeSum(index.Get(sumKey))
	if err != nil {
		return fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	var rows sum
	err = shoes.ForEach(func(key, value []byte) error {
		rows.add(value)
		_, err := decode(key, value)
		return err
	})
	if err == nil && rows != total {
		err = fmt.Errorf("it has %d rows, expected %d, or another one among them", rows.rows, total.rows)
	}
	if err != nil {
		err = fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	return err
}

// create makes a new file with the rows of a source and syncs it once, at the end.
func create(path string, source func(put func(Row) error) error) (rows int, err error) {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return 0, err
	}
	db, err := openFile(path, bolt.Options{NoSync: true})
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
		rows, err = fill(db, source)
	}
	if err == nil {
		err = guard(db.Sync)
	}
	if err = errors.Join(err, shut(db)); err != nil {
		err = errors.Join(err, os.Remove(path))
	}
	return rows, err
}

// fill writes the rows of a source, some in one transaction, and returns how many were not
// there. A row of which some records were not read does not replace another.
func fill(db *bolt.DB, source func(put func(Row) error) error) (written int, err error) {
	var waiting []Row
	flush := func() error {
		defer func() { waiting = waiting[:0] }()
		if len(waiting) == 0 {
			return nil
		}
		return guard(func() error {
			return db.Update(func(tx *bolt.Tx) error {
				for _, r := range waiting {
					wrote, err := add(tx, r)
					if err != nil {
						return err
					}
					written += wrote
				}
				return nil
			})
		})
	}
	err = source(func(r Row) error {
		if waiting = append(waiting, r); len(waiting) < batchRows {
			return nil
		}
		return flush()
	})
	if err != nil {
		return written, err
	}
	return written, flush()
}

func add(tx *bolt.Tx, r Row) (wrote int, err error) {
	if r.Shoe == 0 || r.Hands < 0 {
		return 0, fmt.Errorf("history: shoe %d with %d hands, expected a number from 1 and no less than 0 hands",
			r.Shoe, r.Hands)
	}
	shoes, _, err := buckets(tx)
	if err != nil {
		return 0, err
	}
	key, value := keyOf(r.Shoe), r.encode()
	if old := shoes.Get(key); string(old) == string(value) || old != nil && r.partial {
		return 0, nil
	}
	return 1, change(tx, key, value)
}

// putAside renames a damaged file, or anything else at path, and removes the oldest of those
// in quarantine.
func putAside(path string) (aside string, err error) {
	if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	prefix := path + ".corrupt."
	found, err := filepath.Glob(prefix + "*")
	if err != nil {
		return "", err
	}
	last, numbers := 0, map[string]int{}
	for _, name := range found {
		if n, err := strconv.Atoi(strings.TrimPrefix(name, prefix)); err == nil {
			numbers[name], last = n, max(last, n)
		}
	}
	for name, n := range numbers {
		if n <= last+1-quarantine {
			_ = os.Remove(name) // only room is lost; a folder that is not empty stays
		}
	}
	aside = fmt.Sprintf("%s%d", prefix, last+1)
	return aside, os.Rename(path, aside)
}
