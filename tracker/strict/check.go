package strict

import (
	"cmp"
	"encoding"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// checker compares the nodes of a file with the type that it is to fill.
type checker struct {
	p    *Positions
	top  map[string]reflect.StructField // the keys above the first section
	errs Errors
}

var textUnmarshaler = reflect.TypeFor[encoding.TextUnmarshaler]()

func readsText(t reflect.Type) bool { return reflect.PointerTo(t).Implements(textUnmarshaler) }

// accepted returns the kinds of values that a type accepts, and the general words for
// them; none means any.
func accepted(t reflect.Type, key string) (kinds []unstable.Kind, words string) {
	switch {
	case t == reflect.TypeFor[toml.LocalDate]():
		return []unstable.Kind{unstable.LocalDate}, "a date such as 2026-04-01"
	case readsText(t):
		return []unstable.Kind{unstable.String}, "a text in quotes"
	}
	switch t.Kind() {
	case reflect.Struct:
		return []unstable.Kind{tableKind}, "one section: [" + key + "]"
	case reflect.Map:
		return []unstable.Kind{tableKind}, "a section with names and their values: [" + key + "]"
	case reflect.Slice, reflect.Array:
		if t.Elem().Kind() == reflect.Struct {
			return []unstable.Kind{listKind}, "a list, with double brackets: [[" + key + "]]"
		}
		return []unstable.Kind{listKind}, "a list in brackets"
	case reflect.String:
		return []unstable.Kind{unstable.String}, "a text in quotes"
	case reflect.Bool:
		return []unstable.Kind{unstable.Bool}, "true or false"
	case reflect.Float32, reflect.Float64:
		return []unstable.Kind{unstable.Float, unstable.Integer}, "a number"
	case reflect.Interface:
		return nil, ""
	}
	return []unstable.Kind{unstable.Integer}, "a whole number"
}

// value checks one node against the type that it is read into and the tag of its field.
func (c *checker) value(n *node, t reflect.Type, tag reflect.StructTag) {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	kinds, general := accepted(t, n.key)
	switch {
	case kinds == nil:
	case !slices.Contains(kinds, n.kind):
		c.errs = append(c.errs, c.p.Error(n.key, cmp.Or(wanted(tag), general)))
	case t == reflect.TypeFor[toml.LocalDate]():
	case readsText(t):
		u := reflect.New(t).Interface().(encoding.TextUnmarshaler)
		if err := u.UnmarshalText([]byte(n.text)); err != nil {
			c.errs = append(c.errs, c.p.Problem(n.key, err.Error()))
		}
	case t.Kind() == reflect.Struct:
		c.section(n, t)
	case t.Kind() == reflect.Array && len(n.children) != t.Len():
		c.errs = append(c.errs, c.p.Error(n.key, fmt.Sprintf("a list of exactly %d", t.Len())))
	case t.Kind() == reflect.Map:
		for _, child := range n.children {
			c.value(child, t.Elem(), tag)
		}
	case n.kind == listKind:
		for _, child := range n.children {
			c.value(child, t.Elem(), "")
		}
	default:
		c.rule(n, tag)
	}
}

// rule checks a value against the choice or the range of its field's tag.
func (c *checker) rule(n *node, tag reflect.StructTag) {
	choice := strings.Fields(tag.Get("one"))
	if len(choice) > 0 && !slices.Contains(choice, n.text) {
		c.errs = append(c.errs, c.p.NoneOf(n.key, n.text, choice))
	}
	low, high, _, ok := limits(tag)
	v, err := strconv.ParseInt(strings.ReplaceAll(n.raw, "_", ""), 0, 64)
	if ok && (err != nil || v < low || v > high) {
		c.errs = append(c.errs, c.p.Error(n.key, wanted(tag)))
	}
}

// limits reads the tag range:"5 120 seconds" of a whole number; the noun may be left out.
func limits(tag reflect.StructTag) (low, high int64, noun string, ok bool) {
	n, _ := fmt.Sscanf(tag.Get("range"), "%v %v %s", &low, &high, &noun)
	return low, high, noun, n >= 2
}

// wanted returns what a field's tag says is expected, "" when it says nothing.
func wanted(tag reflect.StructTag) string {
	if choice := strings.Fields(tag.Get("one")); len(choice) > 0 {
		return alternatives(choice)
	}
	low, high, noun, ok := limits(tag)
	switch {
	case tag.Get("want") != "" || !ok:
		return tag.Get("want")
	case noun != "":
		return fmt.Sprintf("a whole number of %s from %d to %d", noun, low, high)
	}
	return fmt.Sprintf("a whole number from %d to %d", low, high)
}

// alternatives returns `"a", "b" or "c"`.
func alternatives(words []string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = strconv.Quote(w)
	}
	last := len(quoted) - 1
	switch last {
	case -1:
		return "nothing: there is none"
	case 0:
		return quoted[0]
	}
	return strings.Join(quoted[:last], ", ") + " or " + quoted[last]
}

// section checks a section against a struct: every key must be the tag of a field.
func (c *checker) section(n *node, t reflect.Type) {
	fields, names := tags(t)
	for _, child := range n.children {
		if field, ok := fields[child.name]; ok {
			c.value(child, field.Type, field.Tag)
			continue
		}
		e := c.p.Error(child.key, "one of "+strings.Join(names, ", "))
		e.Line, e.Column = c.p.position(child.at)
		e.Problem, e.Unknown = "no such key", true
		if near, ok := Nearest(child.name, names); ok {
			e.Problem, e.Expected = fmt.Sprintf("no such key; did you mean %q?", near), ""
		} else if _, ok := c.top[child.name]; ok && n.key != "" {
			e.Problem, e.Expected = "no such key in this section; it belongs above the first [section]", ""
		}
		c.errs = append(c.errs, e)
	}
}

// tags returns the fields of a struct by their toml names, and the names in order.
func tags(t reflect.Type) (fields map[string]reflect.StructField, names []string) {
	fields = map[string]reflect.StructField{}
	for i := range t.NumField() {
		if name, _, _ := strings.Cut(t.Field(i).Tag.Get("toml"), ","); name != "" && name != "-" {
			fields[name] = t.Field(i)
			names = append(names, name)
		}
	}
	return fields, names
}

// expectation returns what a type expects as the value of key, "" of a key that it does
// not have.
func expectation(t reflect.Type, key string) (want string) {
	for _, part := range strings.Split(key, ".") {
		if t.Kind() == reflect.Slice {
			t = t.Elem()
		}
		name, _, _ := strings.Cut(part, "[")
		switch t.Kind() {
		case reflect.Struct:
			fields, _ := tags(t)
			field, ok := fields[name]
			if !ok {
				return ""
			}
			t, want = field.Type, wanted(field.Tag)
		case reflect.Map:
			t = t.Elem()
		default:
			return ""
		}
		if t.Kind() == reflect.Pointer {
			t = t.Elem()
		}
	}
	_, general := accepted(t, key)
	return cmp.Or(want, general)
}
