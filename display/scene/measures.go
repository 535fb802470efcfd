package scene

import "strings"

// measure is the least cap height of the texts whose names begin so, in units
// of a 27-inch panel with 1080 lines.
type measure struct {
	prefix string
	cap    float32
}

// measures are looked through in order; what no line names is at least 16 tall.
var measures = []measure{
	{"bar.phase", 70}, {"bar.second", 60}, {"bar.line", 32}, {"bar.countdown", 85},
	{"results.count", 28}, {"results.naturals", 28}, {"results.share", 28}, {"limits.figure", 28},
	{"results.label", 20}, {"limits.label", 20},
	{"collection.rate", 26},
	{"bead.letter", 17},
	{"caption", 12}, {"attract.staff", 12}, {"big.ties", 10}, {"attract.ties", 10}, {"previous.ties", 5},
	{"demo", 0}, {"corner", 12},
}

// leastOf is the least cap height of a named text, in units.
func leastOf(name string) float32 {
	for _, m := range measures {
		if strings.HasPrefix(name, m.prefix) {
			return m.cap
		}
	}
	return 16
}
