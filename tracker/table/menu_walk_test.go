package table_test

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"shoeboard/tracker"
	"shoeboard/tracker/menu"
	"shoeboard/tracker/table"
)

// Anything at all pressed in the technician's menu
// with errands that answer, fail, answer too late or never: the echo fits, every press
// acts or is refused, nothing is written but by the dealer's own OK, and the menu is
// left by CLEAR and by time.
func TestAnythingPressedInTheMenu(t *testing.T) {
	for _, s := range pads() {
		t.Run(s.layout, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				w := newWalk(t, s)
				for _, key := range []string{"NEW_SHOE", "OK"} {
					w.pressed(key, 60*ms)
					w.pass(time.Second)
				}
				for range rapid.IntRange(1, 60).Draw(t, "steps") {
					w.menuStep(t)
				}
				w.leavesMenu(rapid.Bool().Draw(t, "by CLEAR"))
			})
		})
	}
}

// menuStep goes on in the menu, and opens it again when it was left.
func (w *walk) menuStep(t *rapid.T) {
	w.inMenu(t)
	switch rapid.SampledFrom([]string{"digit", "digit", "digit", "OK", "answer", "answer", "any"}).Draw(t, "menu") {
	case "digit":
		w.pressed(rapid.SampledFrom([]string{"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"}).Draw(t, "digit"), 60*ms)
		w.pass(time.Duration(rapid.IntRange(100, 1500).Draw(t, "ms")) * ms)
	case "OK":
		w.pressed("OK", 60*ms)
		w.pass(800 * ms)
	case "answer":
		if n := len(w.errands); n > 0 {
			w.handle(table.Finished{No: w.errands[rapid.IntRange(0, n-1).Draw(t, "which")].No, Result: anAnswer(t)})
		}
	default:
		w.step(t)
	}
}

// inMenu sees to it that the table is closed and the menu open, unless that cannot be.
func (w *walk) inMenu(t *rapid.T) {
	if w.state().Phase == tracker.TableClosed && w.board().Menu == nil && w.board().Test == "" && rapid.IntRange(0, 3).Draw(t, "again") > 0 {
		w.pass(3 * time.Second)
		w.pressed("FLOOR", 60*ms)
	}
}

func anAnswer(t *rapid.T) menu.Result {
	text := rapid.SliceOfN(rapid.String(), 0, 30).Draw(t, "lines")
	return menu.Result{Lines: text, Failed: rapid.Bool().Draw(t, "failed"), Ready: rapid.Bool().Draw(t, "ready"),
		Value: rapid.SampledFrom([]string{"", "202611300658", "2026113", "x.deb"}).Draw(t, "value")}
}

// leavesMenu: at most a dozen digits, then three pages.
func (w *walk) leavesMenu(byClear bool) {
	if w.state().Phase != tracker.TableClosed {
		return
	}
	if !byClear {
		w.pass(5*time.Minute + 61*time.Second)
	}
	for range 20 {
		if byClear && (w.board().Menu != nil || w.board().Test != "") {
			w.held("CLEAR", 2100*ms)
			w.pass(3 * time.Second)
			w.press("CLEAR")
		}
	}
	if b := w.board(); b.Menu != nil || b.Test != "" {
		w.t.Fatalf("by CLEAR %v, and there is %+v, %q", byClear, b.Menu, b.Test)
	}
}
