package history

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"

	"shoeboard/tracker"
	"shoeboard/tracker/journal"
)

// Audit folds a whole record, and returns where two witnesses of it contradict each other: a
// checkpoint that is not what the events before it come to, and a row of the file at path
// that is not the shoe of the record. A file that is not there witnesses nothing; core as in
// Open. err says that the record cannot be read at all, or that ctx ended. It takes a minute
// for five years.
func Audit(ctx context.Context, path string, files journal.Files, core Stream) (wrong []error, err error) {
	rows, err := packedRows(ctx, path, core)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		wrong = append(wrong, fmt.Errorf("index: %w", err))
	}
	var encode Rows
	newest := uint64(0)
	for shoe := range rows {
		newest = max(newest, shoe)
	}
	w := walk{each: func(d Dealt) error {
		r := encode.Row(d)
		row, known := rows[r.Shoe]
		switch {
		case r.partial:
		case known && row != string(r.Packed):
			wrong = append(wrong, fmt.Errorf("%s: the index has other hands than the record", NameOf(d.Shoe)))
		case !known && r.Shoe < newest:
			wrong = append(wrong, fmt.Errorf("%s is not in the index", NameOf(d.Shoe)))
		}
		delete(rows, r.Shoe)
		return ctx.Err()
	}}
	w.compare = func(seq uint64, is, want tracker.State) {
		if d := difference(is, want); d != "" {
			wrong = append(wrong, fmt.Errorf(
				"record %d, a checkpoint, is not what the events before it come to: %s", seq, d))
		}
	}
	inPlay, _, err := w.record(files, Row{})
	if err != nil {
		return wrong, err
	}
	for shoe := range rows {
		if shoe != inPlay.Shoe.Started.Seq {
			wrong = append(wrong, fmt.Errorf("the shoe that began with record %d is only in the index", shoe))
		}
	}
	return wrong, nil
}

// packedRows returns the hands of the rows that the record is to have, by their shoes.
func packedRows(ctx context.Context, path string, core Stream) (map[uint64]string, error) {
	rows := map[uint64]string{}
	r, err := Open(ctx, path, core)
	if err != nil {
		return rows, err
	}
	defer r.Close()
	return rows, r.Rows(func(r Row) error {
		if !Only(r) {
			rows[r.Shoe] = string(r.Packed)
		}
		return ctx.Err()
	})
}

// NameOf returns the name of a shoe for a person.
func NameOf(s tracker.Shoe) string {
	if s.Day == "" {
		return fmt.Sprintf("shoe %d, begun with record %d", s.Number, s.Started.Seq)
	}
	return fmt.Sprintf("shoe %d of %s", s.Number, s.Day)
}

// difference says how a state differs from the one that is expected, "" when it does not.
func difference(is, want tracker.State) string {
	a, err := tracker.MarshalCheckpoint(is)
	b, err2 := tracker.MarshalCheckpoint(want)
	if err != nil || err2 != nil || bytes.Equal(a, b) {
		return "" // a State always has a form
	}
	shoes := [][2]*tracker.Shoe{{&is.Shoe, &want.Shoe}, {is.Finished, want.Finished}, {is.Previous, want.Previous}}
	for _, pair := range shoes {
		if d := differentShoe(pair[0], pair[1]); d != "" {
			return d
		}
	}
	return "settings, faults or times differ"
}

func differentShoe(is, want *tracker.Shoe) string {
	if is == nil || want == nil {
		return ""
	}
	for i, h := range want.Hands {
		switch {
		case i >= len(is.Hands):
			return fmt.Sprintf("%s has %d hands, expected %d", NameOf(*want), len(is.Hands), len(want.Hands))
		case is.Hands[i].Result != h.Result || is.Hands[i].Free != h.Free:
			return fmt.Sprintf("hand %d of %s is %s, expected %s", i+1, NameOf(*want),
				tracker.FormatToken(is.Pack, is.Hands[i]), tracker.FormatToken(want.Pack, h))
		}
	}
	return ""
}
