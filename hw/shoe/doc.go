// Package shoe is the card-reading shoe: what it sends, and the hands that follow
// from it.
//
// Words: a line is what the shoe hangs on (a serial port, a TCP converter, a
// recording); a frame is one report; a decoder makes events of the bytes of one
// protocol; the assembler makes hands of events. The protocols are TSP1 (our own and
// open, TSP1.md), that of the Angel Eye II as it was observed (unofficial), and plain
// lines of cards. A hand is certain when nothing speaks against it, else doubtful,
// and says why. A recording is what came over a line, with its times; a capture is that
// in whatever form somebody kept it.
//
// A caller may assume, beyond what hw promises of every Source: a frame counts once,
// however often it comes; a damaged frame counts for nothing; a certain hand is whole,
// was read without a gap, obeys the rules it was given, and is what the shoe itself
// says it is, if it says so; everything else that looks like a hand is told as
// doubtful, so that the dealer is asked. A hand begins with Player's first card, never
// by time. A card that lies face down is told by nobody; in a game that deals face down
// not even a face that the shoe knows, before the shoe says that it was turned. A shoe
// that loses its power has a new shoe only after the cut card; the hand in which it lost
// it is none, and the one after it is doubtful. After the line was down every hand is
// doubtful until Align or a new shoe. What comes first over a line that was opened may be
// a repetition, and is told as late. To a shoe that does not speak TSP1 nothing is ever sent.
//
// A caller may not assume that a hand which the shoe saw was dealt for bets, or that
// no hand is missing before the first one after the start of the program. From lines
// of cards no hand is certain.
package shoe
