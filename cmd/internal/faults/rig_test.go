package faults

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"shoeboard/stats"
	"shoeboard/tracker/game"
	"shoeboard/tracker/localapi"
)

// startsIn is how soon a board must show what can be read, whatever the folder is like.
const startsIn = 5 * time.Second

// program builds the real program, with one line of its source replaced where was is not empty.
func program(t testing.TB, source, was, is string) (binary string) {
	t.Helper()
	dir := t.TempDir()
	binary = filepath.Join(dir, "shoeboard")
	args := []string{"build", "-o", binary}
	if was != "" {
		path, err := filepath.Abs("../../../" + source)
		if err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(path)
		if err != nil || bytes.Count(text, []byte(was)) != 1 {
			t.Fatalf("%s has %q %d times, %v: plant the bug anew", source, was, bytes.Count(text, []byte(was)), err)
		}
		planted, overlay := filepath.Join(dir, "planted.go"), filepath.Join(dir, "overlay.json")
		list, err := json.Marshal(map[string]map[string]string{"Replace": {path: planted}})
		for _, err := range []error{err, os.WriteFile(planted, bytes.Replace(text, []byte(was), []byte(is), 1), 0o600), os.WriteFile(overlay, list, 0o600)} {
			if err != nil {
				t.Fatal(err)
			}
		}
		args = append(args, "-overlay", overlay)
	}
	build := exec.Command("go", append(args, "shoeboard/cmd/shoeboard")...)
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return binary
}

// tried is for how long a rig is tried: FAULTS_SECONDS.
func tried(t testing.TB) time.Duration {
	n, err := strconv.Atoi(os.Getenv("FAULTS_SECONDS"))
	if err != nil {
		t.Skip("\"make faults\" runs it")
	}
	return time.Duration(n) * time.Second
}

// core is a running core on a data folder.
type core struct {
	t    testing.TB
	cmd  *exec.Cmd
	said *bytes.Buffer
	localapi.Client
}

// start starts the core and returns its first board, which must come in time.
func start(t testing.TB, binary, data string) (*core, *stats.Board) {
	t.Helper()
	c, b := begin(t, binary, data)
	if b == nil {
		t.Fatalf("no board within %v:\n%s", startsIn, c.said)
	}
	return c, b
}

// begin starts the core and returns its first board, nil where none comes in time.
func begin(t testing.TB, binary, data string) (*core, *stats.Board) {
	t.Helper()
	dir := t.TempDir()
	c := &core{t: t, said: &bytes.Buffer{}, Client: localapi.Client{Path: filepath.Join(dir, "sock")}}
	config := filepath.Join(dir, "venue.toml")
	if err := os.WriteFile(config, []byte("bets = \"off\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	c.cmd = exec.Command(binary, "--config", config, "run", "--socket-keys", "--table", "7", "--data", data, "--socket", c.Path)
	c.cmd.Stdout, c.cmd.Stderr, c.cmd.Dir = c.said, c.said, dir
	if err := c.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	for time.Since(began) < startsIn {
		if b, err := c.Board(t.Context()); err == nil {
			return c, b
		}
		time.Sleep(2 * time.Millisecond)
	}
	c.kill()
	return c, nil
}

func (c *core) kill() {
	_ = c.cmd.Process.Kill()
	_ = c.cmd.Wait()
}

// opens opens the table, or begins a new shoe, keys the first hand, and returns the shoe.
func (c *core) opens() (shoe string) {
	c.t.Helper()
	c.press("NEW_SHOE", 2200*time.Millisecond)
	for _, key := range []string{"OK", "BANKER", "OK"} {
		c.press(key, 100*time.Millisecond)
	}
	for range 300 {
		b, err := c.Board(c.t.Context())
		if err != nil {
			c.t.Fatalf("%v\n%s", err, c.said)
		}
		if shoe = hands(b); shoe == "B" && !b.Saving {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	return shoe
}

func (c *core) press(key string, hold time.Duration) {
	c.t.Helper()
	for _, down := range []bool{true, false} {
		if err := c.Press(c.t.Context(), key, down); err != nil {
			c.t.Fatalf("%s: %v\n%s", key, err, c.said)
		}
		time.Sleep(hold)
	}
	time.Sleep(500 * time.Millisecond)
}

// hands are the shoe's results: "BPT".
func hands(b *stats.Board) string {
	var s strings.Builder
	for _, m := range b.Shoe.Marks {
		s.WriteString(map[game.Outcome]string{game.Banker: "B", game.Player: "P", game.Tie: "T"}[m.Outcome])
	}
	return s.String()
}

// insert has a hand put in before the first one, and returns the shoe as it is then. An answer
// that has not come a moment after the power was cut does not come.
func (c *core) insert(d *disk, shoe string, r *rand.Rand) (after string, err error) {
	token := []string{"B", "P", "T"}[r.IntN(3)]
	ctx, cancel := context.WithTimeout(c.t.Context(), 2*time.Second)
	defer cancel()
	go func() {
		select {
		case <-d.dead:
			time.Sleep(30 * time.Millisecond)
			cancel()
		case <-ctx.Done():
		}
	}()
	_, err = c.Correct(ctx, localapi.Correction{Do: "insert", Hand: 1, Token: token, By: "rig"})
	return token + shoe, err
}

var correction = localapi.Correction{Do: "insert", Hand: 1, Token: "P", By: "rig"}

// opened is the data folder of a unit whose table is open, with one hand; it is made on an
// honest disk that keeps its power.
func opened(t testing.TB, binary string) *image {
	t.Helper()
	d, mount := newDisk(&image{names: map[string]*image{}}, 1, false, -1), t.TempDir()
	defer d.mount(t, mount)()
	c, _ := start(t, binary, filepath.Join(mount, "data"))
	if shoe := c.opens(); shoe != "B" {
		t.Fatalf("the first hand is not saved: %q\n%s", shoe, c.said)
	}
	c.kill()
	d.mu.Lock()
	d.root.settle()
	d.mu.Unlock()
	return d.cut()
}

// settle makes all durable.
func (f *folder) settle() {
	f.kept, f.since = maps.Clone(f.names), nil
	for _, e := range f.names {
		switch e := e.(type) {
		case *folder:
			e.settle()
		case *file:
			e.kept = bytes.Clone(e.now)
		}
	}
}

// trial is a unit that is tried over many lives.
type trial struct {
	binary string
	rand   *rand.Rand
	lies   bool
	image  *image
	acked  string   // the shoe as it was acknowledged last
	maybe  string   // as it is if what was in flight arrived
	before []string // as it was acknowledged before
	lives  int
	acks   int
}

// live starts the unit, checks what it shows, keys hands until the power is cut at a random
// operation or moment, and returns what is wrong. newShoe: a shoe is begun before that.
func (l *trial) live(t testing.TB, newShoe bool) (wrong error) {
	l.lives++
	after := l.rand.IntN(60)
	if newShoe {
		after = -1
	}
	d, mount := newDisk(l.image, l.rand.Uint64(), l.lies, after), t.TempDir()
	unmount := d.mount(t, mount)
	defer unmount()
	c, b := start(t, l.binary, filepath.Join(mount, "data"))
	defer func() {
		c.kill()
		l.image = d.cut()
	}()
	is := hands(b)
	// A medium that lies may have lost a record and not the next one: the board says so.
	lied := l.lies && (slices.Contains(l.before, is) || has(b, "record") || has(b, "hands-lost"))
	if !l.lies && has(b, "records-missing") {
		return fmt.Errorf("in life %d the board says that records are missing, %q was acknowledged", l.lives, l.acked)
	}
	if is != l.acked && is != l.maybe && !lied {
		return fmt.Errorf("in life %d the board shows %q, acknowledged was %q", l.lives, is, l.acked)
	}
	l.before = append(l.before, l.acked, l.maybe) // a medium that lies may bring back what it had lost
	l.acked, l.maybe = is, is
	if newShoe {
		is = c.opens()
		l.acked, l.maybe = is, is
		d.mu.Lock()
		d.after = l.rand.IntN(10)
		d.mu.Unlock()
	}
	for range l.rand.IntN(12) {
		next, err := c.insert(d, l.acked, l.rand)
		if l.maybe = next; err != nil {
			return nil
		}
		l.before = append(l.before, l.acked)
		l.acked = next
		l.acks++
	}
	return nil
}
