package scene

import (
	"image/color"
	"unicode/utf8"

	"shoeboard/stats"
	"shoeboard/tracker/game"
)

// betWord is a bet as it is named on the board.
type betWord struct {
	name  phrase
	short string
	color color.NRGBA
}

// brief returns the name for a place where room is short: a long one gives way to the
// short name of the pack.
func (w betWord) brief() phrase {
	const long = 14
	if utf8.RuneCountInString(w.name.first) > long && w.short != "" {
		return phrase{w.short, w.name.second}
	}
	return w.name
}

// whole returns the name in the board's first language.
func (w betWord) whole() string { return w.name.first }

// code returns the shortest name.
func (w betWord) code() string { return w.short }

// readable is from how many letters on a short name is a word and no code.
const readable = 4

// bet names a bet of the pack, or "player" and "banker", by id.
func (d *drawing) bet(id string) betWord {
	switch id {
	case "player":
		return betWord{d.words.say("player"), d.words.first.get("player_short"), d.theme.Player}
	case "banker":
		return betWord{d.words.say("banker"), d.words.first.get("banker_short"), d.theme.Banker}
	case "tie":
		return betWord{d.words.say("tie"), d.words.first.get("tie_short"), d.theme.Tie}
	}
	for i := range d.b.Game.Bets {
		if bet := &d.b.Game.Bets[i]; bet.ID == id {
			w := betWord{d.words.label(bet.Labels), bet.Short, d.theme.bet(bet.Mark)}
			if n := len(w.short); n >= readable && utf8.RuneCountInString(w.name.first) <= n {
				w.short = w.name.first // an English word, where the board's own is no longer
			}
			return w
		}
	}
	return betWord{phrase{first: id}, id, d.theme.Text}
}

// side names an outcome.
func (d *drawing) side(o game.Outcome) betWord { return d.bet(o.String()) }

// bonuses returns the bets of a hand beside the tie, in the order of the pack.
func (d *drawing) bonuses(m *stats.Mark) []*stats.Bet {
	var out []*stats.Bet
	for i := range d.b.Game.Bets {
		if bet := &d.b.Game.Bets[i]; m.Bets.Has(i) && bet.ID != "tie" {
			out = append(out, bet)
		}
	}
	return out
}

// coresOf returns the cores of a hand's mark: that of the first bonus that has one, and
// of a further one.
func (d *drawing) coresOf(m *stats.Mark) (cores []color.NRGBA) {
	for _, bet := range d.bonuses(m) {
		if core, ok := d.theme.core(bet.Mark); ok {
			cores = append(cores, core)
		}
	}
	return cores
}
