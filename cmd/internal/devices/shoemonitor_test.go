package devices

import (
	"path/filepath"
	"strings"
	"testing"

	"shoeboard/hw"
	"shoeboard/hw/shoe"
	"shoeboard/tracker/card"
)

func TestMonitorNamesWhoHasThePort(t *testing.T) {
	h, _ := machine(t)
	usb := filepath.Join(h.Dev, "ttyUSB0")
	for _, device := range []string{usb, filepath.Join(h.Dev, "serial/by-id/usb-shoe")} {
		if words := h.HoldsPort(device)(); !strings.Contains(words, "held by shoeboard (process 812)") {
			t.Errorf("%s: %q", device, words)
		}
	}
	if words := h.HoldsPort(filepath.Join(h.Dev, "ttyS0"))(); words != "" {
		t.Errorf("a port that nobody has: %q", words)
	}
}

func TestEveryEventOfAShoeHasWords(t *testing.T) {
	seven := card.Card{Rank: 7, Suit: card.Spades}
	for k := shoe.Drawn; k <= shoe.Other; k++ {
		e := shoe.Event{Kind: k, Side: hw.PlayerSide, Place: 1, Card: seven, Text: "something"}
		if shoeEvent(e) == "" {
			t.Errorf("event %d has no words", k)
		}
		e.Down = true
		if strings.Contains(shoeEvent(e), "7") {
			t.Errorf("a card that lies face down is said: %s", shoeEvent(e))
		}
	}
	for c := hw.NewShoe; c <= hw.ShoeCleared; c++ {
		if strings.HasPrefix(shoeSeen(hw.ShoeSeen{Change: c, Text: "more", Doubt: "why"}), ";") {
			t.Errorf("change %d has no words", c)
		}
	}
	if got := claimText(shoe.Claim{Winner: 'B', Totals: true, PlayerTotal: 1, BankerTotal: 9, PlayerPair: true, BankerPair: true, Forced: true}); got != "B, Player 1, Banker 9, Player pair, Banker pair, ended by force" {
		t.Errorf("said is %q", got)
	}
}
