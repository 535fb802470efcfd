// Package hw defines the events of the devices at the table, and the promises of a Source.
//
// Words: a Source is one device (a key matrix, a USB pad, a card-reading shoe). It owns one
// goroutine. It sends Presses (a key position went down or up), CardSeen, HandSeen and
// ShoeSeen (reports of a shoe), and Notices (the device came, went, lost events, or has a
// fault).
//
// A caller may assume of every Source: it numbers its events without gaps from 1; times are
// of the boot-time clock and never go back; it debounces; it never guesses a level after an
// error (it sends a Notice instead); it never blocks the table for longer than the channel
// is full; when its context ends it stops, closes its device and returns. A caller may not
// assume that an up follows every down: after Lost, Went or Faulty no key is held, and after
// Stuck the key's up only means that the fault has ended.
//
// hw knows key positions and playing cards, never a game: the key map of the configuration
// gives a position its key, and the rules give cards their result.
package hw

import (
	"context"
	"time"
)

// Event is a Press, a Notice, or an event of a shoe.
type Event interface{ event() }

// Press is one debounced movement of one key.
type Press struct {
	Source string        // the device's name from the configuration, "pad-1"
	Pos    string        // the key's position: "KP7" on an evdev pad, "r2c3" on a matrix
	Down   bool          // true going down, false going up
	Seq    uint64        // number of this event in its source, from 1
	At     time.Duration // boot-time clock (CLOCK_BOOTTIME) when it happened
}

// Change is the kind of a Notice.
type Change uint8

// The changes of a source.
const (
	Came    Change = iota + 1 // the device is there and works
	Went                      // the device is gone; nothing is held any more
	Lost                      // events were dropped (SYN_DROPPED, overrun); nothing is held any more
	Stuck                     // key Pos has been down too long and is ignored until it is let go
	Faulty                    // the device answers wrongly, Text says how; nothing is held any more
	Unknown                   // a device is there that is not enrolled; Text describes it
	Left                      // the last device that Unknown named has gone
	Ghost                     // keys are down together that cannot be told apart; new ones are not sent
)

// Notice is news of a source itself. After Went, Lost and Faulty a half-made entry is
// unreliable.
type Notice struct {
	Source string
	Change Change
	Pos    string // for Stuck: the key
	Text   string // one sentence for a technician
	Wired  bool   // for Went: it is wired to the unit, so that nobody at the table can plug it in
	Pad    bool   // for Unknown: it looks like a keypad
	Seq    uint64
	At     time.Duration
}

func (Press) event()  {}
func (Notice) event() {}

// Source is a device that sends its events until ctx ends. Run returns nil when ctx ended, or
// an error that no retry can mend (a wrong setting); a device that is missing or vanishes is
// no error but a Notice.
type Source interface {
	Run(ctx context.Context, out chan<- Event) error
}
