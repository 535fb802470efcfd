package console

import (
	"fmt"
	"slices"

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
	mine   bool        // the dealer has said that what he keyed counts
}

// Offer proposes a hand of certain cards, given as its token. With nothing pending it
// becomes the proposal; an entry that says the same has the cards from now on; another
// entry is asked about. False: not now, and to be offered again after the next step.
// The caller sees to it that the hand is not one that is recorded already.
func (c Console) Offer(t Table, cards string) (Console, Out, bool) {
	if t.Saving || c.keyDown() || !t.State.Open() {
		return c, Out{}, false
	}
	h, err := tracker.ParseToken(t.State.Pack(), cards)
	if err != nil {
		c, out := c.Unsure(t)
		return c, out, true
	}
	seen := shoeHand{cards: cards, result: marked(t.State.Pack(), h.Result)}
	switch {
	case c.mode == idle || c.mode == noResult:
		c.clear()
		c.uncover(t.Now.Mono)
		c.take(t, seen)
		return c, Out{Tone: Ack}, true
	case c.mode != entry || c.seen.cards != "":
		return c, Out{}, false
	case within(t.State.Pack(), c.hand, seen.result):
		if c.seen = seen; c.hand != seen.result {
			c.take(t, seen)
		}
		return c, Out{}, true
	}
	c.seen = seen
	c.set(askShoe, standsAfterQ, t.Now.Mono)
	return c, Out{Tone: Remind}, true
}

// take makes the hand that a shoe read the proposal. It came by itself, so it has to
// stand as long as a question.
func (c *Console) take(t Table, seen shoeHand) {
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
func (c *Console) readSo(t Table) bool {
	return c.seen.cards != "" && c.hand.Outcome != game.NoOutcome &&
		marked(t.State.Pack(), t.State.Pack().Complete(c.hand)) == c.seen.result
}

// differs says whether the shoe read another hand than is keyed, and the dealer has not
// said yet which counts.
func (c *Console) differs(t Table) bool { return c.seen.cards != "" && !c.seen.mine && !c.readSo(t) }

// choose answers which hand counts. It is proposed then, and OK saves it.
func (c *Console) choose(t Table, word string) Out {
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
func (c *Console) shoeLines(t Table) [2]string {
	p, r := t.State.Pack(), c.seen.result
	return [2]string{fit("SHOE SAYS "+longName(p, r), "SHOE SAYS "+shortName(p, r), "SHOE SAYS "+codeName(p, r)), "OK=SHOE  CLEAR=MINE"}
}

// Unsure says that the shoe cannot be believed about the hand. It covers nothing that
// is being keyed.
func (c Console) Unsure(t Table) (Console, Out) {
	if t.Saving || c.keyDown() || c.mode != idle && c.mode != noResult || !t.State.Open() {
		return c, Out{}
	}
	c.note = note{lines: [2]string{"SHOE UNSURE: KEY IT", "BANKER  TIE  PLAYER"}, until: forEver}
	return c, Out{Tone: Remind}
}

// Contradict says that the shoe read the last hand otherwise than it is recorded. It
// changes nothing. False: not now.
func (c Console) Contradict(t Table, r game.Result) (Console, Out, bool) {
	if t.Saving || c.keyDown() || c.mode != idle {
		return c, Out{}, false
	}
	p, n := t.State.Pack(), len(t.State.Shoe.Hands)
	r = marked(p, r)
	c.note = note{lines: [2]string{fit(fmt.Sprintf("SHOE SAYS %d %s", n, longName(p, r)), fmt.Sprintf("SHOE SAYS %d %s", n, shortName(p, r)),
		fmt.Sprintf("SHOE SAYS %d %s", n, codeName(p, r)), fmt.Sprintf("SHOE: %d %s", n, codeName(p, r))), "FIX: HOLD CLEAR 1s"}, until: forEver}
	return c, Out{Tone: Remind}, true
}

// Read says whether r, from cards, is what the recorded hand h is as far as keys tell.
func Read(p *game.Pack, h tracker.Hand, r game.Result) bool {
	return within(p, marked(p, h.Result), marked(p, r))
}

// Ask puts the question of a key (NEW SHOE?, VOID?) that a shoe wants answered. It puts
// none where the key would put another, as on a closed table. False: not now.
func (c Console) Ask(t Table, k Key) (Console, Out, bool) {
	if t.Saving || c.keyDown() || c.mode != idle && c.mode != noResult {
		return c, Out{}, false
	}
	word := c.grammar[c.row(t)][k.column(false)]
	if word != "newshoe?" && word != "void?" {
		return c, Out{}, true
	}
	c.uncover(t.Now.Mono)
	c.ask(t, word, Binding{Tap: k})
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
