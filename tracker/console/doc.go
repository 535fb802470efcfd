// Package console knows what the dealer meant: presses in, commands out, and what
// stands on the dealer's echo. It is the grammar of keying: what is pending, what
// a hold means, which question waits for an answer.
//
// Words: a press is one key going down or up; a tap is a short one, a hold a long
// one; a proposal is a composed hand that is not recorded; a question waits for OK
// or CLEAR; a fix is a recorded hand opened for correction; a note is a message
// that covers the echo for a moment; an errand is what the technician's menu asks of
// the world, and an answer what comes back.
//
// The state table of the grammar stands in table.go as data: a row for each state,
// a column for each key, and what the key does there. Everything else here is one
// small function for each word in that table. The pages of the technician's menu are
// data as well, in menu.go.
//
// A caller may assume: nothing is ever recorded but by an OK (or, with confirm off,
// the release of a result key) on what had been shown; every press either acts or
// is refused with a reason; every state is left by CLEAR or by time; the menu records nothing but that
// somebody has seen a fault, and nothing is done for it but by an OK. The caller
// brings the time, calls Tick when Next says, and makes the commands that come out
// into events. A Console is a value: a copy is a snapshot.
package console
