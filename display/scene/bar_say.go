package scene

import (
	"cmp"
	"image/color"
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
	code       string // of the record
	dealing    bool   // a hand is dealt: the code may give way
}

// phases are the texts of the phases that are not results.
var phases = map[stats.BarKind]string{
	stats.BarPlaceBets: "place_bets", stats.BarNoMoreBets: "no_more_bets", stats.BarFree: "free_hand",
	stats.BarVoid: "hand_void", stats.BarReview: "review", stats.BarPaused: "paused", stats.BarShoeOver: "shoe_over",
	stats.BarShuffling: "shuffling", stats.BarClosedTable: "table_closed",
}

// say decides what the bar says.
func (d *drawing) say() barSay {
	bar, t := &d.b.Bar, &d.theme.Bar
	s := barSay{fill: t.Closed, edge: t.Edge, chip: bar.Last != nil && bar.LastNo > 0, code: d.b.Code, dealing: true}
	if key, ok := phases[bar.Kind]; ok {
		s.phase = d.words.say(key)
	}
	if d.b.LastHand {
		s.flag = d.words.say("last_hand")
	}
	switch bar.Kind {
	case stats.BarPlaceBets:
		s.fill = t.Betting
		d.count(&s)
	case stats.BarResult:
		d.sayResult(&s)
	case stats.BarFree:
		s.lines = []phrase{d.words.say("no_bets")}
	case stats.BarVoid:
		s.lines = d.reason(bar.Reason)
	case stats.BarReview:
		s.lines, s.chip, s.edge = []phrase{d.words.say("cards_decide")}, false, d.theme.Amber
	case stats.BarShoeOver, stats.BarShuffling:
		s.dealing = false
		s.fill, s.chip, s.summary = t.Betting, false, true
	case stats.BarClosedTable:
		s.dealing, s.chip, s.small, s.qr = false, false, d.b.StatusLine, d.v.QR != nil
	case stats.BarNoMoreBets, stats.BarPaused:
	default:
		s.fill = t.Rest
	}
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

// left returns what is left of a countdown, never below zero.
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
	s.chip, s.code = false, ""
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
	if bonuses := d.bonuses(m); len(bonuses) > 0 {
		d.sayBonus(s, m, bonuses)
		return
	}
	s.phase, s.lines = d.winner(m.Outcome), d.naturalSaid(m)
	if m.Outcome == game.Tie && !bar.Free {
		s.lines = append(s.lines, d.words.say("sides_push"))
		if d.b.Game.TiePays != "" {
			s.pays = []string{d.words.odds("pays", d.b.Game.TiePays)}
		}
	}
}

// sayBonus says which bonus bets won: their names, what happens to the base bets, what
// each pays.
func (d *drawing) sayBonus(s *barSay, m *stats.Mark, bonuses []*stats.Bet) {
	pushed := ""
	for i, bet := range bonuses {
		name, short, pays := d.words.label(bet.Labels), d.shortName(bet), d.words.odds("pays", bet.Pays)
		if len(bonuses) > 1 {
			name.first = cmp.Or(short, name.first)
			pays = name.first + "  " + d.words.odds("odds", bet.Pays)
		} else {
			s.short = phrase{short, name.second}
		}
		if i > 0 {
			name = phrase{s.phase.first + " + " + name.first, joined(s.phase.second, name.second)}
		}
		s.phase, s.pays = name, append(s.pays, pays)
		pushed = cmp.Or(bet.Pushes, pushed)
	}
	if d.b.Bar.Free { // nobody had a bet
		s.pays, s.lines = nil, []phrase{d.winner(m.Outcome)}
		return
	}
	s.lines = []phrase{d.baseBets(m, pushed)}
}

// joined puts what there is of two names side by side.
func joined(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + " + " + b
}

// shortName returns the short name of a bet whose label is long in the board's language,
// in words that a player can read; empty: use the label.
func (d *drawing) shortName(bet *stats.Bet) string {
	const long = 14
	if utf8.RuneCountInString(labelIn(bet.Labels, d.words.first.Lang)) < long || len(bet.Short) < readable {
		return ""
	}
	return bet.Short
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
func (d *drawing) naturalSaid(m *stats.Mark) []phrase {
	high := strconv.Itoa(int(max(m.PlayerTotal, m.BankerTotal)))
	low := strconv.Itoa(int(min(m.PlayerTotal, m.BankerTotal)))
	over := m.PlayerNatural && m.BankerNatural && m.Outcome != game.Tie
	switch {
	case !m.PlayerNatural && !m.BankerNatural:
		return nil
	case over && m.Totals:
		return []phrase{d.words.say("natural_over", "a", high, "b", low)}
	case over:
		return []phrase{d.words.say("natural_both")}
	case m.Totals:
		return []phrase{d.words.say("natural_of", "n", high)}
	}
	return []phrase{d.words.say("natural")}
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
