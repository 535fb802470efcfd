package transfer

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"shoeboard/cmd/internal/secret"
)

// hostile are sticks that somebody has made; each plants below the folder of the stick.
func hostile(u unit, stick string) map[string]func() error {
	home := filepath.Join(stick, Folder, "stranger")
	bucket := filepath.Join(home, "journal", "00000000000")
	write := func(name string, text string) func() error {
		return func() error {
			if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
				return err
			}
			return os.WriteFile(name, []byte(text), 0o644)
		}
	}
	manifest := func(change func(*Manifest)) func() error {
		m := Manifest{Version: 1, Unit: "stranger", Table: u.no, Program: "x", Made: time.Now(),
			From: "0000000000000001.jrn", To: "0000000000000001.jrn", Size: 100, SHA256: sumOf(nil)}
		change(&m)
		text, _ := json.Marshal(m)
		return write(filepath.Join(home, manifestFile), string(text))
	}
	all := map[string]func() error{
		"folder is a file": write(filepath.Join(stick, Folder), "x"),
		"folder is a link": func() error { return os.Symlink("/etc", filepath.Join(stick, Folder)) },
		"folder is a pipe": func() error { return unix.Mkfifo(filepath.Join(stick, Folder), 0o644) },
		"empty manifest":   write(filepath.Join(home, manifestFile), ""),
		"deep JSON":        write(filepath.Join(home, manifestFile), strings.Repeat("[", mostManifest)),
		"large manifest":   write(filepath.Join(home, manifestFile), strings.Repeat(" ", 2<<20)),
		"no name":          manifest(func(m *Manifest) { m.Unit = "" }),
		"name of escapes":  manifest(func(m *Manifest) { m.Unit = "\x1b[2J" }),
		"name of a path":   manifest(func(m *Manifest) { m.Unit = "../../etc" }),
		"negative size":    manifest(func(m *Manifest) { m.Size = -1 }),
		"endless size":     manifest(func(m *Manifest) { m.Size = 1 << 62 }),
		"endless sum":      manifest(func(m *Manifest) { m.SHA256 = strings.Repeat("<", 40_000) }),
		"endless program":  manifest(func(m *Manifest) { m.Program = strings.Repeat("<", 40_000) }),
		"table of words":   manifest(func(m *Manifest) { m.Table = "TIE PAYS 40" }),
		"far segments":     manifest(func(m *Manifest) { m.To = "9999999999999999.jrn" }),
		"no segment":       manifest(func(*Manifest) {}),
		"mirrors as many as names": func() error {
			for i := range mostNames + 1 {
				if err := os.MkdirAll(filepath.Join(stick, Folder, fmt.Sprint(i)), 0o755); err != nil {
					return err
				}
			}
			return nil
		},
		"folders in one another": func() error { return os.MkdirAll(home+strings.Repeat("/d", 1500), 0o755) },
		"own mirror is a pipe": func() error {
			return unix.Mkfifo(filepath.Join(mkdir(stick, Home(u.id)), manifestFile), 0o644)
		},
		"own journal is a link": func() error {
			return os.Symlink("/", filepath.Join(mkdir(stick, Home(u.id)), "journal"))
		},
		"own configuration is a folder": func() error {
			return os.MkdirAll(filepath.Join(mkdir(stick, Home(u.id)), "config.good.toml"), 0o755)
		},
		"own sums are sparse": func() error {
			f := filepath.Join(mkdir(stick, Home(u.id)), sumsFile)
			if err := os.WriteFile(f, nil, 0o644); err != nil {
				return err
			}
			return os.Truncate(f, 5<<30)
		},
	}
	ours := mkdirLater(stick, Folder)
	for name, plant := range map[string]func(path string) error{
		"pipe":      func(path string) error { return unix.Mkfifo(path, 0o644) },
		"device":    func(path string) error { return unix.Mknod(path, unix.S_IFCHR|0o666, int(unix.Mkdev(1, 5))) },
		"link":      func(path string) error { return os.Symlink("/etc/shadow", path) },
		"loop":      func(path string) error { return os.Symlink(path, path) },
		"folder":    func(path string) error { return os.Mkdir(path, 0o755) },
		"5 GB":      func(path string) error { return errors.Join(os.WriteFile(path, nil, 0o644), os.Truncate(path, 5<<30)) },
		"a message": func(path string) error { return os.WriteFile(path, []byte("TIE PAYS 40 TO 1\x1b[2J<"), 0o644) },
	} {
		pack := "shoeboard_9.9_" + arch() + ".deb"
		for _, file := range []string{pack, pack + ".sig", "TIE PAYS\n40\x1b[2J"} {
			all["packages: "+name+" "+file] = func() error {
				dir := ours()
				return errors.Join(os.WriteFile(filepath.Join(dir, pack+".x"), nil, 0o644), plant(filepath.Join(dir, file)))
			}
		}
		all["own table: "+name] = func() error { return plant(filepath.Join(mkdir(stick, Home(u.id)), tableFile)) }
	}
	for name, text := range map[string]func() error{
		"segment of nothing": write(filepath.Join(bucket, "0000000000000001.jrn"), strings.Repeat("\x00", 8<<20)),
		"segment that is a pipe": func() error {
			return unix.Mkfifo(filepath.Join(mkdir(stick, Folder, "stranger/journal/00000000000"), "0000000000000001.jrn"), 0o644)
		},
		"segment of 5 GB": func() error {
			f := filepath.Join(mkdir(stick, Folder, "stranger/journal/00000000000"), "0000000000000001.jrn")
			if err := os.WriteFile(f, nil, 0o644); err != nil {
				return err
			}
			return os.Truncate(f, 5<<30)
		},
		"segment of promises": write(filepath.Join(bucket, "0000000000000001.jrn"),
			strings.Repeat("\x00\x00\x10\x00"+strings.Repeat("\x00", 4)+"\x01"+strings.Repeat("\x00", 63)+"\x01\x00\x00\x00", 100_000)),
	} {
		all[name] = func() error {
			if err := text(); err != nil {
				return err
			}
			return manifest(func(*Manifest) {})()
		}
	}
	return all
}

func mkdirLater(parts ...string) func() string { return func() string { return mkdir(parts...) } }

func mkdir(parts ...string) string {
	dir := filepath.Join(parts...)
	_ = os.MkdirAll(dir, 0o755) // what is planted there fails otherwise
	return dir
}

// Whatever is on a stick costs a bounded memory, says nothing on the board that is
// long or not of this program, and changes no record.
func TestHostileSticks(t *testing.T) {
	u := newUnit(t, "10000000aaaa", "14")
	u.shoes(0, 3)
	before, _ := u.record()
	for name := range hostile(u, "") {
		stick := newStick(t)
		if err := hostile(u, stick.Dir)[name](); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		var start, end runtime.MemStats
		runtime.ReadMemStats(&start)
		w, told := u.mirroring(stick)
		for now := time.Duration(0); now < 3*every; now += look {
			w.step(t.Context(), now)
		}
		if packages, err := stick.Packages(); err == nil {
			for file, version := range packages {
				if strings.ContainsAny(file+version, "\n\x1b ") || stick.Fetch(file, filepath.Join(t.TempDir(), "x")) == nil && strings.Contains(name, "link") {
					t.Errorf("%s: package %q is offered", name, file)
				}
			}
		}
		other := spare(t, "10000000bbbb")
		if q, err := Begin(other.data, other.id, stick, secret.Key{}); err == nil && len(q) > 0 && q[0].Unit == "stranger" {
			t.Errorf("%s: a table is offered: %+v", name, q)
		}
		runtime.ReadMemStats(&end)
		if used := (end.TotalAlloc - start.TotalAlloc) >> 20; used > 400 {
			t.Errorf("%s: it took %d MB", name, used)
		}
		for _, text := range *told {
			if strings.ContainsAny(text, "\x1b<") || strings.Contains(text, "TIE") || len(text) > 400 {
				t.Errorf("%s: the board says %.200q", name, text)
			}
		}
	}
	if after, hands := u.record(); after != before || hands != 3 {
		t.Errorf("the record reaches to %d with %d hands, was %d with 3", after, hands, before)
	}
}
