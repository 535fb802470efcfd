package config

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"shoeboard/tracker/strict"
)

// improve says more, and in plainer words, where this package knows more than the
// reader of TOML does.
func (t text) improve(e strict.Error) strict.Error {
	line := t.line(e.Line)
	switch {
	case strings.HasPrefix(line, "[") && !strings.HasPrefix(e.Problem, "is given"):
		return t.header(e, line)
	case e.Key == "":
		return t.notation(e)
	case strings.HasPrefix(e.Problem, "no such key"):
		return t.unknown(e)
	}
	if parts := setting.FindStringSubmatch(line); parts != nil && e.Value == "" && lastOf(e.Key) == parts[1] {
		e.Value = short(parts[2])
	}
	return e
}

// lastOf is a key without the sections that it stands in.
func lastOf(key string) string { return key[strings.LastIndexByte(key, '.')+1:] }

// short is a value on one line, in at most 60 characters that can be printed.
func short(value string) string {
	value = strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return '?'
		}
		return r
	}, value)
	if runes := []rune(value); len(runes) > 60 {
		return string(runes[:57]) + "..."
	}
	return value
}

// tableHeader is a section for one table, as it is written by mistake.
var tableHeader = regexp.MustCompile(`^\[+\s*tables?[ _-]?([A-Za-z0-9]{1,8})\s*\]+`)

// header explains what is wrong with a line that begins a section.
func (t text) header(e strict.Error, line string) strict.Error {
	name := strings.Trim(line, "[] \t")
	switch table := tableHeader.FindStringSubmatch(line); {
	case table != nil && !strings.HasPrefix(e.Problem, "is not the number"):
		e.Problem, e.Expected = "no such section", fmt.Sprintf("[table.%s] for what table %[1]s has of its own", table[1])
	case e.Expected == "a list":
		e.Problem, e.Expected = "there may be more than one of it", "double brackets: [["+name+"]]"
	case strings.HasPrefix(e.Expected, "a table") && strings.HasPrefix(line, "[["):
		e.Problem, e.Expected = "there is one of it", "single brackets: ["+name+"]"
	case strings.HasSuffix(e.Problem, "already exists"):
		e.Key, e.Problem = name, fmt.Sprintf("is given a second time; the first is on line %d", t.first(line))
	case strings.HasSuffix(e.Problem, "exists as a value"):
		e.Problem = fmt.Sprintf("%s is a single value and no section", strings.Split(name, ".")[0])
		e.Expected = "[collections.NAME] for a schedule, and collection = \"NAME\" above the first section"
	case strings.HasSuffix(e.Problem, "at start of value"):
		e.Problem = fmt.Sprintf("the list before the line %.60q is not closed", line)
		e.Expected = "a line with ] before it"
	case e.Key == "":
		e.Problem += fmt.Sprintf(", in the line %.60q", line)
	}
	return e
}

// first is the first line that reads as this one does.
func (t text) first(line string) int {
	for i := range t.lines {
		if t.line(i+1) == line {
			return i + 1
		}
	}
	return 1
}

// plainer are the words of the reader of TOML and ours.
var plainer = []struct{ is, say string }{
	{"at start of value", "this is no value"},
	{"expected keyword", "this is no value"},
	{"strings must be quoted", "this is no value"},
	{"expected newline but got", "something stands behind the value"},
	{"cannot have new lines", "the quote at the end is missing"},
	{"invalid escape character", `a \ in a text is written \\`},
	{"cannot have leading zeroes", "a number does not begin with 0"},
	{"after array value", listOpen},
	{"after inline table key-value", "a comma or the } is missing, or a value is none"},
	{"expected '=' after key", "the = behind the key is missing"},
	{"at start of key", noSetting},
}

const (
	noSetting = "no setting begins so"
	listOpen  = "a comma or the ] of a list is missing before this"
)

// notation explains a line that is not TOML.
func (t text) notation(e strict.Error) strict.Error {
	line := t.line(e.Line)
	for _, p := range plainer {
		if strings.Contains(e.Problem, p.is) {
			e.Problem = p.say
			break
		}
	}
	parts := setting.FindStringSubmatch(line)
	switch {
	case parts != nil && e.Problem != listOpen:
		e.Key, e.Value = t.path(e.Line)+parts[1], short(parts[2])
		if e.Expected = wanted(e.Key); e.Expected == "" {
			e.Expected = "key = value; texts stand in quotes"
		}
		e.Problem = slip(e.Problem, parts[2])
		return e
	case e.Problem == noSetting:
		e.Expected = "key = value, or a # before words that are no setting"
	case strings.Contains(line, "%"):
		e.Expected = flatFee
	case strings.ContainsFunc(line, invisible):
		e.Problem, e.Expected = "there is an invisible character", "the line keyed anew"
	}
	if line != "" {
		e.Problem += fmt.Sprintf(", in the line %.60q", line)
	}
	return e
}

// invisible is a space that is none to TOML, as web pages and chats have it.
func invisible(r rune) bool {
	return r > unicode.MaxASCII && !unicode.IsGraphic(r) || r == 0xa0 || r == 0x3000
}

// slips are what hurried people write for a value.
var slips = []struct {
	looks *regexp.Regexp
	say   string
}{
	{regexp.MustCompile(`[“”„‟«»‘’]`), `these are typographic quotes; a text stands in plain ones, "`},
	{regexp.MustCompile(`^\$`), "an amount is written without $"},
	{regexp.MustCompile(`^-?\d{1,3}([, .']\d{3})+$`), "a number is written without commas or blanks, as 12000 or 12_000"},
	{regexp.MustCompile(`^-?[\d.]+ ?%$`), "no key takes a share"},
	{regexp.MustCompile(`^[^"']+[,;]$|^"[^"]*"[,;]$|^'[^']*'[,;]$`), "nothing stands behind a value"},
	{regexp.MustCompile(`^-?[\d.]+ ?[A-Za-z°"]+$`), "a number is written without its unit"},
	{regexp.MustCompile(`^"[^"]*"[^"]+"`), `a " in a text is written \"`},
	{regexp.MustCompile(`^'[^']*'[^']+'`), `a text with a ' stands in "`},
}

// slip is the problem of a value, or what was probably done.
func slip(problem, value string) string {
	for _, s := range slips {
		if s.looks.MatchString(strings.TrimSpace(value)) {
			return s.say
		}
	}
	return problem
}

// flatFee is what is expected instead of a percentage.
const flatFee = "a flat fee in dollars; a fee is never a share of the wager"

// unknown says where a key that is not known here does belong.
func (t text) unknown(e strict.Error) strict.Error {
	name := lastOf(e.Key)
	switch under := sectionOf(name); {
	case strings.Contains(name, "percent") || strings.Contains(name, "share"):
		e.Problem, e.Expected = "no such key", flatFee
	case strings.Contains(e.Problem, "did you mean"):
	case name != e.Key && wanted(name) != "":
		e.Problem = fmt.Sprintf("no such key in this section; %s stands above the first [section]", name)
		if e.Expected = ""; !slices.Contains(ofTheUnit(), name) {
			e.Problem += ", or right under [table.N]"
		}
	case name == e.Key && under != "":
		e.Problem, e.Expected = fmt.Sprintf("no such key here; %s stands under %s", name, under), ""
		if at := t.hidden(e.Line, under); at > 0 {
			e.Problem += fmt.Sprintf(", which is behind a # on line %d", at)
		}
	}
	return e
}

// hidden is the line before this one with a section that has a # before it, 0: none.
func (t text) hidden(before int, section string) int {
	for n := before - 1; n > 0; n-- {
		line := t.line(n)
		if strings.HasPrefix(line, "#") && strings.TrimSpace(strings.TrimLeft(line, "# \t")) == section {
			return n
		}
	}
	return 0
}

// path is the section that a line is in, as a key has it: "limit[2].", "" for none.
func (t text) path(n int) string {
	at := t.headers[min(max(n, 1), len(t.headers))-1]
	if at == 0 {
		return ""
	}
	line := t.line(at)
	name := strings.Trim(line, "[] \t")
	if !strings.HasPrefix(line, "[[") {
		return name + "."
	}
	count := -1
	for i := range at {
		if t.line(i+1) == line {
			count++
		}
	}
	return strict.Item(name, count) + "."
}
