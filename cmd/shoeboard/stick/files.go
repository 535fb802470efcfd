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

// copyTo copies all segments and compares them with the sums of the mirror.
func (f mirrorFiles) copyTo(dir string) error {
	entries, err := f.List()
	if err != nil {
		return err
	}
	in, want := "", sums{}
	for _, e := range entries {
		if b := bucket(e.Name); b != in {
			in, want = b, readSums(f.root, path.Join(f.dir(), b))
		}
		sum, err := f.copyOne(e.Name, filepath.Join(dir, e.Name))
		if err != nil {
			return err
		}
		if want[e.Name] != "" && want[e.Name] != sum {
			return fmt.Errorf("%s on the stick is not what was written there", e.Name)
		}
	}
	return nil
}

func (f mirrorFiles) copyOne(name, to string) (sum string, err error) {
	in, err := plain(f.root, f.place(name), mostSegment)
	if err != nil {
		return "", err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o640)
	if err != nil {
		return "", err
	}
	sum, err = digest(io.TeeReader(in, out))
	return sum, errors.Join(err, out.Close())
}
