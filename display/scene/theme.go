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
