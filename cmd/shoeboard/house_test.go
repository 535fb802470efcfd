package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// The layout of the house as tests: who may import what, and what the pure
// packages leave to others. Each rule fails with its reason.

// arrow forbids packages to reach others, directly or through anything between.
type arrow struct {
	from    string   // packages that must not, "tracker/..." with all under it
	but     []string // packages of from that may
	to      []string // what they must not reach
	allowed []string // what of to they may reach all the same
	because string
}

// cmd and what is under it wires everything and may reach everything;
// arrows of "..." do not hold for it.
var arrows = []arrow{
	{"...", []string{"display"}, []string{"github.com/hajimehoshi/ebiten/v2/..."}, nil,
		"only display reaches ebiten: everything else is tested without a window, and runs on a unit whose screen is broken"},
	{"...", []string{"tracker/history"}, []string{"go.etcd.io/bbolt/..."}, nil,
		"only tracker/history reaches bbolt: the index may be deleted at any moment, and a panic of bbolt is recovered in one place"},
	{"...", []string{"hw/..."}, []string{"periph.io/...", "go.bug.st/serial/...", "github.com/kenshaw/evdev/..."}, nil,
		"only hw reaches periph, serial and evdev: the middle knows presses and cards, never devices"},
	{"hw/...", nil, []string{"shoeboard/tracker/..."}, []string{"shoeboard/tracker/card"},
		"hw reaches nothing of tracker but card: a device knows positions and cards, never baccarat"},
	{"display/...", nil, []string{"shoeboard/tracker/table/...", "shoeboard/tracker/journal/...", "shoeboard/tracker/history/...", "shoeboard/hw/..."}, nil,
		"display reaches neither table, journal, history nor hw: it draws the newest Board, wherever that comes from"},
	{"cmd/...", []string{"cmd/internal/testkit/..."}, []string{"shoeboard/cmd/internal/testkit/..."}, nil,
		"only tests reach what is made for tests"},
	{"...", []string{"tracker/golden"}, []string{"shoeboard/tracker/golden"}, nil,
		"only tests reach what the first version wrote"},
	{"...", nil, []string{"shoeboard/cmd/..."}, nil,
		"nothing reaches cmd: flags and configuration are read there and handed down as values"},
}

// pure are the packages that are functions of what they are given.
var pure = []string{"tracker", "tracker/card", "tracker/game", "tracker/console", "tracker/menu", "stats/...", "display/scene"}

const pureBecause = "the same events must give the same state, Board and picture on every machine, for ever"

var impureImports = []string{"os/...", "net/...", "syscall/...", "math/rand/..."}

var impureCalls = []string{"Now", "Since", "Until", "After", "AfterFunc", "Tick", "NewTimer", "NewTicker", "Sleep"}

// pkg is one package of the module, or of another, as the go command tells.
type pkg struct {
	ImportPath, Dir, Name, Doc string
	GoFiles, Imports, Deps     []string
}

// short is the import path without the module's name.
func (p pkg) short() string { return strings.TrimPrefix(p.ImportPath, "shoeboard/") }

// house lists the packages of this module, tests not counted.
func house(t *testing.T) []pkg {
	t.Helper()
	list := exec.Command("go", "list", "-e", "-buildvcs=false", "-json=ImportPath,Dir,Name,Doc,GoFiles,Imports,Deps", "./...")
	list.Dir, list.Env = root, append(os.Environ(), "CGO_ENABLED=0")
	var stderr bytes.Buffer
	list.Stderr = &stderr
	out, err := list.Output()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, stderr.Bytes())
	}
	var all []pkg
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p pkg
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return all
		} else if err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
}

// root is the top of the repository, from the folder of this test.
const root = "../.."

// in says whether a path is one of the patterns; "a/..." is a and all under it.
func in(name string, patterns ...string) bool {
	return slices.ContainsFunc(patterns, func(pattern string) bool {
		under, all := strings.CutSuffix(pattern, "...")
		return name == pattern || all && (under == "" || name+"/" == under || strings.HasPrefix(name, under))
	})
}

func TestPatterns(t *testing.T) {
	for _, c := range []struct {
		name, pattern string
		want          bool
	}{
		{"hw", "hw/...", true}, {"hw/evdev", "hw/...", true}, {"hwx", "hw/...", false},
		{"display/scene", "display", false}, {"tracker", "...", true}, {"net/http", "net/...", true}, {"network", "net/...", false},
	} {
		if got := in(c.name, c.pattern); got != c.want {
			t.Errorf("%q in %q: %v", c.name, c.pattern, got)
		}
	}
}

func TestArrows(t *testing.T) {
	all := house(t)
	for _, p := range all {
		for _, a := range arrows {
			if !in(p.short(), a.from) || in(p.short(), a.but...) || a.from == "..." && in(p.short(), "cmd/...") {
				continue
			}
			forbidden := func(dep string) bool { return in(dep, a.to...) && !in(dep, a.allowed...) }
			if at := slices.IndexFunc(p.Deps, forbidden); at >= 0 {
				t.Errorf("%s reaches %s%s; %s", p.short(), p.Deps[at], through(all, p, p.Deps[at]), a.because)
			}
		}
	}
}

// through says which import of p leads to dep, "" if p imports it itself.
func through(all []pkg, p pkg, dep string) string {
	for _, other := range all {
		if !slices.Contains(p.Imports, dep) && slices.Contains(p.Imports, other.ImportPath) && slices.Contains(other.Deps, dep) {
			return " through " + other.short()
		}
	}
	return ""
}

func TestPurePackages(t *testing.T) {
	for _, p := range house(t) {
		if !in(p.short(), pure...) {
			continue
		}
		for _, i := range p.Imports {
			if in(i, impureImports...) {
				t.Errorf("%s imports %s; %s", p.short(), i, pureBecause)
			}
		}
		for _, name := range p.GoFiles {
			for _, what := range impurities(t, filepath.Join(p.Dir, name)) {
				t.Errorf("%s %s; %s", p.short(), what, pureBecause)
			}
		}
	}
}

// impurities are the calls of the clock and the goroutines that a file starts.
func impurities(t *testing.T, file string) []string {
	set := token.NewFileSet()
	f, err := parser.ParseFile(set, file, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	clock := ""
	for _, i := range f.Imports {
		if i.Path.Value == `"time"` {
			clock = "time"
			if i.Name != nil {
				clock = i.Name.Name
			}
		}
	}
	var found []string
	note := func(n ast.Node, what string) {
		at := set.Position(n.Pos())
		found = append(found, what+" at "+path.Base(at.Filename)+":"+strconv.Itoa(at.Line))
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			note(n, "starts a goroutine")
		case *ast.SelectorExpr:
			if x, ok := n.X.(*ast.Ident); ok && clock != "" && x.Name == clock && slices.Contains(impureCalls, n.Sel.Name) {
				note(n, "uses time."+n.Sel.Name)
			}
		}
		return true
	})
	return found
}

func TestImpuritiesAreFound(t *testing.T) {
	file := filepath.Join(t.TempDir(), "x.go")
	src := "package x\nimport clock \"time\"\nfunc f() {\n\tgo f()\n\t_ = clock.Now()\n\t_ = clock.Second\n}\n"
	if err := os.WriteFile(file, []byte(src), 0o600); err != nil {
		t.Fatal(err)
	}
	want := []string{"starts a goroutine at x.go:4", "uses time.Now at x.go:5"}
	if got := impurities(t, file); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
