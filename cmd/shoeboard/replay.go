package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"shoeboard/cmd/internal/config"
	"shoeboard/display/termview"
	"shoeboard/stats"
	"shoeboard/tracker"
	"shoeboard/tracker/game"
	"shoeboard/tracker/shoefile"
)

type replayVerb struct {
	File string `arg:"" help:"Shoe file; - for standard input."`
	JSON bool   `help:"Print the last shoe as one JSON object."`
	PNG  string `help:"Draw the board into this file." type:"path" placeholder:"OUT"`
	Game string `help:"Game, where the file names none." default:"ez-baccarat-panda-8"`
	Pad  string `help:"Keypad for key lines: numpad-17 or matrix-4x5." default:"numpad-17" enum:"numpad-17,matrix-4x5"`
	pictureFlags
}

// Run plays the file and prints what came of it.
func (v *replayVerb) Run(_ context.Context, p *program) error {
	if err := v.check(); err != nil {
		return err
	}
	if _, err := config.Pack(v.Game); err != nil {
		return usageError{err}
	}
	text, err := readAll(v.File)
	if err != nil {
		return err
	}
	file, err := shoefile.Parse(v.File, string(text))
	if err != nil {
		return err
	}
	settings := tracker.DefaultSettings()
	player, err := shoefile.NewPlayer(shoefile.Setup{
		Pack: config.PackSource, Layout: v.Pad, Settings: settings, Game: v.Game})
	if err != nil {
		return err
	}
	if err := player.Play(v.File, file); err != nil {
		return err
	}
	for i, h := range player.State().Shoe.Hands {
		if h.Irregular != "" {
			fmt.Fprintf(p.err, "hand %d, %s: %s\n", i+1, h.Cards, h.Irregular)
		}
	}
	board := player.Board()
	if v.PNG != "" {
		if err := v.draw(v.PNG, board, "REPLAY"); err != nil {
			return err
		}
	}
	if v.JSON {
		err = json.NewEncoder(p.out).Encode(replayOf(player.State()))
	} else {
		_, err = fmt.Fprint(p.out, termview.Render(board, 100, false, termview.Now{}))
	}
	return errors.Join(append(player.Failures, err)...)
}

func readAll(name string) ([]byte, error) {
	if name == "-" {
		name = "/dev/stdin"
	}
	return os.ReadFile(name)
}

// replay is what replay --json prints: the last shoe of the file.
type replay struct {
	Game        string              `json:"game"`
	Hands       int                 `json:"hands"` // free hands included, voids not
	Counts      map[string]int      `json:"counts"`
	Bets        map[string]int      `json:"bets"`
	Naturals    stats.Naturals      `json:"naturals"`
	LeadingTies int                 `json:"leading_ties"`
	Roads       map[string][][]any  `json:"roads"`
	Ask         map[string]askMarks `json:"ask"`
	HandsList   []replayHand        `json:"hands_list"`
	Shoes       int                 `json:"shoes"` // shoes of the file
}

// askMarks are "R", "B" or null for each derived road.
type askMarks map[string]*string

type replayHand struct {
	Hand          int      `json:"hand"`
	Outcome       string   `json:"outcome"` // "player", "banker", "tie"
	PlayerNatural bool     `json:"player_natural"`
	BankerNatural bool     `json:"banker_natural"`
	Natural       bool     `json:"natural"`
	PlayerPair    bool     `json:"player_pair"`
	BankerPair    bool     `json:"banker_pair"`
	Bets          []string `json:"bets"`
	Free          bool     `json:"free"`
	Fixed         bool     `json:"fixed"`
	Token         string   `json:"token"`
	Irregular     string   `json:"irregular,omitempty"` // what was drawn against the table
	Totals        []int    `json:"totals,omitempty"`    // Player's total and cards, Banker's total and cards
}

func replayOf(s tracker.State) replay {
	shoe := stats.Fold(s.Shoe, s.Settings)
	r := replay{
		Game: s.Shoe.Pack.ID, Hands: shoe.Hands, Shoes: s.Shoe.Number, Naturals: shoe.Naturals,
		Counts:      map[string]int{"player": shoe.Player.N, "banker": shoe.Banker.N, "tie": shoe.Tie.N},
		Bets:        map[string]int{},
		HandsList:   []replayHand{},
		LeadingTies: shoe.Roads.LeadingTies,
		Roads:       roadCells(shoe),
		Ask:         askOf(shoe),
	}
	for i, b := range s.Shoe.Pack.Bets {
		r.Bets[b.ID] = shoe.Bets[i].N
	}
	for i, h := range s.Shoe.Hands {
		r.HandsList = append(r.HandsList, handOf(s.Shoe.Pack, i+1, h))
	}
	return r
}

func handOf(p *game.Pack, n int, h tracker.Hand) replayHand {
	out := replayHand{Hand: n, Outcome: h.Outcome.String(),
		PlayerNatural: h.PlayerNatural, BankerNatural: h.BankerNatural,
		Natural: h.PlayerNatural || h.BankerNatural, PlayerPair: h.PlayerPair, BankerPair: h.BankerPair,
		Bets: []string{}, Free: h.Free, Fixed: h.Fixed, Irregular: h.Irregular, Token: tracker.FormatToken(p, h)}
	for i := range h.Bets.All() {
		out.Bets = append(out.Bets, p.Bets[i].ID)
	}
	if h.Known {
		out.Totals = []int{int(h.PlayerTotal), int(h.PlayerCards), int(h.BankerTotal), int(h.BankerCards)}
	}
	return out
}
