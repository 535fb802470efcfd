package scene

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// broken sets text in lines no wider than width. Lines end at spaces, and
// between any two ideographs; a word that is too wide for a line of its own is
// broken where it must.
func (d *drawing) broken(s set, text string, width float32) []*Run {
	l := d.words.first.Lang
	parts := breakable(text)
	each := d.shape(s, text, l).Advance / float32(max(1, utf8.RuneCountInString(text)))
	var out []*Run
	for len(parts) > 0 {
		n, run := d.filled(s, parts, l, width, each)
		if run.Advance > width && utf8.RuneCountInString(parts[0]) > 1 {
			head, tail := d.split(s, parts[0], l, width)
			out, parts[0] = append(out, d.shape(s, head, l)), tail
			continue
		}
		if run.Text != "" {
			out = append(out, run)
		}
		parts = parts[n:]
	}
	return out
}

// filled is the line of as many parts as fit into width, at least one. It begins where
// characters of an even width would end it: to shape a line after every part is slow.
func (d *drawing) filled(s set, parts []string, l Lang, width, each float32) (int, *Run) {
	line := func(n int) *Run { return d.shape(s, strings.TrimSpace(strings.Join(parts[:n], "")), l) }
	n := 0
	for room := width; n < len(parts) && room > 0; n++ {
		room -= each * float32(utf8.RuneCountInString(parts[n]))
	}
	n = max(n, 1)
	run := line(n)
	for n > 1 && run.Advance > width {
		n--
		run = line(n)
	}
	for n < len(parts) {
		longer := line(n + 1)
		if longer.Advance > width {
			break
		}
		n, run = n+1, longer
	}
	return n, run
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
