package main

import (
	"encoding/json"
	"strings"
	"time"

	"shoeboard/stats"
	"shoeboard/tracker"
	"shoeboard/tracker/history"
	"shoeboard/tracker/table"
)

// totals are a shoe's figures in its row of the index.
type totals struct {
	Player   int            `json:"player"`
	Banker   int            `json:"banker"`
	Tie      int            `json:"tie"`
	Free     int            `json:"free,omitempty"`
	Bets     map[string]int `json:"bets"`
	Naturals stats.Naturals `json:"naturals"`
	Fixes    int            `json:"fixes,omitempty"`
	Voids    int            `json:"voids,omitempty"`
	Number   int            `json:"number"`
}

// rowOf is an ended shoe's row in the index. Its hands are packed as tokens, as in a
// shoe file.
func rowOf(number string, s tracker.Shoe) history.Row {
	f := stats.Fold(s, tracker.Settings{})
	t := totals{Player: f.Player.N, Banker: f.Banker.N, Tie: f.Tie.N, Free: f.Free, Bets: map[string]int{},
		Naturals: f.Naturals, Fixes: s.Fixes, Voids: s.Voids, Number: s.Number}
	words := make([]string, len(s.Hands))
	for i, h := range s.Hands {
		words[i] = tracker.FormatToken(s.Pack, h)
		if h.Free {
			words[i] += "+free"
		}
	}
	row := history.Row{Shoe: s.Started.Seq, Day: s.Day, Table: number, First: s.Started.Seq, Last: table.LastOf(s),
		Started: s.Started.Wall * int64(time.Millisecond), Trusted: s.Started.Trusted, Hands: len(s.Hands),
		Packed: []byte(strings.Join(words, " "))}
	if s.Pack != nil {
		row.Game = s.Pack.ID
		for i, b := range s.Pack.Bets {
			t.Bets[b.ID] = f.Bets[i].N
		}
	}
	if n := len(s.Hands); n > 0 {
		row.Ended = s.Hands[n-1].At.Wall * int64(time.Millisecond)
	}
	row.Totals, _ = json.Marshal(t) // of plain fields: cannot fail
	return row
}
