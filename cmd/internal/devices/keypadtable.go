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

	"shoeboard/cmd/internal/keycaps"
	"shoeboard/hw"
	"shoeboard/tracker/console"
	"shoeboard/tracker/game"
)

// keyMove is one edge of a key, as the device sends it.
type keyMove struct {
	pad, pos string
	code     int // the kernel's key code; noCode on wires
	down     bool
	at       time.Duration
}

const noCode = -1

// Key codes of the kernel that end a test, or mean nothing.
const (
	codeCtrl, codeCtrlR = 29, 97
	codeC, codeNumLock  = 46, 69
)

// oneMovement is the longest time between two edges of a key that are one movement with
// bounce. A finger needs longer, a worn switch does not.
const oneMovement = 40 * time.Millisecond

// keyTrack is the record of one key.
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

// move records one edge. Further edges within a movement are its bounce.
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

// held returns how long the key is or was down.
func (k *keyTrack) held(now time.Duration) time.Duration {
	if k.down {
		return now - k.since
	}
	return k.hold
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

// keypadTable is the record of one keypad in a test.
type keypadTable struct {
	name, kind, layout string
	keys               console.Map
	pack               *game.Pack
	tracks             map[string]*keyTrack
	state              string // as the device reports it, in words; empty: nothing yet
	works              bool
	numLock            int // how often NumLock moved
	news               []string
}

// mostNews is how many lines of news are kept.
const mostNews = 6

// move records one edge of a key.
func (p *keypadTable) move(m keyMove) {
	if m.code == codeNumLock {
		p.numLock++
		return
	}
	k := p.tracks[m.pos]
	if k == nil {
		k = &keyTrack{}
		p.tracks[m.pos] = k
	}
	k.code = m.code
	k.move(m.down, m.at)
}

// notice records news of the device.
func (p *keypadTable) notice(n hw.Notice) {
	switch n.Change {
	case hw.Came:
		p.state, p.works = n.Text, true
		return
	case hw.Went, hw.Faulty:
		p.state, p.works = n.Text, false
		p.releaseAll()
		return
	case hw.Lost:
		p.releaseAll()
	case hw.Stuck:
		if k := p.tracks[n.Pos]; k != nil {
			k.stuck = true
		}
	case hw.Ghost:
		n.Text = "GHOST: " + n.Text
	}
	if !slices.Contains(p.news, n.Text) {
		p.news = append(p.news, n.Text)
	}
	p.news = p.news[max(0, len(p.news)-mostNews):]
}

func (p *keypadTable) releaseAll() {
	for _, k := range p.tracks {
		k.down, k.edges = false, 0
	}
}

// meaning returns what a position does in the layout.
func (p *keypadTable) meaning(pos string) string {
	if name := keycaps.Name(p.pack, p.keys[pos]); name != "" {
		return name
	}
	if _, there := p.keys[pos]; there {
		return "nothing in this game"
	}
	return "not in layout " + p.layout
}

// order returns the positions of the layout as they lie, and then all others.
func (p *keypadTable) order() []string {
	var list []string
	for _, place := range keycaps.Places(p.keys) {
		list = append(list, place.Pos)
	}
	for _, pos := range slices.Sorted(maps.Keys(p.tracks)) {
		if !slices.Contains(list, pos) {
			list = append(list, pos)
		}
	}
	return list
}

// write writes the keypad as a table.
func (p *keypadTable) write(out io.Writer, now time.Duration) {
	fmt.Fprintf(out, "KEYPAD %s (%s, %s): %s\n", p.name, p.kind, p.layout, cmp.Or(p.state, "waiting for it"))
	table := tabwriter.NewWriter(out, 0, 4, 2, ' ', 0)
	if len(p.tracks) > 0 {
		fmt.Fprintf(table, "  POSITION\tCODE\tKEY\tPRESSES\tHELD\tBOUNCE\t\n")
	}
	var unseen []string
	for _, pos := range p.order() {
		if k := p.tracks[pos]; k != nil {
			fmt.Fprintf(table, "  %s\t%s\t%s\t%d\t%s\t%s\t%s\n", pos, codeText(k.code), p.meaning(pos),
				k.presses, millis(k.held(now)), millis(k.bounce), k.remark())
		} else if _, there := p.keys[pos]; there {
			unseen = append(unseen, pos)
		}
	}
	table.Flush()
	if len(unseen) > 0 {
		fmt.Fprintf(out, "  not pressed yet: %s\n", strings.Join(unseen, " "))
	}
	if p.numLock > 0 {
		fmt.Fprintf(out, "  NumLock moved %d times; it means nothing and is ignored\n", p.numLock)
	}
	for _, text := range p.news {
		fmt.Fprintf(out, "  ! %s\n", text)
	}
}

func codeText(code int) string {
	if code == noCode {
		return "-"
	}
	return fmt.Sprint(code)
}

// millis formats a time in whole milliseconds, a dash for none.
func millis(d time.Duration) string {
	if d <= 0 {
		return "-"
	}
	return fmt.Sprintf("%d ms", max(1, d.Milliseconds()))
}
