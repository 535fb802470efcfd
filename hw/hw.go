// Package hw says what a device at the table may tell the program, and what a
// Source promises.
//
// Words: a Source is one device (a key matrix, a USB pad, a card-reading shoe).
// It owns one goroutine. It tells of Presses (a key position went down or up),
// of CardSeen, HandSeen and ShoeSeen (what a shoe saw), and of Notices (the device
// came, went, lost events, or has a fault).
//
// A caller may assume of every Source: it numbers its events without gaps from
// 1; times are of the boot-time clock and never go back; it debounces; it never
// guesses a level after an error (it says so with a Notice instead); it never
// blocks the table for longer than the channel is full; when its context ends
// it stops, closes its device and returns. A caller may not assume that an up
// follows every down: after Lost, Went or Faulty no key is held, and after Stuck
// the key's up only says that the fault has ended.
//
// hw knows key positions and playing cards, never a game: which key a position is
// stands in the key map of the configuration, and what cards come to in the rules.
package hw

import (
	"context"
	"time"
)

// Event is one thing that a Source tells: a Press, a Notice, or one of a shoe's.
type Event interface{ event() }

// Press is one debounced movement of one key.
type Press struct {
	Source string        // the device's name from the configuration, "pad-1"
	Pos    string        // the key's position: "KP7" on an evdev pad, "r2c3" on a matrix
	Down   bool          // true going down, false going up
	Seq    uint64        // number of this event in its source, from 1
	At     time.Duration // boot-time clock (CLOCK_BOOTTIME) when it happened
}

// Change says what became of a source.
type Change uint8

// The changes that a source tells of.
const (
	Came    Change = iota + 1 // the device is there and works
	Went                      // the device is gone; nothing is held any more
	Lost                      // events were dropped (SYN_DROPPED, overrun); nothing is held any more
	Stuck                     // key Pos has been down too long and is ignored until it is let go
	Faulty                    // the device answers wrongly, Text says how; nothing is held any more
	Unknown                   // a device is there that is not enrolled; Text describes it
	Left                      // no device is there any more that Unknown told of
	Ghost                     // keys are down together that cannot be told apart; the new ones are not told
)

// Notice is news of a source itself. After Went, Lost and Faulty whoever holds a
// half-made entry must take it as unreliable.
type Notice struct {
	Source string
	Change Change
	Pos    string // the key: for Stuck the stuck one, for Unknown the one to hold to accept the device
	Text   string // one sentence for a technician
	Wired  bool   // for Went: it is wired to the unit, so that nobody at the table can plug it in
	Pad    bool   // for Unknown: to all that can be seen it is a keypad, which does nothing
	Seq    uint64
	At     time.Duration
}

func (Press) event()  {}
func (Notice) event() {}

// Source is a device that tells of itself until ctx ends. Run returns nil when
// ctx ended, or the error that no retry can mend (a wrong setting); a device that
// is missing or vanishes is not an error but a Notice.
type Source interface {
	Run(ctx context.Context, out chan<- Event) error
}
