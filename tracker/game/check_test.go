package game

import (
	"slices"
	"testing"
)

// keyed is a result as result keys make it: an outcome, perhaps flags, and bets.
func keyed(p *Pack, o Outcome, flags string, bets ...string) Result {
	r := Result{Outcome: o}
	for _, flag := range flags {
		switch flag {
		case 'P':
			r.PlayerNatural = true
		case 'B':
			r.BankerNatural = true
		case 'p':
			r.PlayerPair = true
		case 'b':
			r.BankerPair = true
		}
	}
	for _, id := range bets {
		_, i, _ := p.Bet(id)
		r.Bets = r.Bets.With(i)
	}
	return r
}

func TestWhatIsKeyedIsPossibleOrRefusedWithTheReason(t *testing.T) {
	ez, dai := builtIn(t, "ez-baccarat-panda-8"), builtIn(t, "dai-bacc")
	totals := func(r Result, pt, pc, bt, bc uint8) Result {
		r.Known, r.PlayerTotal, r.PlayerCards, r.BankerTotal, r.BankerCards = true, pt, pc, bt, bc
		return r
	}
	for _, c := range []struct {
		pack *Pack
		r    Result
		want string
	}{
		{ez, keyed(ez, Player, ""), ""},
		{ez, keyed(ez, Banker, "B"), ""},
		{ez, keyed(ez, Banker, "PB"), ""},
		{ez, keyed(ez, Player, "PB"), ""},
		{ez, keyed(ez, Player, "Ppb"), ""},
		{ez, keyed(ez, Banker, "", "dragon-7"), ""},
		{ez, keyed(ez, Player, "", "panda-8"), ""},
		{ez, keyed(ez, Player, "pb", "panda-8"), ""},
		{ez, keyed(ez, Tie, "", "tie"), ""},
		{ez, keyed(ez, Tie, "PB", "tie"), ""},
		{ez, keyed(ez, Tie, ""), "a tie and no Tie cannot be in one hand"},
		{ez, keyed(ez, Tie, "P", "tie"), "a tie, a Player natural and no Banker natural cannot be in one hand"},
		{ez, keyed(ez, Banker, "", "tie"), "a Banker win and Tie cannot be in one hand"},
		{ez, keyed(ez, Player, "B"), "a Player win, a Banker natural and no Player natural cannot be in one hand"},
		{ez, keyed(ez, Player, "", "dragon-7"), "a Player win and Dragon 7 cannot be in one hand"},
		{ez, keyed(ez, Banker, "B", "dragon-7"), "a Banker natural and Dragon 7 cannot be in one hand"},
		{ez, keyed(ez, Player, "P", "panda-8"), "a Player natural and Panda 8 cannot be in one hand"},
		{ez, keyed(ez, NoOutcome, ""), "the hand has no outcome"},
		{ez, Result{Outcome: Player, Bets: 1 << 3}, "a bet is won that EZ Baccarat Panda 8 does not have"},
		{ez, Result{Outcome: Player, PlayerTotal: 7}, "totals are given and said to be unknown"},
		{ez, totals(keyed(ez, Banker, ""), 6, 2, 7, 2), ""},
		{ez, totals(keyed(ez, Banker, ""), 6, 2, 7, 3), "Player 6 on 2 cards with Banker 7 on 3 and no Dragon 7 cannot be in one hand"},
		{ez, totals(keyed(ez, Player, ""), 6, 2, 7, 2), "a Player win and Player 6 on 2 cards with Banker 7 on 2 cannot be in one hand"},
		{ez, totals(keyed(ez, Banker, ""), 5, 2, 7, 2), "Player 5 on 2 cards with Banker 7 on 2 cannot be"},
		{ez, totals(keyed(ez, Banker, "p"), 7, 2, 9, 2), "Player 7 on 2 cards with Banker 9 on 2 and a Player pair cannot be in one hand"},
		{ez, totals(keyed(ez, Banker, ""), 7, 2, 9, 2), "Player 7 on 2 cards with Banker 9 on 2 and no Banker natural cannot be in one hand"},
		{ez, totals(keyed(ez, Banker, "Bp"), 7, 2, 9, 2), "Player 7 on 2 cards with Banker 9 on 2 and a Player pair cannot be in one hand"},

		{dai, keyed(dai, Tie, ""), ""},
		{dai, keyed(dai, Tie, "", "kill"), ""},
		{dai, keyed(dai, Banker, "", "kill"), ""},
		{dai, keyed(dai, Player, "", "kill"), ""},
		{dai, keyed(dai, Banker, "", "kill", "tiger-7"), ""},
		{dai, keyed(dai, Player, "", "ox-6"), ""},
		{dai, keyed(dai, Player, "", "kill", "ox-6"), "Kill the Ox/Tiger and Ox 6 cannot be in one hand"},
		{dai, keyed(dai, Player, "", "ox-6", "tiger-7"), "a Player win and Tiger 7 cannot be in one hand"},
		{dai, keyed(dai, Banker, "B", "kill"), "a Banker natural and Kill the Ox/Tiger cannot be in one hand"},
		{dai, keyed(dai, Tie, "PB", "kill"), "a Player natural and Kill the Ox/Tiger cannot be in one hand"},
	} {
		got := ""
		if err := c.pack.Check(c.r); err != nil {
			got = err.Error()
		}
		if got != c.want || c.pack.Possible(c.r) != (c.want == "") {
			t.Errorf("%s %v bets %v\n got %q\nwant %q", c.pack.ID, c.r, ids(c.pack, c.r.Bets), got, c.want)
		}
	}
}

func TestCompleteAddsWhatFollows(t *testing.T) {
	ez, dai := builtIn(t, "ez-baccarat-panda-8"), builtIn(t, "dai-bacc")
	for _, c := range []struct {
		pack    *Pack
		r, want Result
	}{
		{ez, keyed(ez, Tie, ""), keyed(ez, Tie, "", "tie")},
		{ez, keyed(ez, Tie, "PB"), keyed(ez, Tie, "PB", "tie")},
		{ez, keyed(ez, Banker, ""), keyed(ez, Banker, "")},
		{ez, keyed(ez, Banker, "", "dragon-7"), keyed(ez, Banker, "", "dragon-7")},
		{ez, keyed(ez, Player, "", "dragon-7"), keyed(ez, Player, "", "dragon-7")},
		{dai, keyed(dai, Tie, ""), keyed(dai, Tie, "")},
		{dai, keyed(dai, Banker, "", "kill"), keyed(dai, Banker, "", "kill")},
	} {
		if got := c.pack.Complete(c.r); got != c.want {
			t.Errorf("%s: %v completes to %v, want %v", c.pack.ID, c.r, got, c.want)
		}
	}
}

func TestBankersThreeCardSevenPushes(t *testing.T) {
	seven := Hand{PlayerTotal: 6, PlayerCards: 2, BankerTotal: 7, BankerCards: 3}
	for _, id := range []string{"ez-baccarat-panda-8", "dai-bacc"} {
		pushes := builtIn(t, id).Pushes
		if len(pushes) != 1 || pushes[0].Side != Banker || !pushes[0].On || !pushes[0].When.Holds(seven) {
			t.Errorf("%s: %+v", id, pushes)
		}
		two := seven
		if two.BankerCards = 2; pushes[0].When.Holds(two) {
			t.Errorf("%s: a 7 on two cards pushes", id)
		}
	}
}

func TestBetSet(t *testing.T) {
	var s BetSet
	s = s.With(3).With(31).With(0).With(3)
	if got := slices.Collect(s.All()); !slices.Equal(got, []int{0, 3, 31}) {
		t.Errorf("the set has %v", got)
	}
	if s.Has(5) || !s.Has(0) || !s.Has(31) {
		t.Errorf("it is %b", s)
	}
	for i := range s.All() {
		if i != 0 {
			t.Errorf("the going through did not stop: %d", i)
		}
		break
	}
}

func TestQuestionsAboutResultsDoNotAllocate(t *testing.T) {
	p := builtIn(t, "dai-bacc")
	player, banker := cards(t, "A 2 3"), cards(t, "K 7")
	n := testing.AllocsPerRun(100, func() {
		r, _ := p.FromCards(player, banker)
		r, _ = p.FromTotals(int(r.PlayerTotal), int(r.PlayerCards), int(r.BankerTotal), int(r.BankerCards))
		for _, r := range [...]Result{r, r.WithoutTotals()} {
			if p.Check(p.Complete(r)) != nil || !p.Possible(r) {
				t.Error("the hand is not possible")
			}
		}
		p.Bet("tiger-7")
	})
	if n != 0 {
		t.Errorf("%v allocations", n)
	}
}
