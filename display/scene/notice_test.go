package scene

import (
	"fmt"
	"strings"
	"testing"

	"shoeboard/display/specimen"
	"shoeboard/stats"
)

// staffTexts are what a board says to staff: the notice, the strip of a page between
// shoes, and the mark in the header.
func staffTexts(t *testing.T, b stats.Board) (notice, mark string) {
	t.Helper()
	words := catalogues(t)
	s := specimen.Specimen{Board: b}
	v := look(s, View{W: 1920, H: 1080, Theme: dark(), Fonts: testFonts(t), First: words[english]})
	for _, o := range Build(&s.Board, v) {
		switch {
		case o.Kind != Text:
		case strings.HasPrefix(o.Name, "notice.") || o.Name == "attract.staff":
			notice += o.Run.Text + " "
		case o.Name == "header.fault":
			mark += o.Run.Text
		}
	}
	return notice, mark
}

// A fault takes a part of the board until somebody knows of it or it is over; then it is
// a mark, and words where nobody plays.
func TestWhatStaffAreToldOfFaults(t *testing.T) {
	playing, closed := counting(panda8(""), 14), state(t, "table-closed").Board
	there := []stats.Fault{{Code: "heat", Text: "Too hot"}}
	known := []stats.Fault{{Code: "heat", Text: "Too hot", Staff: true, By: "tech"}}
	over := []stats.Fault{{Code: "space", Text: "Card full", Staff: true, Ended: true, Times: 3}}
	refused := &stats.ConfigFault{File: "a.toml", Line: 3, Key: "venue", Text: "is not good"}
	set := func(b stats.Board, faults, ended []stats.Fault, c *stats.ConfigFault) stats.Board {
		return with(b, func(b *stats.Board) { b.Faults, b.EndedFaults, b.ConfigFault = faults, ended, c })
	}
	knownConfig := []stats.Fault{{Code: stats.ConfigCode, Text: "Refused", Staff: true, By: "tech"}}
	for _, c := range []struct {
		what         string
		board        stats.Board
		notice, mark string
	}{
		{"nothing", playing, "", ""},
		{"it is there", set(playing, there, nil, nil), "STAFF Too hot ", ""},
		{"it is known", set(playing, known, nil, nil), "", "●1"},
		{"one is known, one is over", set(playing, known, over, nil), "", "●2"},
		{"on a closed table", set(closed, known, over, nil), "STAFF acknowledged by tech: Too hot over, ×3: Card full ", "●2"},
		{"the screen's own on a closed table", set(closed, []stats.Fault{{Code: "screen-safe", Text: "Built-in look", Staff: true}}, nil, nil), "STAFF Built-in look ", "●1"},
		{"a refused configuration", set(playing, nil, nil, refused), "CONFIGURATION REFUSED a.toml, line 3 venue: is not good The last good configuration stays in force. ", ""},
		{"one that cannot be read", set(playing, nil, nil, &stats.ConfigFault{File: "a.toml", Text: "it is gone"}),
			"CONFIGURATION REFUSED a.toml it is gone The last good configuration stays in force. ", ""},
		{"that and more", set(playing, append([]stats.Fault{{Code: stats.ConfigCode, Text: "Refused"}}, there...), nil, refused),
			"STAFF Too hot CONFIGURATION REFUSED: a.toml, line 3, venue: is not good ", ""},
		{"that is known", set(playing, knownConfig, nil, refused), "", "●1"},
		{"on a page between shoes", set(state(t, "attract-bets").Board, there, over, nil),
			"Too hot over, ×3: Card full ", "●1"},
	} {
		if notice, mark := staffTexts(t, c.board); notice != c.notice || mark != c.mark {
			t.Errorf("%s: %q with the mark %q, want %q with %q", c.what, notice, mark, c.notice, c.mark)
		}
	}
}

// Where the faults do not have room, the board says how many it leaves out, and cuts
// none of those that it shows.
func TestFaultsThatHaveNoRoom(t *testing.T) {
	words := catalogues(t)
	const sentence = "Too hot, 85 C, and the processor is slowed down: give it air and call a technician"
	for _, size := range [][2]int{{1920, 1080}, {1280, 720}, {1024, 600}, {800, 480}, {1080, 1920}, {480, 800}} {
		for n := 1; n <= 33; n++ {
			s := specimen.Specimen{Board: with(counting(panda8(""), 14), func(b *stats.Board) {
				for range n {
					b.Faults = append(b.Faults, stats.Fault{Text: sentence})
				}
			})}
			var said []string
			for _, o := range Build(&s.Board, look(s, View{W: size[0], H: size[1], Theme: dark(), Fonts: testFonts(t), First: words[english]})) {
				if o.Kind == Text && o.Name == "notice.line" {
					said = append(said, o.Run.Text)
				}
			}
			text := strings.Join(said, " ")
			shown := strings.Count(text, sentence)
			want := strings.TrimSpace(strings.Repeat(sentence+" ", shown))
			if shown < n {
				want += fmt.Sprintf(" +%d", n-shown)
			}
			if shown == 0 || text != want {
				t.Fatalf("%v, %d faults: %q", size, n, text)
			}
		}
	}
}
