package transfer

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"golang.org/x/sys/unix"

	"shoeboard/cmd/internal/config"
	"shoeboard/cmd/internal/datadir"
	"shoeboard/tracker"
	"shoeboard/tracker/history"
	"shoeboard/tracker/journal"
	"shoeboard/tracker/table"
)

// stage is a folder beside the record in which another one is made ready. Nothing counts
// before commit.
type stage string

const (
	staged    = "takeover.tmp" // being made ready: counts for nothing
	committed = "takeover"     // ready: the next start ends it
)

// newStage makes an empty stage in a data folder.
func newStage(data string) (stage, error) {
	s := stage(filepath.Join(data, staged))
	if err := s.drop(); err != nil {
		return s, err
	}
	return s, os.MkdirAll(s.journal(), 0o750)
}

// journal returns the folder of the segments.
func (s stage) journal() string { return datadir.Journal(string(s)) }

// drop removes the stage.
func (s stage) drop() error { return os.RemoveAll(string(s)) }

// exchange loads an archive into a stage and puts it in the place of a data folder's record,
// as the unit's.
func exchange(data, unit string, load func(*loading) error) (in *loading, err error) {
	if err := os.MkdirAll(data, 0o750); err != nil {
		return nil, err
	}
	lock, err := journal.Dir(datadir.Journal(data)).Lock()
	if err != nil {
		return nil, inUse(err)
	}
	defer lock.Close()
	s, err := newStage(data)
	if err != nil {
		return nil, err
	}
	in = &loading{stage: s, got: sums{}, want: sums{}}
	if err = load(in); err == nil {
		err = datadir.CheckTable(in.manifest.Table)
	}
	if err == nil {
		err = s.commit(in.manifest.Unit, unit, in.manifest.Table)
	}
	if err != nil {
		return nil, errors.Join(err, s.drop())
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

// commit makes the segments of unit from the record of this unit, and puts stage and table
// number in the place of what the data folder has. The caller holds the lock of the data
// folder's journal.
func (s stage) commit(from, unit, number string) error {
	data := filepath.Dir(string(s))
	if err := adopt(s.journal(), from, unit, history.Lost{}); err != nil {
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
	return finishStage(data)
}

// finishStage ends a restore that was committed, and removes one that was not. It may be
// interrupted and called again.
func finishStage(data string) error {
	if err := stage(filepath.Join(data, staged)).drop(); err != nil {
		return err
	}
	from := stage(filepath.Join(data, committed))
	if _, err := os.Stat(string(from)); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err := swap(data, from); err != nil {
		return err
	}
	for _, name := range []string{config.LastGood, tableFile, ownerFile} {
		if err := rename(filepath.Join(string(from), name), filepath.Join(data, name)); err != nil {
			return err
		}
	}
	if err := syncAll(data); err != nil {
		return err
	}
	return from.drop()
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
func swap(data string, from stage) error {
	if _, err := os.Stat(from.journal()); errors.Is(err, fs.ErrNotExist) {
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
	return os.Rename(from.journal(), own)
}

// aside returns the records that were put aside in a data folder, the newest last.
func aside(data string) []string {
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

// adopt makes a record one that the unit can go on with. The segments of the other unit
// stay as they are; a new one with this unit's name begins with their state, and with
// their damage as faults: the next start would find nothing of it. lost is
// what the record has lost.
func adopt(dir, from, unit string, lost history.Lost) error {
	_, segments, err := journal.Newest(journal.Dir(dir))
	if err != nil || segments == 0 || from == unit {
		return err
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
	_, after, err := tracker.Decide(s, tracker.Command{Kind: tracker.FaultRaised, Code: code, Text: text, At: at})
	if err != nil {
		return s
	}
	return after
}
