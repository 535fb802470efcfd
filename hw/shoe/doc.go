// Package shoe is the card-reading shoe: its reports, and the hands that follow from them.
//
// Words: a line is the connection of the shoe (a serial port, a TCP converter, a recording);
// a frame is one report; a decoder makes events of the bytes of one protocol; the assembler
// makes hands of events. The protocols are TSP1 (our own and open, TSP1.md), that of the
// Angel Eye II as it was observed (unofficial), and lines of cards. A hand is certain when
// nothing contradicts it, otherwise doubtful, with a reason. A recording has the bytes of a
// line with their times; a capture has them in any form that somebody kept.
//
// A caller may assume, beyond what hw promises of every Source: a frame counts once, however
// often it comes; a damaged frame is ignored; a certain hand is whole, was read without a
// gap, obeys the rules it was given, and agrees with the shoe's own result, if it sends one;
// everything else that looks like a hand is sent as doubtful, so that the dealer is asked. A
// hand begins with Player's first card, never by time. A card that lies face down is never
// sent; in a game that deals face down not even a face that the shoe knows, before the shoe
// reports that it was turned. A shoe that loses its power has a new shoe only after the cut
// card; the hand in which it lost it is no hand, and the one after it is doubtful. After the
// line was down every hand is doubtful until Align or a new shoe. The first events over a
// line that was opened may be repetitions, and are sent as late. Nothing is ever sent to a
// shoe that does not speak TSP1.
//
// A caller may not assume that a hand which the shoe saw was dealt for bets, or that no hand
// is missing before the first one after the start of the program. From lines of cards no
// hand is certain.
package shoe
