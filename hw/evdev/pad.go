package evdev

import (
	"context"
	"time"

	"shoeboard/hw"
	"shoeboard/hw/debounce"
)

// Device is one opened node.
type Device interface {
	// Records waits for the next records; Close ends it.
	Records() ([]Record, error)
	Close() error
	// Identity reads how the device describes itself.
	Identity() (Identity, error)
	// Grab makes the device ours alone and its times those of the boot-time
	// clock. It fails with EBUSY if another program has it.
	Grab() error
	// Held returns the codes of all keys that are down now, and drops the key records
	// that were not read yet.
	Held() ([]uint16, error)
}

// Host is where devices are: the kernel, or a fake of hwtest.
type Host interface {
	// Nodes lists the paths of all nodes there are.
	Nodes() ([]string, error)
	Open(path string) (Device, error)
	// Watch signals when nodes may have changed, until ctx ends; then it closes
	// the channel and has left nothing behind.
	Watch(ctx context.Context) <-chan struct{}
	// Now reads the boot-time clock.
	Now() time.Duration
}

// Settings say which pad is meant and how it is treated.
type Settings struct {
	Name   string  // the source's name
	Match  Match   // which pad; a zero field means any
	Others []Match // pads that are enrolled for other sources and never touched

	// Accepted is called, on the source's goroutine, with a pad that came where none is
	// enrolled, so that it can be. It may be nil.
	Accepted func(Match)

	// For a test: PadsOnly takes no keyboard where any numeric pad is meant, for it may be
	// the technician's. Tap is called, on the source's goroutine, with every key record of
	// the open device; it may be nil.
	PadsOnly bool
	Tap      func(Record)

	Times debounce.Times // debounce.Pads() for keypads
}

// Pad is the source of one pad.
type Pad struct {
	set  Settings
	host Host
}

var _ hw.Source = (*Pad)(nil)

// New returns the source of the pad that s means. Nothing is opened before Run.
func New(s Settings, host Host) *Pad {
	return &Pad{set: s, host: host}
}

// rescan is how often nodes are scanned while the pad is missing, for kernels and folders
// that signal no change. A pad is back within two seconds.
const rescan = time.Second

// Run sends what the pad does until ctx ends; it returns nil then and never sooner.
func (p *Pad) Run(ctx context.Context, out chan<- hw.Event) error {
	changes := p.host.Watch(ctx)
	r := newRun(ctx, p, out)
	tick, timer := time.NewTicker(rescan), time.NewTimer(0)
	defer tick.Stop()
	defer timer.Stop()
	r.scan()
	r.missing()
	for ctx.Err() == nil {
		r.arm(timer)
		select {
		case <-ctx.Done():
		case <-changes:
			r.scan()
		case <-tick.C:
			if r.open == nil || r.another {
				r.scan()
			}
		case c := <-r.chunks:
			r.read(c)
		case <-timer.C:
			r.pass()
		}
	}
	r.close()
	for range changes { // wait until the watch has ended
	}
	return nil
}
