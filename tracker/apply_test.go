package tracker

import (
	"testing"
	"time"
)

// The shoes of a day are counted; the finished board stays until the first record.
func TestShoesOfADay(t *testing.T) {
	s := table(t, ez, "P")
	s = do(t, s, Command{Kind: ShoeStarted, Day: "2026-11-30"})
	if s.Shoe.Number != 2 || s.Finished == nil || s.Previous != nil {
		t.Errorf("second shoe: %d, %v, %v", s.Shoe.Number, s.Finished, s.Previous)
	}
	if shoe, _ := s.Shown(); shoe.Number != 1 {
		t.Errorf("the board shows shoe %d while it is shuffled", shoe.Number)
	}
	s = do(t, s, hand("B"))
	if shoe, previous := s.Shown(); shoe.Number != 2 || previous == nil || previous.Number != 1 {
		t.Errorf("after the first record: %d, %v", shoe.Number, previous)
	}
	s = do(t, s, Command{Kind: ShoeStarted, Day: "2026-12-01"})
	if s.Shoe.Number != 1 {
		t.Errorf("the first shoe of a day is %d", s.Shoe.Number)
	}
	s = do(t, do(t, s, hand("T")), Command{Kind: ShoeStarted})
	if s.Shoe.Number != 1+1 {
		t.Errorf("without a clock the count goes on: %d", s.Shoe.Number)
	}
}

// A new shoe taken back leaves the old one as it was.
func TestShoeTakenBack(t *testing.T) {
	s := table(t, ez, "P", "B")
	saved := s.Saved
	s = do(t, s, Command{Kind: ShoeStarted}, Command{Kind: ShoeTakenBack})
	wantList(t, s.Shoe, "P", "B")
	if s.Phase != Result || s.Saved != saved || s.Finished != nil || s.Shoe.Number != 1 {
		t.Errorf("%v, saved %v, want %v", s.Phase, s.Saved, saved)
	}
}

// Fixes, removals and insertions count, a replace does not; all are marked until the next record.
func TestCorrections(t *testing.T) {
	s := table(t, ez, "P", "B", "T")
	s = do(t, s, Command{Kind: HandFixed, Hand: 1, Token: "B"}, Command{Kind: HandInserted, Hand: 2, Token: "P+panda-8"},
		Command{Kind: HandRemoved, Hand: 3})
	wantList(t, s.Shoe, "B", "P+panda-8", "T")
	if s.Shoe.Fixes != 3 || len(s.Corrected) != 2 || s.Corrected[0] != 1 || s.Corrected[1] != 2 {
		t.Errorf("%d fixes, marked %v", s.Shoe.Fixes, s.Corrected)
	}
	s = do(t, s, Command{Kind: HandReplaced, Token: "P"})
	wantList(t, s.Shoe, "B", "P+panda-8", "P")
	if s.Shoe.Fixes != 3 || !s.Shoe.Hands[2].Fixed {
		t.Errorf("a replace counts: %d", s.Shoe.Fixes)
	}
	if s = do(t, s, hand("B")); s.Corrected != nil {
		t.Errorf("the marks stay: %v", s.Corrected)
	}
}

// A mark stays with its hand when others come or go before it.
func TestMarksMoveWithTheHands(t *testing.T) {
	s := table(t, ez, "P", "P", "P", "P")
	s = do(t, s, Command{Kind: HandFixed, Hand: 2, Token: "B"}, Command{Kind: HandFixed, Hand: 4, Token: "B"},
		Command{Kind: HandRemoved, Hand: 1}, Command{Kind: HandInserted, Hand: 2, Token: "T"})
	wantList(t, s.Shoe, "B", "T", "P", "B")
	want := map[int]bool{1: true, 2: true, 4: true}
	for _, n := range s.Corrected {
		if !want[n] {
			t.Errorf("marked %v", s.Corrected)
		}
		delete(want, n)
	}
	if len(want) > 0 {
		t.Errorf("marked %v", s.Corrected)
	}
}

// Saved is the last hand's moment, whatever was fixed or taken out.
func TestSavedIsTheLastHands(t *testing.T) {
	s := table(t, ez, "P", "B")
	first, second := s.Shoe.Hands[0].At, s.Shoe.Hands[1].At
	if s.Saved != second {
		t.Errorf("saved %v, want %v", s.Saved, second)
	}
	fixed := do(t, s, Command{Kind: HandFixed, Token: "T", At: at(time.Hour)})
	if fixed.Saved != second {
		t.Error("a fix moves it")
	}
	if one := do(t, s, Command{Kind: HandRemoved}); one.Saved != first {
		t.Errorf("after a removal %v, want %v", one.Saved, first)
	}
	if none := do(t, s, Command{Kind: HandRemoved}, Command{Kind: HandRemoved}); none.Saved != (Stamp{}) {
		t.Errorf("after all %v", none.Saved)
	}
}

// The cut card goes round: the hand after this one, this one, off.
func TestCutCard(t *testing.T) {
	s := table(t, ez, "P", "P")
	for _, want := range []int{4, 3, 0, 4} {
		if s = do(t, s, Command{Kind: CutSet, Hand: s.NextCut()}); s.Shoe.Last != want {
			t.Fatalf("last %d, want %d", s.Shoe.Last, want)
		}
	}
	s = do(t, s, hand("B"))
	if s.Shoe.Over() {
		t.Error("over before the last hand")
	}
	s = do(t, s, hand("B"))
	if !s.Shoe.Over() {
		t.Error("not over after the last hand")
	}
	if s = do(t, s, hand("B")); s.Shoe.Over() || s.Shoe.Last != 0 {
		t.Error("play went on, and it is over still")
	}
}

// FREE closes the bets and ends with the record, a void, or new bets.
func TestFreeHand(t *testing.T) {
	s := do(t, table(t, ez, "P"), Command{Kind: BetsOpened, Seconds: 20}, Command{Kind: FreeSet, On: true})
	if s.Phase != BetsClosed || !s.Free || s.BetSeconds != 0 {
		t.Errorf("%v, free %v", s.Phase, s.Free)
	}
	for _, end := range []Command{hand("P"), {Kind: HandVoided, Reason: "floor"}, {Kind: BetsOpened}, {Kind: FreeSet},
		{Kind: ShoeStarted}, {Kind: HandReplaced, Token: "B"}} {
		if got := do(t, s, end); got.Free {
			t.Errorf("%s does not end it", end.Kind)
		}
	}
	p := do(t, table(t, ez, "P"), Command{Kind: GamePaused}, Command{Kind: FreeSet, On: true}, Command{Kind: GameResumed})
	if p.Phase != BetsClosed || !p.Free {
		t.Errorf("under a pause: %v, free %v", p.Phase, p.Free)
	}
	c := do(t, do(t, table(t, ez), Command{Kind: FreeSet, On: true}), Command{Kind: TableShut}, Command{Kind: TableOpened})
	if c.Free {
		t.Error("closing the table does not end it")
	}
}

// A pause starts an open countdown anew and lets closed bets be.
func TestPause(t *testing.T) {
	open := do(t, table(t, ez, "P"), Command{Kind: BetsOpened, Seconds: 20, At: at(100 * time.Second)})
	back := do(t, open, Command{Kind: GamePaused, At: at(110 * time.Second)}, Command{Kind: GameResumed, At: at(500 * time.Second)})
	if back.Phase != Betting || back.BetSeconds != 20 || back.Since != at(500*time.Second) || back.BetsAt != at(500*time.Second) {
		t.Errorf("the countdown: %v, %d s since %v", back.Phase, back.BetSeconds, back.Since)
	}
	shut := do(t, open, Command{Kind: BetsShut, At: at(120 * time.Second)}, Command{Kind: GamePaused, At: at(130 * time.Second)},
		Command{Kind: GameResumed, At: at(500 * time.Second)})
	if shut.Phase != BetsClosed || shut.Since != at(120*time.Second) {
		t.Errorf("closed bets: %v since %v", shut.Phase, shut.Since)
	}
}

// In mode close the bets show as open again after a result, and not where they must not.
func TestOpensByItself(t *testing.T) {
	settings := DefaultSettings()
	settings.Bets = BetsClose
	s := do(t, table(t, ez), Command{Kind: SettingsApplied, Settings: &settings})
	for name, c := range map[string]struct {
		state State
		last  Command
		want  bool
	}{
		"after a record":            {s, hand("P"), true},
		"after a void":              {s, Command{Kind: HandVoided, Reason: "floor"}, true},
		"after a forgotten hand":    {s, Command{Kind: HandRecorded, Token: "P", Hold: true}, false},
		"out of a pause":            {do(t, s, Command{Kind: GamePaused}), hand("P"), false},
		"after the last hand":       {do(t, s, Command{Kind: CutSet, Hand: 1}), hand("P"), false},
		"a void after the last":     {do(t, s, Command{Kind: CutSet, Hand: 1}, hand("P")), Command{Kind: HandVoided}, false},
		"play past the last":        {do(t, s, Command{Kind: CutSet, Hand: 1}, hand("P")), hand("P"), true},
		"after a pause that ended":  {do(t, s, hand("B"), Command{Kind: GamePaused}), Command{Kind: GameResumed}, false},
		"after FREE":                {do(t, s, hand("B")), Command{Kind: FreeSet, On: true}, false},
		"after a fix it stays so":   {do(t, s, hand("B")), Command{Kind: HandFixed, Token: "P"}, true},
		"but not with another mode": {table(t, ez), hand("P"), false},
	} {
		if got := do(t, c.state, c.last); got.AutoOpen != c.want {
			t.Errorf("%s: %v, want %v", name, got.AutoOpen, c.want)
		}
	}
}

// A review freezes the board; the table goes on behind it.
func TestReview(t *testing.T) {
	s := do(t, table(t, ez, "P"), Command{Kind: ReviewSet, On: true}, hand("B"), Command{Kind: ShoeStarted}, hand("T"))
	if shoe, _ := s.Shown(); len(shoe.Hands) != 1 || shoe.Number != 1 {
		t.Errorf("the board moved under review: shoe %d, %v", shoe.Number, list(shoe))
	}
	if shoe, _ := do(t, s, Command{Kind: ReviewSet}).Shown(); shoe.Number != 2 {
		t.Errorf("released it shows shoe %d", shoe.Number)
	}
}

// A hand put into a new shoe ends SHUFFLING as a record does.
func TestInsertWhileShuffling(t *testing.T) {
	s := do(t, table(t, ez), Command{Kind: HandInserted, Hand: 1, Token: "P"})
	if s.Phase != Result || s.NoHandYet() {
		t.Errorf("%v with %v", s.Phase, list(s.Shoe))
	}
}

// A record that does not fit is an error and changes nothing, whatever stands in it.
func TestApplyRefusesWhatCannotHaveBeen(t *testing.T) {
	s := table(t, ez, "P", "B")
	for name, e := range map[string]Event{
		"unknown kind":         {Kind: "juggled"},
		"no kind":              {},
		"no settings":          {Kind: SettingsApplied},
		"no game":              {Kind: PackInstalled, Source: "x"},
		"a game in a shoe":     {Kind: PackInstalled, Source: string(source(t, "dai-bacc"))},
		"no shoe to go back":   {Kind: ShoeTakenBack},
		"not paused":           {Kind: GameResumed},
		"cut below zero":       {Kind: CutSet, Hand: -1},
		"countdown below zero": {Kind: BetsOpened, Seconds: -1},
		"a gap":                {Kind: HandRecorded, Hand: 4, Token: "P"},
		"a hand twice":         {Kind: HandRecorded, Hand: 2, Token: "P"},
		"no number":            {Kind: HandRecorded, Token: "P"},
		"no token":             {Kind: HandRecorded, Hand: 3},
		"insert far":           {Kind: HandInserted, Hand: 4, Token: "P"},
		"fix far":              {Kind: HandFixed, Hand: 3, Token: "P"},
		"replace none":         {Kind: HandReplaced, Token: "P"},
		"remove far":           {Kind: HandRemoved, Hand: 3},
		"remove below":         {Kind: HandRemoved, Hand: -3},
	} {
		e.At = Stamp{Seq: 99}
		got, err := Apply(s, e)
		if err == nil {
			t.Errorf("%s is taken", name)
		}
		if got.Seq != s.Seq || len(got.Shoe.Hands) != 2 || got.Phase != s.Phase {
			t.Errorf("%s changed the state", name)
		}
	}
}

// FREE taken off goes back to what it closed, with what was left of the countdown, behind a
// pause too; what an older record says of it being taken off stays what it was.
func TestFreeTakenOffReturnsToThePhaseBehind(t *testing.T) {
	later := func(d time.Duration, cmds ...Command) []Command {
		for i := range cmds {
			cmds[i].At = Stamp{Boot: "b", Mono: d}
		}
		return cmds
	}
	open := do(t, table(t, ez, "P"), later(time.Minute, Command{Kind: BetsOpened, Seconds: 20})...)
	free := do(t, open, later(time.Minute+8*time.Second, Command{Kind: FreeSet, On: true})...)
	if free.Phase != BetsClosed || free.BetSeconds != 0 {
		t.Fatalf("free: %s, %d s", free.Phase, free.BetSeconds)
	}
	if s := do(t, free, later(2*time.Minute, Command{Kind: FreeTakenOff})...); s.Phase != Betting || s.BetSeconds != 12 || s.Free || s.Since.Mono != 2*time.Minute {
		t.Errorf("taken off: %s, %d s, since %v", s.Phase, s.BetSeconds, s.Since)
	}
	if s := do(t, free, later(2*time.Minute, Command{Kind: FreeSet})...); s.Phase != BetsClosed {
		t.Errorf("by an older record: %s", s.Phase)
	}
	paused := do(t, free, later(2*time.Minute, Command{Kind: GamePaused}, Command{Kind: FreeTakenOff}, Command{Kind: GameResumed})...)
	if paused.Phase != Betting || paused.BetSeconds != 20 {
		t.Errorf("behind a pause: %s, %d s", paused.Phase, paused.BetSeconds)
	}
	void := do(t, table(t, ez, "P"), Command{Kind: HandVoided, Reason: "floor"}, Command{Kind: FreeSet, On: true}, Command{Kind: FreeTakenOff})
	if void.Phase != Result || void.Void != "floor" {
		t.Errorf("after a void: %s %q", void.Phase, void.Void)
	}
	again, err := UnmarshalCheckpoint(mustCheckpoint(t, free))
	if err != nil {
		t.Fatal(err)
	}
	if s := do(t, again, later(2*time.Minute, Command{Kind: FreeTakenOff})...); s.Phase != Betting || s.BetSeconds != 12 {
		t.Errorf("out of a checkpoint: %s, %d s", s.Phase, s.BetSeconds)
	}
	replaced := do(t, do(t, table(t, ez, "P"), Command{Kind: BetsOpened}), Command{Kind: FreeSet, On: true}, Command{Kind: HandReplaced, Hand: 1, Token: "B", Free: true})
	if replaced.Phase != Betting || replaced.Free {
		t.Errorf("replaced under FREE: %s, free %v", replaced.Phase, replaced.Free)
	}
}

func mustCheckpoint(t *testing.T, s State) []byte {
	t.Helper()
	data, err := MarshalCheckpoint(s)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// A hand that was lost and that the floor has put in has no time: the newest that is known
// is that of the hand before.
func TestAFilledHandHasNoTime(t *testing.T) {
	s := table(t, ez, "P", "B")
	known := s.Shoe.RecordedAt()
	s.Shoe.Hands = append(s.Shoe.Hands, Hand{})
	s = do(t, s, Command{Kind: HandFixed, Hand: 3, Token: "T", By: "anna"})
	wantList(t, s.Shoe, "P", "B", "T")
	if at := s.Shoe.RecordedAt(); at != known || known == (Stamp{}) {
		t.Errorf("recorded at %+v, expected %+v", at, known)
	}
}
