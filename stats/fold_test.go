package stats

import (
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"shoeboard/assets"
	"shoeboard/stats/road"
	"shoeboard/tracker"
	"shoeboard/tracker/game"
)

func pack(t testing.TB, id string) *game.Pack {
	t.Helper()
	file, data, ok := assets.Pack(id)
	if !ok {
		t.Fatalf("no pack %s", id)
	}
	p, err := game.Load(file, data)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// shoe is a shoe of tokens; a token with ! before it is a free hand.
func shoe(t testing.TB, p *game.Pack, tokens string) tracker.Shoe {
	t.Helper()
	s := tracker.Shoe{Pack: p, Number: 3}
	for _, token := range strings.Fields(tokens) {
		free := strings.HasPrefix(token, "!")
		h, err := tracker.ParseToken(p, strings.TrimPrefix(token, "!"))
		if err != nil {
			t.Fatal(err)
		}
		h.Free = free
		s.Hands = append(s.Hands, h)
	}
	return s
}

// at is a moment of the boot a.
func at(mono time.Duration) tracker.Stamp { return tracker.Stamp{Boot: "a", Mono: mono} }

func boardOf(s tracker.State, now tracker.Stamp) *Board {
	b := new(Board)
	new(Folder).Fill(b, s, now)
	return b
}

func TestFiguresOfAShoe(t *testing.T) {
	p := pack(t, "ez-baccarat-panda-8")
	s := Fold(shoe(t, p, "T P+panda-8 B+dragon-7 !P B+natural P+player-natural T+natural B+player-natural+banker-natural P"), tracker.DefaultSettings())
	if s.Hands != 9 || s.Free != 1 {
		t.Errorf("hands %d free %d, want 9 and 1", s.Hands, s.Free)
	}
	if s.Player.N != 4 || s.Banker.N != 3 || s.Tie.N != 2 {
		t.Errorf("counts %d %d %d, want 4 3 2", s.Player.N, s.Banker.N, s.Tie.N)
	}
	if want := (Naturals{Player: 3, Banker: 3, Both: 2, Hands: 4}); s.Naturals != want {
		t.Errorf("naturals %+v, want %+v", s.Naturals, want)
	}
	for id, want := range map[string]Count{
		"tie":      {N: 2, Share: 222, Since: 2},
		"dragon-7": {N: 1, Share: 111, Since: 6},
		"panda-8":  {N: 1, Share: 111, Since: 7},
	} {
		_, i, _ := p.Bet(id)
		if s.Bets[i] != want {
			t.Errorf("%s: %+v, want %+v", id, s.Bets[i], want)
		}
	}
	if s.Player.Since != 0 || s.Banker.Since != 1 || s.Tie.Since != 2 {
		t.Errorf("since %d %d %d, want 0 1 2", s.Player.Since, s.Banker.Since, s.Tie.Since)
	}
	if s.Roads.LeadingTies != 1 {
		t.Errorf("leading ties %d, want 1", s.Roads.LeadingTies)
	}
}

func TestNothingDealtYet(t *testing.T) {
	s := Fold(tracker.Shoe{Pack: pack(t, "dai-bacc")}, tracker.DefaultSettings())
	if s.Hands != 0 || s.Player.Since != -1 || s.Player.Share != 0 || len(s.Bets) != 3 {
		t.Errorf("empty shoe: %+v", s)
	}
}

func TestSharesAddToAHundred(t *testing.T) {
	p := pack(t, "ez-baccarat-panda-8")
	rapid.Check(t, func(t *rapid.T) {
		outcomes := rapid.SliceOfN(rapid.SampledFrom([]game.Outcome{game.Player, game.Banker, game.Tie}), 1, 120).Draw(t, "outcomes")
		s := tracker.Shoe{Pack: p}
		for _, o := range outcomes {
			s.Hands = append(s.Hands, tracker.Hand{Result: p.Complete(game.Result{Outcome: o})})
		}
		f := Fold(s, tracker.DefaultSettings())
		if sum := f.Player.Share + f.Banker.Share + f.Tie.Share; sum != 1000 {
			t.Fatalf("shares %d %d %d add to %d", f.Player.Share, f.Banker.Share, f.Tie.Share, sum)
		}
		for _, c := range []Count{f.Player, f.Banker, f.Tie} {
			if d := c.Share*len(outcomes) - c.N*1000; d <= -len(outcomes) || d >= len(outcomes) {
				t.Fatalf("share %d of %d in %d is more than one tenth off", c.Share, c.N, len(outcomes))
			}
		}
	})
}

func TestWhatTheBarSays(t *testing.T) {
	p := pack(t, "ez-baccarat-panda-8")
	three := shoe(t, p, "P B B")
	over := three
	over.Last = 3
	for name, c := range map[string]struct {
		state tracker.State
		want  BarKind
	}{
		"closed":        {state: tracker.State{Phase: tracker.TableClosed}, want: BarClosedTable},
		"shuffling":     {state: tracker.State{Phase: tracker.Shuffling}, want: BarShuffling},
		"betting":       {state: tracker.State{Phase: tracker.Betting, Shoe: three}, want: BarPlaceBets},
		"closed bets":   {state: tracker.State{Phase: tracker.BetsClosed, Shoe: three}, want: BarNoMoreBets},
		"free hand":     {state: tracker.State{Phase: tracker.BetsClosed, Free: true, Shoe: three}, want: BarFree},
		"result":        {state: tracker.State{Phase: tracker.Result, Shoe: three}, want: BarResult},
		"no hand yet":   {state: tracker.State{Phase: tracker.Result, Shoe: tracker.Shoe{Pack: p}}, want: BarEmpty},
		"void":          {state: tracker.State{Phase: tracker.Result, Void: "misdeal", Shoe: three}, want: BarVoid},
		"last just won": {state: tracker.State{Phase: tracker.Result, Shoe: over, Since: at(time.Hour)}, want: BarResult},
		"take and pay":  {state: tracker.State{Phase: tracker.Result, Shoe: over, Since: at(time.Hour - 19*time.Second)}, want: BarResult},
		"shoe over":     {state: tracker.State{Phase: tracker.Result, Shoe: over, Since: at(time.Hour - 20*time.Second)}, want: BarShoeOver},
		"over long ago": {state: tracker.State{Phase: tracker.Result, Shoe: over, Since: tracker.Stamp{Boot: "b"}}, want: BarShoeOver},
		"paused":        {state: tracker.State{Phase: tracker.Paused, Behind: tracker.Betting, Shoe: three}, want: BarPaused},
		"under review":  {state: tracker.State{Phase: tracker.Betting, Review: &tracker.Frozen{Shoe: three}}, want: BarReview},
	} {
		if got := boardOf(c.state, at(time.Hour)).Bar.Kind; got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

func TestRunLeavesTiesOut(t *testing.T) {
	p := pack(t, "ez-baccarat-panda-8")
	b := boardOf(tracker.State{Phase: tracker.Result, Shoe: shoe(t, p, "P B T B T T B T")}, at(0))
	if b.Bar.Run != 3 || b.Bar.RunSide != "banker" {
		t.Errorf("run %d %s, want 3 banker", b.Bar.Run, b.Bar.RunSide)
	}
}

// While the cards are shuffled players photograph the finished board; a review
// shows the board as it was, whatever is keyed behind it.
func TestFinishedAndFrozenBoardsStay(t *testing.T) {
	p := pack(t, "ez-baccarat-panda-8")
	old := shoe(t, p, "P B B")
	older := shoe(t, p, "T")
	s := tracker.State{Phase: tracker.Shuffling, Shoe: tracker.Shoe{Pack: p, Number: 4}, Finished: &old, Previous: &older}
	b := boardOf(s, at(0))
	if b.Shoe.Hands != 3 || b.Previous.Hands != 1 || b.ShoeToday != 3 {
		t.Errorf("shuffling shows %d hands of shoe %d, previous %d", b.Shoe.Hands, b.ShoeToday, b.Previous.Hands)
	}
	s = tracker.State{Phase: tracker.Result, Shoe: shoe(t, p, "P B B P"), Review: &tracker.Frozen{Shoe: old, Previous: &older}}
	if b = boardOf(s, at(0)); b.Shoe.Hands != 3 || !b.Review {
		t.Errorf("review shows %d hands", b.Shoe.Hands)
	}
}

func TestCountdownIsADeadline(t *testing.T) {
	s := tracker.State{Phase: tracker.Betting, BetSeconds: 20, Since: tracker.Stamp{Boot: "a", Mono: 5 * time.Second}}
	if d := boardOf(s, at(0)).Countdown; d == nil || d.At != 25*time.Second || d.Total != 20 {
		t.Errorf("countdown %+v, want to end at 25s", d)
	}
	if d := boardOf(s, tracker.Stamp{Boot: "b"}).Countdown; d != nil {
		t.Errorf("a countdown of another boot runs: %+v", d)
	}
}

func TestBonusSaysWhatItPushes(t *testing.T) {
	g := NewGame(pack(t, "ez-baccarat-panda-8"))
	want := map[string][2]string{"tie": {"8 TO 1", ""}, "dragon-7": {"40 TO 1", "banker"}, "panda-8": {"25 TO 1", ""}}
	for _, b := range g.Bets {
		if got := [2]string{b.Pays, b.Pushes}; got != want[b.ID] {
			t.Errorf("%s: %q, want %q", b.ID, got, want[b.ID])
		}
	}
}

// busy is a state with an 88-hand shoe and a previous one, as at a table.
func busy(t testing.TB) tracker.State {
	p := pack(t, "ez-baccarat-panda-8")
	r := rand.New(rand.NewPCG(7, 7))
	deal := func() tracker.Shoe {
		s := tracker.Shoe{Pack: p, Number: 2}
		for range 88 {
			token := [...]string{"P", "P", "P", "P", "B", "B", "B", "B", "B+dragon-7", "P+panda-8", "T", "B+natural", "P+natural"}[r.IntN(13)]
			h, err := tracker.ParseToken(p, token)
			if err != nil {
				t.Fatal(err)
			}
			s.Hands = append(s.Hands, h)
		}
		return s
	}
	previous := deal()
	return tracker.State{Settings: tracker.DefaultSettings(), Shoe: deal(), Previous: &previous, Phase: tracker.Result}
}

func TestBoardSurvivesJSON(t *testing.T) {
	b := boardOf(busy(t), at(0))
	b.Dealer = Dealer{Lines: [2]string{"49? BANKER", "OK=SAVE   CLEAR=DROP"}, Entering: true}
	data, err := json.Marshal(b)
	if err != nil {
		t.Fatal(err)
	}
	var back Board
	if err := json.Unmarshal(data, &back); err != nil {
		t.Fatal(err)
	}
	again, err := json.Marshal(&back)
	if err != nil || string(again) != string(data) {
		t.Errorf("Board to JSON and back differs (%v)", err)
	}
	if !reflect.DeepEqual(b.Shoe, back.Shoe) {
		t.Error("the shoe differs after JSON")
	}
}

// Goal: at most 10 µs and 20 allocations.
func BenchmarkFoldBoard(b *testing.B) {
	s := busy(b)
	var f Folder
	b.ReportAllocs()
	for b.Loop() {
		f.Fill(new(Board), s, at(0))
	}
}

// Goal: at most 1.5 ms.
func BenchmarkBoardJSON(b *testing.B) {
	board := boardOf(busy(b), at(0))
	b.ReportAllocs()
	for b.Loop() {
		data, err := json.Marshal(board)
		if err != nil {
			b.Fatal(err)
		}
		var back Board
		if err := json.Unmarshal(data, &back); err != nil {
			b.Fatal(err)
		}
	}
}

// A hand that cannot be read is in its place on the bead plate and in no figure; nobody
// knows the shares, how long ago anything was, or how the roads go on behind it.
func TestAShoeWithALostHand(t *testing.T) {
	p := pack(t, "ez-baccarat-panda-8")
	in := shoe(t, p, "P B B P P T")
	in.Hands = slices.Insert(in.Hands, 3, tracker.Hand{})
	s := Fold(in, tracker.DefaultSettings())
	if s.Hands != 7 || !slices.Equal(s.Lost, []int{4}) || s.Player.N != 3 || s.Banker.N != 2 || s.Tie.N != 1 {
		t.Errorf("%d hands, lost %v, %d %d %d", s.Hands, s.Lost, s.Player.N, s.Banker.N, s.Tie.N)
	}
	if want := (Count{N: 1, Share: 0, Since: -1}); s.Tie != want || s.Bets[0] != want {
		t.Errorf("tie %+v, bet on it %+v, want %+v", s.Tie, s.Bets[0], want)
	}
	if len(s.Marks) != 7 || s.Marks[3] != (Mark{}) || s.Marks[4].Outcome != game.Player {
		t.Errorf("marks %v", s.Marks)
	}
	if len(s.Roads.BigRoad) != 3 || s.Roads.Ask != (road.Ask{}) {
		t.Errorf("the roads go on: %v", s.Roads.BigRoad)
	}
	st := busy(t)
	st.Phase, st.Shoe = tracker.Result, in
	if b := boardOf(st, at(0)); b.Bar.Last == nil || b.Bar.Run != 2 {
		t.Errorf("the bar over a known hand: %+v", b.Bar)
	}
	st.Shoe.Hands = in.Hands[:4]
	if b := boardOf(st, at(0)); b.Bar.Kind != BarEmpty || b.Bar.Last != nil || b.Bar.Run != 0 {
		t.Errorf("the bar over a lost hand: %+v", b.Bar)
	}
}

// Attract pages turn over a finished board after three minutes of shuffling, and a Board
// says when it will change by itself.
func TestABoardChangesByItself(t *testing.T) {
	p := pack(t, "ez-baccarat-panda-8")
	old := shoe(t, p, "P B")
	over := old
	over.Last = 2
	for name, c := range map[string]struct {
		state tracker.State
		next  time.Duration
	}{
		"a finished board": {tracker.State{Phase: tracker.Shuffling, Finished: &old, Since: at(time.Hour)}, time.Hour + attractAfter},
		"a shoe before":    {tracker.State{Phase: tracker.Shuffling, Previous: &old, Since: at(time.Hour)}, time.Hour + attractAfter},
		"the first shoe":   {tracker.State{Phase: tracker.Shuffling, Since: at(time.Hour)}, 0},
		"the last hand":    {tracker.State{Phase: tracker.Result, Shoe: over, Since: at(time.Hour)}, time.Hour + settledAfter},
		"any other hand":   {tracker.State{Phase: tracker.Result, Shoe: old, Since: at(time.Hour)}, 0},
		"another boot":     {tracker.State{Phase: tracker.Shuffling, Finished: &old, Since: tracker.Stamp{Boot: "b"}}, 0},
	} {
		next, some := NextChange(c.state, "a")
		if next != c.next || some != (c.next > 0) {
			t.Errorf("%s: changes at %v, %v, expected %v", name, next, some, c.next)
		}
		before, after := boardOf(c.state, at(next-1)), boardOf(c.state, at(next))
		if some && reflect.DeepEqual(before, after) {
			t.Errorf("%s: nothing changes", name)
		}
		if on := c.state.Phase == tracker.Shuffling && some; after.Attract.On != on || before.Attract.On {
			t.Errorf("%s: attract pages turn: %v", name, after.Attract.On)
		}
	}
}
