package main

import (
	"path/filepath"
	"strings"
	"testing"

	"shoeboard/cmd/internal/helper"
	"shoeboard/cmd/internal/testkit"
)

// Keys and signatures are made as the manual says; a program without a key in it takes
// no update.
func TestUpdateVerbs(t *testing.T) {
	s := newSite(t)
	s.fine("update", "keygen", s.path("key"))
	if code, _, err := s.do("update", "keygen", s.path("key")); code != exitFailed || !strings.Contains(err, "exists") {
		t.Errorf("over a key that is there: exit %d, %s", code, err)
	}
	s.write("two.deb", "shoeboard 2 arm64")
	s.fine("update", "sign", s.path("two.deb"), "--key", s.path("key"))
	if code, _, err := s.do("update", "sign", s.path("two.deb"), "--key", s.path("key.pub")); code != exitFailed || !strings.Contains(err, "is the public key: expected the private one") {
		t.Errorf("signed with the public key: exit %d, %s", code, err)
	}
	if sig := s.read("two.deb.sig"); len(sig) != 129 {
		t.Errorf("the signature is %q", sig)
	}
	if code, _, err := s.do("update", s.path("two.deb")); code != exitFailed || !strings.Contains(err, "no key") {
		t.Errorf("a program without a key: exit %d, %s", code, err)
	}
}

// A unit made from the image is told how it is updated, and nothing is written for it,
// neither by the verb nor by what the menu asks for.
func TestUpdateOfAReadOnlySystem(t *testing.T) {
	s := newSite(t)
	testkit.Plant(t, s.root, map[string]string{"proc/self/mountinfo": "30 1 179:5 / / ro,noatime - ext4 /dev/mmcblk0p5 ro\n",
		"var/lib/shoeboard-update/kept": "", "two.deb": "shoeboard 2 arm64", "two.deb.sig": "00"}, nil)
	if code, _, err := s.do("update", s.path("two.deb")); code != exitFailed || !strings.Contains(err, "the card fails") {
		t.Errorf("without slots: exit %d, %s", code, err)
	}
	testkit.Plant(t, s.root, map[string]string{"usr/sbin/shoeboard-slot": ""}, nil)
	want := "sudo shoeboard-slot install FILE.slot"
	if code, _, err := s.do("update", s.path("two.deb")); code != exitFailed || !strings.Contains(err, want) {
		t.Errorf("exit %d, %s", code, err)
	}
	p, _, _ := s.program()
	if _, _, err := p.asked(t.Context(), p.spool(), helper.Request{Kind: helper.Update, File: "two.deb"}, ""); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("the menu is told %v", err)
	}
	if left, err := filepath.Glob(s.path("var/lib/shoeboard-update/*")); len(left) != 1 || err != nil {
		t.Errorf("written: %v, %v", left, err)
	}
}

// The power was cut while the menu had a package checked: the helper takes the copy away
// when it is asked for anything the next time.
func TestAPackageOfAStickIsNotLeftBehind(t *testing.T) {
	s := newSite(t)
	testkit.Plant(t, s.root, map[string]string{"var/lib/shoeboard-update/stick123/two.deb": "20 MB", "var/lib/shoeboard-update/current.deb": "kept",
		"run/shoeboard-ask/ask/none": "", "run/shoeboard-ask/answer/none": ""}, nil)
	s.fine("asked")
	if left, err := filepath.Glob(s.path("var/lib/shoeboard-update/*")); len(left) != 1 || err != nil {
		t.Errorf("left: %v, %v", left, err)
	}
}
