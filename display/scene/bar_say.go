package scene

import (
	"image/color"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"shoeboard/stats"
	"shoeboard/tracker/game"
)

// barSay is what the phase bar says, before it is known how it fits.
type barSay struct {
	phase      phrase
	short      phrase   // the phase with the packs' short names; empty: none
	flag       phrase   // a chip in outline beside the phase: LAST HAND, FREE HAND
	lines      []phrase // second line: what it means; at most two
	totals     *stats.Mark
	pays       []string // gold chips
	chip       bool     // the last hand's number and result
	small      string   // one small line under the phase
	summary    bool     // the shoe's figures
	fill, edge color.NRGBA
	counting   bool
	left       int     // seconds
	share      float32 // of the countdown that is left, 0 to 1
	qr         bool
}

// say decides what the bar says.
func (d *drawing) say() barSay {
	bar, t := &d.b.Bar, &d.theme.Bar
	s := barSay{fill: t.Closed, edge: t.Edge, chip: true}
	if d.b.LastHand {
		s.flag = d.words.say("last_hand")
	}
	switch bar.Kind {
	case stats.BarPlaceBets:
		s.phase, s.fill = d.words.say("place_bets"), t.Betting
		d.count(&s)
	case stats.BarNoMoreBets:
		s.phase = d.words.say("no_more_bets")
	case stats.BarResult:
		d.sayResult(&s)
	case stats.BarFree:
		s.phase, s.lines = d.words.say("free_hand"), []phrase{d.words.say("no_bets")}
	case stats.BarVoid:
		s.phase, s.lines = d.words.say("hand_void"), d.reason(bar.Reason)
	case stats.BarReview:
		s.phase, s.lines, s.chip = d.words.say("review"), []phrase{d.words.say("cards_decide")}, false
		s.edge = d.theme.Amber
	case stats.BarPaused:
		s.phase = d.words.say("paused")
	case stats.BarShoeOver:
		s.phase, s.fill, s.chip, s.summary = d.words.say("shoe_over"), t.Betting, false, true
	case stats.BarShuffling:
		s.phase, s.fill, s.chip, s.summary = d.words.say("shuffling"), t.Betting, false, true
	case stats.BarClosedTable:
		s.phase, s.chip, s.small, s.qr = d.words.say("table_closed"), false, d.b.StatusLine, d.v.QR != nil
	default:
		s.fill = t.Rest
	}
	s.chip = s.chip && bar.Last != nil && bar.LastNo > 0
	return s
}

// count fills in the countdown, if one runs in this boot.
func (d *drawing) count(s *barSay) {
	left, ok := d.v.left(d.b.Countdown)
	if !ok {
		return
	}
	s.counting, s.left = true, int((left+time.Second-1)/time.Second)
	if total := d.b.Countdown.Total; total > 0 {
		s.share = min(1, float32(s.left)/float32(total))
	}
}

// left is what is left of a countdown, never below zero.
func (v *View) left(c *stats.Deadline) (time.Duration, bool) {
	if c == nil || c.Boot != v.Boot {
		return 0, false
	}
	return max(0, c.At-v.Now), true
}

// sayResult says who won, or which bonus, and what that pays and pushes.
func (d *drawing) sayResult(s *barSay) {
	bar, t := &d.b.Bar, &d.theme.Bar
	m := bar.Last
	if m == nil {
		s.fill = t.Rest
		return
	}
	s.chip = false
	switch m.Outcome {
	case game.Player:
		s.fill, s.edge = t.Player, t.PlayerEdge
	case game.Banker:
		s.fill, s.edge = t.Banker, t.BankerEdge
	default:
		s.fill, s.edge = t.Tie, t.TieEdge
	}
	if bar.Free {
		s.flag = d.words.say("free_hand")
	}
	if m.Totals {
		s.totals = m
	}
	bonuses := d.bonuses(m)
	if len(bonuses) == 0 {
		d.sayPlain(s, m)
		return
	}
	d.sayBonus(s, m, bonuses)
}

// sayPlain is a hand on which no bonus won.
func (d *drawing) sayPlain(s *barSay, m *stats.Mark) {
	s.phase = d.winner(m.Outcome)
	if n, ok := d.naturalSaid(m); ok {
		s.lines = append(s.lines, n)
	}
	if m.Outcome != game.Tie || d.b.Bar.Free {
		return
	}
	s.lines = append(s.lines, d.words.say("sides_push"))
	if d.b.Game.TiePays != "" {
		s.pays = []string{d.words.odds("pays", d.b.Game.TiePays)}
	}
}

// sayBonus is a hand on which bonus bets won: their names, what happens to the
// base bets, what each pays.
func (d *drawing) sayBonus(s *barSay, m *stats.Mark, bonuses []*stats.Bet) {
	pushed := ""
	for i, bet := range bonuses {
		name, short := d.words.label(bet.Labels), d.shortName(bet)
		if len(bonuses) > 1 && short != "" {
			name.first = short
		}
		if i > 0 {
			s.phase = phrase{s.phase.first + " + " + name.first, joinText(s.phase.second, " + ", name.second)}
		} else {
			s.phase = name
		}
		if bet.Pushes != "" {
			pushed = bet.Pushes
		}
		s.pays = append(s.pays, d.paysText(bet, name, len(bonuses) > 1))
	}
	if len(bonuses) == 1 {
		s.short = phrase{d.shortName(bonuses[0]), s.phase.second}
	}
	if d.b.Bar.Free { // nobody had a bet
		s.pays, s.lines = nil, []phrase{d.winner(m.Outcome)}
		return
	}
	s.lines = []phrase{d.baseBets(m, pushed)}
}

// shortName is the short name of a bet whose label is long in the board's language,
// in words that a player can read; empty: use the label.
func (d *drawing) shortName(bet *stats.Bet) string {
	const long = 14
	if utf8.RuneCountInString(labelIn(bet.Labels, d.words.first.Lang)) < long || len(bet.Short) < readable {
		return ""
	}
	return bet.Short
}

// paysText is what a chip says: PAYS 40 TO 1, or with the bet's name where
// several won.
func (d *drawing) paysText(bet *stats.Bet, name phrase, named bool) string {
	if named {
		return name.first + "  " + d.words.odds("odds", bet.Pays)
	}
	return d.words.odds("pays", bet.Pays)
}

// baseBets says what happens to the bets on Player and Banker.
func (d *drawing) baseBets(m *stats.Mark, pushed string) phrase {
	switch {
	case pushed == "banker":
		return d.words.say("banker_push")
	case pushed == "player":
		return d.words.say("player_push")
	case m.Outcome == game.Tie:
		return d.words.say("sides_push")
	}
	return d.winner(m.Outcome)
}

func (d *drawing) winner(o game.Outcome) phrase {
	switch o {
	case game.Player:
		return d.words.say("player_wins")
	case game.Banker:
		return d.words.say("banker_wins")
	}
	return d.words.say("tie_result")
}

// naturalSaid words the naturals of a hand, with their totals where known.
func (d *drawing) naturalSaid(m *stats.Mark) (phrase, bool) {
	high, low := m.PlayerTotal, m.BankerTotal
	if low > high {
		high, low = low, high
	}
	text := func(n uint8) string { return strconv.Itoa(int(n)) }
	switch {
	case m.PlayerNatural && m.BankerNatural && m.Outcome != game.Tie && m.Totals:
		return d.words.say("natural_over", "a", text(high), "b", text(low)), true
	case m.PlayerNatural && m.BankerNatural && m.Outcome != game.Tie:
		return d.words.say("natural_both"), true
	case (m.PlayerNatural || m.BankerNatural) && m.Totals:
		return d.words.say("natural_of", "n", text(high)), true
	case m.PlayerNatural || m.BankerNatural:
		return d.words.say("natural"), true
	}
	return phrase{}, false
}

// reason words the reason of a void; one that is not known stands as it is.
func (d *drawing) reason(word string) []phrase {
	if word == "" {
		return nil
	}
	if key, ok := reasonOf[word]; ok {
		return []phrase{d.words.say(key)}
	}
	return []phrase{{first: strings.ToUpper(word)}}
}

// joinText puts what there is of two texts side by side.
func joinText(a, between, b string) string {
	return strings.Join(slices.DeleteFunc([]string{a, b}, func(s string) bool { return s == "" }), between)
}
