package card

import (
	"strings"
	"testing"
)

// all is every card there is, with and without its suit.
func all() []Card {
	var cards []Card
	for rank := Ace; rank <= King; rank++ {
		for suit := NoSuit; suit <= Spades; suit++ {
			cards = append(cards, Card{rank, suit})
		}
	}
	return cards
}

func TestEveryCardIsReadBackFromItsText(t *testing.T) {
	for _, want := range all() {
		for _, text := range []string{want.String(), strings.ToLower(want.String())} {
			if got, err := Parse(text); err != nil || got != want {
				t.Errorf("Parse(%q) = %v, %v; want %v", text, got, err, want)
			}
		}
	}
}

func TestParseReadsWhatPeopleWrite(t *testing.T) {
	for text, want := range map[string]Card{
		"9S":  {9, Spades},
		"K":   {King, NoSuit},
		"10":  {Ten, NoSuit},
		"10h": {Ten, Hearts},
		"T":   {Ten, NoSuit},
		"td":  {Ten, Diamonds},
		"Ac":  {Ace, Clubs},
	} {
		if got, err := Parse(text); err != nil || got != want {
			t.Errorf("Parse(%q) = %v, %v; want %v", text, got, err, want)
		}
	}
}

func TestParseRefusesEverythingElse(t *testing.T) {
	for _, text := range []string{"", "-", "1", "0", "11", "1S", "S", "9-", "9SS", " 9", "9 ", "9S ", "100", "X", "9\x00", "♠"} {
		got, err := Parse(text)
		if err == nil {
			t.Errorf("Parse(%q) = %v, want an error", text, got)
			continue
		}
		if got != (Card{}) || !strings.Contains(err.Error(), "is not a card") {
			t.Errorf("Parse(%q) = %v, %v; want no card and a sentence that says so", text, got, err)
		}
	}
}

func TestPointsAndBurn(t *testing.T) {
	points := []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 0}
	burn := []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10}
	for rank := NoRank; rank <= King; rank++ {
		if got := (Card{Rank: rank}).Points(); got != points[rank] {
			t.Errorf("points of %v = %d, want %d", rank, got, points[rank])
		}
		if got := rank.Burn(); got != burn[rank] {
			t.Errorf("burn of %v = %d, want %d", rank, got, burn[rank])
		}
	}
}

func TestWhatIsNoCardStillPrints(t *testing.T) {
	for card, want := range map[Card]string{{}: "-", {99, 0}: "?", {King, 9}: "K?"} {
		if got := card.String(); got != want {
			t.Errorf("%d.%d prints %q, want %q", card.Rank, card.Suit, got, want)
		}
	}
}

// FuzzParse holds that what is read is a real card, and that it survives being
// written and read again.
func FuzzParse(f *testing.F) {
	for _, text := range []string{"9S", "10h", "K", "", "1", "T♠", "\xff"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		card, err := Parse(text)
		if err != nil {
			if card != (Card{}) {
				t.Errorf("Parse(%q) gives %v beside its error", text, card)
			}
			return
		}
		if card.Rank < Ace || card.Rank > King || card.Suit > Spades {
			t.Errorf("Parse(%q) = %d.%d, which is no card", text, card.Rank, card.Suit)
		}
		if again, err := Parse(card.String()); err != nil || again != card {
			t.Errorf("%v read again = %v, %v", card, again, err)
		}
	})
}

// A shoe of eight decks has every card eight times, in the order that the shuffle makes.
func TestShuffled(t *testing.T) {
	cards := Shuffled(8, func(n int, swap func(i, j int)) { swap(0, n-1) })
	if first, last := cards[0].String(), cards[len(cards)-1].String(); first != "KS" || last != "AC" {
		t.Errorf("from %s to %s", first, last)
	}
	times := map[Card]int{}
	for _, c := range cards {
		times[c]++
	}
	if len(cards) != 416 || len(times) != 52 {
		t.Errorf("%d cards, %d different ones", len(cards), len(times))
	}
	for c, n := range times {
		if n != 8 {
			t.Errorf("%s is there %d times", c, n)
		}
	}
}
