package config

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"shoeboard/assets"
	"shoeboard/cmd/internal/datadir"
	"shoeboard/display/scene"
	"shoeboard/tracker/game"
	"shoeboard/tracker/strict"
)

// check examines the values of one table; their types, choices and ranges are right.
type check struct {
	origin
	packs []*game.Pack
	errs  strict.Errors
	fonts *scene.Fonts // of the board; nil until a text needs them
}

// check returns what is wrong with the common part and with every table. together: the
// devices are compared with each other.
func (f *File) check(packs []*game.Pack, together bool) strict.Errors {
	return f.each(packs, func(c *check, t Config) {
		if c.table != "" && datadir.CheckTable(c.table) != nil {
			c.problem("table."+strict.Quoted(c.table), "is not the number of a table",
				"up to 8 digits and letters such as [table.14]")
			return
		}
		c.unit()
		c.rules(t)
		c.zone(t.Zone)
		c.game(t)
		c.entry(t)
		c.limits(t)
		c.collections(t)
		c.devices(t, together)
		if together {
			c.conflicts(t)
		}
		c.keymaps(t)
	})
}

// Warnings returns what the file may say and probably does not mean.
func (f *File) Warnings() strict.Errors { return f.each(nil, (*check).digits) }

// each runs a check of the common part and of every table, and returns each error once,
// in the order of the file.
func (f *File) each(packs []*game.Pack, run func(c *check, t Config)) strict.Errors {
	var errs strict.Errors
	for _, name := range append([]string{""}, f.Tables()...) {
		c := check{origin: origin{f.p, name}, packs: packs}
		run(&c, f.Table(name))
		for _, e := range c.errs {
			if !slices.Contains(errs, e) {
				errs = append(errs, e)
			}
		}
	}
	errs.Sort()
	return errs
}

// unit refuses in a table's own part what no table has for itself: which table a unit
// has is known only from its data folder, and verbs ask its core without knowing it.
func (c *check) unit() {
	if c.table == "" {
		return
	}
	if c.p.Has(c.prefix() + "table") {
		c.problem(c.prefix()+"table", "a table has no tables of its own", "")
	}
	for _, key := range []string{"data", "socket", "stick_ext4"} {
		if c.p.Has(c.prefix() + key) {
			c.problem(c.prefix()+key, "belongs to the unit, not to a table", "it above the first [section]")
		}
	}
}

// expect records that the value of key is not what it should be.
func (c *check) expect(key, expected string) {
	c.errs = append(c.errs, c.p.Error(c.key(key), expected))
}

// problem records what is wrong at a key as it is in the file, and what is
// expected, which may be empty.
func (c *check) problem(key, problem, expected string) {
	e := c.p.Problem(key, problem)
	e.Expected = expected
	c.errs = append(c.errs, e)
}

// oneOf expects one of a few words.
func (c *check) oneOf(key, v string, known ...string) {
	if !slices.Contains(known, v) {
		c.errs = append(c.errs, c.p.NoneOf(c.key(key), v, known))
	}
}

// rules checks all values against the tags of their fields.
func (c *check) rules(t Config) {
	for _, s := range t.settings() {
		switch {
		case s.fits():
			c.rule(s)
		case c.has(s.key):
			kinds := strings.ReplaceAll(s.field.Tag.Get("kind"), " ", `" or "`)
			c.problem(c.key(s.key), `is only for kind = "`+kinds+`"`, "")
		}
	}
}

// fits reports whether a device of this kind has the setting.
func (s setting) fits() bool {
	kinds := strings.Fields(s.field.Tag.Get("kind"))
	return len(kinds) == 0 || slices.Contains(kinds, s.within.FieldByName("Kind").String())
}

// rule checks one value. A rule is a word with a number, or with "optional" where the
// value may be empty.
func (c *check) rule(s setting) {
	rule, rest, _ := strings.Cut(s.field.Tag.Get("rule"), " ")
	most, _ := strconv.Atoi(rest)
	text, _ := s.value.Interface().(string)
	list, _ := s.value.Interface().([]string)
	if choice := s.field.Tag.Get("one"); choice != "" && text == "" {
		c.oneOf(s.key, text, strings.Fields(choice)...)
	}
	if rest == "optional" && text == "" {
		return
	}
	switch rule {
	case "text":
		c.text(s.key, text, most)
	case "path":
		if !strings.HasPrefix(text, "/") || len(text) > 100 || strings.ContainsFunc(text, unicode.IsControl) {
			c.expect(s.key, "an absolute path of at most 100 characters")
		}
	case "time":
		if _, err := time.Parse(clockTime, text); err != nil || len(text) != len(clockTime) {
			c.expect(s.key, s.field.Tag.Get("want"))
		}
	case "name":
		if text == "" || len(text) > 24 || strings.Trim(text, nameLetters) != "" {
			c.expect(s.key, "a name of 1 to 24 letters, digits, - and _")
		}
	case "pin":
		if !pinName(text) {
			c.expect(s.key, s.field.Tag.Get("want"))
		}
	case "pins":
		if len(list) < 1 || len(list) > most {
			c.expect(s.key, s.field.Tag.Get("want"))
		}
		for i, pin := range list {
			if !pinName(pin) {
				c.expect(strict.Item(s.key, i), "the name of a pin such as \"GPIO5\"")
			}
		}
	}
}

// text expects one line that fits its place.
func (c *check) text(key, v string, most int) {
	if strings.ContainsFunc(v, unicode.IsControl) || !utf8.ValidString(v) {
		c.expect(key, "one line without control characters")
	} else if n := utf8.RuneCountInString(v); n > most {
		c.problem(c.key(key), fmt.Sprintf("has %d characters", n), fmt.Sprintf("at most %d", most))
	} else {
		c.glyphs(key, v)
	}
}

// glyphs refuses a text with a character that no font of the board has.
func (c *check) glyphs(key, v string) {
	if !strings.ContainsFunc(v, func(r rune) bool { return r > unicode.MaxASCII }) {
		return
	}
	if c.fonts == nil {
		fonts, err := scene.NewFonts(assets.Fonts())
		if err != nil {
			return // the fonts are tested; a screen reports what is wrong with them
		}
		c.fonts = fonts
	}
	if missing := c.fonts.Missing(v); len(missing) > 0 {
		c.problem(c.key(key), fmt.Sprintf("the board has no glyph for %q", missing[0]), "other characters")
	}
}

const nameLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"

// pinName reports whether a pin can be called so: "GPIO17", or the chip's label and a
// number, "pinctrl-rp1:17".
func pinName(name string) bool {
	odd := func(r rune) bool { return r <= ' ' || r > '~' }
	return name != "" && len(name) <= 64 && !strings.ContainsFunc(name, odd)
}
