package main

import (
	"context"
	"math/rand/v2"
	"strconv"
	"time"

	"shoeboard/cmd/internal/core"
	"shoeboard/hw"
	"shoeboard/stats"
	"shoeboard/tracker"
	"shoeboard/tracker/card"
	"shoeboard/tracker/console"
	"shoeboard/tracker/game"
)

// dealer is a dealer who deals by himself: from a shuffled shoe with burn and cut
// card, by the table of the game, keying each hand as a person would, now and then
// wrongly and then right. He is a source like any keypad, and looks at the board
// to see that what he keyed was taken.
type dealer struct {
	core   *core.Core
	pack   *game.Pack
	keys   console.Map
	rand   *rand.Rand
	speed  float64
	shoes  int    // to deal, 0: for ever
	finish func() // after the last of them

	teller *hw.Teller
	cards  []card.Card
	cut    int // cards left when the cut card shows
}

func newDealer(v *demoVerb, c *core.Core, pack *game.Pack, finish func()) *dealer {
	seed := v.Seed
	if seed == 0 {
		seed = rand.Uint64()
	}
	return &dealer{core: c, pack: pack, keys: console.Keyboard(pack), rand: rand.New(rand.NewPCG(seed, 0)),
		speed: v.Speed, shoes: v.Shoes, finish: finish}
}

// Run deals shoes until ctx ends.
func (d *dealer) Run(ctx context.Context, out chan<- hw.Event) error {
	d.teller = hw.NewTeller("dealer", out)
	d.await(ctx, func(b *stats.Board) bool { return b.Phase != "table-closed" })
	for n := 1; ctx.Err() == nil; n++ {
		d.shuffle()
		d.burn()
		d.wait(ctx, 12*time.Second)
		d.shoe(ctx)
		if n == d.shoes {
			d.finish()
			return nil
		}
		d.wait(ctx, 30*time.Second)
		d.save(ctx, func(b *stats.Board) bool { return b.Phase == "shuffling" }, func() {
			d.press(ctx, "NEW_SHOE", 2100*time.Millisecond)
		})
		d.wait(ctx, time.Minute)
	}
	return nil
}

// shuffle fills the shoe and puts the cut card 14 cards from its end.
func (d *dealer) shuffle() {
	d.cards = card.Shuffled(d.pack.Decks.Default, d.rand.Shuffle)
	d.cut = 14
}

func (d *dealer) next() card.Card {
	c := d.cards[0]
	d.cards = d.cards[1:]
	return c
}

// burn turns the first card and burns as many as it says, ten for tens and pictures.
func (d *dealer) burn() {
	n := d.next().Rank.Burn()
	d.cards = d.cards[n:]
}

// shoe deals hands to the end of the shoe.
func (d *dealer) shoe(ctx context.Context) {
	for last := -1; last != 0 && ctx.Err() == nil; {
		seen := len(d.cards) > d.cut
		d.hand(ctx, seen && len(d.cards)-6 <= d.cut && last < 0)
		if last > 0 {
			last--
		} else if seen && len(d.cards) <= d.cut {
			last = d.pack.HandsAfterCut
		}
	}
}

// hand deals one hand: bets, cards, result, take and pay.
func (d *dealer) hand(ctx context.Context, cutMayShow bool) {
	free := d.rand.IntN(60) == 0
	if free {
		d.press(ctx, "FREE", 0)
	} else {
		d.press(ctx, d.bets(), 0)
		d.wait(ctx, time.Duration(18+d.rand.IntN(8))*time.Second)
	}
	before := len(d.cards)
	player, banker := d.pack.Drawing.Deal(d.next)
	result, err := d.pack.FromCards(player, banker)
	if err != nil {
		return // the table of the game dealt what it does not allow: nothing to key
	}
	d.wait(ctx, 14*time.Second)
	if cutMayShow && before > d.cut && len(d.cards) <= d.cut {
		d.press(ctx, "CUT", 0)
	}
	d.key(ctx, result)
	d.wait(ctx, 13*time.Second)
}

// key keys a result, now and then wrongly first.
func (d *dealer) key(ctx context.Context, r game.Result) {
	wrong := d.other(r.Outcome)
	hands := d.hands()
	saved := func(b *stats.Board) bool { return b.Phase != "shuffling" && b.Shoe.Hands > hands }
	switch d.rand.IntN(24) {
	case 0: // seen before OK
		d.compose(ctx, wrong)
		d.wait(ctx, time.Second)
		d.compose(ctx, r)
		d.save(ctx, saved, func() { d.compose(ctx, r) })
	case 1: // seen after OK: a fix
		d.save(ctx, saved, func() { d.compose(ctx, wrong) })
		d.wait(ctx, 5*time.Second)
		d.save(ctx, func(b *stats.Board) bool { return len(b.Marked) > 0 }, func() {
			d.press(ctx, "FIX", 1100*time.Millisecond)
			d.compose(ctx, r)
		})
	default:
		d.save(ctx, saved, func() { d.compose(ctx, r) })
	}
}

// other returns a hand that another side won.
func (d *dealer) other(o game.Outcome) game.Result {
	totals := map[game.Outcome][2]int{game.Player: {6, 7}, game.Banker: {6, 6}, game.Tie: {7, 6}}[o]
	r, _ := d.pack.FromTotals(totals[0], 2, totals[1], 2) // on 6 and 7 both stand by every table
	return r
}

// keysTotals reports whether totals are keyed at the table.
func (d *dealer) keysTotals() bool {
	return d.core.Set.Config.Entry == string(tracker.EntryTotals)
}

// bets returns the key that opens bets.
func (d *dealer) bets() string {
	if d.keysTotals() {
		return string(console.KeyOK)
	}
	return string(console.KeyBets)
}

// save keys and presses OK until the board shows that it was taken. What is not
// pending any more (it lapsed, because time runs fast) is keyed again.
func (d *dealer) save(ctx context.Context, taken func(*stats.Board) bool, key func()) {
	for range 5 {
		if b, _ := d.core.Hub.Newest(); b == nil || !b.Dealer.Entering {
			key()
		}
		d.wait(ctx, time.Second)
		d.press(ctx, "OK", 0)
		if ctx.Err() != nil || d.await(ctx, taken) {
			return
		}
	}
}

// compose presses the keys of a result.
func (d *dealer) compose(ctx context.Context, r game.Result) {
	if d.keysTotals() {
		for _, side := range [][2]uint8{{r.PlayerTotal, r.PlayerCards}, {r.BankerTotal, r.BankerCards}} {
			d.press(ctx, strconv.Itoa(int(side[0])), 0)
			if side[1] == 3 {
				d.press(ctx, ".", 0)
			}
		}
		return
	}
	name := map[game.Outcome]string{game.Player: "PLAYER", game.Banker: "BANKER", game.Tie: "TIE"}[r.Outcome]
	both := r.PlayerNatural && r.BankerNatural
	switch {
	case both && r.Outcome == game.Tie:
		name = "BOTH_NATURAL"
	case r.PlayerNatural || r.BankerNatural:
		name += "_NATURAL"
	}
	var modifiers []string
	for i := range r.Bets.All() {
		switch implied := d.pack.Implied(i); {
		case implied == game.NoOutcome:
			modifiers = append(modifiers, d.pack.Bets[i].ID)
		case implied != game.Tie:
			name = d.pack.Bets[i].ID
		}
	}
	d.press(ctx, name, 0)
	if both && r.Outcome != game.Tie {
		d.press(ctx, name, 0)
	}
	for _, id := range modifiers {
		d.press(ctx, id, 0)
	}
}

// await looks at the board until it is as it should be, for at most 2 s.
func (d *dealer) await(ctx context.Context, as func(*stats.Board) bool) bool {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	for {
		b, newer := d.core.Hub.Newest()
		if b != nil && as(b) {
			return true
		}
		select {
		case <-newer:
		case <-ctx.Done():
			return false
		}
	}
}

func (d *dealer) hands() int {
	if b, _ := d.core.Hub.Newest(); b != nil && b.Phase != "shuffling" {
		return b.Shoe.Hands
	}
	return 0
}

// press taps a key, or holds it for exactly that long, however fast time runs. A tap is
// told at once, both ends of it: where time runs fast a pause of this computer's would be
// seconds of the table's, and the tap a hold.
func (d *dealer) press(ctx context.Context, name string, hold time.Duration) {
	pos, ok := d.keys.Find(name)
	if !ok {
		return
	}
	down := d.core.Set.Clock.Mono()
	d.teller.Press(ctx, pos, true, down)
	d.wait(ctx, hold)
	hold = max(hold, tapTime)
	d.teller.Press(ctx, pos, false, down+hold)
	d.wait(ctx, 400*time.Millisecond)
}

// wait lets time pass as the table's clock counts it.
func (d *dealer) wait(ctx context.Context, t time.Duration) {
	timer := time.NewTimer(time.Duration(float64(t) / d.speed))
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}
