package history

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/google/renameio/v2"
	bolt "go.etcd.io/bbolt"

	"shoeboard/tracker"
	"shoeboard/tracker/journal"
	"shoeboard/tracker/regular"
)

// FaultLost is the code of the fault of a record that has lost its end. It is raised for ever,
// as the gap remains.
const FaultLost = "records-missing"

// mostLost limits how many records are believed to be lost: no record comes near.
const mostLost = 1 << 32

// Lost says which records were on the medium and are not there any more: the end of the
// record. The zero value: none.
type Lost struct {
	First, Last uint64
	Shoes       int // that had ended and reach into them, by their rows
}

// FindLost compares a record with what is kept beside it, which is written when a record is
// on the medium: the pending entry, and the file of shoes at path unless a core has that open.
// A file of another record knows nothing of it.
func FindLost(path string, files journal.Files) Lost {
	acknowledged, reach := journal.Acknowledged(files), reachOf(path) // before the record: a core may be adding to it
	found, err := journal.Look(files)
	if err != nil {
		return Lost{}
	}
	return findLost(path, found, acknowledged, reach)
}

// FindLostAtStart does the same for a core, which has opened the record and found this.
func FindLostAtStart(path string, files journal.Files, found journal.Found) Lost {
	return findLost(path, found, journal.Acknowledged(files), reachOf(path))
}

func findLost(path string, found journal.Found, pending, reach uint64) Lost {
	l := Lost{First: found.Last + 1, Last: pending}
	if reach > found.Last {
		state, _ := Restore(found)
		reach, l.Shoes = l.indexed(path, state)
		l.Last = max(l.Last, reach)
	}
	if l.Last < l.First || l.Last-found.Last > mostLost {
		return Lost{}
	}
	return l
}

// reachForm is the form of the note beside a file that says how far its rows reach at most.
// Thanks to it a start need not check the file first.
const reachForm = "%020d\n"

// noteReach writes that note where it says less, and is called before the rows are written:
// they never reach further than the note.
func noteReach(path string, reach uint64) error {
	if noted, ok := notedReach(path); ok && noted >= reach {
		return nil
	}
	if err := renameio.WriteFile(path+".reach", fmt.Appendf(nil, reachForm, reach), 0o640); err != nil {
		return err
	}
	return journal.Dir(filepath.Dir(path)).SyncDir()
}

// notedReach reads that note; false: there is none.
func notedReach(path string) (reach uint64, ok bool) {
	text, _ := regular.Read(path+".reach", regular.Most)
	_, err := fmt.Sscanf(string(text), "%d", &reach)
	return reach, err == nil && string(text) == fmt.Sprintf(reachForm, reach)
}

// reachOf returns the last record of which a file may know, 0 when it cannot be read.
func reachOf(path string) uint64 {
	if reach, ok := notedReach(path); ok {
		return reach
	}
	if _, err := os.Stat(path); err != nil {
		return 0
	}
	r := start(context.Background(), program(), path)
	defer r.Close()
	if r.most = askIn; r.readHead() != nil {
		return 0
	}
	return r.Reach
}

// indexed returns how far the rows of a file reach, and how many shoes are lost; nothing when
// the file is damaged or not of the record with state s. It is of that when the newest shoe
// that has ended in s has a row, and this and the shoe in play began as theirs.
func (l Lost) indexed(path string, s tracker.State) (reach uint64, shoes int) {
	var ended tracker.Stamp
	for _, shoe := range []*tracker.Shoe{s.Previous, s.Finished} {
		if shoe != nil && len(shoe.Hands) > 0 {
			ended = shoe.Started
		}
	}
	has := ended.Seq == 0 // none has: nothing speaks against it
	err := readAll(path, func(r Row) error {
		for _, began := range []tracker.Stamp{ended, s.Shoe.Started} {
			if r.Shoe == began.Seq && r.Started != began.Wall*int64(time.Millisecond) {
				return fmt.Errorf("shoe %d began at another time", r.Shoe)
			}
		}
		has = has || r.Shoe == ended.Seq
		if reach = max(reach, r.Last); r.Last >= l.First {
			shoes++
		}
		return nil
	})
	if err != nil || !has {
		return 0, 0
	}
	return reach, shoes
}

// readAll reads a file that no core has open.
func readAll(path string, each func(Row) error) error {
	r, err := Open(context.Background(), path, nil)
	if err != nil {
		return err
	}
	defer r.Close()
	return r.Rows(each)
}

// Any reports whether records are lost.
func (l Lost) Any() bool { return l.Last > 0 }

// Has reports whether a shoe reaches into what is lost.
func (l Lost) Has(r Row) bool { return l.Shoes > 0 && r.Last >= l.First }

// String says which records are lost.
func (l Lost) String() string {
	text := fmt.Sprintf("records %d to %d are missing", l.First, l.Last)
	if l.First == l.Last {
		text = fmt.Sprintf("record %d is missing", l.First)
	}
	switch l.Shoes {
	case 0:
		return text
	case 1:
		return text + ", among them 1 shoe that had ended"
	}
	return fmt.Sprintf("%s, among them %d shoes that had ended", text, l.Shoes)
}

// Sentence returns what the board says of it.
func (l Lost) Sentence() string {
	return strings.ToUpper(l.String()[:1]) + l.String()[1:] +
		": check the board with the surveillance, call a technician"
}

// Keep marks the rows of the shoes that the record has lost, all or none, so that they stay.
// It is called before the next record is written, and before the Keeper runs.
func (l Lost) Keep(path string) error {
	if l.Shoes == 0 {
		return nil
	}
	var lost []Row
	err := readAll(path, func(r Row) error {
		if l.Has(r) && !Only(r) {
			lost = append(lost, r)
		}
		return nil
	})
	if err != nil || len(lost) == 0 {
		return err
	}
	db, err := openFile(path, bolt.Options{})
	if err != nil {
		return err
	}
	err = guard(func() error {
		return db.Update(func(tx *bolt.Tx) (err error) {
			for _, r := range lost {
				err = errors.Join(err, change(tx, keyOf(r.Shoe), nil))
			}
			for _, r := range lost {
				m := l.marked(r)
				err = errors.Join(err, change(tx, keyOf(m.Shoe), m.encode()))
			}
			return err
		})
	})
	return errors.Join(err, shut(db))
}

// onlyMark is in the totals of a shoe that the record has lost.
var onlyMark = []byte(`"index_only":true`)

// Only reports whether the record has lost a shoe: this row alone has it.
func Only(r Row) bool { return bytes.Contains(r.Totals, onlyMark) }

// marked returns a row with the mark. One whose beginning the record still has gets another
// key, for its shoe may go on and end once more: the number of its last record, which is lost
// and begins no shoe.
func (l Lost) marked(r Row) Row {
	if rest, ok := bytes.CutPrefix(r.Totals, []byte(`{"`)); ok {
		r.Totals = slices.Concat([]byte(`{`), onlyMark, []byte(`,"`), rest)
	}
	if r.Shoe < l.First {
		r.Packed = rebase(r.Packed, int64(r.Shoe)-int64(r.Last))
		r.Shoe = r.Last
	}
	return r
}

// rebase returns the packed hands of a shoe whose key has become less by so much: the record
// of the first is counted from the key, that of each other from the one before.
func rebase(packed []byte, less int64) []byte {
	first := bytes.IndexByte(packed, '\n') + 1
	_, token := binary.Uvarint(packed[first:])
	at := first + max(token, 0)
	record, n := binary.Varint(packed[at:])
	if n <= 0 {
		return packed // it is damaged, and Unpack says so
	}
	return slices.Concat(packed[:at], binary.AppendVarint(nil, record+less), packed[at+n:])
}
