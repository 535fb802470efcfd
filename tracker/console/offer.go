package console

import (
	"fmt"
	"slices"
	"strings"

	"shoeboard/tracker"
	"shoeboard/tracker/game"
)

// A card-reading shoe proposes what it read. It is the dealer who says what counts:
// nothing of a shoe's is recorded but by an OK, and nothing of it disturbs what is
// being keyed, fixed or asked.

// shoeHand is the hand being keyed as a shoe read it.
type shoeHand struct {
	cards  string      // its token, empty when no shoe has read it
	result game.Result // as keys would make it
	dealt  game.Result // with its totals
	mine   bool        // the dealer has said that what he keyed counts
}

// read is a hand of those cards.
func read(p *game.Pack, cards string, dealt game.Result) shoeHand {
	return shoeHand{cards: cards, result: marked(p, dealt), dealt: dealt}
}

// Offer proposes a hand of certain cards, given as its token. With nothing pending it
// becomes the proposal; an entry that says the same has the cards from now on; another
// entry is asked about. False: not now, and to be offered again after the next step.
// The caller sees to it that the hand is not one that is recorded already.
func (c Console) Offer(t *Context, cards string) (Console, Out, bool) {
	if t.Saving || c.keyDown() || !t.State.Open() {
		return c, Out{}, false
	}
	h, err := tracker.ParseToken(t.State.Pack(), cards)
	if err != nil {
		return c.Unsure(t)
	}
	seen := read(t.State.Pack(), cards, h.Result)
	switch {
	case c.mode == idle || c.mode == noResult || c.mode == lapsed:
		c.clear()
		c.take(t, seen)
		return c, Out{Tone: Ack}, true
	case c.mode != entry || c.seen.cards != "":
		return c, Out{}, false
	case within(t.State.Pack(), c.hand, seen.result) && asTotals(c.hand, seen.dealt):
		if c.seen = seen; untold(c.hand) != seen.result {
			c.take(t, seen)
		}
		return c, Out{}, true
	}
	c.seen = seen
	c.uncover(t.Now.Mono)
	c.set(askShoe, standsAfterQ, t.Now.Mono)
	return c, Out{Tone: Remind}, true
}

// take makes the hand that a shoe read the proposal. It came by itself, so it has to
// stand as long as a question, and nothing that was said before covers it.
func (c *Console) take(t *Context, seen shoeHand) {
	c.uncover(t.Now.Mono)
	c.seen, c.hand, c.unfinished = seen, seen.result, false
	c.set(entry, standsAfterQ, t.Now.Mono)
}

// keyDown says whether a key is down that may yet act.
func (c *Console) keyDown() bool {
	return slices.ContainsFunc(c.down, func(h held) bool { return !h.stuck })
}

// marked is a result from cards as keys would make it: without totals, and without
// pairs where the pack does not mark them.
func marked(p *game.Pack, r game.Result) game.Result {
	r = untold(r)
	if !p.PairMarks {
		r.PlayerPair, r.BankerPair = false, false
	}
	return r
}

// within says whether what was keyed before the shoe had read the hand agrees with it
// as far as it goes: naturals and pairs may be missing, and all but the modifiers
// before a result is keyed. Another winner or other bonuses do not agree.
func within(p *game.Pack, keyed, read game.Result) bool {
	if keyed.PlayerNatural && !read.PlayerNatural || keyed.BankerNatural && !read.BankerNatural ||
		keyed.PlayerPair && !read.PlayerPair || keyed.BankerPair && !read.BankerPair {
		return false
	}
	if keyed.Outcome == game.NoOutcome {
		return keyed.Bets&^read.Bets == 0
	}
	keyed.PlayerNatural, keyed.BankerNatural = read.PlayerNatural, read.BankerNatural
	keyed.PlayerPair, keyed.BankerPair = read.PlayerPair, read.BankerPair
	return marked(p, p.Complete(keyed)) == read
}

// readSo says whether what is keyed is the hand as the shoe read it.
func (c *Console) readSo(t *Context) bool {
	return c.seen.cards != "" && c.hand.Outcome != game.NoOutcome && asTotals(c.hand, c.seen.dealt) &&
		marked(t.State.Pack(), t.State.Pack().Complete(c.hand)) == c.seen.result
}

// differs says whether the shoe read another hand than is keyed, and the dealer has not
// said yet which counts.
func (c *Console) differs(t *Context) bool { return c.seen.cards != "" && !c.seen.mine && !c.readSo(t) }

// choose answers which hand counts. It is proposed then, and OK saves it. The key that is
// pressed by habit is the dealer's: the cards on the table decide, and he sees them.
func (c *Console) choose(t *Context, word string) Out {
	if word == "mine" {
		c.seen.mine = true
		c.set(entry, standsAfterQ, t.Now.Mono)
		return Out{Tone: Ack}
	}
	if c.tooSoon(t) {
		return c.refuse(t, "", "")
	}
	c.take(t, c.seen)
	return Out{Tone: Ack}
}

// shoeLines ask which of two hands counts.
func (c *Console) shoeLines(t *Context) [2]string {
	return [2]string{shoeSays(t, "SHOE SAYS ", c.seen.dealt), "OK=MINE  0=SHOE"}
}

// shoeSays is what a shoe read, with its totals where totals are keyed.
func shoeSays(t *Context, before string, dealt game.Result) string {
	p, r := t.State.Pack(), marked(t.State.Pack(), dealt)
	brief := strings.Replace(before, " SAYS", ":", 1)
	if !byTotals(t) {
		return fit(before+longName(p, r), before+shortName(p, r), before+codeName(p, r), brief+codeName(p, r))
	}
	totals := totalsOf(dealt)
	return fit(before+totals+" "+longName(p, r), before+totals+" "+shortName(p, r), before+totals+" "+codeName(p, r),
		brief+totals+" "+codeName(p, r), brief+totals+pairCode(r)) // all else follows from the totals
}

// Unsure says that the shoe cannot be believed about the hand. It covers nothing that
// is being keyed or said. False: not now.
func (c Console) Unsure(t *Context) (Console, Out, bool) {
	says := [2]string{"SHOE UNSURE: KEY IT", toKey(t)}
	if t.Saving || c.keyDown() || c.mode != idle && c.mode != noResult && c.mode != lapsed || !t.State.Open() || c.note.lines[0] != "" && c.note.lines != says {
		return c, Out{}, false
	}
	c.note = note{lines: says, until: forEver, told: ToldWarning}
	return c, Out{Tone: Remind}, true
}

// Contradict says that the shoe read a hand otherwise than it is recorded. It changes
// nothing. False: not now.
func (c Console) Contradict(t *Context, hand int, r game.Result) (Console, Out, bool) {
	if t.Saving || c.keyDown() || c.mode != idle && c.mode != lapsed {
		return c, Out{}, false
	}
	second := "FIX: HOLD CLEAR 1s"
	if hand < len(t.State.Shoe.Hands) {
		second = "TELL THE FLOOR"
	}
	c.note = note{lines: [2]string{shoeSays(t, fmt.Sprintf("SHOE SAYS %d ", hand), r), second}, until: forEver, told: ToldWarning}
	return c, Out{Tone: Remind}, true
}

// Read says whether r, from cards, is what the recorded hand h is as far as keys tell.
func Read(p *game.Pack, h tracker.Hand, r game.Result) bool {
	return within(p, marked(p, h.Result), marked(p, r)) && asTotals(h.Result, r)
}

// Ask puts the question of a key (NEW SHOE?, VOID?) that a shoe wants answered. It puts
// none where the key would put another, as on a closed table. False: not now.
func (c Console) Ask(t *Context, k Key) (Console, Out, bool) {
	if t.Saving || c.keyDown() || c.mode != idle && c.mode != noResult && c.mode != lapsed {
		return c, Out{}, false
	}
	if c.mode == lapsed {
		c.mode = idle // the shoe's question stands in its place
	}
	word := c.grammar[c.row(t)][k.column(false)]
	if word != "newshoe?" && word != "void?" {
		return c, Out{}, true
	}
	c.uncover(t.Now.Mono)
	c.ask(t, word, Binding{Tap: k})
	c.offered = true
	return c, Out{Tone: Remind}, true
}

// Cards is the token of the hand being keyed as a shoe read it, "" when none has.
func (c Console) Cards() string { return c.seen.cards }

// Down are the keys that are down and were not refused.
func (c Console) Down() []Binding {
	var down []Binding
	for _, h := range c.down {
		if !h.stuck && !h.refused {
			down = append(down, h.binding)
		}
	}
	return down
}
