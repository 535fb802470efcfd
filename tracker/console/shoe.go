package console

import (
	"fmt"
	"slices"
	"strings"

	"shoeboard/tracker"
	"shoeboard/tracker/game"
)

// A card-reading shoe proposes what it read. Nothing of it is recorded without an OK, or
// disturbs what is being keyed, fixed or asked.

// shoeHand is the hand being keyed as a shoe read it.
type shoeHand struct {
	cards string // its token, empty when no shoe has read it
	dealt game.Result
	mine  bool // the dealer has said that what he keyed counts
}

// hears reports whether a shoe may speak now: nothing is on its way, down or disturbed.
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
	pack := t.State.Shoe.Pack
	h, err := tracker.ParseToken(pack, cards)
	read := shoeHand{cards: cards, dealt: h.Result}
	switch {
	case err != nil:
		return c.Unsure(t)
	case c.mode != entry:
		c.pending = pending{seen: read}
		return c, c.proposeRead(t, press{}), true
	case c.seen.cards != "":
		return c, Out{}, false
	}
	c.seen = read
	switch {
	case !Matches(pack, tracker.Hand{Result: c.hand}, h.Result):
		c.uncover(t)
		c.ask(t, askShoe)
		return c, Out{Tone: Remind}, true
	case c.hand.WithoutTotals() != asKeyed(pack, h.Result):
		c.proposeRead(t, press{})
	}
	return c, Out{}, true
}

// proposeRead proposes the hand that a shoe read. It came by itself: it is to be read like a
// question, and nothing said before covers it.
func (c *Console) proposeRead(t *Context, _ press) Out {
	c.uncover(t)
	c.hand, c.unfinished = asKeyed(t.State.Shoe.Pack, c.seen.dealt), false
	return c.set(t, entry, readQuestion)
}

// asKeyed returns a result from cards as result keys would make it.
func asKeyed(pack *game.Pack, r game.Result) game.Result {
	r = r.WithoutTotals()
	if !pack.PairMarks {
		r.PlayerPair, r.BankerPair = false, false
	}
	return r
}

// Matches reports whether r, from cards, is the hand h as far as that is keyed: totals,
// naturals and pairs may be missing, and all but the modifiers before a result is keyed.
// Another winner or other bonuses do not match.
func Matches(pack *game.Pack, h tracker.Hand, r game.Result) bool {
	keyed, read := asKeyed(pack, h.Result), asKeyed(pack, r)
	if !agreesOnTotals(h.Result, r) ||
		keyed.PlayerNatural && !read.PlayerNatural || keyed.BankerNatural && !read.BankerNatural ||
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

// isAsRead reports whether the hand is keyed as the shoe read it.
func (c *Console) isAsRead(t *Context) bool {
	pack := t.State.Shoe.Pack
	return c.hand.Outcome != game.NoOutcome && agreesOnTotals(c.hand, c.seen.dealt) &&
		asKeyed(pack, pack.Complete(c.hand)) == asKeyed(pack, c.seen.dealt)
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

// Unsure says that the shoe cannot be believed about the hand. False: not now.
func (c Console) Unsure(t *Context) (Console, Out, bool) {
	says := [2]string{"SHOE UNSURE: KEY IT", toKey[t.Totals]}
	if !c.hears(t, idle, noResult, lapsed) || !t.State.Open() || c.note.lines[0] != "" && c.note.lines != says {
		return c, Out{}, false
	}
	c.warn(says[0], says[1])
	return c, Out{Tone: Remind}, true
}

// Contradict says that the shoe read a recorded hand otherwise. False: not now.
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
	puts := grammar[c.row(t)][k]
	if puts != askForVoid && puts != askForNewShoe {
		return c, Out{}, true
	}
	c.uncover(t)
	puts.do(&c, t, press{})
	c.offered = true
	return c, Out{Tone: Remind}, true
}

// Cards returns the token of the hand being keyed as a shoe read it, "" when none has.
func (c Console) Cards() string { return c.seen.cards }
