package main

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
)

func TestManualHasEveryVerb(t *testing.T) {
	s := newSite(t)
	page := s.fine("manual")
	for _, want := range []string{".B run\n", ".B config check\n", `\-\-socket=PATH`, ".SH FILES", "/boot/firmware/shoeboard.toml"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page has no %q", want)
		}
	}
	if strings.Contains(page, "@VERBS@") || strings.Contains(page, ".B press") {
		t.Error("the page has a place holder or a hidden verb")
	}
	if _, err := exec.LookPath("man"); err != nil {
		return // how it looks can only be tried where man is
	}
	cmd := exec.Command("man", "--warnings", "-E", "UTF-8", "-l", "-Tutf8", "-")
	cmd.Stdin = strings.NewReader(page)
	var warnings strings.Builder
	cmd.Stderr = &warnings
	if _, err := cmd.Output(); err != nil || warnings.Len() > 0 {
		t.Errorf("man says %v %s", err, warnings.String())
	}
}

// leaves are the verbs that a person sees, as the program takes them.
func leaves(t *testing.T) []*kong.Node {
	t.Helper()
	k, err := kong.New(&verbs{}, kong.Name("shoeboard"))
	if err != nil {
		t.Fatal(err)
	}
	return k.Model.Leaves(true)
}

// flagsOf are the flags of a verb as they are typed.
func flagsOf(n *kong.Node) (flags []string) {
	for _, group := range n.AllFlags(true) {
		for _, f := range group {
			flags = append(flags, "--"+f.Name)
		}
	}
	slices.Sort(flags)
	return flags
}

// Page, help and completion name the flags that the program takes, of every verb.
func TestEveryFlagIsInPageHelpAndCompletion(t *testing.T) {
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("bash is not installed")
	}
	s := newSite(t)
	page, nextVerb := s.fine("manual"), regexp.MustCompile(`\n\.TP\n\.B [a-z]`)
	helps := map[string]string{"": s.fine("--help")}
	for _, n := range leaves(t) {
		path := strings.TrimPrefix(n.Path(), "shoeboard ")
		branch, _, _ := strings.Cut(path, " ")
		helps[branch] = s.fine(branch, "--help")
		helps[path] = s.fine(append(strings.Fields(path), "--help")...)
		for _, flag := range flagsOf(n) {
			if !strings.Contains(helps[path], flag) {
				t.Errorf("the help of %s has no %s", path, flag)
			}
		}
		_, entry, there := strings.Cut(page, "\n.B "+roff(path)+"\n")
		entry = nextVerb.Split(entry, 2)[0]
		for _, f := range n.Flags {
			if f.Name != "help" && !strings.Contains(entry, roff("--"+f.Name)) || !there {
				t.Errorf("the page has no %s of %s", f.Name, path)
			}
		}
	}
	dir := t.TempDir()
	for path, help := range helps {
		if err := os.WriteFile(filepath.Join(dir, "help "+path), []byte(help), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want := map[string]string{"stat": "status", "config ch": "check", "--conf": "--config", "--config status.toml stat": "status",
		"status --socket run --l": "--line", "config ": "check init reload show table"}
	for _, n := range leaves(t) {
		want[strings.TrimPrefix(n.Path(), "shoeboard ")+" --"] = strings.Join(flagsOf(n), " ")
	}
	for words, got := range complete(t, dir, slices.Sorted(maps.Keys(want))) {
		if got != want[words] {
			t.Errorf("%s completes to %q, want %q", words, got, want[words])
		}
	}
}

// complete is what bash offers for the last word of each line. The program's helps are in
// dir.
func complete(t *testing.T, dir string, lines []string) map[string]string {
	t.Helper()
	script, err := os.ReadFile(unitsDir + "/completion.bash")
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("bash", "-c", string(script)+`
shoeboard() { local of="$*"; of=${of% --help}; cat "help ${of#--help}"; }
while IFS= read -r line; do
	read -ra COMP_WORDS <<<"shoeboard $line"
	case $line in *' ') COMP_WORDS+=("") ;; esac
	COMP_CWORD=$((${#COMP_WORDS[@]} - 1)) COMPREPLY=()
	_shoeboard
	echo "${COMPREPLY[@]}"
done`)
	cmd.Dir, cmd.Env = dir, []string{"PATH=/usr/bin:/bin"}
	cmd.Stdin = strings.NewReader(strings.Join(lines, "\n") + "\n")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	offered := map[string]string{}
	for i, line := range strings.Split(strings.TrimSuffix(string(out), "\n"), "\n") {
		words := strings.Fields(line)
		slices.Sort(words)
		offered[lines[i]] = strings.Join(words, " ")
	}
	return offered
}
