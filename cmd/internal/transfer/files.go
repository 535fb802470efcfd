package transfer

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"

	"golang.org/x/sync/errgroup"

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
	whole  bool // the segment that grew begins as the manifest says
	work   errgroup.Group
}

// copiers is how many segments may wait to be written while the next is read and checked.
const copiers = 2

func newCopying(root *os.Root, m Manifest, to string) *copying {
	c := &copying{mirrorFiles: mirrorFiles{root, m}, to: to}
	c.work.SetLimit(copiers)
	return c
}

// Read reads one segment; beside that it is compared with its sum in the mirror and copied.
func (c *copying) Read(name string) ([]byte, error) {
	text, err := c.mirrorFiles.Read(name)
	if err != nil {
		return text, err
	}
	if b := bucket(name); b != c.bucket {
		c.bucket, c.sums = b, readSums(c.root, path.Join(c.dir(), b))
	}
	if name == c.m.To {
		c.whole = int64(len(text)) >= c.m.Size && c.m.Size >= 0 && sumOf(text[:c.m.Size]) == c.m.SHA256
	}
	want := c.sums[name]
	c.work.Go(func() error {
		if want != "" && want != sumOf(text) {
			return fmt.Errorf("%s on the stick is not what was written there", name)
		}
		return os.WriteFile(filepath.Join(c.to, name), text, 0o640)
	})
	return text, nil
}

// copied waits until everything that was read is copied; an error says what is not.
func (c *copying) copied() error { return c.work.Wait() }
