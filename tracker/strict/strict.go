// Package strict reads TOML for people: whatever is wrong is told with file,
// line, column, key, value and what was expected, and everything that is wrong
// is told at once.
//
// Words: a key is written as a person would say it, "limits.tie.max"; the
// elements of a list are counted from one, "bet[2].pays" is the pays of the
// second bet (Item writes it); a position is a line and a column, both counted
// from 1, columns in characters.
//
// A caller may assume of Decode: a key that no field of the value knows is an
// error, as are a key given twice, a value of another type, and a number that
// does not fit; nothing is guessed, converted or ignored; input over MaxBytes is
// refused unread; no input makes it panic. After a reading without errors Positions
// says where every key stood, for checks that only the caller can make.
//
// A caller may not use the value when there are errors, and may not assume that
// a key is present: what must be there the caller asks with Has. Fields without a toml tag and embedded structs are not read.
package strict

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// MaxBytes is the largest file that is read; a rule pack or a venue's
// configuration takes a few thousand bytes.
const MaxBytes = 256 << 10

// byteOrderMark is what some editors put before the first line.
var byteOrderMark = []byte("\xef\xbb\xbf")

// Decode reads the TOML text data into v, a pointer to a struct whose fields
// carry toml tags. Values that stand in v beforehand are defaults and stay where
// the file says nothing. A field's tag want:"a port number" replaces the general
// words for what is expected there. Fields that implement
// encoding.TextUnmarshaler are given the text, and the sentence of their error
// is told.
//
// The name file is only for messages. The errors are in the order of the file.
func Decode(file string, data []byte, v any) (*Positions, Errors) {
	p := &Positions{file: file, data: data, root: &node{kind: tableKind}}
	if len(data) > MaxBytes {
		return p, Errors{{File: file, Line: 1, Column: 1, Problem: fmt.Sprintf("the file has %d bytes; at most %d are read", len(data), MaxBytes)}}
	}
	if bytes.HasPrefix(data, byteOrderMark) {
		return p, Errors{{File: file, Line: 1, Column: 1, Problem: "the file begins with a byte order mark; save it as UTF-8 without one"}}
	}
	if errs := p.parse(); len(errs) > 0 {
		return p, errs
	}
	c := checker{p: p}
	c.value("", p.root, reflect.TypeOf(v).Elem(), "")
	if len(c.errs) > 0 {
		c.errs.Sort()
		return p, c.errs
	}
	if err := toml.Unmarshal(data, v); err != nil {
		return p, Errors{p.fromTOML(err)}
	}
	return p, nil
}

// fromTOML puts an error of the TOML library into our words and columns.
func (p *Positions) fromTOML(err error) Error {
	e := Error{File: p.file, Line: 1, Column: 1, Problem: strings.TrimPrefix(err.Error(), "toml: ")}
	var de *toml.DecodeError
	if errors.As(err, &de) {
		line, column := de.Position()
		e.Line, e.Column = line, p.characters(line, column)
		e.Key = strings.Join(de.Key(), ".")
	}
	return e
}
