package tracker

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

const ez = "ez-baccarat-panda-8"

// judged is a wish in a state, and "" when it is allowed, else part of the refusal.
type judged struct {
	name  string
	state State
	wish  Command
	want  string
}

// tables are the states that wishes are judged in.
type tables struct {
	t                                                                       *testing.T
	closed, shuffling, played, betting, shut, paused, free, frozen, renewed State
	settings                                                                Settings
	dai                                                                     string
}

func newTables(t *testing.T) tables {
	played := table(t, ez, "P", "B+dragon-7")
	betting := do(t, played, Command{Kind: BetsOpened, Seconds: 20})
	return tables{
		t: t, closed: closedTable(t, ez), shuffling: table(t, ez), played: played, betting: betting,
		shut:     do(t, betting, Command{Kind: BetsShut, Reason: "key"}),
		paused:   do(t, played, Command{Kind: GamePaused}),
		free:     do(t, played, Command{Kind: FreeSet, On: true}),
		frozen:   do(t, played, Command{Kind: ReviewSet, On: true}),
		renewed:  do(t, played, Command{Kind: ShoeStarted}),
		settings: DefaultSettings(), dai: string(source(t, "dai-bacc")),
	}
}

// settingWishes are about settings and the game.
func settingWishes(at tables) []judged {
	return []judged{
		{"settings", at.played, Command{Kind: SettingsApplied, Settings: &at.settings}, ""},
		{"no settings", at.played, Command{Kind: SettingsApplied}, "without settings"},
		{"game on a closed table", at.closed, Command{Kind: PackInstalled, Source: at.dai}, ""},
		{"game between shoes", at.renewed, Command{Kind: PackInstalled, Source: at.dai}, ""},
		{"game in a shoe", at.played, Command{Kind: PackInstalled, Source: at.dai}, "SHOE IS IN PLAY"},
		{"no game", at.closed, Command{Kind: PackInstalled, Source: "id = 7"}, "id"},
	}
}

// shoeWishes are about the table and its shoes.
func shoeWishes(at tables) []judged {
	return []judged{
		{"open", at.closed, Command{Kind: TableOpened}, ""},
		{"open twice", at.shuffling, Command{Kind: TableOpened}, "TABLE IS OPEN"},
		{"open without a game", State{}, Command{Kind: TableOpened}, "NO GAME INSTALLED"},
		{"close", at.shuffling, Command{Kind: TableShut}, ""},
		{"close in a shoe", at.played, Command{Kind: TableShut}, "SHOE IS IN PLAY"},
		{"close twice", at.closed, Command{Kind: TableShut}, "TABLE CLOSED"},
		{"new shoe", at.played, Command{Kind: ShoeStarted}, ""},
		{"new shoe of a new shoe", at.shuffling, Command{Kind: ShoeStarted}, "SHOE IS NEW"},
		{"new shoe on a closed table", at.closed, Command{Kind: ShoeStarted}, "TABLE CLOSED"},
		{"take back", at.renewed, Command{Kind: ShoeTakenBack}, ""},
		{"take back the first", at.shuffling, Command{Kind: ShoeTakenBack}, "NO SHOE TO GO BACK"},
		{"take back in play", do(at.t, at.renewed, hand("P")), Command{Kind: ShoeTakenBack}, "NO SHOE TO GO BACK"},
		{"cut", at.played, Command{Kind: CutSet, Hand: 4}, ""},
		{"cut this hand", at.played, Command{Kind: CutSet, Hand: 3}, ""},
		{"cut off", at.played, Command{Kind: CutSet}, ""},
		{"cut a dealt hand", at.played, Command{Kind: CutSet, Hand: 2}, "HAND IS DEALT"},
	}
}

// phaseWishes are about bets, free hands and pauses.
func phaseWishes(at tables) []judged {
	return []judged{
		{"bets", at.played, Command{Kind: BetsOpened, Seconds: 20}, ""},
		{"bets from shuffling", at.shuffling, Command{Kind: BetsOpened}, ""},
		{"bets twice", at.betting, Command{Kind: BetsOpened}, "BETS ARE OPEN"},
		{"bets shut", at.betting, Command{Kind: BetsShut}, ""},
		{"bets shut twice", at.shut, Command{Kind: BetsShut}, "BETS ARE CLOSED"},
		{"bets on a closed table", at.closed, Command{Kind: BetsOpened}, "TABLE CLOSED"},
		{"shuffle ended", at.shuffling, Command{Kind: ShuffleEnded}, ""},
		{"shuffle ended twice", at.played, Command{Kind: ShuffleEnded}, "SHUFFLING IS OVER"},
		{"free", at.played, Command{Kind: FreeSet, On: true}, ""},
		{"free twice", at.free, Command{Kind: FreeSet, On: true}, "FREE IS AS ASKED"},
		{"free off", at.free, Command{Kind: FreeSet}, ""},
		{"pause", at.betting, Command{Kind: GamePaused}, ""},
		{"pause twice", at.paused, Command{Kind: GamePaused}, "GAME IS PAUSED"},
		{"go on", at.paused, Command{Kind: GameResumed}, ""},
		{"go on unpaused", at.played, Command{Kind: GameResumed}, "GAME GOES ON"},
	}
}

// reviewWishes are about the frozen board.
func reviewWishes(at tables) []judged {
	return []judged{
		{"review", at.played, Command{Kind: ReviewSet, On: true}, ""},
		{"review of a closed table", at.closed, Command{Kind: ReviewSet, On: true}, ""},
		{"review twice", at.frozen, Command{Kind: ReviewSet, On: true}, "REVIEW IS AS ASKED"},
		{"release", at.frozen, Command{Kind: ReviewSet}, ""},
		{"release nothing", at.played, Command{Kind: ReviewSet}, "REVIEW IS AS ASKED"},
	}
}

// handWishes are about hands.
func handWishes(at tables) []judged {
	return []judged{
		{"hand", at.played, hand("T"), ""},
		{"hand while shuffling", at.shuffling, hand("T"), ""},
		{"hand while bets are open", at.betting, hand("T"), ""},
		{"hand in a pause", at.paused, hand("T"), ""},
		{"hand under review", at.frozen, hand("T"), ""},
		{"hand on a closed table", at.closed, hand("T"), "TABLE CLOSED"},
		{"hand with its number", at.played, Command{Kind: HandRecorded, Hand: 3, Token: "P"}, ""},
		{"hand with a gap", at.played, Command{Kind: HandRecorded, Hand: 4, Token: "P"}, "the next hand is 3"},
		{"hand again", at.played, Command{Kind: HandRecorded, Hand: 2, Token: "P"}, "the next hand is 3"},
		{"no hand", at.played, hand("X"), "expected P, B, T"},
		{"a hand that cannot be", at.played, hand("P+dragon-7"), "Dragon 7"},
		{"insert", at.played, Command{Kind: HandInserted, Hand: 1, Token: "T"}, ""},
		{"insert at the end", at.played, Command{Kind: HandInserted, Hand: 3, Token: "T"}, ""},
		{"insert past the end", at.played, Command{Kind: HandInserted, Hand: 4, Token: "T"}, "the next hand is 3"},
		{"fix the last", at.played, Command{Kind: HandFixed, Token: "P"}, ""},
		{"fix the first", at.played, Command{Kind: HandFixed, Hand: 1, Token: "B"}, ""},
		{"fix to the same", at.played, Command{Kind: HandFixed, Token: "B+dragon-7"}, "UNCHANGED"},
		{"fix to a free hand", at.played, Command{Kind: HandFixed, Token: "B+dragon-7", Free: true}, ""},
		{"fix a hand that is not", at.played, Command{Kind: HandFixed, Hand: 3, Token: "P"}, "hands 1 to 2"},
		{"fix nothing", at.shuffling, Command{Kind: HandFixed, Token: "P"}, "NO HAND TO FIX"},
		{"fix to what cannot be", at.played, Command{Kind: HandFixed, Token: "T+panda-8"}, "Panda 8"},
		{"replace", at.played, Command{Kind: HandReplaced, Token: "P"}, ""},
		{"replace nothing", at.shuffling, Command{Kind: HandReplaced, Token: "P"}, "NO HAND TO FIX"},
		{"remove", at.played, Command{Kind: HandRemoved}, ""},
		{"remove nothing", at.shuffling, Command{Kind: HandRemoved}, "NO HAND TO FIX"},
		{"remove a hand that is not", at.played, Command{Kind: HandRemoved, Hand: -1}, "hands 1 to 2"},
		{"void", at.shuffling, Command{Kind: HandVoided, Reason: "misdeal"}, ""},
		{"void on a closed table", at.closed, Command{Kind: HandVoided, Reason: "misdeal"}, "TABLE CLOSED"},
		{"what nobody knows", at.played, Command{Kind: "juggle"}, "unknown command"},
	}
}

// Every wish is allowed in some states and refused in others, with words that fit the
// dealer's echo where the dealer may read them.
func TestDecide(t *testing.T) {
	at := newTables(t)
	for _, c := range slices.Concat(settingWishes(at), shoeWishes(at), phaseWishes(at), reviewWishes(at), handWishes(at)) {
		t.Run(c.name, func(t *testing.T) {
			events, _, err := Decide(c.state, c.wish)
			switch {
			case c.want == "" && err != nil:
				t.Fatalf("refused: %v", err)
			case c.want == "":
				if len(events) == 0 {
					t.Fatal("allowed, and nothing follows")
				}
				if _, err := Apply(c.state, events...); err != nil {
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

// A decision of several wishes is all of them or none.
func TestDecideAll(t *testing.T) {
	s := table(t, ez, "P")
	events, _, err := Decide(s, []Command{{Kind: ShoeStarted}, hand("B")}...)
	if err != nil || len(events) != 2 || events[1].Hand != 1 {
		t.Fatalf("%+v, %v", events, err)
	}
	if events, _, err := Decide(s, []Command{{Kind: CutSet, Hand: 5}, {Kind: TableShut}}...); err == nil || events != nil {
		t.Fatalf("half a decision: %+v, %v", events, err)
	}
}
