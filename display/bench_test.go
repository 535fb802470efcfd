package display

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"shoeboard/display/displaytest"
)

// What a picture costs from its announcement to the next, each wholly new: an empty
// one, which is the price of the screen itself; the marks and texts that a board
// can have at most; and the board of a running countdown.
func BenchmarkRedraw(b *testing.B) {
	for _, kind := range []string{"blank", "board", "specimen"} {
		b.Run(kind, func(b *testing.B) {
			win := open(b, displaytest.Start(b, 1920, 1080), "full")
			win.paint(5, kind)
			b.ResetTimer()
			_, cpu := win.paint(b.N, kind)
			b.ReportMetric(ms(cpu)/float64(b.N), "cpu-ms/op")
		})
	}
}

// A full redraw may cost at most twice an empty frame of the same size. Both are
// painted in turn in one window, so that what else the machine does meets both. The
// verdict is on processor time, which does not count waiting for it.
func BenchmarkFullRedrawAgainstEmptyFrame(b *testing.B) {
	const most, chunk = 2.0, 10
	win := open(b, displaytest.Start(b, 1920, 1080), "full")
	kinds := []string{"blank", "board", "specimen"}
	took, cpu := map[string][]time.Duration{}, map[string]time.Duration{}
	n := 0
	for b.Loop() {
		n++
		for _, kind := range kinds {
			win.paint(2, kind) // its masks, and the change from the kind before
			t, c := win.paint(chunk, kind)
			took[kind], cpu[kind] = append(took[kind], t/chunk), cpu[kind]+c
		}
	}
	b.ReportMetric(0, "ns/op")
	median := func(kind string) time.Duration { return slices.Sorted(slices.Values(took[kind]))[n/2] }
	for _, kind := range kinds {
		ratio := float64(cpu[kind]) / float64(cpu["blank"])
		b.Logf("%-8s %3d frames of 1920x1080: %.1f ms each, %.1f ms of processor time, %.2f times an empty frame",
			kind, n*chunk, ms(median(kind)), ms(cpu[kind])/float64(n*chunk), ratio)
		if kind != "blank" {
			b.ReportMetric(ratio, kind+"/blank")
		}
		if ratio > most && n >= 10 {
			b.Errorf("a %s costs %.2f times an empty frame, the goal is %.0f", kind, ratio, most)
		}
	}
}

// paint has the window show n pictures of a kind, and returns what that took on
// the clock and of processor time.
func (c *client) paint(n int, kind string) (took, cpu time.Duration) {
	c.t.Helper()
	before := c.cpu()
	c.send(fmt.Sprint("paint ", n, " ", kind))
	if _, err := fmt.Sscan(c.wait("painted"), (*int64)(&took)); err != nil {
		c.t.Fatal(err)
	}
	return took, c.cpu() - before
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// cpu returns the processor time of the window: unlike the time on the clock it does
// not depend on what else the machine does.
func (c *client) cpu() time.Duration {
	c.t.Helper()
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", c.cmd.Process.Pid))
	if err != nil {
		c.t.Fatal(err)
	}
	_, fields, _ := strings.Cut(string(stat), ") ") // behind the name: state and eleven more come first
	var user, system time.Duration
	if _, err := fmt.Sscan(strings.Join(strings.Fields(fields)[11:13], " "), (*int64)(&user), (*int64)(&system)); err != nil {
		c.t.Fatal(err)
	}
	return (user + system) * time.Second / 100
}
