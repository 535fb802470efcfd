package hwtest

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"periph.io/x/conn/v3/conntest"
	"periph.io/x/conn/v3/spi/spitest"

	"shoeboard/hw"
)

// LeavesNothingOpen runs a source whose device comes and goes, in a bubble, and fails
// unless everything that was opened is closed when it has ended. build returns the
// source, what unplugs its device, and how many files of it are open.
func LeavesNothingOpen(t *testing.T, build func() (s hw.Source, unplug func(gone bool), opened func() int)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		s, unplug, opened := build()
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() { done <- s.Run(ctx, make(chan hw.Event, 10)) }()
		for i := range 5 {
			unplug(i%2 == 0)
			time.Sleep(3 * time.Second)
		}
		cancel()
		Stops(t, done)
		if n := opened(); n != 0 {
			t.Errorf("%d files of the device are left open", n)
		}
	})
}

// FailingPort is an SPI port on which every transfer fails.
type FailingPort struct {
	spitest.Playback
	Closed int // times
}

// NewFailingPort returns one that has not been closed.
func NewFailingPort() *FailingPort {
	p := &FailingPort{}
	p.Playback.Playback = conntest.Playback{DontPanic: true}
	return p
}

// Close counts.
func (p *FailingPort) Close() error {
	p.Closed++
	return nil
}
