package journal

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
	"sync/atomic"
)

const (
	tempName     = "roll.tmp"
	segmentLimit = 4 << 20
)

var (
	// ErrUnknown says that a write or a sync failed and that nobody knows
	// whether the record is on the medium. The journal has stopped.
	ErrUnknown = errors.New("journal: it is not known whether the record is on the medium")
	// ErrFailed is returned by every write after ErrUnknown until Repair.
	ErrFailed = errors.New("journal: stopped after an error, repair first")
	// errNoSegment is returned by Append when there is no segment to append
	// to: NeedsRoll is true, and Roll begins one.
	errNoSegment = errors.New("journal: no segment to append to, roll first")
)

// Journal is the record, open for writing. Append, Roll and Repair take turns;
// SavePending, ClearPending and Last never wait for them.
type Journal struct {
	files   Files
	unit    string
	lock    io.Closer
	limit   int64 // bytes at which a segment should be rolled
	last    atomic.Uint64
	code    atomic.Pointer[Code] // of the last acknowledged record; nil: there is none
	scratch scratch

	mu   sync.Mutex
	file File   // nil: a fresh segment is needed
	end  int64  // just after the last acknowledged record of the segment
	next uint64 // the number of the next record
	hash digest // of the last acknowledged record
	ids  map[EventID]uint64
	err  error // not nil: stopped
	buf  []byte
}

// Found holds what a start found: the state is Checkpoint with Records folded
// into it.
type Found struct {
	Checkpoint *Record    // the newest good one; nil when there is none
	Records    []Record   // the good events after it, ascending
	Last       uint64     // the last good sequence number, 0 for an empty record
	Code       Code       // of that record
	Problems   []*Problem // what was cut, what is missing, what was skipped

	files  Files  // that it was found in
	before uint64 // checkpoints from this record on are skipped; 0: none are
}

// Before returns what a start finds when the Checkpoint of f cannot be used: the newest
// good one before it, with every good event since. Its Checkpoint is nil when there is
// none. It changes nothing.
func (f Found) Before() (Found, error) {
	earlier, _, err := readEnd(f.files, f.Checkpoint.Seq, func(*segment) error { return nil })
	return earlier, err
}

// Open takes the folder, reads the last segment, or more if it has no good
// checkpoint, and cuts a torn tail. An empty or missing folder is a fine
// start. When NeedsRoll is true after Open (new folder, damage) the caller
// rolls before it appends. Errors: ErrInUse, *unitError, *versionError, or
// what the file system said; the folder is then unchanged.
func Open(files Files, unit string) (*Journal, Found, error) {
	if len(unit) < 1 || len(unit) > MaxUnit {
		return nil, Found{}, fmt.Errorf("journal: unit id %q, expected 1 to %d bytes", unit, MaxUnit)
	}
	lock, err := files.Lock()
	if err != nil {
		return nil, Found{}, err
	}
	j := &Journal{files: files, unit: unit, lock: lock, limit: segmentLimit, next: 1, hash: digestOf([]byte(unit))}
	found, err := j.start()
	if err != nil {
		return nil, Found{}, errors.Join(err, lock.Close())
	}
	return j, found, nil
}

// start reads the end of the record and makes ready to go on with it.
func (j *Journal) start() (Found, error) {
	found, w, err := readEnd(j.files, 0, j.foreign)
	if w != nil {
		j.goOn(&found, w)
	}
	return found, err
}

// Look gives what Open would find, of whatever unit. It takes no lock and
// changes nothing, so another process may look while the core writes; the
// record that is being written then shows as a torn tail.
func Look(files Files) (Found, error) {
	found, _, err := readEnd(files, 0, func(*segment) error { return nil })
	return found, err
}

// Newest returns the unit that the newest segment names, "" when its header cannot be read,
// and how many segments there are.
func Newest(files Files) (unit string, segmentCount int, err error) {
	list, err := segments(files)
	if err != nil || len(list) == 0 {
		return "", 0, err
	}
	newest := list[len(list)-1]
	data, _ := files.Read(newest.Name) // what cannot be read has no header
	unit, _ = readHeader(data, newest.Name, newest.first)
	return unit, len(list), nil
}

// readEnd reads from the last segment with a good checkpoint on, one below before unless
// that is 0; the walker is nil when there is nothing to read.
func readEnd(files Files, before uint64, check func(*segment) error) (Found, *walker, error) {
	list, err := segments(files)
	if err != nil || len(list) == 0 {
		return Found{}, nil, err
	}
	from := len(list) - 1
	for {
		s := load(files, list[from])
		if from == len(list)-1 { // those before may be another unit's, whose table this one took over
			err = check(&s)
		}
		if err = errors.Join(s.newer(), err); err != nil {
			return Found{}, nil, err
		}
		if from == 0 || s.begins() && (before == 0 || s.first < before) {
			break
		}
		from--
	}
	found := Found{files: files, before: before}
	var w walker
	w.pass = func(r *placed, p *Problem) bool {
		found.take(r, p)
		return true
	}
	w.walk(files, list[from:])
	if found.Last > 0 {
		found.Code = codeOf(w.hash)
	}
	return found, &w, nil
}

func (j *Journal) foreign(s *segment) error {
	if s.header == nil && s.unit != j.unit {
		return &unitError{Segment: s.Name, Have: s.unit, Want: j.unit}
	}
	return nil
}

func (f *Found) take(r *placed, p *Problem) {
	switch {
	case p != nil:
		f.Problems = append(f.Problems, p)
		return
	case r.Kind == Checkpoint && f.before > 0 && r.Seq >= f.before:
	case r.Kind == Checkpoint:
		checkpoint := r.Record
		f.Checkpoint, f.Records = &checkpoint, nil
	default:
		f.Records = append(f.Records, r.Record)
	}
	f.Last = r.Seq
}

// goOn sets what the next record needs, and opens the last segment for
// writing if it is whole.
func (j *Journal) goOn(found *Found, w *walker) {
	j.ids = make(map[EventID]uint64, len(found.Records))
	for _, r := range found.Records {
		j.ids[r.ID] = r.Seq
	}
	j.next = max(found.Last+1, w.tip.spent())
	if found.Last > 0 {
		j.hash = w.hash
		j.know(found.Last)
	}
	if !w.tip.whole() || j.next != w.tip.recs[len(w.tip.recs)-1].Seq+1 {
		return
	}
	j.end = w.tip.end
	kept, err := j.attach(&w.tip)
	for _, p := range found.Problems {
		if p.Trouble == Torn && p.Segment == w.tip.Name {
			p.Kept = kept
		}
	}
	if err != nil {
		p := &Problem{Trouble: Unwritable, Segment: w.tip.Name, Cause: err}
		found.Problems = append(found.Problems, p.none())
	}
}

// Append makes r durable as the next event and returns its sequence number: one
// write, one sync. If an event with the same id is in the record since the
// last checkpoint, nothing is written and that one's number is returned.
// Errors: ErrFailed, errNoSegment and errTooLong mean that nothing was written;
// ErrUnknown see there.
func (j *Journal) Append(r Record) (uint64, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if err := errors.Join(j.failed(), r.fits()); err != nil {
		return 0, err
	}
	if seq, ok := j.ids[r.ID]; ok && r.ID != (EventID{}) {
		return seq, nil
	}
	if j.file == nil {
		return 0, errNoSegment
	}
	r.Seq, r.Kind = j.next, Event
	j.buf = appendRecord(j.buf[:0], r, j.hash)
	if err := put(j.file, j.buf, j.end); err != nil {
		return 0, j.stop(err)
	}
	j.acknowledge(r, j.buf, j.end)
	return r.Seq, nil
}

// Roll makes checkpoint, the whole state, durable as the first record of a
// fresh segment and goes on there. A crash at any moment leaves either the old
// segment or both. Errors as for Append.
func (j *Journal) Roll(checkpoint Record) (uint64, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	r := checkpoint
	r.Seq, r.Kind, r.ID = j.next, Checkpoint, EventID{}
	if err := errors.Join(j.failed(), r.fits()); err != nil {
		return 0, err
	}
	name := segmentName(r.Seq)
	data := appendRecord(appendHeader(nil, j.unit, r.Seq), r, j.hash)
	f, err := j.make(name, data)
	if err != nil {
		return 0, j.stop(err)
	}
	old := j.file
	j.file, j.ids = f, make(map[EventID]uint64)
	j.acknowledge(r, data[headerSize:], headerSize)
	if old != nil {
		_ = old.Close() // synced long ago
	}
	return r.Seq, nil
}

// make writes a whole segment under a name that counts for nothing, syncs it,
// gives it its name and syncs the folder.
func (j *Journal) make(name string, data []byte) (File, error) {
	f, err := j.files.Create(tempName)
	if err != nil {
		return nil, err
	}
	err = put(f, data, 0)
	if err == nil {
		err = j.files.Rename(tempName, name)
	}
	if err == nil {
		err = j.files.SyncDir()
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// put writes and syncs once.
func put(f File, data []byte, at int64) error {
	n, err := f.WriteAt(data, at)
	if err == nil && n < len(data) {
		err = io.ErrShortWrite
	}
	if err != nil {
		return err
	}
	return f.Datasync()
}

// acknowledge takes note that r, encoded as b at byte at, is on the medium.
func (j *Journal) acknowledge(r Record, b []byte, at int64) {
	j.end, j.next, j.hash = at+int64(len(b)), r.Seq+1, digestOf(b)
	if r.Kind == Event && r.ID != (EventID{}) {
		j.ids[r.ID] = r.Seq
	}
	j.know(r.Seq)
}

func (j *Journal) failed() error {
	if j.err == nil {
		return nil
	}
	return fmt.Errorf("%w: %w", ErrFailed, j.err)
}

func (j *Journal) stop(cause error) error {
	j.err = cause
	return fmt.Errorf("%w: %w", ErrUnknown, cause)
}

// Err gives the error after which the journal stopped, nil while it goes on.
func (j *Journal) Err() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.err
}

// NeedsRoll says that Roll is due: there is no segment to append to, or it has
// grown past 4 MB (then Append still works).
func (j *Journal) NeedsRoll() bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.file == nil || j.end >= j.limit
}

// Seal ends the segment: NeedsRoll is true then. It is for a record in which something
// does not fold: what comes after it begins with a checkpoint of its own.
func (j *Journal) Seal() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.seal()
}

func (j *Journal) seal() error {
	if j.file == nil {
		return nil
	}
	err := j.file.Close() // all that was acknowledged is on the medium
	j.file = nil
	return err
}

// Above lets no record have a number up to seq any more: they were given to records that
// this journal has lost. The next one begins a segment, and the gap before it tells.
func (j *Journal) Above(seq uint64) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if seq < j.next {
		return nil
	}
	j.next = seq + 1
	return j.seal()
}

// HandOver lets another unit go on with the record: the segment that Roll begins next is
// the first to name it. What came before stays as it is.
func (j *Journal) HandOver(unit string) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if len(unit) < 1 || len(unit) > MaxUnit {
		return fmt.Errorf("journal: unit id %q, expected 1 to %d bytes", unit, MaxUnit)
	}
	if j.unit = unit; j.next == 1 {
		j.hash = digestOf([]byte(unit))
	}
	return j.seal()
}

// Last returns the last acknowledged sequence number, 0 for an empty record.
func (j *Journal) Last() uint64 { return j.last.Load() }

// Code returns the code of the last acknowledged record, the zero Code for an empty record.
// It waits for no disk.
func (j *Journal) Code() Code {
	if c := j.code.Load(); c != nil {
		return *c
	}
	return Code{}
}

// know notes the last acknowledged record for those who ask meanwhile.
func (j *Journal) know(seq uint64) {
	code := codeOf(j.hash)
	j.code.Store(&code)
	j.last.Store(seq)
}

// Close gives the folder back. Nothing is lost: all that was acknowledged is
// on the medium.
func (j *Journal) Close() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	err := errors.Join(j.scratch.close(), j.seal())
	j.err = errors.New("the journal is closed")
	return errors.Join(err, j.lock.Close())
}

// Repair makes the journal ready again after ErrUnknown; see the package
// comment. It returns an error, and changes nothing, only if the folder cannot
// be listed. When NeedsRoll is true afterwards the caller rolls.
func (j *Journal) Repair() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.err == nil {
		return nil
	}
	list, err := segments(j.files)
	if err != nil {
		return err
	}
	_ = j.seal() // its error is the one being repaired
	j.err = nil
	if len(list) == 0 {
		return nil
	}
	// The last segment is the one that was being written, or a fresh one that
	// a failed roll has named. Nobody knows whether that name is durable, so
	// only a roll over it helps; it does not hold the last acknowledged record.
	s := load(j.files, list[len(list)-1])
	i := slices.IndexFunc(s.recs, func(r placed) bool { return r.end == j.end && r.hash == j.hash })
	if !s.whole() || i < 0 {
		return nil
	}
	s.recs, s.end = s.recs[:i+1], j.end
	_, _ = j.attach(&s) // if it cannot be gone on with, a fresh segment is needed: NeedsRoll
	return nil
}
