package main

import (
	"context"
	"encoding/binary"
	"hash/crc32"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"shoeboard/cmd/internal/config"
	"shoeboard/cmd/internal/testkit"
	"shoeboard/stats"
	"shoeboard/tracker/localapi"
)

// herd is a service manager that writes down what it is told.
type herd struct{ conn *net.UnixConn }

func listenAsManager(t *testing.T, watchdog time.Duration) herd {
	t.Helper()
	path := filepath.Join(t.TempDir(), "notify")
	conn, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: path, Net: "unixgram"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	t.Setenv("NOTIFY_SOCKET", path)
	t.Setenv("WATCHDOG_USEC", "")
	if watchdog > 0 {
		t.Setenv("WATCHDOG_USEC", "400000")
	}
	return herd{conn}
}

// until waits for a state that begins so, and gives what came before it too.
func (h herd) until(t *testing.T, begin string) (heard []string) {
	t.Helper()
	buf := make([]byte, 4096)
	if err := h.conn.SetReadDeadline(time.Now().Add(testkit.Patience)); err != nil {
		t.Fatal(err)
	}
	for {
		n, err := h.conn.Read(buf)
		if err != nil {
			t.Fatalf("the manager waits for %s and has heard %q: %v", begin, heard, err)
		}
		heard = append(heard, string(buf[:n]))
		if strings.HasPrefix(heard[len(heard)-1], begin) {
			return heard
		}
	}
}

// runCore runs the verb run in the site until stop is called.
func (s site) runCore(args ...string) (stop func() int) {
	s.t.Helper()
	p, _, _ := s.program()
	p.log = testkit.Log()
	ctx, cancel := context.WithCancel(s.t.Context())
	ended := make(chan int, 1)
	go func() {
		ended <- p.main(ctx, append([]string{"run", "--data", s.path("var/lib/shoeboard"), "--socket", s.path("run/core.sock")}, args...))
	}()
	stopped := -1
	stop = func() int {
		if cancel(); stopped < 0 {
			stopped = <-ended
		}
		return stopped
	}
	s.t.Cleanup(func() { stop() })
	return stop
}

func (s site) client() localapi.Client { return localapi.Client{Path: s.path("run/core.sock")} }

// board waits for a board of the running core that is as it should be.
func (s site) board(what string, as func(*stats.Board) bool) *stats.Board {
	s.t.Helper()
	var is *stats.Board
	testkit.Eventually(s.t, what, func() bool {
		b, err := s.client().Board(s.t.Context())
		is = b
		return err == nil && as(b)
	})
	return is
}

func TestCoreTellsItsManager(t *testing.T) {
	s := newSite(t)
	h := listenAsManager(t, 400*time.Millisecond)
	stop := s.runCore("--table", "14")
	first := h.until(t, "READY=1")
	if len(first) != 1 || !strings.Contains(first[0], "STATUS=table 14") {
		t.Errorf("before it was ready it said %q", first)
	}
	h.until(t, "WATCHDOG=1")
	h.until(t, "WATCHDOG=1")
	if code := stop(); code != exitFine {
		t.Errorf("exit %d", code)
	}
	h.until(t, "STOPPING=1")
}

// The fourth start after three that failed is a safe one: the settings stay those of
// the record, whatever the file says, and the board says what happened.
func TestSafeModeAfterThreeFailedStarts(t *testing.T) {
	s := newSite(t)
	t.Setenv("NOTIFY_SOCKET", "")
	s.write("boot/firmware/shoeboard.toml", "venue = \"Before\"\n")
	stop := s.runCore()
	s.board("the first start", func(b *stats.Board) bool { return b.Venue == "Before" })
	stop()
	s.write("boot/firmware/shoeboard.toml", "venue = \"After\"\n")
	s.write("run/starts", "3\n")
	stop = s.runCore()
	b := s.board("a safe start", func(b *stats.Board) bool { return hasFault(b, "safe-mode") })
	if b.Venue != "Before" || !strings.Contains(b.StatusLine, "safe-mode") {
		t.Errorf("venue %q, status %q", b.Venue, b.StatusLine)
	}
	stop()
	stop = s.runCore()
	s.board("after a clean stop", func(b *stats.Board) bool { return b.Venue == "After" && !hasFault(b, "safe-mode") })
	stop()
}

// A record that cannot be opened at all still puts words on the screen.
func TestARecordOfAnotherUnitIsToldOnTheScreen(t *testing.T) {
	s := newSite(t)
	t.Setenv("NOTIFY_SOCKET", "")
	stop := s.runCore()
	s.board("a first start", func(b *stats.Board) bool { return b.Phase != "" })
	stop()
	segments, err := filepath.Glob(s.path("var/lib/shoeboard/journal/*.jrn"))
	if err != nil || len(segments) == 0 {
		t.Fatal("no segments", err)
	}
	text, err := os.ReadFile(segments[0])
	if err != nil {
		t.Fatal(err)
	}
	text[8], text[9] = 9, 0 // a format of the future, with a checksum that is right
	if err := os.WriteFile(segments[0], withHeaderSum(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if code := s.runCore()(); code != exitFailed {
		t.Errorf("a start that must fail: exit %d", code)
	}
	s.write("run/starts", "3\n")
	s.runCore()
	b := s.board("last words", func(b *stats.Board) bool { return hasFault(b, "no-start") })
	if !strings.Contains(b.Faults[0].Text, "newer program") || b.Dealer.Lines[0] != "E21 NOT RECORDING" {
		t.Errorf("the board says %q and %q", b.Faults[0].Text, b.Dealer.Lines)
	}
}

func TestStatusOfARunningUnit(t *testing.T) {
	s := newSite(t)
	t.Setenv("NOTIFY_SOCKET", "")
	s.runCore("--table", "14", "--socket-keys")
	s.board("a board", func(b *stats.Board) bool { return b.Table == "14" })
	socket := s.path("run/core.sock")
	s.fine("press", "--socket", socket, "NEW_SHOE:2.1", "OK", "BETS", "BANKER", "OK")
	s.board("a hand", func(b *stats.Board) bool { return b.Shoe.Hands == 1 })
	line := s.fine("status", "--line", "--socket", socket)
	for _, want := range []string{"table 14", "ez-baccarat-panda-8", "configuration defaults", "keypad-missing"} {
		if !strings.Contains(line, want) {
			t.Errorf("%q is missing in %q", want, line)
		}
	}
	if strings.Count(line, "\n") != 1 {
		t.Errorf("not one line: %q", line)
	}
	if text := s.fine("status", "--socket", socket); !strings.Contains(text, "1 hand in this shoe") {
		t.Errorf("status says\n%s", text)
	}
	if code, out, err := s.do("identify", "5", "--socket", socket); code != exitFailed || out != "" || !strings.Contains(err, "no screen shows the board") {
		t.Errorf("identify without a screen: exit %d, %q, %q", code, out, err)
	}
	if err := s.client().Drawn(t.Context()); err != nil {
		t.Fatal(err)
	}
	s.fine("identify", "5", "--socket", socket)
	s.board("the number flashes", func(b *stats.Board) bool { return b.Identify })
	s.fine("identify", "0", "--socket", socket)
	s.board("it stops", func(b *stats.Board) bool { return !b.Identify })
	if code, _, _ := s.do("identify", "601", "--socket", socket); code != exitUsage {
		t.Errorf("601 seconds: exit %d", code)
	}
	if code, _, err := s.do("status", "--socket", s.path("run/none.sock")); code != exitFailed || !strings.Contains(err, "no core is running") {
		t.Errorf("without a core: exit %d, %s", code, err)
	}
}

// A bad file at a running core changes nothing but the sentence on the board.
func TestReloadOfABadFile(t *testing.T) {
	s := newSite(t)
	t.Setenv("NOTIFY_SOCKET", "")
	file := "boot/firmware/shoeboard.toml"
	s.write(file, "venue = \"One\"\n")
	s.runCore()
	s.board("the first", func(b *stats.Board) bool { return b.Venue == "One" })
	socket := s.path("run/core.sock")
	s.write(file, "venue = \"Two\"\nbet_seconds = 1\n")
	if code, _, err := s.do("config", "reload", "--socket", socket); code != exitFailed || !strings.Contains(err, ":2: bet_seconds") {
		t.Errorf("exit %d, %s", code, err)
	}
	b := s.board("the sentence", func(b *stats.Board) bool { return b.ConfigFault != nil })
	if b.Venue != "One" || b.ConfigFault.Line != 2 || !strings.Contains(b.StatusLine, "config") {
		t.Errorf("venue %q, fault %+v, status %q", b.Venue, b.ConfigFault, b.StatusLine)
	}
	s.write(file, "venue = \"Three\"\n")
	s.fine("config", "reload", "--socket", socket)
	s.board("the third", func(b *stats.Board) bool { return b.Venue == "Three" && b.ConfigFault == nil })
	if got := s.read("var/lib/shoeboard/" + config.LastGood); !strings.Contains(got, "Three") {
		t.Errorf("the last good one is %q", got)
	}
}

// withHeaderSum gives a segment's header the checksum that its bytes now have.
func withHeaderSum(segment []byte) []byte {
	table := crc32.MakeTable(crc32.Castagnoli)
	sum := crc32.Update(0, table, segment[:12])
	sum = crc32.Update(sum, table, make([]byte, 4))
	sum = crc32.Update(sum, table, segment[16:64])
	binary.LittleEndian.PutUint32(segment[12:], sum)
	return segment
}

// A unit without any of its keypads runs, and its board says what is missing.
func TestCoreRunsWithoutItsKeypads(t *testing.T) {
	s := newSite(t)
	t.Setenv("NOTIFY_SOCKET", "")
	s.write("etc/shoeboard/shoeboard.toml", "[[keypad]]\nname = \"pad\"\n"+
		"[[keypad]]\nname = \"chip\"\nkind = \"expander\"\nlayout = \"matrix-4x5\"\ninterrupt = \"GPIO4\"\n"+
		"[[keypad]]\nname = \"wired\"\nkind = \"matrix\"\nlayout = \"matrix-4x5\"\nrows = [\"GPIO5\", \"GPIO6\", \"GPIO13\", \"GPIO19\", \"GPIO26\"]\n"+
		"columns = [\"GPIO12\", \"GPIO16\", \"GPIO20\", \"GPIO21\"]\n")
	stop := s.runCore()
	s.board("what is missing", func(b *stats.Board) bool { return hasFault(b, "keypad-missing") })
	if code := stop(); code != exitFine {
		t.Errorf("the core ended with %d", code)
	}
}
