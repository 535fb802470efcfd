package scene

import (
	"time"

	"shoeboard/stats"
)

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
