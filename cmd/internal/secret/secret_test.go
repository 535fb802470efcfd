package secret

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestAKeyFileIsReadAsItWasWritten(t *testing.T) {
	path := filepath.Join(t.TempDir(), "keys", Unit)
	made, err := ReadOrMake(path)
	if err != nil || made.IsZero() {
		t.Fatal(err)
	}
	if again, err := ReadOrMake(path); err != nil || again != made {
		t.Errorf("%v", err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v %v", info.Mode(), err)
	}
}

func TestAKeyFileThatIsNone(t *testing.T) {
	dir := t.TempDir()
	for name, c := range map[string]struct {
		text string
		mode os.FileMode
		want string
	}{
		"empty":       {"", 0o600, "expected a key file"},
		"short":       {"shoeboard-key 1 AAAA\n", 0o600, "expected a key file"},
		"no base64":   {"shoeboard-key 1 " + strings.Repeat("!", 44), 0o600, "expected a key file"},
		"version 2":   {"shoeboard-key 2 " + strings.Repeat("A", 43) + "=", 0o600, "expected a key file"},
		"large":       {strings.Repeat("A", 4096), 0o600, "expected at most 200"},
		"world reads": {"shoeboard-key 1 " + strings.Repeat("A", 43) + "=", 0o644, "sudo chmod 600"},
	} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(c.text), c.mode); err != nil {
			t.Fatal(err)
		}
		if _, err := ReadOrMake(path); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
		if text, err := os.ReadFile(path); err != nil || string(text) != c.text {
			t.Errorf("%s was replaced", name)
		}
	}
	if _, err := Read(dir); err == nil {
		t.Error("a folder is a key")
	}
	if _, err := Read(filepath.Join(dir, "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}

func TestOnlyTheSameKeyPurposeAndContextOpen(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k, other := New(), New()
		text, context := rapid.SliceOf(rapid.Byte()).Draw(t, "text"), rapid.SliceOf(rapid.Byte()).Draw(t, "context")
		sealed := k.Seal("staff", text, context)
		if got, err := k.Open("staff", sealed, context); err != nil || !bytes.Equal(got, text) {
			t.Fatalf("%q, %v", got, err)
		}
		changed := bytes.Clone(sealed)
		changed[rapid.IntRange(0, len(changed)-1).Draw(t, "at")] ^= 1
		for _, err := range []error{
			second(other.Open("staff", sealed, context)), second(k.Open("stick", sealed, context)),
			second(k.Open("staff", sealed, append(bytes.Clone(context), 0))), second(k.Open("staff", changed, context)),
			second(k.Open("staff", sealed[:len(sealed)/3], context)),
		} {
			if !errors.Is(err, ErrDamaged) {
				t.Fatal(err)
			}
		}
	})
}

func second(_ []byte, err error) error { return err }

func TestASignatureHoldsForItsTextOnly(t *testing.T) {
	k := New()
	s := k.Sign("manifest", []byte("table 14"))
	if !k.Signed("manifest", []byte("table 14"), s) {
		t.Error("it does not hold")
	}
	if k.Signed("manifest", []byte("table 15"), s) || k.Signed("staff", []byte("table 14"), s) ||
		New().Signed("manifest", []byte("table 14"), s) || k.Signed("manifest", []byte("table 14"), s[1:]) {
		t.Error("it holds for something else")
	}
}
