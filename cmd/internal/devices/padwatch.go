package devices

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"shoeboard/cmd/internal/overlay"
	"shoeboard/hw"
	"shoeboard/tracker/console"
	"shoeboard/tracker/game"
)

// keyMove is a key that moved, as raw as the device tells it.
type keyMove struct {
	pad, pos string
	code     int // the kernel's key code; noCode on wires
	down     bool
	at       time.Duration
}

const noCode = -1

// oneMovement is how near to each other two edges of a key are one movement that
// bounces. A finger needs longer, a worn switch does not.
const oneMovement = 40 * time.Millisecond

// keyTrack is what has been seen of one key.
type keyTrack struct {
	code    int
	presses int
	down    bool
	stuck   bool
	since   time.Duration // when it last went down
	hold    time.Duration // how long it was down last
	bounce  time.Duration // the longest

	began, last time.Duration // of the movement
	edges       int
}

// move takes one edge. What follows within a movement is bounce of it.
func (k *keyTrack) move(down bool, at time.Duration) {
	if down == k.down {
		return
	}
	if k.edges == 0 || at-k.last > oneMovement {
		k.began, k.edges = at, 0
		if down {
			k.presses++
			k.since = at
		}
	}
	k.edges++
	k.last, k.down = at, down
	if !down {
		k.hold, k.stuck = at-k.since, false
	}
	if k.edges > 2 { // down and up alone may be a very short press
		k.bounce = max(k.bounce, at-k.began)
	}
}

// padWatch is what has been seen of one keypad in a test.
type padWatch struct {
	name, kind, layout string
	keys               console.Map
	pack               *game.Pack
	tracks             map[string]*keyTrack
	state              string // what the device says of itself, in words; empty: nothing yet
	works              bool
	numLock            int // how often NumLock moved
	news               []string
}

// mostNews is how many lines of news are kept.
const mostNews = 6

// move takes one edge of a key.
func (w *padWatch) move(m keyMove) {
	if m.code == codeNumLock {
		w.numLock++
		return
	}
	k := w.tracks[m.pos]
	if k == nil {
		k = &keyTrack{}
		w.tracks[m.pos] = k
	}
	k.code = m.code
	k.move(m.down, m.at)
}

// notice takes news of the device. help says more of a fault, if it can.
func (w *padWatch) notice(n hw.Notice, help func() string) {
	switch n.Change {
	case hw.Came:
		w.state, w.works = n.Text, true
		return
	case hw.Went, hw.Faulty:
		w.state, w.works = n.Text+help(), false
		w.letGo()
		return
	case hw.Lost:
		w.letGo()
	case hw.Stuck:
		if k := w.tracks[n.Pos]; k != nil {
			k.stuck = true
		}
	case hw.Ghost:
		n.Text = "GHOST: " + n.Text
	}
	if !slices.Contains(w.news, n.Text) {
		w.news = append(w.news, n.Text)
	}
	w.news = w.news[max(0, len(w.news)-mostNews):]
}

func (w *padWatch) letGo() {
	for _, k := range w.tracks {
		k.down, k.edges = false, 0
	}
}

// meaning is what a position is in the layout.
func (w *padWatch) meaning(pos string) string {
	if name := overlay.KeyName(w.pack, w.keys[pos]); name != "" {
		return name
	}
	if _, there := w.keys[pos]; there {
		return "nothing in this game"
	}
	return "not in layout " + w.layout
}

// order are the positions of the layout as they lie, and then all others.
func (w *padWatch) order() []string {
	var list []string
	for _, p := range overlay.Places(w.keys) {
		list = append(list, p.Pos)
	}
	for _, pos := range slices.Sorted(maps.Keys(w.tracks)) {
		if !slices.Contains(list, pos) {
			list = append(list, pos)
		}
	}
	return list
}

// write writes the keypad as a table.
func (w *padWatch) write(out io.Writer, now time.Duration) {
	fmt.Fprintf(out, "KEYPAD %s (%s, %s): %s\n", w.name, w.kind, w.layout, cmp.Or(w.state, "waiting for it"))
	table := tabwriter.NewWriter(out, 0, 4, 2, ' ', 0)
	if len(w.tracks) > 0 {
		fmt.Fprintf(table, "  POSITION\tCODE\tKEY\tPRESSES\tHELD\tBOUNCE\t\n")
	}
	var unseen []string
	for _, pos := range w.order() {
		k := w.tracks[pos]
		if k == nil {
			if _, there := w.keys[pos]; there {
				unseen = append(unseen, pos)
			}
			continue
		}
		fmt.Fprintf(table, "  %s\t%s\t%s\t%d\t%s\t%s\t%s\n", pos, codeText(k.code), w.meaning(pos), k.presses, k.held(now), millis(k.bounce), k.remark())
	}
	table.Flush()
	if len(unseen) > 0 {
		fmt.Fprintf(out, "  not pressed yet: %s\n", strings.Join(unseen, " "))
	}
	if w.numLock > 0 {
		fmt.Fprintf(out, "  NumLock moved %d times; it means nothing and is ignored\n", w.numLock)
	}
	for _, text := range w.news {
		fmt.Fprintf(out, "  ! %s\n", text)
	}
}

func codeText(code int) string {
	if code == noCode {
		return "-"
	}
	return fmt.Sprint(code)
}

// held is how long the key is or was down.
func (k *keyTrack) held(now time.Duration) string {
	if k.down {
		return millis(now - k.since)
	}
	return millis(k.hold)
}

func (k *keyTrack) remark() string {
	switch {
	case k.stuck:
		return "STUCK"
	case k.down:
		return "down"
	}
	return ""
}

// millis is a time in whole milliseconds, a dash for none.
func millis(d time.Duration) string {
	if d <= 0 {
		return "-"
	}
	return fmt.Sprintf("%d ms", max(1, d.Milliseconds()))
}
