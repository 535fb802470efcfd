package journal

import (
	"encoding/binary"
	"io"
)

// What tests name and no program does.
const (
	Altered    = altered
	BadHeader  = badHeader
	Superseded = superseded
	Unreadable = unreadable
	MaxPayload = maxPayload
	MaxSource  = maxSource
	MaxPending = maxPending
)

var (
	ErrNoSegment = errNoSegment
	ErrTooLong   = errTooLong
)

type (
	UnitError    = unitError
	VersionError = versionError
)

// SetLimit makes a segment due for a roll at n bytes.
func (j *Journal) SetLimit(n int64) { j.limit = n }

// SetVersion makes a segment one of another format.
func SetVersion(b []byte, v byte) {
	b[8] = v
	Reseal(b[:headerSize])
}

// Reseal makes the checksums good of the header and of all records whose
// lengths lead from one to the next, whatever the rest of them says.
func Reseal(b []byte) {
	le := binary.LittleEndian
	if len(b) < headerSize {
		return
	}
	le.PutUint32(b[12:], checksum(b[:12], make([]byte, 4), b[16:headerSize]))
	for b = b[headerSize:]; len(b) >= envelope; {
		size := int(le.Uint32(b))
		if size < envelope || size > len(b) {
			return
		}
		le.PutUint32(b[4:], checksum(b[:4], b[8:size]))
		b = b[size:]
	}
}

// ReadAround is what Dir reads files with.
func ReadAround(f io.ReaderAt, size int) ([]byte, error) { return readAround(f, size) }

// Found1 is a record found in a segment, where, and its bytes made anew.
type Found1 struct {
	Record
	At, End int64
	Again   []byte
}

// Parse reads a segment that begins with sequence number first.
func Parse(data []byte, first uint64) []Found1 {
	s := segment{named: named{first: first}}
	s.parse(data)
	var list []Found1
	for _, r := range s.recs {
		list = append(list, Found1{r.Record, r.at, r.end, appendRecord(nil, r.Record, r.prev)})
	}
	return list
}

// ReadPending is the reader of the pending entry's file.
func ReadPending(b []byte) ([]byte, uint64) { return readPending(b) }
