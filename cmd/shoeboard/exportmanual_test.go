package main

import (
	"os/exec"
	"strings"
	"testing"
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

// The completion asks the program's own help; what it looks for there must stand there.
func TestCompletionFindsVerbsInTheHelp(t *testing.T) {
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("bash is not installed")
	}
	s := newSite(t)
	top, sub := s.fine("--help"), s.fine("config", "--help")
	try := func(words string) string {
		script := `shoeboard() { case "$*" in "config --help") printf '%s' "$SUB" ;; *) printf '%s' "$TOP" ;; esac; }
. "$FILE"
COMP_WORDS=(` + words + `); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _shoeboard; printf '%s ' "${COMPREPLY[@]}"`
		cmd := exec.Command("bash", "-c", script)
		cmd.Env = []string{"TOP=" + top, "SUB=" + sub, "FILE=" + unitsDir + "/completion.bash", "PATH=/usr/bin:/bin"}
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		return string(out)
	}
	for words, want := range map[string]string{"shoeboard sta": "status ", "shoeboard config ch": "check ", "shoeboard --conf": "--config "} {
		if got := try(words); got != want {
			t.Errorf("%s completes to %q, want %q", words, got, want)
		}
	}
}
