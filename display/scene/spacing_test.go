package scene

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"shoeboard/stats"
	"shoeboard/tracker"
	"shoeboard/tracker/game"
)

// on draws a board on a screen in English beside Traditional Chinese.
func on(t *testing.T, size [2]int, b stats.Board) []Op {
	v := reference(t)
	v.W, v.H, v.Corner = size[0], size[1], ""
	return Build(&b, v)
}

// shoeAs returns a board after hands that are given by the letters of their outcomes.
func shoeAs(t *testing.T, letters string) stats.Board {
	shoe := tracker.Shoe{Pack: packOf(t, "ez-baccarat-panda-8")}
	for _, letter := range letters {
		outcome := map[rune]game.Outcome{'P': game.Player, 'B': game.Banker, 'T': game.Tie}[letter]
		shoe.Hands = append(shoe.Hands, tracker.Hand{Result: game.Result{Outcome: outcome}})
	}
	b := panda8("")
	b.Shoe = stats.Fold(shoe, tracker.DefaultSettings())
	return b
}

// 1 and 100.0 side by side would read as one figure, and every shoe begins so.
func TestCountAndShareAreTwoFigures(t *testing.T) {
	for _, size := range screens {
		for _, letters := range []string{"P", "B", "T", "TTTTTTTTTTTT", "PB", strings.Repeat("PBBPT", 14)} {
			ops := on(t, size, shoeAs(t, letters))
			counts, shares := named(ops, "results.count"), named(ops, "results.share")
			if len(counts) == 0 || len(counts) != len(shares) {
				t.Fatalf("%v %s: %d counts, %d shares", size, letters, len(counts), len(shares))
			}
			for i := range counts {
				if air := shares[i].Bounds().X0 - counts[i].Bounds().X1; air < counts[i].Run.CapHeight/2 {
					t.Errorf("%v %s: %s and %s stand %.1f px apart", size, letters, counts[i].Run.Text, shares[i].Run.Text, air)
				}
			}
		}
	}
}

// Whatever the digits, the dot stands in the middle between the two numbers.
func TestDotOfNaturalsStandsInTheMiddle(t *testing.T) {
	for _, n := range []stats.Naturals{{Player: 10, Banker: 11}, {Player: 22, Banker: 15}, {Player: 1, Banker: 0}, {Player: 8, Banker: 8}} {
		b := with(panda8(""), func(b *stats.Board) { b.Shoe.Naturals = n })
		row := named(on(t, screens[4], b), "results.naturals")
		player, dot, banker := row[0].Bounds(), row[1].Bounds(), row[2].Bounds()
		if left, right := dot.X0-player.X1, banker.X0-dot.X1; !near(left, right, 1.5) || left < 4 {
			t.Errorf("%d·%d: %.1f px before the dot, %.1f after it", n.Player, n.Banker, left, right)
		}
	}
}

// A collection of several lines hangs below its first rate where it has room, and no
// line is left with a lone rate where the one above could share with it.
func TestCollectionHangsBelowItsFirstRate(t *testing.T) {
	for _, size := range [][2]int{{800, 480}, {1024, 600}} {
		v, b := reference(t), panda8("") // beside the small word of a PNG the rates take two lines
		v.W, v.H = size[0], size[1]
		rates := named(Build(&b, v), "collection.rate")
		first, lines := rates[0], map[float32][]Op{}
		for _, o := range rates {
			lines[o.Y] = append(lines[o.Y], o)
		}
		if len(lines) != 2 {
			t.Fatalf("%v: %d lines", size, len(lines))
		}
		for y, line := range lines {
			if line[0].X != first.X {
				t.Errorf("%v: the line at %g begins at %g, the first rate at %g", size, y, line[0].X, first.X)
			}
			if len(line) < 2*2 {
				t.Errorf("%v: %q stands alone", size, line[0].Run.Text)
			}
		}
	}
}

// Two phrases beside a phase stand in two lines. On a small screen the totals give way
// to them, since a natural says its own, and not the phase's second language.
func TestTwoPhrasesStandInTwoLines(t *testing.T) {
	for _, size := range [][2]int{{800, 480}, {1024, 600}, {1280, 720}, {1920, 1080}} {
		ops := on(t, size, state(t, "natural-tie").Board)
		if got := said(ops, "bar.phase") + said(ops, "bar.second"); got != "TIE和" {
			t.Errorf("%v: the phase is %s", size, got)
		}
		if got := said(ops, "bar.line"); got != "NATURAL 8|PLAYER AND BANKER PUSH" {
			t.Errorf("%v: the lines are %s", size, got)
		}
	}
}

// No label of the results touches the rules above and below it, in either game.
func TestLabelsStandClearOfTheRules(t *testing.T) {
	for _, size := range [][2]int{{1280, 720}, {1920, 1080}, {3840, 2160}} {
		for _, b := range []stats.Board{panda8(""), dai("")} {
			ops := on(t, size, b)
			rules := named(ops, "results.rule")
			for _, o := range named(ops, "results.label") {
				ink := o.Bounds()
				touches := func(r Op) bool {
					return r.Bounds().Overlaps(ink.inset(0, -4*float32(size[1])/1080))
				}
				if i := slices.IndexFunc(rules, touches); i >= 0 {
					t.Errorf("%v %s: %s touches the rule at %g", size, b.Game.ID, fmt.Sprint(o), rules[i].Y)
				}
			}
		}
	}
}
