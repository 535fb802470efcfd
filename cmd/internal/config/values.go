package config

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// dollars is an amount as a person writes it, 2.50 or 40. Its use is cents.
type dollars float64

// maxDollars is far over any limit of a table and far under what a float counts exactly.
const maxDollars = 10_000_000

// cents returns the amount in cents.
func (d dollars) cents() int { return int(math.Round(float64(d) * 100)) }

// sound reports whether the amount is not negative and has no part of a cent.
func (d dollars) sound() bool {
	cents := float64(d) * 100
	return d >= 0 && d <= maxDollars && math.Abs(cents-math.Round(cents)) < 1e-6
}

// String returns the amount with two decimals, as a file may have it.
func (d dollars) String() string { return strconv.FormatFloat(float64(d), 'f', 2, 64) }

// USBID is the id of a maker or a model of USB devices; 0 is any.
type USBID uint16

// UnmarshalText reads the four hexadecimal digits that lsusb prints.
func (id *USBID) UnmarshalText(text []byte) error {
	v, err := strconv.ParseUint(strings.TrimPrefix(string(text), "0x"), 16, 16)
	if err != nil {
		return errors.New("expected four hexadecimal digits in quotes, as lsusb prints them: \"04d9\"")
	}
	*id = USBID(v)
	return nil
}

// String returns the id as lsusb prints it, empty for any.
func (id USBID) String() string {
	if id == 0 {
		return ""
	}
	return fmt.Sprintf("%04x", uint16(id))
}

// Size is the size of a picture in pixels; the zero Size is that of the monitor.
type Size struct{ Width, Height int }

// UnmarshalText reads "1920x1080" or "auto". The least sides are those of the
// smallest screen that the board is laid out for, 800x480 in either direction.
func (s *Size) UnmarshalText(text []byte) error {
	if string(text) == "auto" {
		*s = Size{}
		return nil
	}
	w, h, ok := pair(text)
	if !ok || min(w, h) < 480 || max(w, h) < 800 || max(w, h) > 8192 {
		return errors.New("expected \"auto\" or a size from \"800x480\" to \"8192x8192\" such as \"1920x1080\"")
	}
	*s = Size{w, h}
	return nil
}

// String returns the size as a file has it.
func (s Size) String() string {
	if s == (Size{}) {
		return "auto"
	}
	return fmt.Sprintf("%dx%d", s.Width, s.Height)
}

// grid is the number of rows and columns of keys; the zero Grid is none.
type grid struct{ Rows, Columns int }

// UnmarshalText reads "5x4", five rows of four keys. Eight is what an expander has.
func (g *grid) UnmarshalText(text []byte) error {
	r, c, ok := pair(text)
	if !ok || min(r, c) < 1 || max(r, c) > 8 {
		return errors.New("expected rows and columns from \"1x1\" to \"8x8\" such as \"5x4\"")
	}
	*g = grid{r, c}
	return nil
}

// String returns the grid as a file has it, empty for none.
func (g grid) String() string {
	if g == (grid{}) {
		return ""
	}
	return fmt.Sprintf("%dx%d", g.Rows, g.Columns)
}

// pair reads two whole numbers such as "5x4".
func pair(text []byte) (a, b int, ok bool) {
	first, second, _ := strings.Cut(string(text), "x")
	a, err1 := strconv.Atoi(first)
	b, err2 := strconv.Atoi(second)
	return a, b, err1 == nil && err2 == nil
}
