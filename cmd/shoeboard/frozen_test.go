package main

import (
	"encoding"
	"flag"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/alecthomas/kong"

	"shoeboard/cmd/internal/config"
	"shoeboard/cmd/internal/devices"
	"shoeboard/cmd/internal/doctor"
	"shoeboard/cmd/internal/transfer"
	"shoeboard/cmd/internal/version"
	"shoeboard/stats"
	"shoeboard/tracker"
	"shoeboard/tracker/history"
	"shoeboard/tracker/localapi"
)

// Scripts, configurations, records and other programs hold on to words of this one. Each
// list in testdata/frozen may grow; nothing of it may go or change its name.

// grow adds what is new to the lists; it takes nothing out of them:
//
//	go test ./cmd/shoeboard -run Frozen -grow
var grow = flag.Bool("grow", false, "add new words to testdata/frozen")

// frozen compares a list with the words that the program has now.
func frozen(t *testing.T, name string, now []string) {
	t.Helper()
	file := "testdata/frozen/" + name
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	then := strings.Split(strings.TrimSpace(string(text)), "\n")
	for _, word := range then {
		if !slices.Contains(now, word) {
			t.Errorf("%q has gone or has another name: %s says that others hold on to it", word, name)
		}
	}
	missing := slices.DeleteFunc(slices.Clone(now), func(word string) bool { return slices.Contains(then, word) })
	if *grow && len(missing) > 0 {
		all := slices.Sorted(slices.Values(append(then, missing...)))
		if err := os.WriteFile(file, []byte(strings.Join(slices.Compact(all), "\n")+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	for _, word := range missing {
		t.Errorf("%q is new: add it to %s with -grow, for ever", word, file)
	}
}

func TestVerbsAndFlagsAreFrozen(t *testing.T) {
	parser, err := kong.New(new(verbs))
	if err != nil {
		t.Fatal(err)
	}
	frozen(t, "verbs.txt", verbsOf("", parser.Model.Node))
}

// verbsOf are the verbs under one, each with its arguments and flags.
func verbsOf(path string, n *kong.Node) (all []string) {
	for _, f := range n.Flags {
		all = append(all, strings.TrimSpace(path+" --"+f.Name))
	}
	for _, a := range n.Positional {
		all = append(all, path+" "+a.Summary())
	}
	for _, child := range n.Children {
		if child.Hidden {
			continue // of the package itself
		}
		verb := strings.TrimSpace(path + " " + child.Name)
		all = append(append(all, verb), verbsOf(verb, child)...)
	}
	return all
}

func TestConfigurationKeysAreFrozen(t *testing.T) {
	frozen(t, "config.txt", namesOf("toml", reflect.TypeFor[config.Config](), ""))
}

func TestBoardFieldsAreFrozen(t *testing.T) {
	frozen(t, "board.txt", namesOf("json", reflect.TypeFor[stats.Board](), ""))
}

// The other forms that are written: facts in the record, files of backups and sticks,
// what verbs give with --json.
func TestJSONFieldsAreFrozen(t *testing.T) {
	var all []string
	for name, of := range map[string]reflect.Type{
		"event": reflect.TypeFor[tracker.Event](), "fault": reflect.TypeFor[tracker.Fault](),
		"totals": reflect.TypeFor[history.Totals](), "backup": reflect.TypeFor[transfer.Manifest](), "mirror": reflect.TypeFor[transfer.Manifest](),
		"core": reflect.TypeFor[localapi.Version](), "correct": reflect.TypeFor[localapi.Correction](), "status": reflect.TypeFor[unitStatus](), "fleet": reflect.TypeFor[unitLine](),
		"doctor": reflect.TypeFor[doctor.Finding](), "verify": reflect.TypeFor[doctor.Verification](), "monitor": reflect.TypeFor[doctor.Connector](),
		"version": reflect.TypeFor[version.Build](), "hw": reflect.TypeFor[devices.Inventory](),
	} {
		all = append(all, namesOf("json", of, name)...)
	}
	frozen(t, "json.txt", all)
}

// namesOf are the names that a type has in a written form, with those of what is in it;
// [] stands for the elements of a list or map.
func namesOf(form string, of reflect.Type, path string) (all []string) {
	for of.Kind() == reflect.Pointer {
		of = of.Elem()
	}
	switch {
	case of.Kind() == reflect.Slice || of.Kind() == reflect.Array || of.Kind() == reflect.Map:
		return namesOf(form, of.Elem(), path+"[]")
	case of.Kind() != reflect.Struct || of == reflect.TypeFor[time.Time]() || of.Implements(reflect.TypeFor[encoding.TextMarshaler]()):
		return nil
	case of == reflect.TypeFor[config.Config]() && path != "":
		return nil // of one table: the same keys
	}
	for i := range of.NumField() {
		field := of.Field(i)
		name, _, _ := strings.Cut(field.Tag.Get(form), ",")
		switch {
		case field.Anonymous && name == "":
			all = append(all, namesOf(form, field.Type, path)...)
			continue
		case name == "-" || !field.IsExported():
			continue
		case name == "":
			name = field.Name
		}
		at := strings.TrimPrefix(path+"."+name, ".")
		all = append(append(all, at), namesOf(form, field.Type, at)...)
	}
	return all
}
