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

// feed is what card-reading shoes have told and the dealer has not yet been asked.
//
// A shoe does not know which of the table's hands it read. It is the next one to be
// recorded, unless a hand that no shoe had read was recorded after this one had begun:
// then it is that one.
type feed struct {
	away  map[string]bool // shoes whose line is down
	began time.Duration   // when the first card of the hand in play was turned, 0: not yet
	read  []readHand      // not proposed yet, oldest first
	now   *readHand       // the hand being keyed, once the dealer has been told of it
	alone bool            // no shoe had read the hand recorded last

	shoes   int  // new shoes that were told of
	newShoe bool // one was, and NEW SHOE? has not been asked
	void    bool // the shoe called the hand off, and VOID? has not been asked

	contradicts string // cards of the hand recorded last that come to something else
}

// readHand is one hand as a shoe read it.
type readHand struct {
	cards string // its token; empty: it is doubtful
	shoes int    // new shoes that had been told of before it
	again bool   // it is proposed for the second time
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

// handSeen keeps a hand until the dealer can be asked about it.
func (d *Desk) handSeen(now tracker.Stamp, e hw.HandSeen) {
	began := d.feed.began
	d.feed.began = 0
	s := d.coming()
	if !s.Open() {
		return
	}
	h := readHand{shoes: d.feed.shoes}
	why := e.Doubt
	if why == "" {
		h.cards, why = certain(s, e)
	}
	if began == 0 || began == e.At { // its cards were turned as it ended: it may have been keyed before
		began = e.At - time.Duration(s.Settings.MinHand)*time.Second
	}
	if d.feed.alone && s.Saved.Boot == now.Boot && s.Saved.Mono >= began {
		d.feed.alone = false
		if last, ok := s.Last(); ok && h.cards != "" && !agrees(s, last, h.cards) {
			d.feed.contradicts = h.cards
			d.setFault("shoe-differs", fmt.Sprintf("Shoe %s read hand %d as %s, another result than is recorded: look at the cards, fix the hand if it is wrong", e.Source, len(s.Shoe.Hands), h.cards))
		}
		return
	}
	if why != "" {
		d.setFault("shoe-doubt", "Shoe "+e.Source+" is not sure of the hand, key it: "+why)
	}
	d.ahead(e.Source)
	if len(d.feed.read) < mostRead {
		d.feed.read = append(d.feed.read, h)
	}
}

// ahead: a hand before the one just read was not recorded. If it is not on the echo
// any more it is proposed once again, so that none gets lost.
func (d *Desk) ahead(source string) {
	if d.feed.now == nil && len(d.feed.read) == 0 {
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
	return err == nil && console.Read(s.Pack(), h, read.Result)
}

// shoeSeen takes what a shoe did besides dealing.
func (d *Desk) shoeSeen(now tracker.Stamp, e hw.ShoeSeen) {
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
		d.feed.began = 0
		d.setFault("shoe-restarted", "Shoe "+e.Source+" was switched on: look whether a hand is missing")
	case hw.Overdrawn:
		d.setFault("shoe-overdrawn", "Shoe "+e.Source+" gave a card too many")
	case hw.ShoeTrouble:
		d.setFault("shoe-trouble-"+e.Source, "Shoe "+e.Source+" reports: "+e.Text)
	case hw.ShoeCleared:
		d.endFault("shoe-trouble-" + e.Source)
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
		d.feed.began = 0
		d.setFault("shoe-reader-lost", "Shoe "+e.Source+" does not answer: key the hands. "+e.Text)
	case hw.Faulty:
		d.setFault("shoe-trouble-"+e.Source, "Shoe "+e.Source+": "+e.Text)
	}
}

// ask tells the dealer what shoes have read, as far as that disturbs nothing.
func (d *Desk) ask(now tracker.Stamp) {
	f := &d.feed
	switch {
	case f.contradicts != "":
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

func (d *Desk) propose(now tracker.Stamp) {
	h := d.feed.read[0]
	var c console.Console
	var out console.Out
	told := true
	if h.cards == "" {
		c, out = d.console.Unsure(d.at(now))
	} else {
		c, out, told = d.console.Offer(d.at(now), h.cards)
	}
	if told {
		d.feed.read, d.feed.now = d.feed.read[1:], &h
		d.take(now, c, out, "shoe")
	}
}

func (d *Desk) question(now tracker.Stamp, k console.Key) bool {
	c, out, asked := d.console.Ask(d.at(now), k)
	if asked {
		d.take(now, c, out, "shoe")
	}
	return asked
}

func (d *Desk) contradict(now tracker.Stamp) {
	h, err := tracker.ParseToken(d.state.Pack(), d.feed.contradicts)
	c, out, told := d.console.Contradict(d.at(now), h.Result)
	if told || err != nil {
		d.feed.contradicts = ""
		d.take(now, c, out, "shoe")
	}
}

// feedFact takes a fact that is on disk.
func (d *Desk) feedFact(e tracker.Event) {
	f := &d.feed
	switch e.Kind {
	case tracker.HandInserted:
		if last, _ := d.state.Last(); f.now != nil && e.Hand == len(d.state.Shoe.Hands) && f.now.cards != "" && agrees(d.state, last, f.now.cards) {
			f.now = nil // the floor has put in what was proposed and not saved
		}
		return
	case tracker.HandRecorded:
		f.recorded(d, e)
	case tracker.HandVoided:
		if f.now == nil && len(f.read) > 0 {
			f.read = f.read[1:]
		}
		f.void = false
	case tracker.ShoeStarted:
		for len(f.read) > 0 && f.read[0].shoes < f.shoes {
			f.read = f.read[1:]
		}
		f.newShoe, f.void, f.contradicts = false, false, ""
	case tracker.TableShut, tracker.PackInstalled:
		f.read, f.newShoe, f.void, f.contradicts = nil, false, false, ""
	default:
		return
	}
	f.now = nil
	if e.Kind != tracker.HandRecorded {
		f.alone = false
	}
	for _, code := range []string{"shoe-doubt", "shoe-ahead", "shoe-differs", "shoe-restarted", "shoe-overdrawn"} {
		d.endFault(code)
	}
}

// counts says whether after a fact of this kind the table's hands and the shoe's agree.
func counts(k tracker.Kind) bool {
	return k == tracker.HandRecorded || k == tracker.HandVoided || k == tracker.ShoeStarted
}

// recorded finds out which of the hands read it was that was recorded.
func (f *feed) recorded(d *Desk, e tracker.Event) {
	f.contradicts = ""
	f.alone = f.now == nil && len(f.read) == 0
	if f.now == nil && len(f.read) > 0 { // keyed before it could be proposed
		h := f.read[0]
		f.read = f.read[1:]
		if last, ok := d.state.Last(); ok && h.cards != "" && !agrees(d.state, last, h.cards) {
			f.contradicts = h.cards
		}
	}
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
