// Package console knows what the dealer keys: presses in, commands out, and what the
// dealer's echo shows. It is the grammar of keying: what is pending, what a hold means,
// which question waits for an answer.
//
// Words: a press is one key going down or up; a tap is a short one, a hold a long
// one; a proposal is a composed hand that is not recorded; a question waits for OK
// or CLEAR; a fix is a recorded hand opened for correction; a note is a message
// that covers the echo for a moment.
//
// The state table of the grammar is data, in grammar.go: a row for each state, a column
// for each key, and the action that the key has there. Everything else is one small
// function for each action. A press runs straight through: Press (which key), act (what
// it means here), the action's function, Out.
//
// A caller may assume: nothing is ever recorded without an OK (or, with confirm off,
// the release of a result key) on what had been shown; every press either acts or
// is refused with a reason; every state is left by CLEAR or by time. The caller
// brings the time, calls Tick when Next says, and makes the commands that come out
// into events. A Console is a value: a copy is a snapshot.
package console
