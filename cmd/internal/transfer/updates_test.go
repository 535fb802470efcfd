package transfer

import (
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What lies on a stick for an update: packages of this machine with a signature.
func TestPackagesOnAStick(t *testing.T) {
	slot := newStick(t)
	ours := filepath.Join(slot.Dir, Folder)
	if err := os.Mkdir(ours, 0o755); err != nil {
		t.Fatal(err)
	}
	name := "shoeboard_0.2.0+next~1_" + arch() + ".deb"
	other := "shoeboard_0.3.0_other.deb"
	for _, file := range []string{name, name + ".sig", other, other + ".sig", "shoeboard_0.4.0_" + arch() + ".deb", "holiday.jpg"} {
		if err := os.WriteFile(filepath.Join(ours, file), []byte(file), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	stray := "shoeboard_0.9.0_" + arch() + ".deb" // of somebody whose stick this was before
	for _, file := range []string{stray, stray + ".sig"} {
		if err := os.WriteFile(filepath.Join(slot.Dir, file), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	found, err := slot.Packages()
	if want := map[string]string{name: "0.2.0+next~1"}; err != nil || !maps.Equal(found, want) {
		t.Fatalf("found %+v, %v", found, err)
	}
	to := t.TempDir()
	if err := slot.Fetch(name, filepath.Join(to, name)); err != nil {
		t.Fatal(err)
	}
	if all := files(t, to); len(all) != 2 || all[name] != name || all[name+".sig"] != name+".sig" {
		t.Errorf("fetched %v", all)
	}
	huge := "shoeboard_7_" + arch() + ".deb"
	for _, err := range []error{os.WriteFile(filepath.Join(ours, huge), nil, 0o600), os.WriteFile(filepath.Join(ours, huge+".sig"), nil, 0o600),
		os.Truncate(filepath.Join(ours, huge+".sig"), mostText+1)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := slot.Fetch(huge, filepath.Join(to, huge)); err == nil {
		t.Error("fetched a signature of more than a megabyte")
	}
	secret := filepath.Join(t.TempDir(), "shadow")
	link := "shoeboard_9_" + arch() + ".deb"
	for _, err := range []error{os.WriteFile(secret, []byte("root"), 0o600), os.Symlink(secret, filepath.Join(ours, link))} {
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := slot.Fetch(link, filepath.Join(to, link)); err == nil {
		t.Error("fetched what a link leads to")
	}
	if err := slot.Fetch("shoeboard_8_"+arch()+".deb", filepath.Join(to, "x")); err == nil || !strings.Contains(err.Error(), "not in the folder shoeboard of the stick") {
		t.Errorf("fetched what is not there: %v", err)
	}
}
