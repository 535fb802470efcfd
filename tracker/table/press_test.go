package table_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Bounds of what BANKER and OK may run of the packages tracker and stats: presses,
// releases, the record, Boards and indicators. A press is to be read as one function.
const (
	mostFunctions = 100
	mostFiles     = 25
)

func TestOnePressRunsFewFunctions(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	program, out := filepath.Join(dir, "press"), filepath.Join(dir, "out")
	if err := os.Mkdir(out, 0o755); err != nil {
		t.Fatal(err)
	}
	run := func(name string, args ...string) string {
		cmd := exec.Command(name, args...)
		cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=", "OUT="+out)
		text, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s %q: %v\n%s", name, args, err, text)
		}
		return string(text)
	}
	run("go", "build", "-buildvcs=false", "-cover", "-covermode=atomic",
		"-coverpkg=shoeboard/tracker/...,shoeboard/stats/...", "-o", program, "./testdata/press")
	run(program)
	var functions []string
	files := map[string]bool{}
	for line := range strings.Lines(run("go", "tool", "covdata", "func", "-i="+out)) {
		f := strings.Fields(line)
		if file, _, ok := strings.Cut(f[0], ":"); ok && f[len(f)-1] != "0.0%" && !strings.Contains(file, "testdata") {
			files[file] = true
			functions = append(functions, strings.TrimPrefix(file, "shoeboard/")+" "+f[1])
		}
	}
	if len(functions) < 20 {
		t.Fatalf("only %q ran", functions)
	}
	if len(functions) > mostFunctions || len(files) > mostFiles {
		slices.Sort(functions)
		t.Errorf("BANKER and OK run %d functions in %d files, at most %d in %d may:\n%s",
			len(functions), len(files), mostFunctions, mostFiles, strings.Join(functions, "\n"))
	}
	t.Logf("%d functions in %d files", len(functions), len(files))
}

// press.md names files and functions that exist.
func TestThePageOfAPressIsTrue(t *testing.T) {
	page, err := os.ReadFile("press.md")
	if err != nil {
		t.Fatal(err)
	}
	named := 0
	file := regexp.MustCompile("`([a-z_/0-9]+\\.go)`((?: `[A-Za-z.]+`)+)")
	for _, in := range file.FindAllStringSubmatch(string(page), -1) {
		has := functionsOf(t, filepath.Join("../..", in[1]))
		for _, name := range strings.Fields(strings.ReplaceAll(in[2], "`", "")) {
			named++
			if !has[name] {
				t.Errorf("%s has no function %s", in[1], name)
			}
		}
	}
	if named < 45 {
		t.Errorf("only %d functions are named", named)
	}
}

// functionsOf returns the functions of a file, methods with their type: "Engine.Handle".
func functionsOf(t *testing.T, path string) map[string]bool {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	has := map[string]bool{}
	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok {
			name := f.Name.Name
			if f.Recv != nil {
				ast.Inspect(f.Recv.List[0].Type, func(n ast.Node) bool {
					if id, ok := n.(*ast.Ident); ok && !strings.Contains(name, ".") {
						name = id.Name + "." + name
					}
					return true
				})
			}
			has[name] = true
		}
	}
	return has
}
