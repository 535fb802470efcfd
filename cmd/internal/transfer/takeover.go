package transfer

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/google/renameio/v2"

	"shoeboard/cmd/internal/datadir"
	"shoeboard/cmd/internal/secret"
	"shoeboard/tracker"
	"shoeboard/tracker/history"
	"shoeboard/tracker/journal"
	"shoeboard/tracker/regular"
)

// ownerFile names the unit that a data folder belongs to.
const ownerFile = "unit"

// Question is a table that could be taken over; the keypad asks it.
type Question struct {
	Table string // its number
	Unit  string // the unit that has its record
	// LastHand is when its last hand was recorded, by that unit's clock; zero when the
	// record has none.
	LastHand    time.Time
	House       string // that dealt it, by its record
	Shoe, Hands int    // the number of its last shoe that day, and the hands in it
	// Unsigned says that the house, whose key this unit has, has not signed it.
	Unsigned bool
	// Card says that the record is in the data folder of this unit: its card was another
	// unit's. Else it is on the stick.
	Card bool

	slot  Slot
	data  string
	venue secret.Key
}

// Begin makes a data folder ready for a start of the unit, before the record is opened. It
// ends what a power cut interrupted and writes the unit's name into a new folder. It
// returns what to ask before anything else: at most one Question of the card, or one for
// each table on the stick when the own record is blank, the newest first. Without a
// question the unit goes on as itself. venue is the house's key, the zero Key where it has none.
func Begin(data, unit string, slot Slot, venue secret.Key) ([]Question, error) {
	if err := finishStage(data); err != nil {
		return nil, fmt.Errorf("an interrupted take-over: %w", err)
	}
	owner, segments, err := journal.Newest(journal.Dir(datadir.Journal(data)))
	if err != nil {
		return nil, err
	}
	if owner == "" { // where the newest segment, which decides, cannot be read
		text, _ := regular.Read(filepath.Join(data, ownerFile), mostText) // a missing one names nobody
		owner = strings.TrimSuffix(string(text), "\n")
	}
	if segments > 0 && owner != "" && owner != unit {
		return fromCard(data, owner), nil
	}
	if err := own(data, unit); err != nil {
		return nil, err
	}
	if !blank(data, segments) {
		return nil, nil
	}
	return fromStick(data, slot, venue)
}

// own writes the unit's name into its data folder.
func own(data, unit string) error {
	path := filepath.Join(data, ownerFile)
	if text, err := regular.Read(path, mostText); err == nil && string(text) == unit+"\n" {
		return nil
	}
	err := os.MkdirAll(data, 0o750)
	if err == nil {
		err = renameio.WriteFile(path, []byte(unit+"\n"), 0o640)
	}
	if err != nil {
		return fmt.Errorf("the data folder: %w", err)
	}
	return nil
}

// Blank reports whether the record of a data folder holds no hand: nothing is lost when
// another one takes its place.
func Blank(data string) bool {
	_, segments, err := journal.Newest(journal.Dir(datadir.Journal(data)))
	return err == nil && blank(data, segments)
}

// mostBlank is how many segments a record without a hand may have: a table that was opened
// and closed a few times.
const mostBlank = 4

func blank(data string, segments int) bool {
	if segments > mostBlank {
		return false
	}
	found, err := journal.Look(journal.Dir(datadir.Journal(data)))
	damaged := func(p *journal.Problem) bool { return p.Trouble != journal.Torn }
	if err != nil || slices.ContainsFunc(found.Problems, damaged) {
		return false // what cannot be read may have been a hand
	}
	state, unfit := history.Restore(found)
	return len(unfit) == 0 && lastHand(state).IsZero()
}

// stateOf returns the state of a record as far as it can be read.
func stateOf(files journal.Files) (tracker.State, error) {
	found, err := journal.Look(files)
	if err != nil {
		return tracker.State{}, err
	}
	state, _ := history.Restore(found)
	return state, nil
}

// about fills in what a question says of a record.
func (q *Question) about(s tracker.State) {
	q.LastHand, q.House = lastHand(s), tracker.Plain(s.Settings.Venue, tracker.MaxName)
	if shoe := lastShoe(s); shoe != nil {
		q.Shoe, q.Hands = shoe.Number, len(shoe.Hands)
	}
}

// lastHand returns when the last hand was recorded, the zero time when none was.
func lastHand(s tracker.State) time.Time {
	if shoe := lastShoe(s); shoe != nil {
		return time.UnixMilli(shoe.RecordedAt().Wall)
	}
	return time.Time{}
}

// lastShoe returns the last shoe with a hand, nil when there is none.
func lastShoe(s tracker.State) *tracker.Shoe {
	for _, shoe := range []*tracker.Shoe{&s.Shoe, s.Finished, s.Previous} {
		if shoe != nil && len(shoe.Hands) > 0 {
			return shoe
		}
	}
	return nil
}

// fromCard asks about the table of the card. Whatever its number is, the card is another
// unit's.
func fromCard(data, owner string) []Question {
	number, _ := datadir.TableOf(data)
	q := Question{Table: number, Unit: owner, Card: true, data: data}
	if state, err := stateOf(journal.Dir(datadir.Journal(data))); err == nil {
		q.about(state)
	}
	return []Question{q}
}

// fromStick asks about the tables on the stick, of this unit too: its card may have been
// replaced. Of a table that was taken over before, the record that goes further counts.
func fromStick(data string, slot Slot, venue secret.Key) ([]Question, error) {
	root, err := slot.Open()
	if errors.Is(err, ErrNone) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer root.Close()
	all, _ := mirrors(root) // the mirror tells of a broken stick
	var questions []Question
	for _, m := range all {
		if slices.ContainsFunc(all, func(o Manifest) bool { return o.Table == m.Table && o.further(m) }) {
			continue
		}
		state, err := stateOf(mirrorFiles{root: root, m: m})
		q := Question{Table: m.Table, Unit: m.Unit, slot: slot, data: data, venue: venue}
		q.Unsigned = !venue.IsZero() && !m.isSigned(venue)
		if q.about(state); err == nil && !q.LastHand.IsZero() {
			questions = append(questions, q)
		}
	}
	return questions, nil
}

// further reports whether the record of m goes further than that of o.
func (m Manifest) further(o Manifest) bool { return m.To > o.To || m.To == o.To && m.Size > o.Size }

// Yes takes the table over for the unit: afterwards a start of the unit goes on with it.
// The core must not run on the data folder (journal.ErrInUse). After an error, or a power
// cut, the table is not taken over, and can be asked about again.
func (q Question) Yes(unit string) error {
	if !q.Card {
		return q.load(unit)
	}
	journals := journal.Dir(datadir.Journal(q.data))
	err := adopt(string(journals), q.Unit, unit, history.FindLost(history.Path(q.data), journals), "")
	if err == nil {
		err = own(q.data, unit)
	}
	return inUse(err)
}

// No returns the sentence that the board has to show after a No, for as long as the table
// then stays closed; "" when there is nothing to say, and the unit goes on as itself.
// Nothing is written: the next start asks again.
func (q Question) No() string {
	if !q.Card {
		return ""
	}
	return fmt.Sprintf("Nothing is recorded: the card is table %s's, of unit %s. "+
		"Put in this unit's own card or a new one; or: sudo shoeboard takeover --yes", q.Table, q.Unit)
}

// load puts the mirror in the place of the own record, when it is whole.
func (q Question) load(unit string) error {
	if !Blank(q.data) {
		return fmt.Errorf("this unit has a record of its own in %s: shoeboard backup, then put that folder aside",
			q.data)
	}
	root, err := q.slot.Open()
	if err != nil {
		return err
	}
	defer root.Close()
	m, err := ReadManifest(root, Home(q.Unit))
	if err == nil && (m.Table != q.Table || m.Unit != q.Unit) {
		err = fmt.Errorf("the stick has table %s of unit %s now, not table %s: start again", m.Table, m.Unit, q.Table)
	}
	if err == nil {
		_, err = exchange(q.data, unit, func(in *loading) error {
			if !q.venue.IsZero() && !m.isSigned(q.venue) {
				in.note = fmt.Sprintf("Table %s was taken over from a stick that the house has not signed: "+
					"compare limits, fees and hands", m.Table)
			}
			return in.mirror(root, m)
		})
	}
	if err != nil {
		return fmt.Errorf("table %s was not taken over: %w", q.Table, err)
	}
	return nil
}

// mirror takes the files of a mirror. The sums of a stick may be incomplete, so that the
// record's own chain has to be whole too.
func (l *loading) mirror(root *os.Root, m Manifest) error {
	l.manifest = m
	err := mirrorFiles{root: root, m: m}.load(l)
	if err == nil {
		err = l.check(false)
	}
	if err != nil {
		return err
	}
	files := journal.Dir(datadir.Journal(l.stage))
	state, err := stateOf(files)
	if err != nil {
		return err
	}
	check, err := journal.Verify(files)
	if err != nil {
		return err
	}
	_, lost := state.Fault(history.FaultLost)
	for _, p := range check.Problems {
		gap := p.Trouble == journal.Gap
		jump := gap && lost && p.Bytes == 0                               // the unit's own record had it
		torn := p.Trouble == journal.Torn && p.Segment == m.To && l.whole // as it was when it was mirrored
		start := gap && p.Segment == m.From && p.Last < check.First       // the stick was pulled out early
		if !torn && !start && !jump {
			return p
		}
	}
	return nil
}
