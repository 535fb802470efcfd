package localapi

import (
	"context"
	"io"
	"net/http"
	"strconv"
	"time"
)

const (
	// beatEvery is how long the stream is silent before a beat.
	beatEvery = time.Second
	// aliveIn is how soon the core's loop must answer.
	aliveIn = time.Second
)

// Core is the table as the socket needs it. What a function refuses is answered
// as 409 with the error's text; a function that is nil cannot be called (501).
// All may be called from many goroutines at once.
type Core struct {
	Hub     *Hub // always needed
	Version Version
	Guard   Guard
	Screens Guard // whose processes may call Drawn
	// Alive returns nil when a token has gone through the table's loop; nil: the
	// core is assumed to be alive. While it fails the stream has no beats.
	Alive func(context.Context) error
	// Shoes writes the finished shoes from one on, oldest first, as they are stored.
	// Before it writes anything it may refuse.
	Shoes func(ctx context.Context, from uint64, out io.Writer) error
	// Identify flashes the table number for d; 0 stops it.
	Identify func(ctx context.Context, d time.Duration) error
	// ScreenTest shows one of stats.TestPages instead of the board, "" the board
	// again; forced: in the middle of a hand as well.
	ScreenTest func(ctx context.Context, page string, forced bool) error
	// Drawn notes that a screen shows the board; DrawnAgo returns how long ago the last
	// such note came, false: none has.
	Drawn    func()
	DrawnAgo func() (time.Duration, bool)
	// Reload reads the configuration again.
	Reload func(context.Context) error
	// Acknowledge acknowledges the fault of that code in by's name.
	Acknowledge func(ctx context.Context, code, by string) error
	// Acted records that by did something to the unit, and what was and is of it.
	Acted func(ctx context.Context, act, was, is, by string) error
	// Correct fixes, inserts or removes a hand in the name of the floor, and returns once
	// that is on disk.
	Correct func(context.Context, Correction) (Corrected, error)
	// Press plays a key of the keypad by its name. Set it only where tests and
	// technicians may press keys remotely (403 otherwise).
	Press func(ctx context.Context, key string, down bool) error
}

// routes returns what answers the paths of the core.
func (c Core) routes() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /v1/board", c.board)
	mux.HandleFunc("GET /v1/boards", c.boards)
	mux.HandleFunc("GET /v1/version", func(w http.ResponseWriter, _ *http.Request) { answer(w, 200, c.Version) })
	mux.HandleFunc("GET /v1/health", c.health)
	mux.HandleFunc("GET /v1/shoes", c.shoes)
	post := func(path string, can bool, what string, do action) {
		if !can {
			do = cannot(what)
		}
		mux.HandleFunc("POST /v1/"+path, require(c.Guard, do))
	}
	post("identify", c.Identify != nil, "identify", c.identify)
	post("screen-test", c.ScreenTest != nil, "test its screen", c.screenTest)
	post("reload", c.Reload != nil, "reload", c.reload)
	post("acknowledge", c.Acknowledge != nil, "acknowledge faults", c.acknowledge)
	post("acted", c.Acted != nil, "record acts", c.acted)
	post("hands", c.Correct != nil, "correct hands", c.correct)
	post("press", true, "press keys", c.press)
	mux.HandleFunc("POST /v1/drawn", require(c.Screens, c.drawn))
	mux.Handle("GET /v1/debug/pprof/", debug())
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// A recorder in tests has no deadline to set, and no reader to wait for.
		_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(writeIn))
		mux.ServeHTTP(w, r)
	})
}

func (c Core) board(w http.ResponseWriter, _ *http.Request) {
	e := c.Hub.now.Load()
	if e.board == nil {
		refuse(w, &AnswerError{Status: 503, Text: "the core has no board yet: it is starting, try again"})
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

func (c Core) health(w http.ResponseWriter, r *http.Request) {
	h := Health{Alive: true}
	if b, _ := c.Hub.Newest(); b != nil {
		h.Seq, h.Faults = b.Seq, b.Faults
	}
	if c.DrawnAgo != nil {
		if ago, some := c.DrawnAgo(); some {
			ms := ago.Milliseconds()
			h.Drawn = &ms
		}
	}
	status := http.StatusOK
	if err := c.alive(r.Context()); err != nil {
		h.Alive, h.Error, status = false, err.Error(), http.StatusServiceUnavailable
	}
	answer(w, status, h)
}

func (c Core) alive(ctx context.Context) error {
	if c.Alive == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, aliveIn)
	defer cancel()
	return c.Alive(ctx)
}

// boards streams the newest Board as it comes. A reader that is slow blocks this
// goroutine in Write; what was published meanwhile is not kept for it.
func (c Core) boards(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/x-ndjson")
	w.WriteHeader(http.StatusOK)
	beat := time.NewTicker(beatEvery)
	defer beat.Stop()
	var last *edition
	for {
		e := c.Hub.now.Load()
		if c.send(w, r, e, e == last) != nil {
			return
		}
		last = e
		select {
		case <-e.newer:
		case <-beat.C:
		case <-r.Context().Done():
			return
		}
	}
}

// send writes the edition's line, or a beat if the reader has it already.
func (c Core) send(w http.ResponseWriter, r *http.Request, e *edition, old bool) error {
	line := []byte("\n")
	var err error
	switch {
	case !old && e.board != nil:
		line, err = e.line()
	case c.alive(r.Context()) != nil:
		return nil // no beat: the reader draws its conclusion
	}
	if err != nil {
		return err
	}
	if _, err := (&timely{ResponseWriter: w}).Write(line); err != nil {
		return err
	}
	return http.NewResponseController(w).Flush()
}

// shoes streams the finished shoes. An answer that breaks off is not ended as HTTP wants
// it, so that the reader does not believe that it has all.
func (c Core) shoes(w http.ResponseWriter, r *http.Request) {
	from, err := strconv.ParseUint(r.URL.Query().Get("from"), 10, 64)
	switch {
	case c.Shoes == nil:
		_, err = cannot("give its shoes")(w, r)
	case err != nil && r.URL.Query().Has("from"):
		err = badRequest("shoes: from %q, expected the number of a record", r.FormValue("from"))
	default:
		w.Header().Set("Content-Type", "application/octet-stream")
		out := &timely{ResponseWriter: w}
		if err = c.Shoes(r.Context(), from, out); err != nil && out.begun {
			panic(http.ErrAbortHandler)
		}
	}
	if err != nil {
		refuse(w, err)
	}
}

// timely writes within the time that a reader has.
type timely struct {
	http.ResponseWriter
	begun bool
}

func (t *timely) Write(p []byte) (int, error) {
	t.begun = true
	_ = http.NewResponseController(t.ResponseWriter).SetWriteDeadline(time.Now().Add(writeIn))
	return t.ResponseWriter.Write(p)
}
