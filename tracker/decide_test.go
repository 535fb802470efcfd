package tracker

import (
	"errors"
	"strings"
	"testing"
	"time"
)

const ez = "ez-baccarat-panda-8"

// Every wish is allowed in some states and refused in others, with words that fit the
// dealer's echo where the dealer may read them.
func TestDecide(t *testing.T) {
	closed := closedTable(t, ez)
	shuffling := table(t, ez)
	played := table(t, ez, "P", "B+dragon-7")
	betting := do(t, played, Command{Kind: BetsOpened, Seconds: 20})
	shut := do(t, betting, Command{Kind: BetsShut, Reason: "key"})
	paused := do(t, played, Command{Kind: GamePaused})
	free := do(t, played, Command{Kind: FreeSet, On: true})
	frozen := do(t, played, Command{Kind: ReviewSet, On: true})
	renewed := do(t, played, Command{Kind: ShoeStarted})
	settings := DefaultSettings()
	dai := string(source(t, "dai-bacc"))

	for _, c := range []struct {
		name  string
		state State
		wish  Command
		want  string // "" allowed; else part of the refusal
	}{
		{"settings", played, Command{Kind: SettingsApplied, Settings: &settings}, ""},
		{"no settings", played, Command{Kind: SettingsApplied}, "without settings"},
		{"game on a closed table", closed, Command{Kind: PackInstalled, Source: dai}, ""},
		{"game between shoes", renewed, Command{Kind: PackInstalled, Source: dai}, ""},
		{"game in a shoe", played, Command{Kind: PackInstalled, Source: dai}, "SHOE IS IN PLAY"},
		{"no game", closed, Command{Kind: PackInstalled, Source: "id = 7"}, "id"},

		{"open", closed, Command{Kind: TableOpened}, ""},
		{"open twice", shuffling, Command{Kind: TableOpened}, "TABLE IS OPEN"},
		{"open without a game", State{}, Command{Kind: TableOpened}, "NO GAME INSTALLED"},
		{"close", shuffling, Command{Kind: TableShut}, ""},
		{"close in a shoe", played, Command{Kind: TableShut}, "SHOE IS IN PLAY"},
		{"close twice", closed, Command{Kind: TableShut}, "TABLE CLOSED"},
		{"new shoe", played, Command{Kind: ShoeStarted}, ""},
		{"new shoe of a new shoe", shuffling, Command{Kind: ShoeStarted}, "SHOE IS NEW"},
		{"new shoe on a closed table", closed, Command{Kind: ShoeStarted}, "TABLE CLOSED"},
		{"take back", renewed, Command{Kind: ShoeTakenBack}, ""},
		{"take back the first", shuffling, Command{Kind: ShoeTakenBack}, "NO SHOE TO GO BACK"},
		{"take back in play", do(t, renewed, hand("P")), Command{Kind: ShoeTakenBack}, "NO SHOE TO GO BACK"},
		{"cut", played, Command{Kind: CutSet, Hand: 4}, ""},
		{"cut this hand", played, Command{Kind: CutSet, Hand: 3}, ""},
		{"cut off", played, Command{Kind: CutSet}, ""},
		{"cut a dealt hand", played, Command{Kind: CutSet, Hand: 2}, "HAND IS DEALT"},

		{"bets", played, Command{Kind: BetsOpened, Seconds: 20}, ""},
		{"bets from shuffling", shuffling, Command{Kind: BetsOpened}, ""},
		{"bets twice", betting, Command{Kind: BetsOpened}, "BETS ARE OPEN"},
		{"bets shut", betting, Command{Kind: BetsShut}, ""},
		{"bets shut twice", shut, Command{Kind: BetsShut}, "BETS ARE CLOSED"},
		{"bets on a closed table", closed, Command{Kind: BetsOpened}, "TABLE CLOSED"},
		{"shuffle ended", shuffling, Command{Kind: ShuffleEnded}, ""},
		{"shuffle ended twice", played, Command{Kind: ShuffleEnded}, "SHUFFLING IS OVER"},
		{"free", played, Command{Kind: FreeSet, On: true}, ""},
		{"free twice", free, Command{Kind: FreeSet, On: true}, "FREE IS AS ASKED"},
		{"free off", free, Command{Kind: FreeSet}, ""},
		{"pause", betting, Command{Kind: GamePaused}, ""},
		{"pause twice", paused, Command{Kind: GamePaused}, "GAME IS PAUSED"},
		{"go on", paused, Command{Kind: GameResumed}, ""},
		{"go on unpaused", played, Command{Kind: GameResumed}, "GAME GOES ON"},

		{"review", played, Command{Kind: ReviewSet, On: true}, ""},
		{"review of a closed table", closed, Command{Kind: ReviewSet, On: true}, ""},
		{"review twice", frozen, Command{Kind: ReviewSet, On: true}, "REVIEW IS AS ASKED"},
		{"release", frozen, Command{Kind: ReviewSet}, ""},
		{"release nothing", played, Command{Kind: ReviewSet}, "REVIEW IS AS ASKED"},

		{"hand", played, hand("T"), ""},
		{"hand while shuffling", shuffling, hand("T"), ""},
		{"hand while bets are open", betting, hand("T"), ""},
		{"hand in a pause", paused, hand("T"), ""},
		{"hand under review", frozen, hand("T"), ""},
		{"hand on a closed table", closed, hand("T"), "TABLE CLOSED"},
		{"hand with its number", played, Command{Kind: HandRecorded, Hand: 3, Token: "P"}, ""},
		{"hand with a gap", played, Command{Kind: HandRecorded, Hand: 4, Token: "P"}, "the next hand is 3"},
		{"hand again", played, Command{Kind: HandRecorded, Hand: 2, Token: "P"}, "the next hand is 3"},
		{"no hand", played, hand("X"), "expected P, B, T"},
		{"a hand that cannot be", played, hand("P+dragon-7"), "Dragon 7"},
		{"insert", played, Command{Kind: HandInserted, Hand: 1, Token: "T"}, ""},
		{"insert at the end", played, Command{Kind: HandInserted, Hand: 3, Token: "T"}, ""},
		{"insert past the end", played, Command{Kind: HandInserted, Hand: 4, Token: "T"}, "the next hand is 3"},
		{"fix the last", played, Command{Kind: HandFixed, Token: "P"}, ""},
		{"fix the first", played, Command{Kind: HandFixed, Hand: 1, Token: "B"}, ""},
		{"fix to the same", played, Command{Kind: HandFixed, Token: "B+dragon-7"}, "UNCHANGED"},
		{"fix to a free hand", played, Command{Kind: HandFixed, Token: "B+dragon-7", Free: true}, ""},
		{"fix a hand that is not", played, Command{Kind: HandFixed, Hand: 3, Token: "P"}, "hands 1 to 2"},
		{"fix nothing", shuffling, Command{Kind: HandFixed, Token: "P"}, "NO HAND TO FIX"},
		{"fix to what cannot be", played, Command{Kind: HandFixed, Token: "T+panda-8"}, "Panda 8"},
		{"replace", played, Command{Kind: HandReplaced, Token: "P"}, ""},
		{"replace nothing", shuffling, Command{Kind: HandReplaced, Token: "P"}, "NO HAND TO FIX"},
		{"remove", played, Command{Kind: HandRemoved}, ""},
		{"remove nothing", shuffling, Command{Kind: HandRemoved}, "NO HAND TO FIX"},
		{"remove a hand that is not", played, Command{Kind: HandRemoved, Hand: -1}, "hands 1 to 2"},
		{"void", shuffling, Command{Kind: HandVoided, Reason: "misdeal"}, ""},
		{"void on a closed table", closed, Command{Kind: HandVoided, Reason: "misdeal"}, "TABLE CLOSED"},
		{"what nobody knows", played, Command{Kind: "juggle"}, "unknown command"},
	} {
		t.Run(c.name, func(t *testing.T) {
			events, err := Decide(c.state, c.wish)
			switch {
			case c.want == "" && err != nil:
				t.Fatalf("refused: %v", err)
			case c.want == "":
				if len(events) == 0 {
					t.Fatal("allowed, and nothing follows")
				}
				if _, err := ApplyAll(c.state, events); err != nil {
					t.Fatalf("what follows does not apply: %v", err)
				}
			case err == nil || !strings.Contains(err.Error(), c.want):
				t.Fatalf("got %v, want %q", err, c.want)
			}
			var r *Refusal
			if errors.As(err, &r) && (len(r.Text) > 20 || len(r.Hint) > 20 || r.Text == "") {
				t.Errorf("%q and %q do not fit the echo", r.Text, r.Hint)
			}
		})
	}
}

// What a fact does, in one story of each kind.
func TestApply(t *testing.T) {
	t.Run("a day of shoes", func(t *testing.T) {
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
	})
	t.Run("a new shoe taken back", func(t *testing.T) {
		s := table(t, ez, "P", "B")
		saved := s.Saved
		s = do(t, s, Command{Kind: ShoeStarted}, Command{Kind: ShoeTakenBack})
		wantList(t, s.Shoe, "P", "B")
		if s.Phase != Result || s.Saved != saved || s.Finished != nil || s.Shoe.Number != 1 {
			t.Errorf("%v, saved %v, want %v", s.Phase, s.Saved, saved)
		}
	})
	t.Run("corrections", func(t *testing.T) {
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
	})
	t.Run("the marks move with the hands", func(t *testing.T) {
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
	})
	t.Run("the last hand's moment", func(t *testing.T) {
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
	})
	t.Run("cut card", func(t *testing.T) {
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
	})
	t.Run("free hand", func(t *testing.T) {
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
	})
	t.Run("pause", func(t *testing.T) {
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
	})
	t.Run("opening by itself", func(t *testing.T) {
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
	})
	t.Run("review", func(t *testing.T) {
		s := do(t, table(t, ez, "P"), Command{Kind: ReviewSet, On: true}, hand("B"), Command{Kind: ShoeStarted}, hand("T"))
		if shoe, _ := s.Shown(); len(shoe.Hands) != 1 || shoe.Number != 1 {
			t.Errorf("the board moved under review: shoe %d, %v", shoe.Number, list(shoe))
		}
		if shoe, _ := do(t, s, Command{Kind: ReviewSet}).Shown(); shoe.Number != 2 {
			t.Errorf("released it shows shoe %d", shoe.Number)
		}
	})
	t.Run("insert while shuffling", func(t *testing.T) {
		s := do(t, table(t, ez), Command{Kind: HandInserted, Hand: 1, Token: "P"})
		if s.Phase != Result || s.NoHandYet() {
			t.Errorf("%v with %v", s.Phase, list(s.Shoe))
		}
	})
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

// A decision of several wishes is all of them or none.
func TestDecideAll(t *testing.T) {
	s := table(t, ez, "P")
	events, err := DecideAll(s, []Command{{Kind: ShoeStarted}, hand("B")})
	if err != nil || len(events) != 2 || events[1].Hand != 1 {
		t.Fatalf("%+v, %v", events, err)
	}
	if events, err := DecideAll(s, []Command{{Kind: CutSet, Hand: 5}, {Kind: TableShut}}); err == nil || events != nil {
		t.Fatalf("half a decision: %+v, %v", events, err)
	}
}
