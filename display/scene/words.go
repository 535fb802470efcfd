package scene

import (
	"slices"
	"strconv"
	"strings"

	"shoeboard/assets"
	"shoeboard/tracker/strict"
)

// Catalogue holds every text of the board in one language.
type Catalogue struct {
	Lang Lang
	text [keyCount]string
}

// ReadCatalogue reads one catalogue. It refuses, with file, line and key, a key
// that is not known, missing or empty.
func ReadCatalogue(l assets.Lang) (*Catalogue, error) {
	var text map[string]string
	where, errs := strict.Decode(l.File, l.Data, &text)
	if err := errs.Err(); err != nil {
		return nil, err
	}
	c := &Catalogue{Lang: Lang(l.Code)}
	for key, name := range keyNames {
		c.text[key] = text[name]
		switch {
		case !where.Has(name):
			errs = append(errs, strict.Error{File: l.File, Line: 1, Column: 1, Key: name, Problem: "is missing"})
		case text[name] == "":
			errs = append(errs, where.Error(name, "a text that is not empty"))
		}
	}
	for name := range text {
		if !slices.Contains(keyNames[:], name) {
			errs = append(errs, where.Problem(name, unknown(name)))
		}
	}
	slices.SortFunc(errs, func(a, b strict.Error) int { return a.Line - b.Line })
	if err := errs.Err(); err != nil {
		return nil, err
	}
	return c, nil
}

func unknown(name string) string {
	if near, ok := strict.Nearest(name, keyNames[:]); ok {
		return "is not a text of the board; did you mean " + near + "?"
	}
	return "is not a text of the board"
}

// Catalogues reads every catalogue that the program carries, by language.
func Catalogues() (map[Lang]*Catalogue, error) {
	out := map[Lang]*Catalogue{}
	for _, l := range assets.Langs() {
		c, err := ReadCatalogue(l)
		if err != nil {
			return nil, err
		}
		out[c.Lang] = c
	}
	return out, nil
}

// Get returns the text of key with each {name} in it replaced: fill gives names
// and values in turn.
func (c *Catalogue) Get(key Key, fill ...string) string {
	text := c.text[key]
	for i := 0; i+1 < len(fill); i += 2 {
		text = strings.ReplaceAll(text, "{"+fill[i]+"}", fill[i+1])
	}
	return text
}

// phrase is one text in the board's languages; second is empty when there is
// one language, or both say the same.
type phrase struct{ first, second string }

// words are the catalogues in use: the first language and, or nil, the second.
type words struct{ first, second *Catalogue }

// say returns key in both languages.
func (w words) say(key Key, fill ...string) phrase {
	p := phrase{first: w.first.Get(key, fill...)}
	if w.second != nil {
		p.second = w.second.Get(key, fill...)
	}
	return p.tidy()
}

// tidy drops a second text that only repeats the first.
func (p phrase) tidy() phrase {
	if strings.EqualFold(p.first, p.second) {
		p.second = ""
	}
	return p
}

// alike reports whether both languages are written in the same way, so that two
// texts side by side need something between them.
func (w words) alike() bool {
	return w.second != nil && w.first.Lang.square() == w.second.Lang.square()
}

// label returns a name from a rule pack in both languages and in capitals,
// English where a language is missing.
func (w words) label(labels map[string]string) phrase {
	p := phrase{first: labelIn(labels, w.first.Lang)}
	if w.second != nil {
		p.second = labelIn(labels, w.second.Lang)
	}
	return p.tidy()
}

func labelIn(labels map[string]string, l Lang) string {
	if s := labels[string(l)]; s != "" {
		return strings.ToUpper(s)
	}
	return strings.ToUpper(labels[string(English)])
}

// odds writes a pack's "40 TO 1", or "12 TO 1 / 20 TO 1", in the first language
// with the words of key.
func (w words) odds(key Key, pays string) string {
	var out []string
	for i, part := range strings.Split(strings.ToUpper(pays), " / ") {
		if i > 0 {
			key = Odds
		}
		if n, m, ok := strings.Cut(part, " TO "); ok {
			part = w.first.Get(key, "n", n, "m", m)
		}
		out = append(out, part)
	}
	return strings.Join(out, " / ")
}

// hands writes a number of hands.
func (w words) hands(n int) phrase {
	if n == 1 {
		return w.say(HandsOne, "n", "1")
	}
	return w.say(Hands, "n", strconv.Itoa(n))
}

// square reports whether a language is written in characters that fill a
// square, which are set taller than capitals.
func (l Lang) square() bool { return l == Traditional || l == Simplified || l == Korean }
