package localapi

import (
	"context"
	"errors"
	"io/fs"
	"net"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/sys/unix"
)

func TestNoCoreIsSaidInWords(t *testing.T) {
	path := socketPath(t)
	l, err := Listen(path)
	if err != nil {
		t.Fatal(err)
	}
	l.(*socket).UnixListener.Close() // as SIGKILL leaves it
	for _, p := range []string{path, path + ".none"} {
		_, err := Client{Path: p}.Board(shortly(t))
		if !errors.Is(err, ErrNoCore) || !strings.Contains(err.Error(), p) || !strings.Contains(err.Error(), "shoeboard run") {
			t.Errorf("error %v", err)
		}
	}
	if err := os.Remove(path); err != nil {
		t.Error(err)
	}
}

func TestUnreachableSaysWhatToDo(t *testing.T) {
	c := Client{Path: "/run/shoeboard/core.sock"}
	for err, says := range map[error]string{
		unix.EACCES: "not allowed to open it",
		unix.EAGAIN: "does not answer",
		unix.ENOENT: `start it with "sudo systemctl start shoeboard"`,
	} {
		got := c.unreachable(&net.OpError{Op: "dial", Net: "unix", Err: os.NewSyscallError("connect", err)})
		if !strings.Contains(got.Error(), c.Path) || !strings.Contains(got.Error(), says) {
			t.Errorf("%v is told as %q, want %q", err, got, says)
		}
		if errors.Is(got, fs.ErrPermission) != (err == unix.EACCES) {
			t.Errorf("%v: whether this user is kept out is not known by %q", err, got)
		}
	}
}

// A core is started, stopped and started again under a client that stays.
func TestTheClientComesBackByItself(t *testing.T) {
	t.Parallel()
	path := socketPath(t)
	client := Client{Path: path}
	ctx, cancel := context.WithCancel(shortly(t))
	defer cancel()
	news := make(chan Update)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for u := range client.Boards(ctx) {
			select {
			case news <- u:
			case <-ctx.Done():
			}
		}
	}()
	next := func() Update {
		select {
		case u := <-news:
			return u
		case <-ctx.Done():
			t.Fatal("the client says nothing")
			return Update{}
		}
	}
	if u := next(); !errors.Is(u.Err, ErrNoCore) {
		t.Fatalf("without a core: %+v", u)
	}
	for round := range uint64(3) {
		hub := NewHub()
		hub.Publish(board(round+1, 10))
		stop := serve(t, path, Core{Hub: hub})
		if u := next(); u.Err != nil || u.Board != nil {
			t.Fatalf("round %d: want connected, got %+v", round, u)
		}
		if u := next(); u.Board == nil || u.Board.Seq != round+1 {
			t.Fatalf("round %d: want board %d, got %+v", round, round+1, u)
		}
		stop()
		for { // closed, and perhaps then no core
			u := next()
			if u.Err == nil {
				t.Fatalf("round %d: want a loss, got %+v", round, u)
			}
			if errors.Is(u.Err, ErrNoCore) {
				break
			}
		}
	}
	cancel()
	<-ended
}

// Only a core that has sent a Board is tried again at once: one that sends
// rubbish would be asked ten times a second for ever.
func TestBackOffStartsAnewAfterABoard(t *testing.T) {
	for line, want := range map[string]time.Duration{`{"version":1}`: firstWait, `{"version":9}`: lastWait} {
		path := socketPath(t)
		stranger(t, path, func(w http.ResponseWriter, _ *http.Request) { w.Write([]byte(line + "\n")) })
		f := follower{client: Client{Path: path}, yield: func(Update) bool { return true }, wait: lastWait}
		if !f.once(shortly(t)) || f.wait != want {
			t.Errorf("after %s the next try is in %v, want %v", line, f.wait, want)
		}
	}
}

func TestTheReasonIsToldOnce(t *testing.T) {
	path := socketPath(t)
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		told := 0
		for u := range (Client{Path: path}).Boards(ctx) {
			if !errors.Is(u.Err, ErrNoCore) {
				t.Errorf("told %+v", u)
			}
			told++
		}
		if told != 1 {
			t.Errorf("told %d times", told)
		}
	})
}

// A core that is back is found within the longest wait, however long it was away.
func TestTriesAreNeverFarApart(t *testing.T) {
	path := socketPath(t)
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
		defer cancel()
		var tries []time.Duration
		last := time.Now()
		f := follower{client: Client{Path: path}, wait: firstWait, yield: func(Update) bool { return true }}
		for f.again(ctx) {
			tries, last = append(tries, time.Since(last)), time.Now()
		}
		if tries[0] != firstWait || slices.Max(tries) != lastWait || len(tries) < int(time.Hour/lastWait) {
			t.Errorf("%d tries in an hour, the first after %v, the last after %v", len(tries), tries[0], slices.Max(tries))
		}
	})
}

// stranger serves what is no core on path.
func stranger(t *testing.T, path string, h http.HandlerFunc) {
	t.Helper()
	l, err := Listen(path)
	if err != nil {
		t.Fatal(err)
	}
	srv := &http.Server{Handler: h}
	ended := make(chan struct{})
	go func() { srv.Serve(l); close(ended) }()
	t.Cleanup(func() { srv.Close(); <-ended })
}

func TestWhatIsNoBoardIsRefused(t *testing.T) {
	for _, c := range []struct{ name, line, says string }{
		{"not JSON", "hello\n", "not a board"},
		{"null", "null\n", "version 0"},
		{"another version", `{"version":9,"game":{"bets":null},"shoe":{"bets":null}}` + "\n", "version 9, this program reads version 1"},
		{"wrong type", `{"version":1,"seq":"one"}` + "\n", "not a board"},
		{"two in one line", `{"version":1}{"version":1}` + "\n", "not a board"},
		{"an outcome that is none", `{"version":1,"shoe":{"marks":[{"o":1},{"o":4}]}}` + "\n", "hand 2 of shoe 0 has outcome 4"},
		{"counts without bets", `{"version":1,"previous":{"number":2,"bets":[{"n":1}]}}` + "\n", "shoe 2 counts 1 bets, the game has 0"},
		{"a row below the last", `{"version":1,"shoe":{"roads":{"small_road":[{"c":0,"r":6,"k":1}]}}}` + "\n", "row 7, expected at most 6"},
		{"a mark without a hand", `{"version":1,"shoe":{"roads":{"big_road":[{"c":0,"r":0,"o":1,"h":0}]}}}` + "\n", "mark for hand 1 of 0"},
		{"a bead without a hand", `{"version":1,"shoe":{"roads":{"bead_plate":[{"c":0,"r":0,"o":1}]}}}` + "\n", "1 beads for 0 hands"},
		{"without end", `{"version":1,"table":"` + strings.Repeat("x", maxBoard) + `"}` + "\n", "more than"},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := socketPath(t)
			stranger(t, path, func(w http.ResponseWriter, _ *http.Request) { w.Write([]byte(c.line)) })
			client := Client{Path: path}
			if b, err := client.Board(shortly(t)); err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("Board says %v, %v, want %q", b, err, c.says)
			}
			for u := range client.Boards(shortly(t)) {
				if u.Err == nil && u.Board == nil {
					continue // connected
				}
				if u.Err == nil || !strings.Contains(u.Err.Error(), c.says) {
					t.Errorf("Boards says %+v, want %q", u, c.says)
				}
				break
			}
		})
	}
}

func TestALineCutOffByACrashIsNotABoard(t *testing.T) {
	path := socketPath(t)
	stranger(t, path, func(w http.ResponseWriter, _ *http.Request) {
		w.Write([]byte(`{"version":1,"seq":1}` + "\n" + `{"version":1,"seq":2}`))
		http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	})
	var seqs []uint64
	for u := range (Client{Path: path}).Boards(shortly(t)) {
		if u.Err != nil {
			if !errors.Is(u.Err, errClosed) {
				t.Errorf("the loss is told as %v", u.Err)
			}
			break
		}
		if u.Board != nil {
			seqs = append(seqs, u.Board.Seq)
		}
	}
	if len(seqs) != 1 || seqs[0] != 1 {
		t.Errorf("boards %v, want 1 only", seqs)
	}
}

func TestACoreThatRefusesTheStream(t *testing.T) {
	path := socketPath(t)
	stranger(t, path, func(w http.ResponseWriter, _ *http.Request) {
		refuse(w, &AnswerError{Status: 503, Text: "too many readers"})
	})
	for u := range (Client{Path: path}).Boards(shortly(t)) {
		var a *AnswerError
		if !errors.As(u.Err, &a) || a.Text != "too many readers" {
			t.Errorf("told %+v", u)
		}
		break
	}
}

func TestAnAnswerWithoutASentenceHasItsStatus(t *testing.T) {
	path := socketPath(t)
	stranger(t, path, http.NotFound)
	_, err := Client{Path: path}.Version(shortly(t))
	if err == nil || !strings.Contains(err.Error(), "404 Not Found") {
		t.Errorf("error %v", err)
	}
}
