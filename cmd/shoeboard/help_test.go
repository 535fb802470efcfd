package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"shoeboard/assets"
)

func TestHelpPrintsEverySubject(t *testing.T) {
	s := newSite(t)
	list := s.fine("help")
	for _, subject := range assets.ManualSubjects() {
		text := s.fine("help", subject)
		title, _, _ := strings.Cut(strings.TrimPrefix(text, "# "), "\n")
		if !strings.HasPrefix(text, "# ") || !regexp.MustCompile(`(?m)^`+subject+` +`+regexp.QuoteMeta(title)+`$`).MatchString(list) {
			t.Errorf("%s has the title %q, and the list is\n%s", subject, title, list)
		}
	}
	if code, _, err := s.do("help", "dealin"); code != exitUsage || !strings.Contains(err, `did you mean "dealing"?`) {
		t.Errorf("a mistyped subject: exit %d, %s", code, err)
	}
}

// pages returns the README and the manual by their names.
func pages(t *testing.T) map[string]string {
	t.Helper()
	readme, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{"README.md": string(readme)}
	for _, subject := range assets.ManualSubjects() {
		all[subject], _ = assets.Manual(subject)
	}
	return all
}

// shoeboardLines are command lines of the program in a text: shoeboard and what follows on its line.
var shoeboardLines = regexp.MustCompile("(?:bin/|sudo |`|^ *|\\b)shoeboard ((?:[a-z-]+ ?)+)([^`\n;:,]*)")

// Every verb, flag and subject that the README and the manual name exists.
func TestTheManualNamesWhatExists(t *testing.T) {
	parser, err := kong.New(new(verbs), kong.Name("shoeboard"))
	if err != nil {
		t.Fatal(err)
	}
	var flags, all []string
	for _, name := range verbsOf("", parser.Model.Node) {
		words := strings.Fields(name)
		if flag := words[len(words)-1]; strings.HasPrefix(flag, "--") {
			flags = append(flags, flag)
		}
		all = append(all, name)
	}
	for page, text := range pages(t) {
		for _, c := range shoeboardLines.FindAllStringSubmatch(text, -1) {
			verb := strings.Fields(c[1])[0]
			if !slices.Contains(all, verb) && verb != "shoeboard-screen" { // beside it in a line for systemctl
				t.Errorf("%s: there is no verb %q in %q", page, verb, c[0])
			}
		}
		for _, flag := range regexp.MustCompile(`(?:^|[ (\x60])(--[a-z][a-z-]+)`).FindAllStringSubmatch(text, -1) {
			if !slices.Contains(append(flags, foreignFlags...), flag[1]) {
				t.Errorf("%s: there is no flag %s", page, flag[1])
			}
		}
		for _, link := range regexp.MustCompile(`shoeboard help ([a-z-]+)`).FindAllStringSubmatch(text, -1) {
			if _, ok := assets.Manual(link[1]); !ok && link[1] != "lists" {
				t.Errorf("%s: there is no subject %s", page, link[1])
			}
		}
	}
}

// foreignFlags belong to other programs that the manual names.
var foreignFlags = []string{"--cli", "--key", "--clock", "--older", "--print-architecture", "--unix-socket"}

// A newcomer finds what the README names: files, folders and packages.
func TestTheReadmeNamesWhatExists(t *testing.T) {
	text := pages(t)["README.md"]
	names := regexp.MustCompile("`((?:assets|cmd|display|hw|stats|systemd|tracker)(?:/[A-Za-z0-9_./-]+)?)`|\\]\\(([^)]+)\\)").FindAllStringSubmatch(text, -1)
	if len(names) < 40 {
		t.Errorf("only %d names were found", len(names))
	}
	for _, n := range names {
		if _, err := os.Stat(filepath.Join(root, n[1]+n[2])); err != nil {
			t.Error(err)
		}
	}
	for _, subject := range assets.ManualSubjects() {
		if !strings.Contains(text, "assets/manual/"+subject+".md") {
			t.Errorf("the README does not list %s", subject)
		}
	}
	for _, words := range []string{"make run", "make test", "decided", "new game", "keypad chip", "power cut", "technician's page"} {
		if !strings.Contains(text, words) {
			t.Errorf("the README does not say anything of %q", words)
		}
	}
}
