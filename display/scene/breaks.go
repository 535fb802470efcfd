package scene

import (
	"strings"
	"unicode"
)

// broken sets text in lines no wider than width. Lines end at spaces, and
// between any two ideographs; a word that is too wide for a line of its own is
// broken where it must.
func (d *drawing) broken(s set, text string, width float32) []*Run {
	l := d.words.first.Lang
	var out []*Run
	line := ""
	for _, word := range breakable(text) {
		if try := line + word; d.shape(s, strings.TrimSpace(try), l).Advance <= width {
			line = try
			continue
		}
		if t := strings.TrimSpace(line); t != "" {
			out = append(out, d.shape(s, t, l))
		}
		line = word
		for d.shape(s, strings.TrimSpace(line), l).Advance > width && len([]rune(line)) > 1 {
			head, tail := d.split(s, line, l, width)
			out = append(out, d.shape(s, head, l))
			line = tail
		}
	}
	if t := strings.TrimSpace(line); t != "" {
		out = append(out, d.shape(s, t, l))
	}
	return out
}

// split cuts off as many characters as fit into width, at least one.
func (d *drawing) split(s set, word string, l Lang, width float32) (head, tail string) {
	r := []rune(word)
	n := len(r) - 1
	for n > 1 && d.shape(s, string(r[:n]), l).Advance > width {
		n--
	}
	return string(r[:n]), string(r[n:])
}

// breakable cuts a text into the parts between which a line may end. Each part
// carries the space after it.
func breakable(text string) []string {
	var out []string
	var part []rune
	runes := []rune(text)
	for i, r := range runes {
		part = append(part, r)
		next := ' '
		if i+1 < len(runes) {
			next = runes[i+1]
		}
		if r == ' ' && next != ' ' || ideograph(r) && !closes(next) || ideograph(next) && r != ' ' && !opens(r) {
			out, part = append(out, string(part)), nil
		}
	}
	if len(part) > 0 {
		out = append(out, string(part))
	}
	return out
}

func ideograph(r rune) bool { return unicode.Is(unicode.Han, r) }

// closes and opens report marks that may not begin or end a line.
func closes(r rune) bool {
	return r == ' ' || strings.ContainsRune(",.。，、：:;；！？)）」”", r)
}
func opens(r rune) bool { return strings.ContainsRune("(（「“", r) }
