package localapi

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"
)

const (
	// writeIn limits how long a reader may keep an answer from being written.
	writeIn = 10 * time.Second
	// readIn limits how long a peer may take to send its request.
	readIn = 5 * time.Second
	// sendBuffer holds about one Board, so that a reader that was slow finds few
	// old Boards before the newest.
	sendBuffer = 32 << 10
)

// Serve answers requests on l until ctx ends, then closes l and every connection. It
// returns nil when ctx ended it, otherwise why it could not go on.
func Serve(ctx context.Context, l net.Listener, core Core) error {
	srv := &http.Server{
		Handler:           core.routes(),
		BaseContext:       func(net.Listener) context.Context { return ctx },
		ConnContext:       acceptPeer,
		ConnState:         newLimit(core.Screens).state,
		ReadHeaderTimeout: readIn,
		IdleTimeout:       time.Minute,
		MaxHeaderBytes:    8 << 10,
	}
	done := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		defer close(done)
		quiet, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
		defer cancel()
		if srv.Shutdown(quiet) != nil {
			srv.Close()
		}
	})
	err := srv.Serve(l)
	if stop() {
		return errors.Join(err, srv.Close())
	}
	<-done
	return nil
}

// acceptPeer remembers who has connected.
func acceptPeer(ctx context.Context, c net.Conn) context.Context {
	if u, ok := c.(*net.UnixConn); ok {
		u.SetWriteBuffer(sendBuffer) // without it readers only see more old Boards
	}
	return context.WithValue(ctx, peerKey{}, whoIs(c))
}

// action performs a request and returns its answer, nil when there is nothing to say.
type action func(w http.ResponseWriter, r *http.Request) (any, error)

// require returns a handler that performs do for root, for the program's own user and for
// those whom g names, and refuses everybody else. A result is answered as JSON.
func require(g Guard, do action) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		err := g.allows(peerFrom(r.Context()))
		var result any
		if err == nil {
			result, err = do(w, r)
		}
		switch {
		case err != nil:
			refuse(w, err)
		case result == nil:
			w.WriteHeader(http.StatusNoContent)
		default:
			answer(w, http.StatusOK, result)
		}
	}
}

// readJSON reads a small body in time and decodes it strictly: one object, no unknown
// field. The deadline is removed again, because the server watches the connection for the
// peer's leaving until the answer is out.
func readJSON(w http.ResponseWriter, r *http.Request, most int64, v any) error {
	rc := http.NewResponseController(w)
	_ = rc.SetReadDeadline(time.Now().Add(readIn))
	defer func() { _ = rc.SetReadDeadline(time.Time{}) }()
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, most))
	var large *http.MaxBytesError
	if errors.As(err, &large) {
		return fmt.Errorf("the body is too large: expected at most %d bytes", most)
	}
	if err != nil {
		return err
	}
	return decodeStrict(body, v)
}

func answer(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(v) // an error means that the reader has gone
}

// refuse answers err; one that is no AnswerError is the program's own refusal.
func refuse(w http.ResponseWriter, err error) {
	var a *AnswerError
	if !errors.As(err, &a) {
		a = &AnswerError{Status: http.StatusConflict, Text: err.Error()}
	}
	answer(w, a.Status, a)
}
