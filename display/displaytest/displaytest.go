// Package displaytest gives a test an X server of its own, with real keys and the real
// pixels of its screen.
//
// A caller may assume that the server ends with the test, and that a program that
// is missing fails the test with the name of its Debian package: a window test is
// never skipped.
package displaytest

import (
	"bufio"
	"fmt"
	"image"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Server is an X server with one screen.
type Server struct {
	Display string // ":7"
	fb      string // the file that holds its screen
}

// Need returns the path of a program, or fails with the package that has it.
func Need(t testing.TB, program, debian string) string {
	t.Helper()
	path, err := exec.LookPath(program)
	if err != nil {
		t.Fatalf("this test opens a real window and needs %s: apt-get install %s", program, debian)
	}
	return path
}

// Start starts a server with a screen of w x h pixels.
func Start(t testing.TB, w, h int) Server {
	t.Helper()
	dir := t.TempDir()
	r, number, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(Need(t, "Xvfb", "xvfb"), "-displayfd", "3", "-noreset", "-nolisten", "tcp", "-fbdir", dir,
		"-screen", "0", fmt.Sprintf("%dx%dx24", w, h))
	cmd.ExtraFiles = []*os.File{number}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	number.Close()
	line, err := bufio.NewReader(r).ReadString('\n')
	if err != nil {
		t.Fatalf("Xvfb did not start: %v", err)
	}
	return Server{":" + strings.TrimSpace(line), filepath.Join(dir, "Xvfb_screen0")}
}

// Pixels is what is on the screen now, from the server's own memory: what a
// monitor would show.
func (s Server) Pixels(t testing.TB) *image.RGBA {
	t.Helper()
	data, err := os.ReadFile(s.fb)
	if err != nil {
		t.Fatal(err)
	}
	return memory(data).image()
}

// Environ is the environment of a program that opens a window on the server.
func (s Server) Environ() []string {
	return append(os.Environ(), "DISPLAY="+s.Display, "LIBGL_ALWAYS_SOFTWARE=1")
}

// Xdotool gives the server real key events.
func (s Server) Xdotool(t testing.TB, args ...string) {
	t.Helper()
	s.Run(t, "xdotool", "xdotool", args...)
}

// Run runs a program of a Debian package on the display.
func (s Server) Run(t testing.TB, program, debian string, args ...string) {
	t.Helper()
	cmd := exec.Command(Need(t, program, debian), args...)
	cmd.Env = s.Environ()
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s %s: %v\n%s", program, strings.Join(args, " "), err, out)
	}
}
