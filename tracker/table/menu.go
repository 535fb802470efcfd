package table

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"shoeboard/stats"
	"shoeboard/tracker"
	"shoeboard/tracker/console"
	"shoeboard/tracker/menu"
)

// errandWithin is how long an errand may take before the page says that nothing answered.
const errandWithin = 5 * time.Minute

// errands is what the menu has asked of the world.
type errands struct {
	out   menu.Task // the one that is out; No 0: none
	since time.Duration
	told  bool // nothing waits for it any more
}

// sent takes an errand of the console's. One whose forerunner has not ended is refused:
// there is one at a time, even when nobody waits for it any more.
func (d *Desk) sent(now tracker.Stamp, e *menu.Task) {
	switch {
	case e == nil:
	case d.errands.out.No != 0:
		d.answer(now, e.No, menu.Result{Failed: true, Lines: []string{"Still busy: " + string(d.errands.out.Kind), "Try again later"}})
	default:
		d.errands = errands{out: *e, since: now.Mono}
		d.work.Errand = e
	}
}

// Done takes what came of the errand with this number: it has ended.
func (d *Desk) Done(now tracker.Stamp, no int, a menu.Result) {
	if no == d.errands.out.No {
		d.errands = errands{}
		d.answer(now, no, a)
	}
}

func (d *Desk) answer(now tracker.Stamp, no int, a menu.Result) {
	c, out := d.console.Finish(d.at(now), no, a)
	d.take(now, c, out, "menu")
}

// errandDue is when the errand that is out will have been out for too long. It may have
// been called back by a key that did not count after all: its page waits again.
func (d *Desk) errandDue() (time.Duration, bool) {
	return d.errands.since + errandWithin, d.errands.out.No != 0 && d.console.Task() == d.errands.out.No
}

// tickErrand gives an errand up that has been out for too long.
func (d *Desk) tickErrand(now tracker.Stamp) {
	if due, out := d.errandDue(); out && now.Mono >= due {
		d.answer(now, d.errands.out.No, menu.Result{Failed: true, Lines: []string{"No answer", "Try again later"}})
	}
}

// recall says so, once, when nobody waits any more for the errand that is out.
func (d *Desk) recall() {
	if e := &d.errands; e.out.No != 0 && !e.told && d.console.Task() != e.out.No {
		e.told, d.work.Recall = true, true
	}
}

// showMenu puts the technician's page on the Board.
func (d *Desk) showMenu(now tracker.Stamp, live *stats.Live) {
	v, open := d.console.Menu(d.at(now))
	switch {
	case !open:
	case v.KeypadTest:
		live.Test, live.Keypad = stats.KeypadTest, d.keyStates(v.Keys)
	case v.Page == nil:
		live.Test = v.ScreenTest
	default:
		live.Menu = v.Page
		if f := d.faults[notRecording]; f.here && v.Page.Refused == "" {
			live.Menu.Refused = f.text
		}
	}
}

// keyStates are the keys of the keypad that is tested as they lie, and every other key
// that moved.
func (d *Desk) keyStates(keys []menu.Key) []stats.KeyState {
	seen := map[string]menu.Key{}
	source := ""
	for _, k := range keys {
		if source == "" {
			source = k.Source
		}
		seen[k.Source+" "+k.Pos] = k
	}
	m := d.keysOf(source)
	var list []stats.KeyState
	for _, pos := range positions(m) {
		k := seen[source+" "+pos]
		delete(seen, source+" "+pos)
		list = append(list, stats.KeyState{Pos: pos, Name: console.KeyName(d.state.Settings.Entry, m[pos]), Down: k.Down, Seen: k.Count})
	}
	for _, at := range slices.Sorted(maps.Keys(seen)) {
		k := seen[at]
		list = append(list, stats.KeyState{Pos: strings.TrimPrefix(at, source+" "), Name: k.Name, Down: k.Down, Seen: k.Count})
	}
	return list
}

// numpad are the positions of a 17-key pad as they lie.
var numpad = []string{"KPSLASH", "KPASTERISK", "KPMINUS", "KP7", "KP8", "KP9", "KPPLUS", "KP4", "KP5", "KP6",
	"KP1", "KP2", "KP3", "KPENTER", "KP0", "KPDOT"}

// positions are the keys that a keypad with this map surely has, as they lie: those of
// a numeric pad without the upper row, which not every pad has, or all by row and column.
func positions(m console.Map) []string {
	if _, pad := m["KP1"]; pad {
		return slices.DeleteFunc(slices.Clone(numpad), func(pos string) bool { _, there := m[pos]; return !there })
	}
	crossing := func(pos string) (row, column int) {
		fmt.Sscanf(pos, "r%dc%d", &row, &column)
		return row, column
	}
	return slices.SortedFunc(maps.Keys(m), func(a, b string) int {
		ra, ca := crossing(a)
		rb, cb := crossing(b)
		return cmp.Or(cmp.Compare(ra, rb), cmp.Compare(ca, cb), cmp.Compare(a, b))
	})
}
