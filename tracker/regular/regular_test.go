package regular

import (
	"errors"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

func TestAFileIsRead(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "file")
	if err := os.WriteFile(path, []byte("table 14"), 0o600); err != nil {
		t.Fatal(err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	for name, read := range map[string]func() ([]byte, error){
		"Read": func() ([]byte, error) { return Read(path, 8) }, "ReadLinked": func() ([]byte, error) { return ReadLinked(path, 8) },
		"ReadIn": func() ([]byte, error) { return ReadIn(root, "file", 8) },
	} {
		if text, err := read(); err != nil || string(text) != "table 14" {
			t.Errorf("%s: %q, %v", name, text, err)
		}
	}
	if _, err := Read(path, 7); err == nil || !strings.Contains(err.Error(), "has 8 bytes: expected at most 7") {
		t.Error(err)
	}
	if _, err := Read(path+"s", 7); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}

// What is no file is refused at once, by every way to read it.
func TestWhatIsNoFile(t *testing.T) {
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	socket, err := net.Listen("unix", in("socket"))
	if err != nil {
		t.Fatal(err)
	}
	defer socket.Close()
	err = errors.Join(unix.Mkfifo(in("pipe"), 0o600), os.Mkdir(in("folder"), 0o700), os.Symlink("/dev/zero", in("zero")),
		os.Symlink("pipe", in("link")))
	if err != nil {
		t.Fatal(err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	for _, name := range []string{"pipe", "folder", "zero", "link", "socket"} {
		for how, read := range map[string]func() ([]byte, error){
			"Read": func() ([]byte, error) { return Read(in(name), Most) }, "ReadLinked": func() ([]byte, error) { return ReadLinked(in(name), Most) },
			"ReadIn": func() ([]byte, error) { return ReadIn(root, name, Most) },
		} {
			if text, err := read(); err == nil || len(text) > 0 {
				t.Errorf("%s of a %s: %d bytes, %v", how, name, len(text), err)
			}
		}
	}
}

func TestALinkThatAPersonHasMade(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "file"), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(dir, "link")
	if err := os.Symlink("file", link); err != nil {
		t.Fatal(err)
	}
	if text, err := ReadLinked(link, Most); err != nil || string(text) != "x" {
		t.Errorf("%q, %v", text, err)
	}
	if _, err := Read(link, Most); err == nil || !strings.Contains(err.Error(), "is a link") {
		t.Error(err)
	}
}
