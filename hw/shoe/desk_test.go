package shoe

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"shoeboard/hw"
	"shoeboard/tracker/card"
)

// punto are the drawing rules of the game that everybody knows.
func punto(player, banker []card.Card) error {
	if len(player) < 2 || len(banker) < 2 || len(player) > 3 || len(banker) > 3 {
		return errors.New("a side has two or three cards")
	}
	p, b := total(player[:2]), total(banker[:2])
	if draws := max(p, b) < 8 && p <= 5; draws != (len(player) == 3) {
		return fmt.Errorf("Player has %d on two cards", p)
	}
	if draws := bankerDraws(p, b, player); draws != (len(banker) == 3) {
		return fmt.Errorf("Banker has %d on two cards", b)
	}
	return nil
}

func bankerDraws(p, b int, player []card.Card) bool {
	if max(p, b) >= 8 {
		return false
	}
	if len(player) == 2 {
		return b <= 5
	}
	third := player[2].Points()
	switch b {
	case 0, 1, 2:
		return true
	case 3:
		return third != 8
	case 4, 5, 6:
		return third >= 2*(b-3) && third <= 7
	}
	return false
}

// dealPunto deals a hand by punto.
func dealPunto(next func() card.Card) (player, banker []card.Card) {
	for range 2 {
		player = append(player, next())
		banker = append(banker, next())
	}
	if p, b := total(player), total(banker); max(p, b) < 8 && p <= 5 {
		player = append(player, next())
	}
	if bankerDraws(total(player[:2]), total(banker), player) {
		banker = append(banker, next())
	}
	return player, banker
}

// desk is a decoder and an assembler at which a test sits.
type desk struct {
	t       *testing.T
	decoder decoder
	hands   *assembler
	at      time.Duration
	told    []hw.Event
}

func atDesk(t *testing.T, d decoder, faceDown bool) *desk {
	return &desk{t: t, decoder: d, hands: newAssembler(punto, faceDown)}
}

// feed lets bytes come, and 20 ms pass.
func (k *desk) feed(b []byte) *desk {
	k.at += 20 * time.Millisecond
	for _, e := range k.decoder.Feed(b, k.at) {
		k.told = append(k.told, k.hands.Feed(e)...)
	}
	return k
}

// wait lets time pass in which nothing comes.
func (k *desk) wait(d time.Duration) *desk {
	for ; d > 0; d -= 20 * time.Millisecond {
		k.feed(nil)
	}
	return k
}

// expect fails unless exactly this was told since the last expect. A doubt is
// written after a question mark, and enough of it is enough.
func (k *desk) expect(want ...string) *desk {
	k.t.Helper()
	got := sayAll(k.told)
	k.told = nil
	same := len(got) == len(want)
	for i := 0; same && i < len(got); i++ {
		fact, doubt, asked := strings.Cut(want[i], "?")
		gotFact, gotDoubt, gotAsked := strings.Cut(got[i], "?")
		same = fact == gotFact && asked == gotAsked && strings.Contains(gotDoubt, doubt)
	}
	if !same {
		k.t.Fatalf("told\n  %s\nwant\n  %s", strings.Join(got, "\n  "), strings.Join(want, "\n  "))
	}
	return k
}

// sayAll writes events down: "P1 7S", "hand 7S 2H/JD KC", "hand 7S/- ?doubt", "cut".
func sayAll(events []hw.Event) []string {
	var said []string
	for _, e := range events {
		switch e := e.(type) {
		case hw.CardSeen:
			said = append(said, fmt.Sprintf("%s%d %s", e.Side.String()[:1], e.Place, e.Card))
		case hw.HandSeen:
			said = append(said, sayHand(e))
		case hw.ShoeSeen:
			said = append(said, sayShoe(e))
		}
	}
	return said
}

func sayHand(e hw.HandSeen) string {
	words := func(cards []card.Card) string {
		return strings.Trim(fmt.Sprint(cards), "[]")
	}
	said := "hand " + words(e.Player) + "/" + words(e.Banker)
	if !e.Complete {
		said += " broken"
	}
	if e.Since > 0 {
		said += " late"
	}
	if e.Doubt != "" {
		said += "?" + e.Doubt
	}
	return said
}

func sayShoe(e hw.ShoeSeen) string {
	said := map[hw.ShoeChange]string{
		hw.NewShoe: "new shoe", hw.PoweredUp: "powered up", hw.Burned: "burned", hw.CutCard: "cut", hw.HandVoid: "void",
		hw.Overdrawn: "overdrawn", hw.ShoeTrouble: "trouble", hw.ShoeCleared: "cleared",
	}[e.Change]
	if e.Card != (card.Card{}) {
		said += " " + e.Card.String()
	}
	if e.Doubt != "" {
		said += "?" + e.Doubt
	}
	return said
}

// cards reads "7S 2H".
func cards(text string) []card.Card {
	var cards []card.Card
	for _, word := range strings.Fields(text) {
		c, err := card.Parse(word)
		if err != nil {
			panic(err)
		}
		cards = append(cards, c)
	}
	return cards
}

// trueHand is a hand as it was really dealt.
type trueHand struct{ player, banker []card.Card }

func hand(text string) trueHand {
	p, b, _ := strings.Cut(text, "/")
	return trueHand{cards(p), cards(b)}
}

func (h trueHand) String() string {
	return sayHand(hw.HandSeen{Player: h.player, Banker: h.banker, Complete: true})
}

// seen are what is told of a hand dealt face up.
func (h trueHand) seen() []string {
	var said []string
	h.each(func(side hw.Side, place int, c card.Card) {
		said = append(said, fmt.Sprintf("%s%d %s", side.String()[:1], place, c))
	})
	return append(said, h.String())
}

// each goes through the cards as they are dealt.
func (h trueHand) each(do func(side hw.Side, place int, c card.Card)) {
	for place := range 3 {
		for side, cards := range [2][]card.Card{h.player, h.banker} {
			if place < len(cards) {
				do(hw.Side(side+1), place+1, cards[place])
			}
		}
	}
}

func TestPuntoOfTheTestsIsTheGame(t *testing.T) {
	for text, ok := range map[string]bool{
		"7S 2H/JD KC":       true, // natural
		"7S 2H/JD KC 5D":    false,
		"2S 3H 8C/JD 3C":    true, // Banker stands on 3 against an 8
		"2S 3H 8C/JD 3C 2D": false,
		"2S 3H 9C/JD 3C 2D": true,
		"7S KH/6D KC":       true,
		"7S KH/5D KC 4D":    true,
		"2S 2H KC/6D KC":    true,
		"2S 2H 6C/6D KC 9S": true,
		"2S 2H 6C/6D KC":    false,
	} {
		if h := hand(text); (punto(h.player, h.banker) == nil) != ok {
			t.Errorf("%s: %v", text, punto(h.player, h.banker))
		}
	}
	i := 0
	p, b := dealPunto(func() card.Card { i++; return cards("2S JD 3H 3C 9C 2D")[i-1] })
	if !slices.Equal(p, cards("2S 3H 9C")) || !slices.Equal(b, cards("JD 3C 2D")) {
		t.Errorf("dealt %v %v", p, b)
	}
}

const writeWait = 500 * time.Millisecond // of a Link

// newSource is the source of a shoe with a decoder of the test's.
func newSource(s Settings, d decoder, open func(context.Context) (Link, error), now func() time.Duration) *Source {
	kind := map[bool]string{true: "lines", false: "tsp1"}
	_, is := d.(*lines)
	return &Source{set: s, kind: kind[is], decoder: d, open: open, now: now}
}
