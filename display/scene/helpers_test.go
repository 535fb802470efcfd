package scene

import (
	"slices"
	"strings"
	"testing"
	"time"

	"shoeboard/assets"
	"shoeboard/display/specimen"
	"shoeboard/stats"
	"shoeboard/tracker/game"
)

// reference returns the view of the reference pictures.
func reference(t testing.TB) View {
	cats := catalogues(t)
	return View{W: 1920, H: 1080, Theme: dark(), Fonts: testFonts(t), First: cats[english], Second: cats[traditional],
		Corner: "SPECIMEN"}
}

// look completes a view with the moment of a specimen.
func look(s specimen.Specimen, v View) View {
	v.Boot, v.Now, v.Newest, v.Waiting = specimen.Boot, s.Now, 0, s.Waiting
	if v.Wall.IsZero() {
		v.Wall = specimen.Wall()
	}
	return v
}

// state returns a specimen by its name.
func state(t testing.TB, name string) specimen.Specimen {
	t.Helper()
	return pick(t, specimen.All(), name)
}

func pick(t testing.TB, all []specimen.Specimen, name string) specimen.Specimen {
	t.Helper()
	i := slices.IndexFunc(all, func(s specimen.Specimen) bool { return s.Name == name })
	if i < 0 {
		t.Fatalf("no specimen %s", name)
	}
	return all[i]
}

// panda8 returns the board of the reference pictures after more hands, dai one of the other game.
func panda8(more string) stats.Board { return specimen.Board("ez-baccarat-panda-8", more) }
func dai(more string) stats.Board    { return specimen.Board("dai-bacc", more) }

// with changes a board and returns it.
func with(b stats.Board, change func(*stats.Board)) stats.Board {
	change(&b)
	return b
}

// counting returns a board with so many seconds left of 20.
func counting(b stats.Board, left int) stats.Board {
	b.Countdown = &stats.Deadline{Boot: specimen.Boot, At: time.Duration(left) * time.Second, Total: 20}
	return b
}

// result returns a board that shows its last hand, changed.
func result(b stats.Board, change func(*stats.Mark)) stats.Board {
	m := *b.Bar.Last
	change(&m)
	b.Bar.Kind, b.Bar.Last, b.Bar.Free = stats.BarResult, &m, m.Free
	return b
}

// echo returns a board on whose screen the dealer sees the echo's lines.
func echo(dealer stats.Dealer) stats.Board {
	b := panda8("")
	b.Bar.Kind, b.Dealer, b.Dealer.OnScreen = stats.BarNoMoreBets, dealer, true
	return b
}

// packOf returns a pack that the program carries.
func packOf(t testing.TB, id string) *game.Pack {
	file, data, _ := assets.Pack(id)
	p, err := game.Load(file, data)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// named returns the ops whose names begin so.
func named(ops []Op, prefix string) []Op {
	var out []Op
	for _, o := range ops {
		if strings.HasPrefix(o.Name, prefix) {
			out = append(out, o)
		}
	}
	return out
}

// said returns the texts of the ops whose names begin so, in painting order.
func said(ops []Op, prefix string) string {
	var out []string
	for _, o := range named(ops, prefix) {
		if o.Kind == Text {
			out = append(out, o.Run.Text)
		}
	}
	return strings.Join(out, "|")
}
