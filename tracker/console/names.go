package console

import (
	"strings"

	"shoeboard/tracker/game"
)

// names returns a result in the dealer's words, three ways: "BANKER NATURAL" or
// "TIGER 7 + KILL"; "B NAT" or "T7+K", where that has no room; and a code that always
// has: "BN" (natural), "B98" (9 over 8), "T7+K/2" (both pairs).
func names(pack *game.Pack, r game.Result) (long, short, code string) {
	side := ""
	if r.Outcome != game.NoOutcome {
		side = strings.ToUpper(r.Outcome.String())
	}
	longBets, shortBets := "", ""
	long, short = side, side
	for i := range pack.Extra(r).All() {
		b := pack.Bets[i]
		if r.Outcome != game.NoOutcome && pack.Implied(i) == r.Outcome {
			long, short = betName(b), b.Short
			continue
		}
		longBets += " + " + betName(b)
		shortBets += "+" + b.Short
	}
	code = short
	if side != "" && short == side {
		code = r.Outcome.Letter()
		if shortBets != "" || pairs(r) != "" {
			short = code
		}
	}
	if r.Outcome == game.Tie && r.PlayerNatural && r.BankerNatural {
		long = "NATURAL TIE"
	} else {
		long += naturals(r, " 9 OVER 8", " NATURAL")
	}
	short += naturals(r, " 9/8", " NAT")
	code += strings.TrimSuffix(strings.TrimSuffix(naturals(r, "98", "N"), " (P)"), " (B)")
	return strings.TrimPrefix(long+longBets+pairs(r), " + "), strings.TrimPrefix(short+shortBets+pairs(r), "+"),
		strings.TrimPrefix(code+shortBets, "+") + pairCode(r)
}

// lastName returns a result for the LAST line: the side and short bets, "BANKER D7".
func lastName(pack *game.Pack, r game.Result) string {
	if r == (game.Result{}) { // its record cannot be read
		return "NOT KNOWN"
	}
	name := strings.ToUpper(r.Outcome.String()) + naturals(r, " 9/8", " NAT")
	for i := range pack.Extra(r).All() {
		name += " " + pack.Bets[i].Short
	}
	return name + pairs(r)
}

// naturals returns the word for the naturals of a result, and whose it was when it was
// the loser's.
func naturals(r game.Result, both, one string) string {
	switch {
	case r.PlayerNatural && r.BankerNatural && r.Outcome != game.Tie:
		return both
	case !r.PlayerNatural && !r.BankerNatural:
		return ""
	case r.Outcome == game.Banker && !r.BankerNatural:
		return one + " (P)"
	case r.Outcome == game.Player && !r.PlayerNatural:
		return one + " (B)"
	}
	return one
}

func pairs(r game.Result) string {
	switch {
	case r.BankerPair && r.PlayerPair:
		return " BP PP"
	case r.BankerPair:
		return " BP"
	case r.PlayerPair:
		return " PP"
	}
	return ""
}

// pairCode says whose pair there was: "/B", "/P", "/2" (both) or "".
func pairCode(r game.Result) string {
	return map[string]string{" BP": "/B", " PP": "/P", " BP PP": "/2"}[pairs(r)]
}

// betName names a bet on the echo by its id, because labels may be too long: "TIGER 7".
func betName(b game.Bet) string { return strings.ToUpper(strings.ReplaceAll(b.ID, "-", " ")) }

// fit returns the first of the texts that fits a line of the echo, else the last.
func fit(texts ...string) string {
	for _, s := range texts {
		if len(s) <= Width {
			return s
		}
	}
	return texts[len(texts)-1]
}

// named returns the words, a result in the longest way that fits, and what follows.
func named(pack *game.Pack, words string, r game.Result, after string) string {
	long, short, code := names(pack, r)
	return fit(words+long+after, words+short+after, words+code+after)
}
