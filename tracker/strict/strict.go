// Package strict reads TOML for people: every error has file, line, column, key,
// value and what was expected.
//
// Words: a key is written with its sections, "limits.tie.max"; the elements of a
// list are counted from one, "bet[2].pays" is the pays of the second bet (Item
// writes it); a position is a line and a column, both counted from 1, columns in
// characters.
//
// A caller may assume of Decode: a key that no field of the value has is an error,
// as are a key given twice, a value of another type, and a number that does not fit;
// nothing is guessed, converted or ignored; a text that is TOML has all its unknown
// keys and wrong types reported at once; input over MaxBytes is refused; no input
// makes it panic. After reading without errors Positions says where every key is,
// for checks that only the caller can make.
//
// A caller may not use the value when there are errors, and may not assume that a
// key is present: Has reports that. Fields without a toml tag and embedded structs
// are not read.
package strict

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"unicode/utf8"

	"github.com/pelletier/go-toml/v2"
)

// MaxBytes is the largest file that is read; a rule pack or a venue's
// configuration takes a few thousand bytes.
const MaxBytes = 256 << 10

// Decode reads the TOML text data into v, a pointer to a struct whose fields
// carry toml tags. Values that are in v before are defaults, and stay where
// the file says nothing. A field's tag want:"a port number" replaces the general
// words for what is expected there; one:"off close" is a choice of words, and
// range:"5 120 seconds" the range of a whole number. Fields that implement
// encoding.TextUnmarshaler are given the text, and their error is reported.
//
// The name file is only for messages. The errors are in the order of the file.
func Decode(file string, data []byte, v any) (*Positions, Errors) {
	p := &Positions{file: file, data: data, places: map[string]place{}}
	switch {
	case len(data) > MaxBytes:
		return p, Errors{p.whole(fmt.Sprintf("the file has more than %d bytes", MaxBytes))}
	case bytes.HasPrefix(data, []byte("\xef\xbb\xbf")):
		return p, Errors{p.whole("the file begins with a byte order mark; save it as UTF-8 without one")}
	}
	t := reflect.TypeOf(v).Elem()
	section, errs := p.find()
	if len(errs) > 0 {
		return p, errs
	}
	var all map[string]any
	if err := toml.Unmarshal(data, &all); err != nil {
		e := p.fromTOML(err, section, t)
		e.Problem = "not valid TOML (" + e.Problem + ")"
		return p, Errors{e}
	}
	c := checker{p: p}
	if t.Kind() == reflect.Struct {
		c.top, _ = tags(t)
	}
	c.value("", all, t, "")
	if len(c.errs) > 0 {
		c.errs.Sort()
		return p, c.errs
	}
	if err := toml.Unmarshal(data, v); err != nil {
		return p, Errors{p.fromTOML(err, "", t)}
	}
	return p, nil
}

// whole returns an error of the file as a whole.
func (p *Positions) whole(problem string) Error {
	return Error{File: p.file, Line: 1, Column: 1, Problem: problem}
}

// fromTOML turns an error of the TOML library into one of ours. Where its line gives a
// key of the section, the error has that key and what it expects.
func (p *Positions) fromTOML(err error, section string, t reflect.Type) Error {
	e := p.whole(strings.TrimPrefix(err.Error(), "toml: "))
	var de *toml.DecodeError
	if !errors.As(err, &de) {
		return e
	}
	row, column := de.Position()
	line := bytes.Split(p.data, []byte("\n"))[row-1]
	e.Line, e.Column = row, utf8.RuneCount(line[:min(column-1, len(line))])+1
	name, value, pair := strings.Cut(string(line), "=")
	name = strings.Trim(name, " \t")
	switch {
	case len(de.Key()) > 0:
		e.Key = strings.Join(de.Key(), ".")
	case pair && Quoted(strings.ReplaceAll(name, ".", "_")) == strings.ReplaceAll(name, ".", "_"):
		e.Key = strings.TrimPrefix(section+"."+name, ".")
	default:
		e.Problem += fmt.Sprintf(" in the line %q", shorten(string(line)))
		return e
	}
	if pair {
		e.Value, e.Expected = shorten(value), expectation(t, e.Key)
	}
	return e
}
