package journal

import (
	"fmt"
	"strings"
)

// Trouble says what kind of problem was found in the record.
type Trouble uint8

const (
	// Torn: bytes after the last good record are no record; what a power cut
	// leaves of a write it interrupted.
	Torn Trouble = iota + 1
	// Gap: a stretch that holds no good record, or numbers that are missing.
	Gap
	// badHeader: a segment's first bytes are not a header; its records were
	// still looked for.
	badHeader
	// unreadable: the medium refuses parts of a segment.
	unreadable
	// altered: a good record does not carry the hash of the one before it.
	altered
	// superseded: records that were never acknowledged; a newer segment took
	// their numbers after a failed write.
	superseded
	// Unwritable: the last segment could not be opened for writing; a fresh
	// one is needed.
	Unwritable
)

// Problem is one thing found wrong in the record, in words for a technician.
type Problem struct {
	Trouble       Trouble
	Segment       string
	Offset, Bytes int64  // where in the segment, and how much
	First, Last   uint64 // the sequence numbers missing, at most these; First > Last: none
	Kept          string // the file that now holds the bytes, if they were cut
	Cause         error
}

// Error returns one sentence that names the file, the place and what is missing.
func (p *Problem) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "journal %s: ", p.Segment)
	switch p.Trouble {
	case Torn:
		fmt.Fprintf(&b, "%d bytes from byte %d are an unfinished record", p.Bytes, p.Offset)
	case Gap:
		if p.Bytes == 0 {
			fmt.Fprintf(&b, "the numbers jump at byte %d", p.Offset)
			break
		}
		fmt.Fprintf(&b, "%d bytes from byte %d are no record", p.Bytes, p.Offset)
	case badHeader:
		b.WriteString("the header is damaged")
	case unreadable:
		b.WriteString("parts cannot be read")
	case altered:
		fmt.Fprintf(&b, "record %d at byte %d does not carry the hash of the one before it: one of them was altered",
			p.First, p.Offset)
		return b.String()
	case superseded:
		fmt.Fprintf(&b, "%d bytes from byte %d were never acknowledged and have been replaced by a newer segment",
			p.Bytes, p.Offset)
	case Unwritable:
		b.WriteString("cannot be written, a new segment is needed")
	}
	switch {
	case p.First < p.Last:
		fmt.Fprintf(&b, "; records %d to %d are missing", p.First, p.Last)
	case p.First == p.Last && p.First > 0:
		fmt.Fprintf(&b, "; record %d is missing", p.First)
	}
	if p.Kept != "" {
		fmt.Fprintf(&b, "; cut, and kept in %s", p.Kept)
	}
	if p.Cause != nil {
		fmt.Fprintf(&b, ": %v", p.Cause)
	}
	return b.String()
}

// NoCheckpoint reports whether the checkpoint of a segment cannot be read.
func (p *Problem) NoCheckpoint() bool {
	return p.Trouble == Gap && p.Offset == headerSize && p.Bytes > 0
}

// Unwrap gives what the file system said.
func (p *Problem) Unwrap() error { return p.Cause }

// none marks a problem in which no numbers are missing.
func (p *Problem) none() *Problem { p.First, p.Last = 1, 0; return p }
