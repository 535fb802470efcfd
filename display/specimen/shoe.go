package specimen

import (
	"encoding/json"
	"slices"

	"shoeboard/assets"
	"shoeboard/stats"
	"shoeboard/tracker"
	"shoeboard/tracker/game"
)

// midShoe is a game in mid-shoe.
type midShoe struct {
	pack             *game.Pack
	Shoe, Previous   string
	Naturals         naturals
	PreviousNaturals naturals `json:"previous_naturals"`
	Board            json.RawMessage
}

// naturals are how many of Player's and of Banker's hands are naturals at most, and
// that only every nth hand can be one.
type naturals [3]int

// load loads the rule pack of the game.
func (g *midShoe) load(id string) {
	file, text, _ := assets.Pack(id)
	pack, err := game.Load(file, text)
	must(err)
	g.pack = pack
}

// board makes the Board of a game that is between two hands.
func (g midShoe) board() stats.Board {
	settings := tracker.DefaultSettings()
	now := stats.Fold(g.shoe(g.Shoe, g.Naturals), settings)
	then := stats.Fold(g.shoe(g.Previous, g.PreviousNaturals), settings)
	b := stats.Board{
		Version: stats.BoardVersion, Table: "14", Game: stats.NewGame(g.pack), Phase: "betting",
		ShoeToday: 3, Shoe: now, Previous: &then, ClockTrusted: true,
		Attract: stats.Attract{
			Message: "Sunday tournament, 2 pm\nAsk the floor for a seat",
			Info:    settings.InfoLine, Care: settings.CareLine,
		},
	}
	b.Bar.Kind = stats.BarPlaceBets
	if n := len(now.Marks); n > 0 {
		last := now.Marks[n-1]
		b.Bar.Last, b.Bar.LastNo, b.Bar.Run, b.Bar.RunSide = &last, n, 1, last.Outcome.String()
	}
	must(json.Unmarshal(g.Board, &b))
	return b
}

// shoe makes a shoe from its letters.
func (g midShoe) shoe(letters string, n naturals) tracker.Shoe {
	s := tracker.Shoe{Pack: g.pack, Number: 3}
	for _, letter := range letters {
		if letter != ' ' {
			s.Hands = append(s.Hands, g.hand(letter))
		}
	}
	for i := range s.Hands {
		h := &s.Hands[i]
		switch {
		case i%n[2] != 0 || h.Bets != 0 || h.Lost():
		case h.Outcome == game.Player && n[0] > 0:
			h.PlayerNatural, n[0] = true, n[0]-1
		case h.Outcome == game.Banker && n[1] > 0:
			h.BankerNatural, n[1] = true, n[1]-1
		}
	}
	return s
}

// hand makes the hand that a letter stands for.
func (g midShoe) hand(letter rune) tracker.Hand {
	kind := map[rune]struct {
		outcome game.Outcome
		bets    []string
	}{
		'P': {game.Player, nil}, 'B': {game.Banker, nil}, 'T': {game.Tie, nil},
		'p': {game.Player, []string{"panda-8"}}, 'b': {game.Banker, []string{"dragon-7"}},
		'o': {game.Player, []string{"ox-6"}}, 'g': {game.Banker, []string{"tiger-7"}},
		'k': {game.Banker, []string{"kill"}}, 't': {game.Tie, []string{"kill"}},
		'x': {game.Banker, []string{"kill", "tiger-7"}},
	}[letter]
	h := tracker.Hand{Result: game.Result{Outcome: kind.outcome}}
	for i, bet := range g.pack.Bets {
		if slices.Contains(kind.bets, bet.ID) {
			h.Bets = h.Bets.With(i)
		}
	}
	return h
}
