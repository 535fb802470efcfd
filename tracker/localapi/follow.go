package localapi

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"time"
)

const (
	// firstWait and lastWait bound the wait before the next try to connect.
	firstWait = 100 * time.Millisecond
	lastWait  = 2 * time.Second
	// silence is how long the stream may bring nothing before the core is taken
	// to be dead: five beats.
	silence = 5 * time.Second
)

var (
	errSilent = fmt.Errorf("the core has sent nothing for %v", silence)
	errClosed = errors.New("the core has closed the connection")
)

// Boards yields news from the core until ctx ends or the loop is left: an Update
// without Board and Err when connected, then each newest Board. When the
// connection is lost, or cannot be made, it yields the reason once and tries
// again by itself, after 100 ms at first and 2 s at most. It runs in the caller's
// goroutine; a loop body that takes long misses the Boards between.
func (c Client) Boards(ctx context.Context) iter.Seq[Update] {
	return func(yield func(Update) bool) {
		f := follower{client: c, yield: yield, wait: firstWait}
		for f.again(ctx) {
		}
	}
}

// follower is one loop over Client.Boards.
type follower struct {
	client Client
	yield  func(Update) bool
	wait   time.Duration // before the next try
	reason string        // the one reported last, "" when connected
	left   bool          // the loop has been left
}

// again follows one connection to its end and waits until the next try is due; it
// reports whether there is one.
func (f *follower) again(ctx context.Context) bool {
	if !f.once(ctx) {
		return false
	}
	select {
	case <-time.After(f.wait):
		f.wait = min(2*f.wait, lastWait)
		return true
	case <-ctx.Done():
		return false
	}
}

// once follows one connection to its end, yields why it ended, and reports
// whether to try again.
func (f *follower) once(ctx context.Context) bool {
	err := f.stream(ctx)
	if f.left || ctx.Err() != nil {
		return false
	}
	if err.Error() == f.reason {
		return true
	}
	f.reason = err.Error()
	return f.yield(Update{Err: err})
}

// stream connects and hands on Boards until something ends it.
func (f *follower) stream(ctx context.Context) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	timer := time.AfterFunc(silence, func() { cancel(errSilent) })
	defer timer.Stop()
	resp, err := f.client.open(ctx, http.MethodGet, "boards", nil)
	if err != nil {
		return silenceError(ctx, err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		data, _ := io.ReadAll(io.LimitReader(resp.Body, 4<<10))
		return refusal(resp, data)
	}
	return silenceError(ctx, f.lines(ctx, resp.Body, timer))
}

// lines reads the stream. The timer rests while the caller's loop body runs: its
// slowness is not the core's silence.
func (f *follower) lines(ctx context.Context, r io.Reader, timer *time.Timer) error {
	if !f.report(ctx, Update{}, timer) {
		return nil
	}
	s := bufio.NewScanner(r)
	s.Buffer(make([]byte, 64<<10), maxBoard)
	s.Split(wholeLines)
	for s.Scan() {
		timer.Reset(silence)
		if len(s.Bytes()) == 0 {
			continue
		}
		b, err := decodeBoard(s.Bytes())
		if err != nil {
			return err
		}
		f.wait = firstWait
		if !f.report(ctx, Update{Board: b}, timer) {
			return nil
		}
	}
	switch err := s.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return fmt.Errorf("the core sent a board of more than %d bytes", maxBoard)
	case err != nil && !errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("%w: %w", errClosed, err)
	}
	return errClosed
}

// report yields u and reports whether to go on.
func (f *follower) report(ctx context.Context, u Update, timer *time.Timer) bool {
	timer.Stop()
	f.reason = ""
	f.left = !f.yield(u)
	timer.Reset(silence)
	return !f.left && ctx.Err() == nil
}

// silenceError puts the reason in the place of an error that only says "canceled".
func silenceError(ctx context.Context, err error) error {
	if errors.Is(context.Cause(ctx), errSilent) {
		return errSilent
	}
	return err
}

// wholeLines splits at line ends and drops what has none: a line cut off by the
// core's death is not a Board.
func wholeLines(data []byte, atEOF bool) (int, []byte, error) {
	if i := bytes.IndexByte(data, '\n'); i >= 0 {
		return i + 1, data[:i], nil
	}
	if atEOF {
		return len(data), nil, nil
	}
	return 0, nil, nil
}
