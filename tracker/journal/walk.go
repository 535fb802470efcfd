package journal

import (
	"encoding/hex"
	"iter"
	"math"
	"slices"
	"strings"
)

// walker goes over segments in order and passes on each good record once, and
// each problem where it is.
type walker struct {
	next  uint64 // the number expected; 0 before the first record, then any will do
	hash  digest // of the record before
	known bool   // whether hash is known
	pass  func(r *placed, p *Problem) bool
	tip   segment // the last segment looked at
}

// walk goes over list and holds at most two segments in memory.
func (w *walker) walk(files Files, list []named) {
	if len(list) == 0 {
		return
	}
	w.tip = load(files, list[0])
	for i := range list {
		if i+1 == len(list) {
			w.segment(&w.tip, math.MaxUint64)
			return
		}
		following := load(files, list[i+1])
		if !w.segment(&w.tip, following.stops()) {
			return
		}
		w.tip = following
	}
}

// segment passes on the records of s below stop, where the next one begins.
func (w *walker) segment(s *segment, stop uint64) bool {
	for _, p := range s.faults() {
		if !w.pass(nil, p) {
			return false
		}
	}
	holes, good := s.holes, int64(headerSize)
	for i := range s.recs {
		r := &s.recs[i]
		hole := len(holes) > 0 && holes[0] == r.at
		if hole {
			holes = holes[1:]
		}
		if r.Seq >= stop || r.Seq < w.next {
			p := &Problem{Trouble: superseded, Segment: s.Name, Offset: r.at, Bytes: s.end - r.at}
			return w.pass(nil, p.none())
		}
		if !w.record(s, r, hole, good) {
			return false
		}
		good = r.end
	}
	if tail := s.Size - max(s.end, headerSize); tail > 0 {
		return w.pass(nil, w.tail(s, tail, stop == math.MaxUint64))
	}
	return true
}

// tail says what the last bytes of s are: an unfinished record, or, when no
// record is good at all, a gap. In the last segment nothing that follows tells
// how many numbers are missing.
func (w *walker) tail(s *segment, size int64, last bool) *Problem {
	p := (&Problem{Trouble: Torn, Segment: s.Name, Offset: s.Size - size, Bytes: size}).none()
	if len(s.recs) == 0 {
		p.Trouble = Gap
		if last {
			p.First, p.Last = max(w.next, s.first), s.spent()-1
		}
	}
	return p
}

// record passes on one record, after what is wrong between it and the one
// before; good is where that one ended.
func (w *walker) record(s *segment, r *placed, hole bool, good int64) bool {
	missing := w.next > 0 && r.Seq > w.next
	if hole || missing {
		p := &Problem{Trouble: Gap, Segment: s.Name, Offset: good, Bytes: r.at - good, First: w.next, Last: r.Seq - 1}
		if w.next == 0 {
			p.First = s.first
		}
		w.known = w.known && !missing
		if !w.pass(nil, p) {
			return false
		}
	}
	if r.Seq == 1 && s.header == nil {
		w.hash, w.known = digestOf([]byte(s.unit)), true
	}
	if w.known && r.prev != w.hash {
		p := &Problem{Trouble: altered, Segment: s.Name, Offset: r.at, First: r.Seq, Last: r.Seq}
		if !w.pass(nil, p) {
			return false
		}
	}
	w.next, w.hash, w.known = r.Seq+1, r.hash, true
	return w.pass(r, nil)
}

// faults returns the problems of a segment as a file.
func (s *segment) faults() []*Problem {
	var list []*Problem
	if s.read != nil {
		list = append(list, (&Problem{Trouble: unreadable, Segment: s.Name, Bytes: s.Size, Cause: s.read}).none())
	}
	if s.header != nil {
		list = append(list, (&Problem{Trouble: badHeader, Segment: s.Name, Bytes: headerSize, Cause: s.header}).none())
	}
	return list
}

// Records gives all good records, in order, from the beginning of the segment that holds
// record from, and between them each problem as a *Problem with no record; the
// caller may go on after one. It needs no lock and reads one segment at a
// time, so another process may look while the core writes; the record that is
// being written then shows as a torn tail. An error that is no *Problem ends
// it.
func Records(files Files, from uint64) iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		for r, err := range records(files, from) {
			if !yield(r.Record, err) {
				return
			}
		}
	}
}

// records gives the same with where each record is.
func records(files Files, from uint64) iter.Seq2[placed, error] {
	return func(yield func(placed, error) bool) {
		list, err := segments(files)
		if err != nil {
			yield(placed{}, err)
			return
		}
		var w walker
		w.pass = func(r *placed, p *Problem) bool {
			if p != nil {
				return yield(placed{}, p)
			}
			return yield(*r, nil)
		}
		for len(list) > 1 && list[1].first <= from {
			list = list[1:]
		}
		if from <= 1 {
			w.next = 1
		}
		w.walk(files, list)
	}
}

// Find returns the stretch of the record that a code proves: it is the code of record last,
// and first is the first one from which on each carries the hash of the one before. No
// record has the code when last is 0: something before it was altered, or is missing.
func Find(files Files, code Code) (first, last uint64, err error) {
	list, err := segments(files)
	if err != nil {
		return 0, 0, err
	}
	w := walker{next: 1}
	begins := uint64(1)
	w.pass = func(r *placed, p *Problem) bool {
		switch {
		case p != nil && p.Trouble == altered:
			begins = p.First
		case p != nil && p.Trouble == Gap:
			begins = p.Last + 1
		case p == nil && codeOf(r.hash) == code:
			first, last = begins, r.Seq
		}
		return last == 0
	}
	w.walk(files, list)
	return first, last, nil
}

// Check holds what Verify found.
type Check struct {
	Segments    int
	Records     int
	First, Last uint64     // sequence numbers of the first and last good record
	Head        string     // hash of the last one, in hexadecimal, in which all before it have a part
	Problems    []*Problem // in their order
	Kept        []string   // files that hold bytes once cut
}

// Verify reads the whole record and checks every checksum, number and hash.
// Like Records it needs no lock.
func Verify(files Files) (Check, error) {
	var c Check
	list, err := segments(files)
	if err != nil {
		return c, err
	}
	names, err := files.List()
	if err != nil {
		return c, err
	}
	for _, name := range names {
		if strings.HasSuffix(name, cutSuffix) {
			c.Kept = append(c.Kept, name)
		}
	}
	slices.Sort(c.Kept)
	c.Segments = len(list)
	w := walker{next: 1}
	w.pass = func(r *placed, p *Problem) bool {
		if p != nil {
			c.Problems = append(c.Problems, p)
			return true
		}
		if c.Records == 0 {
			c.First = r.Seq
		}
		c.Records++
		c.Last = r.Seq
		return true
	}
	w.walk(files, list)
	if c.Records > 0 {
		c.Head = hex.EncodeToString(w.hash[:])
	}
	return c, nil
}
