package table

import (
	"fmt"
	"strings"
)

// gameNewer is the fault that a newer program has written the rules of a shown game, and
// this one does not know all of them.
const gameNewer = "game-newer"

// mostPlaces is how many places of a pack the fault names.
const mostPlaces = 3

// tellNewer raises the fault of rules that are not known while they are those of a shoe on
// the board.
func (d *Desk) tellNewer() {
	shoe, previous := d.state.Shown()
	places := shoe.Unknown()
	if len(places) == 0 && previous != nil {
		places = previous.Unknown()
	}
	if len(places) == 0 {
		places = d.state.Shoe.Unknown()
	}
	if len(places) == 0 {
		d.endFault(gameNewer)
		return
	}
	text := strings.Join(places[:min(len(places), mostPlaces)], ", ")
	if n := len(places) - mostPlaces; n > 0 {
		text += fmt.Sprintf(" and %d more", n)
	}
	d.setFault(gameNewer, "The rules of the game are of a newer program. This one leaves out the bets that depend on "+text+": update this unit")
}
