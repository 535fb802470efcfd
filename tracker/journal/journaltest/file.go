package journaltest

import (
	"maps"
	"math/rand/v2"
	"slices"
)

const (
	sector = 512
	page   = 4096
)

// inode is one file: what the kernel holds and what the medium holds.
type inode struct {
	data, disk []byte
	dirty      map[int]bool // pages that the next sync writes
}

func (n *inode) clone() *inode {
	return &inode{data: slices.Clone(n.data), disk: slices.Clone(n.disk), dirty: maps.Clone(n.dirty)}
}

func (n *inode) touch(from, to int) {
	for p := from / page; p*page < to; p++ {
		n.dirty[p] = true
	}
}

func (n *inode) write(b []byte, at int) {
	if grow := at + len(b) - len(n.data); grow > 0 {
		n.data = append(n.data, make([]byte, grow)...)
	}
	copy(n.data[at:], b)
	n.touch(at, at+len(b))
}

func (n *inode) truncate(size int) {
	switch {
	case size > len(n.data):
		n.data = append(n.data, make([]byte, size-len(n.data))...)
	case size < len(n.data):
		n.data = n.data[:size:size]
		if size%page > 0 {
			n.touch(size, size+1)
		}
	}
}

// sync writes every dirty page and the length.
func (n *inode) sync() {
	n.disk = n.image(len(n.data), func() bool { return true })
	clear(n.dirty)
}

// lose writes any of the dirty sectors and forgets the others, as a kernel
// does whose writeback failed.
func (n *inode) lose(rng *rand.Rand) {
	n.disk = n.afterCut(rng)
	clear(n.dirty)
}

// afterCut is the content that a start finds: any of the dirty sectors, and
// the old length, the new one or one between.
func (n *inode) afterCut(rng *rand.Rand) []byte {
	size := len(n.disk)
	switch rng.IntN(3) {
	case 0:
		size = len(n.data)
	case 1:
		low, high := min(size, len(n.data)), max(size, len(n.data))
		size = min(low+sector*rng.IntN((high-low)/sector+1), high)
	}
	chance := []float64{0, 0.5, 0.5, 1}[rng.IntN(4)]
	return n.image(size, func() bool { return rng.Float64() < chance })
}

// image is the medium with those of the dirty sectors that reached says.
func (n *inode) image(size int, reached func() bool) []byte {
	out := make([]byte, size)
	copy(out, n.disk)
	for _, p := range slices.Sorted(maps.Keys(n.dirty)) {
		for at := p * page; at < (p+1)*page && at < len(n.data); at += sector {
			if reached() && at < size {
				copy(out[at:], n.data[at:min(at+sector, len(n.data))])
			}
		}
	}
	return out
}

// file is a journal.File.
type file struct {
	fs   *FS
	name string
	node *inode
}

func (f *file) WriteAt(p []byte, off int64) (int, error) {
	f.fs.mu.Lock()
	defer f.fs.mu.Unlock()
	v, err := f.fs.begin("write", f.name)
	if err != nil {
		return 0, err
	}
	taken := len(p)
	switch {
	case v.fault == EIO:
		taken = 0
	case v.fault == ENOSPC || v.fault == Short || v.cut == Torn:
		taken = len(p) / 2
	}
	f.node.write(p[:taken], int(off))
	return taken, v.err("write", f.name)
}

func (f *file) Datasync() error {
	f.fs.mu.Lock()
	slow := f.fs.slow
	f.fs.mu.Unlock()
	if slow != nil {
		slow()
	}
	f.fs.mu.Lock()
	defer f.fs.mu.Unlock()
	v, err := f.fs.begin("datasync", f.name)
	switch {
	case err != nil:
		return err
	case v.fault == EIO || v.fault == ENOSPC:
		f.node.lose(rand.New(rand.NewPCG(uint64(f.fs.ops), page)))
	case v.fault != Lie && v.cut != Torn:
		f.node.sync()
	}
	return v.err("fdatasync", f.name)
}

func (f *file) Truncate(size int64) error {
	f.fs.mu.Lock()
	defer f.fs.mu.Unlock()
	v, err := f.fs.begin("truncate", f.name)
	if err != nil {
		return err
	}
	if v.done() {
		f.node.truncate(int(size))
	}
	return v.err("truncate", f.name)
}

func (f *file) Close() error { return nil }
