package journal

import (
	"errors"
	"iter"
)

var errHead = errors.New("it does not begin with a good checkpoint")

// Heads gives the checkpoint with which each segment begins, in order, from the
// segment that holds record from on. What follows a checkpoint in its segment is
// not looked at, and no hash is checked: the states of years are read in a
// fraction of the time of their events. A segment that does not begin with a
// good checkpoint is a *Problem, after which the caller may go on; any other
// error ends it. Like Records it needs no lock.
func Heads(files Files, from uint64) iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		list, err := segments(files)
		if err != nil {
			yield(Record{}, err)
			return
		}
		for len(list) > 1 && list[1].first <= from {
			list = list[1:]
		}
		for _, n := range list {
			r, err := head(files, n)
			var problem *Problem
			if !yield(r, err) || err != nil && !errors.As(err, &problem) {
				return
			}
		}
	}
}

// Head returns the checkpoint with which one segment begins, as Heads does.
func Head(files Files, segment string) (Record, error) {
	return head(files, named{Entry{segment}, firstOf(segment)})
}

// head reads the first record of a segment.
func head(files Files, n named) (Record, error) {
	data, err := files.Read(n.Name)
	if r, ok := readRecord(data[min(headerSize, len(data)):], n.first, n.first); ok && r.Kind == Checkpoint {
		_, err := readHeader(data, n.Name, n.first)
		var newer *versionError
		if errors.As(err, &newer) {
			return Record{}, newer
		}
		return r.Record, nil
	}
	if err == nil {
		err = errHead
	}
	size := int64(max(len(data)-headerSize, 0))
	p := &Problem{Trouble: Gap, Segment: n.Name, Offset: headerSize, Bytes: size, Cause: err}
	return Record{}, p.none()
}
