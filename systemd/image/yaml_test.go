package image

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
)

// readYAML reads the part of YAML that the files here keep to: maps and lists by
// indentation of two, scalars on one line. What YAML might take for something else
// than it looks like is refused. A map is a map[string]any, a list a []any.
func readYAML(text string) (any, error) {
	r := &yamlReader{}
	for i, line := range strings.Split(text, "\n") {
		bare := strings.TrimLeft(line, " ")
		switch {
		case bare == "" || strings.HasPrefix(bare, "#") || line == "---":
			continue
		case strings.ContainsAny(line, "\t\r") || strings.TrimRight(line, " ") != line:
			return nil, fmt.Errorf("line %d: a tab, or a space at the end", i+1)
		}
		r.lines = append(r.lines, yamlLine{i + 1, len(line) - len(bare), bare})
	}
	v, err := r.block(0)
	if err == nil && len(r.lines) > 0 {
		err = fmt.Errorf("line %d: indented by %d", r.lines[0].number, r.lines[0].indent)
	}
	return v, err
}

type yamlLine struct {
	number, indent int
	text           string
}

type yamlReader struct{ lines []yamlLine }

// block reads the lines that are indented by so much.
func (r *yamlReader) block(indent int) (any, error) {
	list, table := []any{}, map[string]any{}
	for len(r.lines) > 0 && r.lines[0].indent == indent {
		line := r.lines[0]
		r.lines = r.lines[1:]
		if item, ok := strings.CutPrefix(line.text, "- "); ok {
			v, err := scalar(item)
			if err != nil {
				return nil, fmt.Errorf("line %d: %w", line.number, err)
			}
			list = append(list, v)
			continue
		}
		if err := r.pair(table, line); err != nil {
			return nil, fmt.Errorf("line %d: %w", line.number, err)
		}
	}
	switch {
	case len(list) > 0 && len(table) > 0:
		return nil, fmt.Errorf("a list and a map in one place, indented by %d", indent)
	case len(list) > 0:
		return list, nil
	}
	return table, nil
}

var yamlKey = regexp.MustCompile(`^([a-z0-9][a-z0-9_-]*):(?: (.+))?$`)

func (r *yamlReader) pair(table map[string]any, line yamlLine) (err error) {
	found := yamlKey.FindStringSubmatch(line.text)
	if found == nil {
		return fmt.Errorf("%q: expected \"key: value\" or \"- item\"", line.text)
	}
	if _, ok := table[found[1]]; ok {
		return fmt.Errorf("%s is there twice", found[1])
	}
	if found[2] != "" {
		table[found[1]], err = scalar(found[2])
		return err
	}
	if len(r.lines) == 0 || r.lines[0].indent != line.indent+2 {
		return fmt.Errorf("%s has nothing in it", found[1])
	}
	table[found[1]], err = r.block(line.indent + 2)
	return err
}

// scalar is a text on one line: in single quotes, or of letters that mean nothing.
func scalar(text string) (string, error) {
	if inner, ok := strings.CutPrefix(text, "'"); ok {
		inner, ok = strings.CutSuffix(inner, "'")
		if !ok || strings.Contains(inner, "'") {
			return "", fmt.Errorf("%s: not one text in quotes", text)
		}
		return inner, nil
	}
	if !regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._+-]*$`).MatchString(text) {
		return "", fmt.Errorf("%s: put it in single quotes", text)
	}
	return text, nil
}

// yamlFile reads a file of this folder.
func yamlFile(t *testing.T, name string) map[string]any {
	t.Helper()
	v, err := readYAML(read(t, name))
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	table, ok := v.(map[string]any)
	if !ok {
		t.Fatalf("%s is not a map", name)
	}
	return table
}

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestReaderRefusesWhatIsNotPlain(t *testing.T) {
	for _, bad := range []string{"a: b: c", "a:\n   b: c", "a: b\na: c", "a:\n", "\ta: b", "a: [b]", "a: |\n  b", "a: 'b", "a: &b", "- b\na: c", "a:\n  - b\n c: d", "a: b # c"} {
		if v, err := readYAML(bad); err == nil {
			t.Errorf("%q was read as %v", bad, v)
		}
	}
	v, err := readYAML("# c\n---\na:\n  b: x\n  c:\n    - '\"$y\" z'\n    - d\n")
	if got := fmt.Sprint(v); err != nil || got != `map[a:map[b:x c:["$y" z d]]]` {
		t.Errorf("%v, %v", got, err)
	}
}
