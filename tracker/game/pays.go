package game

import (
	"fmt"
	"strconv"
	"strings"
)

// Pays is what a winning bet is paid for one unit staked: To over One, "40 to 1"
// or "3 to 2". A bet that pays nothing to 1 gets its stake back: it pushes.
type Pays struct {
	To  uint16
	One uint16
}

// Push says that the stake is returned.
func (p Pays) Push() bool { return p.To == 0 }

// String is the pay in words, "40 to 1", or "push".
func (p Pays) String() string {
	if p.Push() {
		return "push"
	}
	return fmt.Sprintf("%d to %d", p.To, p.One)
}

// UnmarshalText reads "40", "3/2" or "push".
func (p *Pays) UnmarshalText(text []byte) error {
	to, one, fraction := strings.Cut(string(text), "/")
	if !fraction {
		one = "1"
	}
	if to == "push" && !fraction {
		*p = Pays{0, 1}
		return nil
	}
	a, errA := strconv.ParseUint(to, 10, 16)
	b, errB := strconv.ParseUint(one, 10, 16)
	if errA != nil || errB != nil || a == 0 || b == 0 {
		return fmt.Errorf(`expected what is paid to 1, such as "40" or "3/2", or "push"`)
	}
	*p = Pays{uint16(a), uint16(b)}
	return nil
}
