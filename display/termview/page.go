package termview

import (
	"strings"
	"unicode"
)

// ink is the ANSI parameters of a text; empty is the terminal's own.
type ink string

// Blue, red and green mean Player, Banker and Tie and nothing else.
const (
	normal    ink = ""
	strong    ink = "1"
	dim       ink = "2"
	newest    ink = "7" // over another
	blinking  ink = "5" // under another
	inkPlayer ink = "94"
	inkBanker ink = "91"
	inkTie    ink = "92"
	gold      ink = "1;93"
	alarm     ink = "1;30;103"
)

// over returns a second ink over the first.
func (k ink) over(l ink) ink {
	if k == "" || l == "" {
		return k + l
	}
	return k + ";" + l
}

// span is a text in one ink.
type span struct {
	ink  ink
	text string
}

// page collects lines.
type page struct {
	width  int
	colour bool
	text   strings.Builder
}

// line writes the spans one behind the other, cut at the page's edge.
func (p *page) line(spans ...span) {
	last := len(spans) - 1
	for last >= 0 && strings.TrimRight(spans[last].text, " ") == "" {
		last--
	}
	left := p.width
	for i, s := range spans[:last+1] {
		text := clip(clean(s.text), left)
		left -= columns(text)
		if i == last {
			text = strings.TrimRight(text, " ")
		}
		if p.colour && s.ink != normal && text != "" {
			text = "\x1b[" + string(s.ink) + "m" + text + "\x1b[0m"
		}
		p.text.WriteString(text)
	}
	p.text.WriteByte('\n')
}

// optional writes text, or no line if it is empty.
func (p *page) optional(k ink, text string) {
	if text != "" {
		p.line(span{k, text})
	}
}

// split writes left, and right so that it ends at the page's edge: on a line of its own
// if left is in its way.
func (p *page) split(left []span, right span) {
	used, wide := 0, columns(clean(right.text))
	for _, s := range left {
		used += columns(clean(s.text))
	}
	if wide > 0 && used+2+wide > p.width {
		p.line(left...)
		left, used = nil, 0
	}
	p.line(append(left, span{normal, strings.Repeat(" ", max(0, p.width-used-wide))}, right)...)
}

// wrap writes text over as many lines as it takes, the later ones indented.
func (p *page) wrap(k ink, text string) {
	line := ""
	for _, word := range strings.Fields(clean(text)) {
		switch {
		case line == "":
			line = word
		case columns(line)+1+columns(word) > p.width:
			p.line(span{k, line})
			line = "  " + word
		default:
			line += " " + word
		}
	}
	p.optional(k, line)
}

// clean returns s with everything that would command the terminal as "?".
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return '?'
	}, s)
}

// columns returns how many terminal columns s takes.
func columns(s string) int {
	n := 0
	for _, r := range s {
		n += runeColumns(r)
	}
	return n
}

// wide are the ranges of characters that take two columns (Unicode, East Asian Width).
var wide = [][2]rune{
	{0x1100, 0x115f}, {0x2e80, 0xa4cf}, {0xac00, 0xd7a3}, {0xf900, 0xfaff}, {0xfe30, 0xfe4f},
	{0xff00, 0xff60}, {0xffe0, 0xffe6}, {0x1f300, 0x1faff}, {0x20000, 0x3fffd},
}

func runeColumns(r rune) int {
	if unicode.In(r, unicode.Mn, unicode.Me) {
		return 0
	}
	for _, w := range wide {
		if r >= w[0] && r <= w[1] {
			return 2
		}
	}
	return 1
}

// clip returns s cut to n columns, with ~ where it was cut.
func clip(s string, n int) string {
	if columns(s) <= n {
		return s
	}
	if n <= 0 {
		return ""
	}
	end, used := 0, 0
	for i, r := range s {
		if used += runeColumns(r); used > n-1 {
			break
		}
		end = i + len(string(r))
	}
	return s[:end] + "~"
}

// join joins the texts that are not empty.
func join(between string, texts ...string) string {
	var filled []string
	for _, t := range texts {
		if t != "" {
			filled = append(filled, t)
		}
	}
	return strings.Join(filled, between)
}
