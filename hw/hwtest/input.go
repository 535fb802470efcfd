package hwtest

import (
	"context"
	"io/fs"
	"maps"
	"os"
	"slices"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"shoeboard/hw/evdev"
)

// Input is a fake of the kernel's input layer: an evdev.Host whose nodes are
// plugged, unplugged and typed on by a test. Its clock is the test's.
type Input struct {
	mu       sync.Mutex
	start    time.Time
	nodes    map[string]*Node
	watchers []chan struct{}
	silent   bool // no change is signalled
	unplugs  int
}

var _ evdev.Host = (*Input)(nil)

// NewInput returns an input layer without nodes. Made in a synctest bubble, it
// runs on the bubble's clock.
func NewInput() *Input {
	return &Input{start: time.Now(), nodes: map[string]*Node{}}
}

// Silent stops the input layer from telling of changes, as a folder does that
// was not there when the program began.
func (in *Input) Silent() { in.silent = true }

// Now returns the time since the input layer was made, plus one hour for a
// machine that has been up.
func (in *Input) Now() time.Duration { return time.Since(in.start) + time.Hour }

// Plug makes a node on which some keys are down already. The path is "event3".
func (in *Input) Plug(path string, id evdev.Identity, down ...uint16) *Node {
	in.mu.Lock()
	defer in.mu.Unlock()
	n := &Node{input: in, path: path, id: id, held: map[uint16]bool{}}
	for _, code := range down {
		n.held[code] = true
	}
	in.nodes[path] = n
	in.changed()
	return n
}

// Unplug removes a node. Like the kernel it first lets go of the keys that are down,
// in a report of its own, and then every other time loses what was not read yet, as
// with a late reader.
func (in *Input) Unplug(path string) {
	in.mu.Lock()
	defer in.mu.Unlock()
	n := in.nodes[path]
	delete(in.nodes, path)
	if n == nil {
		return
	}
	n.letGo()
	n.gone = true
	in.unplugs++
	for _, d := range n.devices {
		if in.unplugs%2 == 0 {
			d.queue = nil
		}
		d.wake.Broadcast()
	}
	in.changed()
}

// Nodes lists the paths.
func (in *Input) Nodes() ([]string, error) {
	in.mu.Lock()
	defer in.mu.Unlock()
	var paths []string
	for path := range in.nodes {
		paths = append(paths, path)
	}
	return paths, nil
}

// Open opens a node.
func (in *Input) Open(path string) (evdev.Device, error) {
	in.mu.Lock()
	defer in.mu.Unlock()
	n := in.nodes[path]
	switch {
	case n == nil:
		return nil, &fs.PathError{Op: "open", Path: path, Err: unix.ENOENT}
	case n.denied:
		return nil, &fs.PathError{Op: "open", Path: path, Err: unix.EACCES}
	}
	d := &device{node: n, wake: sync.NewCond(&in.mu)}
	n.devices = append(n.devices, d)
	return d, nil
}

// Opened says how many devices are open, for tests of what is left behind.
func (in *Input) Opened() int {
	in.mu.Lock()
	defer in.mu.Unlock()
	opened := 0
	for _, n := range in.nodes {
		opened += len(n.devices)
	}
	return opened
}

// Watch signals changes until ctx ends.
func (in *Input) Watch(ctx context.Context) <-chan struct{} {
	in.mu.Lock()
	defer in.mu.Unlock()
	ch := make(chan struct{}, 1)
	in.watchers = append(in.watchers, ch)
	context.AfterFunc(ctx, func() {
		in.mu.Lock()
		defer in.mu.Unlock()
		in.watchers = slices.DeleteFunc(in.watchers, func(w chan struct{}) bool { return w == ch })
		close(ch)
	})
	return ch
}

func (in *Input) changed() {
	if in.silent {
		return
	}
	for _, w := range in.watchers {
		select {
		case w <- struct{}{}:
		default:
		}
	}
}

// Node is one fake input device.
type Node struct {
	input   *Input
	path    string
	id      evdev.Identity
	held    map[uint16]bool
	devices []*device
	grabbed *device
	denied  bool
	busy    bool
	gone    bool
}

// Key moves a key; every reader gets a record.
func (n *Node) Key(code uint16, down bool) {
	n.input.mu.Lock()
	defer n.input.mu.Unlock()
	if n.held[code] == down {
		return
	}
	n.held[code] = down
	what := evdev.KeyUp
	if down {
		what = evdev.KeyDown
	}
	n.send(evdev.Record{What: what, Code: code, At: n.input.Now()})
}

// Sleep lets go of the keys that are down, as the kernel does of a device that it
// puts to sleep or holds back.
func (n *Node) Sleep() {
	n.input.mu.Lock()
	defer n.input.mu.Unlock()
	n.letGo()
}

// letGo releases the keys that are down.
func (n *Node) letGo() {
	if slices.Contains(slices.Collect(maps.Values(n.held)), true) {
		n.send(evdev.Record{What: evdev.Released, At: n.input.Now()})
	}
	clear(n.held)
}

// Lose moves keys whose events the kernel throws away.
func (n *Node) Lose(levels map[uint16]bool) {
	n.input.mu.Lock()
	defer n.input.mu.Unlock()
	maps.Copy(n.held, levels)
	n.send(evdev.Record{What: evdev.Dropped, At: n.input.Now()}, evdev.Record{What: evdev.Resumed, At: n.input.Now()})
}

// Deny takes or gives the right to open the node; giving signals a change, as
// udev's chmod does.
func (n *Node) Deny(denied bool) {
	n.input.mu.Lock()
	defer n.input.mu.Unlock()
	n.denied = denied
	n.input.changed()
}

// Busy says that another program has or has not grabbed the node.
func (n *Node) Busy(busy bool) {
	n.input.mu.Lock()
	defer n.input.mu.Unlock()
	n.busy = busy
}

func (n *Node) send(records ...evdev.Record) {
	if n.gone {
		return
	}
	for _, d := range n.devices {
		d.queue = append(d.queue, records...)
		d.wake.Broadcast()
	}
}

// device is one opening of a node.
type device struct {
	node   *Node
	queue  []evdev.Record
	wake   *sync.Cond
	closed bool
}

func (d *device) Identity() (evdev.Identity, error) {
	d.node.input.mu.Lock()
	defer d.node.input.mu.Unlock()
	if d.node.gone {
		return evdev.Identity{}, unix.ENODEV
	}
	return d.node.id, nil
}

func (d *device) Grab() error {
	d.node.input.mu.Lock()
	defer d.node.input.mu.Unlock()
	switch {
	case d.node.gone:
		return unix.ENODEV
	case d.node.busy || d.node.grabbed != nil:
		return unix.EBUSY
	}
	d.node.grabbed = d
	return nil
}

func (d *device) Held() ([]uint16, error) {
	d.node.input.mu.Lock()
	defer d.node.input.mu.Unlock()
	if d.node.gone {
		return nil, unix.ENODEV
	}
	d.queue = nil // the kernel drops queued keys with the answer
	var held []uint16
	for code, down := range d.node.held {
		if down {
			held = append(held, code)
		}
	}
	return held, nil
}

func (d *device) Records() ([]evdev.Record, error) {
	d.node.input.mu.Lock()
	defer d.node.input.mu.Unlock()
	for len(d.queue) == 0 && !d.node.gone && !d.closed {
		d.wake.Wait()
	}
	switch {
	case d.closed:
		return nil, os.ErrClosed
	case len(d.queue) == 0:
		return nil, unix.ENODEV
	}
	records := d.queue
	d.queue = nil
	return records, nil
}

func (d *device) Close() error {
	d.node.input.mu.Lock()
	defer d.node.input.mu.Unlock()
	d.closed = true
	if d.node.grabbed == d {
		d.node.grabbed = nil
	}
	d.node.devices = slices.DeleteFunc(d.node.devices, func(o *device) bool { return o == d })
	d.wake.Broadcast()
	return nil
}
