package console

import (
	"strings"

	"shoeboard/tracker/game"
)

// longName is a result in the dealer's words: "BANKER NATURAL", "TIGER 7 + KILL".
func longName(p *game.Pack, r game.Result) string {
	base, bets := baseName(p, r, betName)
	switch {
	case r.Outcome == game.Tie && r.PlayerNatural && r.BankerNatural:
		base = "NATURAL TIE"
	case r.PlayerNatural && r.BankerNatural:
		base += " 9 OVER 8"
	case r.PlayerNatural || r.BankerNatural:
		base += naturalWord(r, " NATURAL")
	}
	return strings.TrimPrefix(base+bets+pairs(r), " + ")
}

// lastName is the result of the LAST line: the side and short bets, "BANKER D7".
func lastName(p *game.Pack, r game.Result) string {
	name := strings.ToUpper(r.Outcome.String())
	switch {
	case r == game.Result{}: // its record cannot be read
		return "NOT KNOWN"
	case r.PlayerNatural && r.BankerNatural && r.Outcome != game.Tie:
		name += " 9/8"
	case r.PlayerNatural || r.BankerNatural:
		name += naturalWord(r, " NAT")
	}
	for i := range told(p, r).All() {
		name += " " + p.Bets[i].Short
	}
	return name + pairs(r)
}

// shortName fits where the long name does not: "B NAT", "T7+K", "P".
func shortName(p *game.Pack, r game.Result) string {
	base, bets := baseName(p, r, func(b game.Bet) string { return b.Short })
	if len(base) > 1 && base == strings.ToUpper(r.Outcome.String()) {
		base = r.Outcome.Letter()
		if bets == "" && pairs(r) == "" {
			base = strings.ToUpper(r.Outcome.String())
		}
	}
	switch {
	case r.PlayerNatural && r.BankerNatural && r.Outcome != game.Tie:
		base += " 9/8"
	case r.PlayerNatural || r.BankerNatural:
		base += naturalWord(r, " NAT")
	}
	return strings.TrimPrefix(base+strings.ReplaceAll(bets, " + ", "+")+pairs(r), "+")
}

// codeName fits everywhere: "B", "BN" (natural), "B98" (9 over 8), "T7+KILL/2" (both pairs).
func codeName(p *game.Pack, r game.Result) string {
	base, bets := baseName(p, r, func(b game.Bet) string { return b.Short })
	if base == strings.ToUpper(r.Outcome.String()) {
		base = r.Outcome.Letter()
	}
	switch {
	case r.PlayerNatural && r.BankerNatural && r.Outcome != game.Tie:
		base += "98"
	case r.PlayerNatural || r.BankerNatural:
		base += "N"
	}
	return strings.TrimPrefix(base+strings.ReplaceAll(bets, " + ", "+"), "+") + pairCode(r)
}

// pairCode is whose pair there was: "/B", "/P", "/2" (both) or "".
func pairCode(r game.Result) string {
	return map[[2]bool]string{{true, false}: "/B", {false, true}: "/P", {true, true}: "/2"}[[2]bool{r.BankerPair, r.PlayerPair}]
}

// naturalWord adds whose natural it was when it was the loser's.
func naturalWord(r game.Result, word string) string {
	switch {
	case r.Outcome == game.Banker && !r.BankerNatural:
		return word + " (P)"
	case r.Outcome == game.Player && !r.PlayerNatural:
		return word + " (B)"
	}
	return word
}

// baseName is the winner, or the bonus that implies it, and what stands beside it.
func baseName(p *game.Pack, r game.Result, name func(game.Bet) string) (base, bets string) {
	if r.Outcome != game.NoOutcome {
		base = strings.ToUpper(r.Outcome.String())
	}
	for i := range told(p, r).All() {
		b := p.Bets[i]
		switch {
		case p.Implied(i) == r.Outcome && r.Outcome != game.NoOutcome:
			base = name(b)
		default:
			bets += " + " + name(b)
		}
	}
	return base, bets
}

// told are the bets that the outcome alone does not tell.
func told(p *game.Pack, r game.Result) game.BetSet {
	if r.Bets == 0 {
		return 0
	}
	return r.Bets &^ p.Complete(game.Result{Outcome: r.Outcome}).Bets
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

// betName is a bet on the echo, by its id, for labels may be too long: "TIGER 7".
func betName(b game.Bet) string { return strings.ToUpper(strings.ReplaceAll(b.ID, "-", " ")) }

// fit is the first of the texts that fits a line of the echo, else the last.
func fit(texts ...string) string {
	for _, s := range texts {
		if len(s) <= Width {
			return s
		}
	}
	return texts[len(texts)-1]
}
