package termview

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"shoeboard/stats/road"
)

func TestColumns(t *testing.T) {
	for s, want := range map[string]int{"": 0, "abc": 3, "龍7": 3, "金宮": 4, "Ho\u0300a": 3, "\u0300": 0, "한국": 4, "$–$": 3} {
		if got := columns(s); got != want {
			t.Errorf("%q takes %d columns, want %d", s, got, want)
		}
	}
}

func TestClip(t *testing.T) {
	for _, c := range []struct {
		s    string
		n    int
		want string
	}{
		{"PLAYER", 6, "PLAYER"}, {"PLAYER", 5, "PLAY~"}, {"PLAYER", 1, "~"}, {"PLAYER", 0, ""}, {"PLAYER", -3, ""},
		{"金宮", 4, "金宮"}, {"金宮", 3, "金~"}, {"金宮", 2, "~"}, {"", 0, ""},
	} {
		if got := clip(c.s, c.n); got != c.want {
			t.Errorf("clip(%q, %d) = %q, want %q", c.s, c.n, got, c.want)
		}
	}
}

func TestClipNeverTakesMoreColumns(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, n := rapid.String().Draw(t, "s"), rapid.IntRange(0, 12).Draw(t, "n")
		if got := clip(s, n); columns(got) > n {
			t.Fatalf("clip(%q, %d) = %q takes %d", s, n, got, columns(got))
		}
	})
}

func TestWrapKeepsEveryWord(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOf(rapid.StringMatching(`[a-z]{1,12}`)).Draw(t, "words")
		p := &page{width: 20}
		p.wrap(normal, strings.Join(words, " "))
		text := p.text.String()
		if got := strings.Fields(text); strings.Join(got, " ") != strings.Join(words, " ") {
			t.Fatalf("%q became %q", words, text)
		}
		for _, l := range strings.Split(text, "\n") {
			if len(l) > 20 {
				t.Fatalf("line %q is too wide", l)
			}
		}
	})
}

func TestFirstColumnOfARoadThatDoesNotFit(t *testing.T) {
	at := func(cols ...uint16) (marks []road.Mark) {
		for _, c := range cols {
			marks = append(marks, road.Mark{Col: c})
		}
		return marks
	}
	for _, c := range []struct {
		name  string
		marks []road.Mark
		room  int
		want  int
	}{
		{"nothing", nil, 10, 0},
		{"all fits", at(0, 1, 2), 3, 0},
		{"the end", at(0, 1, 2, 3), 3, 1},
		{"a tail runs ahead of the newest", at(0, 1, 2, 3, 4, 5, 6, 1), 3, 1},
	} {
		if got := firstColumn(c.marks, c.room); got != c.want {
			t.Errorf("%s: first column %d, want %d", c.name, got, c.want)
		}
	}
}
