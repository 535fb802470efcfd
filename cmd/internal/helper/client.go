package helper

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"
)

// ErrNoReply says that there is no helper: nothing is done.
var ErrNoReply = errors.New("no reply from the helper: is shoeboard-helper.socket active?")

// ErrRunning says that the helper has the request and has not answered.
var ErrRunning = errors.New("still running: check again in a minute")

const (
	// answersIn is how long the helper may take: TimeoutStartSec of its unit, and a
	// moment. To pack and check an update on a slow card takes a minute.
	answersIn = 2*time.Minute + 5*time.Second
	// cancelsIn is how soon it must say whether a request was cancelled in time.
	cancelsIn = 2 * time.Second
	// maxAnswer bounds an answer, in bytes.
	maxAnswer = 64 << 10
)

// reply is the body of an answer.
type reply struct {
	Lines []string `json:"lines,omitempty"`
	Error string   `json:"error,omitempty"`
}

// Do has the helper that listens on a socket do a request, and returns the lines of its
// answer, made for a page. Cancelling ctx cancels the request: when it is too late for
// that, the answer comes as if it had not been cancelled. Errors: ErrNoReply,
// ErrRunning, or the helper's refusal, after which nothing was changed.
func Do(ctx context.Context, socket string, r Request) ([]string, error) {
	q, err := r.encode()
	if err != nil {
		return nil, err
	}
	conn, err := new(net.Dialer).DialContext(ctx, "unix", socket)
	if err != nil {
		return nil, fmt.Errorf("%w (%w)", ErrNoReply, err)
	}
	defer conn.Close()
	if err := conn.SetDeadline(time.Now().Add(answersIn)); err != nil {
		return nil, err
	}
	if err := q.Write(conn); err != nil {
		return nil, fmt.Errorf("%w (%w)", ErrNoReply, err)
	}
	stop := context.AfterFunc(ctx, func() { cancel(conn.(*net.UnixConn)) })
	defer stop()
	a, err := receive(conn, q)
	if err != nil {
		return nil, fmt.Errorf("%w (%w)", ErrRunning, err)
	}
	if a.Error != "" {
		return nil, errors.New(a.Error)
	}
	return a.Lines, nil
}

// cancel tells the helper that nobody wants the request any more, and leaves it a moment
// to answer what came of it. A connection that fails ends the wait at once.
func cancel(conn *net.UnixConn) {
	_ = conn.CloseWrite()
	_ = conn.SetReadDeadline(time.Now().Add(cancelsIn))
}

// receive reads the answer to q.
func receive(conn net.Conn, q *http.Request) (a reply, err error) {
	resp, err := http.ReadResponse(bufio.NewReader(conn), q)
	if err != nil {
		return a, err
	}
	defer resp.Body.Close()
	if err = json.NewDecoder(io.LimitReader(resp.Body, maxAnswer)).Decode(&a); err != nil {
		return a, err
	}
	if resp.StatusCode != http.StatusOK && a.Error == "" {
		a.Error = "the helper answered " + resp.Status
	}
	return a, nil
}
