package scene

import (
	"image/color"
	"math"
	"testing"
)

// contrast is the ratio of the lightness of two colours, 1 to 21, as WCAG
// defines it.
func contrast(a, b color.NRGBA) float64 {
	light := func(c color.NRGBA) float64 {
		lin := func(v uint8) float64 {
			s := float64(v) / 255
			if s <= 0.04045 {
				return s / 12.92
			}
			return math.Pow((s+0.055)/1.055, 2.4)
		}
		return 0.2126*lin(c.R) + 0.7152*lin(c.G) + 0.0722*lin(c.B)
	}
	x, y := light(a), light(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

func TestContrastIsWhatItShouldBe(t *testing.T) {
	if c := contrast(rgb(0xffffff), rgb(0)); math.Abs(c-21) > 0.01 {
		t.Errorf("white on black: %.2f", c)
	}
	if c := contrast(rgb(0x777777), rgb(0xffffff)); math.Abs(c-4.48) > 0.01 {
		t.Errorf("grey on white: %.2f", c)
	}
}

// Plain text and figures read at 7:1; words in the colours of the outcomes, and
// letters in beads, at 4.5:1.
func TestThemesReadWell(t *testing.T) {
	type pair struct {
		what   string
		ink    color.NRGBA
		ground color.NRGBA
		least  float64
	}
	for _, th := range Themes() {
		pairs := []pair{
			{"chip", th.ChipText, th.Chip, 7}, {"letter on gold", th.CoreText, th.Gold, 4.5},
			{"letter on white", th.CoreText, th.White, 4.5}, {"letter on kill", th.CoreText, th.Kill, 4.5},
			{"letter on Player's bead", th.BeadText, th.PlayerBead, 4.5}, {"letter on Banker's bead", th.BeadText, th.BankerBead, 4.5},
			{"letter on tie's bead", th.BeadText, th.TieBead, 4.5},
			{"countdown, amber", th.Amber, th.Bar.Rest, 7}, {"countdown, red", th.Red, th.Bar.Rest, 7},
			{"tie number", th.Text, th.Grid, 7}, {"newest", th.Newest, th.Grid, 7},
		}
		for _, g := range []color.NRGBA{th.Ground, th.Panel} {
			pairs = append(pairs, pair{"text", th.Text, g, 7}, pair{"muted text", th.Muted, g, 7}, pair{"amber text", th.Amber, g, 7},
				pair{"name of a gold bet", th.GoldWord, g, 7}, pair{"name of a kill bet", th.KillWord, g, 7},
				pair{"Player", th.Player, g, 4.5}, pair{"Banker", th.Banker, g, 4.5}, pair{"Tie", th.Tie, g, 4.5})
		}
		for _, g := range []color.NRGBA{th.Bar.Betting, th.Bar.Rest, th.Bar.Closed, th.Bar.Player, th.Bar.Banker, th.Bar.Tie} {
			pairs = append(pairs, pair{"bar text", th.Bar.TextOver, g, 7})
		}
		// The last hand, the shoe's figures and a hand's totals stand on plates.
		pairs = append(pairs, pair{"number of the last hand", th.Muted, th.Bar.Rest, 7}, pair{"Player on a plate", th.Player, th.Bar.Rest, 4.5},
			pair{"Banker on a plate", th.Banker, th.Bar.Rest, 4.5}, pair{"Tie on a plate", th.Tie, th.Bar.Rest, 4.5},
			pair{"gold bet on a plate", th.GoldWord, th.Bar.Rest, 7}, pair{"kill bet on a plate", th.KillWord, th.Bar.Rest, 7})
		for _, p := range pairs {
			if c := contrast(p.ink, p.ground); c < p.least {
				t.Errorf("%s: %s #%x on #%x has %.2f:1, least is %.1f:1", th.Name, p.what, p.ink, p.ground, c, p.least)
			}
		}
	}
}

func TestThemesAreFoundByName(t *testing.T) {
	for _, th := range Themes() {
		if got, ok := ThemeNamed(th.Name); !ok || got != th {
			t.Errorf("%s is not found", th.Name)
		}
	}
	if _, ok := ThemeNamed("pink"); ok {
		t.Error("a theme that nobody wrote was found")
	}
}
