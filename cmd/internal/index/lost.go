package index

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"shoeboard/cmd/internal/datadir"
	"shoeboard/tracker"
	"shoeboard/tracker/history"
	"shoeboard/tracker/journal"
)

// Witness is how far a record went for certain, by what stands beside it: a record is on
// the medium before either knows of it.
type Witness struct {
	data    string
	pending uint64 // the last number that was acknowledged, by the pending entry
	indexed uint64 // the last number of the newest shoe of the index
}

// Ask asks the witnesses of a data folder. Beside a core that runs they are asked before the
// record is looked at.
func Ask(data string) Witness {
	w := Witness{data: data, pending: journal.Acknowledged(journal.Dir(datadir.Journal(data)))}
	_ = history.Since(Path(data), math.MaxUint64, func(r history.Row) error { // an index that cannot be read knows nothing
		w.indexed = max(w.indexed, r.Last)
		return nil
	})
	return w
}

// FaultLost is the fault of a record that has lost its end. It stands in it for ever, as the
// gap does.
const FaultLost = "records-missing"

// Lost are records that were on the medium and are not there any more: the end of the
// record. The zero value: none is.
type Lost struct {
	First, Last uint64
	Shoes       int // that had ended and reach into them, by the index
}

// mostLost bounds what is believed of a witness: no record comes near.
const mostLost = 1 << 32

// Lost compares the witnesses with a record that ends with number last, in state s. An index
// that is not of this record knows nothing of it.
func (w Witness) Lost(s tracker.State, last uint64) Lost {
	l := Lost{First: last + 1, Last: w.pending}
	if w.indexed > last && belongs(Path(w.data), s) {
		l.Last = max(l.Last, w.indexed)
		_ = history.Since(Path(w.data), l.First, func(r history.Row) error { // as far as it can be read
			if r.Last >= l.First {
				l.Shoes++
			}
			return nil
		})
	}
	if l.Last < l.First || l.Last-last > mostLost {
		return Lost{}
	}
	return l
}

// belongs says whether the index at path is of the record with state s: the newest shoe that
// has ended in it stands there as it began, and so does the one in play if it ended once.
func belongs(path string, s tracker.State) bool {
	var ended tracker.Stamp
	for _, shoe := range []*tracker.Shoe{s.Previous, s.Finished} {
		if shoe != nil && len(shoe.Hands) > 0 {
			ended = shoe.Started
		}
	}
	is := ended.Seq == 0 // none has: nothing speaks against it
	err := history.Since(path, ended.Seq, func(r history.Row) error {
		for _, began := range []tracker.Stamp{ended, s.Shoe.Started} {
			if r.Shoe != began.Seq {
				continue
			}
			if is = r.Started == began.Wall*int64(time.Millisecond); !is {
				return fmt.Errorf("shoe %d began at another time", r.Shoe)
			}
		}
		return nil
	})
	return err == nil && is
}

// Any says whether records are lost.
func (l Lost) Any() bool { return l.Last > 0 }

// Has says that a shoe of the index reaches into what is lost.
func (l Lost) Has(r history.Row) bool { return l.Shoes > 0 && r.Last >= l.First }

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
	return strings.ToUpper(l.String()[:1]) + l.String()[1:] + ": check the board with the surveillance, call a technician"
}

// Keep marks the shoes of the index that the record has lost, so that they stay. It is
// called before the next record is written, and before the index is opened.
func (l Lost) Keep(data string) error {
	if l.Shoes == 0 {
		return nil
	}
	_, err := history.Amend(Path(data), func(r history.Row) (history.Row, bool) {
		if !l.Has(r) || Only(r) {
			return r, false
		}
		return l.marked(r), true
	})
	return err
}

// onlyMark stands in the totals of a shoe that only the index has.
var onlyMark = []byte(`"index_only":true`)

// Only says that a shoe is in the index alone: the record has lost it.
func Only(r history.Row) bool { return bytes.Contains(r.Totals, onlyMark) }

// marked returns a row with the mark. One whose beginning the record still has gets another key,
// for its shoe may go on and end once more: the number of its last record, which is lost and
// begins no shoe.
func (l Lost) marked(r history.Row) history.Row {
	if rest, ok := bytes.CutPrefix(r.Totals, []byte(`{"`)); ok {
		r.Totals = slices.Concat([]byte(`{`), onlyMark, []byte(`,"`), rest)
	}
	if r.Shoe < l.First {
		r.Packed = rebased(r.Packed, int64(r.Shoe)-int64(r.Last))
		r.Shoe = r.Last
	}
	return r
}

// rebased returns the packed hands of a shoe whose key has become less by so much: the record of
// the first is counted from the key, that of each other from the one before.
func rebased(packed []byte, less int64) []byte {
	first := bytes.IndexByte(packed, '\n') + 1
	_, token := binary.Uvarint(packed[first:])
	at := first + max(token, 0)
	record, n := binary.Varint(packed[at:])
	if n <= 0 {
		return packed // it is damaged, and whoever unpacks it says so
	}
	return slices.Concat(packed[:at], binary.AppendVarint(nil, record+less), packed[at+n:])
}
