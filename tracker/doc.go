// Package tracker holds the rules of the table as two pure functions.
//
// Decide says whether a wish is allowed and which facts follow from it; Apply
// folds a fact into a new State. The same events give the same State on every
// machine, for ever: nothing here reads a clock, a file or a setting. The game
// (its rule pack) and the settings in force are part of the State, put there by
// events; times come in with commands, timers live at the edge and come back as
// commands.
//
// Words: a hand is one round; a shoe is the list of its hands in deal order; a
// void has no number; a free hand is dealt without bets and marks the roads all
// the same. The record keeps a hand as its token, the form that a shoe file has
// (token.go), so a journal can be read by a dealer.
//
// A fault of the unit stands in the State until it has ended and somebody has
// acknowledged it; what is kept of faults is bounded.
//
// A caller may assume that a State is never changed in place: Apply copies what
// it changes, so an older State stays true. A caller may not assume that a
// Command is allowed: only the events that Decide returned may be applied.
package tracker
