// Package evdev is the USB numeric pad or programmable keypad as the Linux input layer shows
// it (/dev/input/event*).
//
// Words: a node is one event device; a Match says which pad is meant (maker, model, name,
// and the port it is plugged into); a pad is enrolled when its Match is in the
// configuration; a candidate is a pad of the enrolled model in another port, which has no
// effect until it is accepted.
//
// A caller may assume, beyond what hw promises of every Source: the pad is grabbed, so that
// no key of it reaches a console or a desktop; kernel auto-repeat and NumLock are never sent
// (some pads wrap each key in NumLock presses); a key has the same name whatever NumLock
// says ("KP7", never "HOME"); a key that was already down when the pad came, or when events
// were lost, is not sent until it was released; a key that the kernel releases because the
// pad is unplugged is not sent as up; foreign keyboards and badge readers are named once and
// left alone, and Left is sent when the last of them has gone. A pad that comes back, in the
// enrolled port or the accepted one, works again by itself.
//
// A caller may not assume that a pad is there: if none is, Went is sent at the start.
package evdev
