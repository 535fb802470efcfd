package plain

import (
	"strconv"
	"strings"

	"shoeboard/stats"
	"shoeboard/tracker/game"
)

// tieBet is the bet on a tie, which the results name as the outcome already.
const tieBet = "tie"

func sideInk(o game.Outcome) ink {
	return [...]ink{dim, playerI, bankerI, tieI}[o&3]
}

// winner is the outcome's name on the board.
func winner(o game.Outcome) string { return strings.ToUpper(o.String()) }

// core is which of its cores the bead of a hand with these bets has: that of its
// first bet that has one.
func core(b *stats.Board, s game.BetSet) string {
	for i, bet := range b.Game.Bets {
		if s.Has(i) && bet.Mark != "" {
			return bet.Mark
		}
	}
	return ""
}

// coreInk is the ground behind a letter.
func coreInk(mark string) ink {
	switch mark {
	case "gold":
		return "43"
	case "white":
		return "47"
	case "kill":
		return "45"
	}
	return plainInk
}

// betName is a bet's name in full, or its id if the game does not have it.
func betName(b *stats.Board, id string) string {
	for _, bet := range b.Game.Bets {
		if bet.ID == id {
			return strings.ToUpper(label(bet))
		}
	}
	return strings.ToUpper(id)
}

func label(bet stats.Bet) string {
	if en := bet.Labels["en"]; en != "" {
		return en
	}
	return bet.ID
}

func shortName(b *stats.Board, id string) string {
	for _, bet := range b.Game.Bets {
		if bet.ID == id && bet.Short != "" {
			return bet.Short
		}
	}
	return betName(b, id)
}

// betInk is the ink of a name that stands for these bets, if they have one.
func betInk(b *stats.Board, ids []string) ink {
	if len(ids) != 1 {
		return plainInk
	}
	switch ids[0] {
	case game.Player.String():
		return playerI
	case game.Banker.String():
		return bankerI
	case tieBet:
		return tieI
	}
	for _, bet := range b.Game.Bets {
		if bet.ID == ids[0] && bet.Mark == "gold" {
			return gold
		}
	}
	return plainInk
}

// money writes cents: "$10", "$0.50", "$1,000".
func money(cents int) string {
	sign := ""
	if cents < 0 {
		sign, cents = "-", -cents
	}
	s := strconv.Itoa(cents / 100)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	if c := cents % 100; c > 0 {
		s += "." + strconv.Itoa(c/10) + strconv.Itoa(c%10)
	}
	return sign + "$" + s
}

// share writes tenths of a percent: "45.7".
func share(tenths int) string { return strconv.Itoa(tenths/10) + "." + strconv.Itoa(tenths%10) }

// since writes how many hands ago something happened, "-" if never.
func since(n int) string {
	if n < 0 {
		return "-"
	}
	return strconv.Itoa(n)
}

// filled returns the texts that are not empty.
func filled(texts ...string) []string {
	var out []string
	for _, t := range texts {
		if t != "" {
			out = append(out, t)
		}
	}
	return out
}

// cutLast splits name before accent, if accent ends it.
func cutLast(name, accent string) (before, end string, ok bool) {
	before, ok = strings.CutSuffix(name, accent)
	if !ok || accent == "" {
		return name, "", false
	}
	return before, accent, true
}
