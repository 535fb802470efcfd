package transfer

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/google/renameio/v2"
	"golang.org/x/sys/unix"

	"shoeboard/cmd/internal/config"
	"shoeboard/cmd/internal/datadir"
	"shoeboard/tracker"
	"shoeboard/tracker/history"
	"shoeboard/tracker/journal"
	"shoeboard/tracker/table"
)

// Stage is a folder beside the record in which another one is made ready: Journal and
// the last good configuration. Nothing counts before Commit.
type Stage string

const (
	staged    = "takeover.tmp" // being made ready: counts for nothing
	committed = "takeover"     // ready: the next start ends it
)

// NewStage makes an empty stage in a data folder.
func NewStage(data string) (Stage, error) {
	s := Stage(filepath.Join(data, staged))
	if err := s.Drop(); err != nil {
		return s, err
	}
	return s, os.MkdirAll(s.Journal(), 0o750)
}

// Journal is where the segments go.
func (s Stage) Journal() string { return datadir.Journal(string(s)) }

// Drop takes the stage away.
func (s Stage) Drop() error { return os.RemoveAll(string(s)) }

// Commit makes the segments of unit from go on as this unit's, and puts stage and table
// number in the place of what the data folder has. The caller holds the lock of the
// data folder's journal.
func (s Stage) Commit(from, unit, number string) error {
	data := filepath.Dir(string(s))
	if from != unit {
		p, err := passing(s.Journal(), number, from, unit)
		if err == nil {
			err = p.keep(string(s))
		}
		if err != nil {
			return err
		}
	}
	if err := adopt(s.Journal(), from, unit, history.Witness{}); err != nil {
		return err
	}
	for name, text := range map[string]string{tableFile: number, ownerFile: unit} {
		if err := os.WriteFile(filepath.Join(string(s), name), []byte(text+"\n"), 0o640); err != nil {
			return err
		}
	}
	if err := syncAll(data); err != nil {
		return err
	}
	if err := os.Rename(string(s), filepath.Join(data, committed)); err != nil {
		return err
	}
	return Finish(data)
}

// Finish ends a take-over that was committed, and takes away what was not. It may be
// interrupted and called again.
func Finish(data string) error {
	if err := Stage(filepath.Join(data, staged)).Drop(); err != nil {
		return err
	}
	from := filepath.Join(data, committed)
	if _, err := os.Stat(from); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err := swap(data, Stage(from)); err != nil {
		return err
	}
	for _, name := range []string{config.LastGood, tableFile, ownerFile, passedFile} {
		if err := os.Rename(filepath.Join(from, name), filepath.Join(data, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	if err := syncAll(data); err != nil {
		return err
	}
	return os.RemoveAll(from)
}

// swap puts a record in the place of the one that is there, which is put aside with
// its index.
func swap(data string, from Stage) error {
	if _, err := os.Stat(from.Journal()); errors.Is(err, fs.ErrNotExist) {
		return nil // done before an interruption
	}
	if left, err := os.ReadDir(datadir.Journal(data)); err == nil && len(left) == 1 && left[0].Name() == "lock" {
		// Nothing to put aside. Only what is empty goes: two may be here at once.
		_ = os.Remove(filepath.Join(datadir.Journal(data), "lock"))
		_ = os.Remove(datadir.Journal(data))
	}
	suffix := ".before." + time.Now().UTC().Format("20060102T150405")
	for _, name := range []string{"history.db", filepath.Base(datadir.Journal(data))} {
		path := filepath.Join(data, name)
		if err := os.Rename(path, path+suffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return os.Rename(from.Journal(), datadir.Journal(data))
}

// Aside are the records that were put aside in a data folder, the newest last.
func Aside(data string) []string {
	names, _ := filepath.Glob(datadir.Journal(data) + ".before.*") // the pattern is right
	slices.Sort(names)
	return names
}

func syncAll(data string) error {
	dir, err := os.Open(data)
	if err != nil {
		return err
	}
	return errors.Join(unix.Syncfs(int(dir.Fd())), dir.Close())
}

// adopt makes a record one that the unit can go on with. The segments of the other
// unit stay as they are; a new one with this unit's name begins with their state, and with
// what is wrong with them as faults: the next start would find nothing of it. The witness
// knows of records that are lost, the zero value of none.
func adopt(dir, from, unit string, witness history.Witness) error {
	names, err := filepath.Glob(filepath.Join(dir, "*.jrn"))
	if err != nil || len(names) == 0 {
		return err
	}
	if from == unit {
		return nil
	}
	j, found, err := journal.Open(journal.Dir(dir), from)
	if err != nil {
		return err
	}
	state, unfit := history.Restore(found)
	for _, problem := range found.Problems {
		state = faulty(state, "record", table.Damage(state, problem))
	}
	for _, why := range unfit {
		state = faulty(state, "record", table.Nonsense(why))
	}
	if l := witness.Lost(state, found.Last); l.Any() {
		state = faulty(state, history.FaultLost, l.Sentence())
		if err := errors.Join(l.Keep(history.Path(filepath.Dir(dir))), j.Above(l.Last)); err != nil {
			return errors.Join(err, j.Close())
		}
	}
	data, err := tracker.MarshalCheckpoint(state)
	if err != nil {
		return errors.Join(err, j.Close())
	}
	_, err = j.Roll(journal.Record{Source: "take-over", Payload: data, Wall: time.Now().UnixNano()})
	if err := errors.Join(err, j.Close()); err != nil {
		return err
	}
	return rename(dir, unit)
}

// faulty returns s with a fault that stands.
func faulty(s tracker.State, code, text string) tracker.State {
	at := tracker.Stamp{Seq: s.Seq, Wall: time.Now().UnixMilli()}
	raised := tracker.Command{Kind: tracker.FaultRaised, Code: code, Text: text, At: at}
	if _, after, err := tracker.Decide(s, raised); err == nil {
		s = after
	}
	return s
}

// The header of a segment, by the journal's written format: length and place of the
// unit's id, and its own checksum.
const (
	headerSize = 64
	unitLength = 10
	headerSum  = 12
	unitAt     = 24
)

func sumOfHeader(header []byte) uint32 {
	h := slices.Clone(header[:headerSize])
	clear(h[headerSum : headerSum+4])
	return crc32.Checksum(h, crc32.MakeTable(crc32.Castagnoli))
}

// unitOf is the unit that a segment names, "" when its header cannot be read.
func unitOf(path string) string {
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	h := make([]byte, headerSize)
	if _, err := f.ReadAt(h, 0); err != nil || binary.LittleEndian.Uint32(h[headerSum:]) != sumOfHeader(h) {
		return ""
	}
	return strings.TrimRight(string(h[unitAt:]), "\x00")
}

// rename gives the newest segment of a folder to another unit.
func rename(dir, unit string) error {
	segments, err := filepath.Glob(filepath.Join(dir, "*.jrn"))
	if err != nil || len(segments) == 0 {
		return errors.Join(err, errors.New("there is no segment to go on with"))
	}
	newest := slices.Max(segments)
	data, err := os.ReadFile(newest)
	if err != nil {
		return err
	}
	if len(unit) > journal.MaxUnit || len(data) < headerSize || binary.LittleEndian.Uint32(data[headerSum:]) != sumOfHeader(data) {
		return fmt.Errorf("%s cannot be given to unit %q", newest, unit)
	}
	binary.LittleEndian.PutUint16(data[unitLength:], uint16(len(unit)))
	clear(data[unitAt:headerSize])
	copy(data[unitAt:], unit)
	binary.LittleEndian.PutUint32(data[headerSum:], sumOfHeader(data))
	return renameio.WriteFile(newest, data, 0o640)
}
