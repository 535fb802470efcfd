package stick

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"

	"shoeboard/tracker/journal"
)

// mirrorFiles is the journal of a mirror, to be read.
type mirrorFiles struct {
	root *os.Root
	m    Manifest
}

var errReadOnly = errors.New("a mirror is only read")

func (f mirrorFiles) dir() string { return path.Join(home(f.m.Unit), "journal") }

func (f mirrorFiles) place(segment string) string {
	return path.Join(f.dir(), bucket(segment), segment)
}

// List names the segments from the manifest's first to its last, which must be there.
func (f mirrorFiles) List() ([]journal.Entry, error) {
	buckets, err := list(f.root, f.dir())
	if err != nil {
		return nil, err
	}
	var all []journal.Entry
	for _, b := range buckets {
		if b < bucket(f.m.From) || b > bucket(f.m.To) {
			continue
		}
		names, err := list(f.root, path.Join(f.dir(), b))
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			if isSegment(name) && bucket(name) == b && name >= f.m.From && name <= f.m.To {
				all = append(all, journal.Entry{Name: name})
			}
		}
	}
	if n := len(all); n == 0 || all[0].Name != f.m.From || all[n-1].Name != f.m.To {
		return nil, fmt.Errorf("the mirror has not all of %s to %s", f.m.From, f.m.To)
	}
	return all, nil
}

// Read reads one segment.
func (f mirrorFiles) Read(name string) ([]byte, error) {
	return Read(f.root, f.place(name), mostSegment)
}

func (mirrorFiles) Lock() (io.Closer, error)            { return nil, errReadOnly }
func (mirrorFiles) Create(string) (journal.File, error) { return nil, errReadOnly }
func (mirrorFiles) Open(string) (journal.File, error)   { return nil, errReadOnly }
func (mirrorFiles) Rename(string, string) error         { return errReadOnly }
func (mirrorFiles) SyncDir() error                      { return errReadOnly }

// copying is the same, and whatever is read of it is put into a folder too.
type copying struct {
	mirrorFiles
	to     string
	bucket string // the folder whose sums are at hand
	sums   sums
	err    error // that of the first that could not be copied
	whole  bool  // the segment that grew begins as the manifest says
}

// Read reads one segment, compares it with its sum in the mirror and copies it.
func (c *copying) Read(name string) ([]byte, error) {
	text, err := c.mirrorFiles.Read(name)
	if err == nil {
		err = c.judge(name, text)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(c.to, name), text, 0o640)
	}
	if c.err == nil {
		c.err = err
	}
	return text, err
}

func (c *copying) judge(name string, text []byte) error {
	if b := bucket(name); b != c.bucket {
		c.bucket, c.sums = b, readSums(c.root, path.Join(c.dir(), b))
	}
	if want := c.sums[name]; want != "" && want != sumOf(text) {
		return fmt.Errorf("%s on the stick is not what was written there", name)
	}
	if name == c.m.To {
		c.whole = int64(len(text)) >= c.m.Size && c.m.Size >= 0 && sumOf(text[:c.m.Size]) == c.m.SHA256
	}
	return nil
}
