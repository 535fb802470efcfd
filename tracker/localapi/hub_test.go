package localapi

import (
	"context"
	"sync"
	"testing"
)

func TestHubShowsTheNewest(t *testing.T) {
	h := NewHub()
	if b, _ := h.Newest(); b != nil {
		t.Fatalf("a new hub has board %v", b)
	}
	_, newer := h.Newest()
	for seq := range uint64(3) {
		h.Publish(board(seq+1, 0))
	}
	select {
	case <-newer:
	default:
		t.Error("who waited for a newer board was not woken")
	}
	h.Publish(nil)
	b, newer := h.Newest()
	if b == nil || b.Seq != 3 {
		t.Fatalf("newest is %v, want 3", b)
	}
	select {
	case <-newer:
		t.Error("a newer board is announced and there is none")
	default:
	}
}

func TestHubWakesEveryReaderWhoeverPublishes(t *testing.T) {
	const writers, each, readers = 4, 250, 4
	h := NewHub()
	last := board(writers*each+1, 0)
	var reading, writing sync.WaitGroup
	for range readers {
		reading.Go(func() {
			for u := range h.Boards(context.Background()) {
				if u.Board == last {
					return
				}
			}
		})
	}
	for w := range writers {
		writing.Go(func() {
			for i := range each {
				h.Publish(board(uint64(w*each+i+1), 0))
			}
		})
	}
	writing.Wait()
	h.Publish(last)
	reading.Wait() // hangs if a wake-up was lost
}

func TestHubBoardsEndsWithItsContext(t *testing.T) {
	h := NewHub()
	h.Publish(board(1, 0))
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	seen := 0
	for u := range h.Boards(ctx) {
		if u.Err != nil || u.Board.Seq != 1 {
			t.Errorf("got %+v", u)
		}
		seen++
		cancel()
	}
	if seen != 1 {
		t.Errorf("%d updates, want 1", seen)
	}
}

func TestEditionIsEncodedOnce(t *testing.T) {
	e := newEdition(board(7, 20))
	one, err := e.line()
	if err != nil {
		t.Fatal(err)
	}
	two, _ := e.line()
	if &one[0] != &two[0] {
		t.Error("the second reader had the board encoded again")
	}
	if one[len(one)-1] != '\n' {
		t.Error("the line has no end")
	}
}
