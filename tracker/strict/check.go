package strict

import (
	"cmp"
	"encoding"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// checker compares the nodes of a file with the type that it is to fill.
type checker struct {
	p    *Positions
	top  map[string]reflect.StructField // the keys above the first section
	errs Errors
}

var (
	textUnmarshaler = reflect.TypeFor[encoding.TextUnmarshaler]()
	localDate       = reflect.TypeFor[toml.LocalDate]()
)

func readsText(t reflect.Type) bool { return reflect.PointerTo(t).Implements(textUnmarshaler) }

// accepted returns the kinds of values that a type accepts, as the TOML library decodes
// them, and the general words for them; none means any.
func accepted(t reflect.Type, key string) (kinds []reflect.Kind, words string) {
	switch {
	case t == localDate:
		return []reflect.Kind{reflect.Struct}, "a date such as 2026-04-01"
	case readsText(t):
		return []reflect.Kind{reflect.String}, "a text in quotes"
	}
	switch t.Kind() {
	case reflect.Struct:
		return []reflect.Kind{reflect.Map}, "one section: [" + key + "]"
	case reflect.Map:
		return []reflect.Kind{reflect.Map}, "a section with names and their values: [" + key + "]"
	case reflect.Slice, reflect.Array:
		if t.Elem().Kind() == reflect.Struct {
			return []reflect.Kind{reflect.Slice}, "a list, with double brackets: [[" + key + "]]"
		}
		return []reflect.Kind{reflect.Slice}, "a list in brackets"
	case reflect.String:
		return []reflect.Kind{reflect.String}, "a text in quotes"
	case reflect.Bool:
		return []reflect.Kind{reflect.Bool}, "true or false"
	case reflect.Float32, reflect.Float64:
		return []reflect.Kind{reflect.Float64, reflect.Int64}, "a number"
	case reflect.Interface:
		return nil, ""
	}
	return []reflect.Kind{reflect.Int64}, "a whole number"
}

// value checks a value against the type that it is read into and the tag of its field.
func (c *checker) value(key string, v any, t reflect.Type, tag reflect.StructTag) {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	kinds, general := accepted(t, key)
	if kinds == nil {
		return
	}
	if !slices.Contains(kinds, reflect.TypeOf(v).Kind()) {
		c.errs = append(c.errs, c.p.Error(key, cmp.Or(wanted(tag), general)))
		return
	}
	switch v := v.(type) {
	case map[string]any:
		c.section(key, v, t, tag)
	case []any:
		if t.Kind() == reflect.Array && len(v) != t.Len() {
			c.errs = append(c.errs, c.p.Error(key, fmt.Sprintf("a list of exactly %d", t.Len())))
			return
		}
		for i, item := range v {
			c.value(Item(key, i), item, t.Elem(), "")
		}
	case string:
		if readsText(t) {
			u := reflect.New(t).Interface().(encoding.TextUnmarshaler)
			if err := u.UnmarshalText([]byte(v)); err != nil {
				c.errs = append(c.errs, c.p.Problem(key, err.Error()))
			}
		}
		if choice := strings.Fields(tag.Get("one")); len(choice) > 0 && !slices.Contains(choice, v) {
			c.errs = append(c.errs, c.p.NoneOf(key, v, choice))
		}
	case int64:
		if low, high, _, ok := limits(tag); ok && (v < low || v > high) {
			c.errs = append(c.errs, c.p.Error(key, wanted(tag)))
		}
	}
}

// section checks the keys of a map, or of a struct: each must be the tag of a field.
func (c *checker) section(key string, v map[string]any, t reflect.Type, tag reflect.StructTag) {
	var fields map[string]reflect.StructField
	var names []string
	if t.Kind() == reflect.Struct {
		fields, names = tags(t)
	}
	for _, name := range slices.Sorted(maps.Keys(v)) {
		field, ok := fields[name]
		switch at := join(key, name); {
		case t.Kind() == reflect.Map:
			c.value(at, v[name], t.Elem(), tag)
		case ok:
			c.value(at, v[name], field.Type, field.Tag)
		default:
			c.unknown(at, name, names, key == "")
		}
	}
}

// unknown records a key that no field has, with the nearest one.
func (c *checker) unknown(key, name string, names []string, top bool) {
	e := c.p.Error(key, "one of "+strings.Join(names, ", "))
	e.Line, e.Column = c.p.position(c.p.places[key].at)
	e.Problem, e.Unknown = "no such key", true
	if near, ok := Nearest(name, names); ok {
		e.Problem, e.Expected = fmt.Sprintf("no such key; did you mean %q?", near), ""
	} else if _, ok := c.top[name]; ok && !top {
		e.Problem, e.Expected = "no such key in this section; it belongs above the first [section]", ""
	}
	c.errs = append(c.errs, e)
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
