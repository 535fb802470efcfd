package main

import (
	"bytes"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// What is at the top of the repository. Everything else has its place in one of
// these, so that a newcomer sees at once what there is.
var topLevel = []string{
	"go.mod", "go.sum", "cmd", "display", "tracker", "hw", "stats", "assets", "systemd",
	"README.md", "Makefile", "LICENSE", "SECURITY.md", ".ci", ".gitignore", "staticcheck.conf", ".git",
}

func TestTopLevel(t *testing.T) {
	entries, err := os.ReadDir(root)
	if err != nil {
		t.Fatal(err)
	}
	ignored, err := os.ReadFile(filepath.Join(root, ".gitignore"))
	if err != nil {
		t.Fatal(err)
	}
	made := func(name string) bool {
		return slices.ContainsFunc(strings.Fields(string(ignored)), func(pattern string) bool {
			ok, _ := path.Match(strings.Trim(pattern, "/"), name)
			return ok
		})
	}
	for _, e := range entries {
		if !slices.Contains(topLevel, e.Name()) && !made(e.Name()) {
			t.Errorf("%s is at the top of the repository; what is there is decided, not grown", e.Name())
		}
	}
}

func TestEveryPackageHasADoc(t *testing.T) {
	for _, p := range house(t) {
		begin := "Package " + p.Name + " "
		if p.Name == "main" {
			begin = "Command "
		}
		if len(p.GoFiles) > 0 && !strings.HasPrefix(p.Doc, begin) {
			t.Errorf("%s has no package doc that begins with %q; the doc is what a caller may rely on", p.short(), begin)
		}
	}
}

// source is every Go file of the repository, by its path from the top.
func source(t *testing.T) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	err := fs.WalkDir(os.DirFS(root), ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || name == "bin" || name == "dist" || name == "out" || name == ".git"):
			return fs.SkipDir
		case !d.Type().IsRegular() || path.Ext(name) != ".go":
			return nil
		}
		files[name], err = os.ReadFile(filepath.Join(root, name))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

const (
	mostLines     = 470 // of a file that is not a test
	mostTestLines = 500 // of a file of tests
	mostFuncLines = 65  // of a function that is not a test
)

func TestNothingIsTooLong(t *testing.T) {
	for name, text := range source(t) {
		most := mostLines
		if strings.HasSuffix(name, "_test.go") {
			most = mostTestLines
		}
		if n := bytes.Count(text, []byte("\n")); n > most {
			t.Errorf("%s has %d lines; over %d a file has two subjects", name, n, most)
		}
		if most == mostTestLines {
			continue
		}
		for _, f := range functions(t, name, text) {
			if f.lines > mostFuncLines {
				t.Errorf("%s: %s has %d lines; over %d nobody sees all of a function", name, f.name, f.lines, mostFuncLines)
			}
			if f.name == "init" {
				t.Errorf("%s has an init(); what a program does at its start stands in main", name)
			}
		}
	}
}

type function struct {
	name  string
	lines int
}

func functions(t *testing.T, name string, text []byte) []function {
	t.Helper()
	set := token.NewFileSet()
	f, err := parser.ParseFile(set, name, text, 0)
	if err != nil {
		t.Fatal(err)
	}
	var all []function
	for _, d := range f.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok {
			from, to := set.Position(fn.Pos()).Line, set.Position(fn.End()).Line
			all = append(all, function{fn.Name.Name, to - from + 1})
		}
	}
	return all
}

func TestFunctionsAreCounted(t *testing.T) {
	got := functions(t, "x.go", []byte("package x\n\nfunc a() {\n}\nfunc (T) b() {\n\n\n}\n"))
	if want := []function{{"a", 2}, {"b", 4}}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestGofmt(t *testing.T) {
	for name, text := range source(t) {
		want, err := format.Source(text)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if !bytes.Equal(text, want) {
			t.Errorf("%s is not as gofmt writes it; run gofmt -w %[1]s", name)
		}
	}
}
