package display

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"shoeboard/display/displaytest"
)

// client is a window under test.
type client struct {
	t     testing.TB
	cmd   *exec.Cmd
	in    io.WriteCloser
	lines chan string
	keys  []string
}

// open starts a window and waits until it has painted.
func open(t testing.TB, x displaytest.Server, args string) *client {
	t.Helper()
	c := start(t, x, args)
	c.settle()
	return c
}

func start(t testing.TB, x displaytest.Server, args string) *client {
	t.Helper()
	c := &client{t: t, cmd: exec.Command(os.Args[0]), lines: make(chan string, 1000)}
	c.cmd.Env = append(x.Environ(), childEnv+"="+args)
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

// patience is how long a test waits for what must come: far longer than that takes on
// the busiest machine.
const patience = time.Minute

// wait returns the rest of the first line that begins with word, keeping the
// keys that come before it.
func (c *client) wait(word string) string {
	c.t.Helper()
	late := time.After(patience)
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
			c.t.Fatalf("%v without %q; keys so far: %q", patience, word, c.keys)
		}
	}
}

// says expects the screen to say that its picture is shown, or that it is not.
func (c *client) says(when string, shows bool) {
	c.t.Helper()
	c.send("shows")
	if got := c.wait("shows"); got != fmt.Sprint(shows) {
		c.t.Errorf("%s the screen says that it shows its picture: %s", when, got)
	}
}

func (c *client) frames() (n int) {
	c.t.Helper()
	c.send("frames")
	fmt.Sscan(c.wait("frames"), &n)
	return n
}

// turn has the loop turn so many times with a picture announced, and once more: what
// the pictures before painted is counted then.
func (c *client) turn(times int) {
	c.t.Helper()
	c.frames() // no picture before is taken for one of these
	for range times + 1 {
		c.send("refresh")
		c.wait("picture")
	}
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
