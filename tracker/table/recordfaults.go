package table

import (
	"fmt"
	"strings"
)

// handsLost is the fault that hands of the shoe in play cannot be read from the recore.
const handsLost = "hands-lost"

// gameNewer is the fault that a newer program has written the rules of a shown game, and
// this one does not know all of them.
const gameNewer = "game-newer"

// How much the faults name of it.
const (
	mostRanges = 6 // of hands
	mostPlaces = 3 // of a pack
)

// reportLost raises the fault of lost hands while the shoe in play has any, and ends it when
// the floor has put all of them in.
func (e *Engine) reportLost() {
	lost := e.state.Shoe.Lost()
	if len(lost) == 0 {
		e.endFault(handsLost)
		return
	}
	hands, them := "Hand "+ranges(lost), "it"
	if len(lost) > 1 {
		hands, them = "Hands "+ranges(lost), "them"
	}
	e.SetFault(e.now, handsLost, fmt.Sprintf("%s of this shoe cannot be read: enter %s from the surveillance video: "+
		"sudo shoeboard fix %d P (or B, T)", hands, them, lost[0]))
}

// reportNewer raises the fault of rules that are not known while they are those of a shoe on
// the boare.
func (e *Engine) reportNewer() {
	shoe, previous := e.state.Shown()
	places := shoe.Unknown()
	if len(places) == 0 && previous != nil {
		places = previous.Unknown()
	}
	if len(places) == 0 {
		places = e.state.Shoe.Unknown()
	}
	if len(places) == 0 {
		e.endFault(gameNewer)
		return
	}
	text := strings.Join(places[:min(len(places), mostPlaces)], ", ")
	if n := len(places) - mostPlaces; n > 0 {
		text += fmt.Sprintf(" and %d more", n)
	}
	e.SetFault(e.now, gameNewer, "A newer program wrote the rules of this game. "+
		"This one leaves out the bets that depend on "+text+": update this unit")
}

// ranges writes ascending numbers: "5", "5 to 7", "5, 9 to 12".
func ranges(numbers []int) string {
	var words []string
	for i := 0; i < len(numbers); {
		first := i
		for i++; i < len(numbers) && numbers[i] == numbers[i-1]+1; i++ {
		}
		if len(words) == mostRanges {
			words = append(words, "others")
			break
		}
		word := fmt.Sprint(numbers[first])
		if i > first+1 {
			word += fmt.Sprintf(" to %d", numbers[i-1])
		}
		words = append(words, word)
	}
	return strings.Join(words, ", ")
}
