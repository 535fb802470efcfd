package scene

import (
	"fmt"
	"strconv"
	"strings"
)

// What a golden file says of an op; and what only tests ask of a box.

// String returns the word used in goldens.
func (k Kind) String() string {
	names := [...]string{"rect", "disc", "ring", "line", "text", "image"}
	if int(k) < len(names) {
		return names[k]
	}
	return "kind" + strconv.Itoa(int(k))
}

// String returns the op as one line of a golden file. Lengths are rounded to
// a tenth of a pixel, so that the last bits of a float never fail a test.
func (o Op) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s %s,%s", o.Kind, o.Name, tenth(o.X), tenth(o.Y))
	switch o.Kind {
	case Text:
		o.writeText(&b)
	case Line:
		fmt.Fprintf(&b, " to %s,%s", tenth(o.X2), tenth(o.Y2))
	default:
		fmt.Fprintf(&b, " %sx%s", tenth(o.W), tenth(o.H))
	}
	o.writeStyle(&b)
	fmt.Fprintf(&b, " #%02x%02x%02x", o.Color.R, o.Color.G, o.Color.B)
	if o.Color.A != 255 {
		fmt.Fprintf(&b, "%02x", o.Color.A)
	}
	return b.String()
}

func (o Op) writeText(b *strings.Builder) {
	if o.Run == nil {
		b.WriteString(` ""`)
		return
	}
	fmt.Fprintf(b, " %q %s wide %s", o.Run.Text, o.Run.Style, tenth(o.Run.Advance))
}

func (o Op) writeStyle(b *strings.Builder) {
	if o.Radius != 0 {
		fmt.Fprintf(b, " radius %s", tenth(o.Radius))
	}
	if o.Corners != 0 {
		fmt.Fprintf(b, " corners %04b", o.Corners)
	}
	if o.Stroke != 0 {
		fmt.Fprintf(b, " stroke %s", tenth(o.Stroke))
	}
	if o.Round {
		b.WriteString(" round")
	}
	if o.Picture != nil {
		s := o.Picture.Bounds().Size()
		fmt.Fprintf(b, " of %dx%d", s.X, s.Y)
	}
}

// tenth writes v with at most one decimal, and never as "-0".
func tenth(v float32) string {
	s := strings.TrimSuffix(strconv.FormatFloat(float64(v), 'f', 1, 32), ".0")
	if s == "-0" {
		return "0"
	}
	return s
}

// String returns the style as it stands in a golden file: "24.5/700 tnum zh-Hant".
func (s Style) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s/%d", tenth(s.Size), s.weight())
	if s.Tabular {
		b.WriteString(" tnum")
	}
	if s.Tracking != 0 {
		fmt.Fprintf(&b, " track %g", s.Tracking)
	}
	if s.Lang != "" {
		b.WriteString(" " + string(s.Lang))
	}
	return b.String()
}

// Contains reports whether o lies wholly within b.
func (b Box) Contains(o Box) bool {
	return o.X0 >= b.X0 && o.Y0 >= b.Y0 && o.X1 <= b.X1 && o.Y1 <= b.Y1
}
