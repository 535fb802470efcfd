package stats

import (
	"time"

	"shoeboard/stats/road"
	"shoeboard/tracker"
	"shoeboard/tracker/game"
)

// Times by which a Board changes although nothing is recorded.
const (
	settledAfter = 20 * time.Second // take and pay are over: after the last hand the bar says SHOE OVER
	attractAfter = 3 * time.Minute  // of shuffling over a finished board, until attract pages turn
)

// Folder folds states into Boards. It keeps what does not change from hand to
// hand: the game's names, and the previous shoe. The zero value is ready. Not safe
// for more than one goroutine.
type Folder struct {
	pack     *game.Pack
	game     Game
	shoe     *tracker.Shoe
	settings tracker.Settings
	previous *Shoe
}

// Fill fills in what a Board says of a state at a moment, and leaves all else. Its parts
// may be shared with Boards filled before and after it.
func (f *Folder) Fill(b *Board, s tracker.State, now tracker.Stamp) {
	shoe, previous := s.Shown()
	if shoe.Pack != f.pack {
		f.pack, f.game = shoe.Pack, NewGame(shoe.Pack)
	}
	b.Version, b.Seq, b.Table, b.Venue, b.Game = BoardVersion, s.Seq, s.Settings.Table, s.Settings.Venue, f.game
	b.Phase, b.Review, b.ClockTrusted = s.Phase.String(), s.Review != nil, now.Trusted
	b.Shoe, b.ShoeToday = Fold(shoe, s.Settings), shoe.Number
	b.Limits, b.Collection, b.AskMarks = s.Settings.Limits, s.Settings.Collection, s.Settings.AskMarks
	b.Attract = Attract{Message: s.Settings.Message, Info: s.Settings.InfoLine, Care: s.Settings.CareLine}
	since, known := s.Since.Since(now)
	b.Attract.On = known && since >= attractAfter && attracts(s)
	if s.Phase == tracker.Paused {
		b.Behind = s.Behind.String()
	}
	if s.Review == nil {
		b.Marked = s.Corrected
	}
	if previous != nil {
		b.Previous = f.previousOf(previous, s.Settings)
	}
	b.Bar = barOf(s, b.Shoe)
	if b.Bar.Kind == BarResult && s.Shoe.Over() && (!known || since >= settledAfter) {
		b.Bar.Kind = BarShoeOver
	}
	if s.Phase != tracker.TableClosed && s.Finished == nil {
		b.LastHand = s.Shoe.Last > 0 && s.Shoe.Next() == s.Shoe.Last
		b.ShoeOver = s.Shoe.Over()
	}
	if end, runs := s.CountdownEnd(now.Boot); runs {
		b.Countdown = &Deadline{Boot: now.Boot, At: end, Total: s.BetSeconds}
	}
}

// NextChange returns the moment at which the Board of a state changes by itself, on the
// clock of this boot, and false when it never does.
func NextChange(s tracker.State, boot string) (time.Duration, bool) {
	switch {
	case s.Since.Boot != boot:
	case attracts(s):
		return s.Since.Mono + attractAfter, true
	case s.Shoe.Over() && s.Phase == tracker.Result:
		return s.Since.Mono + settledAfter, true
	}
	return 0, false
}

// attracts reports whether the table shuffles after a shoe that was played. One that has
// just opened keeps its empty board.
func attracts(s tracker.State) bool {
	return s.Phase == tracker.Shuffling && (s.Finished != nil || s.Previous != nil)
}

// previousOf folds the previous shoe once: a shoe that has ended does not change.
func (f *Folder) previousOf(s *tracker.Shoe, settings tracker.Settings) *Shoe {
	if s != f.shoe || settings.Tail != f.settings.Tail || settings.LeadingTie != f.settings.LeadingTie {
		shoe := Fold(*s, settings)
		f.shoe, f.settings, f.previous = s, settings, &shoe
	}
	return f.previous
}

// Fold computes the figures and roads of a shoe from its hands.
func Fold(s tracker.Shoe, settings tracker.Settings) Shoe {
	out := Shoe{Number: s.Number, Hands: len(s.Hands), Marks: make([]Mark, len(s.Hands))}
	if s.Pack != nil {
		out.Bets = make([]Count, len(s.Pack.Bets))
	}
	for i := range out.Bets {
		out.Bets[i].Since = -1
	}
	out.Player.Since, out.Banker.Since, out.Tie.Since = -1, -1, -1
	outcomes := make([]game.Outcome, len(s.Hands))
	for i := range s.Hands {
		h := &s.Hands[i]
		if outcomes[i] = h.Outcome; h.Outcome == game.NoOutcome {
			out.Lost = append(out.Lost, i+1)
		}
		out.Marks[i] = MarkOf(h)
		out.count(h)
	}
	if len(out.Lost) > 0 {
		out.forget()
		outcomes = outcomes[:out.Lost[0]-1]
	} else {
		out.share()
	}
	out.Roads = road.Fold(outcomes,
		road.Options{Stay: settings.Tail == "stay", OwnColumn: settings.LeadingTie == "own_column"})
	if len(out.Lost) > 0 {
		out.Roads.Ask = road.Ask{} // the hand that comes next is not the one that follows on the roads
	}
	return out
}

// MarkOf returns a hand as the roads show it.
func MarkOf(h *tracker.Hand) Mark {
	return Mark{
		Outcome: h.Outcome, PlayerNatural: h.PlayerNatural, BankerNatural: h.BankerNatural,
		PlayerPair: h.PlayerPair, BankerPair: h.BankerPair, Free: h.Free, Fixed: h.Fixed,
		Totals: h.Known, PlayerTotal: h.PlayerTotal, BankerTotal: h.BankerTotal, Bets: h.Bets,
	}
}

// count adds one hand.
func (s *Shoe) count(h *tracker.Hand) {
	for i, c := range [...]*Count{&s.Player, &s.Banker, &s.Tie} {
		c.pass(h.Outcome == game.Outcome(i+1))
	}
	for i := range s.Bets {
		s.Bets[i].pass(h.Bets.Has(i))
	}
	if h.Free {
		s.Free++
	}
	n := &s.Naturals
	if h.PlayerNatural {
		n.Player++
	}
	if h.BankerNatural {
		n.Banker++
	}
	if h.PlayerNatural && h.BankerNatural {
		n.Both++
	}
	if h.PlayerNatural || h.BankerNatural {
		n.Hands++
	}
}

// pass counts one more hand, in which it happened or not.
func (c *Count) pass(happened bool) {
	if happened {
		c.N++
		c.Since = 0
	} else if c.Since >= 0 {
		c.Since++
	}
}

// forget takes back what nobody knows of a shoe with lost hands.
func (s *Shoe) forget() {
	s.Player.Since, s.Banker.Since, s.Tie.Since = -1, -1, -1
	for i := range s.Bets {
		s.Bets[i].Since = -1
	}
}

// share computes the shares: those of Player, Banker and Tie by the method of the
// largest remainder, so that they add to 100.0; those of bets rounded.
func (s *Shoe) share() {
	if s.Hands == 0 {
		return
	}
	counts := [...]*Count{&s.Player, &s.Banker, &s.Tie}
	left := 1000
	var rest [3]int
	for i, c := range counts {
		c.Share = c.N * 1000 / s.Hands
		rest[i] = c.N * 1000 % s.Hands
		left -= c.Share
	}
	for ; left > 0; left-- {
		best := 0
		for i := range rest {
			if rest[i] > rest[best] {
				best = i
			}
		}
		counts[best].Share++
		rest[best] = -1
	}
	for i := range s.Bets {
		s.Bets[i].Share = (s.Bets[i].N*2000 + s.Hands) / (2 * s.Hands)
	}
}

// barKinds holds what the phase bar says of each phase, when there is no more to say.
var barKinds = [...]BarKind{tracker.TableClosed: BarClosedTable, tracker.Shuffling: BarShuffling,
	tracker.Betting: BarPlaceBets, tracker.BetsClosed: BarNoMoreBets, tracker.Result: BarResult,
	tracker.Paused: BarPaused}

// barOf returns what the phase bar says of a state; shoe is the one shown.
func barOf(s tracker.State, shoe Shoe) Bar {
	bar := Bar{Kind: barKinds[s.Phase]}
	switch {
	case s.Review != nil:
		bar.Kind = BarReview
	case s.Phase == tracker.Paused || s.Phase == tracker.TableClosed:
	case s.Free:
		bar.Kind = BarFree
	case s.Phase != tracker.Result:
	case s.Void != "":
		bar.Kind, bar.Reason = BarVoid, s.Void
	case len(s.Shoe.Hands) == 0:
		bar.Kind = BarEmpty
	}
	n := len(shoe.Marks)
	if n == 0 {
		return bar
	}
	if shoe.Marks[n-1].Outcome == game.NoOutcome { // it is lost
		if bar.Kind == BarResult {
			bar.Kind = BarEmpty
		}
		return bar
	}
	bar.Last, bar.LastNo = &shoe.Marks[n-1], n
	bar.Free = bar.Last.Free && bar.Kind == BarResult
	bar.Run, bar.RunSide = runOf(shoe.Marks)
	return bar
}

// runOf returns the current run of equal winners, ties left out.
func runOf(marks []Mark) (length int, side string) {
	winner := game.NoOutcome
	for i := len(marks) - 1; i >= 0; i-- {
		o := marks[i].Outcome
		switch {
		case o == game.Tie:
			continue
		case winner == game.NoOutcome:
			winner = o
		}
		if o == game.NoOutcome || o != winner {
			break
		}
		length++
	}
	if winner == game.NoOutcome {
		return 0, ""
	}
	return length, winner.String()
}
