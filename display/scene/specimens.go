package scene

import (
	"time"

	"shoeboard/stats"
	"shoeboard/tracker/game"
)

// Specimen is one state of the board, drawn from literals, as it is looked at in
// every review.
type Specimen struct {
	Name   string // for files: "result-dragon-7"
	Title  string // for people
	Dealer bool   // meant for the dealer or the staff, not for players
	Board  stats.Board
	now    time.Duration
	wait   bool
}

// specimenBoot is the boot that the countdowns of specimens run in.
const specimenBoot = "specimen"

// Look completes a view with what the specimen needs: its moment and its boot.
// Size, theme, fonts and languages stay as they are.
func (s Specimen) Look(v View) View {
	v.Boot, v.Now, v.Newest, v.Waiting = specimenBoot, s.now, 0, s.wait
	if v.Wall.IsZero() {
		v.Wall = specimenWall()
	}
	return v
}

// specimenWall is the time on the table's clock.
func specimenWall() time.Time { return time.Date(2026, time.November, 30, 21, 42, 0, 0, time.UTC) }

// Specimens returns every state of the board, those for players first.
func Specimens() []Specimen {
	out := betweenHands()
	out = append(out, resultSpecimens()...)
	out = append(out, betweenShoes()...)
	return append(out, staffSpecimens()...)
}

// with changes a board and returns it.
func with(b stats.Board, change func(*stats.Board)) stats.Board {
	change(&b)
	return b
}

// counting has so many seconds left of 20.
func counting(b stats.Board, left int) stats.Board {
	return with(b, func(b *stats.Board) {
		b.Countdown = &stats.Deadline{Boot: specimenBoot, At: time.Duration(left) * time.Second, Total: 20}
	})
}

func kind(b stats.Board, k stats.BarKind) stats.Board {
	return with(b, func(b *stats.Board) { b.Bar.Kind = k })
}

func betweenHands() []Specimen {
	empty := with(panda8(""), func(b *stats.Board) {
		p := packOf("ez-baccarat-panda-8")
		first := board(p, shoeOf(p, "", someNaturals{every: 1}), shoeOf(p, before, someNaturals{22, 15, 1}))
		b.Shoe, b.Bar = first.Shoe, stats.Bar{Kind: stats.BarPlaceBets}
	})
	return []Specimen{
		{Name: "betting-timer", Title: "Betting with the timer", Board: counting(panda8(""), 14)},
		{Name: "betting", Title: "Betting without a timer", Board: panda8("")},
		{Name: "betting-first-hand", Title: "Betting on the first hand of a shoe", Board: counting(empty, 20)},
		{Name: "betting-run", Title: "A run of four in the chip", Board: counting(with(panda8("BPPPP"), func(b *stats.Board) { b.Bar.Run = 4 }), 9)},
		{Name: "last-five-seconds", Title: "Last five seconds", Board: counting(panda8(""), 4)},
		{Name: "last-seconds", Title: "Last two seconds", Board: counting(panda8(""), 2)},
		{Name: "bets-closed", Title: "Bets closed", Board: kind(panda8(""), stats.BarNoMoreBets)},
		{Name: "free-hand", Title: "Free hand announced", Board: kind(panda8(""), stats.BarFree)},
		{Name: "void", Title: "Hand void", Board: with(kind(panda8(""), stats.BarVoid), func(b *stats.Board) { b.Bar.Reason = "exposed card" })},
		{Name: "last-hand", Title: "Cut card: last hand", Board: with(counting(panda8(""), 12), func(b *stats.Board) { b.LastHand = true })},
		{Name: "correction", Title: "Correction made", Board: with(counting(panda8(""), 17), func(b *stats.Board) {
			b.Marked = []int{66, 70}
			marks := append([]stats.Mark(nil), b.Shoe.Marks...)
			marks[65].Fixed, marks[69].Fixed = true, true
			b.Shoe.Marks = marks
		})},
		{Name: "incomplete", Title: "Hands that cannot be read", Board: incomplete()},
		{Name: "long-shoe", Title: "A long shoe, roads scrolled", Board: counting(panda8("BTPBPBPPBPBPBBPBPBPTPB"), 18)},
		{Name: "signs", Title: "Pairs, free hands, ask marks", Board: signs()},
		{Name: "under-review", Title: "Under review", Board: with(kind(panda8(""), stats.BarReview), func(b *stats.Board) { b.Review = true })},
		{Name: "paused", Title: "Game paused", Board: kind(panda8(""), stats.BarPaused)},
	}
}

// incomplete returns a board after damage to the record: two hands of the shoe are lost,
// and one of the shoe before.
func incomplete() stats.Board {
	p := packOf("ez-baccarat-panda-8")
	return with(counting(panda8(""), 14), func(b *stats.Board) {
		hurt := board(p, shoeOf(p, seventy[:40]+"??"+seventy[42:], someNaturals{10, 11, 2}), shoeOf(p, before+"?", someNaturals{22, 15, 1}))
		b.Shoe, b.Previous, b.Bar.Last = hurt.Shoe, hurt.Previous, hurt.Bar.Last
	})
}

// signs is a board with every sign that a hand can carry.
func signs() stats.Board {
	return with(counting(panda8(""), 11), func(b *stats.Board) {
		marks := append([]stats.Mark(nil), b.Shoe.Marks...)
		marks[58].BankerPair, marks[59].PlayerPair, marks[60].BankerPair = true, true, true
		marks[61].PlayerPair, marks[61].BankerPair = true, true
		marks[63].Free, marks[67].Free = true, true
		b.Shoe.Marks, b.Shoe.Free, b.AskMarks = marks, 2, true
	})
}

// result is a board that shows what its last hand came to.
func result(b stats.Board, change func(*stats.Mark)) stats.Board {
	return with(kind(b, stats.BarResult), func(b *stats.Board) {
		b.Phase = "result"
		if change != nil {
			m := *b.Bar.Last
			change(&m)
			b.Bar.Last = &m
			b.Bar.Free = m.Free
		}
	})
}

// totals sets a hand's totals, and which sides had a natural.
func totals(player, banker uint8, naturals ...game.Outcome) func(*stats.Mark) {
	return func(m *stats.Mark) {
		m.Totals, m.PlayerTotal, m.BankerTotal = true, player, banker
		natural(naturals...)(m)
	}
}

func natural(sides ...game.Outcome) func(*stats.Mark) {
	return func(m *stats.Mark) {
		for _, side := range sides {
			m.PlayerNatural = m.PlayerNatural || side == game.Player
			m.BankerNatural = m.BankerNatural || side == game.Banker
		}
	}
}

func resultSpecimens() []Specimen {
	return []Specimen{
		{Name: "result-player", Title: "Player wins", Board: result(panda8("P"), nil)},
		{Name: "result-banker", Title: "Banker wins", Board: result(panda8("B"), nil)},
		{Name: "result-tie", Title: "Tie", Board: result(panda8("T"), nil)},
		{Name: "result-dragon-7", Title: "Dragon 7", Board: result(panda8("b"), nil)},
		{Name: "result-panda-8", Title: "Panda 8", Board: result(panda8("p"), nil)},
		{Name: "result-totals", Title: "Banker wins, totals entered", Board: result(panda8("B"), totals(6, 7))},
		{Name: "natural", Title: "Natural", Board: result(panda8("B"), natural(game.Banker))},
		{Name: "natural-totals", Title: "Natural 9, totals entered", Board: result(panda8("P"), totals(9, 4, game.Player))},
		{Name: "natural-over", Title: "Natural 9 over natural 8", Board: result(panda8("B"), totals(8, 9, game.Player, game.Banker))},
		{Name: "natural-tie", Title: "Natural tie", Board: result(panda8("T"), totals(8, 8, game.Player, game.Banker))},
		{Name: "result-free", Title: "Result of a free hand", Board: result(panda8("B"), func(m *stats.Mark) { m.Free = true })},
		{Name: "dai-betting", Title: "Dai Bacc, betting", Board: counting(dai(""), 14)},
		{Name: "result-ox-6", Title: "Ox 6", Board: result(dai("o"), nil)},
		{Name: "result-tiger-7", Title: "Tiger 7", Board: result(dai("g"), nil)},
		{Name: "result-kill", Title: "Kill, Banker wins", Board: result(dai("k"), nil)},
		{Name: "result-kill-tie", Title: "Kill on a tie", Board: result(dai("t"), nil)},
		{Name: "result-tiger-7-kill", Title: "Tiger 7 with Kill", Board: result(dai("x"), nil)},
		{Name: "dai-tie", Title: "Dai Bacc, tie", Board: result(dai("T"), nil)},
	}
}
