package localapi

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"shoeboard/stats"
)

type ctxT = context.Context

func mustNotIdentify(t *testing.T) func(ctxT, time.Duration) error {
	return func(ctxT, time.Duration) error { t.Error("identified"); return nil }
}

func mustNotReload(t *testing.T) func(ctxT) error {
	return func(ctxT) error { t.Error("reloaded"); return nil }
}

func mustNotPress(t *testing.T) func(ctxT, string, bool) error {
	return func(ctxT, string, bool) error { t.Error("pressed"); return nil }
}

// ask sends "METHOD /path" over conn and returns the status of the answer.
func ask(t *testing.T, conn net.Conn, request string) int {
	t.Helper()
	fmt.Fprintf(conn, "%s HTTP/1.1\r\nHost: core\r\nConnection: close\r\n\r\n", request)
	resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatal(err)
	}
	io.Copy(io.Discard, resp.Body)
	resp.Body.Close()
	return resp.StatusCode
}

func TestBoardComesAsItWasPublished(t *testing.T) {
	path := socketPath(t)
	hub := NewHub()
	serve(t, path, Core{Hub: hub})
	client := Client{Path: path}

	_, err := client.Board(shortly(t))
	var a *AnswerError
	if !errors.As(err, &a) || a.Status != http.StatusServiceUnavailable || !strings.Contains(a.Text, "no board yet") {
		t.Errorf("before the first board: %v", err)
	}
	want := board(70, 88)
	prev := shoe(2, 79)
	want.Previous = &prev
	want.Countdown = &stats.Deadline{Boot: "b0", At: 90 * time.Second, Total: 20}
	hub.Publish(want)
	got, err := client.Board(shortly(t))
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

func TestVersion(t *testing.T) {
	path := socketPath(t)
	want := Version{Program: "1.2.0", Revision: "abc", Go: "go1.26", Board: stats.BoardVersion}
	serve(t, path, Core{Version: want})
	if got, err := (Client{Path: path}).Version(shortly(t)); err != nil || got != want {
		t.Errorf("version %+v, %v", got, err)
	}
}

func TestHealth(t *testing.T) {
	t.Parallel()
	fault := stats.Fault{Code: "clock-not-set", Text: "Set the clock.", Staff: true}
	hub := NewHub()
	b := board(9, 0)
	b.Faults = []stats.Fault{fault}
	hub.Publish(b)
	drawn := int64(1500)
	for _, c := range []struct {
		name  string
		alive func(ctxT) error
		drawn func() (time.Duration, bool)
		want  Health
	}{
		{"well", func(ctxT) error { return nil }, func() (time.Duration, bool) { return 1500 * time.Millisecond, true }, Health{Alive: true, Drawn: &drawn}},
		{"no screen", nil, func() (time.Duration, bool) { return 0, false }, Health{Alive: true}},
		{"not asked", nil, nil, Health{Alive: true}},
		{"hanging", func(ctx ctxT) error { <-ctx.Done(); return errors.New("the table's loop hangs") }, nil,
			Health{Error: "the table's loop hangs"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := socketPath(t)
			serve(t, path, Core{Hub: hub, Alive: c.alive, DrawnAgo: c.drawn})
			c.want.Seq, c.want.Faults = 9, []stats.Fault{fault}
			got, err := Client{Path: path}.Health(shortly(t))
			if err != nil || !reflect.DeepEqual(got, c.want) {
				t.Errorf("health %+v, %v, want %+v", got, err, c.want)
			}
		})
	}
}

func TestChangesReachTheCore(t *testing.T) {
	path := socketPath(t)
	var did []string
	serve(t, path, Core{
		Identify: func(_ ctxT, d time.Duration) error { did = append(did, "identify "+d.String()); return nil },
		ScreenTest: func(_ ctxT, page string, forced bool) error {
			did = append(did, fmt.Sprintf("page %q %v", page, forced))
			return nil
		},
		Drawn:  func() { did = append(did, "drawn") },
		Reload: func(ctxT) error { did = append(did, "reload"); return nil },
		Press: func(_ ctxT, key string, down bool) error {
			did = append(did, fmt.Sprint("press ", key, " ", down))
			return nil
		},
		Acknowledge: func(_ ctxT, code, by string) error {
			did = append(did, "acknowledge "+code+" by "+by)
			return nil
		},
		Acted: func(_ ctxT, act, was, is, by string) error {
			did = append(did, strings.Join([]string{act, was, is, by}, " "))
			return nil
		},
		Correct: func(_ ctxT, c Correction) (Corrected, error) {
			did = append(did, fmt.Sprintf("%s %d %s by %s", c.Do, c.Hand, c.Token, c.By))
			return Corrected{Hand: c.Hand, Was: "B", Token: c.Token, Hands: 44, By: c.By, Review: true}, nil
		},
	})
	c, ctx := Client{Path: path}, shortly(t)
	err := errors.Join(c.Identify(ctx, 10*time.Second), c.Identify(ctx, 0),
		c.ScreenTest(ctx, "overscan", false), c.ScreenTest(ctx, "phases-zh-Hant", true), c.ScreenTest(ctx, "", false), c.Drawn(ctx), c.Reload(ctx),
		c.Press(ctx, "BANKER", true), c.Press(ctx, "BANKER", false), c.Acknowledge(ctx, "keypad-missing", ""),
		c.Acted(ctx, "table-number", "7", "99", ""), c.Acted(ctx, "table-number", "7", "99", "1000"))
	if err != nil {
		t.Fatal(err)
	}
	me := peer{uid: os.Geteuid()}.name("")
	made, err := c.Correct(ctx, Correction{Do: "fix", Hand: 43, Token: "P"})
	if want := (Corrected{Hand: 43, Was: "B", Token: "P", Hands: 44, By: me, Review: true}); err != nil || made != want {
		t.Errorf("corrected %+v, %v", made, err)
	}
	mine := fmt.Sprintf("uid %d", os.Geteuid())
	theirs := mine // only root may sign for another
	if os.Geteuid() == 0 {
		theirs = "uid 1000"
	}
	want := `identify 10s|identify 0s|page "overscan" false|page "phases-zh-Hant" true|page "" false|drawn|` + "reload|press BANKER true|press BANKER false|" +
		"acknowledge keypad-missing by " + me + "|table-number 7 99 " + mine + "|table-number 7 99 " + theirs + "|fix 43 P by " + me
	if got := strings.Join(did, "|"); got != want {
		t.Errorf("the core did %s\nwant %s", got, want)
	}
}

func TestRefusalsAreSentences(t *testing.T) {
	closed, open := socketPath(t), socketPath(t)
	serve(t, closed, Core{})
	serve(t, open, Core{
		Identify: mustNotIdentify(t),
		ScreenTest: func(_ ctxT, page string, _ bool) error {
			if page != "grid" {
				t.Errorf("page %q reached the core", page)
			}
			return errors.New("hands are dealt")
		},
		Reload:      func(ctxT) error { return errors.New("shoeboard.toml line 12: limits.min = -5, expected 1 or more") },
		Press:       func(_ ctxT, key string, _ bool) error { return fmt.Errorf("there is no key %q", key) },
		Acknowledge: func(_ ctxT, code, _ string) error { return fmt.Errorf("fault %q does not stand", code) },
		Correct:     func(_ ctxT, c Correction) (Corrected, error) { return Corrected{}, fmt.Errorf("no hand %d", c.Hand) },
	})
	corrects := func(c Client, what Correction) error { _, err := c.Correct(shortly(t), what); return err }
	no, yes, ctx := Client{Path: closed}, Client{Path: open}, shortly(t)
	for _, c := range []struct {
		name   string
		err    error
		status int
		says   string
	}{
		{"identify not built in", no.Identify(ctx, 0), 501, "cannot identify"},
		{"drawn for a core without screens", no.Drawn(ctx), 501, "whether a screen shows the board"},
		{"reload not built in", no.Reload(ctx), 501, "cannot reload"},
		{"press not allowed", no.Press(ctx, "OK", true), 403, "does not take key presses"},
		{"identify for too long", yes.Identify(ctx, time.Hour), 400, "from 0 (stop) to 600"},
		{"a screen test not built in", no.ScreenTest(ctx, "grid", false), 501, "cannot test its screen"},
		{"a screen test while hands are dealt", yes.ScreenTest(ctx, "grid", false), 409, "hands are dealt"},
		{"a page with a slip", yes.ScreenTest(ctx, "overskan", true), 400, "did you mean overscan? expected one of pattern, "},
		{"the keypad's page", yes.ScreenTest(ctx, stats.KeypadTest, true), 400, "no page \"keypad\""},
		{"reload of a bad file", yes.Reload(ctx), 409, "line 12"},
		{"acknowledge not built in", no.Acknowledge(ctx, "heat", ""), 501, "cannot acknowledge faults"},
		{"a fault that does not stand", yes.Acknowledge(ctx, "heat", ""), 409, `fault "heat" does not stand`},
		{"a fault without a code", yes.Acknowledge(ctx, "", ""), 400, "expected the code"},
		{"corrections not built in", corrects(no, Correction{Do: "remove", Hand: 1}), 501, "cannot correct hands"},
		{"a correction that is refused", corrects(yes, Correction{Do: "fix", Hand: 9, Token: "P"}), 409, "no hand 9"},
		{"a correction that is none", corrects(yes, Correction{Do: "fix", Hand: 9}), 400, "fix and insert take one"},
		{"a correction without end", corrects(yes, Correction{Do: "remove", Hand: 9, Why: strings.Repeat("y", 3000)}), 400, "too large"},
		{"a key that is not there", yes.Press(ctx, "TURBO", true), 409, `no key "TURBO"`},
		{"a key without a name", yes.Press(ctx, "", true), 400, "missing"},
		{"a key from elsewhere", yes.Press(ctx, "莊", true), 400, "plain letters"},
		{"a key without end", yes.Press(ctx, strings.Repeat("K", 2000), true), 400, "too large"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var a *AnswerError
			if !errors.As(c.err, &a) || a.Status != c.status || !strings.Contains(a.Text, c.says) {
				t.Errorf("%#v, want %d with %q", c.err, c.status, c.says)
			}
		})
	}
}

func TestUnknownPathsAndMethods(t *testing.T) {
	path := socketPath(t)
	serve(t, path, Core{Reload: mustNotReload(t)})
	for request, want := range map[string]int{
		"GET /v1/reload":      405,
		"POST /v1/board":      405,
		"GET /v2/board":       404,
		"GET /":               404,
		"GET /v1/board/x":     404,
		"GET /v1/screen-test": 405,
	} {
		conn, err := net.Dial("unix", path)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		if got := ask(t, conn, request); got != want {
			t.Errorf("%s: %d, want %d", request, got, want)
		}
	}
}

func TestAnswersAreJSON(t *testing.T) {
	path := socketPath(t)
	hub := NewHub()
	hub.Publish(board(1, 1))
	serve(t, path, Core{Hub: hub})
	for _, p := range []string{"board", "version", "health"} {
		resp, err := Client{Path: path}.open(shortly(t), http.MethodGet, p, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		var v map[string]any
		if err := json.NewDecoder(resp.Body).Decode(&v); err != nil || resp.Header.Get("Content-Type") != "application/json" {
			t.Errorf("%s: %v, %v", p, resp.Header, err)
		}
	}
}

// One user gets eight connections and all users 64, whatever they do with them; root, the
// core's own user and the screen's always get theirs.
func TestACrowdKeepsNoScreenOut(t *testing.T) {
	l := newLimit(Guard{Users: []int{500}})
	conn := func() net.Conn { c, _ := net.Pipe(); return c }
	admitted := func(uid, n int) (count int, last net.Conn) {
		for range n {
			if c := conn(); l.admit(c, peer{uid: uid}) {
				count, last = count+1, c
			}
		}
		return count, last
	}
	n, last := admitted(1000, 20)
	if n != maxUser {
		t.Errorf("%d connections of one user", n)
	}
	if n, _ := admitted(-1, 20); n != maxUser {
		t.Errorf("%d connections of nobody", n)
	}
	total := 2 * maxUser
	for uid := 1001; uid < 1020; uid++ {
		n, _ := admitted(uid, maxUser)
		total += n
	}
	if total != maxConns {
		t.Errorf("%d connections of all users", total)
	}
	for _, uid := range []int{0, os.Geteuid(), 500} {
		if n, _ := admitted(uid, 100); n != 100 {
			t.Errorf("user %d: %d of 100 connections", uid, n)
		}
	}
	l.leave(last)
	l.leave(last)
	if n, _ := admitted(1000, 20); n != 1 {
		t.Errorf("%d connections after one has gone", n)
	}
}

// The same with the kernel's word for who connects.
func TestAUserHoldsEightConnections(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can connect as another user")
	}
	path := socketPath(t)
	hub := NewHub()
	hub.Publish(board(1, 1))
	serve(t, path, Core{Hub: hub})
	for dir := path; len(dir) > len(os.TempDir()); dir = filepath.Dir(dir) {
		if err := os.Chmod(dir, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	others := make(chan []net.Conn)
	go func() { // on a thread of its own, which ends with it
		runtime.LockOSThread()
		const id = 12345
		if _, _, errno := unix.RawSyscall(unix.SYS_SETRESUID, id, id, id); errno != 0 {
			t.Error(errno)
		}
		var all []net.Conn
		for range 3 * maxUser {
			fd, err := unix.Socket(unix.AF_UNIX, unix.SOCK_STREAM, 0) // net.Dial may change threads
			if err == nil {
				err = unix.Connect(fd, &unix.SockaddrUnix{Name: path})
			}
			f := os.NewFile(uintptr(fd), "socket")
			c, err2 := net.FileConn(f)
			if err := errors.Join(err, err2, f.Close()); err != nil {
				t.Error(err)
				continue
			}
			all = append(all, c)
		}
		others <- all
	}()
	all := <-others
	open := len(all)
	for _, c := range all {
		defer c.Close()
		if _, err := fmt.Fprint(c, "GET /v1/version HTTP/1.1\r\nHost: unit\r\n\r\n"); err != nil {
			open--
			continue
		}
		c.SetReadDeadline(time.Now().Add(5 * time.Second))
		if _, err := c.Read(make([]byte, 1)); err != nil {
			open--
		}
	}
	if open != maxUser {
		t.Errorf("%d of %d connections are served", open, len(all))
	}
	if _, err := (Client{Path: path}).Board(shortly(t)); err != nil {
		t.Errorf("the core's user is kept out: %v", err)
	}
}

// Root looks into a running core; nobody else does.
func TestProfiles(t *testing.T) {
	path := socketPath(t)
	serve(t, path, Core{Hub: NewHub()})
	for page, want := range map[string]string{"goroutine?debug=1": "goroutine profile: total", "": "heap", "profile?seconds=1": ""} {
		resp, err := Client{Path: path}.open(shortly(t), http.MethodGet, "debug/pprof/"+page, nil)
		if err != nil {
			t.Fatal(page, err)
		}
		text, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		if err != nil || len(text) == 0 || !strings.Contains(string(text), want) {
			t.Errorf("%s: %d bytes, %v", page, len(text), err)
		}
	}
	stranger := httptest.NewRequest(http.MethodGet, "/v1/debug/pprof/heap", nil)
	w := httptest.NewRecorder()
	Core{Hub: NewHub()}.routes().ServeHTTP(w, stranger)
	if w.Code != http.StatusForbidden {
		t.Errorf("a stranger gets %d", w.Code)
	}
}

func TestServeSaysWhyItCannotGoOn(t *testing.T) {
	l, err := Listen(socketPath(t))
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
	if err := Serve(t.Context(), l, Core{Hub: NewHub()}); err == nil {
		t.Error("served on a closed socket")
	}
}
