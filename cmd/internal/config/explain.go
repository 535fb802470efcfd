package config

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"shoeboard/stats"
	"shoeboard/tracker/strict"
)

// FaultText returns a fault of the configuration on one line, with its place.
func FaultText(f *stats.ConfigFault) string {
	switch {
	case f.Line == 0:
		return f.Text
	case f.Key == "":
		return fmt.Sprintf("%s:%d: %s", f.File, f.Line, f.Text)
	}
	return fmt.Sprintf("%s:%d: %s = %s", f.File, f.Line, f.Key, f.Text)
}

// faultOf returns the first error of a file as the board shows it, with its place apart.
func faultOf(path string, err error) *stats.ConfigFault {
	var errs strict.Errors
	if !errors.As(err, &errs) || len(errs) == 0 {
		return &stats.ConfigFault{File: path, Text: err.Error()}
	}
	e := errs[0]
	parts := []string{e.Value, e.Problem}
	if e.Expected != "" {
		parts = append(parts, "expected "+e.Expected)
	}
	parts = slices.DeleteFunc(parts, func(part string) bool { return part == "" })
	return &stats.ConfigFault{File: e.File, Line: e.Line, Key: e.Key, Text: strings.Join(parts, ", ")}
}

// Value is one value in force, and where it comes from.
type Value struct {
	Key    string `json:"key"`            // "screen[1].theme"
	Value  string `json:"value"`          // as a file has it
	File   string `json:"file,omitempty"` // empty: built in
	Line   int    `json:"line,omitempty"`
	Effect string `json:"effect"` // when a change takes effect: "now", "hand", "shoe", "stick" or "start"
}

// Values returns all values in force for a table, in the order of the manual.
func (f *File) Values(table string) (all []Value) {
	o := origin{f.p, table}
	for _, s := range f.Table(table).settings() {
		v := Value{Key: s.key, Value: s.text(), Effect: s.effect}
		if o.has(s.key) {
			v.File, v.Line = f.Path, f.p.Problem(o.key(s.key), "").Line
		}
		all = append(all, v)
	}
	return all
}

// setting is one value of a Config with its place in it.
type setting struct {
	key    string // "screen[1].theme"
	effect string // of the key at the top
	field  reflect.StructField
	value  reflect.Value
	within reflect.Value // the struct that has the field
}

// settings returns all values of a Config.
func (c Config) settings() []setting { return settingsOf(reflect.ValueOf(c), "", "") }

func settingsOf(v reflect.Value, key, effect string) (all []setting) {
	for i := range v.NumField() {
		s := setting{field: v.Type().Field(i), value: v.Field(i), within: v, effect: effect}
		name := s.field.Tag.Get("toml")
		switch {
		case name == "-" || name == "table":
			continue
		case key == "":
			s.key, s.effect = name, s.field.Tag.Get("effect")
		default:
			s.key = key + "." + name
		}
		all = append(all, s.parts()...)
	}
	return all
}

// parts returns the settings within a section, a list of sections or a map, else the
// setting itself.
func (s setting) parts() (all []setting) {
	_, text := s.value.Interface().(fmt.Stringer)
	switch {
	case s.value.Kind() == reflect.Struct && !text:
		return settingsOf(s.value, s.key, s.effect)
	case s.value.Kind() == reflect.Slice && s.value.Type().Elem().Kind() == reflect.Struct:
		for i := range s.value.Len() {
			all = append(all, settingsOf(s.value.Index(i), strict.Item(s.key, i), s.effect)...)
		}
		return all
	case s.value.Kind() == reflect.Map:
		names := s.value.MapKeys()
		slices.SortFunc(names, func(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) })
		for _, name := range names {
			all = append(all, settingsOf(s.value.MapIndex(name), s.key+"."+strict.Quoted(name.String()), s.effect)...)
		}
		return all
	}
	return []setting{s}
}

// text returns a value as a file has it.
func (s setting) text() string {
	switch x := s.value.Interface().(type) {
	case dollars:
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
