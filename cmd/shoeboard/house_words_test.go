package main

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
)

// The words and the form of the code, as "shoeboard help words" has them. The figures only
// go down.

const (
	mostExplainedAsIs = 60  // functions whose doc says "X is ..."
	mostColumns       = 120 // of a line, with tabs of four
	mostWideLines     = 7
)

// production returns the source without tests and what only tests use.
func production(t *testing.T) map[string][]byte {
	t.Helper()
	files := source(t)
	for name := range files {
		if strings.HasSuffix(name, "_test.go") || in(name, "hw/hwtest/...", "tracker/journal/journaltest/...",
			"tracker/golden/...", "cmd/internal/testkit/...", "cmd/internal/e2e/...", "display/displaytest/...", "systemd/...") {
			delete(files, name)
		}
	}
	return files
}

var explainedAsIs = regexp.MustCompile(`^(\S+,? )?\S+ (is|are|was|were)\b`)

// A doc comment says what a function does with an ordinary verb: reports whether, returns,
// writes. "X is the ..." makes the reader guess.
func TestFunctionsAreExplainedByVerbs(t *testing.T) {
	var found []string
	for name, text := range production(t) {
		for _, d := range parsed(t, name, text).Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Doc != nil && explainedAsIs.MatchString(f.Doc.Text()) {
				found = append(found, name+" "+f.Name.Name)
			}
		}
	}
	if len(found) > mostExplainedAsIs {
		slices.Sort(found)
		t.Errorf("%d functions are explained as \"X is\", at most %d may be:\n%s",
			len(found), mostExplainedAsIs, strings.Join(found, "\n"))
	}
}

// A line that is wider than a terminal hides its end.
func TestLinesFitATerminal(t *testing.T) {
	var found []string
	for name, text := range production(t) {
		for i, line := range strings.Split(string(text), "\n") {
			if n := len([]rune(strings.ReplaceAll(line, "\t", "    "))); n > mostColumns {
				found = append(found, fmt.Sprintf("%s:%d has %d", name, i+1, n))
			}
		}
	}
	if len(found) > mostWideLines {
		slices.Sort(found)
		t.Errorf("%d lines have over %d columns, at most %d may:\n%s",
			len(found), mostColumns, mostWideLines, strings.Join(found, "\n"))
	}
}

// banned are words that no name may have, with the word to use.
var banned = map[string]string{
	"patient": "unit", "errand": "task", "spool": "helper", "gallery": "presenter", "desk": "engine",
	"abreast": "a verb", "untold": "pending", "recall": "cancel", "wish": "command",
}

// participles name no function: a verb says what it does, a noun what it returns.
var participles = []string{"told", "standing", "coming", "sent", "passed", "heard", "sick", "asked", "stood"}

// bannedInComments are phrases that hide what a sentence is about.
var bannedInComments = regexp.MustCompile(`(?i)\b(anew|whoever|nothing but|that which|abreast|errands?|wish(es)?)\b`)

func TestNoCommentHasABannedPhrase(t *testing.T) {
	for name, text := range production(t) {
		for _, group := range parsed(t, name, text).Comments {
			if at := bannedInComments.FindString(group.Text()); at != "" {
				t.Errorf("%s: a comment has %q; name the thing", name, at)
			}
		}
	}
}

// One word has one meaning: no name is made of a word that the glossary replaces.
func TestNoNameHasABannedWord(t *testing.T) {
	for name, text := range production(t) {
		ast.Inspect(parsed(t, name, text), func(n ast.Node) bool {
			var names []*ast.Ident
			switch n := n.(type) {
			case *ast.FuncDecl:
				names = []*ast.Ident{n.Name}
			case *ast.TypeSpec:
				names = []*ast.Ident{n.Name}
			case *ast.ValueSpec:
				names = n.Names
			case *ast.Field:
				names = n.Names
			}
			_, function := n.(*ast.FuncDecl)
			for _, id := range names {
				for _, word := range wordsOf(id.Name) {
					use, ok := banned[word]
					if ok || function && slices.Contains(participles, word) {
						t.Errorf("%s: %s has the word %q; use %s", name, id.Name, word, cmp.Or(use, "a verb or a noun"))
					}
				}
			}
			return true
		})
	}
}

func parsed(t *testing.T, name string, text []byte) *ast.File {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), name, text, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// wordsOf returns the words of a name in lower case: "askTakeOver" has ask, take, over.
func wordsOf(name string) []string {
	var words []string
	start := 0
	for i, r := range name {
		if i > start && unicode.IsUpper(r) && !unicode.IsUpper(rune(name[i-1])) {
			words = append(words, strings.ToLower(name[start:i]))
			start = i
		}
	}
	return append(words, strings.ToLower(name[start:]))
}

func TestWordsOfANameAreFound(t *testing.T) {
	if got := wordsOf("askTakeOverHTTP"); !slices.Equal(got, []string{"ask", "take", "over", "http"}) {
		t.Errorf("%q", got)
	}
}
