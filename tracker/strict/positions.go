package strict

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/pelletier/go-toml/v2/unstable"
)

// Positions knows where every key of a file is.
type Positions struct {
	file   string
	data   []byte
	places map[string]place // by their keys
}

// place is where a key of the file is, or an element of a list.
type place struct {
	at      int    // offset of the key, or of the element
	valueAt int    // offset of the value; of the key for a table
	raw     string // the value as written; empty for tables and lists of tables
}

// Item returns the key of element i of the list key, i counted from zero as in Go:
// Item("bet", 1) is "bet[2]".
func Item(key string, i int) string { return fmt.Sprintf("%s[%d]", key, i+1) }

// Has reports whether the file gives this key.
func (p *Positions) Has(key string) bool {
	_, ok := p.places[key]
	return ok
}

// Error returns the error that the value of key is not what was expected: "a number
// from 1 to 99". A key that the file does not give is reported as missing, at the
// table that should have it.
func (p *Positions) Error(key, expected string) Error {
	problem := ""
	if !p.Has(key) {
		problem = "is missing"
	}
	e := p.Problem(key, problem)
	e.Expected = expected
	return e
}

// NoneOf returns the error that the value of key is none of the known words, with the
// nearest of them.
func (p *Positions) NoneOf(key, value string, known []string) Error {
	e := p.Error(key, alternatives(known))
	if near, ok := Nearest(value, known); ok && e.Problem == "" {
		e.Problem = fmt.Sprintf("did you mean %q?", near)
	}
	return e
}

// Problem returns an error at key that says in its own words what is wrong. The
// position of a key that the file does not give is that of the nearest table around it.
func (p *Positions) Problem(key, sentence string) Error {
	e := Error{File: p.file, Line: 1, Column: 1, Key: key, Problem: sentence}
	for around := key; around != ""; around = around[:max(0, strings.LastIndexAny(around, ".["))] {
		pl, ok := p.places[around]
		if !ok {
			continue
		}
		at := pl.at
		if around == key {
			at, e.Value = pl.valueAt, shorten(pl.raw)
		}
		e.Line, e.Column = p.position(at)
		break
	}
	return e
}

// position returns the line and column of an offset.
func (p *Positions) position(offset int) (line, column int) {
	before := p.data[:offset]
	start := bytes.LastIndexByte(before, '\n') + 1
	return bytes.Count(before, []byte("\n")) + 1, utf8.RuneCount(before[start:]) + 1
}

// join returns the key of name in table.
func join(table, name string) string {
	if table == "" {
		return Quoted(name)
	}
	return table + "." + Quoted(name)
}

// Quoted returns a name as it is written in a key: in quotes unless it is a bare key
// of TOML.
func Quoted(name string) string {
	bare := func(c rune) bool {
		return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_' || c == '-'
	}
	if name == "" || strings.ContainsFunc(name, func(c rune) bool { return !bare(c) }) {
		return strconv.Quote(name)
	}
	return name
}

// maxDepth is how deep tables and lists may be nested. Nothing that is read here needs
// more than half of it, and it bounds what a hostile file can cost.
const maxDepth = 16

// finder finds the places of a file. A file that contradicts itself is left to the TOML
// library.
type finder struct {
	p       *Positions
	parser  unstable.Parser
	section string // that key = value lines belong to
	depth   int    // of the section
	lists   map[string]int
	deep    Errors // the file was given up for its depth
}

// find finds the places of a file, up to the first line that is not TOML. It returns the
// section that it ended in.
func (p *Positions) find() (section string, errs Errors) {
	f := finder{p: p, lists: map[string]int{}}
	f.parser.Reset(p.data)
	for f.deep == nil && f.parser.NextExpression() {
		if e := f.parser.Expression(); e.Kind == unstable.KeyValue {
			f.keyValue(f.section, f.depth, e)
		} else {
			f.header(e)
		}
	}
	return f.section, f.deep
}

// add records a place, and gives the file up when it is too deep.
func (f *finder) add(key string, depth int, pl place) {
	if depth > maxDepth && f.deep == nil {
		line, column := f.p.position(pl.at)
		f.deep = Errors{{File: f.p.file, Line: line, Column: column, Key: shorten(key),
			Problem: fmt.Sprintf("is nested more than %d deep in tables and lists", maxDepth)}}
	}
	if before, ok := f.p.places[key]; !ok || before.raw == "" && pl.raw != "" {
		f.p.places[key] = pl
	}
}

// header begins a section.
func (f *finder) header(e *unstable.Node) {
	f.section, f.depth = "", 0
	for keys := e.Key(); keys.Next() && f.deep == nil; {
		at := int(keys.Node().Raw.Offset)
		f.section, f.depth = join(f.section, string(keys.Node().Data)), f.depth+1
		f.add(f.section, f.depth, place{at: at, valueAt: at})
		if keys.IsLast() && e.Kind == unstable.ArrayTable {
			f.lists[f.section]++
		}
		if n := f.lists[f.section]; n > 0 {
			f.section, f.depth = Item(f.section, n-1), f.depth+1
			f.add(f.section, f.depth, place{at: at, valueAt: at})
		}
	}
}

// keyValue records one key = value of a table.
func (f *finder) keyValue(key string, depth int, e *unstable.Node) {
	at, end := 0, 0
	for keys := e.Key(); keys.Next() && f.deep == nil; {
		key, depth = join(key, string(keys.Node().Data)), depth+1
		at = int(keys.Node().Raw.Offset)
		end = at + int(keys.Node().Raw.Length)
		f.add(key, depth, place{at: at, valueAt: at})
	}
	rest := f.p.data[end:]
	valueAt := end + len(rest) - len(bytes.TrimLeft(rest, " \t="))
	f.add(key, depth, place{at, valueAt, string(f.p.data[valueAt : int(e.Raw.Offset)+int(e.Raw.Length)])})
	f.value(key, depth, valueAt, e.Value())
}

// value records everything in a value. An element of a list that is a list itself has no
// position of its own and has that of the list around it.
func (f *finder) value(key string, depth, at int, v *unstable.Node) {
	n := 0
	for inner := v.Children(); inner.Next() && f.deep == nil; n++ {
		item := inner.Node()
		switch {
		case v.Kind == unstable.InlineTable:
			f.keyValue(key, depth, item)
			continue
		case v.Kind != unstable.Array:
			return
		}
		pl := place{at: at, valueAt: at}
		if item.Raw.Length > 0 {
			pl.at, pl.valueAt = int(item.Raw.Offset), int(item.Raw.Offset)
			if item.Kind != unstable.InlineTable {
				pl.raw = string(f.parser.Raw(item.Raw))
			}
		}
		f.add(Item(key, n), depth+1, pl)
		f.value(Item(key, n), depth+1, pl.at, item)
	}
}
