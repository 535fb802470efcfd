package shoe

import (
	"bytes"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"shoeboard/hw"
	"shoeboard/tracker/card"
)

// device is a TSP1 device that writes what it sends.
type device struct {
	seq    int
	copies int // of each frame, for a device that only speaks
	sent   []byte
}

func newDevice(boot string) *device {
	s := &device{seq: -1, copies: 1}
	return s.send("HELO", "1", "test-shoe", "1.0.0", boot)
}

func (s *device) send(typ string, fields ...string) *device {
	if s.seq++; s.seq > tspLast {
		s.seq = 1
	}
	for range s.copies {
		s.sent = append(s.sent, frame{typ: typ, seq: s.seq, fields: fields}.encode()...)
	}
	return s
}

func (s *device) draw(h trueHand, down bool) *device {
	h.each(func(side hw.Side, place int, c card.Card) {
		text := c.String()
		if down {
			text = "XX"
		}
		s.send("CARD", side.String()[:1], strconv.Itoa(place), text)
	})
	return s
}

func (s *device) result(h trueHand) *device {
	n := 0
	if pair(h.player) {
		n |= 1
	}
	if pair(h.banker) {
		n |= 2
	}
	p, b := total(h.player), total(h.banker)
	return s.send("HAND", string(winner(p, b)), strconv.Itoa(n), strconv.Itoa(p), strconv.Itoa(b))
}

func (s *device) hand(text string) *device {
	h := hand(text)
	return s.draw(h, false).result(h)
}

func (s *device) flush() []byte {
	b := s.sent
	s.sent = nil
	return b
}

func TestChecksumIsTheStandards(t *testing.T) {
	if got := crc16("123456789"); got != 0x29b1 {
		t.Errorf("%04x", got)
	}
}

// Every example of the protocol's paper is a frame, and comes out again as it is.
func TestExamplesOfTheProtocolAreFrames(t *testing.T) {
	paper, err := os.ReadFile("TSP1.md")
	if err != nil {
		t.Fatal(err)
	}
	examples := regexp.MustCompile(`\$TSP1,[^\s<>]+\*[0-9A-F]{4}`).FindAllString(string(paper), -1)
	if len(examples) != 9 {
		t.Fatalf("%d examples", len(examples))
	}
	for _, e := range examples {
		f, err := parseFrame(e[1:])
		if err != nil || string(f.encode()) != e+"\r\n" {
			t.Errorf("%s: %v, written again %q", e, err, f.encode())
		}
	}
}

// Every type of frame in the protocol's paper is one that the program knows.
func TestTypesOfTheProtocolAreKnown(t *testing.T) {
	paper, err := os.ReadFile("TSP1.md")
	if err != nil {
		t.Fatal(err)
	}
	types := regexp.MustCompile(`(?m)^\| ([A-Z]+) \|`).FindAllStringSubmatch(string(paper), -1)
	for _, typ := range types {
		if e, _ := (frame{typ: typ[1]}).event(); strings.Contains(e.Text, "not known") && !slices.Contains([]string{"HELO", "GAP", "ACK", "SYNC"}, typ[1]) {
			t.Errorf("%s is in the paper and not known", typ[1])
		}
	}
	if len(types) != 19 {
		t.Errorf("%d types", len(types))
	}
}

func TestReferenceExamplesDecode(t *testing.T) {
	stream := "$TSP1,HELO,0,1,sim-shoe,1.0.3,7F3A*180B\r\n$TSP1,SHOE,1,8*E1D5\r\n"
	k := atDesk(t, newTSP1(), false).feed([]byte(stream)).expect("powered up", "new shoe")
	k.feed(frame{typ: "BURN", seq: 2, fields: []string{"9H", "9"}}.encode()).expect("burned 9H")
	k.feed([]byte("$TSP1,CARD,3,P,1,7S*9B87\r\n$TSP1,CARD,4,B,1,JD*D188\r\n")).expect("P1 7S", "B1 JD")
	k.feed(frame{typ: "CARD", seq: 5, fields: []string{"P", "2", "2H"}}.encode())
	k.feed(frame{typ: "CARD", seq: 6, fields: []string{"B", "2", "KC"}}.encode())
	k.feed(frame{typ: "BEAT", seq: 7, fields: []string{"DEAL", "14"}}.encode())
	k.feed(frame{typ: "BEAT", seq: 8, fields: []string{"DEAL", "14"}}.encode()).expect("P2 2H", "B2 KC")
	// The example's result contradicts itself and the cards.
	k.feed([]byte("$TSP1,HAND,9,B,0,4,3*A760\r\n")).expect(hand(natural).String() + "?the cards say Player, the shoe Banker")
	if lost := k.decoder.Counts().Lost; lost != 0 {
		t.Errorf("%d frames lost", lost)
	}
}

func TestTSP1HandIsToldCardByCardHoweverItIsCut(t *testing.T) {
	for _, copies := range []int{1, 3} {
		s := newDevice("0001")
		s.copies = copies
		stream := s.send("SHOE", "8").hand(long).hand(natural).send("BEAT", "IDLE", "20").hand(pairs).flush()
		want := slices.Concat([]string{"powered up", "new shoe"}, hand(long).seen(), hand(natural).seen(), hand(pairs).seen())
		for size := 1; size <= 50; size++ {
			k := atDesk(t, newTSP1(), false)
			for chunk := range slices.Chunk(stream, size) {
				k.feed(chunk)
			}
			k.expect(want...)
			if c := k.decoder.Counts(); c.Frames != 20 || c.Bad+c.Lost+c.Noise != 0 {
				t.Fatalf("cut into %d: counted %+v", size, c)
			}
		}
	}
}

func TestHiddenCardsAreToldWhenTheyAreTurned(t *testing.T) {
	s, h := newDevice("0001"), hand(long)
	k := atDesk(t, newTSP1(), false).feed(s.send("HIDE").draw(h, true).flush()).expect("powered up")
	k.feed(s.send("SHOW").flush()).expect()
	k.feed(s.draw(h, false).flush()).expect(h.seen()[:6]...)
	k.feed(s.result(h).flush()).expect(h.String())
}

// A device that knows the faces, and says them, while the cards lie face down.
func TestFacesThatComeWhileCardsAreHiddenAreKept(t *testing.T) {
	s, h := newDevice("0001"), hand(long)
	k := atDesk(t, newTSP1(), false).feed(s.send("HIDE").draw(h, false).flush()).expect("powered up")
	k.feed(s.send("SHOW").flush()).expect(h.seen()[:6]...)
	k.feed(s.result(h).flush()).expect(h.String())
	k.feed(s.send("HIDE").draw(h, false).flush()).expect()
	k.feed(s.result(h).flush()).expect(h.seen()...) // the end turns them too
}

func TestHiddenCardThatIsNeverTurnedIsAsked(t *testing.T) {
	s, h := newDevice("0001"), hand(natural)
	k := atDesk(t, newTSP1(), false).feed(s.send("HIDE").draw(h, true).result(h).flush())
	k.expect("powered up", "hand - -/- - broken?Player's card 1 was not turned")
}

func TestCardThatWasNotReadIsAsked(t *testing.T) {
	s := newDevice("0001").send("CARD", "P", "1", "??").send("CARD", "B", "1", "JD").send("CARD", "P", "2", "2H").send("CARD", "B", "2", "KC")
	k := atDesk(t, newTSP1(), false).feed(s.send("HAND", "P", "0", "9", "0").flush())
	k.expect("powered up", "P1 -", "B1 JD", "P2 2H", "B2 KC", "hand - 2H/JD KC broken?Player's card 1 was not read")
}

func TestCardThatWentBackIsDrawnAgain(t *testing.T) {
	s, h := newDevice("0001"), hand(natural)
	s.send("CARD", "P", "1", "7S").send("CARD", "B", "1", "9D").send("BACK", "B", "1").send("CARD", "B", "1", "JD")
	k := atDesk(t, newTSP1(), false).feed(s.send("CARD", "P", "2", "2H").send("CARD", "B", "2", "KC").result(h).flush())
	k.expect("powered up", "P1 7S", "B1 9D", "trouble", "B1 JD", "P2 2H", "B2 KC", h.String()+"?put back")
}

func TestVoidHandIsNoHand(t *testing.T) {
	s := newDevice("0001").send("CARD", "P", "1", "7S").send("VOID").hand(long)
	atDesk(t, newTSP1(), false).feed(s.flush()).expect(append([]string{"powered up", "P1 7S", "void"}, hand(long).seen()...)...)
}

func TestFaultThatStandsAtTheEndIsAsked(t *testing.T) {
	s, h := newDevice("0001"), hand(natural)
	k := atDesk(t, newTSP1(), false).feed(s.draw(h, false).send("ERR", "JAM").flush())
	k.expect(append(append([]string{"powered up"}, h.seen()[:4]...), "trouble")...)
	k.feed(s.result(h).flush()).expect(h.String() + "?reports a fault")
	k.feed(s.send("CLR", "JAM").hand(natural).flush()).expect(append([]string{"cleared"}, h.seen()...)...)
}

// A card too many is none of the hand's, and slowness and buttons are the dealer's.
func TestFaultThatIsNoneOfTheCardsAsksNothing(t *testing.T) {
	for _, fault := range []string{"OVERDRAW", "TIMEOUT", "BUTTON"} {
		s, h := newDevice("0001"), hand(natural)
		k := atDesk(t, newTSP1(), false).feed(s.draw(h, false).send("ERR", fault).result(h).flush())
		k.expect(append(append([]string{"powered up"}, h.seen()[:4]...), "trouble", h.String())...)
	}
}

func TestNewShoeWithoutCutCardIsAsked(t *testing.T) {
	s := newDevice("0001").send("SHOE", "8").hand(natural).send("CUT").hand(long).send("SHOE", "8")
	k := atDesk(t, newTSP1(), false).feed(s.flush())
	if said := sayAll(k.told); said[len(said)-1] != "new shoe" {
		t.Errorf("after the cut card: %v", said)
	}
	k.told = nil
	k.feed(s.hand(natural).flush())
	k.told = nil
	k.feed(s.send("SHOE", "8").flush()).expect("new shoe?no cut card")
	k.feed(s.send("CARD", "P", "1", "7S").send("CUT").send("SHOE", "8").flush())
	k.expect("P1 7S", "cut", "hand 7S/ broken?a new shoe began in mid-hand", "new shoe")
}

// answers are the host's frames as words.
func answers(d *tsp1) string {
	return strings.TrimSpace(strings.NewReplacer("$TSP1,", "", "\r\n", " ").Replace(regexp.MustCompile(`\*[0-9A-F]{4}`).ReplaceAllString(string(d.Answer()), "")))
}

func TestMissingFrameIsAskedForAndTakenInItsTurn(t *testing.T) {
	d, s, h := newTSP1(), newDevice("0001"), hand(natural)
	k := atDesk(t, d, false).feed(s.flush()).expect("powered up")
	if got := answers(d); got != "ACK,0" {
		t.Errorf("answered %s", got)
	}
	s.draw(h, false).result(h)
	frames := bytes.SplitAfter(s.flush(), []byte("\n"))
	k.feed(frames[0]).feed(frames[2]).expect("P1 7S")
	if got := answers(d); got != "ACK,1 SYNC,1 ACK,1" {
		t.Errorf("answered %s", got)
	}
	k.feed(frames[3]).wait(240 * time.Millisecond).expect()
	if got := answers(d); got != "ACK,1 SYNC,1" {
		t.Errorf("answered %s", got)
	}
	k.feed(slices.Concat(frames[1:]...)).expect(h.seen()[1:]...)
	if got := answers(d); got != "ACK,5" {
		t.Errorf("answered %s", got)
	}
	if c := d.Counts(); c.Frames != 6 || c.Repeats != 2 || c.Lost != 0 {
		t.Errorf("counted %+v", c)
	}
}

func TestFrameThatNeverComesIsAsked(t *testing.T) {
	d, s, h := newTSP1(), newDevice("0001"), hand(natural)
	frames := bytes.SplitAfter(s.draw(h, false).result(h).flush(), []byte("\n"))
	k := atDesk(t, d, false).feed(slices.Concat(frames[:2]...)).expect("powered up", "P1 7S")
	k.feed(slices.Concat(frames[3:]...)).wait(900 * time.Millisecond).expect()
	k.wait(200*time.Millisecond).expect("P2 2H", "B2 KC", "hand 7S 2H/- KC broken?1 frames of the shoe are missing; Banker's card 1 was not seen")
	// The device did not answer, so the next time nobody waits.
	frames = bytes.SplitAfter(s.hand(long).flush(), []byte("\n"))
	k.feed(slices.Concat(frames[1:]...)).expect("B1 JD", "P2 3H", "B2 3C", "P3 9C", "B3 2D", "hand - 3H 9C/JD 3C 2D broken?missing")
	k.feed(s.hand(pairs).flush()).expect(hand(pairs).seen()...)
}

// A frame that was given up and then comes is no new one: the device did not boot.
func TestFrameThatComesTooLateIsNothing(t *testing.T) {
	d, s, h := newTSP1(), newDevice("0001"), hand(natural)
	frames := bytes.SplitAfter(s.draw(h, false).result(h).flush(), []byte("\n"))
	k := atDesk(t, d, false).feed(slices.Concat(frames[:2]...)).feed(slices.Concat(frames[3:]...)).wait(2 * time.Second)
	k.told = nil
	k.feed(frames[2]).expect()
	k.feed(s.hand(long).flush()).feed(frames[2]).expect(hand(long).seen()...)
	if c := d.Counts(); c.Lost != 1 || c.Repeats != 2 {
		t.Errorf("counted %+v", c)
	}
}

func TestGapOfTheDeviceIsAsked(t *testing.T) {
	d, s, h := newTSP1(), newDevice("0001"), hand(natural)
	k := atDesk(t, d, false).feed(s.hand(natural).flush())
	k.told = nil
	for range 100 {
		s.hand(long)
	}
	s.flush()
	d.Reopened(k.at)
	k.feed(frame{typ: "GAP", seq: s.seq + 1}.encode()).feed(s.hand(natural).flush())
	k.expect(append(h.seen()[:4], h.String()+"?700 frames of the shoe are missing")...)
	k.feed(s.hand(natural).flush()).expect(h.seen()...)
}

func TestNumbersGoRoundFrom9999To1(t *testing.T) {
	d, s := newTSP1(), newDevice("0001")
	s.seq = 9990
	k := atDesk(t, d, false)
	s.flush()
	for range 5 {
		k.feed(s.hand(natural).flush()).expect(hand(natural).seen()...)
	}
	if c := d.Counts(); s.seq != 16 || c.Frames != 25 || c.Lost != 0 || answers(d) == "" {
		t.Errorf("counted %+v at %d", c, s.seq)
	}
}

func TestBootInMidHandDiscardsTheHand(t *testing.T) {
	k := atDesk(t, newTSP1(), false).feed(newDevice("0001").hand(natural).send("CARD", "P", "1", "7S").flush())
	k.told = nil
	s := newDevice("0002")
	s.copies = 3
	k.feed(s.flush()).expect("powered up?switched off in mid-hand")
	k.feed(newDevice("0002").flush()).expect() // a copy
	k.feed(s.hand(long).flush()).expect(append(hand(long).seen()[:6], hand(long).String()+"?switched off")...)
	k.feed(s.hand(natural).flush()).expect(hand(natural).seen()...)
}

// A device boots, and its HELO is not heard: its numbers are old, its frames new.
func TestBootWithoutHELOIsNoticed(t *testing.T) {
	k := atDesk(t, newTSP1(), false).feed(newDevice("0001").send("SHOE", "8").hand(long).hand(natural).flush())
	k.told = nil
	s := newDevice("0002").send("SHOE", "8")
	s.flush()
	k.feed(s.hand(pairs).flush()).expect(append(hand(pairs).seen()[:4], hand(pairs).String()+"?started its numbers again")...)
	k.feed(s.hand(natural).flush()).expect(hand(natural).seen()...)
}

func TestDamagedLinesCountForNothing(t *testing.T) {
	good := string(frame{typ: "CARD", seq: 1, fields: []string{"P", "1", "7S"}}.encode())
	helo := string(newDevice("0001").flush())
	for _, damaged := range []string{
		strings.Replace(good, "7S", "8S", 1), strings.Replace(good, "*", "", 1), strings.ToLower(good), "$" + good[5:],
		good[:len(good)-5] + "\r\n", strings.Replace(good, ",P", "\x00P", 1), "$" + strings.Repeat("A", 200) + "\r\n",
		string(frame{typ: "CARD", seq: 0, fields: []string{"P", "1", "7S"}}.encode()), "$*0000\r", "$\r", "\xff\xfe$TSP1", good[:20],
	} {
		k := atDesk(t, newTSP1(), false).feed([]byte(helo+damaged+good)).expect("powered up", "P1 7S")
		if c := k.decoder.Counts(); c.Bad == 0 || c.Frames != 2 {
			t.Errorf("%q: counted %+v", damaged, c)
		}
	}
}

// A frame that is whole but makes no sense takes its number, and is asked about.
func TestFrameThatMakesNoSenseIsAsked(t *testing.T) {
	for _, fields := range [][]string{
		{"CARD", "Q", "1", "7S"}, {"CARD", "P", "4", "7S"}, {"CARD", "P", "0", "7S"}, {"CARD", "P", "01", "7S"}, {"CARD", "P", "1", "10S"},
		{"CARD", "P", "1", "7"}, {"CARD", "P", "1", "7s"}, {"CARD", "P", "1"}, {"CARD"}, {"HAND", "D", "0", "1", "2"}, {"HAND", "P", "4", "1", "2"},
		{"HAND", "P", "0", "10", "2"}, {"HAND", "P"}, {"SHOE"}, {"SHOE", "eight"}, {"BURN", "1"}, {"BACK", "P"}, {"ERR"}, {"CLR"},
	} {
		s := newDevice("0001").send(fields[0], fields[1:]...)
		k := atDesk(t, newTSP1(), false).feed(s.hand(natural).flush())
		k.expect(append(append([]string{"powered up"}, hand(natural).seen()[:4]...), hand(natural).String()+"?could not be understood: "+fields[0])...)
	}
}

// What a shoe says of a fault or of a frame of its own is quoted as far as a code goes: it
// is shown on the board, and may be a message to the players.
func TestAShoeHasNoWordsOfItsOwn(t *testing.T) {
	const said = "THIS TABLE PAYS 2 TO 1 ON TIE"
	for _, fields := range [][]string{
		{"ERR", said}, {"ERR", "OVERDRAW", said}, {"CLR", "JAM", said}, {"CARD", said, "1", "7S"}, {"CARD", "P", said, "7S"},
		{"CARD", "P", "1", said}, {"HAND", said, "0", "1", "2"}, {"HAND", "P", said}, {"SHOE", said}, {"BURN", said}, {"BACK", said},
	} {
		told := ""
		for _, e := range newTSP1().Feed(newDevice("0001").send(fields[0], fields[1:]...).flush(), 0) {
			if e.Kind != kindStarted {
				told += e.Text
			}
		}
		if told == "" || strings.Contains(told, "PAYS 2") {
			t.Errorf("%q: told %q", fields, told)
		}
	}
	boot := frame{typ: "HELO", fields: []string{said, "x", "y", "0002"}}.encode()
	if e := newTSP1().Feed(boot, 0); len(e) != 1 || strings.Contains(e[0].Text, "PAYS") {
		t.Errorf("told %+v", e)
	}
}

func TestTypesOfLaterVersionsAreLeftAlone(t *testing.T) {
	s := newDevice("0001").send("TEMP", "31", "C").send("LOCK", "1").send("BTN", "OK").send("CUT", "more")
	k := atDesk(t, newTSP1(), false).feed(s.hand(natural).flush())
	k.expect(append([]string{"powered up", "cut"}, hand(natural).seen()...)...)
	k.feed(frame{typ: "HELO", fields: []string{"2", "x", "y", "0002"}}.encode()).expect()
	k.feed(s.hand(natural).flush()).expect(append(hand(natural).seen()[:4], fmt.Sprint(hand(natural), "?TSP version \"2\""))...)
}

// A line that echoes gives the host's own frames back.
func TestOwnFramesThatComeBackAreNothing(t *testing.T) {
	d, s := newTSP1(), newDevice("0001")
	k := atDesk(t, d, false)
	for range 3 {
		k.feed(s.hand(natural).flush()).feed(d.Answer()).feed(frame{typ: "SYNC", seq: 1}.encode())
	}
	if c := d.Counts(); c.Lost+c.Bad+c.Noise != 0 || c.Frames != 16 {
		t.Errorf("counted %+v", c)
	}
}
