// Package specimen holds every state of the board as data, for pictures and tests:
// specimens.json says what each state changes in the Board of a game in mid-shoe.
//
// A shoe is written with a letter a hand: P, B, T; p a Panda 8, b a Dragon 7; in Dai Bacc
// o an Ox 6, g a Tiger 7, k a Kill that Banker won, t a tied Kill, x Tiger 7 with Kill;
// ? a hand that is lost. Spaces only show the columns of the bead plate.
package specimen

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"time"

	"shoeboard/stats"
)

//go:embed specimens.json
var data []byte

// Boot is the boot that the countdowns of specimens run in.
const Boot = "specimen"

// Wall returns the time on the table's clock.
func Wall() time.Time { return time.Date(2026, time.November, 30, 21, 42, 0, 0, time.UTC) }

// Specimen is one state of the board and the moment at which it is looked at.
type Specimen struct {
	Name    string // for files: "result-dragon-7"
	Title   string // for people
	Board   stats.Board
	Now     time.Duration
	Waiting bool // the screen has lost the core
}

// file is the whole of specimens.json.
type file struct {
	Games     map[string]midShoe
	Specimens []entry
}

// entry is a state as it stands in the file: a game, other or more hands, what is
// changed in single marks, and what is changed in the Board.
type entry struct {
	Name, Title, Game, Hands string
	Shoe, Previous           *string
	Marks                    map[int]json.RawMessage
	Left, Now                time.Duration // seconds
	Waiting                  bool
	Board                    json.RawMessage
}

// All returns every state of the board, the reference first.
func All() []Specimen {
	f := read()
	var out []Specimen
	for _, e := range f.Specimens {
		out = append(out, Specimen{e.Name, e.Title, f.board(e), e.Now * time.Second, e.Waiting})
	}
	for _, page := range stats.TestPages() {
		tested := f.board(entry{})
		tested.Test = page
		out = append(out, Specimen{Name: "test-" + page, Title: "Technician's test: " + page, Board: tested})
	}
	return out
}

// Board returns the Board of a built-in game after more hands of its shoe.
func Board(id, more string) stats.Board { return read().board(entry{Game: id, Hands: more}) }

// read reads the file of specimens.
func read() (f file) {
	must(json.Unmarshal(data, &f))
	return f
}

// board makes the Board of a state, of EZ Baccarat where it names no game.
func (f file) board(e entry) stats.Board {
	id := cmp.Or(e.Game, "ez-baccarat-panda-8")
	g := f.Games[id]
	g.load(id)
	g.Shoe += e.Hands
	if e.Shoe != nil {
		g.Shoe = *e.Shoe
	}
	if e.Previous != nil {
		g.Previous = *e.Previous
	}
	b := g.board()
	for i, change := range e.Marks {
		must(json.Unmarshal(change, &b.Shoe.Marks[i]))
	}
	if len(e.Board) > 0 {
		must(json.Unmarshal(e.Board, &b))
	}
	if e.Left > 0 {
		b.Countdown = &stats.Deadline{Boot: Boot, At: e.Left * time.Second, Total: 20}
	}
	return b
}

// must ends a program whose built-in specimens are damaged; a test reads them all.
func must(err error) {
	if err != nil {
		panic("the specimens that are built in are not good: " + err.Error())
	}
}
