package display

import (
	"bufio"
	"context"
	"fmt"
	"image/color"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"shoeboard/assets"
	"shoeboard/display/paint"
	"shoeboard/display/scene"
	"shoeboard/display/specimen"
	"shoeboard/stats"
)

// A process can open one window, on its main goroutine. So each test of a
// window runs this test binary again, as the window, and talks to it in lines.
const childEnv = "SHOEBOARD_TEST_WINDOW"

func TestMain(m *testing.M) {
	if args := os.Getenv(childEnv); args != "" {
		if err := window(strings.Fields(args)); err != nil {
			fmt.Println("error", err)
			os.Exit(1)
		}
		fmt.Println("closed")
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// child is the window under test with what it shows.
type child struct {
	mu     sync.Mutex
	scene  string
	screen *Screen
	fonts  *scene.Fonts
	words  map[scene.Lang]*scene.Catalogue
	board  stats.Board
}

// window opens a window as the words of args say (keys, full, a rotation, a
// shift, a size) and does what the lines of its standard input say.
func window(args []string) error {
	fonts, err := scene.NewFonts(assets.Fonts())
	if err != nil {
		return err
	}
	words, err := scene.Catalogues()
	if err != nil {
		return err
	}
	c := &child{scene: "board 1", fonts: fonts, words: words, board: specimen.Board("", "")}
	o := Options{Title: "test", Picture: c.picture}
	for _, a := range args {
		switch {
		case a == "keys":
			o.Keys = func(k Key) { fmt.Println("key", k.Name, k.Down) }
		case a == "full":
			o.Fullscreen = true
		case strings.HasPrefix(a, "on:"):
			o.Output = a[3:]
		case strings.HasPrefix(a, "shift"):
			o.Shift, _ = strconv.Atoi(a[5:])
		case strings.HasPrefix(a, "turn"):
			n, _ := strconv.Atoi(a[4:])
			o.Rotation = paint.Rotation(n)
		default:
			fmt.Sscanf(a, "%dx%d", &o.Width, &o.Height)
		}
	}
	c.screen = New(o)
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	go c.obey()
	return c.screen.Run(ctx)
}

func (c *child) picture(w, h int) ([]scene.Op, time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	ops, next := testScene(c.fonts, c.scene, w, h)
	if left, ok := strings.CutPrefix(c.scene, "specimen "); ok {
		n, _ := strconv.Atoi(left)
		ops = c.specimen(w, h, n%20+1)
	}
	fmt.Println("picture", w, h)
	return ops, next
}

func (c *child) obey() {
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		word, rest, _ := strings.Cut(in.Text(), " ")
		switch word {
		case "show":
			c.mu.Lock()
			c.scene = rest
			c.mu.Unlock()
			c.screen.Refresh()
		case "refresh":
			c.screen.Refresh()
		case "frames":
			fmt.Println("frames", c.screen.Frames())
		case "shows":
			fmt.Println("shows", c.screen.Shows())
		case "paint":
			c.paint(rest)
		}
	}
}

// paint shows N pictures of a kind, each once the one before is on the screen,
// and says how long that took.
func (c *child) paint(args string) {
	var n int
	var kind string
	fmt.Sscan(args, &n, &kind)
	start := time.Now()
	for i := range n {
		painted := c.screen.Frames()
		c.mu.Lock()
		c.scene = fmt.Sprint(kind, " ", i)
		c.mu.Unlock()
		for c.screen.Refresh(); c.screen.Frames() == painted; {
			time.Sleep(100 * time.Microsecond)
		}
	}
	fmt.Println("painted", time.Since(start).Nanoseconds())
}

// specimen is the board of a countdown with so many seconds left.
func (c *child) specimen(w, h, left int) []scene.Op {
	theme, _ := scene.ThemeNamed("dark")
	v := scene.View{W: w, H: h, Theme: theme, Fonts: c.fonts, First: c.words["en"], Second: c.words["zh-Hant"],
		Boot: specimen.Boot, Wall: specimen.Wall()}
	c.board.Countdown = &stats.Deadline{Boot: specimen.Boot, At: time.Duration(left) * time.Second, Total: 20}
	return scene.Build(&c.board, v)
}

// testScene is "board N", every kind of op and about as many as a full board
// has; "count", a number that changes by itself each 200 ms; or "blank N", one
// colour.
func testScene(f *scene.Fonts, name string, w, h int) ([]scene.Op, time.Duration) {
	ops := []scene.Op{{Kind: scene.Rect, W: float32(w), H: float32(h), Color: color.NRGBA{9, 12, 17, 255}}}
	text := func(x, y, size float32, s string) {
		run := f.Shape(scene.Style{Size: f.CapSize(size), Weight: scene.Bold, Lang: "zh-Hant"}, s)
		ops = append(ops, scene.Op{Kind: scene.Text, X: x, Y: y, Run: run, Color: color.NRGBA{244, 247, 251, 255}})
	}
	kind, number, _ := strings.Cut(name, " ")
	switch kind {
	case "count":
		text(50, 200, 85, strconv.FormatInt(time.Now().UnixMilli()/200%100, 10))
		return ops, 200 * time.Millisecond
	case "blank":
		shade, _ := strconv.Atoi(number)
		ops[0].Color.B = uint8(20 + shade%200)
		return ops, 0
	}
	red, blue := color.NRGBA{255, 77, 79, 255}, color.NRGBA{59, 142, 255, 200}
	ops = append(ops,
		scene.Op{Kind: scene.Rect, X: 20.4, Y: 10, W: float32(w) - 40, H: 300, Radius: 12, Color: color.NRGBA{37, 55, 75, 255}},
		scene.Op{Kind: scene.Rect, X: 20.4, Y: 10, W: float32(w) - 40, H: 300, Radius: 12, Stroke: 2, Color: color.NRGBA{85, 103, 123, 255}})
	for i := range 900 {
		x, y := float32(24+i%48*39), float32(104+i/48*44)
		ops = append(ops, scene.Op{Kind: scene.Kind(1 + i%3), X: x, Y: y, W: 33, H: 33, X2: x + 30, Y2: y + 30.5, Stroke: 5, Color: []color.NRGBA{red, blue}[i%2]})
	}
	for i := range 120 {
		text(float32(20+i%8*230), float32(60+i/8*60), []float32{16, 20, 28, 40}[i%4], []string{"PLAYER 閒", "$10–$1,000", "45.7", "龍7 플레이어"}[i%4])
	}
	text(60, 500, 85, "HAND "+number)
	return ops, 0
}
