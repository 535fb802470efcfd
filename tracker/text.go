package tracker

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Most letters of what people say of a correction: longer texts are refused, not cut.
const (
	MaxName   = 40
	MaxReason = 120
)

// MaxFaultShown bounds a fault's text on the board, in bytes. Much of it comes from
// outside: from a stick, a device, a file.
const MaxFaultShown = 400

// Printable reports whether a text has at most so many letters, and none that is invisible
// or turns the others round.
func Printable(text string, most int) bool {
	unseen := func(r rune) bool { return r == utf8.RuneError || !unicode.IsPrint(r) }
	return utf8.RuneCountInString(text) <= most && text == strings.TrimSpace(text) &&
		!strings.ContainsFunc(text, unseen)
}

// Plain returns a text for one line: at most size bytes, cut between letters, without
// anything that a terminal would act on.
func Plain(text string, size int) string {
	text = strings.TrimSpace(strings.Map(func(r rune) rune {
		switch {
		case r == utf8.RuneError:
			return '?'
		case unicode.In(r, unicode.Cc, unicode.Zl, unicode.Zp, unicode.Cf):
			return ' '
		}
		return r
	}, text))
	if len(text) <= size {
		return text
	}
	size -= len("…")
	for !utf8.RuneStart(text[size]) {
		size--
	}
	return strings.TrimSpace(text[:size]) + "…"
}
