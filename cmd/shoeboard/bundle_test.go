package main

import (
	"archive/tar"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"shoeboard/cmd/internal/core"
	"shoeboard/cmd/internal/testkit"
)

func TestSupportBundle(t *testing.T) {
	s := newSite(t)
	s.write("boot/firmware/shoeboard.toml", "venue = \"Ours\"\n[[shoe]]\nname = \"s\"\nkind = \"tsp1\"\ndevice = \"tcp://192.168.1.9:4000\"\n")
	testkit.Evening(t, s.path("var/lib/shoeboard"))
	s.fine("support-bundle", s.path("b.tar.gz"), "--data", s.path("var/lib/shoeboard"))
	f, err := os.Open(s.path("b.tar.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{}
	for in := tar.NewReader(z); ; {
		h, err := in.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(in)
		if err != nil {
			t.Fatal(err)
		}
		texts[h.Name] = string(text)
	}
	for _, name := range []string{"doctor.json", "version.json", "verify.json", "devices.json", "configuration.toml", "log.txt", "units.txt", "kernel.txt"} {
		if texts[name] == "" {
			t.Errorf("the bundle has no %s", name)
		}
	}
	all := strings.Join(slices.Collect(func(yield func(string) bool) {
		for _, text := range texts {
			if !yield(text) {
				return
			}
		}
	}), "\n")
	for _, secret := range []string{"192.168.1.9", "Ours", "panda-8\",\"outcome", core.ID()} {
		if strings.Contains(all, secret) {
			t.Errorf("the bundle has %q", secret)
		}
	}
}
