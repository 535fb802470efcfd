package transfer

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"time"

	"shoeboard/cmd/internal/config"
	"shoeboard/cmd/internal/datadir"
	"shoeboard/hw/linux"
)

const (
	look     = 5 * time.Second // between two looks for a stick
	every    = time.Minute     // between two mirrors of the segment that grows
	atOnce   = 32              // sealed segments that are synced together
	turnFor  = 2 * time.Second // of them, between two looks
	patience = 2 * time.Second // for a stick that does not answer, when the core ends
)

// Mirror keeps the mirror of one unit on whatever stick is in the slot.
type Mirror struct {
	Slot                Slot
	Data, Unit, Program string
	// Fault is told a fault for the board by its code, and "" when it is over, at the
	// latest when the stick is gone; only when that changes.
	Fault func(code, text string)
	// Found is called, once, when a stick with a mirror comes while the own record is
	// blank: it was put in for a take-over. nil: that was answered.
	Found func()

	turn time.Duration // how long segments are copied in one pass; 0: as many as are synced together
}

// Run mirrors until ctx ends. It returns then even if the stick does not: a write
// that the kernel holds on to is left to the kernel.
func (m Mirror) Run(ctx context.Context) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		m.turn = turnFor
		w := mirroring{Mirror: m}
		tick := time.NewTicker(look)
		defer tick.Stop()
		for {
			w.step(ctx, linux.BootTime())
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			}
		}
	}()
	<-ctx.Done()
	select {
	case <-done:
	case <-time.After(patience):
	}
}

// The faults of a Mirror.
const (
	FaultStick = "stick"       // the mirror is not complete
	FaultTwice = "table-twice" // two units keep the record of one table
)

// mirroring is what is known of the stick that is in.
type mirroring struct {
	Mirror
	next      time.Duration     // of the boot clock: when it is time again
	told      map[string]string // faults by their codes
	manifest  []byte            // as it was written last; nil: nothing is known of this stick
	low, high string            // the sealed segments from low to high are on the stick
	grown     Manifest
	checked   string // the sealed segment that was read back last
}

// step does what is due at the time now of the boot clock.
func (w *mirroring) step(ctx context.Context, now time.Duration) {
	root, err := w.Slot.Open()
	if errors.Is(err, ErrNone) {
		*w = mirroring{Mirror: w.Mirror, told: w.told}
		w.tell(FaultStick, "")
		w.tell(FaultTwice, "") // it is known only from the stick
		return
	}
	if err == nil && now >= w.next {
		w.next = now + every
		var more bool
		if more, err = w.pass(ctx, root); more {
			w.next = now
		}
		if err != nil { // what is there is looked at anew
			*w = mirroring{Mirror: w.Mirror, told: w.told, next: now + every}
		}
		w.tell(FaultStick, incomplete(err))
	}
	if root != nil {
		_ = root.Close() // nothing is written through it
	}
}

func (w *mirroring) tell(code, text string) {
	if text == w.told[code] || w.Fault == nil {
		return
	}
	if w.told == nil {
		w.told = map[string]string{}
	}
	w.told[code] = text
	w.Fault(code, text)
}

// incomplete is the sentence of FaultStick.
func incomplete(err error) string {
	if err == nil {
		return ""
	}
	return "The copy on the stick is not complete: " + err.Error() + "."
}

// pass brings the mirror up to the record: sealed segments, as many as fit between two
// looks, and after them what grows, so that what is there never has a gap. more says that
// sealed ones are left. Only errors of the stick come back; what cannot be read of the record
// is the core's own to say.
func (w *mirroring) pass(ctx context.Context, root *os.Root) (more bool, err error) {
	names, err := segmentsOf(w.Data)
	if err != nil || len(names) == 0 {
		return false, nil
	}
	if w.Found != nil {
		if Blank(w.Data) {
			if all, err := mirrors(root); err == nil && len(all) > 0 {
				w.Found()
				w.Found = nil
			}
			return false, nil
		}
		w.Found = nil
	}
	dir := home(w.Unit)
	if text, err := Read(root, path.Join(dir, manifestFile), mostManifest); err != nil || !bytes.Equal(text, w.manifest) {
		*w = mirroring{Mirror: w.Mirror, told: w.told, next: w.next} // another stick, or another's hand
		if err := putAside(root, dir, w.Data); err != nil {
			return false, troubled(err)
		}
	}
	if err := root.MkdirAll(path.Join(dir, "journal"), 0o755); err != nil {
		return false, troubled(err)
	}
	running, sealed := names[len(names)-1], names[:len(names)-1]
	more, err = w.sealed(ctx, root, sealed)
	if err == nil {
		err = w.rest(root, running)
	}
	if err != nil {
		return false, troubled(err)
	}
	return more, nil
}

// segmentsOf names the segments of a data folder in order.
func segmentsOf(data string) ([]string, error) { return segmentsIn(datadir.Journal(data)) }

// segmentsIn names the segments in a folder in order; one that is missing has none. It
// asks for names alone: five years are 54,000, every minute.
func segmentsIn(dir string) ([]string, error) {
	f, err := os.Open(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	names, err := f.Readdirnames(-1)
	names = slices.DeleteFunc(names, func(name string) bool { return !isSegment(name) })
	slices.Sort(names)
	return names, err
}

// sealed mirrors sealed segments: newer ones first, then older ones, for a turn.
func (w *mirroring) sealed(ctx context.Context, root *os.Root, names []string) (more bool, err error) {
	due, end := w.due(names), linux.BootTime()+w.turn
	b := bin{root: root, dir: path.Join(home(w.Unit), "journal"), from: datadir.Journal(w.Data)}
	for len(due) > 0 && !more {
		n, err := w.some(&b, due)
		if err != nil {
			return false, err
		}
		due = due[n:]
		more = len(due) > 0 && (ctx.Err() != nil || linux.BootTime() >= end)
	}
	if err := w.again(&b, names); err != nil {
		return false, err
	}
	return more, b.flush()
}

// some mirrors as many of the segments that are due as are synced together, and says how
// many of them are on the stick now.
func (w *mirroring) some(b *bin, due []string) (n int, err error) {
	for copied := 0; n < len(due) && copied < atOnce; n++ {
		did, err := b.ensure(due[n])
		if err != nil {
			return 0, err
		}
		if did {
			copied++
		}
	}
	if err := b.settle(); err != nil {
		return 0, err
	}
	for _, name := range due[:n] {
		if w.low == "" || name < w.low {
			w.low = name
		}
		w.high = max(w.high, name)
	}
	return n, nil
}

// due are the names that are not known to be on the stick, in the order in which they
// shall come, so that what is there never has a gap.
func (w *mirroring) due(names []string) []string {
	newer, known := slices.BinarySearch(names, w.high)
	if known {
		newer++
	}
	if w.high == "" {
		newer = len(names)
	}
	older, _ := slices.BinarySearch(names, w.low)
	if w.low == "" {
		older = len(names)
	}
	due := slices.Clone(names[newer:])
	for _, name := range slices.Backward(names[:older]) {
		due = append(due, name)
	}
	return due
}

// again reads one sealed segment a pass back from the stick, in turn, and mirrors it
// anew if it has changed there: a stick that goes bad is noticed before it is needed.
func (w *mirroring) again(b *bin, names []string) error {
	if w.low == "" {
		return nil
	}
	at, known := slices.BinarySearch(names, w.checked)
	if known {
		at++
	}
	if at >= len(names) || names[at] > w.high || names[at] < w.low {
		if at, known = slices.BinarySearch(names, w.low); !known {
			return nil
		}
	}
	w.checked = names[at]
	return b.compare(names[at])
}

// rest mirrors what may change: the segment that grows, configuration, table number;
// then the manifest, when there is something new.
func (w *mirroring) rest(root *os.Root, running string) error {
	m := w.grown
	text, err := os.ReadFile(filepath.Join(datadir.Journal(w.Data), running))
	if err != nil {
		return nil // it was sealed or put aside just now: next time
	}
	dir := path.Join(home(w.Unit), "journal", bucket(running))
	if running != m.To || int64(len(text)) != m.Size || !holds(root, path.Join(dir, running), m.SHA256) {
		if err := root.MkdirAll(dir, 0o755); err != nil {
			return err
		}
		if m.SHA256, err = put(root, path.Join(dir, running), content(text)); err != nil {
			return err
		}
		m.To, m.Size = running, int64(len(text))
	}
	m.Version, m.Unit, m.Program, m.From = manifestVersion, w.Unit, w.Program, w.low
	if m.From == "" {
		m.From = running
	}
	if m.Table, _ = datadir.TableOf(w.Data); datadir.CheckTable(m.Table) != nil {
		return nil // the core's own to say
	}
	twice, err := w.twice(root, m.Table)
	if err != nil {
		return err
	}
	w.tell(FaultTwice, twice)
	changed, err := w.small(root)
	if err != nil || !changed && m == w.grown && w.manifest != nil {
		return err
	}
	return w.sign(root, m)
}

// holds says whether a segment of a mirror is what was written there.
func holds(root *os.Root, name, sum string) bool {
	f, err := plain(root, name, mostSegment)
	if err != nil {
		return false
	}
	got, err := digest(f)
	return errors.Join(err, f.Close()) == nil && got == sum
}

// small mirrors the two small files when they are not what the mirror has.
func (w *mirroring) small(root *os.Root) (changed bool, err error) {
	for _, name := range []string{config.LastGood, tableFile} {
		text, err := os.ReadFile(filepath.Join(w.Data, name))
		if errors.Is(err, fs.ErrNotExist) || len(text) > mostText {
			continue
		}
		if err != nil {
			return changed, nil // the core's own to say
		}
		place := path.Join(home(w.Unit), name)
		if have, err := Read(root, place, mostText); err == nil && bytes.Equal(have, text) {
			continue
		}
		if _, err := put(root, place, content(text)); err != nil {
			return changed, err
		}
		changed = true
	}
	return changed, nil
}

// sign writes the manifest, after everything that it names is durable.
func (w *mirroring) sign(root *os.Root, m Manifest) error {
	w.grown = m
	m.Made = time.Now().UTC().Truncate(time.Second)
	text, err := json.MarshalIndent(m, "", "  ")
	if err == nil {
		err = settle(root)
	}
	if err == nil {
		_, err = put(root, path.Join(home(w.Unit), manifestFile), content(text))
	}
	if err != nil {
		return err
	}
	w.manifest = text
	return settle(root)
}

func content(text []byte) func(io.Writer) error {
	return func(out io.Writer) error {
		_, err := out.Write(text)
		return err
	}
}
