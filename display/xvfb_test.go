package display

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"image"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// need returns the path of a program, or fails with the package that has it.
func need(t testing.TB, program, debian string) string {
	t.Helper()
	path, err := exec.LookPath(program)
	if err != nil {
		t.Fatalf("this test opens a real window and needs %s: apt-get install %s", program, debian)
	}
	return path
}

// server is an X server of its own for one test.
type server struct {
	display string
	fb      string // the file that holds its screen
}

// startX starts an X server with a screen of w x h pixels.
func startX(t testing.TB, w, h int) server {
	t.Helper()
	dir := t.TempDir()
	r, number, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(need(t, "Xvfb", "xvfb"), "-displayfd", "3", "-noreset", "-nolisten", "tcp", "-fbdir", dir,
		"-screen", "0", fmt.Sprintf("%dx%dx24", w, h))
	cmd.ExtraFiles = []*os.File{number}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
	})
	number.Close()
	line, err := bufio.NewReader(r).ReadString('\n')
	if err != nil {
		t.Fatalf("Xvfb did not start: %v", err)
	}
	return server{":" + strings.TrimSpace(line), filepath.Join(dir, "Xvfb_screen0")}
}

// pixels returns what is on the screen now, from the server's own memory: what
// a monitor would show.
func (s server) pixels(t testing.TB) *image.RGBA {
	t.Helper()
	data, err := os.ReadFile(s.fb)
	if err != nil {
		t.Fatal(err)
	}
	field := func(i int) int { return int(binary.BigEndian.Uint32(data[4*i:])) } // of the xwd header
	w, h, stride := field(4), field(5), field(12)
	data = data[field(0)+12*field(19):]
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			px := data[y*stride+4*x:]
			copy(img.Pix[img.PixOffset(x, y):], []byte{px[2], px[1], px[0], 255})
		}
	}
	return img
}

// run runs a program on the display.
func (s server) run(t testing.TB, program, debian string, args ...string) {
	t.Helper()
	cmd := exec.Command(need(t, program, debian), args...)
	cmd.Env = append(os.Environ(), "DISPLAY="+s.display)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s %s: %v\n%s", program, strings.Join(args, " "), err, out)
	}
}

func (s server) xdotool(t testing.TB, args ...string) {
	t.Helper()
	s.run(t, "xdotool", "xdotool", args...)
}

// client is a window under test.
type client struct {
	t     testing.TB
	cmd   *exec.Cmd
	in    io.WriteCloser
	lines chan string
	keys  []string
}

// open starts a window and waits until it has painted.
func (s server) open(t testing.TB, args string) *client {
	t.Helper()
	c := s.start(t, args)
	c.settle()
	return c
}

func (s server) start(t testing.TB, args string) *client {
	t.Helper()
	c := &client{t: t, cmd: exec.Command(os.Args[0]), lines: make(chan string, 1000)}
	c.cmd.Env = append(os.Environ(), "DISPLAY="+s.display, childEnv+"="+args, "LIBGL_ALWAYS_SOFTWARE=1")
	c.cmd.Stderr = os.Stderr
	var err error
	if c.in, err = c.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := c.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		c.cmd.Process.Kill()
		c.cmd.Wait()
	})
	go func() {
		scan := bufio.NewScanner(out)
		for scan.Scan() {
			c.lines <- scan.Text()
		}
		close(c.lines)
	}()
	return c
}

// send gives the window an order.
func (c *client) send(line string) {
	c.t.Helper()
	if _, err := io.WriteString(c.in, line+"\n"); err != nil {
		c.t.Fatal(err)
	}
}

// wait returns the rest of the first line that begins with word, keeping the
// keys that come before it.
func (c *client) wait(word string) string {
	c.t.Helper()
	late := time.After(20 * time.Second)
	for {
		select {
		case line, ok := <-c.lines:
			if !ok {
				c.t.Fatalf("the window closed; expected %q of it", word)
			}
			first, rest, _ := strings.Cut(line, " ")
			switch {
			case first == "key":
				c.keys = append(c.keys, rest)
				if word == "key" {
					return rest
				}
			case first == word:
				return rest
			case first == "error":
				c.t.Fatal(line)
			}
		case <-late:
			c.t.Fatalf("20 seconds without %q; keys so far: %q", word, c.keys)
		}
	}
}

func (c *client) frames() (n int) {
	c.t.Helper()
	c.send("frames")
	fmt.Sscan(c.wait("frames"), &n)
	return n
}

// settle waits until the window has painted and paints no more.
func (c *client) settle() {
	c.t.Helper()
	last, still := -1, 0
	for still < 5 {
		time.Sleep(50 * time.Millisecond)
		n := c.frames()
		if still++; n != last || n == 0 {
			last, still = n, 0
		}
	}
}
