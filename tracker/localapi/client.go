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

// ErrNoCore says that no core serves on the socket.
var ErrNoCore = errors.New("no core is running here")

// callIn is how long a single request may take.
const callIn = 10 * time.Second

// Client asks the core that serves on the Unix socket Path. It holds nothing
// open between calls. Errors are sentences for people: ErrNoCore, *AnswerError
// for what the core refused, or what else went wrong.
type Client struct {
	Path string
}

// Board returns the newest Board.
func (c Client) Board(ctx context.Context) (*stats.Board, error) {
	data, err := c.call(ctx, http.MethodGet, "/v1/board", nil)
	if err != nil {
		return nil, err
	}
	return decodeBoard(data)
}

// Version returns which program the core is.
func (c Client) Version(ctx context.Context) (Version, error) {
	data, err := c.call(ctx, http.MethodGet, "/v1/version", nil)
	if err != nil {
		return Version{}, err
	}
	var v Version
	return v, understood(json.Unmarshal(data, &v))
}

// Health returns whether the core works. Alive is false, with no error here, if
// its socket answers and its loop does not.
func (c Client) Health(ctx context.Context) (Health, error) {
	data, err := c.call(ctx, http.MethodGet, "/v1/health", nil)
	var a *AnswerError
	if errors.As(err, &a) && a.Status == http.StatusServiceUnavailable {
		err = nil
	}
	if err != nil {
		return Health{}, err
	}
	var h Health
	return h, understood(json.Unmarshal(data, &h))
}

// Identify flashes the table number for d, in whole seconds up to 600; 0 stops it.
func (c Client) Identify(ctx context.Context, d time.Duration) error {
	q := url.Values{"seconds": {strconv.Itoa(int(d / time.Second))}}
	_, err := c.call(ctx, http.MethodPost, "/v1/identify?"+q.Encode(), nil)
	return err
}

// ScreenTest shows a page of stats.TestPages on the unit's screens, "" the board
// again. The core refuses it while hands are dealt, unless forced.
func (c Client) ScreenTest(ctx context.Context, page string, forced bool) error {
	q := url.Values{"page": {page}}
	if forced {
		q.Set("force", "true")
	}
	_, err := c.call(ctx, http.MethodPost, "/v1/screen-test?"+q.Encode(), nil)
	return err
}

// Drawn says to the core that the board is on this process's screen now.
func (c Client) Drawn(ctx context.Context) error {
	_, err := c.call(ctx, http.MethodPost, "/v1/drawn", nil)
	return err
}

// Reload has the core read its configuration again; the error is the
// configuration's first fault.
func (c Client) Reload(ctx context.Context) error {
	_, err := c.call(ctx, http.MethodPost, "/v1/reload", nil)
	return err
}

// Acknowledge says that the fault of that code is known; by is whom root speaks for,
// "" for whoever calls.
func (c Client) Acknowledge(ctx context.Context, code, by string) error {
	q := url.Values{"code": {code}}
	if by != "" {
		q.Set("by", by)
	}
	_, err := c.call(ctx, http.MethodPost, "/v1/acknowledge?"+q.Encode(), nil)
	return err
}

// Correct fixes, inserts or removes a hand in the name of the floor. It returns once that
// is on disk.
func (c Client) Correct(ctx context.Context, what Correction) (Corrected, error) {
	body, err := json.Marshal(what)
	if err != nil {
		return Corrected{}, err
	}
	data, err := c.call(ctx, http.MethodPost, "/v1/hands", body)
	if err != nil {
		return Corrected{}, err
	}
	var made Corrected
	return made, understood(json.Unmarshal(data, &made))
}

// Press plays a key of the keypad by its name going down or up.
func (c Client) Press(ctx context.Context, key string, down bool) error {
	body, err := json.Marshal(press{Key: key, Down: &down})
	if err != nil {
		return err
	}
	_, err = c.call(ctx, http.MethodPost, "/v1/press", body)
	return err
}

// call makes one request and returns the answer's body. The body comes with the
// error too when the core refused.
func (c Client) call(ctx context.Context, method, path string, body []byte) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, callIn)
	defer cancel()
	resp, err := c.open(ctx, method, path, body)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(io.LimitReader(resp.Body, MaxBoard+1))
	if err != nil {
		return nil, fmt.Errorf("the core at %s stopped in the middle of its answer: %w", c.Path, err)
	}
	if len(data) > MaxBoard {
		return nil, fmt.Errorf("the core at %s sent more than %d bytes", c.Path, MaxBoard)
	}
	if resp.StatusCode >= 400 {
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
	req, err := http.NewRequestWithContext(ctx, method, "http://core"+path, bytes.NewReader(body))
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
		return fmt.Errorf("%w (%s): start it with \"sudo systemctl start shoeboard\", where there is no service with \"shoeboard run\"", ErrNoCore, c.Path)
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("socket %s: not allowed to open it (%w): use sudo, or have yourself put into group shoeboard to look", c.Path, fs.ErrPermission)
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

func understood(err error) error {
	if err != nil {
		return fmt.Errorf("the core's answer is not understood: %w", err)
	}
	return nil
}
