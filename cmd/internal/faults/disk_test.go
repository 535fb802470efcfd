package faults

import (
	"bytes"
	"context"
	"maps"
	"math/rand/v2"
	"slices"
	"sync"
	"syscall"
	"testing"

	"github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"
)

// sector is what a medium writes whole or not at all, in bytes.
const sector = 512

// image is a file, or a folder with its files, as a medium holds it.
type image struct {
	data  []byte
	names map[string]*image // nil: it is a file
}

// disk is a file system of FUSE that knows what of it is durable: the content of a file as of
// its last fsync, the names of a folder as of its last fsync. At a cut it keeps any part of
// the rest.
type disk struct {
	mu    sync.Mutex
	rand  *rand.Rand
	lies  bool // every second sync does nothing
	after int  // operations that change something until the power is cut; less than 0: never
	dead  chan struct{}
	root  *folder
	inos  uint64
}

// newDisk returns a disk with what an image holds; all of it is durable.
func newDisk(from *image, seed uint64, lies bool, after int) *disk {
	d := &disk{rand: rand.New(rand.NewPCG(seed, 1)), lies: lies, after: after, dead: make(chan struct{})}
	d.root = d.folder(from)
	return d
}

func (d *disk) folder(from *image) *folder {
	f := &folder{disk: d, names: map[string]entry{}}
	for name, i := range from.names {
		f.names[name] = d.entry(i)
	}
	f.kept = maps.Clone(f.names)
	return f
}

func (d *disk) entry(from *image) entry {
	if from.names != nil {
		return d.folder(from)
	}
	return &file{disk: d, now: bytes.Clone(from.data), kept: bytes.Clone(from.data)}
}

// mount mounts the disk and returns what unmounts it.
func (d *disk) mount(t testing.TB, dir string) (unmount func()) {
	t.Helper()
	server, err := fs.Mount(dir, d.root, &fs.Options{MountOptions: fuse.MountOptions{DirectMountStrict: true, FsName: "faults", DisableXAttrs: true}})
	if err != nil {
		t.Skipf("no FUSE here: %v", err)
	}
	return func() {
		for range 200 {
			if server.Unmount() == nil {
				return
			}
			_ = syscall.Unmount(dir, syscall.MNT_DETACH)
		}
	}
}

// step counts an operation that changes something, under the lock; false: there is no power.
func (d *disk) step() bool {
	select {
	case <-d.dead:
		return false
	default:
	}
	if d.after == 0 {
		close(d.dead)
		return false
	}
	d.after--
	return true
}

// cut cuts the power, if it is not cut, and returns what the medium has then.
func (d *disk) cut() *image {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.after = 0; d.step() {
		panic("it has power")
	}
	return d.root.crash()
}

// entry is what has a name.
type entry interface {
	fs.InodeEmbedder
	crash() *image
}

// folder is a folder with its names now, those that are durable, and what was done to them
// since, in order.
type folder struct {
	fs.Inode
	*disk
	names, kept map[string]entry
	since       []func(map[string]entry)
}

func (f *folder) do(change func(map[string]entry)) {
	change(f.names)
	f.since = append(f.since, change)
}

// crash keeps any of what was done since the last sync.
func (f *folder) crash() *image {
	names := maps.Clone(f.kept)
	for _, change := range f.since {
		if f.rand.IntN(2) == 0 {
			change(names)
		}
	}
	i := &image{names: map[string]*image{}}
	for name, e := range names {
		i.names[name] = e.crash()
	}
	return i
}

func (f *folder) OnAdd(ctx context.Context) {
	for name, e := range f.names {
		f.AddChild(name, f.NewPersistentInode(ctx, e, f.attr(e)), true)
	}
}

func (f *folder) attr(e entry) fs.StableAttr {
	f.inos++
	if _, is := e.(*folder); is {
		return fs.StableAttr{Mode: fuse.S_IFDIR, Ino: f.inos + 1000}
	}
	return fs.StableAttr{Mode: fuse.S_IFREG, Ino: f.inos + 1000}
}

// Statfs has room, or the program would say that it has none.
func (f *folder) Statfs(_ context.Context, out *fuse.StatfsOut) syscall.Errno {
	out.Bsize, out.Blocks, out.Bfree, out.Bavail = 4096, 1<<20, 1<<19, 1<<19
	return 0
}

func (f *folder) Getattr(_ context.Context, _ fs.FileHandle, out *fuse.AttrOut) syscall.Errno {
	out.Mode = 0o755
	return 0
}

func (f *folder) add(ctx context.Context, name string, e entry) (*fs.Inode, syscall.Errno) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.step() {
		return nil, syscall.EIO
	}
	f.do(func(names map[string]entry) { names[name] = e })
	return f.NewPersistentInode(ctx, e, f.attr(e)), 0
}

func (f *folder) Create(ctx context.Context, name string, _ uint32, _ uint32, out *fuse.EntryOut) (*fs.Inode, fs.FileHandle, uint32, syscall.Errno) {
	n, errno := f.add(ctx, name, &file{disk: f.disk})
	out.Mode = 0o644
	return n, nil, 0, errno
}

func (f *folder) Mkdir(ctx context.Context, name string, _ uint32, out *fuse.EntryOut) (*fs.Inode, syscall.Errno) {
	out.Mode = 0o755
	return f.add(ctx, name, &folder{disk: f.disk, names: map[string]entry{}, kept: map[string]entry{}})
}

func (f *folder) Unlink(_ context.Context, name string) syscall.Errno {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.step() {
		return syscall.EIO
	}
	f.do(func(names map[string]entry) { delete(names, name) })
	return 0
}

func (f *folder) Rmdir(ctx context.Context, name string) syscall.Errno { return f.Unlink(ctx, name) }

// Rename takes the place of another name in one step, in one folder.
func (f *folder) Rename(_ context.Context, name string, to fs.InodeEmbedder, as string, _ uint32) syscall.Errno {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.step() {
		return syscall.EIO
	}
	e := f.names[name]
	if other := to.(*folder); other != f {
		f.do(func(names map[string]entry) { delete(names, name) })
		other.do(func(names map[string]entry) { names[as] = e })
		return 0
	}
	f.do(func(names map[string]entry) {
		if _, there := names[name]; there { // it was never made, where that was lost
			delete(names, name)
			names[as] = e
		}
	})
	return 0
}

func (f *folder) Fsync(context.Context, fs.FileHandle, uint32) syscall.Errno {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.step() {
		return syscall.EIO
	}
	if !f.lies || f.rand.IntN(2) == 0 {
		f.kept, f.since = maps.Clone(f.names), nil
	}
	return 0
}

// file is a file with its content now and that which is durable.
type file struct {
	fs.Inode
	*disk
	now, kept []byte
}

// crash keeps any sectors of what was written since the last sync, and any length between.
func (f *file) crash() *image {
	if bytes.Equal(f.now, f.kept) {
		return &image{data: bytes.Clone(f.kept)}
	}
	size := len(f.now)
	if grown := len(f.now) - len(f.kept); grown > 0 {
		size = len(f.kept) + f.rand.IntN(grown+1)
	} else if f.rand.IntN(2) == 0 {
		size = len(f.kept)
	}
	data := make([]byte, size)
	for at := 0; at < size; at += sector {
		from := f.kept
		if f.rand.IntN(2) == 0 {
			from = f.now
		}
		if at < len(from) {
			copy(data[at:min(at+sector, size)], from[at:])
		}
	}
	return &image{data: data}
}

func (f *file) Getattr(_ context.Context, _ fs.FileHandle, out *fuse.AttrOut) syscall.Errno {
	f.mu.Lock()
	defer f.mu.Unlock()
	out.Mode, out.Size = 0o644, uint64(len(f.now))
	return 0
}

func (f *file) Open(context.Context, uint32) (fs.FileHandle, uint32, syscall.Errno) { return nil, 0, 0 }

func (f *file) Read(_ context.Context, _ fs.FileHandle, to []byte, at int64) (fuse.ReadResult, syscall.Errno) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return fuse.ReadResultData(to[:copy(to, f.now[min(int(at), len(f.now)):])]), 0
}

func (f *file) Write(_ context.Context, _ fs.FileHandle, data []byte, at int64) (uint32, syscall.Errno) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.step() {
		return 0, syscall.EIO
	}
	if end := int(at) + len(data); end > len(f.now) {
		f.now = append(f.now, make([]byte, end-len(f.now))...)
	}
	copy(f.now[at:], data)
	return uint32(len(data)), 0
}

func (f *file) Setattr(_ context.Context, _ fs.FileHandle, in *fuse.SetAttrIn, out *fuse.AttrOut) syscall.Errno {
	f.mu.Lock()
	defer f.mu.Unlock()
	if size, ok := in.GetSize(); ok {
		if !f.step() {
			return syscall.EIO
		}
		f.now = slices.Grow(f.now[:min(int(size), len(f.now))], int(size))
		f.now = append(f.now, make([]byte, int(size)-len(f.now))...)
	}
	out.Mode, out.Size = 0o644, uint64(len(f.now))
	return 0
}

func (f *file) Fsync(context.Context, fs.FileHandle, uint32) syscall.Errno {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.step() {
		return syscall.EIO
	}
	if !f.lies || f.rand.IntN(2) == 0 {
		f.kept = bytes.Clone(f.now)
	}
	return 0
}
