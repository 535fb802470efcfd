package localapi

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"sync/atomic"
	"time"
)

const (
	// beatEvery is how long the stream is silent before a beat.
	beatEvery = time.Second
	// aliveIn is how soon the core's loop must answer.
	aliveIn = time.Second
	// writeIn is how long a reader may keep an answer from being written.
	writeIn = 10 * time.Second
	// readIn is how long a peer may take to say what it wants.
	readIn = 5 * time.Second
	// maxConns is how many connections are served at once. Readers in plenty must
	// not use up the file descriptors that the journal needs.
	maxConns = 64
	// sendBuffer holds about one Board, so that a reader that was slow finds few
	// old Boards before the newest.
	sendBuffer = 32 << 10
)

// Core is the table as the socket needs it. What a function refuses is answered
// as 409 with the error's text; a function that is nil cannot be asked for (501).
// All may be called from many goroutines at once.
type Core struct {
	Hub     *Hub // always needed
	Version Version
	Guard   Guard
	Screens Guard // whose processes may say Drawn
	// Alive returns nil when a token has gone through the table's loop; nil: the
	// core is taken to be alive. While it fails the stream has no beats.
	Alive func(context.Context) error
	// Identify flashes the table number for d; 0 stops it.
	Identify func(ctx context.Context, d time.Duration) error
	// ScreenTest shows one of stats.TestPages instead of the board, "" the board
	// again; forced: in the middle of a hand as well.
	ScreenTest func(ctx context.Context, page string, forced bool) error
	// Drawn takes a screen's word that the board is on it; DrawnAgo is how long ago the
	// last such word came, false: none has.
	Drawn    func()
	DrawnAgo func() (time.Duration, bool)
	// Reload reads the configuration again.
	Reload func(context.Context) error
	// Acknowledge says in by's name that the fault of that code is known.
	Acknowledge func(ctx context.Context, code, by string) error
	// Correct fixes, inserts or removes a hand in the name of the floor, and returns once
	// that is on disk.
	Correct func(context.Context, Correction) (Corrected, error)
	// Press plays a key of the keypad by its name. Set it only where tests and
	// technicians may key from afar (403 else).
	Press func(ctx context.Context, key string, down bool) error
}

// Serve answers on l until ctx ends, then closes l and every connection. It
// returns nil when ctx ended it, else why it could not go on.
func Serve(ctx context.Context, l net.Listener, core Core) error {
	srv := &http.Server{
		Handler:           (&server{core: core}).routes(),
		BaseContext:       func(net.Listener) context.Context { return ctx },
		ConnContext:       welcome,
		ConnState:         crowd(maxConns),
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

// welcome notes who has connected.
func welcome(ctx context.Context, c net.Conn) context.Context {
	if u, ok := c.(*net.UnixConn); ok {
		u.SetWriteBuffer(sendBuffer) // without it readers only see more old Boards
	}
	return withPeer(ctx, c)
}

// crowd closes every connection over the most.
func crowd(most int64) func(net.Conn, http.ConnState) {
	var n atomic.Int64
	return func(c net.Conn, s http.ConnState) {
		switch s {
		case http.StateNew:
			if n.Add(1) > most {
				c.Close()
			}
		case http.StateClosed:
			n.Add(-1)
		}
	}
}

type server struct{ core Core }

func (s *server) routes() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /v1/board", s.board)
	mux.HandleFunc("GET /v1/boards", s.boards)
	mux.HandleFunc("GET /v1/version", func(w http.ResponseWriter, _ *http.Request) { answer(w, 200, s.core.Version) })
	mux.HandleFunc("GET /v1/health", s.health)
	mux.HandleFunc("POST /v1/identify", s.change(s.identify))
	mux.HandleFunc("POST /v1/screen-test", s.change(s.screenTest))
	mux.HandleFunc("POST /v1/drawn", s.only(s.core.Screens, s.drawn))
	mux.HandleFunc("POST /v1/reload", s.change(s.reload))
	mux.HandleFunc("POST /v1/acknowledge", s.change(s.acknowledge))
	mux.HandleFunc("POST /v1/hands", s.change(s.correct))
	mux.HandleFunc("POST /v1/press", s.change(s.press))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// A recorder in tests has no deadline to set, and no reader to wait for.
		_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(writeIn))
		mux.ServeHTTP(w, r)
	})
}

func (s *server) board(w http.ResponseWriter, _ *http.Request) {
	e := s.core.Hub.now.Load()
	if e.board == nil {
		refuse(w, &AnswerError{Status: 503, Text: "the core has no board yet: it is starting, ask again"})
		return
	}
	line, err := e.line()
	if err != nil {
		refuse(w, &AnswerError{Status: 500, Text: "the board cannot be written as JSON: " + err.Error()})
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Write(line)
}

func (s *server) health(w http.ResponseWriter, r *http.Request) {
	h := Health{Alive: true}
	if b, _ := s.core.Hub.Newest(); b != nil {
		h.Seq, h.Faults = b.Seq, b.Faults
	}
	if s.core.DrawnAgo != nil {
		if ago, some := s.core.DrawnAgo(); some {
			ms := ago.Milliseconds()
			h.Drawn = &ms
		}
	}
	status := http.StatusOK
	if err := s.alive(r.Context()); err != nil {
		h.Alive, h.Error, status = false, err.Error(), http.StatusServiceUnavailable
	}
	answer(w, status, h)
}

func (s *server) alive(ctx context.Context) error {
	if s.core.Alive == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, aliveIn)
	defer cancel()
	return s.core.Alive(ctx)
}

// change wraps what only some may do.
func (s *server) change(do http.HandlerFunc) http.HandlerFunc { return s.only(s.core.Guard, do) }

// only wraps what those whom g names may do.
func (s *server) only(g Guard, do http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if err := g.allows(peerFrom(r.Context())); err != nil {
			refuse(w, err)
			return
		}
		do(w, r)
	}
}

func answer(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(v) // an error is a reader that has gone
}

// refuse answers err; one that is no AnswerError is the core's own refusal.
func refuse(w http.ResponseWriter, err error) {
	var a *AnswerError
	if !errors.As(err, &a) {
		a = &AnswerError{Status: http.StatusConflict, Text: err.Error()}
	}
	answer(w, a.Status, a)
}
