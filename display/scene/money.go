package scene

import (
	"fmt"
	"strconv"
)

// money writes cents as "$1,000", with cents only where there are some.
func money(cents int) string { return "$" + amount(cents) }

// amount writes cents as "1,000".
func amount(cents int) string {
	if cents < 0 {
		return "-" + amount(-cents)
	}
	s := strconv.Itoa(cents / 100)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	if rest := cents % 100; rest != 0 {
		s += fmt.Sprintf(".%02d", rest)
	}
	return s
}

// percent writes tenths of a percent with their one decimal. The whole has none: on
// the first hand of every shoe it stands beside a count, and 1 100.0 reads as one figure.
func percent(tenths int) string {
	if tenths == 1000 {
		return "100"
	}
	return fmt.Sprintf("%d.%d", tenths/10, tenths%10)
}
