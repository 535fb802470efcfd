// Package keycaps knows where the keys of a keypad are, and what is written on them in a
// game, for drawings and texts.
package keycaps

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"shoeboard/tracker/console"
	"shoeboard/tracker/game"
)

// Place is where a key lies on a keypad and how large it is, in keys.
type Place struct {
	Pos        string // as in a keymap
	X, Y, W, H float64
}

// numpadPlaces are the keys of a numeric pad. The row above is that of pads with 22
// keys, on which it lies in different orders: its labels are cut out one by one.
var numpadPlaces = []Place{
	{"ESC", 0, -1.5, 1, 1}, {"TAB", 1, -1.5, 1, 1}, {"KPEQUAL", 2, -1.5, 1, 1}, {"BACKSPACE", 3, -1.5, 1, 1},
	{"NUMLOCK", 0, 0, 1, 1}, {"KPSLASH", 1, 0, 1, 1}, {"KPASTERISK", 2, 0, 1, 1}, {"KPMINUS", 3, 0, 1, 1},
	{"KP7", 0, 1, 1, 1}, {"KP8", 1, 1, 1, 1}, {"KP9", 2, 1, 1, 1}, {"KPPLUS", 3, 1, 1, 2},
	{"KP4", 0, 2, 1, 1}, {"KP5", 1, 2, 1, 1}, {"KP6", 2, 2, 1, 1},
	{"KP1", 0, 3, 1, 1}, {"KP2", 1, 3, 1, 1}, {"KP3", 2, 3, 1, 1}, {"KPENTER", 3, 3, 1, 2},
	{"KP0", 0, 4, 2, 1}, {"KPDOT", 2, 4, 1, 1},
}

var crossing = regexp.MustCompile(`^r([1-8])c([1-8])$`)

// Places returns where the keys of a map lie: on a matrix by rows and columns, on a numeric
// pad as it is, and all others in rows of four below. Keys of a numeric pad that the map
// leaves out are included, without a function.
func Places(m console.Map) []Place {
	var places []Place
	for pos := range m {
		if rc := crossing.FindStringSubmatch(pos); rc != nil {
			row, _ := strconv.Atoi(rc[1])
			column, _ := strconv.Atoi(rc[2])
			places = append(places, Place{pos, float64(column - 1), float64(row - 1), 1, 1})
		}
	}
	if slices.ContainsFunc(numpadPlaces, func(p Place) bool { _, there := m[p.Pos]; return there }) {
		places = append(places, ofNumpad(m)...)
	}
	slices.SortFunc(places, func(a, b Place) int { return cmp.Or(cmp.Compare(a.Y, b.Y), cmp.Compare(a.X, b.X)) })
	return append(places, loose(m, places)...)
}

// ofNumpad returns the keys of a numeric pad, the upper row only where the map has it.
func ofNumpad(m console.Map) (places []Place) {
	for _, p := range numpadPlaces {
		if _, there := m[p.Pos]; there || p.Y >= 0 {
			places = append(places, p)
		}
	}
	return places
}

// loose places the keys of a map that have no place of their own.
func loose(m console.Map, placed []Place) (places []Place) {
	below := 0.0
	for _, p := range placed {
		below = max(below, p.Y+p.H+0.5)
	}
	for _, pos := range slices.Sorted(maps.Keys(m)) {
		if !slices.ContainsFunc(placed, func(p Place) bool { return p.Pos == pos }) {
			n := len(places)
			places = append(places, Place{pos, float64(n % 4), below + float64(n/4), 1, 1})
		}
	}
	return places
}

// onCaps are the words on a keycap, by lines, where they differ from the key's name.
var onCaps = map[console.Key][]string{
	console.KeyBankerNatural: {"BANKER", "NATURAL"}, console.KeyPlayerNatural: {"PLAYER", "NATURAL"},
	console.KeyBothNatural: {"BOTH", "NATURAL"}, console.KeyBankerPair: {"BANKER", "PAIR"},
	console.KeyPlayerPair: {"PLAYER", "PAIR"}, console.KeyFree: {"FREE", "HAND"}, console.KeyCut: {"CUT", "CARD"},
	console.KeyThird: {"THREE", "CARDS"}, console.KeyOKBets: {"OK", "BETS"},
	console.KeyNewShoe: {"NEW", "SHOE"}, console.KeyFix: {"FIX", "LAST"}, console.KeyPlDealer: {"PLAYER-", "DEALER"},
}

// Words returns the words on a keycap for a key of the dealer's, by lines; none for a key
// that does nothing in this game.
func Words(p *game.Pack, k console.Key, bet string) []string {
	pair := k == console.KeyPair || k == console.KeyBankerPair || k == console.KeyPlayerPair
	switch words, ok := onCaps[k]; {
	case k == "" || k == console.KeyTotal || pair && !p.PairMarks: // a total's word is the digit
		return nil
	case k == console.KeyBonus && bet == "":
		return nil
	case k == console.KeyBonus:
		return bonusWords(bet)
	case ok:
		return words
	}
	return []string{string(k)}
}

// bonusWords returns a bet by its id, as on the echo: "DRAGON 7" in one line or two.
func bonusWords(bet string) []string {
	words := strings.Split(strings.ToUpper(bet), "-")
	if len(bet) <= 8 || len(words) < 2 {
		return []string{strings.Join(words, " ")}
	}
	return []string{words[0], strings.Join(words[1:], " ")}
}

// Name returns what a key does, in one line of text: "BETS, 1 s: PAUSE".
func Name(p *game.Pack, b console.Binding) string {
	tap := strings.Join(Words(p, b.Tap, b.Bet), " ")
	if b.Tap == console.KeyTotal {
		tap = "TOTAL " + b.Digit
	}
	hold := strings.Join(Words(p, b.Hold, b.Bet), " ")
	if hold != "" {
		hold = Seconds(b.After) + ": " + hold
	}
	if tap != "" && hold != "" {
		return tap + ", " + hold
	}
	return tap + hold
}

// Seconds returns a time as a keycap has it: "1 s", "1.5 s".
func Seconds(d time.Duration) string {
	return strconv.FormatFloat(d.Seconds(), 'f', -1, 64) + " s"
}
