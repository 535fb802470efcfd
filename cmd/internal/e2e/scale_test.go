package e2e

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"shoeboard/cmd/internal/datadir"
	"shoeboard/cmd/internal/export"
	"shoeboard/tracker/history"
	"shoeboard/tracker/journal"
)

// What five years of one table may cost.
const (
	firstWithin   = 500 * time.Millisecond // from start to the first board
	firstMore     = 100 * time.Millisecond // of it more than an empty unit
	exportLeast   = 200_000                // hands a second
	recordLeast   = 50_000                 // the same, when every event is folded
	anonymousMost = 40 << 20               // bytes of the core that are no file's
	indexMost     = 64 << 20
	rebuildMost   = time.Minute
)

// years is the record of some years of one table, and the program beside it.
type years struct {
	binary string
	data   string
	shoes  int
	hands  int
}

// What a table's years cost a unit. SCALE_SHOES says how many shoes (54000 are five
// years, and are held to the goals), SCALE_DIR where a record of them is kept from run
// to run. For all of it, which takes some minutes and 4 GB:
//
//	make scale
func BenchmarkYears(b *testing.B) {
	y := openYears(b)
	b.Run("rebuild", y.rebuild)
	b.Run("start", y.start)
	b.Run("export/csv", y.export("csv"))
	b.Run("export/json", y.export("json"))
	b.Run("export/csv/record", y.export("csv", "--record"))
	b.Run("export/day", y.export("csv", "--date", "2021-01-05"))
	b.Run("report", y.export("csv", "--report", "2021-01-05"))
}

func openYears(b *testing.B) *years {
	y := &years{binary: buildBinary(b), data: os.Getenv("SCALE_DIR"), shoes: 300}
	if n, err := strconv.Atoi(os.Getenv("SCALE_SHOES")); err == nil {
		y.shoes = n
	}
	if y.data == "" {
		y.data = b.TempDir()
	}
	began := time.Now()
	if found, err := journal.Look(journal.Dir(datadir.Journal(y.data))); err != nil || found.Last == 0 {
		if _, err := writeYears(y.data, y.shoes); err != nil {
			b.Fatal(err)
		}
	}
	e := export.Exporter{Data: y.data, Record: true, Want: func(history.Row) bool { return true }, Give: func(s *export.Shoe) error { return nil }}
	if err := e.Run(b.Context()); err != nil {
		b.Fatal(err)
	}
	y.hands, y.shoes = e.Sum.Hands, e.Sum.Recorded+e.Sum.InPlay
	files, bytes := 0, int64(0)
	err := filepath.WalkDir(y.data, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			files, bytes = files+1, bytes+info.Size()
		}
		return err
	})
	b.Logf("%d hands in %d shoes, %d files, %d MB, written and read in %v, load %s (%v)",
		y.hands, y.shoes, files, bytes>>20, time.Since(began).Round(time.Second), loadavg(), err)
	return y
}

// hold says what came out, and of five years whether it is as it should be.
func (y *years) hold(b *testing.B, ok bool, format string, args ...any) {
	b.Helper()
	text := fmt.Sprintf(format, args...)
	switch {
	case y.shoes < fiveYears:
		b.Logf("%s, load %s", text, loadavg())
	case ok:
		b.Logf("%s: ok, load %s", text, loadavg())
	default:
		b.Errorf("%s: MISSED, load %s", text, loadavg())
	}
}

// run starts the core on a data folder and returns how long its first board took.
func (y *years) run(b *testing.B, data string) (u *station, p *proc, took time.Duration) {
	u = newStation(b, y.binary, trialVenue)
	began := time.Now()
	p = u.start(os.Environ(), "run", "--table", "14", "--data", data, "--socket-keys")
	for {
		ctx, cancel := context.WithTimeout(b.Context(), time.Second)
		_, err := u.client.Board(ctx)
		cancel()
		if err == nil {
			return u, p, time.Since(began)
		}
		if time.Since(began) > time.Minute {
			b.Fatalf("no board in a minute: %v\n%s", err, p.said())
		}
		time.Sleep(time.Millisecond)
	}
}

// anonymous is the memory of a process that is no file's, in bytes, 0 when it has ended.
func anonymous(p *os.Process) int {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.Pid))
	if err != nil {
		return 0
	}
	_, after, _ := strings.Cut(string(text), "RssAnon:")
	var kB int
	if _, err := fmt.Sscan(after, &kB); err != nil {
		return 0
	}
	return kB << 10
}

// start starts an empty unit and one with years in turn.
func (y *years) start(b *testing.B) {
	var empty, full []time.Duration
	most := 0
	for b.Loop() {
		for range 9 {
			_, p, took := y.run(b, b.TempDir())
			empty = append(empty, took)
			p.end()
			_, p, took = y.run(b, y.data)
			full = append(full, took)
			for range 10 { // the index is being opened
				time.Sleep(100 * time.Millisecond)
				most = max(most, anonymous(p.cmd.Process))
			}
			p.end()
		}
	}
	b.ReportMetric(0, "ns/op")
	b.Logf("first board, empty: %s", spread(empty))
	b.Logf("first board, years: %s", spread(full))
	e, f := at(empty, 50), at(full, 50)
	b.ReportMetric(ms(e), "empty-ms")
	b.ReportMetric(ms(f), "years-ms")
	b.ReportMetric(float64(most)/(1<<20), "anon-MB")
	y.hold(b, f <= firstWithin && f-e <= firstMore, "first board after %.0f ms, %.0f ms more than an empty unit", ms(f), ms(f-e))
	y.hold(b, most <= anonymousMost, "anonymous memory with the index open %.1f MB", float64(most)/(1<<20))
}

// rebuild starts a core whose index is gone, and keys hands while it is made anew.
func (y *years) rebuild(b *testing.B) {
	path := history.Path(y.data)
	var took time.Duration
	var during, after []time.Duration
	most := 0
	for b.Loop() {
		if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
			b.Fatal(err)
		}
		u, p, _ := y.run(b, y.data)
		began := time.Now()
		ready := func() bool { _, err := os.Stat(path); return err == nil }
		var gone time.Duration
		done := make(chan struct{})
		go func() {
			defer close(done)
			for !ready() && time.Since(began) < 10*time.Minute {
				time.Sleep(10 * time.Millisecond)
			}
			gone = time.Since(began)
		}()
		for len(during) < 3 || !ready() {
			during = append(during, u.timedHand())
			most = max(most, anonymous(p.cmd.Process))
		}
		<-done
		took = max(took, gone)
		for range 10 {
			after = append(after, u.timedHand())
		}
		most = max(most, anonymous(p.cmd.Process))
		p.end()
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(took.Seconds(), "rebuild-s")
	b.ReportMetric(float64(most)/(1<<20), "anon-MB")
	info, err := os.Stat(path)
	if err != nil {
		b.Fatal(err)
	}
	b.Logf("OK to saved while rebuilding: %s", spread(during))
	b.Logf("OK to saved afterwards:       %s", spread(after))
	y.hold(b, took <= rebuildMost, "index made anew in %.1f s beside the table", took.Seconds())
	y.hold(b, most <= anonymousMost, "anonymous memory meanwhile at most %.1f MB", float64(most)/(1<<20))
	y.hold(b, info.Size() <= indexMost, "index of %.1f MB", float64(info.Size())/(1<<20))
}

// timedHand keys a hand and says how long its OK took to be seen on the board.
func (u *station) timedHand() time.Duration {
	u.t.Helper()
	before := u.board().Shoe.Hands
	u.press("PLAYER", 60*time.Millisecond)
	u.edge("OK", true)
	began := time.Now()
	for u.board().Shoe.Hands <= before {
		if time.Since(began) > 10*time.Second {
			u.t.Fatalf("a hand is not saved: %+v", u.board().Dealer)
		}
		time.Sleep(2 * time.Millisecond)
	}
	took := time.Since(began)
	time.Sleep(60 * time.Millisecond)
	u.edge("OK", false)
	time.Sleep(300 * time.Millisecond)
	return took
}

// awaitIndex waits until the core gives its shoes.
func (y *years) awaitIndex(b *testing.B, u *station) {
	b.Helper()
	for began := time.Now(); time.Since(began) < time.Minute; time.Sleep(10 * time.Millisecond) {
		if body, err := u.client.Shoes(b.Context(), 0); err == nil {
			body.Close()
			return
		}
	}
	b.Fatal("the core has no index in a minute")
}

// export exports through a core that runs, with --record beside it.
func (y *years) export(format string, args ...string) func(*testing.B) {
	return func(b *testing.B) {
		u, p, _ := y.run(b, y.data)
		defer p.end()
		venue := filepath.Join(u.dir, "socket.toml")
		if err := os.WriteFile(venue, fmt.Appendf(nil, "socket = %q\n%s", u.client.Path, trialVenue), 0o644); err != nil {
			b.Fatal(err)
		}
		args := slices.Concat([]string{"export", "--config", venue, "--data", y.data, "--format", format, "--out", os.DevNull}, args)
		y.awaitIndex(b, u)
		var took []time.Duration
		most := 0
		var told strings.Builder
		for b.Loop() {
			cmd := exec.Command(y.binary, args...)
			told.Reset()
			cmd.Stderr = &told
			began := time.Now()
			if err := cmd.Start(); err != nil {
				b.Fatal(err)
			}
			ended := make(chan error, 1)
			go func() { ended <- cmd.Wait() }()
			for running := true; running; {
				select {
				case err := <-ended:
					if running = false; err != nil {
						b.Fatal(err, told.String())
					}
				case <-time.After(5 * time.Millisecond):
					most = max(most, anonymous(cmd.Process))
				}
			}
			took = append(took, time.Since(began))
		}
		slices.Sort(took)
		b.ReportMetric(float64(most)/(1<<20), "anon-MB")
		said := strings.Split(strings.TrimSpace(told.String()), "\n")
		rate, least := float64(y.hands)/at(took, 50).Seconds(), float64(exportLeast)
		switch last := args[len(args)-1]; {
		case last == "--record":
			least = recordLeast
		case last != os.DevNull:
			b.Logf("%s", said[len(said)-1])
			return
		case !strings.Contains(said[len(said)-1], " 0 from the record"):
			b.Errorf("not through the core: %s", told.String())
		}
		b.ReportMetric(rate, "hands/s")
		y.hold(b, rate >= least, "%s: %.0f hands a second, %.0f MB of anonymous memory", said[len(said)-1], rate, float64(most)/(1<<20))
	}
}
