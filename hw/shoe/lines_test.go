package shoe

import (
	"slices"
	"strings"
	"testing"
)

const unchecked = "?no checksum"

// words is what is told of a hand whose cards came without a checksum.
func words(text string) []string {
	said := hand(text).seen()
	said[len(said)-1] += unchecked
	return said
}

func TestLinesOfOneCardAreDealtByTheRules(t *testing.T) {
	k := atDesk(t, newLines(), false)
	for _, h := range []struct{ lines, hand string }{
		{"7S JD 2H KC", natural},
		{"2S JD 3H 3C 9C 2D", long},
		{"7S 5D KH KC 4D", "7S KH/5D KC 4D"}, // Player stands, Banker draws
		{"2S 7D 3H KC 9C", "2S 3H 9C/7D KC"}, // Player draws, Banker stands
		{"10h td 9H 9c", "TH 9H/TD 9C"},
	} {
		k.feed([]byte(strings.ReplaceAll(h.lines, " ", "\r\n") + "\r\n")).expect(words(h.hand)...)
	}
}

func TestLineOfAWholeHand(t *testing.T) {
	for _, line := range []string{"2S 3H 9C / JD 3C 2D\r\n", "2S,3H,9C/JD,3C,2D\n", "2s 3h 9c/jd 3c 2d\r"} {
		k := atDesk(t, newLines(), false)
		stream := []byte(strings.Repeat(line, 3))
		for chunk := range slices.Chunk(stream, 5) {
			k.feed(chunk)
		}
		k.expect(slices.Concat(words(long), words(long), words(long))...)
	}
}

func TestLineThatIsNoCardLeavesHandsInDoubtUntilAligned(t *testing.T) {
	for _, bad := range []string{"7X", "card", "\x80\x81", strings.Repeat("7", 200), "7S 2H", "7S/2H", "7S 2H/JD KC 5D 2S"} {
		k := atDesk(t, newLines(), false).feed([]byte("7S\r\n"))
		k.feed([]byte(bad+"\r\n")).feed([]byte("JD\r\n2H\r\nKC\r\n")).expect("P1 7S", "B1 JD", "P2 2H", "B2 KC",
			hand(natural).String()+"?a line of the reader could not be understood")
		k.feed([]byte("7S\r\nJD\r\n2H\r\nKC\r\n"))
		if said := sayAll(k.told); !strings.Contains(said[4], "understood") {
			t.Errorf("after %q: %v", bad, said)
		}
		k.feed([]byte("7S\r\n")) // one card too many for the table
		k.hands.Align()
		k.told = nil
		k.feed([]byte("7S\r\nJD\r\n2H\r\nKC\r\n")).expect(words(natural)...)
	}
}

func TestEmptyLinesAndHalfLinesAreNothing(t *testing.T) {
	k := atDesk(t, newLines(), false).feed([]byte("\r\n\n  \r\n7S\r\nJD\r\n2")).expect("P1 7S", "B1 JD")
	k.feed([]byte("H\r\nKC")).expect("P2 2H")
	k.decoder.Reopened(k.at)
	k.feed([]byte("\r\n")).expect()
	if c := k.decoder.Counts(); c.Bad != 0 {
		t.Errorf("counted %+v", c)
	}
}

func TestLinesCannotServeAGameThatDealsFaceDown(t *testing.T) {
	err := newSource(Settings{Name: "shoe", Rules: punto, FaceDown: true}, newLines(), nil, nil).Run(t.Context(), nil)
	if err == nil || !strings.Contains(err.Error(), "face down") {
		t.Errorf("got %v", err)
	}
}
