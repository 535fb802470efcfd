package config

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"shoeboard/tracker/game"
	"shoeboard/tracker/strict"
)

// File is one file that was read without an error, or the built-in defaults.
type File struct {
	Path   string // "" for the defaults
	common Config
	tables map[string]Config
	p      *strict.Positions
	data   []byte
}

// Table is what is in force at this table.
func (f *File) Table(number string) Config {
	c, ok := f.tables[number]
	if !ok {
		c = f.common
	}
	c.Table = number
	return c
}

// Tables are the numbers of the tables that the file has a part for, sorted.
func (f *File) Tables() []string { return slices.Sorted(maps.Keys(f.tables)) }

// NoPart says that the file has parts of tables and none of this one, "" when that is not
// so. It is no fault: the venue's own values hold there. A mistyped number looks so too.
func (f *File) NoPart(number string) string {
	if _, own := f.tables[number]; own || len(f.tables) == 0 {
		return ""
	}
	return fmt.Sprintf("the configuration has no [table.%s], so the venue's values hold there; it has parts for %s", number, strings.Join(f.Tables(), ", "))
}

// Hash is the start of the file's SHA-256 in hexadecimal, to compare units by.
func (f *File) Hash() string {
	sum := sha256.Sum256(f.data)
	return hex.EncodeToString(sum[:4])
}

// Read reads the text of a file; path is for messages. Game, decks and bets are
// checked against packs. The error is a strict.Errors with everything that was
// found; with an error there is no File.
func Read(path string, data []byte, packs []*game.Pack) (*File, error) {
	f, errs := readAll(path, data, packs, true)
	if len(errs) > 0 {
		return nil, errs
	}
	return f, nil
}

// Defaults is the File of a unit that has none.
func Defaults() *File {
	p, _ := strict.Decode("", nil, &Config{})
	return &File{common: Default(), p: p}
}

// readOnce reads as far as it can get at once: types says that something is
// wrong with the notation, the keys or the types, so that the sense of the values
// was not looked at.
func readOnce(path string, data []byte, packs []*game.Pack, together bool) (f *File, errs strict.Errors, types bool) {
	f = &File{Path: path, common: Default(), data: data, tables: map[string]Config{}}
	f.common.Screens, f.common.Keypads = nil, nil // else a file's own would mix with them
	if f.p, errs = strict.Decode(path, data, &f.common); len(errs) > 0 {
		return nil, errs, true
	}
	f.common.fill(origin{p: f.p})
	f.merge()
	return f, f.check(packs, together), false
}

// merge makes a whole Config of every override. The file is read a second time,
// into copies of the common part, so that the reader itself does the merging.
func (f *File) merge() {
	over := Config{Tables: map[string]*Config{}}
	for name := range f.common.Tables {
		c := f.common
		c.Tables = nil
		c.yield(origin{f.p, name})
		over.Tables[name] = &c
	}
	strict.Decode(f.Path, f.data, &over) // the same text was read without an error
	for name, c := range over.Tables {
		c.fill(origin{f.p, name})
		f.tables[name] = *c
	}
	f.common.Tables = nil
}

// origin knows where the values that are in force for a table stand in the file.
type origin struct {
	p     *strict.Positions
	table string // "" for the common part
}

// key is a key as it stands in the file: that of the override, if there is one.
func (o origin) key(key string) string {
	if o.overrides(key) {
		return o.prefix() + key
	}
	return key
}

func (o origin) prefix() string { return "table." + o.table + "." }

// overrides says whether the table's own part gives the key.
func (o origin) overrides(key string) bool {
	return o.table != "" && o.p.Has(o.prefix()+owner(key))
}

// has says whether the file gives the key at all.
func (o origin) has(key string) bool { return o.p.Has(o.key(key)) }

// owner is the part of a key that an override replaces as a whole.
func owner(key string) string {
	parts := strings.SplitN(key, ".", 3)
	switch top, _, _ := strings.Cut(parts[0], "["); top {
	case "limit", "screen", "keypad", "shoe", "light", "buzzer", "echo", "timer", "key_switch":
		return top
	case "collections", "keymap":
		return strings.Join(parts[:min(2, len(parts))], ".")
	}
	return key
}

// yield empties what the override gives itself and shares nothing that the
// second reading could write to.
func (c *Config) yield(o origin) {
	v := reflect.ValueOf(c).Elem()
	for i := range v.NumField() {
		if v.Field(i).Kind() == reflect.Slice && o.overrides(v.Type().Field(i).Tag.Get("toml")) {
			v.Field(i).SetZero()
		}
	}
	c.Collections, c.Keymaps = maps.Clone(c.Collections), maps.Clone(c.Keymaps)
	maps.DeleteFunc(c.Collections, func(name string, _ Collection) bool { return o.overrides("collections." + name) })
	maps.DeleteFunc(c.Keymaps, func(name string, _ Keymap) bool { return o.overrides("keymap." + name) })
}

// fill gives the elements of lists their defaults, which no reader can do: they
// are not there before the file is read. What a table has from the common part
// has been filled there.
func (c *Config) fill(o origin) {
	mine := func(list string) bool { return o.table == "" || o.overrides(list) }
	if mine("screen") {
		fill(c.Screens, o, "screen", func(Screen) Screen { return defaultScreen() })
	}
	if mine("keypad") {
		fill(c.Keypads, o, "keypad", func(k Keypad) Keypad { return defaultKeypad(k.Kind) })
	}
	if mine("shoe") {
		fill(c.Shoes, o, "shoe", func(s Shoe) Shoe { return Shoe{Name: "shoe", FaceDown: s.Kind != "lines"} })
	}
	c.panelDefaults(o)
	if !o.has("screen") {
		c.Screens = Default().Screens
	}
	if !o.has("keypad") {
		c.Keypads = Default().Keypads
	}
}

// fill sets the fields of the elements of a list that the file does not give.
func fill[T any](list []T, o origin, name string, defaults func(T) T) {
	for i := range list {
		to, from := reflect.ValueOf(&list[i]).Elem(), reflect.ValueOf(defaults(list[i]))
		for f := range to.NumField() {
			if !o.has(strict.Item(name, i) + "." + to.Type().Field(f).Tag.Get("toml")) {
				to.Field(f).Set(from.Field(f))
			}
		}
	}
}
