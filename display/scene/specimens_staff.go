package scene

import (
	"fmt"
	"strings"
	"time"

	"shoeboard/stats"
)

func betweenShoes() []Specimen {
	over := kind(panda8("BTPBPBPPBPBP"), stats.BarShoeOver)
	shuffling := kind(over, stats.BarShuffling)
	page := func(n int) Specimen {
		titles := []string{"Attract: rules and pays", "Attract: the shoe's summary", "Attract: collection", "Attract: house message"}
		names := []string{"attract-bets", "attract-summary", "attract-collection", "attract-house"}
		return Specimen{Name: names[n], Title: titles[n], now: time.Duration(n) * attractIn,
			Board: with(shuffling, func(b *stats.Board) { b.Attract.On = true })}
	}
	return []Specimen{
		{Name: "shoe-over", Title: "Shoe over with its summary", Board: with(over, func(b *stats.Board) { b.ShoeOver = true })},
		{Name: "shuffling", Title: "Shuffling, the finished board stays", Board: shuffling},
		page(0), page(1), page(2), page(3),
		{Name: "table-closed", Title: "Table closed", Board: closedTable()},
		{Name: "empty-bar", Title: "Before the first hand, mode off", Board: kind(panda8(""), stats.BarEmpty)},
		{Name: "demo", Title: "Demo", Board: with(counting(panda8(""), 14), func(b *stats.Board) { b.Demo = true })},
	}
}

func closedTable() stats.Board {
	return with(kind(panda8(""), stats.BarClosedTable), func(b *stats.Board) {
		b.Phase = "table-closed"
		b.StatusLine = "Table 14 · EZ Baccarat Panda 8 · shoeboard 1.0.0 · configuration 3f9a2c17 · no faults"
	})
}

// echo is a board on whose screen the dealer sees the echo's lines.
func echo(dealer stats.Dealer) stats.Board {
	return with(kind(panda8(""), stats.BarNoMoreBets), func(b *stats.Board) {
		b.Dealer = dealer
		b.Dealer.OnScreen = true
	})
}

func staffSpecimens() []Specimen {
	out := []Specimen{
		{Name: "proposal", Title: "Proposal shown to the dealer", Board: echo(stats.Dealer{Entering: true,
			Lines: [2]string{"71? BANKER NATURAL", "OK=SAVE   CLEAR=DROP"}})},
		{Name: "refused", Title: "Refused entry with its reason", Board: echo(stats.Dealer{Refused: true, Entering: true,
			Lines: [2]string{"SAVE 71 FIRST", "OK=SAVE   CLEAR=DROP"}})},
		{Name: "ask-replace", Title: "Dealer asked: replace?", Board: echo(stats.Dealer{Asking: true,
			Lines: [2]string{"REPLACE 70 BY TIE?", "OK=70 TIE  0=HAND 71"}})},
		{Name: "ask-new-hand", Title: "Dealer asked: a new hand?", Board: echo(stats.Dealer{Asking: true,
			Lines: [2]string{"SAME RESULT, 6s AGO", "OK=STILL 70  0=NEW"}})},
		{Name: "ask-no-result", Title: "Dealer asked: no result?", Board: echo(stats.Dealer{Asking: true,
			Lines: [2]string{"HAND 71 NO RESULT", "KEY IT, FREE OR VOID"}})},
	}
	out = append(out, toldSpecimens()...)
	out = append(out, faultSpecimens()...)
	tested := panda8("")
	for _, page := range stats.TestPages() {
		out = append(out, Specimen{Name: "test-" + page, Title: "Technician's test: " + page,
			Board: with(tested, func(b *stats.Board) { b.Test = page })})
	}
	out = append(out, menuSpecimens()...)
	for i := range out {
		out[i].Dealer = true
	}
	return out
}

// toldSpecimens returns messages to the dealer, and a proposal that he was reminded of.
func toldSpecimens() []Specimen {
	told := func(name, title, kind, first, second string) Specimen {
		return Specimen{Name: name, Title: title, Board: echo(stats.Dealer{Told: kind, Lines: [2]string{first, second}})}
	}
	frozen := told("told-frozen", "Dealer told: how a review ends", stats.ToldHint, "BOARD FROZEN", "HOLD * = RELEASE")
	frozen.Board = with(kind(frozen.Board, stats.BarReview), func(b *stats.Board) { b.Review = true })
	return []Specimen{
		{Name: "proposal-waits", Title: "Proposal that was not confirmed: it blinks", Board: echo(stats.Dealer{Entering: true, Blink: true,
			Lines: [2]string{"71? BANKER NATURAL", "OK=SAVE   CLEAR=DROP"}})},
		told("told-not-saved", "Dealer warned: not saved", stats.ToldWarning, "NOT SAVED: KEY AGAIN", ""),
		told("told-fix-left", "Dealer warned: a fix was left", stats.ToldWarning, "FIX ENDED, NO CHANGE", "LAST 70 PLAYER"),
		told("told-cut", "Dealer told: the answer to CUT", stats.ToldHint, "LAST IS HAND 72", "TAP AGAIN=HAND 71"),
		told("told-dropped", "Dealer told: dropped", stats.ToldHint, "71 DROPPED,", "NOT SAVED"),
		told("told-fixed", "Dealer told: fixed", stats.ToldSaved, "70 FIXED", "LAST 70 PLAYER"),
		frozen,
	}
}

func faultSpecimens() []Specimen {
	fault := func(name, title, text string) Specimen {
		return Specimen{Name: name, Title: title, Board: with(counting(panda8(""), 14), func(b *stats.Board) {
			b.Faults = []stats.Fault{{Code: name, Text: text}}
		})}
	}
	return []Specimen{
		fault("keypad-missing", "Keypad missing", "E11 The keypad is not there. Plug it in again; use paper until the board shows the next hand."),
		fault("shoe-reader-lost", "Shoe reader lost", "E31 The shoe reader does not answer. Key the hands; the cards are no longer checked."),
		fault("not-recording", "History not being saved", "E21 Hands are not being recorded. Use paper and call the technician."),
		{Name: "faults-marked", Title: "Faults that are over or acknowledged: a mark", Board: marked(counting(panda8(""), 14))},
		{Name: "faults-closed", Title: "Faults in words on a closed table", Board: with(marked(closedTable()), func(b *stats.Board) {
			b.StatusLine = strings.Replace(b.StatusLine, "no faults", "1 acknowledged, 1 over", 1)
		})},
		{Name: "faults-attract", Title: "Faults in words on a page between shoes", Board: marked(with(kind(panda8("BTPBPBPPBPBP"), stats.BarShuffling),
			func(b *stats.Board) { b.Attract.On = true }))},
		{Name: "saving", Title: "A record on its way to the disk", Board: with(counting(panda8(""), 14), func(b *stats.Board) { b.Saving = true })},
		{Name: "clock-not-set", Title: "Clock not set", Board: with(counting(panda8(""), 14), func(b *stats.Board) { b.ClockTrusted = false })},
		{Name: "config-fault", Title: "Configuration fault", Board: with(counting(panda8(""), 14), func(b *stats.Board) {
			b.ConfigFault = &stats.ConfigFault{File: "/etc/shoeboard/shoeboard.toml", Line: 27, Key: "limits.dragon-7.max",
				Text: `"fifty" is not an amount: expected dollars such as 50 or 2.50`}
		})},
		{Name: "waiting", Title: "The screen waits for the core", Board: panda8(""), wait: true},
		{Name: "identify", Title: "Identify", Board: with(panda8(""), func(b *stats.Board) {
			b.Identify, b.StatusLine = true, "EZ Baccarat Panda 8 · shoeboard 1.0.0 · 10.20.0.14"
		})},
		{Name: "keypad-test", Title: "Technician's keypad test", Board: with(panda8(""), func(b *stats.Board) {
			b.Test, b.Keypad = "keypad", padKeys()
			b.Dealer.Lines = [2]string{"BOTH NATURAL x2", "OUT: HOLD CLEAR 2s"}
		})},
	}
}

// marked adds faults that staff know of, or that are over.
func marked(b stats.Board) stats.Board {
	return with(b, func(b *stats.Board) {
		b.Faults = []stats.Fault{{Code: "heat", Text: "E41 The unit is too hot. Give it air: the processor slows itself down.",
			Staff: true, Began: specimenWall().Add(-50 * time.Minute).UnixMilli(), Times: 1, By: "tech"}}
		b.EndedFaults = []stats.Fault{{Code: "keypad-missing", Text: "E11 The keypad is not there. Plug it in again; use paper until the board shows the next hand.",
			Staff: true, Ended: true, Began: specimenWall().Add(-26 * time.Hour).UnixMilli(), Times: 3}}
	})
}

// padKeys is a numeric pad half way through its test.
func padKeys() []stats.KeyState {
	names := []string{"NumLock", "FREE", "FLOOR", "SHOE", "DRAGON 7", "PANDA 8", "PANDA 8", "CLEAR", "BANKER NAT",
		"BOTH NAT", "PLAYER NAT", "BANKER", "TIE", "PLAYER", "OK", "BETS", "PL-DEALER"}
	out := make([]stats.KeyState, len(names))
	for i, name := range names {
		out[i] = stats.KeyState{Pos: fmt.Sprintf("%d,%d", i/4, i%4), Name: name, Down: i == 9, Seen: max(0, 3-i%5) * (1 - i/12)}
	}
	return out
}
