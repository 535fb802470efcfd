package journal

import (
	"errors"
	"fmt"
	"slices"
)

const cutSuffix = ".cut"

// attach opens s for writing after its last good record. What follows
// that is kept aside and cut off. The last record is written once more over
// itself, so that the sync covers it whatever became of the sync before; the
// folder is synced for the same reason.
func (j *Journal) attach(s *segment) (kept string, err error) {
	tail := s.data[s.end:]
	if len(tail) > 0 {
		if kept, err = j.keep(s.Name, s.end, tail); err != nil {
			return "", err
		}
	}
	f, err := j.files.Open(s.Name)
	if err != nil {
		return "", err
	}
	if len(tail) > 0 {
		err = f.Truncate(s.end)
	}
	if err == nil {
		last := s.recs[len(s.recs)-1]
		err = put(f, s.data[last.at:last.end], last.at)
	}
	if err == nil {
		err = j.files.SyncDir()
	}
	if err != nil {
		return "", errors.Join(err, f.Close())
	}
	j.file = f
	return kept, nil
}

// keep puts bytes that are to be cut from a segment into a file of their own
// and gives its name.
func (j *Journal) keep(segment string, at int64, tail []byte) (string, error) {
	names, err := j.files.List()
	if err != nil {
		return "", err
	}
	name := fmt.Sprintf("%s.%d%s", segment, at, cutSuffix)
	for i := 2; slices.Contains(names, name); i++ {
		name = fmt.Sprintf("%s.%d.%d%s", segment, at, i, cutSuffix)
	}
	f, err := j.files.Create(name)
	if err != nil {
		return "", err
	}
	if err := errors.Join(put(f, tail, 0), f.Close()); err != nil {
		return "", err
	}
	return name, j.files.SyncDir()
}
