package table_test

import (
	"strings"
	"testing"

	"shoeboard/hw"
	"shoeboard/stats"
	"shoeboard/tracker"
)

// A text of a stick came to the board as it was: a megabyte of it, with letters that turn
// the line round. What a fault says is short and plain, wherever it comes from, and so is
// what a refused configuration quotes.
func TestWhatAFaultSaysIsShortAndPlain(t *testing.T) {
	r := sit(t, usual())
	r.fault("stick", "The copy is not complete: \u202e"+strings.Repeat("<", 250_000)+"\nTIE PAYS 40")
	r.handle(hw.Notice{Source: "pad", Change: hw.Unknown, Text: "keyboard \x1b[2J" + strings.Repeat("熱", 9000)})
	live := &stats.Board{ConfigFault: &stats.ConfigFault{File: "a\nb", Line: 2, Key: strings.Repeat("k", 9000),
		Text: "\u2066" + strings.Repeat("x", 9000)}}
	r.engine.Fill(live)
	said := []string{live.ConfigFault.File, live.ConfigFault.Key, live.ConfigFault.Text}
	for _, f := range live.Faults {
		said = append(said, f.Text)
	}
	if len(said) != 5 {
		t.Fatalf("%d texts: %q", len(said), said)
	}
	for _, text := range said {
		if text == "" || len(text) > tracker.MaxFaultShown || strings.ContainsAny(text, "\x1b\n\u202e\u2066") {
			t.Errorf("%d bytes: %q", len(text), text)
		}
	}
}
