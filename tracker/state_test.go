package tracker

import (
	"reflect"
	"slices"
	"testing"
	"time"

	"shoeboard/assets"
	"shoeboard/tracker/game"
)

// source is a rule pack as it is built in.
func source(t testing.TB, id string) []byte {
	t.Helper()
	_, data, ok := assets.Pack(id)
	if !ok {
		t.Fatalf("no pack %s", id)
	}
	return data
}

func packOf(t testing.TB, id string) *game.Pack {
	t.Helper()
	p, err := game.Load(id, source(t, id))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// at is a moment of the test's boot.
func at(d time.Duration) Stamp { return Stamp{Boot: "boot", Mono: d} }

// do decides and applies commands one after the other, a second apart, and fails when
// one is refused.
func do(t testing.TB, s State, cmds ...Command) State {
	t.Helper()
	for _, c := range cmds {
		if c.At == (Stamp{}) {
			c.At = at(s.Since.Mono + time.Second)
		}
		events, _, err := Decide(s, c)
		if err != nil {
			t.Fatalf("%s is refused: %v", c.Kind, err)
		}
		if s, err = Apply(s, events...); err != nil {
			t.Fatalf("%s does not apply: %v", c.Kind, err)
		}
	}
	return s
}

// hand is the command that records a token.
func hand(token string) Command { return Command{Kind: HandRecorded, Token: token} }

// closedTable is a table with a game that was never opened.
func closedTable(t testing.TB, id string) State {
	settings := DefaultSettings()
	return do(t, State{}, Command{Kind: SettingsApplied, Settings: &settings}, Command{Kind: PackInstalled, Source: string(source(t, id))})
}

// table is an open table with these hands.
func table(t testing.TB, id string, tokens ...string) State {
	s := do(t, closedTable(t, id), Command{Kind: TableOpened, Day: "2026-11-30"})
	for _, token := range tokens {
		s = do(t, s, hand(token))
	}
	return s
}

// list is the hands of a shoe as tokens.
func list(s Shoe) []string {
	words := []string{}
	for _, h := range s.Hands {
		words = append(words, FormatToken(s.Pack, h))
	}
	return words
}

func wantList(t *testing.T, s Shoe, want ...string) {
	t.Helper()
	if got := list(s); !reflect.DeepEqual(got, append([]string{}, want...)) {
		t.Errorf("hands %q, want %q", got, want)
	}
}

// listed is a list as a checkpoint has it, which leaves out one of nothing.
func listed[T any](list []T) []T {
	if len(list) == 0 {
		return nil
	}
	return list
}

// bare is a State with its packs by digest and a list of nothing as no list, so that
// two can be compared.
func bare(s State) State {
	shoe := func(s *Shoe) *Shoe {
		if s == nil {
			return nil
		}
		c := *s
		if c.Pack != nil {
			c.Day += " " + c.Pack.Digest
		}
		c.Pack = nil
		return &c
	}
	s.Shoe, s.Finished, s.Previous = *shoe(&s.Shoe), shoe(s.Finished), shoe(s.Previous)
	if s.Review != nil {
		s.Review = &Frozen{Shoe: *shoe(&s.Review.Shoe), Previous: shoe(s.Review.Previous)}
	}
	s.Corrected, s.Settings.Limits = listed(s.Corrected), listed(s.Settings.Limits)
	s.Settings.Collection = listed(slices.Clone(s.Settings.Collection))
	for i := range s.Settings.Collection {
		s.Settings.Collection[i].Bets = listed(s.Settings.Collection[i].Bets)
	}
	return s
}
