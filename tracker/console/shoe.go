package console

import (
	"fmt"
	"slices"
	"strings"

	"shoeboard/tracker"
	"shoeboard/tracker/game"
)

// A card-reading shoe proposes what it read. The dealer says what counts: nothing of a
// shoe's is recorded without an OK, and nothing of it disturbs what is being keyed, fixed
// or asked.

// shoeHand is the hand being keyed as a shoe read it.
type shoeHand struct {
	cards  string      // its token, empty when no shoe has read it
	result game.Result // as keys would make it
	dealt  game.Result // with its totals
	mine   bool        // the dealer has said that what he keyed counts
}

// newShoeHand reads the token of a hand of cards.
func newShoeHand(pack *game.Pack, cards string) (shoeHand, error) {
	h, err := tracker.ParseToken(pack, cards)
	return shoeHand{cards: cards, result: asKeyed(pack, h.Result), dealt: h.Result}, err
}

// hears reports whether a shoe may speak now: no record is on its way, no key is down
// that may yet act, and nothing is pending that it would disturb.
func (c *Console) hears(t *Context, states ...state) bool {
	return !t.Saving && !slices.ContainsFunc(c.down, held.isLive) && slices.Contains(states, c.mode)
}

// Offer proposes a hand of certain cards, given as its token. With nothing pending it
// becomes the proposal; an entry that says the same has the cards from now on; another
// entry is asked about. False: not now, and to be offered again after the next step.
// The caller sees to it that the hand is not one that is recorded already.
func (c Console) Offer(t *Context, cards string) (Console, Out, bool) {
	if !c.hears(t, idle, noResult, lapsed, entry) || !t.State.Open() {
		return c, Out{}, false
	}
	seen, err := newShoeHand(t.State.Shoe.Pack, cards)
	switch {
	case err != nil:
		return c.Unsure(t)
	case c.mode != entry:
		c.clear()
		out := c.proposeRead(t, seen)
		return c, out, true
	case c.seen.cards != "":
		return c, Out{}, false
	}
	agrees := isWithin(t.State.Shoe.Pack, c.hand, seen.result) && agreesOnTotals(c.hand, seen.dealt)
	c.seen = seen
	if agrees {
		if c.hand.WithoutTotals() != seen.result {
			c.proposeRead(t, seen)
		}
		return c, Out{}, true
	}
	c.uncover(t)
	c.ask(t, askShoe)
	return c, Out{Tone: Remind}, true
}

// proposeRead makes the hand that a shoe read the proposal. It came by itself, so it has to
// stand as long as a question, and nothing that was said before covers it.
func (c *Console) proposeRead(t *Context, seen shoeHand) Out {
	c.uncover(t)
	c.seen, c.hand, c.unfinished = seen, seen.result, false
	return c.set(t, entry, readQuestion)
}

// asKeyed returns a result from cards as keys would make it: without totals, and without
// pairs where the pack does not mark them.
func asKeyed(pack *game.Pack, r game.Result) game.Result {
	r = r.WithoutTotals()
	if !pack.PairMarks {
		r.PlayerPair, r.BankerPair = false, false
	}
	return r
}

// isWithin reports whether a hand keyed before the shoe had read it agrees with it as far
// as it goes: naturals and pairs may be missing, and all but the modifiers before a
// result is keyed. Another winner or other bonuses do not agree.
func isWithin(pack *game.Pack, keyed, read game.Result) bool {
	if keyed.PlayerNatural && !read.PlayerNatural || keyed.BankerNatural && !read.BankerNatural ||
		keyed.PlayerPair && !read.PlayerPair || keyed.BankerPair && !read.BankerPair {
		return false
	}
	if keyed.Outcome == game.NoOutcome {
		return keyed.Bets&^read.Bets == 0
	}
	keyed.PlayerNatural, keyed.BankerNatural = read.PlayerNatural, read.BankerNatural
	keyed.PlayerPair, keyed.BankerPair = read.PlayerPair, read.BankerPair
	return asKeyed(pack, pack.Complete(keyed)) == read
}

// Matches reports whether r, from cards, is the recorded hand h as far as keys tell.
func Matches(pack *game.Pack, h tracker.Hand, r game.Result) bool {
	return isWithin(pack, asKeyed(pack, h.Result), asKeyed(pack, r)) && agreesOnTotals(h.Result, r)
}

// isAsRead reports whether the hand is keyed as the shoe read it.
func (c *Console) isAsRead(t *Context) bool {
	return c.hand.Outcome != game.NoOutcome && agreesOnTotals(c.hand, c.seen.dealt) &&
		asKeyed(t.State.Shoe.Pack, t.State.Shoe.Pack.Complete(c.hand)) == c.seen.result
}

// chooseShoe answers that the hand counts as the shoe read it.
func (c *Console) chooseShoe(t *Context, _ press) Out {
	return c.proposeRead(t, c.seen)
}

// shoeSays writes what a shoe read, with its totals where totals are keyed.
func shoeSays(t *Context, before string, dealt game.Result) string {
	totals := ""
	if t.Totals {
		totals = totalsOf(dealt) + " "
	}
	is := nameOf(t.State.Shoe.Pack, asKeyed(t.State.Shoe.Pack, dealt))
	brief := strings.Replace(before, " SAYS", ":", 1) + totals
	before += totals
	return fit(before+is.long, before+is.short, before+is.code, brief+is.code,
		strings.TrimSpace(brief)+is.pairs) // all else follows from the totals
}

// Unsure says that the shoe cannot be believed about the hand. It covers nothing that
// is being keyed or said. False: not now.
func (c Console) Unsure(t *Context) (Console, Out, bool) {
	says := [2]string{"SHOE UNSURE: KEY IT", toKey(t)}
	if !c.hears(t, idle, noResult, lapsed) || !t.State.Open() || c.note.lines[0] != "" && c.note.lines != says {
		return c, Out{}, false
	}
	c.warn(says[0], says[1])
	return c, Out{Tone: Remind}, true
}

// Contradict says that the shoe read a hand otherwise than it is recorded. It changes
// nothing. False: not now.
func (c Console) Contradict(t *Context, hand int, r game.Result) (Console, Out, bool) {
	if !c.hears(t, idle, lapsed) {
		return c, Out{}, false
	}
	second := "FIX: HOLD CLEAR 1s"
	if hand < len(t.State.Shoe.Hands) {
		second = "TELL THE FLOOR"
	}
	c.warn(shoeSays(t, fmt.Sprintf("SHOE SAYS %d ", hand), r), second)
	return c, Out{Tone: Remind}, true
}

// Question puts the question of a key (NEW SHOE?, VOID?) that a shoe wants answered. It
// puts none where the key would put another, as on a closed table. False: not now.
func (c Console) Question(t *Context, k Key) (Console, Out, bool) {
	if !c.hears(t, idle, noResult, lapsed) {
		return c, Out{}, false
	}
	if c.mode == lapsed {
		c.mode = idle // the shoe's question takes its place
	}
	m := askVoid
	switch grammar[c.row(t)][k] {
	case askForVoid:
	case askForNewShoe:
		m = askNewShoe
	default:
		return c, Out{}, true
	}
	c.uncover(t)
	c.clear()
	c.ask(t, m)
	c.offered = true
	return c, Out{Tone: Remind}, true
}

// Cards returns the token of the hand being keyed as a shoe read it, "" when none has.
func (c Console) Cards() string { return c.seen.cards }
