// Package console holds the grammar of keying: presses in, commands out, and what the
// dealer's echo shows.
//
// Words: a press is one key going down or up; a tap is a short one, a hold a long one; a
// proposal is a composed hand that is not recorded; a question waits for OK or CLEAR; a
// fix is a recorded hand opened for correction; a note covers the echo for a moment.
//
// The state table is data, in grammar.go; everything else is one small function for each
// action. A press runs through Press (which key), act (what it means here) and the
// action's function, to Out.
//
// A caller may assume: nothing is ever recorded without an OK (or, with confirm off, the
// release of a result key) on what had been shown; every press either acts or is refused
// with a reason; every state is left by CLEAR or by time. The caller brings the time, calls
// Tick when Next says, and decides the commands. A Console is a value: a copy is a snapshot.
package console
