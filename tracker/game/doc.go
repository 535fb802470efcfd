// Package game is the rules of one baccarat game as data: who draws, who wins,
// which bets there are and what they pay.
//
// Words: a side is Player or Banker; an outcome is Player, Banker or Tie; a
// total is the points of a side's cards modulo ten; a natural is a total of 8 or
// 9 on two cards; a bet is a tracked wager with conditions on which it wins; a
// push returns a bet; a Pack is everything that a venue's approval fixes, read
// from a file by Load; a Result is what became of one hand: an outcome, the
// naturals and pairs, perhaps totals, and the set of bets that won.
//
// # Packs in records
//
// A pack is checked once, by Load: when it is written and when it is installed. In a
// record it is read by Parse, which judges nothing. These rules are for ever: what a
// newer program has put into a pack and this one does not understand is named in
// Pack.Unknown and left out with what depends on it.
//
//   - The table "aside" holds what no figure depends on. A program passes over what it
//     does not know there; every other new key counts.
//   - A key that it does not know, or a value that it cannot read, in a [[bet]]: that
//     bet. In a [[push]]: that push.
//   - In the drawing table, or a key that it does not know anywhere else: all bets, and
//     the drawing table. Who won, naturals and pairs are known all the same, and every
//     hand is allowed.
//   - A value of another key that it cannot read: the whole pack. Parse fails.
//
// A key that is missing means what a program without that key did.
//
// A caller may assume of a Pack: it never changes after Load, so that any number
// of goroutines may read it; every bet of a pack from Load can win and can lose; everything
// about which results can come (naturals against three-card bonuses, Ox 6
// against Kill, the 205 of 400 combinations of totals) is derived from its
// drawing table and its conditions by playing every kind of hand once at
// loading, and nothing is written by hand; the functions that take a Result do
// not allocate unless they return an error. Errors are sentences for the dealer,
// or, from Load, for the technician.
//
// A caller may not assume that totals or pairs of a Result are known (Known says
// it for totals; a pair that is false may just not have been keyed), nor that
// bets are the same in two packs at the same place of a BetSet.
package game
