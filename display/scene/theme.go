package scene

import (
	"image/color"

	"shoeboard/tracker/game"
)

// Theme is every colour of the board. Blue, red and green stand for Player,
// Banker and Tie and for nothing else; a theme may choose other hues for eyes
// that cannot tell those apart, but it keeps the three apart from all others.
// The contrasts that a theme must reach are a test.
type Theme struct {
	Name  string
	Light bool // a light ground: a white core needs a filled ring around it

	Ground, Panel, Grid    color.NRGBA // behind all; behind texts; behind roads
	GridLine, Border       color.NRGBA
	Text, Muted            color.NRGBA // both read at 7:1
	Player, Banker, Tie    color.NRGBA // words, rings and strokes: 4.5:1
	Newest                 color.NRGBA // ring of the newest hand
	PlayerBead, BankerBead color.NRGBA // beads are deeper than the words
	TieBead, BeadText      color.NRGBA
	Gold, White, Kill      color.NRGBA // cores of bonus hands
	CoreText               color.NRGBA // letters on cores
	GoldWord, KillWord     color.NRGBA // names of the bets that have those cores
	Chip, ChipText         color.NRGBA // PAYS 40 TO 1
	Bar                    BarColors
	Amber, Red             color.NRGBA // the countdown's last five seconds; Amber also marks faults
}

// BarColors are the phase bar's grounds. Text on each of them reads at 7:1.
type BarColors struct {
	Betting, Rest, Edge  color.NRGBA // the running countdown fills Rest with Betting
	Closed               color.NRGBA // no more bets, paused, void: grey
	Player, Banker, Tie  color.NRGBA // a result
	PlayerEdge, TieEdge  color.NRGBA
	BankerEdge, TextOver color.NRGBA
}

// side returns the colour of words and rings of an outcome.
func (t *Theme) side(o game.Outcome) color.NRGBA {
	switch o {
	case game.Player:
		return t.Player
	case game.Banker:
		return t.Banker
	case game.Tie:
		return t.Tie
	}
	return t.Muted
}

// bead returns the fill of an outcome's bead.
func (t *Theme) bead(o game.Outcome) color.NRGBA {
	switch o {
	case game.Player:
		return t.PlayerBead
	case game.Banker:
		return t.BankerBead
	}
	return t.TieBead
}

// core returns the fill of a bonus hand's core and whether the mark has one.
func (t *Theme) core(mark string) (color.NRGBA, bool) {
	switch mark {
	case "gold":
		return t.Gold, true
	case "white":
		return t.White, true
	case "kill":
		return t.Kill, true
	}
	return color.NRGBA{}, false
}

// bet returns the colour in which a bet is named: that of its core.
func (t *Theme) bet(mark string) color.NRGBA {
	switch mark {
	case "gold":
		return t.GoldWord
	case "kill":
		return t.KillWord
	}
	return t.Text
}

// faint returns c at a share of its opacity, 0 to 1.
func faint(c color.NRGBA, share float32) color.NRGBA {
	c.A = uint8(float32(c.A)*share + 0.5)
	return c
}

// rgb is a colour written as in a style sheet, 0xRRGGBB.
func rgb(v uint32) color.NRGBA {
	return color.NRGBA{uint8(v >> 16), uint8(v >> 8), uint8(v), 255}
}

// Themes returns the themes of the board, the reference first.
func Themes() []Theme { return []Theme{dark(), light(), colourBlind(), highContrast()} }

// ThemeNamed returns a theme by name, and false when there is none.
func ThemeNamed(name string) (Theme, bool) {
	for _, t := range Themes() {
		if t.Name == name {
			return t, true
		}
	}
	return Theme{}, false
}

// dark returns the reference theme, for the dim light of a card room.
func dark() Theme {
	return Theme{
		Name:   "dark",
		Ground: rgb(0x0a0e13), Panel: rgb(0x121922), Grid: rgb(0x0e141b),
		GridLine: rgb(0x1b2531), Border: rgb(0x263342),
		Text: rgb(0xf5f8fb), Muted: rgb(0x9db0c3),
		Player: rgb(0x3a93ff), Banker: rgb(0xff4545), Tie: rgb(0x2ec98c),
		Newest:     rgb(0xffffff),
		PlayerBead: rgb(0x1f66e0), BankerBead: rgb(0xd4202c), TieBead: rgb(0x0c8350), BeadText: rgb(0xffffff),
		Gold: rgb(0xffc83d), White: rgb(0xf5f8fb), Kill: rgb(0xc9a2ff), CoreText: rgb(0x14110a),
		GoldWord: rgb(0xffc83d), KillWord: rgb(0xc9a2ff),
		Chip: rgb(0xffc83d), ChipText: rgb(0x14110a),
		Bar: BarColors{
			Betting: rgb(0x24364a), Rest: rgb(0x141d27), Edge: rgb(0x3a4d61), Closed: rgb(0x2b3036),
			Player: rgb(0x0d2344), Banker: rgb(0x3a0f14), Tie: rgb(0x0b2b20),
			PlayerEdge: rgb(0x3a93ff), BankerEdge: rgb(0xff4545), TieEdge: rgb(0x2ec98c), TextOver: rgb(0xf5f8fb),
		},
		Amber: rgb(0xffb020), Red: rgb(0xff8080),
	}
}

// light returns the theme for bright rooms and for panels beside a window.
func light() Theme {
	return Theme{
		Name: "light", Light: true,
		Ground: rgb(0xe6ebf0), Panel: rgb(0xfbfcfd), Grid: rgb(0xf4f7f9),
		GridLine: rgb(0xdbe2e9), Border: rgb(0xb4c0cc),
		Text: rgb(0x10161d), Muted: rgb(0x414d59),
		Player: rgb(0x0a53c4), Banker: rgb(0xbf1420), Tie: rgb(0x076c3d),
		Newest:     rgb(0x10161d),
		PlayerBead: rgb(0x1a5fd6), BankerBead: rgb(0xcf1c28), TieBead: rgb(0x0a7a49), BeadText: rgb(0xffffff),
		Gold: rgb(0xffc83d), White: rgb(0xffffff), Kill: rgb(0xd9bfff), CoreText: rgb(0x14110a),
		GoldWord: rgb(0x664300), KillWord: rgb(0x5f2bb0),
		Chip: rgb(0xffc83d), ChipText: rgb(0x14110a),
		Bar: BarColors{
			Betting: rgb(0xc3d1df), Rest: rgb(0xf4f7f9), Edge: rgb(0x8ea0b2), Closed: rgb(0xd3d6d9),
			Player: rgb(0xcfe1ff), Banker: rgb(0xffd6d6), Tie: rgb(0xc5ecd9),
			PlayerEdge: rgb(0x0a53c4), BankerEdge: rgb(0xbf1420), TieEdge: rgb(0x076c3d), TextOver: rgb(0x10161d),
		},
		Amber: rgb(0x6e3d00), Red: rgb(0x9c0d18),
	}
}

// colourBlind keeps the three outcomes apart for red-green blindness by
// lightness as well as hue: blue, orange, pale green.
func colourBlind() Theme {
	t := dark()
	t.Name = "colour-blind"
	t.Player, t.Banker, t.Tie = rgb(0x5aa9ff), rgb(0xff8a1f), rgb(0xbdf5d6)
	t.PlayerBead, t.BankerBead, t.TieBead = rgb(0x1a63d8), rgb(0xa84300), rgb(0x3d6b57)
	t.Gold, t.GoldWord, t.Chip = rgb(0xffee70), rgb(0xffee70), rgb(0xffee70)
	t.Kill, t.KillWord = rgb(0xe3c8ff), rgb(0xe3c8ff)
	t.Bar.Player, t.Bar.Banker, t.Bar.Tie = rgb(0x0d2344), rgb(0x402000), rgb(0x1d3229)
	t.Bar.PlayerEdge, t.Bar.BankerEdge, t.Bar.TieEdge = t.Player, t.Banker, t.Tie
	return t
}

// highContrast returns the dark theme on black, with everything that carries meaning
// brighter, for tired eyes and washed-out panels.
func highContrast() Theme {
	t := dark()
	t.Name = "high-contrast"
	t.Ground, t.Panel, t.Grid = rgb(0x000000), rgb(0x000000), rgb(0x000000)
	t.GridLine, t.Border = rgb(0x2c3947), rgb(0x8296aa)
	t.Text, t.Muted = rgb(0xffffff), rgb(0xd5dfe9)
	t.Player, t.Banker, t.Tie = rgb(0x6cb2ff), rgb(0xff7070), rgb(0x45e0a0)
	t.Bar.Betting, t.Bar.Rest, t.Bar.Edge, t.Bar.Closed = rgb(0x1c3046), rgb(0x000000), rgb(0xa9bccf), rgb(0x24282d)
	t.Bar.Player, t.Bar.Banker, t.Bar.Tie = rgb(0x0a1e3d), rgb(0x330a0e), rgb(0x07261b)
	t.Bar.PlayerEdge, t.Bar.BankerEdge, t.Bar.TieEdge = t.Player, t.Banker, t.Tie
	t.Bar.TextOver = rgb(0xffffff)
	return t
}

// swatch is one colour of the board.
type swatch struct {
	name string
	col  color.NRGBA
}

// swatches returns the theme's colours, four rows of six.
func (t *Theme) swatches() []swatch {
	b := &t.Bar
	return []swatch{
		{"player", t.Player}, {"banker", t.Banker}, {"tie", t.Tie},
		{"gold", t.Gold}, {"kill", t.Kill}, {"text", t.Text},
		{"player bead", t.PlayerBead}, {"banker bead", t.BankerBead}, {"tie bead", t.TieBead},
		{"white", t.White}, {"amber", t.Amber}, {"red", t.Red},
		{"player bar", b.Player}, {"banker bar", b.Banker}, {"tie bar", b.Tie},
		{"betting bar", b.Betting}, {"rest bar", b.Rest}, {"closed bar", b.Closed},
		{"ground", t.Ground}, {"panel", t.Panel}, {"grid", t.Grid},
		{"grid line", t.GridLine}, {"border", t.Border}, {"muted", t.Muted},
	}
}
