package journal

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"sync"
)

const (
	pendingName = "pending"
	pendingHead = 16

	// maxPending is the longest pending entry, in bytes: with it the file is
	// one page, which the kernel takes whole or not at all when the process
	// is killed.
	maxPending = 4096 - pendingHead
)

// scratch is the pending entry's file, opened when it is first written.
type scratch struct {
	mu   sync.Mutex
	file File
}

// SavePending writes the unfinished entry, in place of the one before, without
// a sync. It does not wait for an Append that is out. An error concerns the
// pending entry only: the journal goes on.
func (j *Journal) SavePending(entry []byte) error {
	if len(entry) == 0 || len(entry) > maxPending {
		return fmt.Errorf("journal: pending entry of %d bytes, expected 1 to %d", len(entry), maxPending)
	}
	return j.scratch.write(j.files, entry, j.Last())
}

// ClearPending says that nothing is pending.
func (j *Journal) ClearPending() error { return j.scratch.write(j.files, nil, j.Last()) }

// LoadPending gives the entry that was pending when the process ended, and the
// last sequence number that was acknowledged when it was saved or cleared. The caller
// drops an entry that has meanwhile been recorded: after a power cut an old one
// may have come back. It gives nil when nothing is pending and when the file
// is torn; an error means that the file is there and could not be read.
func (j *Journal) LoadPending() (entry []byte, after uint64, err error) {
	b, err := j.files.Read(pendingName)
	if errors.Is(err, os.ErrNotExist) {
		return nil, 0, nil
	}
	if err != nil {
		return nil, 0, err
	}
	entry, after = readPending(b)
	return entry, after, nil
}

// Acknowledged returns the last sequence number that was acknowledged when the pending
// entry was last saved or cleared, 0 when the file does not tell. A record that ends
// before it has lost its end. It needs no lock.
func Acknowledged(files Files) uint64 {
	b, _ := files.Read(pendingName) // what cannot be read tells nothing
	_, after := readPending(b)
	return after
}

func readPending(b []byte) (entry []byte, after uint64) {
	if len(b) < pendingHead {
		return nil, 0
	}
	le := binary.LittleEndian
	size := le.Uint32(b)
	if size > maxPending || int(size) > len(b)-pendingHead {
		return nil, 0
	}
	if le.Uint32(b[4:]) != checksum(b[8:pendingHead+size]) {
		return nil, 0
	}
	if size > 0 {
		entry = b[pendingHead : pendingHead+size]
	}
	return entry, le.Uint64(b[8:])
}

func (s *scratch) write(files Files, entry []byte, after uint64) (err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.file == nil {
		s.file, err = files.Open(pendingName)
		if errors.Is(err, os.ErrNotExist) {
			s.file, err = files.Create(pendingName)
		}
		if err != nil {
			s.file = nil
			return err
		}
	}
	le := binary.LittleEndian
	b := le.AppendUint32(make([]byte, 0, pendingHead+len(entry)), uint32(len(entry)))
	b = le.AppendUint32(b, 0)
	b = le.AppendUint64(b, after)
	b = append(b, entry...)
	le.PutUint32(b[4:], checksum(b[8:]))
	if _, err = s.file.WriteAt(b, 0); err != nil {
		err = errors.Join(err, s.file.Close())
		s.file = nil // the next press opens it again
	}
	return err
}

func (s *scratch) close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.file == nil {
		return nil
	}
	f := s.file
	s.file = nil
	return f.Close()
}
