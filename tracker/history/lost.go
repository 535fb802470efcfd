package history

import (
	"errors"
	"fmt"
	"os"

	bolt "go.etcd.io/bbolt"
)

// Since gives the rows of the index at path in order, from one that is not behind from on,
// and with from the largest number the newest one at least. It reads the few pages that lead
// there: damage elsewhere does not show. Like Read it takes no lock and changes nothing.
func Since(path string, from uint64, each func(Row) error) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }() // opened for reading only
	info, err := f.Stat()
	if err != nil {
		return err
	}
	_, err = inspectFrom(f, info.Size(), keyOf(from), func(bucket, key, value []byte) error {
		if string(bucket) != string(shoesName) {
			return nil
		}
		r, err := decode(key, value)
		if err != nil {
			return err
		}
		return each(r)
	})
	return err
}

// Amend puts other rows in the place of some of the index at path, all or none; amend says
// of each whether and by which, which may have another key. An index that is damaged, or
// that another process has open, is an error and stays as it is.
func Amend(path string, amend func(Row) (Row, bool)) (rows int, err error) {
	became := map[uint64]Row{}
	err = examine(path, func(r Row) error {
		if to, other := amend(r); other {
			became[r.Shoe] = to
		}
		return nil
	})
	if err != nil || len(became) == 0 {
		return 0, err
	}
	db, err := openFile(path, false)
	if err != nil {
		return 0, err
	}
	err = guard(func() error {
		return db.Update(func(tx *bolt.Tx) error {
			for shoe := range became {
				if err := remove(tx, shoe); err != nil {
					return err
				}
			}
			for _, r := range became {
				if err := store(tx, r); err != nil {
					return err
				}
			}
			return nil
		})
	})
	return len(became), errors.Join(err, shut(db))
}

// remove takes the row of a shoe away, which must be there.
func remove(tx *bolt.Tx, shoe uint64) error {
	shoes, index := tx.Bucket(shoesName), tx.Bucket(indexName)
	if shoes == nil || index == nil {
		return fmt.Errorf("%w: a bucket is missing", ErrDamaged)
	}
	total, err := decodeSum(index.Get(sumKey))
	key := keyOf(shoe)
	old := shoes.Get(key)
	if err == nil {
		_, err = decode(key, old)
	}
	if err != nil {
		return fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	total.drop(old)
	return errors.Join(shoes.Delete(key), index.Put(sumKey, total.encode()))
}

// rows looks through the file and gives its newest row that is not gone from the journal,
// and those that are, as far as the file is good.
func (h *History) rows() (newest Row, lost []Row, err error) {
	err = examine(h.path, func(r Row) error {
		if h.gone == nil || !h.gone(r) {
			newest = r
			return nil
		}
		lost = append(lost, r)
		return nil
	})
	return newest, lost, err
}

// with returns a source that gives rows which the journal has no more before those that it has.
func with(lost []Row, rebuild Source) Source {
	return func(from uint64, put func(Row) error) error {
		for _, r := range lost {
			if err := put(r); err != nil {
				return err
			}
		}
		return rebuild(from, put)
	}
}
