package table

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"shoeboard/hw"
	"shoeboard/tracker"
	"shoeboard/tracker/card"
	"shoeboard/tracker/console"
)

// mostRead bounds the hands that a shoe has read and that were not proposed yet.
const mostRead = 8

// mostKeyed bounds the hands that are kept for a shoe to repeat: more than a converter keeps.
const mostKeyed = 300

// shoeInput holds what card-reading shoes have read and the dealer has not yet been asked.
//
// A shoe does not know which of the table's hands it read. It is the next one to be
// recorded, unless a hand that no shoe had read was recorded after this one had begun:
// then it is that one. A hand of which the shoe is not sure is the dealer's: he is asked to
// key it, and no other hand waits for it. Until he has recorded one, no hand is certain.
type shoeInput struct {
	away   map[string]bool // shoes whose line is down
	began  time.Duration   // when the first card of the hand in play was turned, 0: not yet
	read   []readHand      // not proposed yet, oldest first
	now    *readHand       // the hand being keyed, once it has been proposed
	keyed  []keyedHand     // recorded or voided, and not read, oldest first
	unsure bool            // what was recorded last may not be all that was dealt

	shoes   int  // new shoes that began
	newShoe bool // one was, and NEW SHOE? has not been asked
	void    bool // the shoe called the hand off, and VOID? has not been asked

	contradicts contradiction // what has not been said of a recorded hand
}

// readHand is one hand as a shoe read it.
type readHand struct {
	cards string        // its token; empty: it is doubtful
	began time.Duration // when its first card was turned, or earlier
	shoes int           // new shoes that had begun before it
	again bool          // it is proposed for the second time
}

// keyedHand is a hand that the dealer has settled and that no shoe had read by then.
type keyedHand struct {
	hand   int // its number in this shoe, 0: there is nothing to compare
	at     tracker.Stamp
	unsure bool // it may be an earlier one, of which the shoe was not sure
}

// contradiction is a recorded hand of which a shoe has read other cards, "" for none.
type contradiction struct {
	hand  int
	cards string
}

// newShoeInput returns the input of a program that starts in a state. The last hand may have been
// keyed before the shoe had read it.
func newShoeInput(s tracker.State) shoeInput {
	f := shoeInput{away: map[string]bool{}}
	if last, ok := s.Last(); ok && last.Cards == "" {
		f.keyed = []keyedHand{{hand: len(s.Shoe.Hands), at: s.Saved}}
	}
	return f
}

// readShoe takes an event of a card-reading shoe.
func (e *Engine) readShoe(ev hw.Event) {
	switch ev := ev.(type) {
	case hw.CardSeen:
		if e.shoe.began == 0 {
			e.shoe.began = ev.At
		}
	case hw.HandSeen:
		e.handSeen(ev)
	case hw.ShoeSeen:
		e.shoeSeen(ev)
	}
}

// handSeen keeps a hand until the dealer can be asked about it, unless it is recorded.
func (e *Engine) handSeen(ev hw.HandSeen) {
	f, s := &e.shoe, e.context().Projected
	h := e.endOfHand(ev.Since, ev.At)
	if !s.Open() {
		return
	}
	cards, why := "", ev.Doubt
	if why == "" || why == hw.LineWasDown {
		token, flaw := certainToken(s, ev)
		if cards = token; flaw != "" {
			why = flaw
		}
	}
	k, recorded := f.recordedSince(h.began, e.now.Boot, ev.Since > 0)
	switch {
	case recorded && !k.unsure:
		e.compare(ev.Source, k.hand, cards)
		return
	case recorded && why == "":
		why = "it may be the one that was keyed last"
	case ev.Since > 0 && why == "" && len(s.Shoe.Hands) > 0: // they were recorded before it
		why = hw.LineWasDown
	case f.unsure && why == "":
		why = "no hand was recorded since one that was in doubt"
	}
	if h.cards = cards; why != "" {
		h.cards = ""
	}
	e.keep(ev.Source, h, why)
}

// endOfHand returns the hand in play, which has ended at a time, with no cards.
func (e *Engine) endOfHand(since, at time.Duration) readHand {
	h := readHand{shoes: e.shoe.shoes, began: e.shoe.began}
	e.shoe.began = 0
	switch {
	case since > 0 && (h.began == 0 || h.began > since):
		h.began = since
	case since == 0 && (h.began == 0 || h.began == at): // its cards were turned as it ended: keyed before, perhaps
		h.began = at - time.Duration(e.state.Settings.MinHand)*time.Second
	}
	return h
}

// keep keeps a hand until it can be proposed, or its doubt can be told.
func (e *Engine) keep(source string, h readHand, doubt string) {
	e.warnAhead(source)
	if doubt != "" {
		e.shoe.unsure = true
		e.SetFault(e.now, "shoe-doubt", "Shoe "+source+" is not sure of the hand, key it: "+doubt)
	}
	if len(e.shoe.read) < mostRead {
		e.shoe.read = append(e.shoe.read, h)
	}
}

// recordedSince returns which of the hands that no shoe had read a hand is that began
// then. Hands come late in the order in which they were dealt, so that it is the oldest of
// those; one that comes as it is dealt is the newest, and those before it will not come.
func (f *shoeInput) recordedSince(began time.Duration, boot string, late bool) (keyedHand, bool) {
	meant := func(k keyedHand) bool { return k.at.Boot == boot && k.at.Mono >= began && !(late && k.unsure) }
	if !late && len(f.keyed) > 0 {
		f.keyed = f.keyed[len(f.keyed)-1:]
	}
	for len(f.keyed) > 0 {
		k := f.keyed[0]
		if f.keyed = f.keyed[1:]; meant(k) {
			return k, true
		}
	}
	return keyedHand{}, false
}

// compare holds the cards that a shoe has read against the hand that is recorded.
func (e *Engine) compare(source string, hand int, cards string) {
	s := e.state
	if cards == "" || hand == 0 || hand > len(s.Shoe.Hands) || agrees(s, s.Shoe.Hands[hand-1], cards) {
		return
	}
	e.shoe.contradicts = contradiction{hand, cards}
	e.SetFault(e.now, "shoe-differs", fmt.Sprintf("Shoe %s read hand %d as %s, another result than is recorded: "+
		"look at the cards, fix the hand if it is wrong", source, hand, cards))
}

// warnAhead warns that a hand before the one just read was not recorded. If it is not on the
// echo any more it is proposed once again, so that none gets lost.
func (e *Engine) warnAhead(source string) {
	if e.shoe.now == nil && len(e.shoe.read) == 0 && !e.shoe.unsure {
		return
	}
	e.SetFault(e.now, "shoe-ahead",
		"Shoe "+source+" has read another hand before the last one was recorded: record each of them")
	if last := e.shoe.now; last != nil && !e.console.Pending() && last.cards != "" && !last.again {
		last.again = true
		e.shoe.read = append([]readHand{*last}, e.shoe.read...)
		e.shoe.now = nil
	}
}

// certainToken returns the token of a hand that nothing speaks against, or why there is none.
func certainToken(s tracker.State, ev hw.HandSeen) (token, doubt string) {
	if !ev.Complete {
		return "", "the hand is not whole"
	}
	r, err := s.Shoe.Pack.FromCards(ev.Player, ev.Banker)
	if err != nil {
		return "", err.Error()
	}
	if c, decks := tooMany(s, append(slices.Clone(ev.Player), ev.Banker...)), s.Settings.Decks; c != (card.Card{}) {
		return "", fmt.Sprintf("%s more often than %d decks have it (is this a new shoe?)", c, decks)
	}
	hand := tracker.Hand{Result: r, Cards: card.FormatList(ev.Player) + "/" + card.FormatList(ev.Banker)}
	return tracker.FormatToken(s.Shoe.Pack, hand), ""
}

func agrees(s tracker.State, h tracker.Hand, cards string) bool {
	read, err := tracker.ParseToken(s.Shoe.Pack, cards)
	return err == nil && console.Matches(s.Shoe.Pack, h, read.Result)
}

// shoeSeen takes what a shoe did besides dealing. Of what comes late the dealer has had to
// settle all that he could see.
func (e *Engine) shoeSeen(ev hw.ShoeSeen) {
	started := e.state.Shoe.Started
	settled := ev.Change == hw.HandVoid || // and of the shoe before:
		(ev.Change == hw.CutCard || ev.Change == hw.NewShoe) && started.Boot == e.now.Boot && started.Mono >= ev.Since
	if ev.Since > 0 && settled {
		e.shoe.began = 0
		return
	}
	switch ev.Change {
	case hw.CutCard:
		e.cut(ev.Source)
	case hw.NewShoe:
		e.shoe.shoes++
		e.shoe.newShoe, e.shoe.began = true, 0
		if ev.Doubt != "" {
			e.SetFault(e.now, "shoe-doubt", "Shoe "+ev.Source+" is not sure that a new shoe began: "+ev.Doubt)
		}
	case hw.HandVoid:
		e.shoe.void, e.shoe.began = true, 0
	case hw.PoweredUp:
		e.powerUp(ev)
		e.SetFault(e.now, "shoe-restarted", "Shoe "+ev.Source+" was switched on: check whether a hand is missing")
	case hw.Overdrawn:
		e.SetFault(e.now, "shoe-overdrawn", "Shoe "+ev.Source+" gave too many cards")
	case hw.ShoeTrouble:
		e.SetFault(e.now, "shoe-trouble-"+ev.Source, "Shoe "+ev.Source+" reports: "+ev.Text)
	case hw.ShoeCleared:
		e.endFault("shoe-trouble-" + ev.Source)
	}
}

// powerUp drops the cards of a hand in play, unless the dealer had keyed it.
func (e *Engine) powerUp(ev hw.ShoeSeen) {
	h := e.endOfHand(ev.Since, ev.At)
	if ev.Doubt == "" || !e.context().Projected.Open() {
		return
	}
	if _, recorded := e.shoe.recordedSince(h.began, e.now.Boot, ev.Since > 0); !recorded {
		e.keep(ev.Source, h, ev.Doubt)
	}
}

// cut does what the first tap of CUT does; a later one is the dealer's alone.
func (e *Engine) cut(source string) {
	s := e.context().Projected
	if s.Open() && s.Phase != tracker.Shuffling && s.Shoe.Last == 0 {
		e.Request(e.now, source, tracker.Command{Kind: tracker.CutSet, Hand: s.NextCut()})
	}
}

// shoeNotice takes news of a shoe itself.
func (e *Engine) shoeNotice(ev hw.Notice) {
	switch ev.Change {
	case hw.Came:
		delete(e.shoe.away, ev.Source)
		e.endFault("shoe-trouble-" + ev.Source)
		if len(e.shoe.away) == 0 {
			e.endFault("shoe-reader-lost")
		}
	case hw.Went:
		e.shoe.away[ev.Source] = true
		e.SetFault(e.now, "shoe-reader-lost", "Shoe "+ev.Source+" does not answer: key the hands. "+ev.Text)
	case hw.Faulty:
		e.SetFault(e.now, "shoe-trouble-"+ev.Source, "Shoe "+ev.Source+": "+ev.Text)
	}
}

// askShoe tells the dealer what shoes have read, as far as that disturbs nothing.
func (e *Engine) askShoe() {
	f := &e.shoe
	switch {
	case f.contradicts.cards != "":
		e.contradict()
	case f.now == nil && len(f.read) > 0 && !(f.newShoe && f.read[0].shoes == f.shoes):
		e.propose()
	case f.now != nil && f.now.again && len(f.read) > 0 && !e.console.Pending() && e.inFlight == nil &&
		len(e.queue) == 0:
		f.now = nil // it was not wanted: on to the next
		e.propose()
	case f.newShoe:
		f.newShoe = !e.question(console.KeyNewShoe)
	case f.void:
		f.void = !e.question(console.KeyVoid)
	}
}

// propose proposes the hand that was read first, or says that it has to be keyed. Which
// one is recorded next is known only of the first kind.
func (e *Engine) propose() {
	h := e.shoe.read[0]
	var c console.Console
	var out console.Out
	var told bool
	if h.cards == "" {
		c, out, told = e.console.Unsure(e.context())
	} else {
		c, out, told = e.console.Offer(e.context(), h.cards)
	}
	if !told {
		return
	}
	if e.shoe.read = e.shoe.read[1:]; h.cards != "" {
		e.shoe.now = &h
	}
	e.accept(c, out, "shoe")
}

func (e *Engine) question(k console.Key) bool {
	c, out, asked := e.console.Question(e.context(), k)
	if asked {
		e.accept(c, out, "shoe")
	}
	return asked
}

func (e *Engine) contradict() {
	f := &e.shoe
	h, err := tracker.ParseToken(e.state.Shoe.Pack, f.contradicts.cards)
	c, out, told := e.console.Contradict(e.context(), f.contradicts.hand, h.Result)
	if told || err != nil {
		f.contradicts = contradiction{}
		e.accept(c, out, "shoe")
	}
}

// record takes a fact that is on disk.
func (f *shoeInput) record(e *Engine, ev tracker.Event) {
	switch ev.Kind {
	case tracker.HandInserted:
		last, _ := e.state.Last()
		if f.now != nil && ev.Hand == len(e.state.Shoe.Hands) && agrees(e.state, last, f.now.cards) {
			f.now = nil // the floor has put in what was proposed and not saved
		}
		f.renumber(ev.Hand, 1)
		return
	case tracker.HandRecorded, tracker.HandVoided:
		f.settle(e, ev)
	case tracker.ShoeStarted:
		for len(f.read) > 0 && f.read[0].shoes < f.shoes {
			f.read = f.read[1:]
		}
		for i := range f.keyed {
			f.keyed[i].hand = 0
		}
		f.newShoe, f.void, f.contradicts = false, false, contradiction{}
	case tracker.TableShut, tracker.PackInstalled:
		f.read, f.keyed, f.newShoe, f.void, f.contradicts = nil, nil, false, false, contradiction{}
	case tracker.HandRemoved:
		f.keyed = slices.DeleteFunc(f.keyed, func(k keyedHand) bool { return k.hand == ev.Hand })
		f.renumber(ev.Hand, -1)
		return
	default:
		return
	}
	f.now, f.unsure = nil, slices.ContainsFunc(f.read, readHand.doubtful)
	for _, code := range []string{"shoe-doubt", "shoe-ahead", "shoe-differs", "shoe-restarted", "shoe-overdrawn"} {
		e.endFault(code)
	}
}

// settle finds out which of the hands read was recorded or voided.
func (f *shoeInput) settle(e *Engine, ev tracker.Event) {
	k := keyedHand{hand: ev.Hand, at: ev.At, unsure: f.unsure}
	f.contradicts = contradiction{}
	if ev.Kind == tracker.HandVoided {
		k.hand, f.void = 0, false
	}
	switch {
	case f.now != nil:
	case len(f.read) > 0 && !f.read[0].doubtful() && f.read[0].began <= ev.At.Mono: // keyed before it could be proposed
		h := f.read[0]
		f.read = f.read[1:]
		if k.hand > 0 && !agrees(e.state, e.state.Shoe.Hands[k.hand-1], h.cards) {
			f.contradicts = contradiction{k.hand, h.cards}
		}
	default:
		for len(f.read) > 0 && f.read[0].doubtful() && f.read[0].began <= ev.At.Mono {
			f.read = f.read[1:]
		}
		f.keyed = append(f.keyed[max(0, len(f.keyed)+1-mostKeyed):], k)
	}
}

func (h readHand) doubtful() bool { return h.cards == "" }

// renumber gives other numbers to the hands from one on.
func (f *shoeInput) renumber(from, by int) {
	for i := range f.keyed {
		if f.keyed[i].hand >= from {
			f.keyed[i].hand += by
		}
	}
	f.contradicts = contradiction{}
}

// restart takes the cards of the hand that came back, "" for none.
func (f *shoeInput) restart(cards string) {
	if cards != "" {
		f.now = &readHand{cards: cards}
	}
}

// tooMany returns a card of a hand that its shoe would have dealt more often than its decks
// have it, no card when there is none. Hands that were keyed without cards and those that
// were void are not counted: it may find too little, never too much.
func tooMany(s tracker.State, hand []card.Card) card.Card {
	decks := s.Settings.Decks
	if decks == 0 {
		return card.Card{}
	}
	dealt, ranks := map[card.Card]int{}, map[card.Rank]int{}
	count := func(c card.Card) {
		dealt[c]++
		ranks[c.Rank]++
	}
	for _, h := range s.Shoe.Hands {
		cards, _ := card.ParseList(strings.ReplaceAll(h.Cards, "/", ",")) // none where none were entered
		for _, c := range cards {
			count(c)
		}
	}
	for _, c := range hand {
		count(c)
		if c.Suit != card.NoSuit && dealt[c] > decks || ranks[c.Rank] > 4*decks {
			return c
		}
	}
	return card.Card{}
}
