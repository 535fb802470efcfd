package main

import (
	"context"
	"strings"
	"testing"

	"shoeboard/cmd/internal/testkit"
	"shoeboard/stats"
)

// Without a core there is nothing to show but that; it ended in a panic once. The board
// comes with the core.
func TestWatchWaitsForACore(t *testing.T) {
	s := newSite(t)
	t.Setenv("NOTIFY_SOCKET", "")
	var said testkit.Text
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan int, 1)
	go func() {
		p, _, _ := s.program()
		p.out = &said
		ended <- p.main(ctx, []string{"watch", "--socket", s.path("run/core.sock")})
	}()
	testkit.Eventually(t, "it waits", func() bool { return strings.Contains(said.String(), "WAITING FOR THE CORE: no core is running here") })
	s.runCore("--table", "14")
	s.board("a core", func(b *stats.Board) bool { return b.Table == "14" })
	testkit.Eventually(t, "the board", func() bool { return strings.Contains(said.String(), "Table 14") })
	stop()
	if code := <-ended; code != exitFine {
		t.Errorf("exit %d", code)
	}
}
