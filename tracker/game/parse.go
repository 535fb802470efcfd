package game

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"shoeboard/tracker/strict"
)

// maxBets is how many bets a BetSet can hold.
const maxBets = 32

// Parse reads a rule pack out of a record. It judges nothing: a pack that Load would
// refuse today is what it was when it was installed. What a newer program has put into
// it, and this one does not understand, is named in Unknown and left out with what
// depends on it, as the package's document says. The error says that nothing of it can
// be read.
func Parse(data []byte) (*Pack, error) {
	var f packFile
	var unknown []string
	if _, errs := strict.Decode("pack", data, &f); len(errs) > 0 {
		var err error
		if f, unknown, err = understood(data, errs); err != nil {
			return nil, fmt.Errorf("the pack cannot be read: %w", err)
		}
	}
	f.Pushes = slices.DeleteFunc(f.Pushes, func(p pushFile) bool {
		if sides[p.Side] != NoOutcome {
			return false
		}
		unknown = append(unknown, shortened(fmt.Sprintf("push.side = %q", p.Side)))
		return true
	})
	for len(f.Bets) > maxBets {
		unknown = append(unknown, fmt.Sprintf("bet[%d]", len(f.Bets)))
		f.Bets = f.Bets[:len(f.Bets)-1]
	}
	p := f.pack(data)
	p.Unknown = unknown
	p.play()
	return p, nil
}

// mostPlace bounds the text of a place, which a file may make as long as it likes.
const mostPlace = 60

func shortened(place string) string {
	if len(place) <= mostPlace {
		return place
	}
	return strings.ToValidUTF8(place[:mostPlace-3], "") + "..."
}

// drawingPlace is the drawing table or a place in it.
var drawingPlace = regexp.MustCompile(`^drawing\b`)

// placeInList is an element of one of the lists whose elements stand for themselves.
var placeInList = regexp.MustCompile(`^(bet|push)\[(\d+)\]`)

// understood reads a pack without the parts that have errors: a bet, a push, or all bets
// and the drawing table.
func understood(data []byte, errs strict.Errors) (f packFile, unknown []string, err error) {
	var tree map[string]any
	if err := toml.Unmarshal(data, &tree); err != nil {
		return f, nil, err
	}
	without := map[string]bool{} // places of lists, from 1
	for _, e := range errs {
		place := placeInList.FindString(e.Key)
		switch {
		case place != "":
			without[place] = true
		case e.Unknown, drawingPlace.MatchString(e.Key):
			delete(tree, "bet")
			delete(tree, "drawing")
		default:
			return f, nil, errs
		}
		unknown = append(unknown, shortened(e.Key))
	}
	for _, list := range []string{"bet", "push"} {
		if items, ok := tree[list].([]any); ok {
			n := 0
			tree[list] = slices.DeleteFunc(items, func(any) bool { n++; return without[list+"["+strconv.Itoa(n)+"]"] })
		}
	}
	text, err := toml.Marshal(tree)
	if err == nil {
		err = toml.Unmarshal(text, &f)
	}
	return f, unknown, err
}
