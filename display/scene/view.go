package scene

import (
	"image"
	"time"

	"shoeboard/stats"
)

// BeadStyle is what stands inside the beads.
type BeadStyle string

// The bead styles other than the usual letters, which are P, B and T in every language:
// Con and Cái share a C.
const (
	Characters BeadStyle = "characters" // 閒 莊 和
	Totals     BeadStyle = "totals"     // the winner's total where it is known, else the letter
)

// View is how and when a Board is looked at: everything but the Board that a
// picture depends on.
type View struct {
	W, H     int // pixels of the unrotated picture
	Rotation int // degrees clockwise by which it is turned afterwards; only a technician's page says it
	Theme    Theme
	Fonts    *Fonts
	First    *Catalogue // the language of the board
	Second   *Catalogue // shown beside it; nil: none

	Beads    BeadStyle
	Naturals bool // mark naturals with a dot
	BarTop   bool // landscape: the phase bar stands under the header

	Boot   string        // boot id of this process; a countdown of another boot is not shown
	Now    time.Duration // boot-time clock
	Wall   time.Time     // local time of the table
	Newest time.Duration // when the newest hand was first shown, on the boot-time clock; 0: long ago

	Waiting bool         // the screen has lost the core
	Corner  string       // small word in the corner: "DEMO" on a PNG; empty: none
	QR      *image.NRGBA // for the technician, on a closed table; nil: none
	House   *image.NRGBA // house picture for the attract pages; nil: none
}

// The rhythm of what changes by itself.
const (
	blinkHalf  = 350 * time.Millisecond // the newest mark is away, then back
	blinks     = 3
	flashHalf  = 700 * time.Millisecond // identify
	dealerHalf = 500 * time.Millisecond // the dealer's lines are bright, then dim
	attractOn  = 10 * time.Second       // a page stays so long
	attractIn  = 30 * time.Second       // in every so much time
)

// blinks reports whether what the dealer is asked for blinks: not for a core that is
// gone, whose word may stand for ever.
func (v *View) blinks(d *stats.Dealer) bool { return d.OnScreen && d.Blink && !v.Waiting }

// hidden reports whether the newest mark is away at this moment of its blinking.
func (v *View) hidden() bool {
	age := v.Now - v.Newest
	return v.Newest > 0 && age >= 0 && age < 2*blinks*blinkHalf && age/blinkHalf%2 == 0
}

// NextChange returns after how long the picture of this board changes by
// itself: the countdown's next second, the clock's next minute, the newest
// mark's blinking, that of the dealer's lines, the flash of identify, the next attract page. It returns
// false when it stays as it is until another Board comes.
func NextChange(b *stats.Board, v View) (time.Duration, bool) {
	next, ok := time.Duration(0), false
	at := func(after time.Duration) {
		if after > 0 && (!ok || after < next) {
			next, ok = after, true
		}
	}
	if b.Test != "" {
		return 0, false
	}
	if b.Identify {
		return flashHalf - v.Now%flashHalf, true
	}
	if b.Menu != nil {
		return 0, false
	}
	if b.ClockTrusted {
		at(v.nextMinute())
	}
	if left, runs := v.left(b.Countdown); runs && left > 0 && b.Bar.Kind == stats.BarPlaceBets {
		at((left-1)%time.Second + 1)
	}
	if age := v.Now - v.Newest; v.Newest > 0 && age >= 0 && age < 2*blinks*blinkHalf {
		at(blinkHalf - age%blinkHalf)
	}
	if v.blinks(&b.Dealer) {
		at(dealerHalf - v.Now%dealerHalf)
	}
	if b.Attract.On {
		at(attractOn - v.Now%attractIn)
		at(attractIn - v.Now%attractIn)
	}
	return next, ok
}
