package localapi

import (
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

func TestGuard(t *testing.T) {
	guard := Guard{Users: []int{1001}, Groups: []int{2001}}
	for _, c := range []struct {
		name string
		peer peer
		may  bool
	}{
		{"root", peer{uid: 0, groups: []int{0}}, true},
		{"the core's own user", peer{uid: os.Geteuid(), groups: []int{9}}, true},
		{"a user who is named", peer{uid: 1001, groups: []int{9}}, true},
		{"a user whose own group is named", peer{uid: 77, groups: []int{2001}}, true},
		{"a user who is also in a group that is named", peer{uid: 77, groups: []int{9, 10, 2001}}, true},
		{"anybody else", peer{uid: 77, groups: []int{9, 10}}, false},
		{"a user with the number of the group", peer{uid: 2001, groups: []int{1001}}, false},
		{"a user in root's group", peer{uid: 77, groups: []int{0}}, false},
		{"somebody unknown", peerFrom(t.Context()), false},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := guard.allows(c.peer)
			if (err == nil) != c.may {
				t.Errorf("allows says %v", err)
			}
			var a *AnswerError
			if err != nil && (!errors.As(err, &a) || a.Status != http.StatusForbidden) {
				t.Errorf("refused with %#v, want a 403", err)
			}
		})
	}
}

func TestKernelNamesThePeer(t *testing.T) {
	l, err := Listen(socketPath(t))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	c, err := net.Dial("unix", l.(*socket).path)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	s, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	p, err := peerOf(s.(*net.UnixConn))
	if err != nil {
		t.Fatal(err)
	}
	groups, err := os.Getgroups()
	if err != nil {
		t.Fatal(err)
	}
	want := append([]int{os.Getegid()}, groups...)
	if p.uid != os.Geteuid() || !slices.Equal(p.groups, want) {
		t.Errorf("peer %+v, want uid %d, groups %v", p, os.Geteuid(), want)
	}
}

// Nothing that changes anything is done for a peer who may not, whoever runs the test.
func TestEveryChangeIsGuarded(t *testing.T) {
	s := Core{Hub: NewHub(), Identify: mustNotIdentify(t), Reload: mustNotReload(t), Press: mustNotPress(t),
		ScreenTest:  func(ctxT, string, bool) error { t.Error("screen tested"); return nil },
		Drawn:       func() { t.Error("taken for a screen") },
		Acknowledge: func(ctxT, string, string) error { t.Error("acknowledged"); return nil },
		Acted:       func(ctxT, string, string, string, string) error { t.Error("recorded"); return nil },
		Correct:     func(ctxT, Correction) (Corrected, error) { t.Error("corrected"); return Corrected{}, nil }}
	for _, path := range []string{"/v1/identify?seconds=5", "/v1/screen-test?page=grid", "/v1/drawn", "/v1/reload", "/v1/press", "/v1/acknowledge?code=heat&by=tech", "/v1/acted?act=update", "/v1/hands"} {
		w := httptest.NewRecorder()
		s.routes().ServeHTTP(w, httptest.NewRequest(http.MethodPost, path, nil))
		if w.Code != http.StatusForbidden {
			t.Errorf("POST %s by nobody: %d %s", path, w.Code, w.Body)
		}
	}
}

// Root may sign for whoever sent it; anybody else signs with his own name.
func TestPeersSignWithTheirNames(t *testing.T) {
	for _, c := range []struct {
		uid      int
		by, want string
	}{{0, "", "root"}, {0, "tech", "tech"}, {1 << 29, "", "user 536870912"}, {1 << 29, "tech", "user 536870912"}} {
		if got := (peer{uid: c.uid}).name(c.by); got != c.want {
			t.Errorf("user %d for %q: %q, want %q", c.uid, c.by, got, c.want)
		}
	}
}

// A stranger is somebody whom the socket's mode lets in, but not the guard.
func TestAStrangerMayReadAndNotChange(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can connect as somebody else")
	}
	path := socketPath(t)
	reloads, drawn := 0, 0
	hub := NewHub()
	hub.Publish(board(5, 3))
	serve(t, path, Core{Hub: hub, Guard: Guard{Groups: []int{60002}}, Screens: Guard{Users: []int{60004}},
		Drawn:  func() { drawn++ },
		Reload: func(ctxT) error { reloads++; return nil }})
	for _, file := range []string{filepath.Dir(path), path} {
		if err := os.Chmod(file, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		name   string
		groups []uint32
		status int
	}{
		{"a stranger", []uint32{60003}, http.StatusForbidden},
		{"a member", []uint32{60003, 60002}, http.StatusNoContent},
		{"a member of many groups", append(manyGroups(100), 60002), http.StatusNoContent},
	} {
		for method, want := range map[string]int{"GET /v1/board": http.StatusOK, "POST /v1/reload": c.status} {
			conn := dialAs(t, path, 60001, c.groups)
			if got := ask(t, conn, method); got != want {
				t.Errorf("%s, %s: status %d, want %d", c.name, method, got, want)
			}
		}
	}
	if reloads != 2 {
		t.Errorf("%d reloads, want the members' only", reloads)
	}
	// who may change things is no screen, and a screen changes nothing
	for _, c := range []struct {
		uid     int
		group   uint32
		request string
		status  int
	}{
		{60001, 60002, "POST /v1/drawn", http.StatusForbidden},
		{60004, 60003, "POST /v1/drawn", http.StatusNoContent},
		{60004, 60003, "POST /v1/reload", http.StatusForbidden},
	} {
		if got := ask(t, dialAs(t, path, c.uid, []uint32{c.group}), c.request); got != c.status {
			t.Errorf("user %d, %s: status %d, want %d", c.uid, c.request, got, c.status)
		}
	}
	if drawn != 1 {
		t.Errorf("%d were taken for screens", drawn)
	}
}

func manyGroups(n int) []uint32 {
	groups := make([]uint32, n)
	for i := range groups {
		groups[i] = uint32(40000 + i)
	}
	return groups
}

// dialAs connects as another user. Only the one thread that dials becomes that
// user, and it ends with its goroutine.
func dialAs(t *testing.T, path string, uid int, groups []uint32) net.Conn {
	t.Helper()
	type result struct {
		conn net.Conn
		err  error
	}
	got := make(chan result)
	go func() {
		runtime.LockOSThread()
		id := uintptr(uid)
		_, _, e1 := unix.RawSyscall(unix.SYS_SETGROUPS, uintptr(len(groups)), uintptr(unsafe.Pointer(&groups[0])), 0)
		_, _, e2 := unix.RawSyscall(unix.SYS_SETRESGID, id, id, id)
		_, _, e3 := unix.RawSyscall(unix.SYS_SETRESUID, id, id, id)
		if e1 != 0 || e2 != 0 || e3 != 0 {
			got <- result{nil, errors.Join(e1, e2, e3)}
			return
		}
		conn, err := net.DialTimeout("unix", path, 5*time.Second)
		got <- result{conn, err}
	}()
	r := <-got
	if r.err != nil {
		t.Fatal(r.err)
	}
	t.Cleanup(func() { r.conn.Close() })
	return r.conn
}
