package console

import (
	"bytes"
	"testing"

	"shoeboard/assets"
	"shoeboard/tracker"
	"shoeboard/tracker/game"
)

// withPairs is a pack that marks pairs.
func withPairs(t testing.TB, id string) *game.Pack {
	t.Helper()
	file, data, _ := assets.Pack(id)
	p, err := game.Load(file, bytes.Replace(data, []byte("pair_marks = false"), []byte("pair_marks = true"), 1))
	if err != nil || !p.PairMarks {
		t.Fatal(id, err)
	}
	return p
}

// handsOfTotals are all that totals make in a game, with every pair that can be beside.
func handsOfTotals(p *game.Pack) []game.Result {
	var all []game.Result
	for i := range 400 {
		h := game.Result{PlayerTotal: uint8(i % 10), PlayerCards: uint8(2 + i/200), BankerTotal: uint8(i / 10 % 10), BankerCards: uint8(2 + i/100%2)}
		for pairs := range 4 {
			h.PlayerPair, h.BankerPair = pairs&1 != 0, pairs&2 != 0
			if r := settled(p, h); r.Known && r.PlayerPair == h.PlayerPair && r.BankerPair == h.BankerPair {
				all = append(all, r)
			}
		}
	}
	return all
}

// Pairs change nothing of what follows from totals.
func TestPairsLeaveWhatTotalsSay(t *testing.T) {
	for _, id := range assets.PackIDs() {
		p := packOf(t, id)
		hands := handsOfTotals(p)
		if len(hands) < 205 {
			t.Fatalf("%s: only %d hands", id, len(hands))
		}
		for _, r := range hands {
			want, err := p.FromTotals(int(r.PlayerTotal), int(r.PlayerCards), int(r.BankerTotal), int(r.BankerCards))
			if err != nil {
				t.Fatal(err)
			}
			if want.PlayerPair, want.BankerPair = r.PlayerPair, r.BankerPair; r != want {
				t.Errorf("%s: %+v, want %+v", id, r, want)
			}
		}
	}
}

// Where totals are keyed or read, the line that OK is pressed on fits the echo and tells
// every hand from every other, its totals and pairs among it.
func TestNoTwoTotalsReadAlike(t *testing.T) {
	for _, id := range assets.PackIDs() {
		p := withPairs(t, id)
		hands := handsOfTotals(p)
		for _, n := range []int{1, 99} {
			for i, old := range append([]game.Result{{Outcome: game.Banker}, {Outcome: game.Tie, PlayerNatural: true, BankerNatural: true, PlayerPair: true}},
				hands[0], hands[len(hands)/3], hands[len(hands)-1]) {
				table := seat(p, n, tracker.Hand{Result: old})
				table.Totals = true
				for _, free := range []bool{false, true} {
					table.State.Free = free
					for _, m := range []state{entry, fixing, askReplace, askShoe} {
						unlike(t, table, hands, func(r game.Result) Console {
							c := Console{pending: pending{mode: m, hand: r, seen: shoeHand{dealt: r}}}
							if m == fixing {
								c.fix, c.keyed, c.fixFree = n, true, free
							}
							return c
						}, id, n, i, m)
					}
				}
			}
		}
	}
}

// unlike fails unless each of the hands has a first line of its own that fits.
func unlike(t *testing.T, table *Context, hands []game.Result, at func(game.Result) Console, what ...any) {
	t.Helper()
	seen := map[string]game.Result{}
	for _, r := range hands {
		c := at(r)
		lines := c.lines(table)
		fits(t, "totals", lines)
		if other, twice := seen[lines[0]]; twice {
			t.Errorf("%v: %q is both %+v and %+v", what, lines[0], other, r)
			return
		}
		seen[lines[0]] = r
	}
}
