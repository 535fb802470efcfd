package e2e

import (
	"errors"
	"fmt"
	"image"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"shoeboard/cmd/internal/clock"
	"shoeboard/cmd/internal/config"
	"shoeboard/cmd/internal/testkit"
	"shoeboard/cmd/internal/view"
	"shoeboard/display/displaytest"
	"shoeboard/display/paint"
	"shoeboard/stats"
	"shoeboard/tracker/localapi"
)

// station is the program in a folder of its own, as the processes of a table.
type station struct {
	t      testing.TB
	binary string
	dir    string
	client localapi.Client
	last   *stats.Board // that a screen was last expected to show
}

// newStation has a venue's configuration in its folder.
func newStation(t testing.TB, binary, venue string) *station {
	t.Helper()
	u := &station{t: t, binary: binary, dir: t.TempDir()}
	u.client = localapi.Client{Path: filepath.Join(u.dir, "core.sock")}
	if err := os.WriteFile(filepath.Join(u.dir, "venue.toml"), []byte(venue), 0o644); err != nil {
		t.Fatal(err)
	}
	return u
}

// proc is one process of a station.
type proc struct {
	t   testing.TB
	cmd *exec.Cmd
	log string // the file that it writes to
}

// start starts a verb with the station's configuration and socket.
func (u *station) start(env []string, verb string, args ...string) *proc {
	u.t.Helper()
	log, err := os.CreateTemp(u.dir, verb+"-*.log")
	if err != nil {
		u.t.Fatal(err)
	}
	defer log.Close()
	all := append([]string{"--config", filepath.Join(u.dir, "venue.toml"), verb, "--socket", u.client.Path}, args...)
	p := &proc{t: u.t, cmd: exec.Command(u.binary, all...), log: log.Name()}
	p.cmd.Env, p.cmd.Stderr = env, log
	if err := p.cmd.Start(); err != nil {
		u.t.Fatal(err)
	}
	u.t.Cleanup(func() {
		_ = p.cmd.Process.Kill()
		_ = p.cmd.Wait()
		if u.t.Failed() {
			u.t.Logf("%s said:\n%s", verb, p.said())
		}
	})
	return p
}

// core starts the core of the station and opens its table if it is closed.
func (u *station) core() *proc {
	u.t.Helper()
	p := u.start(os.Environ(), "run", "--table", "7", "--data", filepath.Join(u.dir, "data"), "--socket-keys")
	u.until("the core answers", func(b *stats.Board) bool { return b.Table == "7" })
	if u.board().Phase == "table-closed" {
		u.press("NEW_SHOE", 2400*time.Millisecond)
		u.press("OK", 90*time.Millisecond)
		u.until("the table is open", func(b *stats.Board) bool { return b.Phase == "shuffling" })
	}
	return p
}

// screen starts the screen of that name on an X server.
func (u *station) screen(x displaytest.Server, name string) *proc {
	u.t.Helper()
	return u.start(x.Environ(), "screen", "--name", name)
}

// press presses a key of the pad through the socket.
func (u *station) press(key string, hold time.Duration) {
	u.t.Helper()
	u.edge(key, true)
	time.Sleep(hold)
	u.edge(key, false)
	time.Sleep(460 * time.Millisecond) // an OK that comes sooner counts for nothing
}

func (u *station) edge(key string, down bool) {
	u.t.Helper()
	if err := u.client.Press(u.t.Context(), key, down); err != nil {
		u.t.Fatal(err)
	}
}

// hand keys a result and waits until it is saved.
func (u *station) hand(key string) {
	u.t.Helper()
	before := u.board().Shoe.Hands
	u.press(key, 60*time.Millisecond)
	u.press("OK", 60*time.Millisecond)
	u.until(key+" is saved", func(b *stats.Board) bool { return b.Shoe.Hands == before+1 })
}

func (u *station) board() *stats.Board {
	b, err := u.client.Board(u.t.Context())
	if err != nil {
		return &stats.Board{}
	}
	return b
}

// until waits for the board to be as it should.
func (u *station) until(what string, so func(*stats.Board) bool) {
	u.t.Helper()
	testkit.Eventually(u.t, what, func() bool { return so(u.board()) })
}

// cpu is the processor time that the process has had.
func (p *proc) cpu() time.Duration {
	p.t.Helper()
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.cmd.Process.Pid))
	if err != nil {
		p.t.Fatal(err)
	}
	_, fields, _ := strings.Cut(string(stat), ") ") // behind the name: state and eleven more come first
	var user, system time.Duration
	if _, err := fmt.Sscan(strings.Join(strings.Fields(fields)[11:13], " "), (*int64)(&user), (*int64)(&system)); err != nil {
		p.t.Fatal(err)
	}
	return (user + system) * time.Second / 100
}

// end stops the process as the service manager would, and returns what it said.
func (p *proc) end() string {
	p.t.Helper()
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		p.t.Fatal(err)
	}
	if err := p.cmd.Wait(); err != nil {
		p.t.Errorf("%v ended with %v:\n%s", p.cmd.Args, err, p.said())
	}
	return p.said()
}

func (p *proc) said() string {
	text, err := os.ReadFile(p.log)
	if err != nil {
		return err.Error()
	}
	return string(text)
}

// frames is how many pictures a screen that has ended says it painted.
func frames(t testing.TB, said string) (n int) {
	t.Helper()
	_, after, _ := strings.Cut(said, " frames=")
	if _, err := fmt.Sscan(after, &n); err != nil {
		t.Fatalf("no frames were told: %q", said)
	}
	return n
}

// changed looks at the screen's memory twice a millisecond until r is no longer as
// it was, and returns how long after since that is.
func changed(t testing.TB, m *displaytest.Memory, r image.Rectangle, was []byte, since time.Time) time.Duration {
	t.Helper()
	for m.Same(r, was) {
		if time.Since(since) > 10*time.Second {
			t.Fatalf("10 s and nothing in %v of the screen has changed", r)
		}
		time.Sleep(500 * time.Microsecond)
	}
	return time.Since(since)
}

// shown is what a monitor of w x h pixels shows of the board when all is well.
func (u *station) shown(s config.Screen, w, h int, lost bool) *image.RGBA {
	u.t.Helper()
	l, err := view.New(s)
	if err != nil {
		u.t.Fatal(err)
	}
	g := &view.Presenter{Setup: l, Clock: clock.New(1, false)}
	update := localapi.Update{Board: u.last}
	if lost {
		update.Err = errors.New("no core")
	}
	g.Update(update)
	pw, ph := l.Rotation.Size(w, h)
	ops, _ := g.Picture(pw, ph)
	return paint.New().Frame(ops, pw, ph, l.Rotation)
}

// awaitBoard waits until the monitor shows the board and nothing but the board.
// Marks that blink and the minute pass meanwhile.
func (u *station) awaitBoard(what string, x displaytest.Server, s config.Screen, w, h int, lost bool) {
	u.t.Helper()
	if !lost {
		u.last = u.board()
	}
	took := testkit.Eventually(u.t, what, func() bool {
		return alike(x.Pixels(u.t), u.shown(s, w, h, lost))
	})
	u.t.Logf("%s after %v", what, took.Round(10*time.Millisecond))
}

// alike reports whether the upper left of a screen is a picture, as far as a GPU
// may round in each of a few layers. Many values are looked at, by nobody else.
//
//go:norace
func alike(screen, picture *image.RGBA) bool {
	const tolerance = 3
	if !picture.Rect.In(screen.Rect) {
		return false
	}
	for y := range picture.Rect.Dy() {
		a, b := screen.Pix[y*screen.Stride:], picture.Pix[y*picture.Stride:][:picture.Stride]
		for i, v := range b {
			if max(int(v)-int(a[i]), int(a[i])-int(v)) > tolerance {
				return false
			}
		}
	}
	return true
}
