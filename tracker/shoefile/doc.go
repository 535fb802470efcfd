// Package shoefile reads shoes as text that a dealer could read, and plays them.
// It is the form of tests, of replay and of bug reports.
//
//	# a comment, to the end of the line
//	game dai-bacc          the game from here on (before the first hand of a shoe)
//	decks 8                for the reader's information
//	shoe                   a new shoe
//	B P T B+tiger-7+kill   hands in deal order, any number on a line (tracker.ParseToken)
//	free P                 a free hand
//	fix 12 B               hand 12 was Banker; without a number the last hand
//	remove 12              takes hand 12 out; without a number the last
//	insert 12 T            puts a hand in as hand 12
//	floor fix 12 B D7      the floor's verbs fix, insert and remove, with the hand's number
//	void exposed card      the hand is void: misdeal (the default), exposed card, floor
//	bets                   opens bets, or closes them when they are open
//	pause                  pauses the game, or goes on
//	cut                    the cut card shows; again: this hand is the last; again: off
//	review on              freezes the board; review off releases it
//	key BANKER OK          presses by the name of the key or the digit on its cap;
//	                       CLEAR:1s is held, 3+OK are down together
//	set pace 150ms         from key to key; 760ms when it is not set
//	set bets close         how betting time is kept: off, close or timer
//	set confirm off        a result is recorded without OK; on: with it
//	set entry totals       digits are totals, PL_DEALER is "."; results: as usual
//	set dealer-fix 2       how many hands back a dealer may fix, 0 to 3
//	shoe-card P 9S         a card-reading shoe sees a card of the hand in play turned
//	shoe-hand 2S,4H/KD,2C,5S  it has read a whole hand
//	shoe-doubt a card was not read   it has read a hand that it is not sure of
//	shoe-cut               the cut card came out; shoe-new: a new shoe began;
//	                       shoe-void: the hand in play was called off
//	shoe-lost              it does not answer; shoe-back: it answers again
//	wait 18s               time passes
//	power-cut              the program dies and starts again with what is on disk
//	expect WORD VALUE      for tests: what must be so now (see expect.go)
//
// Parse is pure and total: every text is a File or an error with its line and
// what was expected. A Player plays a File on a table of its own, without files
// or clocks: time is the file's.
package shoefile
