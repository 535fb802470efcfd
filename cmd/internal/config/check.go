package config

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"shoeboard/assets"
	"shoeboard/display/scene"
	"shoeboard/tracker/game"
	"shoeboard/tracker/strict"
)

// check looks at the sense of one table's values; the types are right already.
type check struct {
	origin
	packs []*game.Pack
	errs  strict.Errors
	fonts *scene.Fonts // of the board; nil until a text needs them

	together bool // the devices are held against each other
}

// check says what is wrong with the common part and with every table.
func (f *File) check(packs []*game.Pack, together bool) strict.Errors {
	return f.each(packs, func(c *check, t Config) {
		c.together = together
		switch {
		case c.table == "":
			c.all(t)
		case !tableName(c.table):
			c.problem("table."+quoted(c.table), "is not the number of a table", tableNames+" such as [table.14]")
		default:
			c.override(t)
		}
	})
}

// Warnings are what the file may say and probably does not mean, in its order.
func (f *File) Warnings() strict.Errors {
	errs := f.each(nil, (*check).digits)
	errs.Sort()
	return errs
}

// each looks at the common part and at every table, and tells each thing once.
func (f *File) each(packs []*game.Pack, look func(c *check, t Config)) strict.Errors {
	var errs strict.Errors
	for _, name := range append([]string{""}, f.Tables()...) {
		c := check{origin: origin{f.p, name}, packs: packs}
		t := f.common
		if name != "" {
			t = f.tables[name]
		}
		look(&c, t)
		for _, e := range c.errs {
			if !slices.Contains(errs, e) {
				errs = append(errs, e)
			}
		}
	}
	return errs
}

// tableNames is what tables can be called.
const tableNames = "up to 8 digits and letters"

// tableName says that a table can be called so.
func tableName(name string) bool {
	other := func(r rune) bool { return r > 'z' || !unicode.IsLetter(r) && !unicode.IsDigit(r) }
	return name != "" && len(name) <= 8 && !strings.ContainsFunc(name, other)
}

// override checks a table that has a part of its own.
func (c *check) override(t Config) {
	if c.p.Has(c.prefix() + "table") {
		c.problem(c.prefix()+"table", "a table has no tables of its own", "")
	}
	for _, key := range ofTheUnit() {
		if c.p.Has(c.prefix() + key) {
			c.problem(c.prefix()+key, "is the unit's at every table", "it above the first [section]")
		}
	}
	c.all(t)
}

// ofTheUnit are the keys that no table has for itself: which table a unit stands at is
// known only from its data folder, and verbs ask its core without knowing it.
func ofTheUnit() []string { return []string{"data", "socket"} }

// all checks everything that is in force for one table.
func (c *check) all(t Config) {
	c.text("venue", t.Venue, 40)
	c.zone(t.Zone)
	c.game(t)
	c.oneOf("bets", t.Bets, "off", "close", "timer")
	c.number("bet_seconds", t.BetSeconds, 5, 120, "of seconds ")
	c.number("reopen_seconds", t.Reopen, 3, 60, "of seconds ")
	c.number("auto_open", t.AutoOpen, 5, 120, "of seconds ")
	c.number("min_hand", t.MinHand, 0, 30, "of seconds ")
	c.entry(t)
	c.number("dealer_fix", t.DealerFix, 0, 3, "")
	c.path("data", t.Data)
	c.path("socket", t.Socket)
	c.limits(t)
	c.collections(t)
	c.oneOf("roads.tail", t.Roads.Tail, "gravity", "stay")
	c.oneOf("roads.leading_tie", t.Roads.LeadingTie, "overlay", "own_column")
	c.text("texts.message", t.Texts.Message, 120)
	c.text("texts.info_line", t.Texts.InfoLine, 120)
	c.text("texts.care_line", t.Texts.CareLine, 120)
	c.screens(t.Screens)
	c.keypads(t)
	c.shoes(t.Shoes)
	c.panel(t)
	if c.together {
		c.apart(t)
	}
	c.keymaps(t)
}

// expect notes that the value of key is not what it should be.
func (c *check) expect(key, expected string) {
	c.errs = append(c.errs, c.p.Error(c.key(key), expected))
}

// problem notes what is wrong at a key as it stands in the file, and what is
// expected, which may be empty.
func (c *check) problem(key, problem, expected string) {
	e := c.p.Problem(key, problem)
	e.Expected = expected
	c.errs = append(c.errs, e)
}

// number expects low to high.
func (c *check) number(key string, v, low, high int, unit string) {
	if v < low || v > high {
		c.expect(key, fmt.Sprintf("a whole number %sfrom %d to %d", unit, low, high))
	}
}

// oneOf expects one of a few words, and says which was probably meant.
func (c *check) oneOf(key, v string, known ...string) {
	if slices.Contains(known, v) {
		return
	}
	e := c.p.Error(c.key(key), alternatives(known))
	if near, ok := strict.Nearest(v, known); ok && e.Problem == "" {
		e.Problem = fmt.Sprintf("did you mean %q?", near)
	}
	c.errs = append(c.errs, e)
}

// alternatives is `"a", "b" or "c"`.
func alternatives(words []string) string {
	if len(words) == 0 {
		return "nothing: there is none"
	}
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = fmt.Sprintf("%q", w)
	}
	last := len(quoted) - 1
	if last == 0 {
		return quoted[0]
	}
	return strings.Join(quoted[:last], ", ") + " or " + quoted[last]
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
			return // the fonts are tested; a screen says what is wrong with them
		}
		c.fonts = fonts
	}
	if missing := c.fonts.Missing(v); len(missing) > 0 {
		c.problem(c.key(key), fmt.Sprintf("the board has no glyph for %q", missing[0]), "other characters")
	}
}

// path expects a place in the file system, written from the root.
func (c *check) path(key, v string) {
	if !strings.HasPrefix(v, "/") || len(v) > 100 || strings.ContainsFunc(v, unicode.IsControl) {
		c.expect(key, "a path from the root, of at most 100 characters")
	}
}

// names expects elements of a list to have different names that a person can say.
func (c *check) names(list string, names []string) {
	first := map[string]int{}
	for i, name := range names {
		key := strict.Item(list, i) + ".name"
		if before, twice := first[name]; twice {
			c.problem(c.key(key), fmt.Sprintf("is the name of %s too", strict.Item(list, before)), "a name of its own")
			continue
		}
		first[name] = i
		if name == "" || len(name) > 24 || strings.Trim(name, nameLetters) != "" {
			c.expect(key, "a name of 1 to 24 letters, digits, - and _")
		}
	}
}

const nameLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"

// quoted is a name as it stands in a key of strict: in quotes if it is not bare.
func quoted(name string) string {
	if name == "" || strings.Trim(name, nameLetters) != "" {
		return fmt.Sprintf("%q", name)
	}
	return name
}
