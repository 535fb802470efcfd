package journal

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// named is a segment's file before it is read.
type named struct {
	Name  string
	first uint64
}

const (
	digits = 16
	suffix = ".jrn"
)

func segmentName(first uint64) string { return fmt.Sprintf("%0*d%s", digits, first, suffix) }

// firstOf returns the number that a segment's name says, 0 when it is another file's.
func firstOf(name string) uint64 {
	number, ours := strings.CutSuffix(name, suffix)
	first, err := strconv.ParseUint(number, 10, 64)
	if !ours || err != nil || len(number) < digits || len(number) > digits && number[0] == '0' {
		return 0
	}
	return first
}

// segments lists the segments of a folder by their first sequence number.
func segments(files Files) ([]named, error) {
	names, err := files.List()
	if err != nil {
		return nil, err
	}
	list := make([]named, 0, len(names))
	for _, name := range names {
		if first := firstOf(name); first > 0 {
			list = append(list, named{name, first})
		}
	}
	slices.SortFunc(list, func(a, b named) int { return cmp.Compare(a.first, b.first) })
	return list, nil
}

// segment is what could be read of one file.
type segment struct {
	named
	Size   int64
	data   []byte
	unit   string   // empty when the header is damaged
	recs   []placed // the good records, ascending
	holes  []int64  // where stretches that hold no good record end; a record begins there
	end    int64    // just after the last good record, 0 when there is none
	header error
	read   error
}

// load reads a segment, and again if the medium refused: a refusal may pass.
func load(files Files, n named) segment {
	data, err := files.Read(n.Name)
	if err != nil {
		data, err = files.Read(n.Name)
	}
	s := segment{named: n, Size: int64(len(data)), read: err}
	if err != nil && len(data) == 0 {
		s.Size = segmentLimit + maxRecord // it may hold no more
	}
	s.parse(data)
	return s
}

// mostWrong bounds the bytes of a segment's bad records whose checksums are computed. Damage
// comes to a few; what comes to more was written to keep this program busy, and is not read.
const mostWrong = 64 * maxRecord

// parse finds the good records. After a bad byte it tries each following one,
// and takes a record only if its number could stand there: a number is spent
// on no less than an envelope of bytes.
func (s *segment) parse(data []byte) {
	s.data = data
	s.unit, s.header = readHeader(data, s.Name, s.first)
	next, good, wrong := s.first, headerSize, int64(0) // just after the last good record
	for at := headerSize; at < len(data) && wrong < mostWrong; {
		could := next + uint64(at-good)/envelope
		r, ok := readRecord(data[at:], next, max(could, next))
		if !ok {
			at, wrong = at+1, wrong+r.end
			continue
		}
		r.at, r.end = int64(at), int64(at)+r.end
		if at > good {
			s.holes = append(s.holes, r.at)
		}
		s.recs = append(s.recs, r)
		at, good, next = int(r.end), int(r.end), r.Seq+1
		s.end = r.end
	}
}

// newer reports a format this program does not know; such a file is not judged.
func (s *segment) newer() error {
	var v *versionError
	if errors.As(s.header, &v) {
		return v
	}
	return nil
}

// begins reports whether a start can begin with this segment.
func (s *segment) begins() bool {
	return len(s.recs) > 0 && s.recs[0].Seq == s.first && s.recs[0].Kind == Checkpoint
}

// whole reports whether all is good but perhaps the tail, so that the segment
// can go on growing.
func (s *segment) whole() bool {
	return s.begins() && s.header == nil && s.read == nil && len(s.holes) == 0
}

// spent returns the first number that was surely never given, as far as this
// segment can tell: what cannot be read may have held records.
func (s *segment) spent() uint64 {
	next, from := s.first, int64(headerSize)
	if n := len(s.recs); n > 0 {
		next, from = s.recs[n-1].Seq+1, s.end
	}
	if s.read == nil && len(s.recs) > 0 {
		return next
	}
	return next + uint64(max(s.Size-from, 0))/envelope + 1
}

// stops returns the number at which the segment before this one ends.
func (s *segment) stops() uint64 {
	if len(s.recs) == 0 {
		return math.MaxUint64
	}
	return s.recs[0].Seq
}
