package transfer

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"shoeboard/cmd/internal/config"
	"shoeboard/cmd/internal/datadir"
	"shoeboard/tracker"
	"shoeboard/tracker/history"
	"shoeboard/tracker/journal"
)

// A stage is a folder beside the record in which another one is made ready.
const (
	staged    = "takeover.tmp" // being made ready: counts for nothing
	committed = "takeover"     // ready: the next start ends it
)

// exchange loads an archive into a stage and puts it in the place of a data folder's record,
// as the unit's.
func exchange(data, unit string, load func(*loading) error) (in *loading, err error) {
	if err := os.MkdirAll(data, 0o750); err != nil {
		return nil, err
	}
	held := filepath.Join(datadir.Journal(data), "lock")
	if info, err := os.Lstat(held); err == nil && !info.Mode().IsRegular() { // a core would put it aside
		return nil, fmt.Errorf("%s is no file, and a core may be running: stop it, remove that, then again", held)
	}
	lock, err := journal.Dir(datadir.Journal(data)).Lock()
	if err != nil {
		return nil, inUse(err)
	}
	defer lock.Close()
	in = &loading{stage: filepath.Join(data, staged), got: sums{}, want: sums{}}
	err = os.RemoveAll(in.stage)
	if err == nil {
		err = os.MkdirAll(datadir.Journal(in.stage), 0o750)
	}
	if err == nil {
		err = load(in)
	}
	if err == nil {
		err = datadir.CheckTable(in.manifest.Table)
	}
	if err == nil {
		err = commit(in.stage, in.manifest, unit, in.note)
	}
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(in.stage))
	}
	return in, nil
}

// inUse says what to do about a record that a core uses.
func inUse(err error) error {
	if errors.Is(err, journal.ErrInUse) {
		return fmt.Errorf("the core is running: sudo systemctl stop shoeboard, then again (%w)", err)
	}
	return err
}

// commit makes the record of a stage this unit's, and puts it and the table's number in the
// place of what the data folder has. note becomes a fault of the record, if it is not empty. The
// caller holds the lock of the data folder's journal.
func commit(stage string, m Manifest, unit, note string) error {
	data := filepath.Dir(stage)
	if err := adopt(datadir.Journal(stage), m.Unit, unit, history.Lost{}, note); err != nil {
		return err
	}
	for name, text := range map[string]string{tableFile: m.Table, ownerFile: unit} {
		if err := os.WriteFile(filepath.Join(stage, name), []byte(text+"\n"), 0o640); err != nil {
			return err
		}
	}
	if err := syncFS(os.Open(data)); err != nil {
		return err
	}
	if err := os.Rename(stage, filepath.Join(data, committed)); err != nil {
		return err
	}
	return finishStage(data)
}

// finishStage ends a restore that was committed, and removes one that was not. It may be
// interrupted and called again.
func finishStage(data string) error {
	ready := filepath.Join(data, staged)
	if _, err := os.Lstat(ready); err == nil { // on a read-only card even removing nothing fails
		if err := os.RemoveAll(ready); err != nil {
			return err
		}
	}
	from := filepath.Join(data, committed)
	if _, err := os.Stat(from); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err := swap(data, from); err != nil {
		return err
	}
	for _, name := range []string{config.LastGood, tableFile, ownerFile} {
		if err := rename(filepath.Join(from, name), filepath.Join(data, name)); err != nil {
			return err
		}
	}
	if err := syncFS(os.Open(data)); err != nil {
		return err
	}
	return os.RemoveAll(from)
}

// rename renames a file that may be missing.
func rename(from, to string) error {
	if err := os.Rename(from, to); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// swap puts a record in the place of the one that is there, which is put aside with its
// history.
func swap(data, from string) error {
	if _, err := os.Stat(datadir.Journal(from)); errors.Is(err, fs.ErrNotExist) {
		return nil // done before an interruption
	}
	own := datadir.Journal(data)
	if left, err := os.ReadDir(own); err == nil && len(left) == 1 && left[0].Name() == "lock" {
		// Nothing to put aside. Only what is empty goes: two may be here at once.
		_ = os.Remove(filepath.Join(own, "lock"))
		_ = os.Remove(own)
	}
	suffix := ".before." + time.Now().UTC().Format("20060102T150405")
	err := rename(history.Path(data), history.Path(data)+suffix)
	if err == nil {
		err = rename(own, own+suffix)
	}
	if err != nil {
		return err
	}
	return os.Rename(datadir.Journal(from), own)
}

// aside returns the records that were put aside in a data folder, the newest last.
func aside(data string) []string {
	names, _ := filepath.Glob(datadir.Journal(data) + ".before.*") // the pattern is right
	slices.Sort(names)
	return names
}

// adopt makes a record one that the unit can go on with. The segments of the other unit
// stay as they are; a new one with this unit's name begins with their state, and with
// their damage, what they have lost and a note as faults: the next start would find nothing of
// it.
func adopt(dir, from, unit string, lost history.Lost, note string) error {
	_, segments, err := journal.Newest(journal.Dir(dir))
	if err != nil || segments == 0 || from == unit && note == "" {
		return err
	}
	j, found, err := journal.Open(journal.Dir(dir), from)
	if err != nil {
		return err
	}
	state, unfit := history.Restore(found)
	if text := history.Damage(state, found, unfit); text != "" {
		state = faulty(state, "record", text)
	}
	if note != "" {
		state = faulty(state, "take-over", note)
	}
	if lost.Any() {
		state = faulty(state, history.FaultLost, lost.Sentence())
		err = errors.Join(lost.Keep(history.Path(filepath.Dir(dir))), j.Above(lost.Last))
	}
	checkpoint, unwritten := tracker.MarshalCheckpoint(state)
	if err = errors.Join(err, unwritten); err == nil {
		err = j.HandOver(unit)
	}
	if err == nil {
		_, err = j.Roll(journal.Record{Source: "take-over", Payload: checkpoint, Wall: time.Now().UnixNano()})
	}
	return errors.Join(err, j.Close())
}

// faulty returns s with a standing fault.
func faulty(s tracker.State, code, text string) tracker.State {
	at := tracker.Stamp{Seq: s.Seq, Wall: time.Now().UnixMilli()}
	_, after, _ := tracker.Decide(s, tracker.Command{Kind: tracker.FaultRaised, Code: code, Text: text, At: at})
	return after // s where it is raised already
}
