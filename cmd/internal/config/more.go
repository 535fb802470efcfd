package config

import (
	"bytes"
	"regexp"
	"slices"
	"strings"

	"shoeboard/tracker/game"
	"shoeboard/tracker/strict"
)

// mostLooks is how often a file is read again to find more errors, and mostErrors
// how many are worth telling.
const (
	mostLooks  = 20
	mostErrors = 100
)

// readAll reads a file and finds more than its first kind of errors: lines that
// were found wrong are left out and the rest is read again, as long as each of
// them is one whole setting. Without this a wrong value would stay hidden behind
// a mistyped key, to be told on the next attempt. together: the devices are held against
// each other, once no line is left out.
func readAll(path string, data []byte, packs []*game.Pack, together bool) (*File, strict.Errors) {
	data = bytes.TrimPrefix(data, byteOrderMark)
	if len(data) <= strict.MaxBytes {
		if e, bad := notText(data); bad {
			e.File = path
			return nil, strict.Errors{e}
		}
	}
	var all strict.Errors
	text := newText(data)
	left := bytes.Clone(data)
	for range mostLooks {
		f, errs, types := readOnce(path, left, packs, together && len(all) == 0)
		before := all
		for _, e := range errs[:min(len(errs), mostErrors)] {
			if !text.blamed(e, before) {
				all = append(all, text.improve(e))
			}
		}
		if len(all) == 0 {
			return f, nil
		}
		if !types || len(all) >= mostErrors || !blank(left, errs) {
			break
		}
	}
	all.Sort()
	return nil, all
}

// text is a file by its lines.
type text struct {
	lines   []string // without their ends
	headers []int    // for each line, the line of the [section] that it is in, counted from 1; 0 for none
}

func newText(data []byte) text {
	t := text{lines: strings.Split(string(data), "\n")}
	header := 0
	for i, line := range t.lines {
		if strings.HasPrefix(strings.TrimSpace(line), "[") {
			header = i + 1
		}
		t.headers = append(t.headers, header)
	}
	return t
}

// line is a line counted from 1, without spaces around it.
func (t text) line(n int) string { return strings.TrimSpace(t.lines[min(max(n, 1), len(t.lines))-1]) }

// setting is a line that can be left out: one key with a value that ends on it.
var setting = regexp.MustCompile(`^([A-Za-z0-9_."-]+)\s*=\s*([^\[{]*)$`)

// blank makes spaces of the lines with errors, and says whether it could.
func blank(data []byte, errs strict.Errors) bool {
	lines := bytes.Split(data, []byte("\n"))
	for _, e := range errs {
		if e.Line < 1 || e.Line > len(lines) {
			return false
		}
		line := lines[e.Line-1]
		text := string(bytes.TrimSpace(line))
		if text == "" {
			continue // left out for another error
		}
		if !setting.MatchString(text) || strings.Contains(text, `"""`) || strings.Contains(text, "'''") {
			return false
		}
		for i := range line {
			line[i] = ' '
		}
	}
	return len(errs) > 0
}

// blamed says that an error may only come from a line that was left out before:
// it is in the same element of a list or the same named section.
func (t text) blamed(e strict.Error, before strict.Errors) bool {
	section := t.section(e)
	header := t.line(section)
	if section == 0 || !strings.HasPrefix(header, "[[") && !strings.Contains(header, "collections") && !strings.Contains(header, "keymap") {
		return false
	}
	return slices.ContainsFunc(before, func(b strict.Error) bool {
		return t.section(b) == section && b.Line != e.Line
	})
}

func (t text) section(e strict.Error) int { return t.headers[min(max(e.Line, 1), len(t.lines))-1] }
