package table

import (
	"fmt"
	"slices"
	"time"

	"shoeboard/hw"
	"shoeboard/tracker"
	"shoeboard/tracker/card"
	"shoeboard/tracker/console"
)

// Role says what a source is for.
type Role uint8

// The roles of sources.
const (
	Keypad    Role = iota // the dealer's keys: whatever no other role is named for
	Shoe                  // reads cards
	EchoLines             // the dealer's echo
	Output                // shows or sounds something else
	KeySwitch             // the supervisor's: down is under review
)

// mostRead bounds the hands that a shoe has read and that were not proposed yet.
const mostRead = 8

// mostKeyed bounds the hands that are kept for a shoe to repeat: more than a converter keeps.
const mostKeyed = 300

// feed is what card-reading shoes have told and the dealer has not yet been asked.
//
// A shoe does not know which of the table's hands it read. It is the next one to be
// recorded, unless a hand that no shoe had read was recorded after this one had begun:
// then it is that one. A hand of which the shoe is not sure is the dealer's: he is told to
// key it, and no other hand waits for it. Until he has recorded one, no hand is certain.
type feed struct {
	away   map[string]bool // shoes whose line is down
	began  time.Duration   // when the first card of the hand in play was turned, 0: not yet
	read   []readHand      // not proposed yet, oldest first
	now    *readHand       // the hand being keyed, once it has been proposed
	keyed  []keyedHand     // recorded or voided, and not read, oldest first
	unsure bool            // what was recorded last may not be all that was dealt

	shoes   int  // new shoes that were told of
	newShoe bool // one was, and NEW SHOE? has not been asked
	void    bool // the shoe called the hand off, and VOID? has not been asked

	contradicts contradiction // what has not been said of a recorded hand
}

// readHand is one hand as a shoe read it.
type readHand struct {
	cards string        // its token; empty: it is doubtful
	began time.Duration // when its first card was turned, or earlier
	shoes int           // new shoes that had been told of before it
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

// newFeed returns the feed of a program that starts in a state. The last hand may have been
// keyed before the shoe had read it.
func newFeed(s tracker.State) feed {
	f := feed{away: map[string]bool{}}
	if last, ok := s.Last(); ok && last.Cards == "" {
		f.keyed = []keyedHand{{hand: len(s.Shoe.Hands), at: s.Saved}}
	}
	return f
}

// feedInput takes an event of a card-reading shoe.
func (d *Desk) feedInput(now tracker.Stamp, e hw.Event) {
	switch e := e.(type) {
	case hw.CardSeen:
		if d.feed.began == 0 {
			d.feed.began = e.At
		}
	case hw.HandSeen:
		d.handSeen(now, e)
	case hw.ShoeSeen:
		d.shoeSeen(now, e)
	}
}

// handSeen keeps a hand until the dealer can be asked about it, unless it is recorded.
func (d *Desk) handSeen(now tracker.Stamp, e hw.HandSeen) {
	f, s := &d.feed, d.coming()
	h := d.ended(e.Since, e.At)
	if !s.Open() {
		return
	}
	cards, why := "", e.Doubt
	if why == "" || why == hw.LineWasDown {
		token, flaw := certain(s, e)
		if cards = token; flaw != "" {
			why = flaw
		}
	}
	k, recorded := f.recordedSince(h.began, now.Boot, e.Since > 0)
	switch {
	case recorded && !k.unsure:
		d.compare(e.Source, k.hand, cards)
		return
	case recorded && why == "":
		why = "it may be the one that was keyed last"
	case e.Since > 0 && why == "" && len(s.Shoe.Hands) > 0: // they were recorded before it
		why = hw.LineWasDown
	case f.unsure && why == "":
		why = "no hand was recorded since one that was in doubt"
	}
	if h.cards = cards; why != "" {
		h.cards = ""
	}
	d.keep(e.Source, h, why)
}

// ended returns the hand in play, which has ended at a time, with no cards.
func (d *Desk) ended(since, at time.Duration) readHand {
	h := readHand{shoes: d.feed.shoes, began: d.feed.began}
	d.feed.began = 0
	switch {
	case since > 0 && (h.began == 0 || h.began > since):
		h.began = since
	case since == 0 && (h.began == 0 || h.began == at): // its cards were turned as it ended: it may have been keyed before
		h.began = at - time.Duration(d.state.Settings.MinHand)*time.Second
	}
	return h
}

// keep keeps a hand until it can be proposed, or its doubt can be told.
func (d *Desk) keep(source string, h readHand, doubt string) {
	d.ahead(source)
	if doubt != "" {
		d.feed.unsure = true
		d.setFault("shoe-doubt", "Shoe "+source+" is not sure of the hand, key it: "+doubt)
	}
	if len(d.feed.read) < mostRead {
		d.feed.read = append(d.feed.read, h)
	}
}

// recordedSince returns which of the hands that no shoe had read a hand is that began
// then. Hands come late in the order in which they were dealt, so that it is the oldest of
// those; one that comes as it is dealt is the newest, and those before it will not come.
func (f *feed) recordedSince(began time.Duration, boot string, late bool) (keyedHand, bool) {
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
func (d *Desk) compare(source string, hand int, cards string) {
	s := d.state
	if cards == "" || hand == 0 || hand > len(s.Shoe.Hands) || agrees(s, s.Shoe.Hands[hand-1], cards) {
		return
	}
	d.feed.contradicts = contradiction{hand, cards}
	d.setFault("shoe-differs", fmt.Sprintf("Shoe %s read hand %d as %s, another result than is recorded: look at the cards, fix the hand if it is wrong", source, hand, cards))
}

// ahead: a hand before the one just read was not recorded. If it is not on the echo
// any more it is proposed once again, so that none gets lost.
func (d *Desk) ahead(source string) {
	if d.feed.now == nil && len(d.feed.read) == 0 && !d.feed.unsure {
		return
	}
	d.setFault("shoe-ahead", "Shoe "+source+" has read another hand before the last one was recorded: record each of them")
	if last := d.feed.now; last != nil && !d.console.Pending() && last.cards != "" && !last.again {
		last.again = true
		d.feed.read = append([]readHand{*last}, d.feed.read...)
		d.feed.now = nil
	}
}

// certain is the token of a hand that nothing speaks against, or why there is none.
func certain(s tracker.State, e hw.HandSeen) (token, doubt string) {
	if !e.Complete {
		return "", "the hand is not whole"
	}
	r, err := s.Pack().FromCards(e.Player, e.Banker)
	if err != nil {
		return "", err.Error()
	}
	if c, decks := tooMany(s, append(slices.Clone(e.Player), e.Banker...)), s.Settings.Decks; c != (card.Card{}) {
		return "", fmt.Sprintf("%s more often than %d decks have it (is this a new shoe?)", c, decks)
	}
	return tracker.FormatToken(s.Pack(), tracker.Hand{Result: r, Cards: cardsOf(e.Player) + "/" + cardsOf(e.Banker)}), ""
}

func cardsOf(cards []card.Card) string {
	text := ""
	for i, c := range cards {
		if i > 0 {
			text += ","
		}
		text += c.String()
	}
	return text
}

func agrees(s tracker.State, h tracker.Hand, cards string) bool {
	read, err := tracker.ParseToken(s.Pack(), cards)
	return err == nil && console.Matches(s.Pack(), h, read.Result)
}

// shoeSeen takes what a shoe did besides dealing. Of what comes late the dealer has had to
// settle all that he could see.
func (d *Desk) shoeSeen(now tracker.Stamp, e hw.ShoeSeen) {
	started := d.state.Shoe.Started
	settled := e.Change == hw.HandVoid || // and of the shoe before:
		(e.Change == hw.CutCard || e.Change == hw.NewShoe) && started.Boot == now.Boot && started.Mono >= e.Since
	if e.Since > 0 && settled {
		d.feed.began = 0
		return
	}
	switch e.Change {
	case hw.CutCard:
		d.cutSeen(now, e.Source)
	case hw.NewShoe:
		d.feed.shoes++
		d.feed.newShoe, d.feed.began = true, 0
		if e.Doubt != "" {
			d.setFault("shoe-doubt", "Shoe "+e.Source+" is not sure that a new shoe began: "+e.Doubt)
		}
	case hw.HandVoid:
		d.feed.void, d.feed.began = true, 0
	case hw.PoweredUp:
		d.poweredUp(now, e)
		d.setFault("shoe-restarted", "Shoe "+e.Source+" was switched on: look whether a hand is missing")
	case hw.Overdrawn:
		d.setFault("shoe-overdrawn", "Shoe "+e.Source+" gave a card too many")
	case hw.ShoeTrouble:
		d.setFault("shoe-trouble-"+e.Source, "Shoe "+e.Source+" reports: "+e.Text)
	case hw.ShoeCleared:
		d.endFault("shoe-trouble-" + e.Source)
	}
}

// poweredUp: the cards of a hand in play are no hand, unless the dealer had keyed it.
func (d *Desk) poweredUp(now tracker.Stamp, e hw.ShoeSeen) {
	h := d.ended(e.Since, e.At)
	if e.Doubt == "" || !d.coming().Open() {
		return
	}
	if _, recorded := d.feed.recordedSince(h.began, now.Boot, e.Since > 0); !recorded {
		d.keep(e.Source, h, e.Doubt)
	}
}

// cutSeen is the CUT key's first tap; a later one is the dealer's alone.
func (d *Desk) cutSeen(now tracker.Stamp, source string) {
	s := d.coming()
	if s.Open() && s.Phase != tracker.Shuffling && s.Shoe.Last == 0 {
		d.Wish(now, source, tracker.Command{Kind: tracker.CutSet, Hand: s.NextCut()})
	}
}

// feedNotice takes news of a shoe itself.
func (d *Desk) feedNotice(e hw.Notice) {
	switch e.Change {
	case hw.Came:
		delete(d.feed.away, e.Source)
		d.endFault("shoe-trouble-" + e.Source)
		if len(d.feed.away) == 0 {
			d.endFault("shoe-reader-lost")
		}
	case hw.Went:
		d.feed.away[e.Source] = true
		d.setFault("shoe-reader-lost", "Shoe "+e.Source+" does not answer: key the hands. "+e.Text)
	case hw.Faulty:
		d.setFault("shoe-trouble-"+e.Source, "Shoe "+e.Source+": "+e.Text)
	}
}

// ask tells the dealer what shoes have read, as far as that disturbs nothing.
func (d *Desk) ask(now tracker.Stamp) {
	f := &d.feed
	switch {
	case f.contradicts.cards != "":
		d.contradict(now)
	case f.now == nil && len(f.read) > 0 && !(f.newShoe && f.read[0].shoes == f.shoes):
		d.propose(now)
	case f.now != nil && f.now.again && len(f.read) > 0 && !d.console.Pending() && d.flight == nil && len(d.queue) == 0:
		f.now = nil // it was not wanted: on to the next
		d.propose(now)
	case f.newShoe:
		f.newShoe = !d.question(now, console.KeyNewShoe)
	case f.void:
		f.void = !d.question(now, console.KeyVoid)
	}
}

// propose proposes the hand that was read first, or says that it has to be keyed. Which
// one is recorded next is known only of the first kind.
func (d *Desk) propose(now tracker.Stamp) {
	h := d.feed.read[0]
	var c console.Console
	var out console.Out
	var told bool
	if h.cards == "" {
		c, out, told = d.console.Unsure(d.at(now))
	} else {
		c, out, told = d.console.Offer(d.at(now), h.cards)
	}
	if !told {
		return
	}
	if d.feed.read = d.feed.read[1:]; h.cards != "" {
		d.feed.now = &h
	}
	d.take(now, c, out, "shoe")
}

func (d *Desk) question(now tracker.Stamp, k console.Key) bool {
	c, out, asked := d.console.Question(d.at(now), k)
	if asked {
		d.take(now, c, out, "shoe")
	}
	return asked
}

func (d *Desk) contradict(now tracker.Stamp) {
	f := &d.feed
	h, err := tracker.ParseToken(d.state.Pack(), f.contradicts.cards)
	c, out, told := d.console.Contradict(d.at(now), f.contradicts.hand, h.Result)
	if told || err != nil {
		f.contradicts = contradiction{}
		d.take(now, c, out, "shoe")
	}
}

// feedFact takes a fact that is on disk.
func (d *Desk) feedFact(e tracker.Event) {
	f := &d.feed
	switch e.Kind {
	case tracker.HandInserted:
		if last, _ := d.state.Last(); f.now != nil && e.Hand == len(d.state.Shoe.Hands) && agrees(d.state, last, f.now.cards) {
			f.now = nil // the floor has put in what was proposed and not saved
		}
		f.renumber(e.Hand, 1)
		return
	case tracker.HandRecorded, tracker.HandVoided:
		f.settled(d, e)
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
		f.keyed = slices.DeleteFunc(f.keyed, func(k keyedHand) bool { return k.hand == e.Hand })
		f.renumber(e.Hand, -1)
		return
	default:
		return
	}
	f.now, f.unsure = nil, slices.ContainsFunc(f.read, readHand.doubtful)
	for _, code := range []string{"shoe-doubt", "shoe-ahead", "shoe-differs", "shoe-restarted", "shoe-overdrawn"} {
		d.endFault(code)
	}
}

// counts says whether after a fact of this kind the table's hands and the shoe's agree.
func counts(k tracker.Kind) bool {
	return k == tracker.HandRecorded || k == tracker.HandVoided || k == tracker.ShoeStarted
}

// settled finds out which of the hands read it was that was recorded or voided.
func (f *feed) settled(d *Desk, e tracker.Event) {
	k := keyedHand{hand: e.Hand, at: e.At, unsure: f.unsure}
	f.contradicts = contradiction{}
	if e.Kind == tracker.HandVoided {
		k.hand, f.void = 0, false
	}
	switch {
	case f.now != nil:
	case len(f.read) > 0 && !f.read[0].doubtful() && f.read[0].began <= e.At.Mono: // keyed before it could be proposed
		h := f.read[0]
		f.read = f.read[1:]
		if k.hand > 0 && !agrees(d.state, d.state.Shoe.Hands[k.hand-1], h.cards) {
			f.contradicts = contradiction{k.hand, h.cards}
		}
	default:
		for len(f.read) > 0 && f.read[0].doubtful() && f.read[0].began <= e.At.Mono {
			f.read = f.read[1:]
		}
		f.keyed = append(f.keyed[max(0, len(f.keyed)+1-mostKeyed):], k)
	}
}

func (h readHand) doubtful() bool { return h.cards == "" }

// renumber gives other numbers to the hands from one on.
func (f *feed) renumber(from, by int) {
	for i := range f.keyed {
		if f.keyed[i].hand >= from {
			f.keyed[i].hand += by
		}
	}
	f.contradicts = contradiction{}
}

// restarted: what came back was of these cards, "" for none.
func (f *feed) restarted(cards string) {
	if cards != "" {
		f.now = &readHand{cards: cards}
	}
}

// deviceNotice takes news of what shows, sounds or switches.
func (d *Desk) deviceNotice(role Role, e hw.Notice) {
	code := "device-" + e.Source
	switch e.Change {
	case hw.Came:
		d.endFault(code)
		delete(d.blind, e.Source)
	case hw.Went, hw.Faulty:
		d.setFault(code, e.Source+": "+e.Text)
		if role == EchoLines {
			d.blind[e.Source] = true
		}
	}
}

// switched: the supervisor's key sets the review and releases it.
func (d *Desk) switched(now tracker.Stamp, e hw.Press) {
	if on := d.coming().Review != nil; on != e.Down {
		cmd := tracker.Command{Kind: tracker.ReviewSet, On: e.Down, At: now}
		d.enqueue(wish{cmds: []tracker.Command{cmd}, keys: []string{e.Pos}, source: e.Source})
	}
}
