package config

import (
	"reflect"
	"strings"
)

// wanted is what is expected of a key, "" for a section and for a key that is not known.
func wanted(key string) string {
	words := strings.Split(key, ".")
	if words[0] == "table" && len(words) > 2 {
		words = words[2:]
	}
	at := reflect.TypeFor[Config]()
	for i := 0; i < len(words); i++ {
		name, _, _ := strings.Cut(words[i], "[")
		f, ok := fieldOf(at, name)
		if !ok {
			return ""
		}
		at = f.Type
		switch {
		case i == len(words)-1:
			return wantOf(f)
		case at.Kind() == reflect.Slice:
			at = at.Elem()
		case at.Kind() == reflect.Map:
			at, i = at.Elem(), i+1
		}
	}
	return ""
}

// wantOf are the words of a field for what is expected, "" for one that is a section.
func wantOf(f reflect.StructField) string {
	switch f.Type.Kind() {
	case reflect.Map:
		return ""
	case reflect.Bool:
		return "true or false"
	}
	return f.Tag.Get("want")
}

func fieldOf(t reflect.Type, name string) (reflect.StructField, bool) {
	if t.Kind() != reflect.Struct {
		return reflect.StructField{}, false
	}
	for i := range t.NumField() {
		if t.Field(i).Tag.Get("toml") == name {
			return t.Field(i), true
		}
	}
	return reflect.StructField{}, false
}

// sectionOf is the section that has a key of that name, as a file begins it; "" where
// none has or more than one.
func sectionOf(name string) string {
	found := ""
	t := reflect.TypeFor[Config]()
	for i := range t.NumField() {
		f := t.Field(i)
		inner, section := f.Type, "["+f.Tag.Get("toml")+"]"
		switch inner.Kind() {
		case reflect.Slice:
			inner, section = inner.Elem(), "["+section+"]"
		case reflect.Map:
			continue
		}
		if _, ok := fieldOf(inner, name); !ok {
			continue
		}
		if found != "" {
			return ""
		}
		found = section
	}
	return found
}
