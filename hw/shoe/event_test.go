package shoe

import (
	"strings"
	"testing"

	"shoeboard/hw"
	"shoeboard/tracker/card"
)

func TestEveryEventHasWords(t *testing.T) {
	for k := kindDrawn; k <= kindOther; k++ {
		e := event{Kind: k, Side: hw.PlayerSide, Place: 1, Card: card.Card{Rank: 7, Suit: card.Spades}, Text: "something"}
		if e.String() == "" {
			t.Errorf("event %d has no words", k)
		}
		if e.Down = true; strings.Contains(e.String(), "7") {
			t.Errorf("a card that lies face down is shown: %s", e)
		}
	}
	c := claim{Winner: 'B', Totals: true, PlayerTotal: 1, BankerTotal: 9, PlayerPair: true, BankerPair: true, Forced: true}
	if got := c.String(); got != "B, Player 1, Banker 9, Player pair, Banker pair, ended by force" {
		t.Errorf("the claim is %q", got)
	}
}
