package history

import (
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	bolt "go.etcd.io/bbolt"
)

var (
	// ErrDamaged says that the file is damaged: Rebuild.
	ErrDamaged = errors.New("history: the index is damaged")

	// ErrInUse says that another process has the file open.
	ErrInUse = errors.New("history: another process has the index open")

	errClosed = errors.New("history: closed")
)

var (
	shoesName = []byte("shoes")
	indexName = []byte("index")
	sumKey    = []byte("sum")
)

const (
	batch   = 500     // rows a transaction when many are made
	page    = 64      // rows read at a time
	density = 0.9     // how full pages are left, as shoes come in order
	grow    = 1 << 20 // bytes by which the file grows; bbolt's own 16 MB are a year of shoes
)

// History is the index, open.
type History struct {
	path string
	gone func(Row) bool // see Reach; nil: none is

	mu  sync.RWMutex          // held for writing while the file is exchanged
	db  *bolt.DB              // nil: closed
	id  os.FileInfo           // of the file that db has open
	bad atomic.Pointer[error] // the damage that was seen
}

// Put makes a row durable, in place of the one of the same shoe. An error that
// is not ErrDamaged (a full medium) leaves the index usable.
func (h *History) Put(r Row) error {
	return h.use(func(db *bolt.DB) error {
		if err := h.there(); err != nil {
			return err
		}
		return db.Update(func(tx *bolt.Tx) error { return store(tx, r) })
	})
}

// Check gives ErrDamaged when somebody has deleted or replaced the file: the one
// that is open is then nobody's any more.
func (h *History) Check() error {
	return h.use(func(*bolt.DB) error { return h.there() })
}

func (h *History) there() error {
	now, err := os.Stat(h.path)
	if errors.Is(err, fs.ErrNotExist) || err == nil && !os.SameFile(now, h.id) {
		return fmt.Errorf("%w: the file was taken away", ErrDamaged)
	}
	return err
}

// Get gives the row of a shoe, and whether there is one.
func (h *History) Get(shoe uint64) (r Row, found bool, err error) {
	err = h.view(func(shoes *bolt.Bucket) error {
		key := keyOf(shoe)
		value := shoes.Get(key)
		if value == nil {
			return nil
		}
		found = true
		r, err = decode(key, value)
		return err
	})
	return r, found && err == nil, err
}

// Last gives the newest shoe, and whether there is any.
func (h *History) Last() (r Row, found bool, err error) {
	err = h.view(func(shoes *bolt.Bucket) error {
		key, value := shoes.Cursor().Last()
		if key == nil {
			return nil
		}
		found = true
		r, err = decode(key, value)
		return err
	})
	return r, found && err == nil, err
}

// Newest gives the sequence number to which the index reaches: the newest
// row's Last, 0 when there is no row.
func (h *History) Newest() (uint64, error) {
	r, _, err := h.Last()
	return r.Last, err
}

// Range gives the rows of shoes from and to and those between, oldest first.
// Rows put meanwhile may or may not come. An error ends it.
func (h *History) Range(from, to uint64) iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		for from <= to {
			// The caller's own code runs outside of bbolt: it may take its
			// time, put rows, and panic for reasons of its own.
			rows, err := h.some(from, to)
			for _, r := range rows {
				if !yield(r, nil) {
					return
				}
			}
			if err != nil {
				yield(Row{}, err)
				return
			}
			if len(rows) < page || rows[page-1].Shoe == to {
				return
			}
			from = rows[page-1].Shoe + 1
		}
	}
}

func (h *History) some(from, to uint64) (rows []Row, err error) {
	err = h.view(func(shoes *bolt.Bucket) error {
		c := shoes.Cursor()
		for key, value := c.Seek(keyOf(from)); key != nil && len(rows) < page; key, value = c.Next() {
			r, err := decode(key, value)
			if err != nil {
				return err
			}
			if r.Shoe > to {
				break
			}
			rows = append(rows, r)
		}
		return nil
	})
	return rows, err
}

// Close closes the file.
func (h *History) Close() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	db := h.db
	h.db = nil
	return shut(db)
}

// store writes a row and what all rows come to.
func store(tx *bolt.Tx, r Row) error {
	if r.Shoe == 0 || r.Hands < 0 {
		return fmt.Errorf("history: shoe %d with %d hands, expected a number from 1 and no less than 0 hands", r.Shoe, r.Hands)
	}
	shoes, index := tx.Bucket(shoesName), tx.Bucket(indexName)
	if shoes == nil || index == nil {
		return fmt.Errorf("%w: a bucket is missing", ErrDamaged)
	}
	total, err := decodeSum(index.Get(sumKey))
	if err != nil {
		return fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	key, value := keyOf(r.Shoe), r.encode()
	if old := shoes.Get(key); old != nil {
		if _, err := decode(key, old); err != nil {
			return fmt.Errorf("%w: %w", ErrDamaged, err)
		}
		total.drop(old)
	}
	total.add(value)
	shoes.FillPercent = density
	return errors.Join(shoes.Put(key, value), index.Put(sumKey, total.encode()))
}

func (h *History) view(look func(shoes *bolt.Bucket) error) error {
	return h.use(func(db *bolt.DB) error {
		return db.View(func(tx *bolt.Tx) error {
			shoes := tx.Bucket(shoesName)
			if shoes == nil {
				return fmt.Errorf("%w: a bucket is missing", ErrDamaged)
			}
			err := look(shoes)
			if errors.Is(err, errRow) {
				err = fmt.Errorf("%w: %w", ErrDamaged, err)
			}
			return err
		})
	})
}

// use runs one call of bbolt, and remembers damage: after it bbolt's own state
// is not to be relied on.
func (h *History) use(call func(db *bolt.DB) error) error {
	h.mu.RLock()
	defer h.mu.RUnlock()
	if h.db == nil {
		return errClosed
	}
	if why := h.bad.Load(); why != nil {
		return *why
	}
	err := guard(func() error { return call(h.db) })
	if errors.Is(err, ErrDamaged) {
		h.bad.Store(&err)
	}
	return err
}

// guard turns what bbolt does on damaged pages, panics and memory faults, into
// ErrDamaged.
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
// locks for ever, and then the file is left to the end of the process.
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
