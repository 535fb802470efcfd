package table

import (
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"shoeboard/stats"
	"shoeboard/tracker"
	"shoeboard/tracker/history"
	"shoeboard/tracker/journal"
	"shoeboard/tracker/journal/journaltest"
)

// plainShoe is a shoe without corrections: what is on its board is what was keyed.
const plainShoe = `
NEW_SHOE OK
BETS
PLAYER OK
BANKER OK
FREE
TIE OK
VOID OK
BANKER_NATURAL OK
PAUSE
BETS
CUT
CUT
CUT
dragon-7 OK
PLAYER OK
BETS
panda-8 OK
BANKER OK`

// keyed plays decisions on a new disk and returns the disk.
func keyed(t testing.TB, decisions string) *journaltest.FS {
	t.Helper()
	files := journaltest.New()
	u, err := start(t, files, 1)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(strings.TrimSpace(decisions)) {
		if err := u.pass(45 * time.Second); err != nil {
			t.Fatal(err)
		}
		before := u.engine.State().Seq
		if err := u.key(strings.Fields(line)...); err != nil {
			t.Fatal(err)
		}
		if u.engine.State().Seq == before {
			t.Fatalf("%q recorded nothing; echo %q", line, u.engine.Echo().Lines)
		}
	}
	if err := u.j.Close(); err != nil {
		t.Fatal(err)
	}
	return files.AfterKill()
}

// anyhow starts as a unit does, whatever stands in the record.
func anyhow(t testing.TB, files *journaltest.FS) (*unit, []error) {
	t.Helper()
	u := bare(t, files, 2)
	j, found, err := journal.Open(files, "unit-1")
	if err != nil {
		t.Fatalf("the record does not open: %v", err)
	}
	state, unfit := history.Restore(found)
	if len(unfit) > 0 {
		if err := j.Seal(); err != nil {
			t.Fatal(err)
		}
	}
	if err := u.sit(j, found, state); err != nil {
		t.Fatal(err)
	}
	return u, unfit
}

func tokensOf(s tracker.Shoe) []string {
	tokens := make([]string, len(s.Hands))
	for i, h := range s.Hands {
		tokens[i] = tracker.FormatToken(s.Pack, h)
	}
	return tokens
}

// goesOn keys one more hand and starts again: nothing of the board may change by that.
func (u *unit) goesOn() {
	u.t.Helper()
	if u.engine.State().Phase == tracker.TableClosed {
		u.must("NEW_SHOE", "OK")
	}
	n, was := len(u.engine.State().Shoe.Hands), face(u.engine.State())
	if err := u.pass(time.Minute); err != nil {
		u.t.Fatal(err)
	}
	if u.engine.State().Shoe.Over() { // that the cut card was a mistake is gone: off with it
		u.must("CUT")
	}
	u.must("PLAYER", "OK")
	if u.engine.State().Finished == nil && len(u.engine.State().Shoe.Hands) != n+1 { // else SHOE OVER asked
		u.t.Fatalf("one hand more than\n%sgives\n%secho %q", was, face(u.engine.State()), u.engine.Echo().Lines)
	}
	before := face(u.engine.State())
	if err := u.j.Close(); err != nil {
		u.t.Fatal(err)
	}
	again, unfit := anyhow(u.t, u.files.AfterKill())
	if after := face(again.engine.State()); after != before || len(unfit) > 0 {
		u.t.Fatalf("after a second start (%v)\n%swas\n%s", unfit, after, before)
	}
}

func (u *unit) must(keys ...string) {
	u.t.Helper()
	if err := u.key(keys...); err != nil {
		u.t.Fatal(err)
	}
}

// The reproduction of a unit that never started again: one bit of "n":5 in the newest
// segment. Hands 1 to 4 and 6 to 8 are known, the fifth is not.
func TestOneBadRecordKeepsNoUnitFromStarting(t *testing.T) {
	files := keyed(t, plainShoe)
	name := newestSegment(t, files)
	data := files.Bytes(name)
	const fifth = `"k":"hand","n":5`
	data[strings.Index(string(data), fifth)+len(fifth)-1] ^= 0x40
	files.Put(name, data)

	u, _ := anyhow(t, files)
	if got, want := strings.Join(tokensOf(u.engine.State().Shoe), " "), "P B T B+banker-natural - P P+panda-8 B"; got != want {
		t.Fatalf("hands %s, expected %s", got, want)
	}
	b := u.board()
	if len(b.Shoe.Lost) != 1 || b.Shoe.Lost[0] != 5 || b.Shoe.Hands != 8 {
		t.Errorf("lost %v of %d", b.Shoe.Lost, b.Shoe.Hands)
	}
	if n := len(b.Shoe.Roads.BigRoad); n != 3 { // P, B (with the tie's stroke), B
		t.Errorf("the big road has %d marks of the hands before the lost one", n)
	}
	if b.Shoe.Player.Share != 0 || b.Shoe.Player.Since != -1 || b.Shoe.Player.N != 3 || b.Shoe.Banker.N != 3 {
		t.Errorf("figures of a shoe that is incomplete: %+v %+v", b.Shoe.Player, b.Shoe.Banker)
	}
	if f, ok := faultOf(b, handsLost); !ok || !strings.HasPrefix(f.Text, "Hand 5 of this shoe cannot be read") {
		t.Errorf("faults %v", b.Faults)
	}
	u.goesOn()
}

// When the floor has put the lost hand in, board and fault are as if nothing had been.
func TestTheFloorFillsALostHand(t *testing.T) {
	files := keyed(t, plainShoe)
	dropRecord(t, files, `"k":"hand","n":5`)
	u, _ := anyhow(t, files)
	u.engine.Request(u.now, "floor", tracker.Command{Kind: tracker.HandFixed, Hand: 5, Token: "B+dragon-7", By: "floor"})
	if err := u.settle(); err != nil {
		t.Fatal(err)
	}
	b := u.board()
	if len(b.Shoe.Lost) > 0 || b.Shoe.Banker.N != 4 || b.Shoe.Player.Share+b.Shoe.Banker.Share+b.Shoe.Tie.Share != 1000 || len(b.Shoe.Roads.BigRoad) != 7 {
		t.Errorf("lost %v, %+v, road %v", b.Shoe.Lost, b.Shoe.Banker, b.Shoe.Roads.BigRoad)
	}
	if f, ok := faultOf(b, handsLost); ok {
		t.Errorf("the fault stands: %v", f)
	}
	u.goesOn()
}

// Each byte of the record is damaged in turn. The unit starts, what it shows of each hand
// is what was keyed or nothing, it says that something is wrong, and play goes on.
func TestEveryByteDamagedStarts(t *testing.T) {
	files := keyed(t, plainShoe)
	name := newestSegment(t, files)
	data := files.Bytes(name)
	whole, _ := anyhow(t, files.AfterKill())
	want := tokensOf(whole.engine.State().Shoe)
	events := recordsOf(t, files, name)[0][0]
	for at := 0; at < len(data); at += 3 * EveryNth(7) {
		if at > 76 && at < events {
			at += min(40, events-at) // the checkpoint falls as a whole
		}
		damaged := slices.Clone(data)
		damaged[at] ^= 1 << (at % 8)
		files := files.AfterKill()
		files.Put(name, damaged)
		u, unfit := anyhow(t, files)
		s := u.engine.State()
		for i, got := range tokensOf(tracker.Shoe{Pack: s.Shoe.Pack, Hands: s.Shoe.Hands}) {
			if got != want[i] && got != tracker.LostToken {
				t.Fatalf("byte %d: hand %d is shown as %s, was %s", at, i+1, got, want[i])
			}
		}
		if len(u.board().Faults) == 0 && len(u.found.Problems)+len(unfit) == 0 && !slices.Equal(tokensOf(s.Shoe), want) {
			t.Fatalf("byte %d: nothing is said of %v", at, tokensOf(s.Shoe))
		}
		if at%7 == 0 {
			u.goesOn()
		}
	}
}

// Any of the records is gone, any number of them: no hand is shown that was not dealt, and
// none in another's place.
func TestAnyRecordsGone(t *testing.T) {
	files := keyed(t, plainShoe)
	name := newestSegment(t, files)
	places, data := recordsOf(t, files, name), files.Bytes(name)
	whole, _ := anyhow(t, files.AfterKill())
	want := tokensOf(whole.engine.State().Shoe)
	rapid.Check(t, func(r *rapid.T) {
		damaged := slices.Clone(data)
		for _, i := range rapid.SliceOfNDistinct(rapid.IntRange(0, len(places)-1), 1, 6, rapid.ID[int]).Draw(r, "gone") {
			clear(damaged[places[i][0]:places[i][1]])
		}
		files := files.AfterKill()
		files.Put(name, damaged)
		u, _ := anyhow(t, files)
		s := u.engine.State()
		for i, got := range tokensOf(s.Shoe) {
			if got != want[i] && got != tracker.LostToken {
				r.Fatalf("hand %d is shown as %s, was %s", i+1, got, want[i])
			}
		}
		u.goesOn()
	})
}

// A record that nothing is wrong with but what it says: each kind of nonsense in turn.
func TestRecordsThatMakeNoSense(t *testing.T) {
	for _, c := range []struct{ name, payload, want string }{
		{"hand 7 of 5", `{"v":1,"e":[{"k":"hand","n":7,"r":"B"}]}`, "P B T B+banker-natural B+dragon-7 - B"},
		{"hand 2 again: one of those before was taken out", `{"v":1,"e":[{"k":"hand","n":2,"r":"B"}]}`, "- B"},
		{"hand 1 again: a new shoe", `{"v":1,"e":[{"k":"hand","n":1,"r":"B"}]}`, "B"},
		{"a fix of hand 8", `{"v":1,"e":[{"k":"hand-fixed","n":8,"r":"T","was":"P"}]}`, "P B T B+banker-natural B+dragon-7 - - T"},
		{"a hand that nobody understands", `{"v":1,"e":[{"k":"hand","n":6,"r":"B+dragon-9"}]}`, "P B T B+banker-natural B+dragon-7 -"},
		{"hand 4000", `{"v":1,"e":[{"k":"hand","n":4000,"r":"B"}]}`, "P B T B+banker-natural B+dragon-7"},
		{"hand below zero", `{"v":1,"e":[{"k":"hand","n":-4,"r":"B"}]}`, "P B T B+banker-natural B+dragon-7"},
		{"no shoe to take back", `{"v":1,"e":[{"k":"shoe-taken-back"}]}`, "P B T B+banker-natural B+dragon-7"},
		{"an event of a newer program", `{"v":1,"e":[{"k":"something-new"}]}`, "P B T B+banker-natural B+dragon-7"},
		{"a version of a newer program", `{"v":2,"e":[]}`, "P B T B+banker-natural B+dragon-7"},
		{"no record at all", `{`, "P B T B+banker-natural B+dragon-7"},
		{"half of two facts", `{"v":1,"e":[{"k":"hand","n":6,"r":"B"},{"k":"resumed","s":-4}]}`, "P B T B+banker-natural B+dragon-7 B"},
	} {
		files := keyed(t, plainShoe[:strings.Index(plainShoe, "PLAYER OK\nBETS\npanda")])
		j, _, err := journal.Open(files, "unit-1")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := j.Append(journal.Record{ID: journal.EventID{9}, Payload: []byte(c.payload)}); err != nil {
			t.Fatal(err)
		}
		if err := j.Close(); err != nil {
			t.Fatal(err)
		}
		u, unfit := anyhow(t, files.AfterKill())
		if got := strings.Join(tokensOf(u.engine.State().Shoe), " "); got != c.want || len(unfit) == 0 {
			t.Errorf("%s: %s (%v), expected %s", c.name, got, unfit, c.want)
		}
		u.goesOn()
	}
}

// The newest checkpoint is nothing that this program can read: the one before it and the
// events since make up for it.
func TestACheckpointThatCannotBeReadIsMadeUpFor(t *testing.T) {
	files := keyed(t, plainShoe+"\nPLAYER OK\nNEW_SHOE OK\nBANKER OK\nPLAYER OK")
	j, found, err := journal.Open(files, "unit-1")
	if err != nil {
		t.Fatal(err)
	}
	want, _ := history.Restore(found)
	if _, err := j.Roll(journal.Record{Payload: []byte(`{"v":2,"seq":99}`)}); err != nil {
		t.Fatal(err)
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	files = files.AfterKill()
	u, unfit := anyhow(t, files)
	if got := face(u.engine.State()); got != face(want) || len(unfit) != 1 {
		t.Errorf("(%v)\n%sexpected\n%s", unfit, got, face(want))
	}

	var shoes []string
	inPlay, problems, err := history.Shoes(u.files.AfterKill(), history.Row{}, func(d history.Dealt) error {
		shoes = append(shoes, strings.Join(tokensOf(d.Shoe), " "))
		return nil
	})
	if err != nil || len(problems) == 0 || len(shoes) != 1 || len(inPlay.Shoe.Hands) != 2 {
		t.Errorf("shoes %q, %d hands in play, %v, %v", shoes, len(inPlay.Shoe.Hands), problems, err)
	}
}

// No checkpoint can be read at all: the table is closed and begins with a new shoe.
func TestWithoutAnyCheckpointTheTableBeginsAnew(t *testing.T) {
	files := journaltest.New()
	j, _, err := journal.Open(files, "unit-1")
	if err != nil {
		t.Fatal(err)
	}
	for range 10 {
		if _, err := j.Roll(journal.Record{Payload: []byte(`{"v":2}`)}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := j.Append(journal.Record{ID: journal.EventID{1}, Payload: []byte(`{"v":1,"e":[{"k":"hand","n":3,"r":"B"}]}`)}); err != nil {
		t.Fatal(err)
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	u, unfit := anyhow(t, files.AfterKill())
	if s := u.engine.State(); s.Phase != tracker.TableClosed || len(unfit) == 0 {
		t.Errorf("%s, %v", s.Phase, unfit)
	}
	u.goesOn()
}

// A correction that cannot be read leaves no trace in the numbers of the hands: staff are
// told which hands to check.
func TestALostCorrectionIsAskedFor(t *testing.T) {
	files := keyed(t, plainShoe+"\nFIX PLAYER OK\nBANKER OK")
	dropRecord(t, files, `"k":"hand-fixed"`)
	u, _ := anyhow(t, files)
	if len(u.found.Problems) != 1 {
		t.Fatal(u.found.Problems)
	}
	if text := history.Damage(u.engine.State(), u.found, nil); !strings.Contains(text, "check hands 1 to 8") {
		t.Error(text)
	}
}

func TestRangesOfHands(t *testing.T) {
	for _, c := range []struct {
		numbers []int
		want    string
	}{
		{[]int{5}, "5"}, {[]int{5, 6, 7}, "5 to 7"}, {[]int{1, 3, 4, 9}, "1, 3 to 4, 9"},
		{[]int{1, 3, 5, 7, 9, 11, 13, 15}, "1, 3, 5, 7, 9, 11, others"},
	} {
		if got := ranges(c.numbers); got != c.want {
			t.Errorf("%v: %q, expected %q", c.numbers, got, c.want)
		}
	}
}

func (u *unit) board() *stats.Board {
	b := new(stats.Board)
	u.engine.Fill(b)
	return b
}

func faultOf(b *stats.Board, code string) (stats.Fault, bool) {
	i := slices.IndexFunc(b.Faults, func(f stats.Fault) bool { return f.Code == code })
	if i < 0 {
		return stats.Fault{}, false
	}
	return b.Faults[i], true
}

func newestSegment(t testing.TB, files *journaltest.FS) string {
	t.Helper()
	all, err := files.List()
	if err != nil {
		t.Fatal(err)
	}
	var newest string
	for _, name := range all {
		if strings.HasSuffix(name, ".jrn") {
			newest = max(newest, name)
		}
	}
	return newest
}

// recordsOf are where the records of a segment begin and end, the checkpoint left out.
func recordsOf(t testing.TB, files *journaltest.FS, name string) (places [][2]int) {
	t.Helper()
	data := files.Bytes(name)
	for at := 64; at < len(data); {
		size := int(data[at]) | int(data[at+1])<<8 | int(data[at+2])<<16
		if size < 76 || at+size > len(data) {
			t.Fatalf("no record at byte %d", at)
		}
		places, at = append(places, [2]int{at, at + size}), at+size
	}
	return places[1:]
}

// dropRecord damages the newest segment's last record with some text in it.
func dropRecord(t testing.TB, files *journaltest.FS, text string) {
	t.Helper()
	name := newestSegment(t, files)
	data := files.Bytes(name)
	at := strings.LastIndex(string(data), text)
	if at < 0 {
		t.Fatalf("no record with %s", text)
	}
	data[at] ^= 0x40
	files.Put(name, data)
}
