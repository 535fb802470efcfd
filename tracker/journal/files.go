package journal

import (
	"errors"
	"io"
)

// ErrInUse is returned by Files.Lock while another process, or another
// Journal of this one, holds the journal.
var ErrInUse = errors.New("journal: another process is writing this journal")

// Files is the folder that holds a journal. Dir is the real one; package
// journaltest has one in memory that fails on demand. There is no way to
// remove a file: the journal never does.
type Files interface {
	// Lock takes the folder for this writer alone until the Closer is closed,
	// and makes the folder if it is missing. It does not wait: ErrInUse.
	Lock() (io.Closer, error)
	// List names the files of the folder in any order. It looks at no file: a
	// start lists the segments of years.
	List() (names []string, err error)
	// Read returns the content of a file. If parts cannot be read, or nothing
	// of it can, it returns the rest, with zeros for those parts, and an error
	// as well.
	Read(name string) ([]byte, error)
	// Create makes an empty file, or empties the one of that name.
	Create(name string) (File, error)
	// Open opens a file that exists for writing.
	Open(name string) (File, error)
	// Rename gives a file another name, and replaces a file of that name.
	Rename(from, to string) error
	// SyncDir makes names given and taken durable.
	SyncDir() error
}

// File is a file open for writing. Nothing is durable before Datasync.
type File interface {
	// WriteAt writes all of p at off or returns an error; after an error any
	// part of p may have been written.
	WriteAt(p []byte, off int64) (int, error)
	// Datasync makes content and length durable (fdatasync).
	Datasync() error
	// Truncate sets the length in bytes.
	Truncate(size int64) error
	Close() error
}
