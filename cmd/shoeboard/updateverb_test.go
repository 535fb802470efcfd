package main

import (
	"strings"
	"testing"
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
	if sig := s.read("two.deb.sig"); len(sig) != 129 {
		t.Errorf("the signature is %q", sig)
	}
	if code, _, err := s.do("update", s.path("two.deb")); code != exitFailed || !strings.Contains(err, "no key") {
		t.Errorf("a program without a key: exit %d, %s", code, err)
	}
}
