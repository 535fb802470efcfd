package config

import (
	"bytes"
	"unicode/utf8"

	"shoeboard/tracker/strict"
)

// byteOrderMark is what Notepad may put before the first line. It says nothing.
var byteOrderMark = []byte("\xef\xbb\xbf")

// notText says why data is no text as a file has it that a person saved: another
// encoding, or the zeros of a card that lost its power.
func notText(data []byte) (e strict.Error, bad bool) {
	at := bytes.IndexByte(data, 0)
	switch {
	case bytes.HasPrefix(data, []byte("\xff\xfe")), bytes.HasPrefix(data, []byte("\xfe\xff")), at == 0 && len(data) > 1 && data[1] != 0, at == 1:
		return strict.Error{Line: 1, Column: 1, Problem: "the file is saved as UTF-16, which Windows calls Unicode", Expected: "UTF-8: save it once more with that encoding"}, true
	case at >= 0:
		e.Problem, e.Expected = "from here on there are zeros and no text: the file was not written to its end", "the whole file: copy it here once more"
	case !utf8.Valid(data):
		for at = 0; ; {
			r, n := utf8.DecodeRune(data[at:])
			if r == utf8.RuneError && n == 1 {
				break
			}
			at += n
		}
		e.Problem, e.Expected = "the file is not saved as UTF-8: a character cannot be read", "UTF-8: save it once more with that encoding"
	default:
		return e, false
	}
	start := bytes.LastIndexByte(data[:at], '\n') + 1
	e.Line, e.Column = bytes.Count(data[:at], []byte("\n"))+1, utf8.RuneCount(data[start:at])+1
	return e, true
}
