package strict

import (
	"bytes"
	"fmt"

	"github.com/pelletier/go-toml/v2/unstable"
)

// maxDepth is how deep tables and lists may stand in each other. Nothing that is
// read here needs more than half of it, and it bounds what a mad file can cost.
const maxDepth = 16

// builder makes the tree of positions from the expressions of a file. Where the
// file contradicts itself in another way than by giving a value twice it builds
// something, and leaves the refusal to the TOML library.
type builder struct {
	p      *Positions
	parser unstable.Parser
	table  *node // the table that key = value lines go to
	path   string
	errs   Errors
	deep   bool // the file was given up for its depth
}

// expression takes one line of the file: a table's header or a key with its value.
func (b *builder) expression(e *unstable.Node) {
	if e.Kind == unstable.KeyValue {
		b.keyValue(b.table, b.path, e)
		return
	}
	b.table, b.path = b.p.root, ""
	for keys := e.Key(); keys.Next(); {
		last := keys.IsLast()
		key := keys.Node()
		at := int(key.Raw.Offset)
		n := b.table.child(string(key.Data), at)
		b.path = join(b.path, string(key.Data))
		if b.tooDeep(n, b.path) {
			return
		}
		if last && e.Kind == unstable.ArrayTable {
			n.kind = listKind
			n.items = append(n.items, &node{kind: tableKind, at: at, valueAt: at, depth: n.depth})
		}
		if n.kind == listKind && len(n.items) > 0 {
			b.path = Item(b.path, len(n.items)-1)
			n = n.items[len(n.items)-1]
		}
		b.table = n
	}
}

// keyValue puts one key = value into a table whose key is path.
func (b *builder) keyValue(table *node, path string, e *unstable.Node) {
	n, end := table, 0
	for keys := e.Key(); keys.Next(); {
		key := keys.Node()
		name, at := string(key.Data), int(key.Raw.Offset)
		path, end = join(path, name), at+int(key.Raw.Length)
		if first := n.children[name]; first != nil && keys.IsLast() {
			b.twice(path, at, first)
			return
		}
		n = n.child(name, at)
		if b.tooDeep(n, path) {
			return
		}
	}
	rest := b.p.data[end:]
	start := end + len(rest) - len(bytes.TrimLeft(rest, " \t="))
	stop := int(e.Raw.Offset) + int(e.Raw.Length)
	n.valueAt, n.raw = start, string(b.p.data[start:stop])
	b.value(n, path, e.Value())
}

// value fills n with a value and everything in it.
func (b *builder) value(n *node, path string, v *unstable.Node) {
	n.kind = v.Kind
	switch v.Kind {
	case unstable.Array:
		for items := v.Children(); items.Next(); {
			b.item(n, path, items.Node())
		}
	case unstable.InlineTable:
		n.kind = tableKind
		for pairs := v.Children(); pairs.Next(); {
			b.keyValue(n, path, pairs.Node())
		}
	case unstable.String:
		n.text = string(v.Data)
	}
}

// item appends one element to a list. An element that is a list itself has no
// position of its own and takes that of the list around it.
func (b *builder) item(list *node, path string, v *unstable.Node) {
	n := &node{at: list.valueAt, valueAt: list.valueAt, depth: list.depth + 1}
	if v.Raw.Length > 0 {
		n.at, n.valueAt = int(v.Raw.Offset), int(v.Raw.Offset)
		if v.Kind != unstable.InlineTable {
			n.raw = string(b.parser.Raw(v.Raw))
		}
	}
	list.items = append(list.items, n)
	path = Item(path, len(list.items)-1)
	if !b.tooDeep(n, path) {
		b.value(n, path, v)
	}
}

// tooDeep gives the file up, with an error, when n stands too deep in it.
func (b *builder) tooDeep(n *node, path string) bool {
	if n.depth <= maxDepth || b.deep {
		return b.deep
	}
	b.deep = true
	line, column := b.p.position(n.at)
	b.errs = append(b.errs, Error{File: b.p.file, Line: line, Column: column, Key: shorten(path),
		Problem: fmt.Sprintf("stands more than %d deep in tables and lists", maxDepth)})
	return true
}

// twice notes that a key is given again.
func (b *builder) twice(path string, at int, first *node) {
	line, column := b.p.position(at)
	before, _ := b.p.position(first.at)
	b.errs = append(b.errs, Error{File: b.p.file, Line: line, Column: column, Key: path,
		Problem: fmt.Sprintf("is given a second time; the first is on line %d", before)})
}

// child is the node of a name in a table, made at this offset when it is new.
func (n *node) child(name string, at int) *node {
	if c := n.children[name]; c != nil {
		return c
	}
	if n.children == nil {
		n.children = map[string]*node{}
	}
	c := &node{kind: tableKind, at: at, valueAt: at, depth: n.depth + 1}
	n.children[name] = c
	n.names = append(n.names, name)
	return c
}
