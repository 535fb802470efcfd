// Package tracker holds the rules of the table as two pure functions.
//
// Decide says whether a command is allowed and which facts follow from it; Apply
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
// A fault of the unit stays in the State until it has ended and somebody has
// acknowledged it; how many are kept, and how long they are, is bounded.
//
// # What a newer program has written
//
// These rules are for ever. Replay never judges: a recorded pack, hand or fact is what it
// was when it was recorded, whatever Decide, ParseToken or game.Load would say of it
// today. What a program does not know of a record it leaves out and says so
// (newerError, game.Pack.Unknown); it never computes something else in its place:
//
//   - An event of an unknown kind with "aside":true is passed over and counted
//     (State.Skipped). Without it the event does not fold.
//   - A field of a record, an event or a checkpoint that is not known is passed over. So
//     what a figure or the phase depends on is never a new field, nor a new value of an
//     old one: it is a new kind of event, or for a checkpoint a new version.
//   - A version above the own one is not read.
//   - A token that cannot be read does not fold. Only the flags of a pack that is not
//     understood whole are kept as they are (Hand.More).
//   - In a rule pack it is game.Parse that decides: see the package game.
//
// Kinds, fields and their words are added, never renamed or given another meaning. What
// is new and may be missing means in an old record what the program did then.
//
// A caller may assume that a State is never changed in place: Apply copies what
// it changes, so an older State stays true. A caller may not assume that a
// Command is allowed: only the events that Decide returned may be applied.
package tracker
