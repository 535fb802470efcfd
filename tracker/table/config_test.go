package table_test

import (
	"reflect"
	"testing"
	"time"

	"shoeboard/tracker"
	"shoeboard/tracker/table"
)

// changed are settings in which all is different.
func changed(s tracker.Settings) tracker.Settings {
	return tracker.Settings{
		Table: s.Table, Venue: "The House", Tail: "stay", LeadingTie: "own_column", AskMarks: true, Message: "m", InfoLine: "i", CareLine: "c",
		Limits:     []tracker.Limit{{Bets: []string{"player"}, Min: 5000, Max: 10000}},
		Collection: []tracker.Rate{{From: 100, Fee: 50}},
		Decks:      6, Bets: tracker.BetsClose, BetSeconds: 33, Reopen: 7, AutoOpen: 44, MinHand: 5, Entry: tracker.EntryTotals, Confirm: false, DealerFix: 2,
	}
}

// What a hand is dealt and keyed by changes between two hands, all else at once.
func TestSettingsOfAHandWaitForItsEnd(t *testing.T) {
	for _, c := range []struct {
		bets tracker.BetsMode
		play string // before the change
		then string // ends the hand; empty: the change did not wait
	}{
		{tracker.BetsTimer, "", ""},
		{tracker.BetsTimer, "BETS", "PLAYER OK"},
		{tracker.BetsTimer, "BETS BETS", "PLAYER OK"},
		{tracker.BetsTimer, "BETS", "VOID OK"},
		{tracker.BetsTimer, "BETS PAUSE", "PLAYER OK"},
		{tracker.BetsTimer, "PLAYER OK", ""},
		{tracker.BetsTimer, "PLAYER OK PAUSE", ""},
		{tracker.BetsTimer, "PLAYER OK BANKER", "OK BETS OK"},
		{tracker.BetsTimer, "PLAYER OK FREE", "BANKER OK"},
		{tracker.BetsClose, "PLAYER OK", ""},
		{tracker.BetsOff, "", ""},
		{tracker.BetsOff, "PLAYER OK", "BANKER OK"},
	} {
		s := usual()
		s.bets = c.bets
		r := sit(t, s)
		r.play(c.play)
		r.pass(13e9) // so that a second hand asks nothing
		before := r.state().Settings
		want := changed(before)
		if len(r.state().Shoe.Hands) > 0 || r.state().Phase != tracker.Shuffling || c.then != "" {
			want.Decks = before.Decks // of the next shoe
		}
		r.engine.Configure(r.now, table.Config{Settings: want, Pack: r.pack.Source, Digest: r.pack.Digest})
		r.settle()
		if c.then == "" {
			if got := r.state().Settings; !reflect.DeepEqual(got, want) {
				t.Errorf("%s, %q: %+v", c.bets, c.play, got)
			}
			continue
		}
		got := r.state().Settings
		if got.Venue != "The House" || got.Tail != "stay" || got.Message != "m" {
			t.Errorf("%s, %q: what changes at once did not: %+v", c.bets, c.play, got)
		}
		if len(got.Limits) != 0 || len(got.Collection) != 0 || got.Bets != before.Bets || got.MinHand != before.MinHand || got.Entry != before.Entry || got.Confirm != before.Confirm || got.DealerFix != before.DealerFix {
			t.Errorf("%s, %q: a hand was changed under the dealer's hands: %+v", c.bets, c.play, got)
		}
		r.play(c.then)
		if got := r.state().Settings; !reflect.DeepEqual(got, want) {
			t.Errorf("%s, %q, %q: %+v", c.bets, c.play, c.then, got)
		}
	}
}

// A correction ends no hand.
func TestAFixLetsNoSettingsIn(t *testing.T) {
	s := usual()
	s.bets = tracker.BetsOff
	r := sit(t, s).play("PLAYER OK")
	r.engine.Configure(r.now, table.Config{Settings: changed(r.state().Settings), Pack: r.pack.Source, Digest: r.pack.Digest})
	r.settle()
	r.play("FIX BANKER OK")
	r.wants("fixed", r.list(), "B")
	if len(r.state().Settings.Limits) != 0 {
		t.Error("the limits changed with a correction")
	}
}

// The limits and fees of another game come with it, and so do its keys; a shoe that is
// taken back has the keys that it was dealt with.
func TestAnotherGameBringsItsLimitsAndKeys(t *testing.T) {
	r := sit(t, usual()).play("PLAYER OK")
	other := usual()
	other.game = "dai-bacc"
	_, dai := openTable(t, other)
	want := r.state().Settings
	want.Venue = "The House"
	want.Limits = []tracker.Limit{{Bets: []string{"ox-6"}, Min: 100, Max: 10000}}
	want.Decks = 6
	r.engine.Configure(r.now, table.Config{Settings: want, Pack: dai.Source, Digest: dai.Digest})
	r.settle()
	r.wants("shown", r.shown(), "!game-waits")
	r.pass(13e9)
	r.play("dragon-7 OK")
	r.wants("hands of the old game", r.list(), "P B+dragon-7")
	if got := r.state().Settings; got.Venue != "The House" || len(got.Limits) != 0 || got.Decks != 8 {
		t.Errorf("before the game: %+v", got)
	}
	at := func(key string) bool { _, there := r.engine.Position(key); return there }
	if !at("dragon-7") || at("tiger-7") {
		t.Error("the keys are another game's")
	}
	r.play("NEW_SHOE OK")
	r.wants("game", r.state().Shoe.Pack.ID, "dai-bacc")
	if got := r.state().Settings; !reflect.DeepEqual(got, want) {
		t.Errorf("with the game: %+v", got)
	}
	if at("dragon-7") || !at("tiger-7") {
		t.Error("the keys are still the old game's")
	}
	r.play("FIX OK")
	r.wants("the shoe before", r.state().Shoe.Pack.ID, "ez-baccarat-panda-8")
	if !at("dragon-7") {
		t.Error("the keys do not come back with the shoe")
	}
}

// A shoe that has dealt a card more often than its decks have it has read wrong, or is
// another shoe.
func TestACardTooMany(t *testing.T) {
	r := sit(t, usual())
	for i := range 8 {
		r.reads("9S,KH/7D,KC")
		r.pass(13e9)
		r.play("OK")
		if got := len(r.state().Shoe.Hands); got != i+1 {
			t.Fatalf("%d hands, the echo says %s", got, r.line())
		}
	}
	r.reads("9S,QD/7C,QS")
	r.wants("one too many", r.proposed(), "")
	r.wants("told", r.shown(), "!shoe-doubt")
	r.pass(13e9)
	r.play("PLAYER_NATURAL OK").wait(13 * time.Second)
	r.reads("9H,QD/7C,QS")
	r.wants("other cards", r.proposed(), "P+player-natural")
}

// What a shoe asks is on the echo at once: no refusal of before covers it, or OK would
// record what nobody had seen.
func TestNothingCoversWhatAShoeAsks(t *testing.T) {
	r := sit(t, usual()).play("PLAYER")
	r.press("FLOOR")
	r.wants("refused", r.echo().Lines[0], "SAVE 1 FIRST")
	r.reads("2S,KH/9D,KC")
	r.wants("asked", r.echo().Lines[0], "SHOE SAYS BANKER NAT")
}
