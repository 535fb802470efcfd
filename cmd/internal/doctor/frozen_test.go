package doctor

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// The codes of faults stand in records, and scripts wait for them: the list may grow,
// nothing of it may go or change its name. A code that ends in - goes on with a name.
func TestFaultCodesAreFrozen(t *testing.T) {
	text, err := os.ReadFile("testdata/fault-codes.txt")
	if err != nil {
		t.Fatal(err)
	}
	codes := strings.Fields(string(text))
	said := literals(t, "../../..")
	for _, code := range codes {
		if !said[code] {
			t.Errorf("fault %s: nothing raises it any more", code)
		}
		if remedy(code+"x") == remedy("something-new") && remedy(code) == remedy("something-new") {
			t.Errorf("fault %s: nothing is said of what to do", code)
		}
	}
	for code := range remedies {
		if !slices.ContainsFunc(codes, func(c string) bool { return c == code || strings.HasPrefix(c, code+"-") }) {
			t.Errorf("fault %s is new: add it to testdata/fault-codes.txt, for ever", code)
		}
	}
}

// literals are the texts in the program's source, the remedies not counted.
func literals(t *testing.T, root string) map[string]bool {
	t.Helper()
	found := map[string]bool{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") ||
			strings.HasSuffix(path, "doctor/faults.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
				if text, err := strconv.Unquote(lit.Value); err == nil {
					found[text] = true
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}
