package localapi

import (
	"context"
	"iter"
	"sync"
	"sync/atomic"

	"shoeboard/stats"
)

// Hub holds the newest Board and wakes those who wait for the next. Readers keep
// nothing in it, so a reader that has gone or stalls costs the core nothing.
type Hub struct {
	now atomic.Pointer[edition]
}

// edition is one Board with its JSON line and the signal that a newer one is out.
type edition struct {
	board *stats.Board // nil before the first
	line  func() ([]byte, error)
	newer chan struct{} // closed when the next edition is in the Hub
}

// NewHub returns a Hub without a Board.
func NewHub() *Hub {
	h := &Hub{}
	h.now.Store(newEdition(nil))
	return h
}

// newEdition encodes b only when the first reader asks for it, in that reader's
// goroutine: the table must not pay for a Board that nobody reads.
func newEdition(b *stats.Board) *edition {
	line := sync.OnceValues(func() ([]byte, error) { return encode(b) })
	return &edition{board: b, line: line, newer: make(chan struct{})}
}

// Publish makes b the newest Board. It never blocks and does not look into b,
// which nobody may change from here on. A nil Board is ignored.
func (h *Hub) Publish(b *stats.Board) {
	if b != nil {
		close(h.now.Swap(newEdition(b)).newer)
	}
}

// Newest returns the newest Board, nil before the first, and a channel that is
// closed as soon as there is a newer one.
func (h *Hub) Newest() (*stats.Board, <-chan struct{}) {
	e := h.now.Load()
	return e.board, e.newer
}

// Boards yields the newest Board and then each newer one until ctx ends, for a
// screen in the core's own process. It has the form of Client.Boards; Err is
// never set. A loop body that takes long misses the Boards between.
func (h *Hub) Boards(ctx context.Context) iter.Seq[Update] {
	return func(yield func(Update) bool) {
		for {
			b, newer := h.Newest()
			if b != nil && !yield(Update{Board: b}) {
				return
			}
			select {
			case <-newer:
			case <-ctx.Done():
				return
			}
		}
	}
}

// Update is one piece of news from the core.
type Update struct {
	// Board is the newest Board. When it is nil only the connection has changed,
	// and the Board received before stays what is known.
	Board *stats.Board
	// Err says why there is no connection to the core; nil: connected.
	Err error
}
