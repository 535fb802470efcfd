// Package matrix is a keypad whose keys lie where rows and columns of wires cross, up to
// eight by eight.
//
// Words: a row is read and pulled up; a column is driven low or left open; a key joins one
// row to one column. A picture is the result of one scan: which rows were low with no column
// driven, and with each column in turn. A ghost is a key that seems down because three others
// of its rectangle are. The key in the second row and third column is "r2c3".
//
// A caller may assume, beyond what hw promises of every Source: while no key is down the
// matrix rests on an edge of its rows and costs next to nothing; a column that is not being
// read is open, so that two keys of one row never short two outputs; a picture with a ghost
// in it presses no key that was not down before it, and such keys are not sent until they
// have been let go; a row that is low with no column driven is a fault, named, and presses
// nothing; a scan that failed is ignored, and after a tenth of a second of failures the
// keypad is gone.
//
// It knows wires only as Lines: those of a GPIO chip (Wiring) or of an expander.
package matrix

import (
	"context"
	"fmt"
	"time"

	"shoeboard/hw"
	"shoeboard/hw/debounce"
)

// Lines are the wires of a matrix. Bit i of cols and of low is column or row i,
// from 0. After an error the levels are unknown until Arm has succeeded.
type Lines interface {
	// Arm drives all columns low, forgets the edges that have come, and checks
	// the device: from here on a falling row ends Wait.
	Arm() error
	// Wait returns after an edge, after d, or when ctx ends; none is an error. It
	// may return for no reason.
	Wait(ctx context.Context, d time.Duration) error
	// Drive drives the columns in cols low and leaves the others open.
	Drive(cols uint8) error
	// Settle lets the rows follow.
	Settle()
	// Rows reads which rows are low.
	Rows() (low uint8, err error)
	Close() error
}

// Settings say what the matrix is like.
type Settings struct {
	Name   string         // the source's name
	Rows   int            // 1 to 8
	Cols   int            // 1 to 8
	Diodes bool           // every key has one, so that there are no ghosts
	Times  debounce.Times // debounce.Contacts() for bare switches
	Check  string         // what to check when it is missing, "its cable, and …"; may be empty
}

// The matrix's own times.
const (
	scanEvery = 5 * time.Millisecond
	scanGap   = time.Millisecond       // between two scans, at least
	quietFor  = 100 * time.Millisecond // without a key before it rests
	readEvery = 500 * time.Millisecond // while resting, edges or not
	failFor   = 100 * time.Millisecond // of failing scans before the keypad is gone
)

// Matrix is the source of one key matrix.
type Matrix struct {
	set  Settings
	open func() (Lines, error)
	now  func() time.Duration
}

var _ hw.Source = (*Matrix)(nil)

// New returns the source of a matrix whose wires open opens; now reads the boot-time clock.
// Nothing is opened before Run.
func New(s Settings, open func() (Lines, error), now func() time.Duration) *Matrix {
	return &Matrix{s, open, now}
}

// Run sends the keys until ctx ends. It returns an error at once for a size that no matrix
// has.
func (m *Matrix) Run(ctx context.Context, out chan<- hw.Event) error {
	if m.set.Rows < 1 || m.set.Rows > 8 || m.set.Cols < 1 || m.set.Cols > 8 {
		return fmt.Errorf("keypad %s: %d rows by %d columns; a matrix has 1 to 8 of each",
			m.set.Name, m.set.Rows, m.set.Cols)
	}
	r := &run{Matrix: m, ctx: ctx, tell: hw.NewTeller(m.set.Name, out), scanner: newScanner(m.set)}
	hw.Keep(ctx, r.session, func(err error) { r.tell.Missing(ctx, "keypad", r.advised(err), m.now()) })
	return nil
}

// run is the state of one Matrix.Run; only its goroutine touches it.
type run struct {
	*Matrix
	ctx     context.Context
	tell    *hw.Teller
	scanner *scanner
	lines   Lines
	quiet   time.Duration // since when no key moves or is down
	began   time.Duration // when the last scan did
}

// advised adds to an error what to check.
func (r *run) advised(err error) error {
	if r.set.Check == "" {
		return err
	}
	return fmt.Errorf("%w; check %s", err, r.set.Check)
}

// session opens the wires and scans until they fail or the context ends.
func (r *run) session() error {
	lines, err := r.open()
	if err != nil {
		return err
	}
	defer lines.Close()
	r.lines = lines
	if err := lines.Arm(); err != nil {
		return err
	}
	first, err := r.picture()
	if err != nil {
		return err
	}
	r.scanner.begin(first, r.now())
	r.tell.Came(r.ctx, fmt.Sprintf("keypad of %d rows by %d columns", r.set.Rows, r.set.Cols), r.now())
	return r.scan()
}

// scan rests and scans in turn. After an error the device and its keys are unknown until it
// has been armed again.
func (r *run) scan() error {
	var err error
	var failing time.Duration // since when, if err is set
	for r.quiet = r.now(); r.ctx.Err() == nil; hw.Pause(r.ctx, r.untilNext(err)) {
		before := err
		if err = r.turn(before != nil); err == nil {
			continue
		}
		if before == nil {
			failing = r.now()
		}
		if r.now()-failing >= failFor {
			return err
		}
		r.scanner.doubt(r.now())
	}
	return nil
}

// untilNext returns how long after a scan the next one is due: scans begin every five
// milliseconds, and one ends when a key will have been stable for long enough, so that the
// time of a scan delays no press.
func (r *run) untilNext(err error) time.Duration {
	now := r.now()
	took := now - r.began
	d := scanEvery - took
	if due, ok := r.scanner.keys.Next(); ok && err == nil && due-took-now < scanEvery {
		d = due - took - now
	}
	return max(d, scanGap)
}

// turn scans once, after a rest if no key is down.
func (r *run) turn(failed bool) error {
	var err error
	switch {
	case failed:
		err = r.lines.Arm()
	case r.now()-r.quiet >= quietFor:
		err = r.rest()
		r.quiet = r.now()
	}
	if err != nil {
		return err
	}
	r.began = r.now()
	p, err := r.picture()
	if err != nil {
		return err
	}
	for _, f := range r.scanner.feed(p, r.now()) {
		r.finding(f)
	}
	if p.base != 0 || !r.scanner.keys.Quiet() {
		r.quiet = r.now()
	}
	return nil
}

func (r *run) finding(f finding) {
	if f.change != 0 {
		r.tell.Notice(r.ctx, f.change, f.pos, f.text, f.at)
		return
	}
	r.tell.Press(r.ctx, f.pos, f.down, f.at)
}

// rest waits with all columns low until a row is low or moves. Levels are read after every
// arming, because an edge before it is forgotten, and twice a second anyway. A wire full of
// noise costs no more than scanning does.
func (r *run) rest() error {
	for r.ctx.Err() == nil {
		if err := r.lines.Arm(); err != nil {
			return err
		}
		r.lines.Settle()
		if low, err := r.rows(); low != 0 || err != nil {
			return err
		}
		since := r.now()
		if err := r.lines.Wait(r.ctx, readEvery); err != nil || r.now()-since < readEvery {
			return err
		}
	}
	return nil
}

// picture scans all columns, each alone. It reads with no column driven before and after, so
// that a spike which begins or ends in between is seen to be no key.
func (r *run) picture() (picture, error) {
	var p picture
	var err error
	if p.base, err = r.read(0); err != nil {
		return p, err
	}
	for c := range r.set.Cols {
		if p.cols[c], err = r.read(1 << c); err != nil {
			return p, err
		}
	}
	after, err := r.read(0)
	p.base |= after
	return p, err
}

func (r *run) read(cols uint8) (uint8, error) {
	if err := r.lines.Drive(cols); err != nil {
		return 0, err
	}
	r.lines.Settle()
	return r.rows()
}

// rows reads the rows that the matrix has.
func (r *run) rows() (uint8, error) {
	low, err := r.lines.Rows()
	return low & (1<<r.set.Rows - 1), err
}
