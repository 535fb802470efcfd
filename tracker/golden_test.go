package tracker

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"shoeboard/tracker/game"
	"shoeboard/tracker/golden"
)

// goldenStamp is the stamp that record n of kinds.jsonl was decided with.
func goldenStamp(n int) Stamp {
	return Stamp{Seq: uint64(n), Boot: "boot-1", Mono: 60e9, Wall: 1_790_000_000_000 + int64(n), Trusted: n%2 == 0}
}

// Every kind of event folds, is written as it was, and leads to the checkpoint of then.
func TestEveryKindOfVersion1IsReadForEver(t *testing.T) {
	var s State
	kinds := map[string]bool{}
	n := 0
	for _, line := range golden.Lines(t, "v1/kinds.jsonl") {
		n++
		r, err := UnmarshalRecord(line, goldenStamp(n))
		if err != nil {
			t.Fatal(err)
		}
		if s, err = Apply(s, r.Events...); err != nil {
			t.Fatalf("line %d: %v", n, err)
		}
		for _, e := range r.Events {
			kinds[string(e.Kind)] = true
		}
		again, err := r.Marshal()
		if err != nil {
			t.Fatal(err)
		}
		golden.Contains(t, fmt.Sprintf("record %d", n), line, again)
	}
	then := golden.File(t, "v1/checkpoint.json")
	golden.Contains(t, "the checkpoint", then, written(t, s))
	back, err := UnmarshalCheckpoint(then)
	if err != nil || !reflect.DeepEqual(bare(back), bare(s)) {
		t.Errorf("the checkpoint of then gives %+v, %v\nwant %+v", bare(back), err, bare(s))
	}
	if n != 42 || s.Seq != 42 {
		t.Errorf("%d records to %d", n, s.Seq)
	}
	for _, kind := range kindsOf(t) {
		delete(kinds, kind)
	}
	if len(kinds) > 0 {
		t.Errorf("kinds of version 1 that the program does not name any more: %v", kinds)
	}
}

// laterKinds holds a record for every kind, and every use of a field, that came after
// version 1; a line is added, never changed.
const laterKinds = "testdata/kinds-after-v1.jsonl"

func TestKindsAfterVersion1AreReadForEver(t *testing.T) {
	data, err := os.ReadFile(laterKinds)
	if err != nil {
		t.Fatal(err)
	}
	s, n := table(t, ez, "P"), 0
	for line := range strings.Lines(string(data)) {
		n++
		r, err := UnmarshalRecord([]byte(line), goldenStamp(100+n))
		if err != nil {
			t.Fatal(err)
		}
		if s, err = Apply(s, r.Events...); err != nil {
			t.Fatalf("line %d: %v", n, err)
		}
		again, err := r.Marshal()
		if err != nil || string(again) != strings.TrimSpace(line) {
			t.Errorf("line %d is written as %s, %v", n, again, err)
		}
	}
	wantList(t, s.Shoe, "T")
	if s.Phase != Betting || s.BetSeconds != 12 || s.Free || s.Shoe.Fixes != 0 {
		t.Errorf("%s for %d s, free %v, %d fixes of the dealer's", s.Phase, s.BetSeconds, s.Free, s.Shoe.Fixes)
	}
}

// What version 1's checkpoint has not: a pause over a free hand that closed the bets. It was
// written by the program of commit c4c671a and is never written again.
func TestACheckpointAfterVersion1IsReadForEver(t *testing.T) {
	then, err := os.ReadFile("testdata/checkpoint-after-v1.json")
	if err != nil {
		t.Fatal(err)
	}
	s, err := UnmarshalCheckpoint(then)
	if err != nil {
		t.Fatal(err)
	}
	golden.Contains(t, "the checkpoint", then, written(t, s))
	if s.BehindFree == nil || s.BehindFree.Phase != Betting || s.Phase != Paused || s.Review == nil || len(s.Faults) != 2 {
		t.Errorf("it gives %+v", bare(s))
	}
}

// A kind that is added is added to a golden file too.
func TestEveryKindStandsInAGoldenFile(t *testing.T) {
	later, err := os.ReadFile(laterKinds)
	if err != nil {
		t.Fatal(err)
	}
	known := string(golden.File(t, "v1/kinds.jsonl")) + string(later)
	for _, kind := range kindsOf(t) {
		if !strings.Contains(known, `"k":"`+kind+`"`) {
			t.Errorf("kind %q stands in no golden file", kind)
		}
	}
}

// kindsOf are the constants of the type Kind, as the source declares them.
func kindsOf(t *testing.T) (kinds []string) {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "event.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if v, ok := n.(*ast.ValueSpec); ok && len(v.Values) == 1 {
			if name, ok := v.Type.(*ast.Ident); ok && name.Name == "Kind" {
				text, err := strconv.Unquote(v.Values[0].(*ast.BasicLit).Value)
				if err != nil {
					t.Fatal(err)
				}
				kinds = append(kinds, text)
			}
		}
		return true
	})
	if len(kinds) < 23 {
		t.Fatalf("the kinds are %v", kinds)
	}
	return kinds
}

// refusedPack is a record of a pack that the checks of version 1 refuse.
type refusedPack struct {
	Why    string          `json:"why"`
	Record json.RawMessage `json:"record"`
	Bets   []string        `json:"bets"` // that win on each of refusedHands
}

var refusedHands = []string{"B", "P+panda-8", "T", "6.2-7.3", "8.3-7.2", "2S,4H/KD,2C,5S"}

// Packs that Load refuses fold out of a record, and hands under them come to what they
// came to.
func TestPacksThatAreRefusedAreReadForEver(t *testing.T) {
	n := 0
	for _, line := range golden.Lines(t, "v1/refused.jsonl.gz") {
		n++
		var c refusedPack
		if err := json.Unmarshal(line, &c); err != nil {
			t.Fatal(err)
		}
		r, err := UnmarshalRecord(c.Record, Stamp{Seq: 1})
		if err != nil {
			t.Fatal(err)
		}
		s, err := Apply(State{}, r.Events...)
		if err != nil || len(s.Shoe.Unknown()) > 0 || s.Shoe.Pack.Digest != r.Events[0].Reason {
			t.Errorf("%s: %v, not known: %v", c.Why, err, s.Shoe.Unknown())
			continue
		}
		var bets []string
		for i, token := range refusedHands {
			if s, err = Apply(s, Event{Kind: HandRecorded, Hand: i + 1, Token: token}); err != nil {
				t.Fatalf("%s: %v", c.Why, err)
			}
			bets = append(bets, betsOf(s.Shoe.Pack, s.Shoe.Hands[i]))
		}
		if !slices.Equal(bets, c.Bets) {
			t.Errorf("%s: bets %q, expected %q", c.Why, bets, c.Bets)
		}
		back, err := UnmarshalCheckpoint(written(t, s))
		if err != nil || !reflect.DeepEqual(bare(back), bare(s)) {
			t.Errorf("%s: the checkpoint gives %v", c.Why, err)
		}
	}
	if n != 25 {
		t.Errorf("%d packs", n)
	}
}

func betsOf(p *game.Pack, h Hand) string {
	var ids []string
	for i := range h.Bets.All() {
		ids = append(ids, p.Bets[i].ID)
	}
	return strings.Join(ids, " ")
}
