package history_test

import (
	"bytes"
	"encoding/binary"
	"reflect"
	"slices"
	"testing"

	"shoeboard/tracker/history"
)

func keyOf(shoe uint64) []byte { return binary.BigEndian.AppendUint64(nil, shoe) }

// FuzzRow reads any bytes as a row: what is taken for one is written the same
// way again. The checksum is made good first, or nothing behind it is reached.
func FuzzRow(f *testing.F) {
	for _, r := range []history.Row{{Shoe: 1}, shoe(3), shoe(50)} {
		f.Add(keyOf(r.Shoe), history.Encode(r))
	}
	f.Fuzz(func(t *testing.T, key, value []byte) {
		value = history.Seal(key, value)
		r, err := history.Decode(key, value)
		if err != nil {
			return
		}
		again, err := history.Decode(keyOf(r.Shoe), history.Encode(r))
		if err != nil || !reflect.DeepEqual(again, r) {
			t.Fatalf("%+v became %+v, %v", r, again, err)
		}
	})
}

// FuzzFile patches and cuts the file of an index. Either it is called damaged
// or it ends with the same shoe as before: no panic, no other row.
func FuzzFile(f *testing.F) {
	rows := shoes(60)
	whole := written(f, rows)
	if r, err := history.Look(whole); err != nil || !reflect.DeepEqual(r, rows[59]) {
		f.Fatalf("the file as it was written: %+v, %v", r, err)
	}
	f.Add(uint32(0), []byte{}, uint32(0))
	f.Fuzz(func(t *testing.T, at uint32, patch []byte, cut uint32) {
		b := slices.Clone(whole)
		copy(b[at%uint32(len(b)):], patch)
		b = b[:len(b)-int(cut%uint32(len(b)))]
		r, err := history.Look(b)
		if err == nil && !bytes.Equal(b[:8192], whole[:8192]) {
			return // one of the two beginnings: the older state is as good
		}
		if err == nil && !reflect.DeepEqual(r, rows[59]) {
			t.Fatalf("ends with %+v", r)
		}
	})
}
