package localapi

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"golang.org/x/sys/unix"

	"shoeboard/stats"
)

// ErrNoCore says that nobody serves on the socket.
var ErrNoCore = errors.New("no core is running here")

// callIn limits how long a single request to the core may take.
const callIn = 10 * time.Second

// Client calls the core that serves on the Unix socket Path. It holds nothing
// open between calls. Errors are sentences for people: ErrNoCore, *AnswerError
// for what the core refused, or what else went wrong.
type Client struct {
	Path string
}

// Board returns the newest Board.
func (c Client) Board(ctx context.Context) (*stats.Board, error) {
	data, err := c.call(ctx, http.MethodGet, "board", nil, nil)
	if err != nil {
		return nil, err
	}
	return decodeBoard(data)
}

// Version returns which program the core is.
func (c Client) Version(ctx context.Context) (Version, error) {
	return decodeAnswer[Version](c.call(ctx, http.MethodGet, "version", nil, nil))
}

// Health returns whether the core works. Alive is false, with no error here, if
// its socket answers and its loop does not.
func (c Client) Health(ctx context.Context) (Health, error) {
	data, err := c.call(ctx, http.MethodGet, "health", nil, nil)
	var a *AnswerError
	if errors.As(err, &a) && a.Status == http.StatusServiceUnavailable {
		err = nil
	}
	return decodeAnswer[Health](data, err)
}

// Shoes returns the finished shoes from one on, as they are stored. A stream that breaks
// off ends with an error and not with io.EOF.
func (c Client) Shoes(ctx context.Context, from uint64) (io.ReadCloser, error) {
	resp, err := c.open(ctx, http.MethodGet, "shoes?from="+strconv.FormatUint(from, 10), nil)
	if err != nil {
		return nil, err
	}
	if resp.StatusCode == http.StatusOK {
		return resp.Body, nil
	}
	_, err = c.readAnswer(resp)
	return nil, err
}

// Identify flashes the table number for d, in whole seconds up to 600; 0 stops it.
func (c Client) Identify(ctx context.Context, d time.Duration) error {
	return c.post(ctx, "identify", url.Values{"seconds": {strconv.Itoa(int(d / time.Second))}})
}

// ScreenTest shows a page of stats.TestPages on the unit's screens, "" the board
// again. The core refuses it while hands are dealt, unless forced.
func (c Client) ScreenTest(ctx context.Context, page string, forced bool) error {
	q := url.Values{"page": {page}}
	if forced {
		q.Set("force", "true")
	}
	return c.post(ctx, "screen-test", q)
}

// Drawn reports to the core that this process's screen shows the board now.
func (c Client) Drawn(ctx context.Context) error { return c.post(ctx, "drawn", nil) }

// Reload makes the core read its configuration again; the error is the
// configuration's first fault.
func (c Client) Reload(ctx context.Context) error { return c.post(ctx, "reload", nil) }

// Acknowledge acknowledges the fault of that code; by is the person for whom root calls,
// "" for the caller.
func (c Client) Acknowledge(ctx context.Context, code, by string) error {
	q := url.Values{"code": {code}}
	if by != "" {
		q.Set("by", by)
	}
	return c.post(ctx, "acknowledge", q)
}

// Acted has the record say that something was done to the unit, and what was and is of it;
// by is the user id for whom root calls, "" for the caller's.
func (c Client) Acted(ctx context.Context, act, was, is, by string) error {
	return c.post(ctx, "acted", url.Values{"act": {act}, "was": {was}, "is": {is}, "by": {by}})
}

// Correct fixes, inserts or removes a hand in the name of the floor. It returns once that
// is on disk.
func (c Client) Correct(ctx context.Context, what Correction) (Corrected, error) {
	return decodeAnswer[Corrected](c.call(ctx, http.MethodPost, "hands", nil, what))
}

// Press plays a key of the keypad by its name going down or up.
func (c Client) Press(ctx context.Context, key string, down bool) error {
	_, err := c.call(ctx, http.MethodPost, "press", nil, press{Key: key, Down: &down})
	return err
}

func (c Client) post(ctx context.Context, path string, q url.Values) error {
	_, err := c.call(ctx, http.MethodPost, path, q, nil)
	return err
}

// call makes one request, with body as JSON unless that is nil, and returns the answer's
// body, which comes with the error too when the core refused.
func (c Client) call(ctx context.Context, method, path string, q url.Values, body any) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, callIn)
	defer cancel()
	var text []byte
	if body != nil {
		var err error
		if text, err = json.Marshal(body); err != nil {
			return nil, err
		}
	}
	resp, err := c.open(ctx, method, path+"?"+q.Encode(), text)
	if err != nil {
		return nil, err
	}
	return c.readAnswer(resp)
}

// readAnswer reads a whole answer and closes it.
func (c Client) readAnswer(resp *http.Response) ([]byte, error) {
	defer resp.Body.Close()
	data, err := io.ReadAll(io.LimitReader(resp.Body, maxBoard+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("the core at %s stopped in the middle of its answer: %w", c.Path, err)
	case len(data) > maxBoard:
		return nil, fmt.Errorf("the core at %s sent more than %d bytes", c.Path, maxBoard)
	case resp.StatusCode >= http.StatusBadRequest:
		return data, refusal(resp, data)
	}
	return data, nil
}

// open sends one request on a connection of its own, which the body's Close ends.
func (c Client) open(ctx context.Context, method, path string, body []byte) (*http.Response, error) {
	t := &http.Transport{
		DisableKeepAlives: true,
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, "unix", c.Path)
		},
	}
	req, err := http.NewRequestWithContext(ctx, method, "http://core/v1/"+path, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	resp, err := t.RoundTrip(req)
	if err != nil {
		return nil, c.unreachable(err)
	}
	return resp, nil
}

// unreachable says in words why the socket gave no answer.
func (c Client) unreachable(err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, unix.ECONNREFUSED):
		return fmt.Errorf("%w (%s): start it with \"sudo systemctl start shoeboard\", "+
			"where there is no service with \"shoeboard run\"", ErrNoCore, c.Path)
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("socket %s: not allowed to open it (%w): use sudo, or join group shoeboard to read the board",
			c.Path, fs.ErrPermission)
	}
	return fmt.Errorf("the core at %s does not answer: %w", c.Path, err)
}

// refusal reads the sentence of an answer of 400 and above.
func refusal(resp *http.Response, data []byte) error {
	a := &AnswerError{Status: resp.StatusCode}
	if json.Unmarshal(data, a) != nil || a.Text == "" {
		a.Text = "the core answered " + resp.Status
	}
	return a
}

// decodeAnswer decodes the data that call returned with err.
func decodeAnswer[T any](data []byte, err error) (v T, _ error) {
	if err != nil {
		return v, err
	}
	if err := json.Unmarshal(data, &v); err != nil {
		return v, fmt.Errorf("the core's answer is not understood: %w", err)
	}
	return v, nil
}
