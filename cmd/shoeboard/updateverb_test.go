package main

import (
	"net"
	"os/exec"
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
	testkit.Plant(t, s.root, map[string]string{"two/DEBIAN/control": "Package: shoeboard\nVersion: 2\nArchitecture: arm64\n" +
		"Maintainer: nobody <nobody@invalid>\nDescription: a test\n"}, nil)
	if out, err := exec.Command("dpkg-deb", "--build", s.path("two"), s.path("two.deb")).CombinedOutput(); err != nil {
		t.Fatalf("%v, %s", err, out)
	}
	s.fine("update", "sign", s.path("two.deb"), "--key", s.path("key"))
	if code, _, err := s.do("update", "sign", s.path("two.deb"), "--key", s.path("key.pub")); code != exitFailed || !strings.Contains(err, "is the public key: expected the private one") {
		t.Errorf("signed with the public key: exit %d, %s", code, err)
	}
	if sig := s.read("two.deb.sig"); !strings.HasPrefix(sig, "shoeboard update 2 package 2 arm64\n") || len(sig) != 35+129 {
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
	socket := s.serveHelper()
	if _, err := helper.Do(t.Context(), socket, helper.Request{Kind: helper.Update, Argument: "two.deb"}); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("the menu is told %v", err)
	}
	if left, err := filepath.Glob(s.path("var/lib/shoeboard-update/*")); len(left) != 1 || err != nil {
		t.Errorf("written: %v, %v", left, err)
	}
}

// serveHelper answers one request, as systemd has it done, and returns the socket.
func (s site) serveHelper() (socket string) {
	s.t.Helper()
	socket = filepath.Join(s.t.TempDir(), "s")
	l, err := net.Listen("unix", socket)
	if err != nil {
		s.t.Fatal(err)
	}
	p, _, _ := s.program()
	h, err := p.helper("")
	if err != nil {
		s.t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		if conn, err := l.Accept(); err == nil {
			_ = h.Serve(s.t.Context(), conn)
		}
	}()
	s.t.Cleanup(func() { l.Close(); <-done })
	return socket
}

// The helper's verb serves a connection of systemd's; run by hand it says so.
func TestHelperNeedsAConnection(t *testing.T) {
	s := newSite(t)
	if code, _, err := s.do("helper", "serve"); code != exitFailed || !strings.Contains(err, "shoeboard-helper.socket") {
		t.Errorf("exit %d, %s", code, err)
	}
	if code, _, err := s.do("helper", "request", "addresses"); code != exitFailed || !strings.Contains(err, "no reply from the helper") {
		t.Errorf("exit %d, %s", code, err)
	}
}
