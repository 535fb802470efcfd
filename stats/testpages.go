package stats

import "slices"

// KeypadTest is the Board.Test of the technician's page for the keypad. It is no
// page of the screen's own test: keys are not stepped through.
const KeypadTest = "keypad"

// testPages are the pages of the screen test in the order in which a technician
// steps through them: how the panel stands, its colours and pixels, then two pages
// a language with everything that the board says in it.
var testPages = [...]string{
	"pattern", "rotation", "overscan", "grid", "colours",
	"white", "black", "red", "green", "blue",
	"phases-en", "labels-en", "phases-zh-Hant", "labels-zh-Hant", "phases-zh-Hans", "labels-zh-Hans",
	"phases-vi", "labels-vi", "phases-ko", "labels-ko", "phases-es", "labels-es", "phases-tl", "labels-tl",
}

// TestPages returns the names of the technician's screen pages in their order.
// Board.Test takes one of them, or KeypadTest.
func TestPages() []string { return slices.Clone(testPages[:]) }
