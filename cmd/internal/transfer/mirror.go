package transfer

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"shoeboard/cmd/internal/config"
	"shoeboard/cmd/internal/datadir"
	"shoeboard/cmd/internal/secret"
	"shoeboard/hw/linux"
	"shoeboard/tracker/journal"
	"shoeboard/tracker/regular"
)

const (
	look     = 5 * time.Second // between two looks for a stick
	every    = time.Minute     // between two mirrors of the segment that grows
	atOnce   = 32              // sealed segments that are synced together,
	turnFor  = 2 * time.Second // of them, between two looks
	patience = 2 * time.Second // for a stick that does not answer, when the core ends

	atOnceSize = 8 << 20 // and of so many bytes
)

// Mirror keeps the mirror of one unit on any stick in the slot.
type Mirror struct {
	Slot                Slot
	Data, Unit, Program string
	Venue               func() secret.Key // signs the mirror; the zero Key: nothing does; nil: none
	// Fault takes a fault for the board by its code, and "" when it is over, at the latest
	// when the stick is gone; only when that changes.
	Fault func(code, text string)
	// Found is called, once, when a stick with a mirror comes while the own record is
	// blank: it was put in for a take-over. nil: that was answered.
	Found func()

	known
	turn  time.Duration     // how long segments are copied in one pass; 0: as many as are synced together
	next  time.Duration     // of the boot clock: when it is time again
	shown map[string]string // faults by their codes
}

// Run mirrors until ctx ends. It returns then even if the stick does not answer: a write
// that the kernel holds on to is left to the kernel.
func (w *Mirror) Run(ctx context.Context) {
	w.turn = turnFor
	done := make(chan struct{})
	go func() {
		defer close(done)
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
	faultStick = "stick"       // the mirror is not complete
	faultTwice = "table-twice" // another unit records the same table
)

// known is what is known of the stick that is in.
type known struct {
	text      []byte   // of the manifest, as it was written last; nil: nothing is known
	manifest  Manifest // the same, without its time
	low, high string   // the sealed segments from low to high are on the stick; low "": nothing is known
	checked   string   // the sealed segment that was read back last
}

// step does what is due at the time now of the boot clock.
func (w *Mirror) step(ctx context.Context, now time.Duration) {
	root, err := w.Slot.Open()
	if errors.Is(err, ErrNone) {
		w.known, w.next = known{}, 0
		w.show(faultStick, w.Slot.notMounted())
		w.show(faultTwice, "") // it is known only from the stick
		return
	}
	if err != nil {
		return
	}
	defer root.Close() // nothing is written through it
	if now < w.next {
		return
	}
	more, err := w.pass(ctx, root)
	w.next = now + every
	if more {
		w.next = now
	}
	if err != nil {
		w.known = known{} // the next pass reads the stick again
		w.show(faultStick, "The copy on the stick is not complete: "+advice(err).Error()+".")
		return
	}
	w.show(faultStick, "")
}

func (w *Mirror) show(code, text string) {
	if text == w.shown[code] || w.Fault == nil {
		return
	}
	if w.shown == nil {
		w.shown = map[string]string{}
	}
	w.shown[code] = text
	w.Fault(code, text)
}

// pass brings the mirror up to the record: sealed segments, as many as fit between two
// looks, and after them the one that grows, so that what is there never has a gap. more
// says that sealed ones are left. Only errors of the stick come back; the core tells of a
// record that cannot be read.
func (w *Mirror) pass(ctx context.Context, root *os.Root) (more bool, err error) {
	names, err := segmentsOf(w.Data)
	if err != nil || len(names) == 0 {
		return false, nil
	}
	if found := w.Found; found != nil {
		if Blank(w.Data) {
			if all, err := mirrors(root); err == nil && len(all) > 0 {
				w.Found = nil
				found()
			}
			return false, nil
		}
		w.Found = nil
	}
	home := Home(w.Unit)
	text, err := regular.ReadIn(root, path.Join(home, manifestFile), mostManifest)
	if err != nil || !bytes.Equal(text, w.text) {
		w.known = known{} // another stick, or another's hand
		if err := w.putAside(root, home); err != nil {
			return false, err
		}
	}
	sealed, running := names[:len(names)-1], names[len(names)-1]
	if w.low == "" { // an empty stretch at the end of the record
		w.low = running
		if len(sealed) > 0 {
			w.high = slices.Max(sealed)
		}
	}
	if more, err = w.sealed(ctx, root, sealed); err != nil {
		return false, err
	}
	return more, w.rest(root, names[0], running)
}

// segmentsOf names the segments of a data folder in order.
func segmentsOf(data string) (names []string, err error) {
	names, err = journal.Dir(datadir.Journal(data)).List()
	names = slices.DeleteFunc(names, func(name string) bool { return !isSegment(name) })
	slices.Sort(names)
	return names, err
}

// putAside renames the mirror in the folder home when it is whole and of another record
// than the unit has: of the card that was in it before, of a time after the backup that was
// restored, or one whose end the unit has lost or has otherwise. It may be the only copy.
func (w *Mirror) putAside(root *os.Root, home string) error {
	m, err := ReadManifest(root, home)
	if err != nil {
		return nil // it could not be taken over
	}
	there := mirrorFiles{root: root, m: m}
	own := journal.Dir(datadir.Journal(w.Data))
	if _, err := journal.Head(there, m.To); err != nil {
		return nil
	}
	if sameStart(own, there, m.To) {
		from, _ := strconv.ParseUint(m.To[:16], 10, 64) // it is a segment's name
		if d, err := journal.Compare(own, newest{there}, from); err != nil || !d.Any() {
			return nil
		}
	}
	return root.Rename(home, home+"-before-"+time.Now().UTC().Format("20060102T150405"))
}

// sealed mirrors sealed segments: newer ones first, then older ones, for a turn.
func (w *Mirror) sealed(ctx context.Context, root *os.Root, names []string) (more bool, err error) {
	due, end := w.due(names), linux.BootTime()+w.turn
	fresh := map[string]sums{}
	for len(due) > 0 && !more {
		n, err := w.copyBatch(root, due, false, fresh)
		if err != nil {
			return false, err
		}
		w.low, w.high = min(w.low, slices.Min(due[:n])), max(w.high, slices.Max(due[:n]))
		due = due[n:]
		more = len(due) > 0 && (ctx.Err() != nil || linux.BootTime() >= end)
	}
	if err := w.reread(root, names, fresh); err != nil {
		return false, err
	}
	for dir, list := range fresh { // after the segments that they name
		all := readSums(root, dir)
		maps.Copy(all, list)
		if err := put(root, path.Join(dir, sumsFile), all.text()); err != nil {
			return false, err
		}
	}
	return more, nil
}

// due returns the names that are not known to be on the stick, in the order in which they
// have to come, so that what is there never has a gap.
func (w *Mirror) due(names []string) []string {
	below, _ := slices.BinarySearch(names, w.low)
	older := slices.Clone(names[:below])
	slices.Reverse(older)
	return append(slices.Clone(names[after(names, w.high):]), older...)
}

// after returns where those after a name begin in sorted names.
func after(names []string, name string) int {
	at, found := slices.BinarySearch(names, name)
	if found {
		at++
	}
	return at
}

// reread reads one sealed segment a pass back from the stick, in turn, and copies it again
// if it has changed there: a stick that goes bad is noticed before it is needed.
func (w *Mirror) reread(root *os.Root, names []string, fresh map[string]sums) error {
	at := after(names, w.checked)
	if at == len(names) || names[at] > w.high || names[at] < w.low {
		at, _ = slices.BinarySearch(names, w.low)
	}
	if at == len(names) {
		return nil // none is there
	}
	w.checked = names[at]
	there := place(w.Unit, w.checked)
	if sum := readSums(root, path.Dir(there))[w.checked]; sum != "" && holds(root, there, sum) {
		return nil
	}
	_, err := w.copyBatch(root, []string{w.checked}, true, fresh)
	return err
}

// copyBatch copies the first of the due segments that are not in the mirror, or that are to
// be copied again, and returns how many of them are there now. They are synced together: a
// stick takes as long for thirty as for one. It adds their sums to those of their folders.
func (w *Mirror) copyBatch(root *os.Root, due []string, again bool, fresh map[string]sums) (n int, err error) {
	pending, size := map[string][]byte{}, 0
	for ; n < len(due) && len(pending) < atOnce && size < atOnceSize; n++ {
		own, at := filepath.Join(datadir.Journal(w.Data), due[n]), place(w.Unit, due[n])
		is, err := os.Stat(own)
		there, none := root.Lstat(at)
		if err == nil && none == nil && !again && there.Mode().IsRegular() && there.Size() == is.Size() {
			continue // it got its name when it was whole
		}
		text, err := regular.Read(own, mostSegment)
		if err != nil {
			continue // it was put aside just now
		}
		if none == nil && !again {
			if sum := readSums(root, path.Dir(at))[due[n]]; sum != "" && holds(root, at, sum) {
				return 0, fmt.Errorf("%w: %s", errOther, at)
			}
		}
		if err := begin(root, at, text, false); err != nil {
			return 0, err
		}
		pending[due[n]] = text
		size += len(text)
	}
	if len(pending) > 0 {
		err = syncFS(root.Open("."))
	}
	for name, text := range pending {
		at := place(w.Unit, name)
		if err != nil { // the next pass copies the rest again
			_ = root.Remove(at + part)
			continue
		}
		if err = finish(root, at, text); fresh[path.Dir(at)] == nil {
			fresh[path.Dir(at)] = sums{}
		}
		fresh[path.Dir(at)][name] = sumOf(text)
	}
	return n, err
}

// errOther says that the stick has a whole segment which is another than the unit's.
var errOther = errors.New("it has other hands than this unit: \"sudo shoeboard verify --stick\" says which; " +
	"to keep both, rename its folder")

// rest mirrors what may change: the segment that grows, configuration, table number; then
// the manifest, after everything that it names is durable.
func (w *Mirror) rest(root *os.Root, oldest, running string) error {
	text, err := regular.Read(filepath.Join(datadir.Journal(w.Data), running), mostSegment)
	if err != nil {
		return nil // it was sealed or put aside just now: next time
	}
	m := Manifest{Version: manifestVersion, Unit: w.Unit, Program: w.Program, From: w.low, To: running,
		Size: int64(len(text)), SHA256: sumOf(text)}
	if m.Table, _ = datadir.TableOf(w.Data); datadir.CheckTable(m.Table) != nil {
		return nil // the core tells of it
	}
	w.show(faultTwice, w.twice(root, m.Table, oldest))
	changed, err := update(root, place(w.Unit, running), text)
	small := sums{}
	for _, name := range []string{config.LastGood, tableFile, sumsFile} {
		text, none := regular.Read(filepath.Join(w.Data, name), mostText)
		if name == sumsFile {
			text, none = small.text(), nil
		}
		if errors.Is(none, fs.ErrNotExist) || len(text) > mostText {
			continue
		}
		if none != nil {
			return nil // the core tells of it
		}
		if small[name] = sumOf(text); name == config.LastGood {
			m.Config = small[name]
		}
		if err == nil {
			var wrote bool
			wrote, err = update(root, path.Join(Home(w.Unit), name), text)
			changed = changed || wrote
		}
	}
	if err != nil || !changed && m == w.manifest {
		return err
	}
	return w.sign(root, m)
}

// update writes a file of the mirror unless it has these bytes there.
func update(root *os.Root, name string, text []byte) (changed bool, err error) {
	if holds(root, name, sumOf(text)) {
		return false, nil
	}
	return true, put(root, name, text)
}

// holds reports whether a file of a mirror has this sum.
func holds(root *os.Root, name, sum string) bool {
	text, err := regular.ReadIn(root, name, mostSegment)
	return err == nil && sumOf(text) == sum
}

// sign writes the manifest.
func (w *Mirror) sign(root *os.Root, m Manifest) error {
	signed := m
	signed.Made = time.Now().UTC().Truncate(time.Second)
	if w.Venue != nil {
		if k := w.Venue(); !k.IsZero() {
			signed = signed.signed(k)
		}
	}
	text, err := json.MarshalIndent(signed, "", "  ")
	if err == nil {
		err = syncFS(root.Open("."))
	}
	if err == nil {
		err = put(root, path.Join(Home(w.Unit), manifestFile), text)
	}
	if err != nil {
		return err
	}
	w.text, w.manifest = text, m
	return syncFS(root.Open("."))
}

// twice returns a sentence for the board when another unit has gone on with the record of
// this unit's table, and "" when the stick has no such mirror. The other's record is this
// unit's as far as both have it, and goes on otherwise.
func (w *Mirror) twice(root *os.Root, table, oldest string) string {
	own := datadir.Journal(w.Data)
	all, _ := mirrors(root) // a broken stick is told of already
	for _, m := range all {
		there := mirrorFiles{root: root, m: m}
		if m.Unit == w.Unit || m.Table != table || !sameStart(journal.Dir(own), there, max(m.From, oldest)) {
			continue
		}
		text, _ := regular.Read(filepath.Join(own, m.To), mostSegment) // a missing one is shorter
		if int64(len(text)) >= m.Size && sumOf(text[:m.Size]) == m.SHA256 {
			continue // this unit has all of it
		}
		unit := "Another unit"
		if strings.Trim(m.Unit, "0123456789abcdefABCDEF") == "" { // it can be no message
			unit = "Unit " + m.Unit
		}
		return fmt.Sprintf("%s records table %s too. Switch one of the two off, or give it another number.",
			unit, table)
	}
	return ""
}
