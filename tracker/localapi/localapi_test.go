package localapi

import (
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"shoeboard/stats"
	"shoeboard/stats/road"
	"shoeboard/tracker/game"
)

// TestMain looks at the end of all tests whether a goroutine of a server, a
// client or a connection has been left behind.
func TestMain(m *testing.M) {
	code := m.Run()
	if left := leftBehind(); left != "" && code == 0 {
		fmt.Fprintln(os.Stderr, "goroutines left behind:\n\n"+left)
		code = 1
	}
	os.Exit(code)
}

func leftBehind() string {
	var left []string
	for range 100 {
		left = left[:0]
		buf := make([]byte, 1<<20)
		all := strings.Split(string(buf[:runtime.Stack(buf, true)]), "\n\n")
		for _, g := range all[1:] { // the first is this one
			if strings.Contains(g, "shoeboard/tracker/localapi") || strings.Contains(g, "net/http.") {
				left = append(left, g)
			}
		}
		if len(left) == 0 {
			return ""
		}
		time.Sleep(20 * time.Millisecond)
	}
	return strings.Join(left, "\n\n")
}

// socketPath is a path that is short enough for a socket, whatever the test's name.
func socketPath(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "la")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return filepath.Join(dir, "core.sock")
}

// serve runs a core on path until the returned function is called, or the test ends.
func serve(t *testing.T, path string, core Core) (stop func()) {
	t.Helper()
	l, err := Listen(path)
	if err != nil {
		t.Fatal(err)
	}
	return serveOn(t, l, core)
}

func serveOn(t *testing.T, l net.Listener, core Core) (stop func()) {
	t.Helper()
	if core.Hub == nil {
		core.Hub = NewHub()
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- Serve(ctx, l, core) }()
	stopped := false
	stop = func() {
		if stopped {
			return
		}
		stopped = true
		cancel()
		if err := <-ended; err != nil {
			t.Errorf("Serve ended with %v", err)
		}
	}
	t.Cleanup(stop)
	return stop
}

// shortly is a context for what takes no time where all is well.
func shortly(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	t.Cleanup(cancel)
	return ctx
}

// board is a Board with a shoe of n hands, Banker, Player and Tie in turn.
func board(seq uint64, n int) *stats.Board {
	b := &stats.Board{Version: stats.BoardVersion, Seq: seq, Table: "14", Venue: "Grand Palais"}
	b.Game = stats.Game{ID: "ez-baccarat-panda-8", Name: "EZ Baccarat Panda 8", Bets: []stats.Bet{
		{ID: "dragon-7", Labels: map[string]string{"en": "Dragon 7", "zh-Hant": "龍7"}, Short: "D7", Pays: "40 TO 1", Mark: "gold", Pushes: "banker"},
		{ID: "panda-8", Labels: map[string]string{"en": "Panda 8", "zh-Hant": "熊貓8"}, Short: "P8", Pays: "25 TO 1", Mark: "white"},
	}}
	b.Shoe = shoe(3, n)
	return b
}

func shoe(number, n int) stats.Shoe {
	s := stats.Shoe{Number: number, Hands: n, Bets: make([]stats.Count, 2)}
	order := []game.Outcome{game.Banker, game.Player, game.Banker, game.Banker, game.Player, game.Tie, game.Player}
	hands := make([]game.Outcome, n)
	for i := range hands {
		hands[i] = order[i*i%len(order)]
		s.Marks = append(s.Marks, stats.Mark{Outcome: hands[i], BankerNatural: i%6 == 0})
	}
	s.Roads = road.Fold(hands, road.Options{})
	return s
}
