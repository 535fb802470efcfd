package config

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"shoeboard/tracker/strict"
)

// Value is one value in force, for a person who asks where it comes from.
type Value struct {
	Key    string `json:"key"`            // "screen[1].theme"
	Value  string `json:"value"`          // as a file has it
	File   string `json:"file,omitempty"` // empty: built in
	Line   int    `json:"line,omitempty"`
	Effect string `json:"effect"` // when a change takes effect: "now", "hand", "shoe" or "start"
}

// Values are all values in force for a table, in the order of the manual.
func (f *File) Values(table string) []Value {
	d := describer{origin: origin{f.p, table}, file: f.Path}
	d.fields(reflect.ValueOf(f.Table(table)), "")
	return d.values
}

// describer walks a Config and notes every value.
type describer struct {
	origin
	file   string
	effect string
	values []Value
}

func (d *describer) fields(v reflect.Value, key string) {
	for i := range v.NumField() {
		field := v.Type().Field(i)
		name := field.Tag.Get("toml")
		if name == "-" || name == "table" {
			continue
		}
		if key == "" {
			d.effect = field.Tag.Get("effect")
		} else {
			name = key + "." + name
		}
		d.value(v.Field(i), name)
	}
}

func (d *describer) value(v reflect.Value, key string) {
	_, text := v.Interface().(fmt.Stringer)
	switch {
	case v.Kind() == reflect.Struct && !text:
		d.fields(v, key)
	case v.Kind() == reflect.Slice && v.Type().Elem().Kind() == reflect.Struct:
		for i := range v.Len() {
			d.fields(v.Index(i), strict.Item(key, i))
		}
	case v.Kind() == reflect.Map:
		names := v.MapKeys()
		slices.SortFunc(names, func(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) })
		for _, name := range names {
			d.value(v.MapIndex(name), key+"."+quoted(name.String()))
		}
	default:
		d.note(key, written(v))
	}
}

func (d *describer) note(key, value string) {
	v := Value{Key: key, Value: value, Effect: d.effect}
	if d.has(key) {
		v.File, v.Line = d.file, d.p.Problem(d.key(key), "").Line
	}
	d.values = append(d.values, v)
}

// written is a value as a file has it.
func written(v reflect.Value) string {
	switch x := v.Interface().(type) {
	case Dollars:
		return x.String()
	case fmt.Stringer:
		return fmt.Sprintf("%q", x.String())
	case string:
		return fmt.Sprintf("%q", x)
	case []string:
		quoted := make([]string, len(x))
		for i, s := range x {
			quoted[i] = fmt.Sprintf("%q", s)
		}
		return "[" + strings.Join(quoted, ", ") + "]"
	default:
		return fmt.Sprint(x)
	}
}
