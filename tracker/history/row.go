package history

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
)

// Row is one shoe as it is stored.
type Row struct {
	Shoe    uint64 // the key: sequence number of the shoe's first record, not 0
	Day     string // the gaming day, a local date; empty: not known
	Game    string // the rule pack's id
	Table   string // the table's number
	First   uint64 // sequence number of its first record in the journal
	Last    uint64 // sequence number of its last
	Started int64  // wall clock, nanoseconds since 1970 UTC
	Ended   int64  // wall clock of its newest hand
	Trusted bool   // whether the wall clock had been set
	Hands   int    // 0 or more
	Totals  []byte // JSON of Totals
	Packed  []byte // its hands: see Rows.packed

	partial bool // not all of its records could be read; it is not stored
}

const rowVersion = 1

var errRow = errors.New("a row is damaged")

func keyOf(shoe uint64) []byte { return binary.BigEndian.AppendUint64(nil, shoe) }

// sealOf returns the checksum of a row with its key: bbolt keeps none of its data.
func sealOf(key, body []byte) uint32 {
	table := crc32.MakeTable(crc32.Castagnoli)
	return crc32.Update(crc32.Update(0, table, key), table, body)
}

// encode returns the row's value: version, flags, numbers, texts with their lengths,
// seal.
func (r Row) encode() []byte {
	b := []byte{rowVersion, 0}
	if r.Trusted {
		b[1] = 1
	}
	for _, n := range []uint64{r.First, r.Last, uint64(r.Started), uint64(r.Ended), uint64(r.Hands)} {
		b = binary.BigEndian.AppendUint64(b, n)
	}
	for _, text := range [][]byte{[]byte(r.Day), []byte(r.Game), []byte(r.Table), r.Totals, r.Packed} {
		b = binary.AppendUvarint(b, uint64(len(text)))
		b = append(b, text...)
	}
	return binary.BigEndian.AppendUint32(b, sealOf(keyOf(r.Shoe), b))
}

// sealed reports whether a row carries its checksum.
func sealed(key, value []byte) bool {
	if len(value) < 4 {
		return false
	}
	end := len(value) - 4
	return binary.BigEndian.Uint32(value[end:]) == sealOf(key, value[:end])
}

// decode reads a row and shares no memory with key or value.
func decode(key, value []byte) (Row, error) {
	const numbers = 2 + 5*8
	if len(key) != 8 || len(value) < numbers+4 {
		return Row{}, errRow
	}
	body := value[:len(value)-4]
	r := Row{Shoe: binary.BigEndian.Uint64(key)}
	switch {
	case !sealed(key, value):
		return Row{}, fmt.Errorf("%w: shoe %d does not carry its checksum", errRow, r.Shoe)
	case body[0] != rowVersion || body[1] > 1:
		return Row{}, fmt.Errorf("%w: shoe %d is in format %d", errRow, r.Shoe, body[0])
	}
	r.Trusted = body[1] == 1
	var n [5]uint64
	for i := range n {
		n[i] = binary.BigEndian.Uint64(body[2+8*i:])
	}
	if n[4] > math.MaxInt32 {
		return Row{}, fmt.Errorf("%w: shoe %d has %d hands", errRow, r.Shoe, n[4])
	}
	r.First, r.Last, r.Started, r.Ended, r.Hands = n[0], n[1], int64(n[2]), int64(n[3]), int(n[4])
	var texts [5][]byte
	rest := body[numbers:]
	for i := range texts {
		size, used := binary.Uvarint(rest)
		if used <= 0 || size > uint64(len(rest)-used) {
			return Row{}, fmt.Errorf("%w: shoe %d has a text of %d bytes", errRow, r.Shoe, size)
		}
		if rest = rest[used:]; size > 0 {
			texts[i] = append([]byte(nil), rest[:size]...)
		}
		rest = rest[size:]
	}
	if len(rest) > 0 {
		return Row{}, fmt.Errorf("%w: shoe %d has %d bytes too many", errRow, r.Shoe, len(rest))
	}
	r.Day, r.Game, r.Table = string(texts[0]), string(texts[1]), string(texts[2])
	r.Totals, r.Packed = texts[3], texts[4]
	return r, nil
}

// sum adds all rows up, so that a row that is missing or replaced shows.
type sum struct {
	rows  uint64
	seals uint64
}

func (s *sum) add(value []byte) {
	s.rows++
	s.seals += uint64(binary.BigEndian.Uint32(value[len(value)-4:]))
}

func (s *sum) drop(value []byte) {
	s.rows--
	s.seals -= uint64(binary.BigEndian.Uint32(value[len(value)-4:]))
}

func (s *sum) encode() []byte {
	b := binary.BigEndian.AppendUint64(nil, s.rows)
	b = binary.BigEndian.AppendUint64(b, s.seals)
	return binary.BigEndian.AppendUint32(b, sealOf(sumKey, b))
}

func decodeSum(b []byte) (sum, error) {
	if len(b) != 20 || binary.BigEndian.Uint32(b[16:]) != sealOf(sumKey, b[:16]) {
		return sum{}, errors.New("the sum of the rows is damaged")
	}
	return sum{rows: binary.BigEndian.Uint64(b), seals: binary.BigEndian.Uint64(b[8:])}, nil
}
