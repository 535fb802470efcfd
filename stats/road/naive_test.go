package road

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"shoeboard/tracker/game"
)

// naive is a second reading of the rules, slow and plain: maps for grids, strings
// for runs, and derived colours by whether the neighbour cells are there.
type naive struct {
	big            []cell
	ties           []int
	derived        [3][]cell
	player, banker [3]string
}

func newNaive(hands []game.Outcome, o Options) naive {
	var n naive
	var runs [][]string
	leading := 0
	for _, h := range hands {
		switch {
		case h == game.Tie && len(n.ties) == 0:
			leading++
		case h == game.Tie:
			n.ties[len(n.ties)-1]++
		default:
			if len(n.ties) == 0 && o.OwnColumn && leading > 0 {
				runs, n.ties = append(runs, []string{"T"}), append(n.ties, leading)
			}
			if len(runs) == 0 || runs[len(runs)-1][0] != h.Letter() {
				runs = append(runs, nil)
			}
			runs[len(runs)-1] = append(runs[len(runs)-1], h.Letter())
			n.ties = append(n.ties, 0)
		}
	}
	if leading > 0 && !o.OwnColumn && len(n.ties) > 0 {
		n.ties[0] += leading
	}
	if leading > 0 && o.OwnColumn && len(n.ties) == 0 {
		runs, n.ties = [][]string{{"T"}}, []int{leading}
	}
	n.big = naiveLayout(runs, o.Stay)
	for k := range 3 {
		n.derived[k] = naiveLayout(naiveColours(runs, k+1), o.Stay)
		n.player[k] = naiveAsk(runs, k+1, "P")
		n.banker[k] = naiveAsk(runs, k+1, "B")
	}
	return n
}

// naiveColours is the marks of a derived road in runs of equal colour.
func naiveColours(runs [][]string, k int) [][]string {
	var out [][]string
	for n := range runs {
		for m := range runs[n] {
			c := naiveColour(runs, n, m, k)
			if c == "" {
				continue
			}
			if len(out) == 0 || out[len(out)-1][0] != c {
				out = append(out, nil)
			}
			out[len(out)-1] = append(out[len(out)-1], c)
		}
	}
	return out
}

// naiveColour looks at the logical grid: below the top it compares the cell k
// columns to the left with the one above that; at the top it asks how that would
// have come out had the previous run gone on, and says the opposite.
func naiveColour(runs [][]string, n, m, k int) string {
	opposite := map[string]string{"R": "B", "B": "R", "": ""}
	if m == 0 {
		if n == 0 || n-1-k < 0 {
			return ""
		}
		return opposite[naiveColour(runs, n-1, len(runs[n-1]), k)]
	}
	if n-k < 0 {
		return ""
	}
	there := func(row int) bool { return row < len(runs[n-k]) }
	if there(m) == there(m-1) {
		return "R"
	}
	return "B"
}

func naiveAsk(runs [][]string, k int, side string) string {
	if len(runs) > 0 && runs[len(runs)-1][0] == side {
		return naiveColour(runs, len(runs)-1, len(runs[len(runs)-1]), k)
	}
	return naiveColour(runs, len(runs), 0, k)
}

func naiveLayout(runs [][]string, stay bool) []cell {
	type at struct{ col, row int }
	grid := map[at]bool{}
	var out []cell
	head := at{col: -1}
	for _, run := range runs {
		head.col++
		for grid[head] {
			head.col++
		}
		pos, turned := head, false
		for i, letter := range run {
			below := at{pos.col, pos.row + 1}
			switch {
			case i == 0:
			case below.row < 6 && !grid[below] && !(stay && turned):
				pos = below
			default:
				pos, turned = at{pos.col + 1, pos.row}, true
			}
			grid[pos] = true
			out = append(out, cell{pos.col, pos.row, letter})
		}
	}
	return out
}

// checkRoads compares the roads with the second reading in every convention, and
// holds what must be so of any roads.
func checkRoads(t rapid.TB, hands []game.Outcome) {
	t.Helper()
	for _, o := range []Options{{}, {Stay: true}, {OwnColumn: true}, {true, true}} {
		r, n := Fold(hands, o), newNaive(hands, o)
		same(t, "big road", bigCells(r.BigRoad), n.big)
		ties := make([]int, len(r.BigRoad))
		for i, m := range r.BigRoad {
			ties[i] = int(m.Ties)
		}
		same(t, "ties", ties, n.ties)
		same(t, "ask player", askLetters(r.Ask.Player), n.player)
		same(t, "ask banker", askLetters(r.Ask.Banker), n.banker)
		apart(t, bigCells(r.BigRoad))
		for k, marks := range [][]Derived{r.BigEyeBoy, r.SmallRoad, r.CockroachPig} {
			same(t, "derived road", derivedCells(marks), n.derived[k])
			apart(t, derivedCells(marks))
		}
	}
}

// apart holds that no two marks share a cell and none is outside the grid.
func apart(t rapid.TB, cells []cell) {
	t.Helper()
	seen := map[[2]int]bool{}
	for _, c := range cells {
		if seen[[2]int{c.col, c.row}] || c.row < 0 || c.row >= Rows || c.col < 0 {
			t.Errorf("the cell %v is taken twice or outside", c)
		}
		seen[[2]int{c.col, c.row}] = true
	}
}

// anyShoe draws hands: runs of lengths that dragons come of, with ties strewn in.
func anyShoe(t *rapid.T) []game.Outcome {
	var hands []game.Outcome
	side := rapid.SampledFrom([]game.Outcome{game.Player, game.Banker}).Draw(t, "first")
	for range rapid.IntRange(0, 30).Draw(t, "runs") {
		for range rapid.SampledFrom([]int{1, 1, 1, 2, 2, 3, 4, 5, 6, 7, 8, 9, 12}).Draw(t, "run") {
			for range rapid.SampledFrom([]int{0, 0, 0, 0, 0, 1, 2}).Draw(t, "ties") {
				hands = append(hands, game.Tie)
			}
			hands = append(hands, side)
		}
		side = swapped(side)
	}
	return hands
}

func swapped(o game.Outcome) game.Outcome {
	switch o {
	case game.Player:
		return game.Banker
	case game.Banker:
		return game.Player
	}
	return o
}

func TestAnyShoeIsAsTheSecondReadingHasIt(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { checkRoads(t, anyShoe(t)) })
}

func TestAskMarksAreWhatComes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		hands := anyShoe(t)
		ask := Fold(hands, Options{}).Ask
		for _, side := range []game.Outcome{game.Player, game.Banker} {
			before, after := Fold(hands, Options{}), Fold(append(slices.Clone(hands), side), Options{})
			marks := ask.Player
			if side == game.Banker {
				marks = ask.Banker
			}
			for i, road := range [][2][]Derived{{before.BigEyeBoy, after.BigEyeBoy}, {before.SmallRoad, after.SmallRoad}, {before.CockroachPig, after.CockroachPig}} {
				came := ""
				if len(road[1]) > len(road[0]) {
					came = road[1][len(road[1])-1].Color.Letter()
				}
				if askLetters(marks)[i] != came {
					t.Errorf("road %d was to get %q, got %q", i, askLetters(marks)[i], came)
				}
			}
		}
		for i, p := range askLetters(ask.Player) {
			if b := askLetters(ask.Banker)[i]; (p == "") != (b == "") || p == b && p != "" {
				t.Errorf("the ask marks of road %d are %q and %q", i, p, b)
			}
		}
	})
}

func TestSidesAndTiesDoNotMatterToDerivedRoads(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		hands := anyShoe(t)
		r := Fold(hands, Options{})
		mirrored, tieless := slices.Clone(hands), []game.Outcome{}
		for i, h := range hands {
			mirrored[i] = swapped(h)
			if h != game.Tie {
				tieless = append(tieless, h)
			}
		}
		for _, other := range []*Roads{Fold(mirrored, Options{}), Fold(tieless, Options{})} {
			same(t, "big eye boy", other.BigEyeBoy, r.BigEyeBoy)
			same(t, "small road", other.SmallRoad, r.SmallRoad)
			same(t, "cockroach pig", other.CockroachPig, r.CockroachPig)
		}
		same(t, "big road without ties", bigCells(Fold(tieless, Options{}).BigRoad), bigCells(r.BigRoad))
	})
}

func TestAShorterListIsTheBeginningOfTheLonger(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		hands := append(anyShoe(t), game.Player)
		n := rapid.IntRange(0, len(hands)).Draw(t, "shorter by the rest")
		long, short := Fold(hands, Options{}), Fold(hands[:n], Options{})
		same(t, "bead plate", short.BeadPlate, long.BeadPlate[:n])
		same(t, "big road", bigCells(short.BigRoad), bigCells(long.BigRoad[:len(short.BigRoad)]))
		same(t, "big eye boy", short.BigEyeBoy, long.BigEyeBoy[:len(short.BigEyeBoy)])
		same(t, "small road", short.SmallRoad, long.SmallRoad[:len(short.SmallRoad)])
		same(t, "cockroach pig", short.CockroachPig, long.CockroachPig[:len(short.CockroachPig)])
	})
}

func TestDerivedRoadsMarkEveryWinnerFromTheirStart(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := Fold(anyShoe(t), Options{})
		run, place := -1, 0
		var want [3]int
		for i, m := range r.BigRoad {
			if place++; i == 0 || r.BigRoad[i-1].Outcome != m.Outcome {
				run, place = run+1, 0
			}
			for k := range want { // the second mark of run k, or the first of the run after
				if run > k+1 || run == k+1 && place > 0 {
					want[k]++
				}
			}
		}
		if got := [3]int{len(r.BigEyeBoy), len(r.SmallRoad), len(r.CockroachPig)}; got != want {
			t.Errorf("the derived roads have %v marks, want %v", got, want)
		}
	})
}

// FuzzFold holds the roads against the second reading for any bytes.
func FuzzFold(f *testing.F) {
	f.Add([]byte("BPTBBBBBBBBPPPPPPPPT"))
	f.Add([]byte("TTT"))
	f.Fuzz(func(t *testing.T, data []byte) {
		hands := make([]game.Outcome, min(len(data), 400))
		for i := range hands {
			hands[i] = game.Player + game.Outcome(data[i]%3)
		}
		checkRoads(t, hands)
	})
}
