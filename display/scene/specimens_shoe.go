package scene

import (
	"shoeboard/assets"
	"shoeboard/stats"
	"shoeboard/tracker"
	"shoeboard/tracker/game"
)

// The shoes of the specimens, a letter a hand, a column of the bead plate a word:
// P, B, T; p a Panda 8, b a Dragon 7; in Dai Bacc o an Ox 6, g a Tiger 7, k a
// Kill that Banker won, t a tied Kill, x Tiger 7 with Kill; ? a hand that is lost.
const (
	seventy = "BPPPBB BPBBPT TBpbBB TPPPPP PBTBBP PpPBBB BbBBPT PPBPPP BBBBBP TbPPBP BPBPBP PPBP"
	before  = "PBpBBB BPPPBP PTPBpP PBTBPT PBPBBB pBBPBP PBBPBP PPBTBB PPpPPP PbBPPP BPPPBP PPBPBB TTBPBB T"
	daiBacc = "PPBBPT oBPPkP BgBPBB tPBoPP BBPBPT PPxBPB BPoBPB TPPBBP kBPP"
)

// someNaturals marks every nth hand that can have had a natural, up to a number
// for each side.
type someNaturals struct{ player, banker, every int }

// shoeOf makes a shoe from its letters.
func shoeOf(p *game.Pack, letters string, n someNaturals) tracker.Shoe {
	s := tracker.Shoe{Pack: p, Number: 3}
	for _, r := range letters {
		if h, ok := handOf(p, r); ok {
			s.Hands = append(s.Hands, h)
		}
	}
	for i := range s.Hands {
		h := &s.Hands[i]
		switch {
		case i%n.every != 0 || h.Bets != 0 || h.Lost():
		case h.Outcome == game.Player && n.player > 0:
			h.PlayerNatural, n.player = true, n.player-1
		case h.Outcome == game.Banker && n.banker > 0:
			h.BankerNatural, n.banker = true, n.banker-1
		}
	}
	return s
}

// handOf makes the hand that a letter stands for; a space is none.
func handOf(p *game.Pack, letter rune) (tracker.Hand, bool) {
	kinds := map[rune]struct {
		outcome game.Outcome
		bets    []string
	}{
		'?': {}, 'P': {game.Player, nil}, 'B': {game.Banker, nil}, 'T': {game.Tie, nil},
		'p': {game.Player, []string{"panda-8"}}, 'b': {game.Banker, []string{"dragon-7"}},
		'o': {game.Player, []string{"ox-6"}}, 'g': {game.Banker, []string{"tiger-7"}},
		'k': {game.Banker, []string{"kill"}}, 't': {game.Tie, []string{"kill"}}, 'x': {game.Banker, []string{"kill", "tiger-7"}},
	}
	k, ok := kinds[letter]
	if !ok {
		return tracker.Hand{}, false
	}
	h := tracker.Hand{Result: game.Result{Outcome: k.outcome}}
	for i, bet := range p.Bets {
		for _, id := range k.bets {
			if bet.ID == id {
				h.Bets = h.Bets.With(i)
			}
		}
	}
	return h, true
}

// packOf loads a pack that the program carries.
func packOf(id string) *game.Pack {
	file, data, _ := assets.Pack(id)
	p, err := game.Load(file, data)
	if err != nil {
		panic("a rule pack that was built in is not good: " + err.Error()) // cannot happen in a program that was tested
	}
	return p
}

// panda8 is the board of the reference pictures: table 14 after hand 70, or with
// more hands keyed.
func panda8(more string) stats.Board {
	p := packOf("ez-baccarat-panda-8")
	b := board(p, shoeOf(p, seventy+more, someNaturals{10, 11, 2}), shoeOf(p, before, someNaturals{22, 15, 1}))
	b.Limits = []tracker.Limit{
		{Bets: []string{"player", "banker"}, Min: 1000, Max: 100000},
		{Bets: []string{"tie"}, Min: 100, Max: 10000},
		{Bets: []string{"dragon-7"}, Min: 100, Max: 5000},
		{Bets: []string{"panda-8"}, Min: 100, Max: 5000},
	}
	b.Collection = append(fees(), tracker.Rate{Bets: []string{"dragon-7", "panda-8"}, Fee: 100}, tracker.Rate{PlayerDealer: true, Fee: 500})
	return b
}

// fees are the rates for the base bets.
func fees() []tracker.Rate {
	return []tracker.Rate{{From: 1000, To: 10000, Fee: 100}, {From: 10100, To: 50000, Fee: 200}, {From: 50100, To: 100000, Fee: 400}}
}

// dai is a board of the other game.
func dai(more string) stats.Board {
	p := packOf("dai-bacc")
	b := board(p, shoeOf(p, daiBacc+more, someNaturals{8, 9, 2}), shoeOf(p, daiBacc+" BPPBPBBPPPBBTPBPBBB", someNaturals{12, 14, 1}))
	b.Limits = []tracker.Limit{
		{Bets: []string{"player", "banker"}, Min: 1000, Max: 50000},
		{Bets: []string{"ox-6"}, Min: 100, Max: 5000},
		{Bets: []string{"tiger-7"}, Min: 100, Max: 5000},
		{Bets: []string{"kill"}, Min: 100, Max: 5000},
	}
	b.Collection = append(fees(), tracker.Rate{PlayerDealer: true, Fee: 500})
	return b
}

func board(p *game.Pack, shoe, previous tracker.Shoe) stats.Board {
	settings := tracker.DefaultSettings()
	now, then := stats.Fold(shoe, settings), stats.Fold(previous, settings)
	b := stats.Board{
		Version: stats.BoardVersion, Table: "14", Game: stats.NewGame(p), Phase: "betting",
		ShoeToday: 3, Shoe: now, Previous: &then, ClockTrusted: true,
		Attract: stats.Attract{Message: "Sunday tournament, 2 pm\nAsk the floor for a seat", Info: settings.InfoLine, Care: settings.CareLine},
	}
	b.Bar.Kind = stats.BarPlaceBets
	if n := len(now.Marks); n > 0 {
		b.Bar.Last, b.Bar.LastNo, b.Bar.Run = &now.Marks[n-1], n, 1
		b.Bar.RunSide = now.Marks[n-1].Outcome.String()
	}
	return b
}
