package journal

import (
	"errors"
	"fmt"
)

// Head returns the checkpoint with which a segment begins. It reads nothing after it, checks
// no hash, and needs no lock.
func Head(files Files, segment string) (Record, error) {
	first := firstOf(segment)
	data, err := files.Read(segment)
	r, ok := readRecord(data[min(headerSize, len(data)):], first, first)
	if !ok || r.Kind != Checkpoint {
		return Record{}, errors.Join(fmt.Errorf("journal %s: it does not begin with a good checkpoint", segment), err)
	}
	_, err = readHeader(data, segment, first)
	var newer *versionError
	if errors.As(err, &newer) {
		return Record{}, newer
	}
	return r.Record, nil
}
