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

func TestRedaction(t *testing.T) {
	redact := newRedactor("14")
	for text, want := range map[string]string{
		"eth0 b8:27:eb:01:02:03 up":                       "eth0 MAC up",
		"from 192.168.1.14 port 22":                       "from ADDRESS port 22",
		"inet6 fe80:0:0:0:ba27:ebff:fe01:203":             "inet6 ADDRESS",
		`device = "tcp://shoe14.example:4000"`:            `device = "tcp://HOST:4000"`,
		"ask somebody@example.com":                        "ask MAIL",
		"psk=hunter2 next":                                "psk=REDACTED next",
		"/home/somebody/x":                                "/home/USER/x",
		"table 14 at 18:04:05, 1920x1080, version v1.2.3": "table 14 at 18:04:05, 1920x1080, version v1.2.3",
		"usb-0000:01:00.0-1.2/input0 and 04d9:1203":       "usb-0000:01:00.0-1.2/input0 and 04d9:1203",
		"of " + core.ID() + " here":                       "of UNIT here",
	} {
		if got := redact(text); got != want {
			t.Errorf("%q became %q, want %q", text, got, want)
		}
	}
}

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
