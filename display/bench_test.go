package display

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"shoeboard/display/xtest"
)

// What a picture costs from its announcement to the next: an empty one, which
// is the price of the screen itself, and a full board with all its texts.
func BenchmarkRedraw(b *testing.B) {
	for _, kind := range []string{"blank", "board"} {
		b.Run(kind, func(b *testing.B) {
			x := xtest.Start(b, 1920, 1080)
			win := open(b, x, "full")
			win.send("paint 5 " + kind)
			win.wait("painted")
			b.ResetTimer()
			before := win.cpu()
			win.send(fmt.Sprint("paint ", b.N, " ", kind))
			win.wait("painted")
			b.ReportMetric((win.cpu()-before)*1000/float64(b.N), "cpu-ms/op")
		})
	}
}

// cpu returns the processor time of the window in seconds: unlike the time on
// the clock it does not depend on what else the machine does.
func (c *client) cpu() float64 {
	c.t.Helper()
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", c.cmd.Process.Pid))
	if err != nil {
		c.t.Fatal(err)
	}
	_, fields, _ := strings.Cut(string(stat), ") ") // behind the name: state and eleven more come first
	var user, system float64
	for i, f := range strings.Fields(fields) {
		switch i {
		case 11:
			fmt.Sscan(f, &user)
		case 12:
			fmt.Sscan(f, &system)
		}
	}
	return (user + system) / 100
}
