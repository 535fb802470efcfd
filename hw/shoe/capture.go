package shoe

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode/utf16"
)

// readCapture reads a capture of a line of that kind, made with any program: a recording,
// which names itself; the bytes as they came; or text that shows them, such as a dump in hex
// or the log of a terminal program. It reads it in every way and uses the one with the most
// good frames. If none of that kind is good it tries the other kinds. Only a recording has
// times; everything else comes at once.
func readCapture(name string, data []byte, kind string) (recording, error) {
	if bytes.HasPrefix(data, []byte(recordingHead)) {
		return readRecording(name, data)
	}
	if _, err := newDecoder(kind); err != nil {
		return recording{}, err
	}
	forms := formsOf(data)
	for _, k := range []string{kind, "tsp1", "angel-eye", "lines"} {
		if b, ok := best(forms, k); ok {
			return recording{Kind: k, Chunks: []chunk{{0, b}}}, nil
		}
	}
	return recording{Kind: kind, Chunks: []chunk{{0, data}}}, nil
}

// formsOf returns the bytes that data may represent, first the data itself.
func formsOf(data []byte) [][]byte {
	forms := [][]byte{data}
	text, is := decodeText(data)
	if !is {
		return forms
	}
	forms = append(forms, linesOf(text), hexOf(text, false, false), hexOf(text, false, true),
		hexOf(text, true, false), hexOf(text, true, true))
	if strings.Contains(text, `\`) {
		forms = append(forms, literalOf(text))
	}
	return forms
}

// best returns the form with the most good frames of a kind and the least noise, if any is
// good. A line of cards has no mark, so more lines than not must be good.
func best(forms [][]byte, kind string) (found []byte, ok bool) {
	var most Counts
	for _, b := range forms {
		d, err := newDecoder(kind)
		if err != nil {
			return nil, false
		}
		d.Feed(b, 0)
		d.Feed(nil, time.Minute)
		c := d.Counts()
		good, before := c.Frames+c.Repeats, most.Frames+most.Repeats
		if good > before || good == before && good > 0 && c.Bad+c.Noise < most.Bad+most.Noise {
			most, found = c, b
		}
	}
	return found, most.Frames > 0 && (kind != "lines" || most.Frames > most.Bad)
}

// decodeText returns data as UTF-8, and whether it is text: without control characters except
// those that end a line. Windows writes UTF-16, with a mark before it.
func decodeText(data []byte) (string, bool) {
	text := string(data)
	orders := map[string]binary.ByteOrder{"\xff\xfe": binary.LittleEndian, "\xfe\xff": binary.BigEndian}
	for mark, order := range orders {
		if strings.HasPrefix(text, mark) {
			units := make([]uint16, len(data)/2)
			for i := range units {
				units[i] = order.Uint16(data[2*i:])
			}
			text = string(utf16.Decode(units))
		}
	}
	text = strings.TrimPrefix(text, "\ufeff")
	control := func(r rune) bool { return r < ' ' && !strings.ContainsRune("\t\n\f\r", r) }
	return text, !strings.ContainsFunc(text, control)
}

// hexOf reads a dump in hex: of xxd, hexdump, od and their like, of terminal programs with a
// time or a name before the bytes, or of bytes alone, together, apart, or with signs between
// them. With offsets each line begins with one. With words a group of four digits is a word
// of the machine, its low byte last. Lines that a dump left out as repetitions matter to no
// frame: none comes so often that it fills two.
func hexOf(text string, offsets, words bool) []byte {
	var out []byte
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if len(out) > 0 || string(longest(line, false)) != heading {
			out = append(out, longest(columnsOf(line, offsets), words)...)
		}
	}
	return out
}

// heading is the row that some dumps have above their columns.
const heading = "\x00\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c\x0d\x0e\x0f"

// columnsOf returns the columns of a line that show bytes: without the offset, and without the
// column that shows them as characters.
func columnsOf(line string, offsets bool) string {
	if offsets {
		offset, bytes, _ := strings.Cut(line, " ")
		if line = strings.TrimSpace(bytes); strings.HasSuffix(offset, ":") { // xxd
			line, _, _ = strings.Cut(line, "  ")
		}
	}
	for end, begin := range map[string]string{"|": "|", "<": ">"} {
		if at := strings.Index(line, begin); at >= 0 && strings.HasSuffix(line, end) {
			line = line[:at]
		}
	}
	return line
}

// longest returns the longest run of bytes in a line; shorter ones are numbers or names beside
// it.
func longest(line string, words bool) (best []byte) {
	var run []byte
	for _, word := range strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune(" \t\"'", r) }) {
		b := bytesOf(word)
		if b == nil {
			run = nil
			continue
		}
		if words && len(b) == 2 && len(word) == 4 {
			b[0], b[1] = b[1], b[0]
		}
		if run = append(run, b...); len(run) > len(best) {
			best = run
		}
	}
	return best
}

// prefixes removes the prefixes of a byte in programs.
var prefixes = strings.NewReplacer("0x", "", "0X", "", `\x`, "", ",", "-", ";", "-")

// bytesOf reads a word of a dump: "05", "0530", "0x05,", `\x05\x30`, "05-30-53". It returns
// nil for any other; "12:05:30" is a time.
func bytesOf(word string) []byte {
	word = strings.Trim(prefixes.Replace(strings.Trim(word, "{}[]()<>")), "-")
	for _, sign := range []string{"-", ":"} {
		parts := strings.Split(word, sign)
		for _, p := range parts {
			if len(parts) > 1 && len(p) != 2 || sign == ":" && len(parts) == 3 {
				return nil
			}
		}
		word = strings.Join(parts, "")
	}
	b, err := hex.DecodeString(word)
	if err != nil || len(b) == 0 {
		return nil
	}
	return b
}

// literalOf reads strings as programmers write them, "\x050S\x0360", one on a line, in
// quotes or bare.
func literalOf(text string) []byte {
	var out []byte
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		if at := strings.IndexAny(line, `"'`); at >= 0 {
			if end := strings.LastIndexByte(line, line[at]); end > at {
				line = line[at+1 : end]
			}
		}
		for line != "" {
			c, _, rest, err := strconv.UnquoteChar(line, 0)
			if err != nil { // \' and \0, and what is no escape
				c, rest = rune(line[0]), line[1:]
				if at := strings.IndexByte("'\"0", line[min(1, len(line)-1)]); c == '\\' && at >= 0 && len(line) > 1 {
					c, rest = rune("'\"\x00"[at]), line[2:]
				}
			}
			out, line = append(out, byte(c)), rest
		}
	}
	return out
}

// stamps match times before the text of a line.
var stamps = regexp.MustCompile(`^[\[(]?\d+[:./-][\dTZ:.,/+-]*[\])]?:?\s+`)

// linesOf removes the times before lines, and everything before a $, and ends the last line.
func linesOf(text string) []byte {
	var out []byte
	for line := range strings.Lines(text + "\n") {
		if at := strings.IndexByte(line, '$'); at >= 0 {
			line = line[at:]
		}
		for stamp := stamps.FindString(line); stamp != ""; stamp = stamps.FindString(line) {
			line = line[len(stamp):]
		}
		out = append(out, line...)
	}
	return out
}
