// Command count prints how large the program is and how it is formed: lines of Go
// without tests, of Go tests and what only tests use, and of everything else; and for
// each package its lines, exported names, and functions explained as "X is ...".
package main

import (
	"bytes"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
)

// testOnly are the packages that only tests import: their lines count as tests.
var testOnly = []string{"hw/hwtest", "tracker/journal/journaltest", "tracker/golden", "cmd/internal/testkit", "cmd/internal/e2e", "display/displaytest", "systemd/dev"}

var otherKinds = []string{".c", ".h", ".sh", ".service", ".socket", ".path", ".rules", ".conf", ".toml", ".yaml", ".man", ".bash"}

// figures are the sums of one package, or of the house.
type figures struct {
	lines, exported, is, wide int
	functions                 []int
	longest                   int
	longestFile               string
}

func main() {
	byPackage := flag.Bool("packages", false, "also list every package")
	flag.Parse()
	if err := run(*byPackage); err != nil {
		fmt.Fprintln(os.Stderr, "count:", err)
		os.Exit(1)
	}
}

func run(byPackage bool) error {
	house, packages := figures{}, map[string]*figures{}
	var tests, other int
	err := fs.WalkDir(os.DirFS("."), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "testdata" || slices.Contains([]string{"bin", "dist", "out", ".git"}, name)) {
			return fs.SkipDir
		}
		if !d.Type().IsRegular() {
			return nil
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		lines := bytes.Count(text, []byte("\n"))
		switch {
		case path.Ext(name) == ".go" && isTest(name):
			tests += lines
			if !strings.HasSuffix(name, "_test.go") { // test support is formed as the program is
				var support figures
				if err := support.add(name, text, lines); err != nil {
					return err
				}
				house.functions = append(house.functions, support.functions...)
			}
		case path.Ext(name) == ".go":
			p := packages[path.Dir(name)]
			if p == nil {
				p = &figures{}
				packages[path.Dir(name)] = p
			}
			if err := p.add(name, text, lines); err != nil {
				return err
			}
			return house.add(name, text, lines)
		case slices.Contains(otherKinds, path.Ext(name)):
			other += lines
		}
		return nil
	})
	if err != nil {
		return err
	}
	if byPackage {
		fmt.Printf("%-28s %6s %9s %4s %5s %8s\n", "package", "lines", "exported", "is", ">120", "longest")
		for _, name := range slices.Sorted(keys(packages)) {
			p := packages[name]
			fmt.Printf("%-28s %6d %9d %4d %5d %8d\n", name, p.lines, p.exported, p.is, p.wide, p.longest)
		}
	}
	slices.Sort(house.functions)
	fmt.Printf("Go without tests        %6d\nGo of tests             %6d\nC, shell, templates     %6d\n", house.lines, tests, other)
	fmt.Printf("exported names          %6d\nfunctions, median lines %6d\nlongest file            %6d %s\nlines over 120 columns  %6d\nexplained as X is ...   %6d\n",
		house.exported, house.functions[len(house.functions)/2], house.longest, house.longestFile, house.wide, house.is)
	return nil
}

func keys(m map[string]*figures) func(func(string) bool) {
	return func(yield func(string) bool) {
		for name := range m {
			if !yield(name) {
				return
			}
		}
	}
}

func isTest(name string) bool {
	return strings.HasSuffix(name, "_test.go") || slices.ContainsFunc(testOnly, func(dir string) bool { return strings.HasPrefix(name, dir+"/") })
}

var explainedAsIs = regexp.MustCompile(`^(\S+,? )?\S+ (is|are|was|were)\b`)

// add counts one file.
func (f *figures) add(name string, text []byte, lines int) error {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, name, text, parser.ParseComments)
	if err != nil {
		return err
	}
	f.lines += lines
	if lines > f.longest {
		f.longest, f.longestFile = lines, name
	}
	for line := range strings.Lines(string(text)) {
		if len([]rune(strings.ReplaceAll(strings.TrimRight(line, "\n"), "\t", "    "))) > 120 {
			f.wide++
		}
	}
	for _, decl := range file.Decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			f.functions = append(f.functions, set.Position(d.End()).Line-set.Position(d.Pos()).Line+1)
			if d.Recv == nil || ast.IsExported(receiver(d.Recv.List[0].Type)) {
				f.name(d.Name)
			}
			if d.Doc != nil && explainedAsIs.MatchString(d.Doc.Text()) {
				f.is++
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.TypeSpec:
					f.name(s.Name)
				case *ast.ValueSpec:
					for _, n := range s.Names {
						f.name(n)
					}
				}
			}
		}
	}
	return nil
}

// receiver returns the name of the type that a method belongs to.
func receiver(of ast.Expr) string {
	switch t := of.(type) {
	case *ast.StarExpr:
		return receiver(t.X)
	case *ast.IndexExpr:
		return receiver(t.X)
	case *ast.Ident:
		return t.Name
	}
	return ""
}

func (f *figures) name(n *ast.Ident) {
	if n.IsExported() {
		f.exported++
	}
}
