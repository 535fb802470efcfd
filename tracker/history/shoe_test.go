package history

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"shoeboard/tracker"
)

// Hands come out of a row as they went in.
func TestHandsOfARow(t *testing.T) {
	c := newChronicle(t.Fatal)
	for _, token := range []string{"B", "B+tiger-7", "6.2-7.3", "9S,4H/KD,2C,5S", "B", "T"} {
		c.wish(tracker.Command{Kind: tracker.HandRecorded, Token: token})
	}
	c.wish(tracker.Command{Kind: tracker.HandFixed, Hand: 5, Token: "P"})
	c.at.Wall -= 3 * time.Hour.Milliseconds() // the clock is set back
	c.wish(tracker.Command{Kind: tracker.HandRecorded, Token: "B+tiger-7"})
	s := c.state.Shoe
	s.Hands = slices.Clone(s.Hands)
	s.Hands[2].Free, s.Hands[3].At.Trusted = true, true
	row := new(Rows).Row(Dealt{Table: "14", Shoe: s})
	tokens, hands, err := Unpack(row, nil)
	if err != nil || len(hands) != len(s.Hands) {
		t.Fatalf("%d hands, %v", len(hands), err)
	}
	for i, h := range s.Hands {
		p := hands[i]
		got := fmt.Sprint(tokens[p.Token], p.Free, p.Fixed, p.Trusted, p.Seq, p.Sec)
		want := fmt.Sprint(tracker.FormatToken(s.Pack, h), h.Free, h.Fixed, h.At.Trusted, h.At.Seq, h.At.Wall/1000)
		if got != want {
			t.Errorf("hand %d: %s, expected %s", i+1, got, want)
		}
	}
	for cut := range row.Packed {
		bad := row
		bad.Packed = row.Packed[:cut]
		if _, _, err := Unpack(bad, nil); !errors.Is(err, ErrPacked) {
			t.Fatalf("cut at %d: %v", cut, err)
		}
	}
}

// FuzzHandsOfARow reads any bytes as the hands of a row: as many as the row says, each
// with a token that is there, or an error.
func FuzzHandsOfARow(f *testing.F) {
	c := newChronicle(f.Fatal)
	c.shoe(true, "B", "B+tiger-7", "9S,4H/KD,2C,5S")
	f.Add(3, new(Rows).Row(Dealt{Shoe: c.lived[0]}).Packed)
	f.Fuzz(func(t *testing.T, n int, packed []byte) {
		tokens, hands, err := Unpack(Row{Shoe: 1, Hands: n, Packed: packed}, nil)
		if err != nil {
			return
		}
		if len(hands) != max(n, 0) {
			t.Fatalf("%d hands of %d", len(hands), n)
		}
		for _, h := range hands {
			if h.Token < 0 || h.Token >= len(tokens) {
				t.Fatalf("token %d of %d", h.Token, len(tokens))
			}
		}
	})
}

// What is no shoe is refused.
func TestWhatIsNoShoeIsRefused(t *testing.T) {
	path := t.TempDir() + "/history.db"
	for _, r := range []Row{{}, {Shoe: 1, Hands: -1}} {
		if _, err := create(path, source([]Row{r})); err == nil || errors.Is(err, ErrDamaged) {
			t.Errorf("%+v: %v", r, err)
		}
	}
	if _, err := create(path, source([]Row{{Shoe: 1}})); err != nil {
		t.Error(err)
	}
}
