// Package table is the one owner of the table's state: the one goroutine that may
// change anything. press.md beside this file follows one press from the key to the pixel,
// with the functions that it runs.
//
// Words: an event is what the table hears, from a device, the clock, the writer or a
// maintenance task; its effects are what has to be done after it. A decision that waits is
// pending; its record is in flight on the way to disk, and committed once it is there. The
// indicators are the dealer's own devices: echo, lamps, countdown.
//
// Engine is the table's logic without goroutine, file or clock: Handle takes one event and
// returns its effects, so that a caller may drive it step by step, as replay and the tests
// do. Loop runs it for a unit.
//
// While a record is in flight keys are taken and echoed; SAVING shows after 1 s; nothing is
// acknowledged. A record that fails is tried again with the same event id, so that it is
// never doubled; the echo says NOT RECORDING until it is on disk.
//
// A fault (hw.Notice, SetFault) is on the board at once. It is recorded when nothing else
// waits, and never while something is being keyed (faults.go).
//
// A card-reading shoe comes in by the same channel. What it has read for certain becomes
// the proposal on the echo, as if it had been keyed, and goes the same way once the
// dealer says OK; what differs from the keys is asked about, what is doubtful is left to
// be keyed, and nothing of it disturbs what is being keyed, fixed or asked (shoeinput.go).
package table
