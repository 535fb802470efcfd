package helper

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os/exec"
	"time"

	"shoeboard/cmd/internal/clock"
	"shoeboard/cmd/internal/transfer"
	"shoeboard/cmd/internal/update"
	"shoeboard/tracker/localapi"
)

const (
	// asksIn is how soon a client must have sent its request.
	asksIn = 5 * time.Second
	// maxRequest bounds a request, in bytes.
	maxRequest = 8 << 10
	// readIn is how long the answer can be read before the system ends.
	readIn = time.Second
)

// Server does what is requested. It needs root.
type Server struct {
	Clients localapi.Guard // besides root
	Core    localapi.Client
	Slot    transfer.Slot
	Updater func() (*update.Updater, error)
	Log     *slog.Logger // of each request: who, what, and what came of it
}

// act does one request and returns lines for the page. What it returns as after is done
// when the answer has been sent: it may end this process too.
type act func(ctx context.Context, r Request) (lines []string, after func() error, err error)

// Serve answers the request that comes over a connection, and closes it.
func (s *Server) Serve(ctx context.Context, conn net.Conn) error {
	log := s.Log.With("uid", localapi.UserOf(conn))
	if err := s.Clients.Check(conn); err != nil {
		log.Warn("helper: refused", "err", err)
		return errors.Join(err, respond(conn, http.StatusForbidden, reply{Error: err.Error()}), conn.Close())
	}
	err := serve(ctx, conn, func(ctx context.Context, r Request) ([]string, func() error, error) {
		lines, after, err := s.do(ctx, r)
		log.Info("helper: asked", "for", r.Kind, "argument", r.Argument, "err", err)
		return lines, after, err
	})
	if err != nil {
		log.Warn("helper: not answered", "err", err)
	}
	return err
}

func serve(ctx context.Context, conn net.Conn, do act) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	r, err := read(conn)
	if err != nil {
		return errors.Join(err, respond(conn, http.StatusBadRequest, reply{Error: err.Error()}), conn.Close())
	}
	closed := make(chan struct{})
	go func() {
		defer close(closed)
		_, _ = io.Copy(io.Discard, conn) // it ends when the client cancels or goes, and when conn is closed
		cancel()
	}()
	lines, after, err := do(ctx, r)
	status, a := http.StatusOK, reply{Lines: lines}
	if err != nil {
		status, a = http.StatusConflict, reply{Error: err.Error()}
	}
	sent := errors.Join(respond(conn, status, a), conn.Close())
	<-closed
	if err == nil && after != nil {
		sent = errors.Join(sent, after())
	}
	return sent
}

// read reads a request.
func read(conn net.Conn) (Request, error) {
	if err := conn.SetReadDeadline(time.Now().Add(asksIn)); err != nil {
		return Request{}, err
	}
	q, err := http.ReadRequest(bufio.NewReader(io.LimitReader(conn, maxRequest)))
	if err != nil {
		return Request{}, err
	}
	r, err := decode(q)
	return r, errors.Join(err, conn.SetReadDeadline(time.Time{}))
}

func respond(conn net.Conn, status int, a reply) error {
	text, err := json.Marshal(a)
	if err != nil {
		return err
	}
	resp := http.Response{StatusCode: status, ProtoMajor: 1, ProtoMinor: 1, Close: true,
		Header:        http.Header{"Content-Type": {"application/json"}},
		ContentLength: int64(len(text)), Body: io.NopCloser(bytes.NewReader(text))}
	return resp.Write(conn)
}

// do does one request. It checks again what the menu has checked.
func (s *Server) do(ctx context.Context, r Request) (lines []string, after func() error, err error) {
	switch r.Kind {
	case SetTime:
		at, err := r.time()
		if err == nil {
			lines, err = clock.Set(at)
		}
		return lines, nil, err
	case Addresses:
		lines, err = addresses()
		return lines, nil, err
	case Update:
		return s.update(ctx, r.Argument)
	case Reboot:
		return s.end(ctx, "reboot", "The unit restarts.")
	case PowerOff:
		return s.end(ctx, "poweroff", "The unit switches off.")
	}
	return nil, nil, r.check()
}

// end ends the system, while no shoe is in play.
func (s *Server) end(ctx context.Context, how, line string) ([]string, func() error, error) {
	err := errors.Join(update.BetweenShoes(ctx, s.Core), ctx.Err())
	return []string{line}, func() error {
		time.Sleep(readIn)
		return systemctl(how)
	}, err
}

// update checks a package of the stick, on a copy that is root's, and has it installed
// by the unit that also ends an interrupted update: this one answers at once.
func (s *Server) update(ctx context.Context, file string) ([]string, func() error, error) {
	u, err := s.Updater()
	if err != nil {
		return nil, nil, err
	}
	version, err := u.Prepare(ctx, func(to string) error { return s.Slot.Fetch(file, to) }, "")
	if err != nil {
		return nil, nil, err
	}
	lines := []string{"Version " + version + " is being", "installed. The board comes", "back by itself."}
	return lines, func() error { return systemctl("start", "shoeboard-update.service") }, nil
}

// systemctl gives the service manager an order and does not wait for it.
func systemctl(args ...string) error {
	out, err := exec.Command("systemctl", append([]string{"--no-block"}, args...)...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("systemctl %v: %w: %s", args, err, out)
	}
	return nil
}

// addresses returns the addresses of the unit, a line for each: "eth0 192.168.1.20".
// Loopback and link-local addresses are left out.
func addresses() ([]string, error) {
	all, err := net.Interfaces()
	if err != nil {
		return nil, err
	}
	var lines []string
	for _, i := range all {
		addresses, err := i.Addrs()
		if err != nil {
			return nil, err
		}
		for _, a := range addresses {
			if ip, _, err := net.ParseCIDR(a.String()); err == nil && ip.IsGlobalUnicast() {
				lines = append(lines, i.Name+" "+ip.String())
			}
		}
	}
	if lines == nil {
		lines = []string{"none, no network"}
	}
	return lines, nil
}
