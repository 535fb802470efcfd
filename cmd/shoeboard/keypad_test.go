package main

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"shoeboard/cmd/internal/testkit"
)

func TestLearnVerbOnABareMachine(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "venue.toml")
	if err := os.WriteFile(file, []byte("data = \""+dir+"\"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	var out, words bytes.Buffer
	p := &program{out: &out, err: &words, log: testkit.Log(), root: dir}
	if code := p.main(t.Context(), []string{"--config", file, "keypad", "learn", "--seconds", "0.05"}); code != exitFailed || !strings.Contains(words.String(), "no device with keys") {
		t.Errorf("exit %d: %s", code, words.String())
	}
	if _, err := os.Stat(filepath.Join(dir, "pads.json")); err == nil {
		t.Error("something was remembered")
	}
}

func TestKeypadTestVerbWithoutAnyHardware(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "venue.toml")
	if err := os.WriteFile(file, []byte("data = \""+dir+"\"\nsocket = \""+dir+"/none\"\n[[keypad]]\nname = \"pad\"\n"+testkit.WiredPad), 0o644); err != nil {
		t.Fatal(err)
	}
	var out, words testkit.Text
	p := &program{out: &out, err: &words, log: testkit.Log(), root: dir}
	if code := p.main(t.Context(), []string{"--config", file, "keypad", "test", "--once"}); code != exitFailed {
		t.Errorf("exit %d", code)
	}
	testkit.Expect(t, out.String(), "KEYPAD pad (usb, numpad-17): keypad missing: any numeric pad", "KEYPAD wired (matrix, matrix-4x5): keypad missing")
	if code := p.main(t.Context(), []string{"keypad", "test", "--seconds=-1"}); code != exitUsage {
		t.Errorf("--seconds -1: exit %d", code)
	}
}

// ownLayout is a venue's map on a pad with a key that no layout knows.
const ownLayout = `
[keymap.ours]
base = "numpad-17"
[keymap.ours.keys]
KPSLASH = { tap = "FREE", hold = "VOID", after = 1.5 }
F13 = { tap = "PLAYER_PAIR" }
`

func TestOverlayVerbWritesBothLayoutsOfBothGames(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct {
		config string
		flags  []string
		want   []string
	}{
		{"", nil, []string{"numpad-17-dai-bacc", "numpad-17-ez-baccarat-panda-8", "matrix-4x5-dai-bacc", "matrix-4x5-ez-baccarat-panda-8"}},
		{"", []string{"--layout", "matrix-4x5", "--game", "dai-bacc"}, []string{"matrix-4x5-dai-bacc"}},
		{"entry = \"totals\"\n", []string{"--layout", "matrix-4x5", "--game", "dai-bacc"}, []string{"matrix-4x5-totals-dai-bacc"}},
		{"", []string{"--entry", "totals", "--layout", "numpad-17", "--game", "dai-bacc"}, []string{"numpad-17-totals-dai-bacc"}},
		{ownLayout, []string{"--layout", "ours"}, []string{"ours-ez-baccarat-panda-8"}},
	} {
		var out bytes.Buffer
		file := filepath.Join(dir, "venue.toml")
		if err := os.WriteFile(file, []byte(c.config), 0o644); err != nil {
			t.Fatal(err)
		}
		p := &program{out: &out, err: &out, log: testkit.Log(), root: dir}
		if code := p.main(t.Context(), append([]string{"--config", file, "keypad", "overlay", "--out", filepath.Join(dir, "out")}, c.flags...)); code != exitFine {
			t.Fatalf("exit %d: %s", code, out.String())
		}
		var want []string
		for _, name := range c.want {
			want = append(want, filepath.Join(dir, "out", "overlay-"+name+".svg"))
		}
		if got := strings.Fields(out.String()); !slices.Equal(got, want) {
			t.Errorf("wrote %q, want %q", got, want)
		}
		for _, name := range want {
			if _, err := os.Stat(name); err != nil {
				t.Error(err)
			}
		}
	}
	var out bytes.Buffer
	p := &program{out: &out, err: &out, log: testkit.Log(), root: dir}
	if code := p.main(t.Context(), []string{"keypad", "overlay", "--layout", "numpad"}); code != exitUsage || !strings.Contains(out.String(), "numpad-17") {
		t.Errorf("an unknown layout: exit %d, %s", code, out.String())
	}
}
