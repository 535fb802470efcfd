package overlay

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"math"
	"regexp"
	"strings"
	"testing"

	"shoeboard/cmd/internal/config"
	"shoeboard/cmd/internal/keycaps"
	"shoeboard/tracker/console"
	"shoeboard/tracker/game"
)

// ownMap is a venue's map on a pad with keys that no layout knows.
const ownMap = `
[keymap.ours]
base = "numpad-17"
[keymap.ours.keys]
KPSLASH = { tap = "FREE", hold = "VOID", after = 1.5 }
KP9 = { tap = "BONUS", bet = "dragon-7", digit = "9" }
TAB = {}
F13 = { tap = "PLAYER_PAIR" }
F24 = { hold = "NEW_SHOE" }
r1c5 = { tap = "OK" }
`

// overlays are the pages of all layouts, the venue's own with them, and games.
func overlays(t *testing.T, each func(t *testing.T, pg page, p *game.Pack, m console.Map)) {
	d, err := New()
	if err != nil {
		t.Fatal(err)
	}
	games, err := config.Packs()
	if err != nil {
		t.Fatal(err)
	}
	f, err := config.Read("venue.toml", []byte(ownMap), games)
	if err != nil {
		t.Fatal(err)
	}
	cfg := f.Table("1")
	layouts, err := Layouts(cfg, "")
	if err != nil {
		t.Fatal(err)
	}
	for _, layout := range layouts {
		for _, p := range games {
			for _, cfg.Entry = range []string{"results", "totals"} {
				t.Run(layout+" "+p.ID+" "+cfg.Entry, func(t *testing.T) {
					m := cfg.Caps(config.Keypad{Layout: layout}, p)
					pg, err := d.page(p, layout, m)
					if err != nil {
						t.Fatal(err)
					}
					each(t, pg, p, m)
				})
			}
		}
	}
}

func TestOverlayHasEveryKeyOfTheMap(t *testing.T) {
	overlays(t, func(t *testing.T, pg page, p *game.Pack, m console.Map) {
		caps := map[string]keycap{}
		for _, c := range pg.caps {
			if _, twice := caps[c.pos]; twice {
				t.Errorf("key %s is there twice", c.pos)
			}
			caps[c.pos] = c
		}
		for pos, b := range m {
			c, there := caps[pos]
			if !there {
				t.Errorf("key %s is missing", pos)
				continue
			}
			printed := words(c)
			for _, word := range append(keycaps.Words(p, b.Tap, b.Bet), b.Digit) {
				if !strings.Contains(printed, word) {
					t.Errorf("key %s says %q, not %q", pos, printed, word)
				}
			}
			marked := strings.Contains(printed, "HOLD "+keycaps.Seconds(b.After)) && c.band.h > 0
			if marked != (b.Hold != "") {
				t.Errorf("key %s says %q; its hold is %q", pos, printed, b.Hold)
			}
		}
	})
}

func words(c keycap) string {
	text := ""
	for _, l := range c.words {
		text += l.text + "\n"
	}
	return text
}

func TestOverlayTextFits(t *testing.T) {
	overlays(t, func(t *testing.T, pg page, _ *game.Pack, _ console.Map) {
		for i, c := range pg.caps {
			for j, l := range c.words {
				if !l.box.inside(c.area) || l.size < leastSize {
					t.Errorf("key %s: %q of size %.2f at %v is not inside %v", c.pos, l.text, l.size, l.box, c.area)
				}
				for _, o := range c.words[:j] {
					if overlap(l.box, o.box) {
						t.Errorf("key %s: %q lies on %q", c.pos, l.text, o.text)
					}
				}
				if c.band.h > 0 && (l.ink == inkWhite) != l.box.inside(c.band) {
					t.Errorf("key %s: %q and the dark band", c.pos, l.text)
				}
				if width, err := l.face.width(l.text); err != nil || math.Abs(width*l.size-l.box.w) > 1e-6 {
					t.Errorf("key %s: %q is %.2f mm wide, not %.2f (%v)", c.pos, l.text, width*l.size, l.box.w, err)
				}
			}
			if !c.name.box.inside(c.cell) || !c.cell.inside(pg.size) {
				t.Errorf("key %s leaves its place", c.pos)
			}
			for _, o := range pg.caps[:i] {
				if overlap(c.cell, o.cell) {
					t.Errorf("keys %s and %s lie on each other", c.pos, o.pos)
				}
			}
		}
		for _, l := range pg.words {
			if !l.box.inside(pg.size) {
				t.Errorf("%q leaves the page", l.text)
			}
		}
	})
}

// inside says that r lies in o.
func (r rect) inside(o rect) bool {
	const hair = 1e-6
	return r.x >= o.x-hair && r.y >= o.y-hair && r.x+r.w <= o.x+o.w+hair && r.y+r.h <= o.y+o.h+hair
}

func overlap(a, b rect) bool {
	return a.x+a.w > b.x+1e-6 && b.x+b.w > a.x+1e-6 && a.y+a.h > b.y+1e-6 && b.y+b.h > a.y+1e-6
}

// The keys of a 17-key pad and of a matrix lie a keyboard's pitch apart.
func TestOverlayIsInTrueMillimetres(t *testing.T) {
	overlays(t, func(t *testing.T, pg page, _ *game.Pack, _ console.Map) {
		at := map[string]rect{}
		for _, c := range pg.caps {
			at[c.pos] = c.cell
		}
		for _, pair := range [][2]string{{"KP4", "KP5"}, {"r4c1", "r4c2"}} {
			a, b := at[pair[0]], at[pair[1]]
			if d := b.x - a.x; a != (rect{}) && (math.Abs(d-19.05) > 1e-9 || a.y != b.y) {
				t.Errorf("%s and %s are %v mm apart", pair[0], pair[1], d)
			}
		}
		svg, err := pg.svg()
		if err != nil {
			t.Fatal(err)
		}
		head := regexp.MustCompile(`width="([0-9.]+)mm" height="([0-9.]+)mm" viewBox="0 0 ([0-9.]+) ([0-9.]+)"`).FindSubmatch(svg)
		if head == nil || string(head[1]) != string(head[3]) || string(head[2]) != string(head[4]) || pg.ruler.w != 50 {
			t.Errorf("the page is %s", head)
		}
	})
}

func TestOverlayFileIsSoundAndSaysItsKeys(t *testing.T) {
	overlays(t, func(t *testing.T, pg page, _ *game.Pack, m console.Map) {
		svg, err := pg.svg()
		if err != nil {
			t.Fatal(err)
		}
		texts, keys := 0, map[string]bool{}
		for d := xml.NewDecoder(bytes.NewReader(svg)); ; {
			token, err := d.Token()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			if e, ok := token.(xml.StartElement); ok {
				for _, a := range e.Attr {
					switch e.Name.Local + " " + a.Name.Local {
					case "path transform":
						texts++
					case "g data-pos":
						keys[a.Value] = true
					}
				}
			}
		}
		want := len(pg.words)
		for _, c := range pg.caps {
			want += len(c.words) + 1 // and the position's name
		}
		if texts != want {
			t.Errorf("%d texts are drawn, want %d", texts, want)
		}
		for pos := range m {
			if !keys[pos] {
				t.Errorf("key %s is not in the file", pos)
			}
		}
	})
}

func TestWordsThatCannotBeReadAreRefused(t *testing.T) {
	d, err := New()
	if err != nil {
		t.Fatal(err)
	}
	p, err := config.Pack("dai-bacc")
	if err != nil {
		t.Fatal(err)
	}
	_, err = d.page(p, "ours", console.Map{"KP7": {Tap: console.KeyBonus, Bet: "extraordinarily-long-bonus"}})
	if err == nil || !strings.Contains(err.Error(), "key KP7") || !strings.Contains(err.Error(), "EXTRAORDINARILY") {
		t.Errorf("err is %v", err)
	}
	if _, err := d.page(p, "ours", console.Map{}); err == nil {
		t.Error("a map without keys has an overlay")
	}
}
