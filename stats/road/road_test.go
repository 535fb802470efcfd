package road

import (
	"encoding/json"
	"os"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"shoeboard/tracker/game"
)

// outcomes reads "BPTB".
func outcomes(text string) []game.Outcome {
	hands := make([]game.Outcome, len(text))
	for i := range text {
		hands[i] = map[byte]game.Outcome{'P': game.Player, 'B': game.Banker, 'T': game.Tie}[text[i]]
	}
	return hands
}

// cell is a cell as the vectors have it: [column, row, "B"].
type cell struct {
	col, row int
	letter   string
}

func (c *cell) UnmarshalJSON(data []byte) error {
	return json.Unmarshal(data, &[]any{&c.col, &c.row, &c.letter})
}

func bigCells(marks []Mark) []cell {
	out := make([]cell, len(marks))
	for i, m := range marks {
		out[i] = cell{int(m.Col), int(m.Row), m.Outcome.Letter()}
	}
	return out
}

func derivedCells(marks []Derived) []cell {
	out := make([]cell, len(marks))
	for i, m := range marks {
		out[i] = cell{int(m.Col), int(m.Row), m.Color.Letter()}
	}
	return out
}

type derivedVector struct {
	Marks string
	Cells []cell
}

type askVector struct{ Eye, Small, Cockroach *string }

// letters are the ask marks with "" for none.
func (a askVector) letters() [3]string {
	var out [3]string
	for i, p := range []*string{a.Eye, a.Small, a.Cockroach} {
		if p != nil {
			out[i] = *p
		}
	}
	return out
}

func askLetters(a AskMarks) [3]string {
	return [3]string{a.BigEyeBoy.Letter(), a.SmallRoad.Letter(), a.CockroachPig.Letter()}
}

type vector struct {
	ID, Outcomes string
	Bead         []string      `json:"bead_plate_columns"`
	LeadingTies  int           `json:"leading_ties"`
	Logical      []string      `json:"big_road"`
	Ties         [][3]int      `json:"big_road_ties"` // run, place in the run, ties
	Gravity      []cell        `json:"big_road_cells"`
	Stay         []cell        `json:"big_road_cells_stay"` // only where it differs
	Width        int           `json:"big_road_width"`
	Eye          derivedVector `json:"big_eye_boy"`
	Small        derivedVector `json:"small_road"`
	Cockroach    derivedVector `json:"cockroach_pig"`
	Ask          struct{ Banker, Player askVector }
}

func vectors(t testing.TB) []vector {
	t.Helper()
	data, err := os.ReadFile("testdata/road_vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ Vectors []vector }
	if err := json.Unmarshal(data, &file); err != nil || len(file.Vectors) != 50 {
		t.Fatalf("%d vectors, %v", len(file.Vectors), err)
	}
	return file.Vectors
}

func TestVectors(t *testing.T) {
	for _, v := range vectors(t) {
		t.Run(v.ID, func(t *testing.T) {
			r := Fold(outcomes(v.Outcomes), Options{})
			same(t, "big road", bigCells(r.BigRoad), v.Gravity)
			stay := v.Stay
			if stay == nil {
				stay = v.Gravity
			}
			same(t, "big road, tail stays", bigCells(Fold(outcomes(v.Outcomes), Options{Stay: true}).BigRoad), stay)
			for _, d := range []struct {
				name string
				got  []Derived
				want derivedVector
			}{
				{"big eye boy", r.BigEyeBoy, v.Eye}, {"small road", r.SmallRoad, v.Small}, {"cockroach pig", r.CockroachPig, v.Cockroach},
			} {
				same(t, d.name, derivedCells(d.got), d.want.Cells)
				if len(d.got) != len(d.want.Marks) {
					t.Errorf("%s has %d marks, want %q", d.name, len(d.got), d.want.Marks)
				}
			}
			same(t, "ask banker", askLetters(r.Ask.Banker), v.Ask.Banker.letters())
			same(t, "ask player", askLetters(r.Ask.Player), v.Ask.Player.letters())
			same(t, "leading ties", r.LeadingTies, v.LeadingTies)
			same(t, "bead plate", beadColumns(r.BeadPlate), v.Bead)
			same(t, "ties", tiesByRun(r.BigRoad), v.Ties)
			width := 0
			for _, m := range r.BigRoad {
				width = max(width, int(m.Col)+1)
			}
			same(t, "width", width, v.Width)
			sameHands(t, r.BigRoad, v.Outcomes)
		})
	}
}

// same compares what was got with what is wanted; nil and empty are the same.
func same(t rapid.TB, what string, got, want any) {
	t.Helper()
	g, w := reflect.ValueOf(got), reflect.ValueOf(want)
	if g.Kind() == reflect.Slice && g.Len() == 0 && w.Len() == 0 {
		return
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s\n got %v\nwant %v", what, got, want)
	}
}

// beadColumns is the bead plate as the vectors have it: a word for each column.
func beadColumns(beads []bead) []string {
	var out []string
	for _, b := range beads {
		if b.Row == 0 {
			out = append(out, "")
		}
		if int(b.Col) != len(out)-1 || int(b.Row) != len(out[b.Col]) {
			return append(out, "a bead is out of its place")
		}
		out[b.Col] += b.Outcome.Letter()
	}
	return out
}

// tiesByRun is the ties by run and place in the run.
func tiesByRun(marks []Mark) [][3]int {
	var out [][3]int
	run, place := -1, 0
	for i, m := range marks {
		if place++; i == 0 || marks[i-1].Outcome != m.Outcome {
			run, place = run+1, 0
		}
		if m.Ties > 0 {
			out = append(out, [3]int{run, place, int(m.Ties)})
		}
	}
	return out
}

// sameHands holds that the marks are the winners of the hands, in their order.
func sameHands(t rapid.TB, marks []Mark, hands string) {
	t.Helper()
	var want []int
	for i := range hands {
		if hands[i] != 'T' {
			want = append(want, i)
		}
	}
	got := make([]int, len(marks))
	for i, m := range marks {
		got[i] = int(m.Hand)
		if hands[m.Hand:m.Hand+1] != m.Outcome.Letter() {
			t.Errorf("mark %d is %v of hand %d, which is %c", i, m.Outcome, m.Hand, hands[m.Hand])
		}
	}
	same(t, "hands of the marks", got, want)
}

func TestLeadingTiesInAColumnOfTheirOwn(t *testing.T) {
	own := Options{OwnColumn: true}
	r := Fold(outcomes("TT"), own)
	same(t, "ties alone", r.BigRoad, []Mark{{Outcome: game.Tie, Ties: 2}})
	same(t, "leading ties", r.LeadingTies, 2)

	r = Fold(outcomes("TTBTP"), own)
	same(t, "big road", r.BigRoad, []Mark{
		{Col: 0, Outcome: game.Tie, Ties: 2},
		{Col: 1, Outcome: game.Banker, Ties: 1, Hand: 2},
		{Col: 2, Outcome: game.Player, Hand: 4},
	})
	same(t, "big eye boy, which takes the ties for a run of one", derivedCells(r.BigEyeBoy), []cell{{0, 0, "R"}})
	same(t, "leading ties", r.LeadingTies, 2)

	same(t, "without leading ties", Fold(outcomes("BTP"), own), Fold(outcomes("BTP"), Options{}))
}

func TestLongListsAreLaidOutAndMadOnesCut(t *testing.T) {
	long := slices.Repeat(outcomes("BPPPPPPPPPPPPP"), 100)
	checkRoads(t, long)
	r := Fold(slices.Repeat(outcomes("BP"), maxHands), Options{})
	if len(r.BeadPlate) != maxHands || int(r.BigRoad[maxHands-1].Col) != maxHands-1 {
		t.Errorf("%d beads, the last mark in column %d", len(r.BeadPlate), r.BigRoad[len(r.BigRoad)-1].Col)
	}
}

func TestColoursHaveLetters(t *testing.T) {
	if NoColor.Letter()+Red.Letter()+Blue.Letter() != "RB" {
		t.Error("the letters are wrong")
	}
}

// shoe is a shoe of 88 hands, the longest of 200,000 simulated ones.
const shoe = "BPPBTPBBPPPBTBPPBBBBBTBPPBPBPBTPPPBBTPBPBBBBPPPPPPPBBPBTPBBPPBPPBTBBBPBPPPBBTPBPBBPPPBPB"

func BenchmarkFold88Hands(b *testing.B) {
	hands := outcomes(shoe)
	if len(hands) != 88 {
		b.Fatal(len(hands))
	}
	b.ReportAllocs()
	for b.Loop() {
		Fold(hands, Options{})
	}
}

func TestFoldAllocatesOnceForEachPart(t *testing.T) {
	hands := outcomes(shoe)
	if n := testing.AllocsPerRun(100, func() { Fold(hands, Options{}) }); n > 4 {
		t.Errorf("%v allocations, want 4: the roads, beads, the big road, the derived roads", n)
	}
}
