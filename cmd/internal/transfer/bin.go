package transfer

import (
	"io"
	"os"
	"path"
	"path/filepath"
)

// bin puts sealed segments into a mirror, one folder of it at a time. Many are synced at
// once: a stick takes as long for one as for thirty.
type bin struct {
	root    *os.Root
	dir     string // the mirror's journal
	from    string // the unit's journal
	bucket  string // the folder whose sums are at hand
	sums    sums
	fresh   bool // the sums have changed
	pending sums // lie beside their places, in this folder
}

// enter takes the folder of a segment, and ends the one before.
func (b *bin) enter(segment string) error {
	if bucket(segment) == b.bucket {
		return nil
	}
	if err := b.flush(); err != nil {
		return err
	}
	b.bucket = bucket(segment)
	b.sums = readSums(b.root, path.Join(b.dir, b.bucket))
	return b.root.MkdirAll(path.Join(b.dir, b.bucket), 0o755)
}

func (b *bin) place(segment string) string { return path.Join(b.dir, b.bucket, segment) }

// ensure puts a segment into the mirror unless one of its size is there with its sum, and
// says whether it did. It counts when the bin is settled.
func (b *bin) ensure(segment string) (copied bool, err error) {
	if err := b.enter(segment); err != nil {
		return false, err
	}
	own, err := os.Stat(filepath.Join(b.from, segment))
	if err != nil {
		return false, nil // put aside just now
	}
	there, err := b.root.Lstat(b.place(segment))
	if b.sums[segment] != "" && err == nil && there.Size() == own.Size() && there.Mode().IsRegular() {
		return false, nil
	}
	return true, b.copy(segment)
}

func (b *bin) copy(segment string) error {
	in, err := os.Open(filepath.Join(b.from, segment))
	if err != nil {
		return nil // put aside just now
	}
	defer in.Close()
	sum, err := begin(b.root, b.place(segment), false, func(out io.Writer) error {
		_, err := io.Copy(out, in)
		return err
	})
	if err != nil {
		return err
	}
	if b.pending == nil {
		b.pending = sums{}
	}
	b.pending[segment] = sum
	return nil
}

// compare reads a segment of the mirror, and copies it again unless it is as it was.
func (b *bin) compare(segment string) error {
	if err := b.enter(segment); err != nil {
		return err
	}
	if holds(b.root, b.place(segment), b.sums[segment]) {
		return nil
	}
	return b.copy(segment)
}

// settle has the medium keep what is pending, reads it back and gives it its names.
func (b *bin) settle() error {
	if len(b.pending) == 0 {
		return nil
	}
	err := settle(b.root)
	for segment, sum := range b.pending {
		if err != nil { // what is left is done anew
			_ = b.root.Remove(b.place(segment) + part)
			continue
		}
		if err = finish(b.root, b.place(segment), sum); err == nil {
			b.sums[segment], b.fresh = sum, true
		}
	}
	b.pending = nil
	return err
}

// flush settles, and writes the sums of the folder after what they name.
func (b *bin) flush() error {
	if err := b.settle(); err != nil || !b.fresh {
		return err
	}
	b.fresh = false
	return b.sums.write(b.root, path.Join(b.dir, b.bucket))
}
