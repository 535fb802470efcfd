package transfer

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/google/renameio/v2"

	"shoeboard/cmd/internal/config"
	"shoeboard/cmd/internal/datadir"
	"shoeboard/tracker"
	"shoeboard/tracker/history"
	"shoeboard/tracker/journal"
)

// ownerFile names the unit that a data folder belongs to.
const ownerFile = "unit"

// Question is a table that could be taken over; the keypad asks it.
type Question struct {
	Table string // its number
	Unit  string // the unit whose record it is
	// LastHand is when its last hand was recorded, by that unit's clock; zero when
	// the record has none.
	LastHand time.Time
	// Card says that the record is in the data folder of this unit: its card was
	// another unit's. Else it is on the stick.
	Card bool

	slot Slot
	data string
}

// From says where the record is: "card" or "stick".
func (q Question) From() string {
	if q.Card {
		return "card"
	}
	return "stick"
}

// Begin makes a data folder ready for a start of the unit, before the record is
// opened. It ends what a power cut interrupted and writes the unit's name into a
// folder that is new. What comes back is to be asked before anything else: at most one
// Question of the card, or one for each table on the stick when the own record is
// blank, the newest first. Without a question the unit goes on as itself.
func Begin(data, unit string, slot Slot) ([]Question, error) {
	if err := Finish(data); err != nil {
		return nil, fmt.Errorf("an interrupted take-over: %w", err)
	}
	newest, count, err := newestSegment(data)
	if err != nil {
		return nil, err
	}
	if owner := ownerOf(data, newest); count > 0 && owner != "" && owner != unit {
		return fromCard(data, owner), nil
	}
	if err := own(data, unit); err != nil {
		return nil, err
	}
	if !blank(data, count) {
		return nil, nil
	}
	return fromStick(data, unit, slot)
}

// ownerOf is the unit that wrote the newest segment, which decides; where that
// cannot be read, the one that the folder names.
func ownerOf(data, newest string) string {
	if newest != "" {
		if unit := unitOf(filepath.Join(datadir.Journal(data), newest)); unit != "" {
			return unit
		}
	}
	text, err := os.ReadFile(filepath.Join(data, ownerFile))
	if err != nil {
		return ""
	}
	return string(text[:max(len(text)-1, 0)])
}

// own writes the unit's name into its data folder.
func own(data, unit string) error {
	path := filepath.Join(data, ownerFile)
	if text, err := os.ReadFile(path); err == nil && string(text) == unit+"\n" {
		return nil
	}
	if err := os.MkdirAll(data, 0o750); err != nil {
		return fmt.Errorf("the data folder: %w", err)
	}
	if err := renameio.WriteFile(path, []byte(unit+"\n"), 0o640); err != nil {
		return fmt.Errorf("the data folder: %w", err)
	}
	return nil
}

// Blank says that the record of a data folder holds no hand: nothing is lost when
// another one takes its place.
func Blank(data string) bool {
	_, count, err := newestSegment(data)
	return err == nil && blank(data, count)
}

// newestSegment is the segment that was written last, "" for none, and how many there
// are. Five years have 54,000: a start can look at them once, and sort them never.
func newestSegment(data string) (newest string, count int, err error) {
	entries, err := journal.Dir(datadir.Journal(data)).List()
	for _, e := range entries {
		if isSegment(e.Name) {
			newest, count = max(newest, e.Name), count+1
		}
	}
	return newest, count, err
}

// blank is Blank of a record with so many segments.
func blank(data string, segments int) bool {
	if segments > mostBlank {
		return false
	}
	found, err := journal.Look(journal.Dir(datadir.Journal(data)))
	if err != nil || slices.ContainsFunc(found.Problems, func(p *journal.Problem) bool { return p.Trouble != journal.Torn }) {
		return false // what cannot be read may have been a hand
	}
	state, unfit := history.Restore(found)
	_, any := lastHand(state)
	return len(unfit) == 0 && !any
}

// mostBlank is how many segments a record without a hand may have: a table that was
// opened and closed a few times.
const mostBlank = 4

func stateOf(files journal.Files) (tracker.State, error) {
	found, err := journal.Look(files)
	if err != nil {
		return tracker.State{}, err
	}
	state, _ := history.Restore(found) // what of it does not fold is no reason not to ask
	return state, nil
}

// lastHand is when the last hand was recorded.
func lastHand(s tracker.State) (time.Time, bool) {
	shoes := []*tracker.Shoe{&s.Shoe, s.Finished, s.Previous}
	for _, shoe := range shoes {
		if shoe != nil && len(shoe.Hands) > 0 {
			return time.UnixMilli(shoe.RecordedAt().Wall), true
		}
	}
	return time.Time{}, false
}

// fromCard asks for the table of the card. Whatever its number is, the card is another
// unit's.
func fromCard(data, owner string) []Question {
	number, _ := datadir.TableOf(data)
	q := Question{Table: number, Unit: owner, Card: true, data: data}
	if state, err := stateOf(journal.Dir(datadir.Journal(data))); err == nil {
		q.LastHand, _ = lastHand(state)
	}
	return []Question{q}
}

// fromStick asks for the tables of other units on the stick, and for this unit's own:
// its card may have been replaced.
func fromStick(data, unit string, slot Slot) ([]Question, error) {
	root, err := slot.Open()
	if errors.Is(err, ErrNone) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer root.Close()
	all, err := mirrors(root)
	if err != nil {
		return nil, nil // a broken stick is the mirror's to tell
	}
	var questions []Question
	for _, m := range all {
		state, err := stateOf(mirrorFiles{root, m})
		if err != nil {
			continue
		}
		q := Question{Table: m.Table, Unit: m.Unit, slot: slot, data: data}
		if q.LastHand, _ = lastHand(state); !q.LastHand.IsZero() {
			questions = append(questions, q)
		}
	}
	return questions, nil
}

// Yes takes the table over for the unit: afterwards a start of the unit goes on with
// it. The core must not run on the data folder (journal.ErrInUse). After an error, or
// a power cut, the table is not taken over, and can be asked for again.
func (q Question) Yes(unit string) error {
	if !q.Card {
		return q.take(unit)
	}
	p, err := passing(datadir.Journal(q.data), q.Table, q.Unit, unit)
	if err == nil {
		err = p.keep(q.data)
	}
	if err == nil {
		err = adopt(datadir.Journal(q.data), q.Unit, unit, history.Ask(history.Path(q.data), journal.Dir(datadir.Journal(q.data))))
	}
	if err != nil {
		return err
	}
	return own(q.data, unit)
}

// No is the sentence that the board has to show after a No, for as long as the
// table then stays closed; "" when there is nothing to say, and the unit goes on as
// itself. Nothing is written: the next start asks again.
func (q Question) No() string {
	if !q.Card {
		return ""
	}
	return fmt.Sprintf("Nothing is recorded: the card is table %s's, of unit %s. Put in this unit's own card or a new one; or: sudo shoeboard takeover --yes", q.Table, q.Unit)
}

// take copies the mirror beside the own record, and puts it in its place when it is
// whole.
func (q Question) take(unit string) error {
	if !Blank(q.data) {
		return fmt.Errorf("this unit has a record of its own in %s: shoeboard backup, then put that folder aside", q.data)
	}
	lock, err := journal.Dir(datadir.Journal(q.data)).Lock()
	if err != nil {
		return err
	}
	defer lock.Close()
	root, err := q.slot.Open()
	if err != nil {
		return err
	}
	defer root.Close()
	m, err := readManifest(root, home(q.Unit))
	if err == nil && m.Table != q.Table {
		err = fmt.Errorf("the stick has table %s now, asked was table %s: start again", m.Table, q.Table)
	}
	if err != nil {
		return err
	}
	s, err := NewStage(q.data)
	if err != nil {
		return err
	}
	err = s.fill(root, m)
	if err == nil {
		err = s.Commit(m.Unit, unit, m.Table)
	}
	if err != nil {
		return errors.Join(fmt.Errorf("table %s was not taken over: %w", m.Table, err), s.Drop())
	}
	if p, ok := took(q.data, unit); ok {
		_ = p.leaveWord(root) // a stick that can only be read gets it when a mirror is written to it
	}
	return nil
}

// fill puts a mirror into the stage, and checks what it puts there.
func (s Stage) fill(root *os.Root, m Manifest) error {
	files := newCopying(root, m, s.Journal())
	check, err := journal.Verify(files)
	if err = errors.Join(err, files.copied()); err != nil {
		return err
	}
	state, err := stateOf(mirrorFiles{root, m})
	if err != nil {
		return err
	}
	_, lost := state.Fault(history.FaultLost)
	for _, p := range check.Problems {
		jump := lost && p.Trouble == journal.Gap && p.Bytes == 0                         // the unit's own record had it
		torn := p.Trouble == journal.Torn && p.Segment == m.To && files.whole            // as it stood when it was mirrored
		begin := p.Trouble == journal.Gap && p.Segment == m.From && p.Last < check.First // the stick was pulled out early
		if !torn && !begin && !jump {
			return p
		}
	}
	text, err := Read(root, filepath.Join(home(m.Unit), config.LastGood), mostText)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(string(s), config.LastGood), text, 0o640)
}
