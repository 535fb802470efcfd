// Package evdev is the USB numeric pad or programmable keypad as the Linux input layer shows
// it (/dev/input/event*).
//
// Words: a node is one event device; a Match says which pad is meant (maker, model, name,
// and the port it is plugged into); a pad is enrolled when its Match is in the
// configuration; a stand-in is another numeric pad, which works while the enrolled one is
// missing.
//
// A caller may assume, beyond what hw promises of every Source: the pad is grabbed, so that
// no key of it reaches a console or a desktop; kernel auto-repeat and NumLock are never sent
// (some pads wrap each key in NumLock presses); a key has the same name whatever NumLock
// says ("KP7", never "HOME"); a key that was already down when the pad came, or when events
// were lost, is not sent until it was released; a key that the kernel releases because the
// pad is unplugged is not sent as up; foreign keyboards and badge readers are named once and
// left alone, and Left is sent when the last of them has gone. While the enrolled pad is
// missing any numeric pad stands in at once, with Unknown as a standing notice, and gives way
// when it is back; a reader or a keyboard never does.
//
// A caller may not assume that a pad is there: if none is, Went is sent at the start.
package evdev
