package history

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	bolt "go.etcd.io/bbolt"

	"shoeboard/tracker"
	"shoeboard/tracker/journal"
)

const (
	// tryEvery is how often the file is examined, and tried again after an error.
	tryEvery = time.Minute
	// waitInUse is how long to wait for somebody who reads the file, and inUseTries how often,
	// before that is a fault.
	waitInUse  = 2 * time.Second
	inUseTries = 30
)

const faultText = "The history is not being kept: call a technician"

var errNotOpen = errors.New("the index of shoes is not open yet: try again in a minute")

// Keeper keeps the finished shoes of a table, on a goroutine of its own.
type Keeper struct {
	path   string
	files  journal.Files
	log    *slog.Logger
	exe    string // see start
	wake   chan struct{}
	behind bool // shoes have ended that may not be in the file; of Run alone

	mu     sync.RWMutex // held for writing while the file is exchanged
	db     *bolt.DB     // nil: not open
	opened os.FileInfo  // the file that db has open
	damage atomic.Pointer[error]
}

// NewKeeper returns the keeper of the file at path for the record in files. It opens
// neither before Run.
func NewKeeper(log *slog.Logger, path string, files journal.Files) *Keeper {
	return &Keeper{path: path, files: files, log: log, exe: program(), wake: make(chan struct{}, 1)}
}

// Wake tells the keeper that a shoe has ended. It never waits.
func (k *Keeper) Wake() {
	select {
	case k.wake <- struct{}{}:
	default:
	}
}

// Run keeps the file until ctx ends. It calls fault with the sentence for the board when
// that fails, and with none when it is well again.
func (k *Keeper) Run(ctx context.Context, fault func(string)) {
	faulty, inUse := false, 0
	for {
		err, wait := k.step(ctx), tryEvery
		if ctx.Err() != nil {
			break
		}
		if errors.Is(err, ErrInUse) && inUse < inUseTries {
			err, wait, inUse = nil, waitInUse, inUse+1
		} else {
			inUse = 0
		}
		if err != nil {
			k.log.Warn("history", "err", err)
		}
		if faulty != (err != nil) {
			faulty = err != nil
			fault(map[bool]string{true: faultText}[faulty])
		}
		select {
		case <-k.wake:
			k.behind = true
		case <-time.After(wait):
		case <-ctx.Done():
		}
	}
	if err := k.close(); err != nil {
		k.log.Warn("history", "err", err)
	}
}

// Stream writes the rows of the shoes from one on, with what Open needs to know of them.
func (k *Keeper) Stream(ctx context.Context, from uint64, out io.Writer) error {
	var h head
	err := k.use(func(db *bolt.DB) (err error) {
		h, err = headOf(db)
		return err
	})
	if err != nil {
		return err
	}
	if err := errors.Join(writeJSON(out, h), writeJSON(out, verdict{})); err != nil {
		return err
	}
	view := func(f func(*bolt.Tx) error) error {
		return k.use(func(db *bolt.DB) error { return guard(func() error { return db.View(f) }) })
	}
	return writeRows(ctx, out, from, false, view)
}

// use calls what needs the file open. After damage bbolt's own state is not reliable: no
// call comes through until the file is opened again.
func (k *Keeper) use(call func(db *bolt.DB) error) error {
	k.mu.RLock()
	defer k.mu.RUnlock()
	if k.db == nil {
		return errNotOpen
	}
	if why := k.damage.Load(); why != nil {
		return *why
	}
	err := call(k.db)
	if errors.Is(err, ErrDamaged) {
		k.damage.Store(&err)
		k.Wake()
	}
	return err
}

// step brings the file up to the record.
func (k *Keeper) step(ctx context.Context) error {
	err := k.use(func(*bolt.DB) error { return k.replaced() })
	if err == nil && k.behind {
		if _, _, err = k.look(0); err == nil {
			_, err = k.catchUp(ctx)
		}
	}
	if errors.Is(err, errNotOpen) || errors.Is(err, ErrDamaged) {
		err = k.open(ctx)
	}
	k.behind = err != nil
	return err
}

// look returns what the record comes to, and notes how far the file, which reaches to a
// record, will reach.
func (k *Keeper) look(reach uint64) (found journal.Found, s tracker.State, err error) {
	if found, err = journal.Look(k.files); err == nil {
		s, _ = Restore(found)
		err = noteReach(k.path, max(reach, LastEnded(s)))
	}
	return found, s, err
}

// replaced returns ErrDamaged when somebody has deleted or replaced the file that is open.
func (k *Keeper) replaced() error {
	now, err := os.Stat(k.path)
	if errors.Is(err, fs.ErrNotExist) || err == nil && !os.SameFile(now, k.opened) {
		return fmt.Errorf("%w: the file was taken away", ErrDamaged)
	}
	return err
}

// open opens the file and brings it up to the record, or makes it again when it is damaged,
// of another record or of an earlier version.
func (k *Keeper) open(ctx context.Context) error {
	if err := k.close(); err != nil {
		return k.rebuild(ctx, err, false)
	}
	r := start(ctx, k.exe, k.path)
	err := r.begin()
	r.Close()
	if err != nil && !errors.Is(err, ErrDamaged) && !errors.Is(err, fs.ErrNotExist) || ctx.Err() != nil {
		return errors.Join(err, ctx.Err()) // the file was not read
	}
	found, state, failed := k.look(r.Reach)
	if failed != nil {
		return failed
	}
	foreign := r.Last > LastEnded(state) && r.Shoe != state.Shoe.Started.Seq
	if l := findLost(k.path, found, 0, r.Last); foreign && l.Shoes > 0 { // the note said less
		k.log.Error("record", "problem", l.String())
		foreign, err = false, l.Keep(k.path)
	}
	switch {
	case foreign:
		err = errors.Join(err, fmt.Errorf("it reaches to record %d, the journal to %d", r.Last, LastEnded(state)))
	case err == nil && r.Shoe > 0 && !r.Notes:
		err = errors.New("it was written by an earlier version")
	}
	if err != nil {
		return k.rebuild(ctx, err, !foreign)
	}
	if err := k.attach(); err != nil {
		return err
	}
	added, err := k.catchUp(ctx)
	if added > 0 {
		k.log.Info(fmt.Sprintf("history: %d shoes added from the journal", added))
	}
	return err
}

// catchUp adds the shoes that ended since the newest row, which itself may have changed.
func (k *Keeper) catchUp(ctx context.Context) (added int, err error) {
	return added, k.use(func(db *bolt.DB) error {
		var known []Row
		err := newestRows(db, func(r Row) bool {
			if !Only(r) {
				known = append(known, r)
			}
			return len(known) < 2
		})
		if err != nil {
			return err
		}
		var since Row
		if len(known) == 2 {
			since = known[1]
		}
		added, err = fill(db, k.source(ctx, since))
		return err
	})
}

// source gives the rows of the record after one, the zero Row: all.
func (k *Keeper) source(ctx context.Context, since Row) func(put func(Row) error) error {
	return func(put func(Row) error) error {
		var rows Rows
		_, problems, err := Shoes(k.files, since, func(s Dealt) error {
			if err := ctx.Err(); err != nil {
				return err
			}
			return put(rows.Row(s))
		})
		for _, problem := range problems {
			k.log.Warn("record", "problem", problem)
		}
		return err
	}
}

// rebuild makes the file again under another name first, so that a power cut at any moment
// leaves none or a whole one. It keeps the rows of the old one that can be read, unless
// that is of another record, and puts the old one in quarantine.
func (k *Keeper) rebuild(ctx context.Context, why error, salvage bool) error {
	temp := k.path + ".tmp"
	rows, err := create(temp, func(put func(Row) error) error {
		if salvage {
			if err := k.salvage(ctx, put); err != nil {
				return err
			}
		}
		return k.source(ctx, Row{})(put)
	})
	if err != nil {
		return err
	}
	aside, err := putAside(k.path)
	if err == nil {
		err = os.Rename(temp, k.path)
	}
	if err == nil {
		err = journal.Dir(filepath.Dir(k.path)).SyncDir()
	}
	if err == nil {
		err = k.attach()
	}
	if err == nil && (rows > 0 || aside != "") {
		k.log.Warn(fmt.Sprintf("history: rebuilt from the journal: %v", why), "rows", rows, "old file", aside)
	}
	return err
}

// salvage puts every row of the old file that can be read.
func (k *Keeper) salvage(ctx context.Context, put func(Row) error) error {
	r := start(ctx, k.exe, k.path)
	defer r.Close()
	_ = r.begin() // it is damaged
	var failed error
	_ = r.Rows(func(row Row) error { // as far as it can be read
		failed = put(row)
		return failed
	})
	return failed
}

// attach opens the file at the path, which is whole.
func (k *Keeper) attach() error {
	db, err := openFile(k.path, bolt.Options{})
	if err != nil {
		return err
	}
	info, err := os.Stat(k.path)
	if err != nil {
		return errors.Join(err, shut(db))
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.db, k.opened = db, info
	k.damage.Store(nil)
	return nil
}

func (k *Keeper) close() error {
	k.mu.Lock()
	defer k.mu.Unlock()
	db := k.db
	k.db = nil
	return shut(db)
}
