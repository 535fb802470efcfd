package config

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

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

// Table returns what is in force at this table.
func (f *File) Table(number string) Config {
	c, ok := f.tables[number]
	if !ok {
		c = f.common
	}
	c.Table = number
	return c
}

// Tables returns the numbers of the tables that the file has a part for, sorted.
func (f *File) Tables() []string { return slices.Sorted(maps.Keys(f.tables)) }

// NoPart returns a sentence when the file has parts for tables and none for this one, else
// "". It is no fault: the common part holds there. A mistyped number looks the same.
func (f *File) NoPart(number string) string {
	if _, own := f.tables[number]; own || len(f.tables) == 0 {
		return ""
	}
	return fmt.Sprintf("the configuration has no [table.%s], so the common settings apply; it has parts for %s",
		number, strings.Join(f.Tables(), ", "))
}

// Hash returns the start of the file's SHA-256 in hexadecimal, to compare units by.
func (f *File) Hash() string {
	sum := sha256.Sum256(f.data)
	return hex.EncodeToString(sum[:4])
}

// Defaults returns the File of a unit that has none.
func Defaults() *File {
	p, _ := strict.Decode("", nil, &Config{})
	return &File{common: Default(), p: p}
}

// Read reads the text of a file; path is for messages. Game, decks and bets are
// checked against packs. The error is a strict.Errors: the first line that is not TOML,
// or all wrong keys and types, or all wrong values. With an error there is no File.
func Read(path string, data []byte, packs []*game.Pack) (*File, error) {
	f, errs := parse(path, data, packs, true)
	return f, errs.Err()
}

// byteOrderMark is what Notepad may write before the first line.
var byteOrderMark = []byte("\xef\xbb\xbf")

// parse reads a file; together compares its devices with each other too.
func parse(path string, data []byte, packs []*game.Pack, together bool) (*File, strict.Errors) {
	data = bytes.TrimPrefix(data, byteOrderMark)
	if e, bad := notText(data); bad && len(data) <= strict.MaxBytes {
		e.File = path
		return nil, strict.Errors{e}
	}
	f := &File{Path: path, common: Default(), data: data, tables: map[string]Config{}}
	f.common.Screens, f.common.Keypads = nil, nil // else a file's own would mix with them
	var errs strict.Errors
	if f.p, errs = strict.Decode(path, data, &f.common); len(errs) > 0 {
		return nil, errs
	}
	f.common.fill(origin{p: f.p})
	f.merge()
	if errs = f.check(packs, together); len(errs) > 0 {
		return nil, errs
	}
	return f, nil
}

// notText returns an error at the first byte that is not text: the file has another
// encoding, or the zeros of a card that lost its power.
func notText(data []byte) (e strict.Error, bad bool) {
	at := 0
	for ; at < len(data); at++ {
		r, n := utf8.DecodeRune(data[at:])
		if r == 0 || r == utf8.RuneError && n == 1 {
			start := bytes.LastIndexByte(data[:at], '\n') + 1
			e.Line, e.Column = bytes.Count(data[:at], []byte("\n"))+1, utf8.RuneCount(data[start:at])+1
			e.Problem, e.Expected = "the file is not UTF-8 text from here on", "the whole file, saved as UTF-8"
			return e, true
		}
		at += n - 1
	}
	return e, false
}

// merge makes a whole Config of every override. The file is read a second time,
// into copies of the common part, so that the reader itself does the merging.
func (f *File) merge() {
	over := Config{Tables: map[string]*Config{}}
	for name := range f.common.Tables {
		c := f.common
		c.Tables = nil
		c.clear(origin{f.p, name})
		over.Tables[name] = &c
	}
	strict.Decode(f.Path, f.data, &over) // the same text was read without an error
	for name, c := range over.Tables {
		c.fill(origin{f.p, name})
		f.tables[name] = *c
	}
	f.common.Tables = nil
}

// origin finds the values of a table in the file.
type origin struct {
	p     *strict.Positions
	table string // "" for the common part
}

// key returns a key as it is in the file: that of the override, if there is one.
func (o origin) key(key string) string {
	if o.overrides(key) {
		return o.prefix() + key
	}
	return key
}

func (o origin) prefix() string { return "table." + o.table + "." }

// overrides reports whether the table's own part gives the key.
func (o origin) overrides(key string) bool {
	return o.table != "" && o.p.Has(o.prefix()+replaced(key))
}

// has reports whether the file gives the key at all.
func (o origin) has(key string) bool { return o.p.Has(o.key(key)) }

// replaced returns the part of a key that an override replaces as a whole.
func replaced(key string) string {
	top, rest, inside := strings.Cut(key, ".")
	if list, _, is := strings.Cut(top, "["); is {
		return list
	}
	if !inside || top != "collections" && top != "keymap" {
		return key
	}
	name, err := strconv.QuotedPrefix(rest)
	if err != nil { // it has no quotes
		name, _, _ = strings.Cut(rest, ".")
	}
	return top + "." + name
}

// clear empties what the override gives itself, and shares nothing that the
// second reading could write to.
func (c *Config) clear(o origin) {
	v := reflect.ValueOf(c).Elem()
	for i := range v.NumField() {
		if v.Field(i).Kind() == reflect.Slice && o.overrides(v.Type().Field(i).Tag.Get("toml")) {
			v.Field(i).SetZero()
		}
	}
	c.Collections, c.Keymaps = maps.Clone(c.Collections), maps.Clone(c.Keymaps)
	maps.DeleteFunc(c.Collections, func(name string, _ Collection) bool { return o.overrides("collections." + strict.Quoted(name)) })
	maps.DeleteFunc(c.Keymaps, func(name string, _ keymap) bool { return o.overrides("keymap." + strict.Quoted(name)) })
}

// fill sets the fields that the file does not give of the elements of lists: they have
// no place for a default before the file is read. Those that a table has from the common
// part have been filled there.
func (c *Config) fill(o origin) {
	v := reflect.ValueOf(c).Elem()
	for i := range v.NumField() {
		list, name := v.Field(i), v.Type().Field(i).Tag.Get("toml")
		if list.Kind() != reflect.Slice || o.table != "" && !o.overrides(name) {
			continue
		}
		for n := range list.Len() {
			to := list.Index(n)
			from := reflect.ValueOf(defaultsOf(to.Interface()))
			for f := range to.NumField() {
				if !o.has(strict.Item(name, n) + "." + to.Type().Field(f).Tag.Get("toml")) {
					to.Field(f).Set(from.Field(f))
				}
			}
		}
	}
	if !o.has("screen") {
		c.Screens = Default().Screens
	}
	if !o.has("keypad") {
		c.Keypads = Default().Keypads
	}
}
