package strict

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// Positions knows where every key of a file stands.
type Positions struct {
	file string
	data []byte
	root *node
}

// tableKind and listKind are the kinds of nodes that hold others; every other
// node has the kind of its TOML value.
const (
	tableKind = unstable.Table
	listKind  = unstable.Array
)

// node is one key of the file with its value, or one element of a list.
type node struct {
	kind     unstable.Kind
	depth    int    // how many tables and lists it stands in
	at       int    // offset of the key, or of the element
	valueAt  int    // offset of the value; of the key for a table
	raw      string // the value as written; empty for tables and lists of tables
	text     string // the value of a string
	names    []string
	children map[string]*node
	items    []*node
}

// Item is the key of element i of the list key, i counted from zero as in Go:
// Item("bet", 1) is "bet[2]".
func Item(key string, i int) string { return fmt.Sprintf("%s[%d]", key, i+1) }

// Has says whether the file gives this key.
func (p *Positions) Has(key string) bool { return p.find(key) != nil }

// Error is the error that the value of key is not what was expected: "a number
// from 1 to 99". A key that the file does not give is told as missing, at the
// table that should have it.
func (p *Positions) Error(key, expected string) Error {
	e := p.locate(key)
	e.Expected = expected
	if p.find(key) == nil {
		e.Problem = "is missing"
	}
	return e
}

// Problem is an error at key that says in its own words what is wrong.
func (p *Positions) Problem(key, sentence string) Error {
	e := p.locate(key)
	e.Problem = sentence
	return e
}

// Nothing is expected yet; locate gives file, line, column, key and value. The
// position of a key that is not there is that of the nearest table around it.
func (p *Positions) locate(key string) Error {
	e := Error{File: p.file, Line: 1, Column: 1, Key: key}
	for around := key; around != ""; around = parent(around) {
		n := p.find(around)
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

// find is the node of key, nil when the file does not give it.
func (p *Positions) find(key string) *node { return p.root.find("", key) }

// find walks down to key from the node whose own key is at.
func (n *node) find(at, key string) *node {
	if at == key {
		return n
	}
	rest := strings.TrimPrefix(key[len(at):], ".")
	for _, name := range n.names {
		if within(rest, quoted(name)) {
			return n.children[name].find(join(at, name), key)
		}
	}
	for i, item := range n.items {
		if down := Item(at, i); within(key, down) {
			return item.find(down, key)
		}
	}
	return nil
}

// within says whether key is table or stands in it.
func within(key, table string) bool {
	rest, ok := strings.CutPrefix(key, table)
	return ok && (rest == "" || rest[0] == '.' || rest[0] == '[')
}

// join is the key of name in table.
func join(table, name string) string {
	if table == "" {
		return quoted(name)
	}
	return table + "." + quoted(name)
}

// quoted is a name as it stands in a key: in quotes unless it is a bare key of TOML.
func quoted(name string) string {
	for i := range len(name) {
		switch c := name[i]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '_', c == '-':
		default:
			return strconv.Quote(name)
		}
	}
	if name == "" {
		return `""`
	}
	return name
}

// parent is the key of the table or list that key stands in.
func parent(key string) string {
	return key[:max(0, strings.LastIndexAny(key, ".["))]
}

// position is the line and column of an offset.
func (p *Positions) position(offset int) (line, column int) {
	before := p.data[:offset]
	start := bytes.LastIndexByte(before, '\n') + 1
	return bytes.Count(before, []byte("\n")) + 1, utf8.RuneCount(before[start:]) + 1
}

// characters turns a column in bytes into one in characters.
func (p *Positions) characters(line, column int) int {
	text := p.data
	for ; line > 1; line-- {
		text = text[bytes.IndexByte(text, '\n')+1:]
	}
	return utf8.RuneCount(text[:min(max(0, column-1), len(text))]) + 1
}

// parse builds the tree of positions; when it returns no error the text is
// valid TOML and no key is given twice.
func (p *Positions) parse() Errors {
	b := builder{p: p, table: p.root}
	b.parser.Reset(p.data)
	for !b.deep && b.parser.NextExpression() {
		b.expression(b.parser.Expression())
	}
	if len(b.errs) > 0 {
		return b.errs
	}
	var all map[string]any
	if err := toml.Unmarshal(p.data, &all); err != nil {
		return Errors{p.fromTOML(err)}
	}
	return nil
}
