package odds

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"shoeboard/tracker/card"
	"shoeboard/tracker/game"
)

func load(t testing.TB, file string, old ...string) *game.Pack {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	p, err := game.Load(file, []byte(strings.NewReplacer(old...).Replace(string(data))))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

const (
	ezFile        = "../../assets/packs/ez-baccarat-panda-8.toml"
	daiFile       = "../../assets/packs/dai-bacc.toml"
	catalogueFile = "testdata/catalogue.toml"
)

// exact is the exact counts of one number of decks.
type exact struct {
	Decks        int
	Total        uint64             `json:"total_ordered_6card_draws"`
	Combinations map[string]uint64  `json:"combinations"`
	Gain         map[string]float64 `json:"expected_value_per_unit"`
	Hands        map[string]uint64  `json:"-"` // by totals and cards: "P0x3_B7x2"
}

// handsKey is the name of Hands in the file; its comma keeps it out of a tag.
const handsKey = "final_hands_combinations(P total x cards, B total x cards)"

func exacts(t testing.TB) map[string]exact {
	t.Helper()
	data, err := os.ReadFile("testdata/odds_exact_6_8_decks.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		ByDecks map[string]json.RawMessage `json:"by_decks"`
	}
	if err := json.Unmarshal(data, &file); err != nil || len(file.ByDecks) != 2 {
		t.Fatalf("%d numbers of decks, %v", len(file.ByDecks), err)
	}
	out := map[string]exact{}
	for decks, raw := range file.ByDecks {
		var e exact
		var rest map[string]json.RawMessage
		if err := errors.Join(json.Unmarshal(raw, &e), json.Unmarshal(raw, &rest), json.Unmarshal(rest[handsKey], &e.Hands)); err != nil {
			t.Fatal(err)
		}
		out[decks] = e
	}
	return out
}

// hold parses a condition of the test.
func hold(t testing.TB, text string) func(game.Hand) bool {
	t.Helper()
	c, err := game.ParseCondition(text)
	if err != nil {
		t.Fatal(err)
	}
	return c.Holds
}

// questions are the names of the exact counts, as conditions.
func questions() map[string]string {
	q := map[string]string{
		"banker_win": "banker.wins", "player_win": "player.wins", "tie": "tie",
		"player_natural_dealt": "player.natural", "banker_natural_dealt": "banker.natural",
		"both_natural_dealt": "player.natural and banker.natural", "either_natural_dealt": "player.natural or banker.natural",
		"player_natural8_dealt": "player.natural and player.total == 8", "player_natural9_dealt": "player.natural and player.total == 9",
		"banker_natural8_dealt": "banker.natural and banker.total == 8", "banker_natural9_dealt": "banker.natural and banker.total == 9",
		"player_natural_win": "player.wins and player.natural", "banker_natural_win": "banker.wins and banker.natural",
		"natural_win_either_side": "player.wins and player.natural or banker.wins and banker.natural", "natural_tie": "tie and player.natural",
		"dragon7": "banker.wins and banker.cards == 3 and banker.total == 7", "tiger7": "banker.wins and banker.cards == 3 and banker.total == 7",
		"panda8":                               "player.wins and player.cards == 3 and player.total == 8",
		"ox6":                                  "player.wins and player.cards == 3 and player.total == 6",
		"kill_ox_part(P 3-card 6 not winning)": "not player.wins and player.cards == 3 and player.total == 6",
		"kill_tiger_part(B 3-card 7 not winning)": "not banker.wins and banker.cards == 3 and banker.total == 7",
		"kill_ox_part_loses":                      "banker.wins and player.cards == 3 and player.total == 6",
		"kill_ox_part_ties":                       "tie and player.cards == 3 and player.total == 6",
		"kill_tiger_part_loses":                   "player.wins and banker.cards == 3 and banker.total == 7",
		"kill_tiger_part_ties":                    "tie and banker.cards == 3 and banker.total == 7",
		"kill_both_parts_at_once":                 "player.cards == 3 and player.total == 6 and not player.wins and banker.cards == 3 and banker.total == 7 and not banker.wins",
		"ox3card6_and_tiger7_win_together(B 3-card 7 beats P 3-card 6)": "player.cards == 3 and player.total == 6 and banker.cards == 3 and banker.total == 7",
		"kill_ox_tiger": "player.cards == 3 and player.total == 6 and not player.wins or banker.cards == 3 and banker.total == 7 and not banker.wins",
		"kill_ox_tiger_strict(loser only, ties excluded)": "player.cards == 3 and player.total == 6 and banker.wins or banker.cards == 3 and banker.total == 7 and player.wins",
		"player_3card6_any":           "player.cards == 3 and player.total == 6",
		"banker_3card7_any":           "banker.cards == 3 and banker.total == 7",
		"player_3card8_any":           "player.cards == 3 and player.total == 8",
		"banker_win_excluding_3card7": "banker.wins and not (banker.cards == 3 and banker.total == 7)",
		"super6_banker_wins_with_6":   "banker.wins and banker.total == 6",
		"lucky6_2card(small_tiger)":   "banker.wins and banker.total == 6 and banker.cards == 2",
		"lucky6_3card(big_tiger)":     "banker.wins and banker.total == 6 and banker.cards == 3",
		"tiger_tie(6-6)":              "tie and player.total == 6",
		"lucky7_player_wins_with_7":   "player.wins and player.total == 7",
		"lucky7_player_2card7":        "player.wins and player.total == 7 and player.cards == 2",
		"lucky7_player_3card7":        "player.wins and player.total == 7 and player.cards == 3",
		"cards_4(small)":              "cards == 4", "cards_5": "cards == 5", "cards_6": "cards == 6",
		"cards_5_player_drew": "cards == 5 and player.cards == 3", "cards_5_banker_drew": "cards == 5 and banker.cards == 3",
		"heavenly9_player_3card9": "player.cards == 3 and player.total == 9",
		"heavenly9_banker_3card9": "banker.cards == 3 and banker.total == 9",
		"heavenly9_both":          "player.cards == 3 and player.total == 9 and banker.cards == 3 and banker.total == 9",
		"heavenly9_exactly_one":   "(player.cards == 3 and player.total == 9 or banker.cards == 3 and banker.total == 9) and not (cards == 6 and player.total == 9 and banker.total == 9)",
		"three_card_both":         "player.cards == 3 and banker.cards == 3",
		"player_pair":             "player.pair", "banker_pair": "banker.pair",
		"both_pair": "player.pair and banker.pair", "either_pair": "player.pair or banker.pair",
		"player_perfect_pair(rank+suit)": "player.perfect_pair", "both_perfect_pair": "player.perfect_pair and banker.perfect_pair",
		"either_perfect_pair":      "player.perfect_pair or banker.perfect_pair",
		"exactly_one_perfect_pair": "(player.perfect_pair or banker.perfect_pair) and not (player.perfect_pair and banker.perfect_pair)",
	}
	for n := range 10 {
		q[fmt.Sprintf("tie_on_%d", n)] = fmt.Sprintf("tie and player.total == %d", n)
		for _, side := range []string{"player", "banker"} {
			q[fmt.Sprintf("%s_wins_with_%d", side, n)] = fmt.Sprintf("%s.wins and %s.total == %d", side, side, n)
			q[fmt.Sprintf("%s_win_by_%d", side, n)] = fmt.Sprintf("%s.wins and margin == %d", side, n)
			q[fmt.Sprintf("%s_nonnatural_win_by_%d", side, n)] = fmt.Sprintf("%s.wins and margin == %d and not %s.natural", side, n, side)
		}
	}
	return q
}

func TestCountsAreExact(t *testing.T) {
	p, q := load(t, ezFile), questions()
	for decks, want := range exacts(t) {
		table := Count(&p.Drawing, want.Decks, game.Draw)
		if table.Total != want.Total || table.Count(func(game.Hand) bool { return true }) != want.Total {
			t.Errorf("%s decks: %d draws, want %d", decks, table.Total, want.Total)
		}
		for name, n := range want.Combinations {
			if q[name] == "" {
				t.Errorf("nobody asks for %s", name)
				continue
			}
			if got := table.Count(hold(t, q[name])); got != n {
				t.Errorf("%s decks: %s is %d, want %d", decks, name, got, n)
			}
		}
		kinds := map[string]uint64{}
		for h, n := range table.All() {
			kinds[fmt.Sprintf("P%dx%d_B%dx%d", h.PlayerTotal, h.PlayerCards, h.BankerTotal, h.BankerCards)] += n
		}
		if len(kinds) != 205 || len(want.Hands) != 205 {
			t.Errorf("%s decks: %d kinds of hands, want 205", decks, len(kinds))
		}
		for kind, n := range want.Hands {
			if kinds[kind] != n {
				t.Errorf("%s decks: %s comes %d times, want %d", decks, kind, kinds[kind], n)
			}
		}
	}
}

func TestBuiltInBetsHaveTheirGain(t *testing.T) {
	packs := map[string]*game.Pack{ezFile: load(t, ezFile), daiFile: load(t, daiFile), catalogueFile: load(t, catalogueFile)}
	for _, p := range packs {
		if p.Drawing.BankerAfterDraw != packs[ezFile].Drawing.BankerAfterDraw {
			t.Fatalf("%s draws by another table", p.Name)
		}
	}
	for decks, want := range exacts(t) {
		table := Count(&packs[ezFile].Drawing, want.Decks, game.Draw)
		for _, c := range []struct{ file, id, name string }{
			{ezFile, "tie", "Tie 8:1"}, {ezFile, "dragon-7", "Dragon 7 40:1"}, {ezFile, "panda-8", "Panda 8 25:1"},
			{daiFile, "ox-6", "Ox 6 40:1"}, {daiFile, "tiger-7", "Tiger 7 40:1"},
			{daiFile, "kill", "Kill the Ox/Tiger 30:1 (does-not-beat, ties win)"},
			{catalogueFile, "super-6", "Super 6 12:1"}, {catalogueFile, "lucky-6", "Lucky 6 12/20"},
			{catalogueFile, "dragon-bonus-player", "Dragon Bonus player"}, {catalogueFile, "dragon-bonus-banker", "Dragon Bonus banker"},
			{catalogueFile, "pair-of-player", "Player/Banker pair 11:1"}, {catalogueFile, "either-pair", "Either pair 5:1"},
		} {
			b, _, ok := packs[c.file].Bet(c.id)
			gain, known := want.Gain[c.name]
			if got := table.Bet(&b).Gain; !ok || !known || math.Abs(got-gain) > 1e-12 {
				t.Errorf("%s decks: %s gains %v, want %v", decks, c.id, got, gain)
			}
		}
	}
}

// TestTheCatalogueOfBets holds every bet of the catalogue, written as a pack,
// against its published probability from 8 decks.
func TestTheCatalogueOfBets(t *testing.T) {
	p := load(t, catalogueFile)
	table := Count(&p.Drawing, 8, game.Draw)
	want := map[string][]float64{ // of each line, or of all together
		"tie": {.095156}, "dragon-7": {.022534},
		"panda-8": {.034543}, "ox-6": {.021869},
		"kill": {.027821}, "heavenly-9": {.002062, .068198},
		"blazing-7s": {.002312, .008971}, "cover-all": {.138619},
		"super-6": {.053864}, "lucky-6": {.037247, .016617},
		"small-6": {.037247}, "big-6": {.016617},
		"lucky-7":  {.054347, .027288},
		"tie-on-0": {.0058}, "tie-on-1": {.0041},
		"tie-on-2": {.0040}, "tie-on-3": {.0045},
		"tie-on-4": {.0073}, "tie-on-5": {.0079},
		"tie-on-6": {.0192}, "tie-on-7": {.0203},
		"tie-on-8": {.0110}, "tie-on-9": {.0110},
		"cards-4": {.378868}, "cards-5": {.303444}, "cards-6": {.317687},
		"pair-of-player": {.074699}, "pair-of-banker": {.074699},
		"either-pair": {.143817},
	}
	for i := range p.Bets {
		b := &p.Bets[i]
		w, ok := want[b.ID]
		delete(want, b.ID)
		if !ok {
			continue // its exact counts and gain are in the other tests
		}
		o := table.Bet(b)
		if len(o.Lines) != len(w) {
			t.Errorf("%s: %d lines, want %d", b.ID, len(o.Lines), len(w))
			continue
		}
		for k, share := range w {
			precision := 5e-7
			if share == math.Round(share*1e4)/1e4 {
				precision = 6e-5 // the catalogue cuts some of these
			}
			if got := table.Share(o.Lines[k]); math.Abs(got-share) > precision {
				t.Errorf("%s, line %d: %.6f, want %.6f", b.ID, k+1, got, share)
			}
		}
	}
	for id := range want {
		t.Errorf("the pack lacks %s", id)
	}
}

func TestAPushIsNoWin(t *testing.T) {
	p := load(t, catalogueFile)
	b, _, _ := p.Bet("dragon-bonus-player")
	o := Count(&p.Drawing, 8, game.Draw).Bet(&b)
	if o.Pushes != 89325908267520 || o.Lines[0] != 812685054124032 || o.Lines[2] != 18409431764992 {
		t.Errorf("the dragon bonus pushes %d times, wins %v", o.Pushes, o.Lines)
	}
	sum := o.Pushes
	for i, n := range o.Lines {
		if i != 1 {
			sum += n
		}
	}
	if sum != o.Wins+o.Pushes {
		t.Errorf("wins and pushes are %d, the lines %d", o.Wins+o.Pushes, sum)
	}
}

// TestAnotherDrawingTable counts Baccarat Gold, where Player may choose on 5.
func TestAnotherDrawingTable(t *testing.T) {
	p := load(t, ezFile,
		`"HHHHHHHHSH",            # 3`, `"HHHHHHHHHH",`,
		`"SSHHHHHHSS",            # 4`, `"SSSHHHHHSS",`,
		`"SSSSHHHHSS",            # 5`, `"SSSHHHHHSS",`,
		`"SSSSSSHHSS",            # 6`, `"SSSSSSSSSS",`,
		`player             = "HHHHHHSSSS"`, `player = "HHHHH?SSSS"`)
	table := Count(&p.Drawing, 8, game.Draw)
	if player, tie := table.Count(hold(t, "player.wins")), table.Count(hold(t, "tie")); player != 2232878486302976 || tie != 475307491824640 {
		t.Errorf("Player wins %d draws, %d are ties", player, tie)
	}
	h := hold(t, "player.cards == 2 and player.total == 5")
	if n, m := table.Count(h), Count(&p.Drawing, 8, game.Stand).Count(h); n >= m {
		t.Errorf("Player ends with 5 on two cards %d times when drawing on 5, %d when standing", n, m)
	}
}

// TestKillComesWithEveryOutcome holds the shares that the keying of Kill is made
// for: it needs a result beside it, and does not imply one.
func TestKillComesWithEveryOutcome(t *testing.T) {
	p := load(t, daiFile)
	kill, _, _ := p.Bet("kill")
	tiger, _, _ := p.Bet("tiger-7")
	table := Count(&p.Drawing, 8, game.Draw)
	all := table.Bet(&kill).Wins
	for _, c := range []struct {
		name    string
		percent int
		holds   func(game.Hand) bool
	}{
		{"ties", 46, func(h game.Hand) bool { return h.Outcome() == game.Tie }},
		{"Banker wins", 40, func(h game.Hand) bool { return h.Outcome() == game.Banker }},
		{"Player wins", 15, func(h game.Hand) bool { return h.Outcome() == game.Player }},
		{"Tiger 7 as well", 8, tiger.Wins},
	} {
		n := table.Count(func(h game.Hand) bool { return kill.Wins(h) && c.holds(h) })
		if got := int(math.Round(float64(n) * 100 / float64(all))); got != c.percent {
			t.Errorf("%s: %d %% of Kill hands, want %d %%", c.name, got, c.percent)
		}
	}
}

// TestASmallShoeIsDealtOut deals every draw of a single deck by points, the plain
// way, and compares.
func TestASmallShoeIsDealtOut(t *testing.T) {
	p := load(t, ezFile)
	table := Count(&p.Drawing, 1, game.Draw)
	left := [10]uint64{16, 4, 4, 4, 4, 4, 4, 4, 4, 4}
	want := map[game.Outcome]uint64{}
	var dealt [6]card.Card
	var all func(k int, ways uint64)
	all = func(k int, ways uint64) {
		if k == 6 {
			i := 0
			player, banker := p.Drawing.Deal(func() card.Card { i++; return dealt[i-1] })
			r, err := p.FromCards(player, banker)
			if err != nil {
				t.Fatal(err)
			}
			want[r.Outcome] += ways
			return
		}
		for points := range left {
			if left[points] == 0 {
				continue
			}
			n := left[points]
			left[points]--
			dealt[k] = card.Card{Rank: card.Rank(points)}
			if points == 0 {
				dealt[k].Rank = card.King
			}
			all(k+1, ways*n)
			left[points]++
		}
	}
	all(0, 1)
	for outcome, n := range want {
		if got := table.Count(func(h game.Hand) bool { return h.Outcome() == outcome }); got != n {
			t.Errorf("%v comes %d times, dealt out %d", outcome, got, n)
		}
	}
}

func TestNumbersOfDecksAreKeptInBounds(t *testing.T) {
	p := load(t, ezFile)
	if got := Count(&p.Drawing, 0, game.Draw).Decks; got != 1 {
		t.Errorf("0 decks are counted as %d", got)
	}
	table := Count(&p.Drawing, 99, game.Draw)
	if table.Decks != MaxDecks || table.Count(func(game.Hand) bool { return true }) != table.Total {
		t.Errorf("99 decks are counted as %d", table.Decks)
	}
}

func BenchmarkCount8Decks(b *testing.B) {
	p := load(b, ezFile)
	for b.Loop() {
		Count(&p.Drawing, 8, game.Draw)
	}
}
