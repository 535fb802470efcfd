package strict

import (
	"encoding"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// checker compares the tree of a file with the type that it is to fill.
type checker struct {
	p    *Positions
	errs Errors
}

// dates are the types that TOML has its own notation for, with its words.
var dates = map[reflect.Type]struct {
	kind unstable.Kind
	want string
}{
	reflect.TypeFor[toml.LocalDate]():     {unstable.LocalDate, "a date such as 2026-04-01"},
	reflect.TypeFor[toml.LocalTime]():     {unstable.LocalTime, "a time of day such as 04:30:00"},
	reflect.TypeFor[toml.LocalDateTime](): {unstable.LocalDateTime, "a date and time such as 2026-04-01T04:30:00"},
	reflect.TypeFor[time.Time]():          {unstable.DateTime, "a date and time with its zone, such as 2026-04-01T04:30:00Z"},
}

var textUnmarshaler = reflect.TypeFor[encoding.TextUnmarshaler]()

// value checks one node against the type that takes it; want replaces the
// general words for what is expected.
func (c *checker) value(key string, n *node, t reflect.Type, want string) {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if date, ok := dates[t]; ok {
		c.kind(key, n, date.kind, want, date.want)
		return
	}
	if reflect.PointerTo(t).Implements(textUnmarshaler) {
		c.text(key, n, t, want)
		return
	}
	switch t.Kind() {
	case reflect.Struct:
		c.table(key, n, t, want)
	case reflect.Map:
		c.anyTable(key, n, t, want)
	case reflect.Slice, reflect.Array:
		c.list(key, n, t, want)
	case reflect.String:
		c.kind(key, n, unstable.String, want, "a text in quotes")
	case reflect.Bool:
		c.kind(key, n, unstable.Bool, want, "true or false")
	case reflect.Float32, reflect.Float64:
		if n.kind != unstable.Integer {
			c.kind(key, n, unstable.Float, want, "a number")
		}
	case reflect.Interface:
	default:
		c.integer(key, n, t, want)
	}
}

// kind notes an error unless the node is of this kind, and says whether it is.
func (c *checker) kind(key string, n *node, kind unstable.Kind, want, general string) bool {
	if n.kind == kind {
		return true
	}
	if want == "" {
		want = general
	}
	e := c.at(n.valueAt, key, want)
	e.Value = shorten(n.raw)
	c.errs = append(c.errs, e)
	return false
}

// at is an error of an expectation at an offset.
func (c *checker) at(offset int, key, want string) Error {
	line, column := c.p.position(offset)
	return Error{File: c.p.file, Line: line, Column: column, Key: key, Expected: want}
}

// text checks a value that reads itself from text.
func (c *checker) text(key string, n *node, t reflect.Type, want string) {
	if !c.kind(key, n, unstable.String, want, "a text in quotes") {
		return
	}
	u := reflect.New(t).Interface().(encoding.TextUnmarshaler)
	if err := u.UnmarshalText([]byte(n.text)); err != nil {
		e := c.at(n.valueAt, key, want)
		e.Value, e.Problem = shorten(n.raw), err.Error()
		c.errs = append(c.errs, e)
	}
}

// table checks a table against a struct: every key must be the tag of a field.
func (c *checker) table(key string, n *node, t reflect.Type, want string) {
	if !c.kind(key, n, tableKind, want, "a table: keys with values") {
		return
	}
	fields, known := tags(t)
	for _, name := range n.names {
		child, path := n.children[name], join(key, name)
		field, ok := fields[name]
		if !ok {
			c.unknown(path, name, child, known)
			continue
		}
		c.value(path, child, field.Type, field.Tag.Get("want"))
	}
}

// unknown notes a key that no field knows, with the nearest name that one does.
func (c *checker) unknown(path, name string, n *node, known []string) {
	e := c.at(n.at, path, "one of "+strings.Join(known, ", "))
	e.Value, e.Problem, e.Unknown = shorten(n.raw), "no such key", true
	if near, ok := Nearest(name, known); ok {
		e.Problem, e.Expected = fmt.Sprintf("no such key; did you mean %q?", near), ""
	}
	c.errs = append(c.errs, e)
}

// tags are the fields of a struct by their toml names, and the names in order.
func tags(t reflect.Type) (map[string]reflect.StructField, []string) {
	fields, names := map[string]reflect.StructField{}, []string{}
	for i := range t.NumField() {
		name, _, _ := strings.Cut(t.Field(i).Tag.Get("toml"), ",")
		if name == "" || name == "-" {
			continue
		}
		fields[name] = t.Field(i)
		names = append(names, name)
	}
	return fields, names
}

// anyTable checks a table whose keys are the file's own.
func (c *checker) anyTable(key string, n *node, t reflect.Type, want string) {
	if !c.kind(key, n, tableKind, want, "a table: names with values") {
		return
	}
	for _, name := range n.names {
		c.value(join(key, name), n.children[name], t.Elem(), want)
	}
}

// list checks a list and each of its elements.
func (c *checker) list(key string, n *node, t reflect.Type, want string) {
	if !c.kind(key, n, listKind, want, "a list") {
		return
	}
	if t.Kind() == reflect.Array && len(n.items) != t.Len() {
		e := c.at(n.valueAt, key, fmt.Sprintf("a list of exactly %d", t.Len()))
		e.Value = shorten(n.raw)
		c.errs = append(c.errs, e)
		return
	}
	for i, item := range n.items {
		c.value(Item(key, i), item, t.Elem(), want)
	}
}

// integer checks a whole number against the size of the field that takes it.
func (c *checker) integer(key string, n *node, t reflect.Type, want string) {
	low, high, bounded := bounds(t)
	general := "a whole number"
	if bounded {
		general = fmt.Sprintf("a whole number from %d to %d", low, high)
	}
	if !c.kind(key, n, unstable.Integer, want, general) {
		return
	}
	v, err := strconv.ParseInt(strings.ReplaceAll(n.raw, "_", ""), 0, 64)
	if err != nil || v < low || v > high {
		c.kind(key, n, unstable.Invalid, want, general)
	}
}

// bounds is the range of an integer type, and whether it is worth telling.
func bounds(t reflect.Type) (low, high int64, bounded bool) {
	bits := t.Bits()
	if t.Kind() >= reflect.Uint && t.Kind() <= reflect.Uintptr {
		if bits == 64 {
			return 0, 1<<63 - 1, true
		}
		return 0, 1<<bits - 1, true
	}
	return -1 << (bits - 1), 1<<(bits-1) - 1, bits < 64
}
