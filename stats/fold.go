package stats

import (
	"time"

	"shoeboard/stats/road"
	"shoeboard/tracker"
	"shoeboard/tracker/game"
)

// Live is what a Board shows that no record says: it comes from the core's own
// watch over keys, disk and clock.
type Live struct {
	Boot         string // id of this boot, for the countdown
	Dealer       Dealer
	Faults       []Fault
	Ended        []Fault // faults that have ended and nobody has acknowledged
	ConfigFault  *ConfigFault
	Saving       bool
	ClockTrusted bool
	Zone         string
	Demo         bool
	Attract      bool // attract pages turn now
	Settled      bool // take and pay are over: after the last hand the bar says SHOE OVER
	Identify     bool
	Test         string // Board.Test
	Keypad       []KeyState
	Menu         *Menu
	StatusLine   string
}

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

// Board is the whole Board of a state. Its parts may be shared with Boards folded
// before and after it.
func (f *Folder) Board(s tracker.State, live Live) *Board {
	shoe, previous := s.Shown()
	b := &Board{
		Version: BoardVersion, Seq: s.Seq, Table: s.Settings.Table, Venue: s.Settings.Venue,
		Game: f.gameOf(shoe.Pack), Phase: s.Phase.String(), ShoeToday: shoe.Number,
		Shoe: Fold(shoe, s.Settings), Previous: f.previousOf(previous, s.Settings),
		Marked: s.Corrected, Limits: s.Settings.Limits, Collection: s.Settings.Collection,
		AskMarks: s.Settings.AskMarks, Dealer: live.Dealer, Faults: live.Faults, EndedFaults: live.Ended, Saving: live.Saving,
		ConfigFault: live.ConfigFault, ClockTrusted: live.ClockTrusted, Zone: live.Zone, Demo: live.Demo,
		Identify: live.Identify, Test: live.Test, Keypad: live.Keypad, Menu: live.Menu, StatusLine: live.StatusLine, Review: s.Review != nil,
		Attract: Attract{On: live.Attract, Message: s.Settings.Message, Info: s.Settings.InfoLine, Care: s.Settings.CareLine},
	}
	if s.Phase == tracker.Paused {
		b.Behind = s.Behind.String()
	}
	if s.Review != nil {
		b.Marked = nil
	}
	b.Bar = barOf(s, b.Shoe)
	if b.Bar.Kind == BarResult && live.Settled && s.Shoe.Over() {
		b.Bar.Kind = BarShoeOver
	}
	if s.Phase != tracker.TableClosed && s.Finished == nil {
		b.LastHand = s.Shoe.Last > 0 && s.Shoe.Next() == s.Shoe.Last
		b.ShoeOver = s.Shoe.Over()
	}
	if s.Phase == tracker.Betting && s.BetSeconds > 0 && s.Since.Boot == live.Boot {
		end := s.Since.Mono + time.Duration(s.BetSeconds)*time.Second
		b.Countdown = &Deadline{Boot: live.Boot, At: end, Total: s.BetSeconds}
	}
	return b
}

func (f *Folder) gameOf(p *game.Pack) Game {
	if p != f.pack {
		f.pack, f.game = p, NewGame(p)
	}
	return f.game
}

// previousOf folds the previous shoe once: a shoe that has ended does not change.
func (f *Folder) previousOf(s *tracker.Shoe, settings tracker.Settings) *Shoe {
	if s == nil {
		return nil
	}
	if s != f.shoe || settings.Tail != f.settings.Tail || settings.LeadingTie != f.settings.LeadingTie {
		shoe := Fold(*s, settings)
		f.shoe, f.settings, f.previous = s, settings, &shoe
	}
	return f.previous
}

// Fold computes the figures and roads of a shoe from its hands.
func Fold(s tracker.Shoe, settings tracker.Settings) Shoe {
	out := Shoe{Number: s.Number, Hands: len(s.Hands), Marks: make([]Mark, len(s.Hands)), Lost: s.Lost()}
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
		outcomes[i] = h.Outcome
		out.Marks[i] = markOf(h)
		out.count(h)
	}
	if len(out.Lost) > 0 {
		out.forget()
		outcomes = outcomes[:out.Lost[0]-1]
	} else {
		out.share()
	}
	out.Roads = road.Fold(outcomes, road.Options{Stay: settings.Tail == "stay", OwnColumn: settings.LeadingTie == "own_column"})
	if len(out.Lost) > 0 {
		out.Roads.Ask = road.Ask{} // the hand that comes next is not the one that follows on the roads
	}
	return out
}

func markOf(h *tracker.Hand) Mark {
	return Mark{
		Outcome: h.Outcome, PlayerNatural: h.PlayerNatural, BankerNatural: h.BankerNatural,
		PlayerPair: h.PlayerPair, BankerPair: h.BankerPair, Free: h.Free, Fixed: h.Fixed,
		Totals: h.Known, PlayerTotal: h.PlayerTotal, BankerTotal: h.BankerTotal, Bets: h.Bets,
	}
}

// count adds one hand.
func (s *Shoe) count(h *tracker.Hand) {
	for _, c := range []*Count{&s.Player, &s.Banker, &s.Tie} {
		c.pass(false)
	}
	[...]*Count{new(Count), &s.Player, &s.Banker, &s.Tie}[h.Outcome&3].hit()
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
		c.hit()
	} else if c.Since >= 0 {
		c.Since++
	}
}

func (c *Count) hit() {
	c.N++
	c.Since = 0
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
