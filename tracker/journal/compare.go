package journal

import (
	"errors"
	"iter"
)

// Difference says how a record and a copy of it differ.
type Difference struct {
	First, Last         uint64 // from the first record that both have and that is not the same, to the last; 0: none
	OnlyFirst, OnlyLast uint64 // the records that the copy alone has, from first to last; 0: none
	Same                int    // records
}

// Any reports whether there is a difference.
func (d Difference) Any() bool { return d.First > 0 || d.OnlyFirst > 0 }

// Compare compares a record with a copy of it from the beginning of the segment that has
// record from. That the copy ends sooner is no difference. What is damaged in either counts
// as not there. An error says that one of them cannot be read at all.
func Compare(mine, copied Files, from uint64) (d Difference, err error) {
	next, stop := iter.Pull2(records(mine, from))
	defer stop()
	own, some, failed := good(next)
	for c, err := range records(copied, from) {
		var damage *Problem
		switch {
		case errors.As(err, &damage):
			continue
		case err != nil:
			return d, err
		}
		for some && failed == nil && own.Seq < c.Seq {
			own, some, failed = good(next)
		}
		d.count(own, c, some && own.Seq == c.Seq)
	}
	return d, failed
}

// good returns the next good record; false: there is none.
func good(next func() (placed, error, bool)) (placed, bool, error) {
	for {
		r, err, some := next()
		var damage *Problem
		if !errors.As(err, &damage) {
			return r, some && err == nil, err
		}
	}
}

// count counts a record of the copy; known: own is the record of that number.
func (d *Difference) count(own, c placed, known bool) {
	switch {
	case !known:
		if d.OnlyFirst == 0 {
			d.OnlyFirst = c.Seq
		}
		d.OnlyLast = c.Seq
	case own.hash == c.hash:
		d.Same++
	default:
		if d.First == 0 {
			d.First = c.Seq
		}
		d.Last = c.Seq
	}
}
