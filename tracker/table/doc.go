// Package table is the one owner of the table's state: the one goroutine that may
// change anything.
//
// One press, from the channel to the board: run takes hw.Press from its channel;
// Desk.Input looks up what the position means and asks the console what the dealer
// meant; out comes a decision, a list of wishes; tracker.DecideAll says whether they
// are allowed and which facts follow; Desk.Work hands the record to the writer, a
// goroutine beside this one, which appends it to the journal (one write, one
// fdatasync) and says so; Desk.Saved folds the facts into the State, and only now is
// the hand acknowledged: the echo says SAVED, a new Board is published, and the
// finished shoe goes to the history, off this path.
//
// While a record is on its way keys are taken and echoed; SAVING shows after 1 s;
// nothing is acknowledged. A record that fails is tried again with the same event
// id, so that it is never doubled; the echo says NOT RECORDING until it is on disk.
//
// A fault (hw.Notice, SetFault) is on the board at once and is told to the record behind
// whatever a dealer has decided, and never while something is being keyed. It stands until
// it has ended and somebody has acknowledged it; until then it is one fault however often
// it comes and goes, and the record tells less and less of that (faults.go).
//
// A card-reading shoe comes in by the same channel. What it has read for certain becomes
// the proposal on the echo, as if it had been keyed, and goes the same way once the
// dealer says OK; what differs from the keys is asked about, what is doubtful is left to
// be keyed, and nothing of it disturbs what is being keyed, fixed or asked (feed.go).
//
// What the technician's menu asks of the world goes out as an errand, to a goroutine
// beside the loop that does one at a time, and its answer comes back as one more input
// (menu.go, menu_run.go). While it is asked whether the unit takes another's table over,
// nothing is launched: that record is not this unit's yet.
//
// Desk is that logic without goroutine, file or clock: a caller may drive it step
// by step, as replay and the tests do. Table wraps it for a unit.
package table
