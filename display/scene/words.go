package scene

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"shoeboard/assets"
	"shoeboard/tracker/strict"
)

// Catalogue holds every text of the board in one language, by its key.
type Catalogue struct {
	Lang Lang
	keys []string // in the order of the English file
	text map[string]string
}

// Catalogues reads every catalogue that the program carries, by language. The English one,
// which is the first, says which texts there are.
func Catalogues() (map[Lang]*Catalogue, error) {
	var keys []string
	out := map[Lang]*Catalogue{}
	for _, l := range assets.Langs() {
		c, err := readCatalogue(l, keys)
		if err != nil {
			return nil, err
		}
		keys, out[c.Lang] = c.keys, c
	}
	return out, nil
}

// readCatalogue reads one catalogue. It refuses, with file, line and key, a key that is
// not among keys, missing or empty; no keys allow any.
func readCatalogue(l assets.Lang, keys []string) (*Catalogue, error) {
	var text map[string]string
	where, errs := strict.Decode(l.File, l.Data, &text)
	if err := errs.Err(); err != nil {
		return nil, err
	}
	line := func(key string) int { return where.Error(key, "").Line }
	own := slices.SortedFunc(maps.Keys(text), func(a, b string) int { return line(a) - line(b) })
	if keys == nil {
		keys = own
	}
	for _, key := range keys {
		if !where.Has(key) {
			errs = append(errs, strict.Error{File: l.File, Line: 1, Column: 1, Key: key, Problem: "is missing"})
		}
	}
	for _, key := range own {
		if !slices.Contains(keys, key) {
			errs = append(errs, where.Problem(key, unknown(key, keys)))
		} else if text[key] == "" {
			errs = append(errs, where.Error(key, "a text that is not empty"))
		}
	}
	return &Catalogue{Lang: Lang(l.Code), keys: keys, text: text}, errs.Err()
}

func unknown(key string, keys []string) string {
	if near, ok := strict.Nearest(key, keys); ok {
		return "is not a text of the board; did you mean " + near + "?"
	}
	return "is not a text of the board"
}

// get returns the text of key with each {name} in it replaced: fill gives names
// and values in turn.
func (c *Catalogue) get(key string, fill ...string) string {
	text, ok := c.text[key]
	if !ok {
		return key // a test finds it in the picture
	}
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
func (w words) say(key string, fill ...string) phrase {
	p := phrase{first: w.first.get(key, fill...)}
	if w.second != nil {
		p.second = w.second.get(key, fill...)
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
	return strings.ToUpper(labels[string(english)])
}

// odds writes a pack's "40 TO 1", or "12 TO 1 / 20 TO 1", in the first language
// with the words of key.
func (w words) odds(key string, pays string) string {
	var out []string
	for i, part := range strings.Split(strings.ToUpper(pays), " / ") {
		if i > 0 {
			key = "odds"
		}
		if n, m, ok := strings.Cut(part, " TO "); ok {
			part = w.first.get(key, "n", n, "m", m)
		}
		out = append(out, part)
	}
	return strings.Join(out, " / ")
}

// hands writes a number of hands.
func (w words) hands(n int) phrase {
	if n == 1 {
		return w.say("hands_one", "n", "1")
	}
	return w.say("hands", "n", strconv.Itoa(n))
}

// winsOf is the text that says when a bet wins, by the bet's id.
var winsOf = map[string]string{
	"player": "wins_player", "banker": "wins_banker", "tie": "wins_tie",
	"dragon-7": "wins_dragon_7", "panda-8": "wins_panda_8",
	"ox-6": "wins_ox_6", "tiger-7": "wins_tiger_7", "kill": "wins_kill",
}

// reasonOf is the text for the reason of a void, by the word in the record.
var reasonOf = map[string]string{"misdeal": "void_misdeal", "exposed card": "void_exposed", "floor": "void_floor"}
