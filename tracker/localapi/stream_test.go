package localapi

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync/atomic"
	"testing"
	"time"
)

// openStream opens the stream of Boards as a reader that decides itself when to read.
func openStream(t *testing.T, path string) *bufio.Reader {
	t.Helper()
	resp, err := Client{Path: path}.open(shortly(t), http.MethodGet, "boards", nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { resp.Body.Close() })
	return bufio.NewReader(resp.Body)
}

// nextBoard reads up to the next Board, past beats, and returns its sequence number.
func nextBoard(t *testing.T, r *bufio.Reader) uint64 {
	t.Helper()
	for {
		line, err := r.ReadBytes('\n')
		if err != nil {
			t.Fatal(err)
		}
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		b, err := decodeBoard(line)
		if err != nil {
			t.Fatal(err)
		}
		return b.Seq
	}
}

func TestASlowReaderMissesBoardsAndBlocksNobody(t *testing.T) {
	path := socketPath(t)
	hub := NewHub()
	hub.Publish(board(1, 88))
	serve(t, path, Core{Hub: hub})
	slow := openStream(t, path)
	if got := nextBoard(t, slow); got != 1 {
		t.Fatalf("first board is %d", got)
	}
	quick := openStream(t, path)
	const last = 500 // more than a socket holds, and sent long before the server gives a reader up
	for seq := uint64(2); seq <= last; seq++ {
		hub.Publish(board(seq, 88))
		if seq%100 == 0 { // a reader beside it is not held up
			for nextBoard(t, quick) < seq {
			}
		}
	}
	read, before := 0, uint64(1)
	for before < last {
		seq := nextBoard(t, slow)
		if seq <= before {
			t.Fatalf("board %d after board %d", seq, before)
		}
		before = seq
		read++
	}
	if read > last/10 {
		t.Errorf("the slow reader was given %d of %d boards", read, last)
	}
}

func TestAHundredBoardsASecond(t *testing.T) {
	t.Parallel()
	path := socketPath(t)
	hub := NewHub()
	serve(t, path, Core{Hub: hub})
	ctx := shortly(t)
	const last = 100
	go func() {
		for seq := range uint64(last) {
			hub.Publish(board(seq+1, 88))
			time.Sleep(10 * time.Millisecond)
		}
	}()
	seen, before := 0, uint64(0)
	for u := range (Client{Path: path}).Boards(ctx) {
		if u.Err != nil {
			t.Fatal(u.Err)
		}
		if u.Board == nil {
			continue
		}
		if u.Board.Seq <= before {
			t.Errorf("board %d after board %d", u.Board.Seq, before)
		}
		before = u.Board.Seq
		seen++
		if before == last {
			break
		}
	}
	if before != last {
		t.Fatalf("the last board seen is %d", before)
	}
	t.Logf("%d of %d boards seen", seen, last)
}

func TestTheStreamBeatsAsLongAsTheCoreLives(t *testing.T) {
	t.Parallel()
	path := socketPath(t)
	var dead atomic.Bool
	serve(t, path, Core{Alive: func(ctxT) error {
		if dead.Load() {
			return errors.New("hangs")
		}
		return nil
	}})
	r := openStream(t, path)
	for range 3 { // at once, and then about one a second
		line, err := r.ReadString('\n')
		if err != nil || line != "\n" {
			t.Fatalf("beat %q, %v", line, err)
		}
	}
	dead.Store(true)
	for u := range (Client{Path: path}).Boards(shortly(t)) {
		if !errors.Is(u.Err, errSilent) {
			t.Errorf("of a core whose loop hangs the client says %+v", u)
		}
		break
	}
}

func TestTheServerStopsUnderItsReaders(t *testing.T) {
	path := socketPath(t)
	hub := NewHub()
	stop := serve(t, path, Core{Hub: hub})
	for range 5 {
		r := openStream(t, path)
		r.ReadString('\n')
	}
	stalled := openStream(t, path)
	for seq := range uint64(100) { // more than the socket holds
		hub.Publish(board(seq, 88))
		time.Sleep(time.Millisecond)
	}
	began := time.Now()
	stop()
	if took := time.Since(began); took > writeIn-time.Second {
		t.Errorf("a reader that does not read held the server up for %v", took)
	}
	for { // what the socket held, and then the end
		if _, err := stalled.ReadBytes('\n'); err != nil {
			return
		}
	}
}

func TestASlowLoopBodyIsNotASilentCore(t *testing.T) {
	t.Parallel()
	path := socketPath(t)
	hub := NewHub()
	hub.Publish(board(1, 1))
	serve(t, path, Core{Hub: hub})
	seen := 0
	for u := range (Client{Path: path}).Boards(shortly(t)) {
		if u.Err != nil {
			t.Fatal(u.Err)
		}
		if u.Board == nil {
			continue
		}
		if seen++; seen == 2 {
			return
		}
		time.Sleep(silence + time.Second)
		hub.Publish(board(2, 1))
	}
}

func TestBoardsEndsWhenItsContextOrItsLoopDoes(t *testing.T) {
	path := socketPath(t)
	hub := NewHub()
	hub.Publish(board(1, 1))
	serve(t, path, Core{Hub: hub})
	for name, client := range map[string]Client{"serving": {Path: path}, "gone": {Path: path + "x"}} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			for range client.Boards(ctx) {
				break
			}
			updates := 0
			for range client.Boards(ctx) {
				updates++
				cancel()
			}
			if updates != 1 {
				t.Errorf("%d updates after the context ended", updates-1)
			}
		})
	}
}

// The figures of a shoe go up by one a board; a client must never see them go back.
func TestManyReaders(t *testing.T) {
	path := socketPath(t)
	hub := NewHub()
	serve(t, path, Core{Hub: hub})
	ctx := shortly(t)
	const readers, last = 16, 200
	errs := make(chan error, readers)
	for range readers {
		go func() { errs <- followTo(ctx, Client{Path: path}, last) }()
	}
	for seq := range uint64(last) {
		hub.Publish(board(seq+1, 20))
	}
	for range readers {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
}

// followTo reads Boards until the one numbered last.
func followTo(ctx context.Context, c Client, last uint64) error {
	before := uint64(0)
	for u := range c.Boards(ctx) {
		switch {
		case u.Err != nil:
			return u.Err
		case u.Board == nil:
			continue
		case u.Board.Seq <= before:
			return fmt.Errorf("board %d after board %d", u.Board.Seq, before)
		case u.Board.Seq == last:
			return nil
		}
		before = u.Board.Seq
	}
	return ctx.Err()
}
