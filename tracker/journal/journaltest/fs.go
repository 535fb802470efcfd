// Package journaltest is a folder in memory in which every fault can be played:
// a power cut, a torn or short write, a medium that refuses, one that is full,
// one that is slow, one that lies.
//
// # Words
//
// An operation is one call of Files or File that does something (all but Lock
// and Close); they are numbered from 0 in the order they come. A fault makes
// one operation fail, a cut stops the process at one. A sector is 512 bytes,
// a page 4096.
//
// # What a caller may assume
//
// What was written and not synced reaches the medium by sectors, any of them
// or none, and so does a new length. Names given and not synced reach the
// medium in their order, up to any point. A sync that fails has written any
// part of what it should have, and the kernel forgets that the rest was due:
// a second sync succeeds and writes nothing of it. Reading gives what the
// kernel holds, not what the medium holds. All of it follows from the script
// and the seeds: the same calls give the same bytes.
//
// Everything may be used from several goroutines.
package journaltest

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"sync"

	"shoeboard/tracker/journal"
)

// Fault is what goes wrong with one operation.
type Fault int

const (
	// EIO refuses: a write takes nothing, a name stays as it is, a sync loses
	// any part of what it should have written.
	EIO Fault = iota + 1
	// Late is EIO from an operation that was carried out all the same.
	Late
	// ENOSPC is a full medium: a write takes its first half. Reading works.
	ENOSPC
	// Short is a write that takes its first half and returns no error.
	Short
	// Lie is a sync that returns without having written anything.
	Lie
)

// Cut is how far the operation got at which the power went.
type Cut int

const (
	// Before: the operation did not begin.
	Before Cut = iota + 1
	// Torn: it was under way; of a write its first half was taken.
	Torn
	// After: it was carried out, but the process never heard.
	After
)

// ErrCut is what every operation returns from the cut on.
var ErrCut = errors.New("the power is off")

var (
	errEIO    = errors.New("input/output error")
	errENOSPC = errors.New("no space left on device")
)

// FS is a folder in memory. The zero value is not ready: New.
type FS struct {
	mu      sync.Mutex
	names   map[string]*inode // as the kernel has them
	durable map[string]*inode // as the medium has them
	moves   []move            // since the last SyncDir
	ops     int
	log     [][2]string // operation and name
	count   map[string]int
	once    map[int]Fault
	from    int
	forever Fault
	cutAt   int
	cut     Cut
	off     bool
	slow    func()
	locked  bool
}

// move is one change of names.
type move struct {
	from, to string // from is empty for a new file
	node     *inode
}

// New gives an empty folder in which nothing goes wrong.
func New() *FS {
	return &FS{
		names: make(map[string]*inode), durable: make(map[string]*inode),
		count: make(map[string]int), once: make(map[int]Fault), from: -1, cutAt: -1,
	}
}

// FailAt makes operation n fail, and only that one.
func (fs *FS) FailAt(n int, f Fault) { fs.set(func() { fs.once[n] = f }) }

// FailFrom makes operation n and all after it fail.
func (fs *FS) FailFrom(n int, f Fault) { fs.set(func() { fs.from, fs.forever = n, f }) }

// Heal ends all faults; what they did stays done.
func (fs *FS) Heal() { fs.set(func() { clear(fs.once); fs.from = -1 }) }

// CutAt turns the power off at operation n.
func (fs *FS) CutAt(n int, c Cut) { fs.set(func() { fs.cutAt, fs.cut = n, c }) }

// SlowSync has f called at the beginning of each Datasync; while f has not
// returned, other operations go on. nil ends it.
func (fs *FS) SlowSync(f func()) { fs.set(func() { fs.slow = f }) }

// Ops is the number of operations so far, and so the number of the next one.
func (fs *FS) Ops() (n int) { fs.set(func() { n = fs.ops }); return n }

// Count is how often an operation was called: list, read, create, open,
// rename, syncdir, write, datasync, truncate.
func (fs *FS) Count(op string) (n int) { fs.set(func() { n = fs.count[op] }); return n }

// Log gives each operation in words, to say where a fault was played.
func (fs *FS) Log() (log []string) {
	fs.set(func() {
		for n, l := range fs.log {
			log = append(log, fmt.Sprintf("%d %s %s", n, l[0], l[1]))
		}
	})
	return log
}

// Off reports whether the power is off.
func (fs *FS) Off() (off bool) { fs.set(func() { off = fs.off }); return off }

func (fs *FS) set(f func()) {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	f()
}

// Bytes gives a file's content as the kernel holds it, nil if there is none.
func (fs *FS) Bytes(name string) (b []byte) {
	fs.set(func() {
		if n := fs.names[name]; n != nil {
			b = slices.Clone(n.data)
		}
	})
	return b
}

// Put puts a file in place, durable at once: for damage and fixtures. Who has
// the old file of that name open goes on writing to the old one.
func (fs *FS) Put(name string, content []byte) {
	fs.set(func() {
		n := &inode{data: slices.Clone(content), disk: slices.Clone(content), dirty: make(map[int]bool)}
		fs.forget(name)
		fs.names[name], fs.durable[name] = n, n
	})
}

// Drop takes a file away, durable at once.
func (fs *FS) Drop(name string) {
	fs.set(func() { fs.forget(name) })
}

func (fs *FS) forget(name string) {
	delete(fs.names, name)
	delete(fs.durable, name)
	fs.moves = slices.DeleteFunc(fs.moves, func(m move) bool { return m.to == name })
}

// AfterPowerCut turns the power off, if it is still on, and gives the folder
// that the next start finds. The seed decides what of the unsynced reached the
// medium.
func (fs *FS) AfterPowerCut(seed uint64) *FS {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	fs.off = true
	rng := rand.New(rand.NewPCG(seed, 512))
	names := make(map[string]*inode, len(fs.durable))
	for name, n := range fs.durable {
		names[name] = n
	}
	reached := rng.IntN(len(fs.moves) + 1)
	for _, m := range fs.moves[:reached] {
		delete(names, m.from)
		names[m.to] = m.node
	}
	next := New()
	for _, name := range sorted(names) {
		b := names[name].afterCut(rng)
		n := &inode{data: b, disk: slices.Clone(b), dirty: make(map[int]bool)}
		next.names[name], next.durable[name] = n, n
	}
	return next
}

// AfterKill ends the process, and gives the folder that the next one finds:
// all that was written is there, what was not synced still is not.
func (fs *FS) AfterKill() *FS {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	fs.off = true
	next := New()
	nodes := make(map[*inode]*inode)
	same := func(n *inode) *inode {
		if nodes[n] == nil {
			nodes[n] = n.clone()
		}
		return nodes[n]
	}
	for name, n := range fs.names {
		next.names[name] = same(n)
	}
	for name, n := range fs.durable {
		next.durable[name] = same(n)
	}
	for _, m := range fs.moves {
		next.moves = append(next.moves, move{m.from, m.to, same(m.node)})
	}
	return next
}

func sorted(names map[string]*inode) []string {
	var list []string
	for name := range names {
		list = append(list, name)
	}
	slices.Sort(list)
	return list
}

// verdict is what begin decided about one operation.
type verdict struct {
	fault Fault
	cut   Cut
}

// done reports whether the operation takes effect as the caller wishes.
func (v verdict) done() bool { return v.fault == 0 || v.fault == Late || v.fault == Lie }

// err is what the operation returns.
func (v verdict) err(op, name string) error {
	switch {
	case v.cut != 0:
		return ErrCut
	case v.fault == EIO || v.fault == Late:
		return &os.PathError{Op: op, Path: name, Err: errEIO}
	case v.fault == ENOSPC:
		return &os.PathError{Op: op, Path: name, Err: errENOSPC}
	}
	return nil
}

// begin counts an operation and decides what becomes of it. Faults that an
// operation cannot have are none.
func (fs *FS) begin(op, name string) (verdict, error) {
	if fs.off {
		return verdict{}, ErrCut
	}
	n := fs.ops
	fs.ops++
	fs.count[op]++
	fs.log = append(fs.log, [2]string{op, name})
	if n == fs.cutAt {
		fs.off = true
		if fs.cut == Before {
			return verdict{}, ErrCut
		}
		return verdict{cut: fs.cut}, nil
	}
	f := fs.once[n]
	if fs.from >= 0 && n >= fs.from {
		f = fs.forever
	}
	reads := op == "list" || op == "read" || op == "open"
	switch {
	case f == Short && op != "write", f == Lie && op != "datasync", f == ENOSPC && reads, f == Late && reads:
		f = 0
	}
	return verdict{fault: f}, nil
}

type closer func() error

func (c closer) Close() error { return c() }

// Lock takes the folder; a folder after a cut or a kill is free.
func (fs *FS) Lock() (io.Closer, error) {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	if fs.off {
		return nil, ErrCut
	}
	if fs.locked {
		return nil, journal.ErrInUse
	}
	fs.locked = true
	return closer(func() error { fs.set(func() { fs.locked = false }); return nil }), nil
}

// List implements journal.Files.
func (fs *FS) List() ([]string, error) {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	v, err := fs.begin("list", "")
	if err := errors.Join(err, v.err("list", ".")); err != nil {
		return nil, err
	}
	return sorted(fs.names), nil
}

// Read implements journal.Files.
func (fs *FS) Read(name string) ([]byte, error) {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	v, err := fs.begin("read", name)
	if err != nil {
		return nil, err
	}
	n := fs.names[name]
	if n == nil {
		return nil, &os.PathError{Op: "open", Path: name, Err: os.ErrNotExist}
	}
	if err := v.err("read", name); err != nil {
		return make([]byte, len(n.data)), err
	}
	return slices.Clone(n.data), nil
}

// Create implements journal.Files.
func (fs *FS) Create(name string) (journal.File, error) {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	v, err := fs.begin("create", name)
	if err != nil {
		return nil, err
	}
	n := fs.names[name]
	if v.done() {
		if n == nil {
			n = &inode{dirty: make(map[int]bool)}
			fs.names[name] = n
			fs.moves = append(fs.moves, move{to: name, node: n})
		}
		n.truncate(0)
	}
	if err := v.err("create", name); err != nil {
		return nil, err
	}
	return &file{fs: fs, name: name, node: n}, nil
}

// Open implements journal.Files.
func (fs *FS) Open(name string) (journal.File, error) {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	v, err := fs.begin("open", name)
	if err := errors.Join(err, v.err("open", name)); err != nil {
		return nil, err
	}
	n := fs.names[name]
	if n == nil {
		return nil, &os.PathError{Op: "open", Path: name, Err: os.ErrNotExist}
	}
	return &file{fs: fs, name: name, node: n}, nil
}

// Rename implements journal.Files.
func (fs *FS) Rename(from, to string) error {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	v, err := fs.begin("rename", from+" "+to)
	if err != nil {
		return err
	}
	n := fs.names[from]
	if n == nil {
		return &os.PathError{Op: "rename", Path: from, Err: os.ErrNotExist}
	}
	if v.done() {
		delete(fs.names, from)
		fs.names[to] = n
		fs.moves = append(fs.moves, move{from, to, n})
	}
	return v.err("rename", from)
}

// SyncDir implements journal.Files.
func (fs *FS) SyncDir() error {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	v, err := fs.begin("syncdir", "")
	if err != nil {
		return err
	}
	if v.done() && v.cut != Torn {
		for _, m := range fs.moves {
			delete(fs.durable, m.from)
			fs.durable[m.to] = m.node
		}
		fs.moves = nil
	}
	return v.err("syncdir", ".")
}
