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
	file  string
	data  []byte
	nodes map[string]*node // by their keys; "" is the whole file
}

// tableKind and listKind are the kinds of nodes that hold others; every other
// node has the kind of its TOML value.
const (
	tableKind = unstable.Table
	listKind  = unstable.Array
)

// node is one key of the file with its value, or one element of a list.
type node struct {
	key, name string
	kind      unstable.Kind
	depth     int    // how many tables and lists are around it
	at        int    // offset of the key, or of the element
	valueAt   int    // offset of the value; of the key for a table
	raw       string // the value as written; empty for tables and lists of tables
	text      string // the value of a string
	children  []*node
}

// Item returns the key of element i of the list key, i counted from zero as in Go:
// Item("bet", 1) is "bet[2]".
func Item(key string, i int) string { return fmt.Sprintf("%s[%d]", key, i+1) }

// Has reports whether the file gives this key.
func (p *Positions) Has(key string) bool { return p.nodes[key] != nil }

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
		n := p.nodes[around]
		if n == nil {
			continue
		}
		at := n.at
		if around == key {
			at, e.Value = n.valueAt, shorten(n.raw)
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
		return quoted(name)
	}
	return table + "." + quoted(name)
}

// quoted returns a name as it is written in a key: in quotes unless it is a bare key
// of TOML.
func quoted(name string) string {
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

// builder makes the nodes of a file from its expressions. Where the file contradicts
// itself in another way than by giving a value twice it builds something, and leaves
// the refusal to the TOML library.
type builder struct {
	p       *Positions
	parser  unstable.Parser
	section *node // that key = value lines belong to
	errs    Errors
	deep    bool // the file was given up for its depth
}

// build finds the positions of a file, up to the first line that is not TOML. It
// returns the section that it ended in, and keys that are given twice.
func (p *Positions) build() (section string, errs Errors) {
	b := builder{p: p, section: p.nodes[""]}
	b.parser.Reset(p.data)
	for !b.deep && b.parser.NextExpression() {
		if e := b.parser.Expression(); e.Kind == unstable.KeyValue {
			b.keyValue(b.section, e)
		} else {
			b.header(e)
		}
	}
	return b.section.key, b.errs
}

// header begins a section.
func (b *builder) header(e *unstable.Node) {
	n := b.p.nodes[""]
	for keys := e.Key(); keys.Next() && !b.deep; {
		at := int(keys.Node().Raw.Offset)
		n = b.child(n, string(keys.Node().Data), at)
		if keys.IsLast() && e.Kind == unstable.ArrayTable {
			n.kind = listKind
			b.add(n, Item(n.key, len(n.children)), "", at)
		}
		if n.kind == listKind && len(n.children) > 0 {
			n = n.children[len(n.children)-1]
		}
	}
	b.section = n
}

// keyValue puts one key = value into a table.
func (b *builder) keyValue(n *node, e *unstable.Node) {
	end := 0
	for keys := e.Key(); keys.Next(); {
		name, at := string(keys.Node().Data), int(keys.Node().Raw.Offset)
		end = at + int(keys.Node().Raw.Length)
		if first := b.p.nodes[join(n.key, name)]; first != nil && keys.IsLast() {
			before, _ := b.p.position(first.at)
			b.note(at, first.key, fmt.Sprintf("is given a second time; the first is on line %d", before))
			return
		}
		if n = b.child(n, name, at); b.deep {
			return
		}
	}
	rest := b.p.data[end:]
	n.valueAt = end + len(rest) - len(bytes.TrimLeft(rest, " \t="))
	n.raw = string(b.p.data[n.valueAt : int(e.Raw.Offset)+int(e.Raw.Length)])
	b.value(n, e.Value())
}

// value fills n with a value and everything in it.
func (b *builder) value(n *node, v *unstable.Node) {
	n.kind = v.Kind
	switch v.Kind {
	case unstable.Array:
		for items := v.Children(); items.Next() && !b.deep; {
			b.item(n, items.Node())
		}
	case unstable.InlineTable:
		n.kind = tableKind
		for pairs := v.Children(); pairs.Next() && !b.deep; {
			b.keyValue(n, pairs.Node())
		}
	case unstable.String:
		n.text = string(v.Data)
	}
}

// item appends one element to a list. An element that is a list itself has no
// position of its own and has that of the list around it.
func (b *builder) item(list *node, v *unstable.Node) {
	n := b.add(list, Item(list.key, len(list.children)), "", list.valueAt)
	if v.Raw.Length > 0 {
		n.at, n.valueAt = int(v.Raw.Offset), int(v.Raw.Offset)
		if v.Kind != unstable.InlineTable {
			n.raw = string(b.parser.Raw(v.Raw))
		}
	}
	if !b.deep {
		b.value(n, v)
	}
}

// child returns the node of a name in a table, made at this offset when it is new.
func (b *builder) child(n *node, name string, at int) *node {
	if c := b.p.nodes[join(n.key, name)]; c != nil {
		return c
	}
	return b.add(n, join(n.key, name), name, at)
}

// add makes a node below parent, and gives the file up when it is too deep.
func (b *builder) add(parent *node, key, name string, at int) *node {
	n := &node{key: key, name: name, kind: tableKind, depth: parent.depth + 1, at: at, valueAt: at}
	b.p.nodes[key] = n
	parent.children = append(parent.children, n)
	if n.depth > maxDepth {
		b.deep = true
		b.note(at, shorten(key), fmt.Sprintf("is nested more than %d deep in tables and lists", maxDepth))
	}
	return n
}

// note records what is wrong at an offset.
func (b *builder) note(at int, key, problem string) {
	line, column := b.p.position(at)
	b.errs = append(b.errs, Error{File: b.p.file, Line: line, Column: column, Key: key, Problem: problem})
}
