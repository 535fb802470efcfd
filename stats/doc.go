// Package stats computes everything that the public sees from the hands of a
// shoe: counts, shares, naturals, hands per shoe, the previous shoe, hands since
// each bonus, the roads. Nothing here is ever stored or subtracted: a Board is
// folded again from the list of hands after each record.
//
// Board is the one contract between the core, the screen, the socket and the
// tests. A caller may assume that a Board is complete: a screen needs nothing
// else, and that it holds no card that is not turned. A caller may not change a
// Board it was given, for parts of it are shared.
package stats
