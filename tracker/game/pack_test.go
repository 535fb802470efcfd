package game

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"shoeboard/tracker/card"
)

// builtIn loads a rule pack that the program carries with it.
func builtIn(t testing.TB, id string) *Pack {
	t.Helper()
	file := "../../assets/packs/" + id + ".toml"
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	p, err := Load(file, data)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// cards reads "K 2 5S" or "K,2,5S".
func cards(t testing.TB, text string) []card.Card {
	t.Helper()
	var out []card.Card
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == ',' }) {
		c, err := card.Parse(word)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, c)
	}
	return out
}

// ids are the bets of a set.
func ids(p *Pack, s BetSet) []string {
	out := []string{}
	for i := range s.All() {
		out = append(out, p.Bets[i].ID)
	}
	return out
}

func TestBuiltInPacksAreWhatTheApprovalsSay(t *testing.T) {
	ez, dai := builtIn(t, "ez-baccarat-panda-8"), builtIn(t, "dai-bacc")
	if ez.ID != "ez-baccarat-panda-8" || ez.Approval != "GEGR-001174" || ez.Decks != (Decks{3, 8, 8}) || !slices.Equal(ez.Seats, []int{7, 13}) {
		t.Errorf("EZ Baccarat Panda 8 is %+v", ez)
	}
	if dai.ID != "dai-bacc" || dai.Approval != "GEGR-002117" || dai.Decks != (Decks{4, 8, 8}) || !slices.Equal(dai.Seats, []int{8}) {
		t.Errorf("Dai Bacc is %+v", dai)
	}
	if want := []string{"player", "banker", "kill", "ox-6", "tiger-7"}; !slices.Equal(dai.Settlement, want) {
		t.Errorf("Dai Bacc settles %v, want %v", dai.Settlement, want)
	}
	for _, c := range []struct {
		pack              *Pack
		id, short, pays   string
		backLine, prereqs bool
		implied           Outcome
		mark              Mark
	}{
		{ez, "tie", "TIE", "8 to 1", false, false, Tie, ""},
		{ez, "dragon-7", "D7", "40 to 1", true, true, Banker, "gold"},
		{ez, "panda-8", "P8", "25 to 1", true, true, Player, "white"},
		{dai, "kill", "KILL", "30 to 1", true, false, NoOutcome, "kill"},
		{dai, "ox-6", "O6", "40 to 1", true, false, Player, "white"},
		{dai, "tiger-7", "T7", "40 to 1", true, false, Banker, "gold"},
	} {
		b, i, ok := c.pack.Bet(c.id)
		if !ok || b.Short != c.short || b.Lines[0].Pays.String() != c.pays || b.BackLine != c.backLine ||
			(len(b.Needs) > 0) != c.prereqs || b.Mark != c.mark || c.pack.Implied(i) != c.implied {
			t.Errorf("%s is %+v, implies %v", c.id, b, c.pack.Implied(i))
		}
	}
	if _, _, ok := dai.Bet("tie"); ok {
		t.Error("Dai Bacc has a tie bet; ties are only counted there")
	}
}

func TestAPackKeepsItsSourceAndDigest(t *testing.T) {
	p := builtIn(t, "dai-bacc")
	again, err := Load("again", p.Source)
	if err != nil || again.Digest != p.Digest || len(p.Digest) != 64 || again.Drawing != p.Drawing {
		t.Errorf("the source loads as %v with digest %s, was %s", err, again.Digest, p.Digest)
	}
}

// handVector is one deal of the hand vectors.
type handVector struct {
	Player, Banker, Result, Note string
	PlayerTotal                  uint8 `json:"player_total"`
	BankerTotal                  uint8 `json:"banker_total"`
	Flags                        []string
}

func handVectors(t *testing.T) (table map[string]string, hands []handVector) {
	t.Helper()
	data, err := os.ReadFile("testdata/hand_vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Table map[string]string `json:"banker_table(player third card 0..9)"`
		Hands []handVector
	}
	if err := json.Unmarshal(data, &file); err != nil || len(file.Hands) < 20 {
		t.Fatalf("%d hands, %v", len(file.Hands), err)
	}
	return file.Table, file.Hands
}

func TestDrawingTableIsTheChart(t *testing.T) {
	table, _ := handVectors(t)
	for _, id := range []string{"ez-baccarat-panda-8", "dai-bacc"} {
		d := &builtIn(t, id).Drawing
		for banker, row := range d.BankerAfterDraw {
			want := table[string(rune('0'+banker))]
			for third, rule := range row {
				if rule != Rule(want[third]) {
					t.Errorf("%s: Banker on %d after %d does %c, the chart says %c", id, banker, third, rule, want[third])
				}
			}
		}
		for total := range 10 {
			want := Stand
			if total <= 5 {
				want = Draw
			}
			if d.Player[total] != want || d.BankerAfterStand[total] != want {
				t.Errorf("%s: on %d Player does %c, Banker after a stand %c; want %c", id, total, d.Player[total], d.BankerAfterStand[total], want)
			}
		}
	}
}

func TestHandVectorsFromCards(t *testing.T) {
	_, hands := handVectors(t)
	flagOf := map[string]string{"kill": "kill_ox_tiger", "ox-6": "ox6", "dragon-7": "dragon7", "tiger-7": "dragon7", "panda-8": "panda8"}
	for _, id := range []string{"ez-baccarat-panda-8", "dai-bacc"} {
		p := builtIn(t, id)
		for _, v := range hands {
			r, err := p.FromCards(cards(t, v.Player), cards(t, v.Banker))
			if err != nil {
				t.Errorf("%s: %s / %s: %v", id, v.Player, v.Banker, err)
				continue
			}
			has := func(prefix string) bool {
				return slices.ContainsFunc(v.Flags, func(f string) bool { return strings.HasPrefix(f, prefix) })
			}
			want := Result{
				Outcome:       map[string]Outcome{"P": Player, "B": Banker, "T": Tie}[v.Result],
				PlayerNatural: has("player_natural"), BankerNatural: has("banker_natural"),
				PlayerPair: has("player_pair"), BankerPair: has("banker_pair"),
				Known: true, PlayerTotal: v.PlayerTotal, BankerTotal: v.BankerTotal,
				PlayerCards: uint8(len(cards(t, v.Player))), BankerCards: uint8(len(cards(t, v.Banker))),
			}
			for i, b := range p.Bets {
				if b.ID == "tie" && v.Result == "T" || b.ID != "tie" && has(flagOf[b.ID]) {
					want.Bets = want.Bets.With(i)
				}
			}
			if r != want {
				t.Errorf("%s: %s / %s (%s)\n got %+v\nwant %+v", id, v.Player, v.Banker, v.Note, r, want)
			}
		}
	}
}

func TestCardsDrawnWronglyAreNamed(t *testing.T) {
	p := builtIn(t, "dai-bacc")
	for _, c := range []struct{ player, banker, want string }{
		{"2 3", "K 2 5", "Player has 5 on two cards and must draw a third"},
		{"K 6 2", "K 7", "Player has 6 on two cards and drew 2 but must stand"},
		{"K 8", "K 3 5S", "Banker has 3 on two cards and drew 5S but must stand because of the natural"},
		{"2 3 K", "K 9", "Player has 5 on two cards and drew K but must stand because of the natural"},
		{"K 6", "K 5", "Banker has 5 on two cards and must draw a third when Player stands"},
		{"K 6", "K 6 2", "Banker has 6 on two cards and drew 2 but must stand when Player stands"},
		{"K K 8", "K 3 5", "Banker has 3 on two cards and drew 5 but must stand when Player's third card is 8"},
		{"K K Q", "K 3", "Banker has 3 on two cards and must draw a third when Player's third card is Q"},
		{"K", "K 3", "Player has 1 cards; a hand has two or three"},
		{"K 7", "K 3 2 2", "Banker has 4 cards; a hand has two or three"},
	} {
		if _, err := p.FromCards(cards(t, c.player), cards(t, c.banker)); err == nil || err.Error() != c.want {
			t.Errorf("%s / %s: %v, want %s", c.player, c.banker, err, c.want)
		}
	}
	if _, err := p.FromCards([]card.Card{{Rank: 7}, {}}, cards(t, "K 7")); err == nil || err.Error() != "card 2 of Player is not a card" {
		t.Errorf("no card: %v", err)
	}
}

func TestTwoHundredAndFiveCombinationsOfTotals(t *testing.T) {
	p := builtIn(t, "ez-baccarat-panda-8")
	count := map[[2]int]int{}
	for pt := range 10 {
		for pc := 2; pc <= 3; pc++ {
			for bt := range 10 {
				for bc := 2; bc <= 3; bc++ {
					r, err := p.FromTotals(pt, pc, bt, bc)
					if err != nil {
						continue
					}
					count[[2]int{pc, bc}]++
					if e := p.Check(r); e != nil {
						t.Errorf("%+v comes from totals, and then: %v", r, e)
					}
				}
			}
		}
	}
	want := map[[2]int]int{{2, 2}: 40, {2, 3}: 20, {3, 2}: 45, {3, 3}: 100}
	for k, n := range want {
		if count[k] != n {
			t.Errorf("Player %d cards, Banker %d: %d combinations, want %d", k[0], k[1], count[k], n)
		}
	}
	for _, c := range [][4]int{{5, 2, 9, 3}, {6, 2, 3, 2}, {8, 2, 7, 3}, {-1, 2, 3, 2}, {10, 3, 3, 3}, {3, 1, 3, 2}, {3, 3, 3, 4}} {
		if r, err := p.FromTotals(c[0], c[1], c[2], c[3]); err == nil {
			t.Errorf("%v gives %+v, want an error", c, r)
		}
	}
}

func TestTotalsSettleBets(t *testing.T) {
	dai := builtIn(t, "dai-bacc")
	for _, c := range []struct {
		totals [4]int
		want   []string
	}{
		{[4]int{6, 3, 7, 3}, []string{"kill", "tiger-7"}},
		{[4]int{6, 3, 6, 3}, []string{"kill"}},
		{[4]int{7, 3, 7, 3}, []string{"kill"}},
		{[4]int{7, 3, 7, 2}, []string{}},
		{[4]int{6, 3, 5, 3}, []string{"ox-6"}},
		{[4]int{9, 3, 7, 3}, []string{"kill"}},
		{[4]int{5, 3, 7, 3}, []string{"tiger-7"}},
		{[4]int{6, 2, 7, 2}, []string{}},
	} {
		r, err := dai.FromTotals(c.totals[0], c.totals[1], c.totals[2], c.totals[3])
		if err != nil || !slices.Equal(ids(dai, r.Bets), c.want) {
			t.Errorf("%v wins %v, %v; want %v", c.totals, ids(dai, r.Bets), err, c.want)
		}
	}
}

// deal draws a hand by the chart of the documents, written out a second time,
// from cards in the order P1 B1 P2 B2 and the third cards.
func deal(next func() card.Card) (player, banker []card.Card) {
	p1, b1, p2, b2 := next(), next(), next(), next()
	player, banker = []card.Card{p1, p2}, []card.Card{b1, b2}
	p, b := (p1.Points()+p2.Points())%10, (b1.Points()+b2.Points())%10
	if p >= 8 || b >= 8 {
		return player, banker
	}
	if p >= 6 {
		if b <= 5 {
			banker = append(banker, next())
		}
		return player, banker
	}
	third := next()
	player = append(player, third)
	x := third.Points()
	if b <= 2 || b == 3 && x != 8 || b == 4 && x >= 2 && x <= 7 || b == 5 && x >= 4 && x <= 7 || b == 6 && (x == 6 || x == 7) {
		banker = append(banker, next())
	}
	return player, banker
}

func TestEveryDealIsAcceptedAndPossible(t *testing.T) {
	packs := []*Pack{builtIn(t, "ez-baccarat-panda-8"), builtIn(t, "dai-bacc")}
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.SampledFrom(packs).Draw(t, "pack")
		player, banker := deal(func() card.Card {
			return card.Card{Rank: card.Rank(rapid.IntRange(1, 13).Draw(t, "rank")), Suit: card.Suit(rapid.IntRange(0, 4).Draw(t, "suit"))}
		})
		r, err := p.FromCards(player, banker)
		if err != nil {
			t.Fatalf("%v / %v: %v", player, banker, err)
		}
		for _, r := range []Result{r, r.WithoutTotals()} {
			if err := p.Check(r); err != nil || !p.Possible(r) {
				t.Errorf("%v / %v: %+v: %v", player, banker, r, err)
			}
			if c := p.Complete(r); c != r {
				t.Errorf("%v / %v: completing %+v gives %+v", player, banker, r, c)
			}
		}
		totals, err := p.FromTotals(int(r.PlayerTotal), int(r.PlayerCards), int(r.BankerTotal), int(r.BankerCards))
		totals.PlayerPair, totals.BankerPair = r.PlayerPair, r.BankerPair
		if err != nil || totals != r {
			t.Errorf("%v / %v: from totals %+v, %v; from cards %+v", player, banker, totals, err, r)
		}
		if len(player) == 2 {
			if _, err := p.FromCards(append(player, card.Card{Rank: 5}), banker); err == nil {
				t.Errorf("%v / %v: Player may draw a 5 as well", player, banker)
			}
		} else if _, err := p.FromCards(player[:2], banker); err == nil {
			t.Errorf("%v / %v: Player need not draw", player, banker)
		}
	})
}

func TestDealFollowsTheChart(t *testing.T) {
	d := &builtIn(t, "ez-baccarat-panda-8").Drawing
	rapid.Check(t, func(t *rapid.T) {
		var shoe [6]card.Card
		for i := range shoe {
			shoe[i].Rank = card.Rank(rapid.IntRange(1, 13).Draw(t, "rank"))
		}
		from := func() func() card.Card {
			i := 0
			return func() card.Card { i++; return shoe[i-1] }
		}
		player, banker := d.Deal(from())
		wantPlayer, wantBanker := deal(from())
		if !slices.Equal(player, wantPlayer) || !slices.Equal(banker, wantBanker) {
			t.Errorf("%v is dealt as %v / %v, want %v / %v", shoe, player, banker, wantPlayer, wantBanker)
		}
	})
}
