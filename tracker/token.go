package tracker

import (
	"fmt"
	"strconv"
	"strings"

	"shoeboard/tracker/card"
	"shoeboard/tracker/game"
)

// ParseToken reads one hand as a shoe file or a record has it:
//
//	P  B  T            the outcome, with +flags: a bet's id, natural (the
//	                   winner's; on a tie both), player-natural, banker-natural,
//	                   player-pair, banker-pair: "B+dragon-7", "P+player-natural"
//	6.2-7.3            totals: Player 6 on two cards, Banker 7 on three; pairs may follow
//	2S,4H/KD,2C,5S     cards, Player/Banker; suits may be left out: "2,4/K,2,5"
//
// A token that contradicts itself, or totals that the drawing table never comes to,
// are an error that says what is wrong in one sentence. Cards that were drawn against
// the table make a hand all the same, with what was wrong in Irregular: cards on the
// felt are official.
func ParseToken(p *game.Pack, token string) (Hand, error) {
	h, err := parseToken(p, token)
	if err != nil {
		return Hand{}, err
	}
	switch {
	case h.More != "":
		err = noBet(p, h.More[1:])
	case h.Cards == "" && h.Known:
		_, err = p.FromTotals(int(h.PlayerTotal), int(h.PlayerCards), int(h.BankerTotal), int(h.BankerCards))
	}
	if err == nil && h.Cards == "" {
		err = p.Check(h.Result)
	}
	if err != nil {
		return Hand{}, fmt.Errorf("hand %q: %w", token, err)
	}
	return h, nil
}

// LostToken is in a checkpoint the token of a hand whose record cannot be read. No Command
// may carry it.
const LostToken = "-"

// ReadToken reads the token of a recorded hand, which may be lost. It is not judged again:
// what was recorded was dealt, whatever ParseToken would say of it today.
func ReadToken(p *game.Pack, token string) (Hand, error) {
	if token == LostToken {
		return Hand{}, nil
	}
	return parseToken(p, token)
}

// Spell returns the token of a hand as people write it: in capitals or not, with blanks
// between its parts, bets by their ids or short names, NAT for natural ("b d7" is
// "B+dragon-7"). Whether there is such a hand is for ParseToken to say.
func Spell(p *game.Pack, words string) string {
	parts := strings.FieldsFunc(words, func(r rune) bool { return r == ' ' || r == '+' })
	for i, part := range parts {
		switch {
		case i == 0 || p == nil:
			parts[i] = strings.ToUpper(part)
		case strings.EqualFold(part, "nat"):
			parts[i] = "natural"
		default:
			parts[i] = strings.ToLower(part)
			for _, b := range p.Bets {
				if strings.EqualFold(part, b.Short) {
					parts[i] = b.ID
				}
			}
		}
	}
	return strings.Join(parts, "+")
}

// parseToken reads a token, also of a hand that there cannot be.
func parseToken(p *game.Pack, token string) (Hand, error) {
	if p == nil {
		return Hand{}, fmt.Errorf("hand %q: no game is installed", token)
	}
	base, rest, flagged := strings.Cut(token, "+")
	h, err := parseBase(p, base)
	if err != nil {
		return Hand{}, fmt.Errorf("hand %q: %w", token, err)
	}
	keyed := !h.Known
	if flagged {
		for _, flag := range strings.Split(rest, "+") {
			if err := addFlag(p, &h, flag, keyed); err != nil {
				return Hand{}, fmt.Errorf("hand %q: %w", token, err)
			}
		}
	}
	if h.Cards == "" {
		h.Result = p.Complete(h.Result)
	}
	return h, nil
}

func parseBase(p *game.Pack, base string) (Hand, error) {
	for _, o := range []game.Outcome{game.Player, game.Banker, game.Tie} {
		if base == o.Letter() {
			return Hand{Result: game.Result{Outcome: o}}, nil
		}
	}
	switch {
	case strings.Contains(base, "/"):
		return parseCards(p, base)
	case strings.Contains(base, "-") && strings.Contains(base, "."):
		return parseTotals(p, base)
	}
	return Hand{}, fmt.Errorf("expected P, B, T, totals as 6.2-7.3 or cards as 2S,4H/KD,2C,5S")
}

func parseTotals(p *game.Pack, base string) (Hand, error) {
	if len(base) != 7 || base[1] != '.' || base[3] != '-' || base[5] != '.' {
		return Hand{}, fmt.Errorf("expected totals as 6.2-7.3: Player's total and cards, Banker's total and cards")
	}
	var n [4]int
	for i, at := range []int{0, 2, 4, 6} {
		d, err := strconv.Atoi(base[at : at+1])
		if err != nil {
			return Hand{}, fmt.Errorf("expected a digit where %q stands", base[at:at+1])
		}
		n[i] = d
	}
	if n[1]|1 != 3 || n[3]|1 != 3 {
		_, err := p.FromTotals(n[0], n[1], n[2], n[3])
		return Hand{}, err
	}
	return Hand{Result: p.Settle(game.Hand{PlayerTotal: uint8(n[0]), PlayerCards: uint8(n[1]),
		BankerTotal: uint8(n[2]), BankerCards: uint8(n[3])})}, nil
}

func parseCards(p *game.Pack, base string) (Hand, error) {
	left, right, _ := strings.Cut(base, "/")
	player, err := card.ParseList(left)
	if err != nil {
		return Hand{}, err
	}
	banker, err := card.ParseList(right)
	if err != nil {
		return Hand{}, err
	}
	r, irregular, err := p.AsDealt(player, banker)
	h := Hand{Result: r, Cards: card.FormatList(player) + "/" + card.FormatList(banker)}
	if irregular != nil {
		h.Irregular = irregular.Error()
	}
	return h, err
}

// addFlag adds one +flag. What totals or cards already decide must agree with them.
func addFlag(p *game.Pack, h *Hand, flag string, keyed bool) error {
	was := h.Result
	switch flag {
	case "natural":
		if h.Outcome != game.Banker {
			h.PlayerNatural = true
		}
		if h.Outcome != game.Player {
			h.BankerNatural = true
		}
	case "player-natural":
		h.PlayerNatural = true
	case "banker-natural":
		h.BankerNatural = true
	case "player-pair":
		h.PlayerPair = true
	case "banker-pair":
		h.BankerPair = true
	default:
		_, i, ok := p.Bet(flag)
		if !ok && len(p.Unknown) > 0 {
			h.More += "+" + flag // it may be of a bet that is left out
			return nil
		}
		if !ok {
			return noBet(p, flag)
		}
		h.Bets = h.Bets.With(i)
	}
	if !keyed && (h.Bets != was.Bets || h.PlayerNatural != was.PlayerNatural || h.BankerNatural != was.BankerNatural) {
		return fmt.Errorf("the totals do not make +%s", flag)
	}
	if h.Cards != "" && h.Result != was {
		return fmt.Errorf("the cards do not make +%s", flag)
	}
	return nil
}

func noBet(p *game.Pack, flag string) error {
	return fmt.Errorf("%s has no bet %q: expected a bet's id, natural, player-natural, banker-natural, "+
		"player-pair or banker-pair", p.ID, flag)
}

// FormatToken returns the canonical token of h under p: cards if it has them, else
// totals, else the outcome with its flags. ParseToken reads it back to the same hand.
func FormatToken(p *game.Pack, h Hand) string {
	switch {
	case h.Cards != "":
		return h.Cards + h.More
	case h.Result == game.Result{}:
		return LostToken
	}
	token := fmt.Sprintf("%d.%d-%d.%d", h.PlayerTotal, h.PlayerCards, h.BankerTotal, h.BankerCards)
	if !h.Known {
		token = h.Outcome.Letter()
		for i := range p.Extra(h.Result).All() {
			token += "+" + p.Bets[i].ID
		}
	}
	both := h.PlayerNatural && h.BankerNatural && h.Outcome == game.Tie
	for _, flag := range [...]struct {
		is   bool
		word string
	}{
		{!h.Known && both, "+natural"},
		{!h.Known && !both && h.PlayerNatural, "+player-natural"},
		{!h.Known && !both && h.BankerNatural, "+banker-natural"},
		{h.PlayerPair, "+player-pair"},
		{h.BankerPair, "+banker-pair"},
	} {
		if flag.is {
			token += flag.word
		}
	}
	return token + h.More
}
