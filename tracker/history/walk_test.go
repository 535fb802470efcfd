package history

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"shoeboard/assets"
	"shoeboard/tracker"
	"shoeboard/tracker/journal"
	"shoeboard/tracker/journal/journaltest"
)

// chronicle is a record that is written by the rules, without a table, and the shoes
// that were lived.
type chronicle struct {
	fail  func(...any)
	files *journaltest.FS
	j     *journal.Journal
	state tracker.State
	at    tracker.Stamp
	lived []tracker.Shoe
	forge string // the result of the next hand in its event; empty: as it was
}

func newChronicle(fail func(...any)) *chronicle {
	c := &chronicle{fail: fail, files: journaltest.New(), at: tracker.Stamp{Boot: journal.BootID{1}.String(), Wall: 1_700_000_000_000}}
	var err error
	if c.j, _, err = journal.Open(c.files, "unit"); err != nil {
		fail(err)
	}
	c.state = opened14()
	c.roll()
	if !c.wish(tracker.Command{Kind: tracker.TableOpened, Day: "2026-11-30"}) {
		fail("the table does not open")
	}
	return c
}

// opened14 is table 14 with a game: loading one is the dear part.
var opened14 = sync.OnceValue(func() tracker.State {
	_, source, _ := assets.Pack("dai-bacc")
	s := tracker.State{Settings: tracker.DefaultSettings()}
	s.Settings.Table = "14"
	s, err := tracker.Apply(s, tracker.Event{Kind: tracker.PackInstalled, Source: string(source)})
	if err != nil {
		panic(err)
	}
	return s
})

func (c *chronicle) roll() {
	data, err := tracker.MarshalCheckpoint(c.state)
	if err == nil {
		_, err = c.j.Roll(journal.Record{Payload: data})
	}
	if err != nil {
		c.fail(err)
	}
}

// wish records what follows from a wish, if it is allowed.
func (c *chronicle) wish(cmd tracker.Command) bool {
	c.at.Mono += 25 * time.Second
	c.at.Wall += 25_000
	cmd.At = c.at
	events, _, err := tracker.Decide(c.state, cmd)
	if err != nil {
		return false
	}
	recorded := slices.Clone(events)
	if cmd.Kind == tracker.HandRecorded && c.forge != "" {
		recorded[0].Token, c.forge = c.forge, ""
	}
	payload, err := tracker.Record{Events: recorded}.Marshal()
	if err != nil {
		c.fail(err)
	}
	boot, _ := journal.ParseBootID(c.at.Boot)
	seq, err := c.j.Append(journal.Record{Boot: boot, Mono: int64(c.at.Mono), Wall: c.at.Wall * 1e6, Payload: payload})
	if err != nil {
		c.fail(err)
	}
	for _, e := range events {
		e.At.Seq = seq
		if e.Kind == tracker.ShoeStarted && len(c.state.Shoe.Hands) > 0 {
			c.ended(c.state.Shoe)
		}
		if c.state, err = tracker.Apply(c.state, e); err != nil {
			c.fail(err)
		}
	}
	return true
}

func (c *chronicle) ended(s tracker.Shoe) {
	c.takenBack(s)
	c.lived = append(c.lived, s)
}

// takenBack forgets that a shoe ended.
func (c *chronicle) takenBack(s tracker.Shoe) {
	if n := len(c.lived); n > 0 && c.lived[n-1].Started == s.Started {
		c.lived = c.lived[:n-1]
	}
}

// shoe deals hands and begins another; the segment begins with it unless that fails.
func (c *chronicle) shoe(rolled bool, tokens ...string) {
	for _, token := range tokens {
		c.wish(tracker.Command{Kind: tracker.HandRecorded, Token: token})
	}
	c.wish(tracker.Command{Kind: tracker.ShoeStarted, Day: "2026-11-30"})
	if rolled {
		c.roll()
	}
}

// segments returns the names of the segments in order.
func (c *chronicle) segments() (names []string) {
	all, err := c.files.List()
	if err != nil {
		c.fail(err)
	}
	for _, file := range all {
		if strings.HasSuffix(file, ".jrn") {
			names = append(names, file)
		}
	}
	slices.Sort(names)
	return names
}

// walked returns the shoes of the record since one, and its problems.
func (c *chronicle) walked(since *tracker.Shoe) (got []tracker.Shoe, problems []error) {
	var row Row
	if since != nil {
		row = new(Rows).Row(Dealt{Shoe: *since})
	}
	_, problems, err := Shoes(c.files, row, func(d Dealt) error {
		if d.Table != "14" {
			c.fail("a shoe of table " + d.Table)
		}
		got = append(got, d.Shoe)
		return nil
	})
	if err != nil {
		c.fail(err)
	}
	return got, problems
}

// tell is a shoe in words, its pack left out.
func tell(s tracker.Shoe) string {
	pack := s.Pack
	s.Pack = nil
	return fmt.Sprintf("%s %+v", pack.Digest[:8], s)
}

func sameShoes(fail func(...any), what string, got, want []tracker.Shoe) {
	for i := range max(len(got), len(want)) {
		switch {
		case i >= len(got):
			fail(what + ": nothing is left of " + tell(want[i]))
		case i >= len(want):
			fail(what + ": nobody lived " + tell(got[i]))
		case tell(got[i]) != tell(want[i]):
			fail(fmt.Sprintf("%s: the record gives\n%s\nlived was\n%s", what, tell(got[i]), tell(want[i])))
		}
	}
}

// Whatever is done at a table, and whichever segments are begun or not: the shoes of
// the record are those that were lived, from any of them on.
func TestShoesOfAnyEvening(t *testing.T) {
	kinds := []tracker.Kind{tracker.HandRecorded, tracker.HandRecorded, tracker.HandRecorded, tracker.HandRecorded, tracker.ShoeStarted,
		tracker.ShoeStarted, tracker.ShoeTakenBack, tracker.HandRemoved, tracker.HandFixed, tracker.HandInserted, tracker.HandVoided,
		tracker.TableShut, tracker.TableOpened, tracker.BetsOpened, tracker.CutSet, tracker.FreeSet, tracker.ReviewSet}
	rapid.Check(t, func(t *rapid.T) {
		c := newChronicle(t.Fatal)
		for range rapid.IntRange(0, 80).Draw(t, "events") {
			cmd := tracker.Command{Kind: rapid.SampledFrom(kinds).Draw(t, "kind"), Day: "2026-12-01", Reason: "misdeal",
				Token: rapid.SampledFrom([]string{"P", "B+tiger-7", "T", "B+tiger-7+kill", "6.2-7.3", "9S,4H/KD,2C,5S"}).Draw(t, "token"),
				On:    c.state.Review == nil, Free: rapid.Bool().Draw(t, "free")}
			empty := len(c.state.Shoe.Hands) == 1 && c.state.Finished == nil
			if cmd.Kind == tracker.HandRemoved && empty {
				continue // a shoe that was taken back and emptied is still told as it had ended
			}
			if c.wish(cmd) && cmd.Kind == tracker.ShoeStarted && rapid.IntRange(0, 5).Draw(t, "roll") > 0 {
				c.roll()
			}
			if rapid.IntRange(0, 40).Draw(t, "full") == 0 {
				c.roll()
			}
		}
		c.takenBack(c.state.Shoe)
		got, problems := c.walked(nil)
		if len(problems) > 0 {
			t.Fatal(problems)
		}
		sameShoes(t.Fatal, "all", got, c.lived)
		if len(c.lived) > 0 {
			i := rapid.IntRange(0, len(c.lived)-1).Draw(t, "from")
			got, _ := c.walked(&c.lived[i])
			sameShoes(t.Fatal, fmt.Sprint("since ", i), got, c.lived[i+1:])
		}
	})
}

// A shoe stands in one checkpoint as it ended, and in the next as it ended again, as
// the previous one: it was taken back, and the segment of the shoe after it failed.
func TestAShoeThatEndsAgainUnseen(t *testing.T) {
	c := newChronicle(t.Fatal)
	c.shoe(true, "P", "P")
	c.wish(tracker.Command{Kind: tracker.ShoeTakenBack})
	c.shoe(false, "T")
	c.shoe(true, "B")
	got, problems := c.walked(nil)
	if len(problems) > 0 || len(got) != 2 || len(got[0].Hands) != 3 {
		t.Errorf("problems %v", problems)
	}
	sameShoes(t.Fatal, "all", got, c.lived)
}

// Damage anywhere in a segment costs no shoe that the checkpoints around it hold, and
// is told where it may have cost one.
func TestShoesOfADamagedRecord(t *testing.T) {
	c := newChronicle(t.Fatal)
	for n := range 6 {
		c.shoe(n != 2, "P", "B+tiger-7", "T")
	}
	c.wish(tracker.Command{Kind: tracker.HandRecorded, Token: "B"})
	names := c.segments()
	for i, name := range names {
		data := c.files.Bytes(name)
		for at := 70; at < len(data); at += 311 {
			bad := slices.Clone(data)
			bad[at] ^= 4
			c.files.Put(name, bad)
			got, problems := c.walked(nil)
			doubt := i == 2 // two shoes of which only one stands in a checkpoint
			if lost := len(c.lived) - len(got); lost > 1 || lost > 0 && (!doubt || len(problems) == 0) {
				t.Fatalf("segment %d, byte %d: %d of %d shoes, %v", i, at, len(got), len(c.lived), problems)
			}
			for _, s := range got {
				if !slices.ContainsFunc(c.lived, func(l tracker.Shoe) bool { return tell(l) == tell(s) }) {
					t.Fatalf("segment %d, byte %d: nobody lived %s", i, at, tell(s))
				}
			}
		}
		c.files.Put(name, data)
	}
}

// Two checkpoints in a row are gone, and the shoe between them.
func TestAShoeThatNoCheckpointHoldsIsNotMadeUp(t *testing.T) {
	c := newChronicle(t.Fatal)
	for range 6 {
		c.shoe(true, "P", "B", "T")
	}
	for _, name := range c.segments()[2:5] {
		c.files.Put(name, c.files.Bytes(name)[:80])
	}
	got, problems := c.walked(nil)
	if len(problems) != 3 {
		t.Errorf("problems: %v", problems)
	}
	sameShoes(t.Fatal, "with three segments gone", got, append(slices.Clone(c.lived[:2]), c.lived[3:]...))
}

// The caller's own error ends the walk.
func TestShoesEndWhenTheCallerSaysSo(t *testing.T) {
	c := newChronicle(t.Fatal)
	for range 3 {
		c.shoe(true, "P")
	}
	enough := errors.New("enough")
	n := 0
	if _, _, err := Shoes(c.files, Row{}, func(Dealt) error { n++; return enough }); !errors.Is(err, enough) || n != 1 {
		t.Errorf("%d shoes, %v", n, err)
	}
	if s, problems, err := Shoes(journaltest.New(), Row{}, nil); err != nil || problems != nil || s.Shoe.Pack != nil {
		t.Errorf("an empty record: %v, %v", problems, err)
	}
}

// Five hundred shoes of 80 hands from their checkpoints.
func BenchmarkShoes(b *testing.B) {
	c := newChronicle(b.Fatal)
	const shoes, hands = 500, 80
	tokens := slices.Repeat([]string{"P", "B+tiger-7", "T", "B+banker-natural"}, hands/4)
	for range shoes {
		c.shoe(true, tokens...)
	}
	b.ResetTimer()
	for b.Loop() {
		n := 0
		if _, _, err := Shoes(c.files, Row{}, func(Dealt) error { n++; return nil }); err != nil || n != shoes {
			b.Fatal(n, err)
		}
	}
	b.ReportMetric(float64(shoes*hands*b.N)/b.Elapsed().Seconds(), "hands/s")
}
