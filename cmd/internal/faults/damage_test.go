package faults

import (
	"bytes"
	"context"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"shoeboard/cmd/internal/testkit"
	"shoeboard/stats"
)

// kinds of damage to one file of a data folder, each as it was seen or feared on cards.
var kinds = map[string]func(r *rand.Rand, path string) error{
	"removed": func(_ *rand.Rand, path string) error { return os.Remove(path) },
	"empty":   func(_ *rand.Rand, path string) error { return os.Truncate(path, 0) },
	"cut":     func(r *rand.Rand, path string) error { return cutAt(path, r.Float64()) },
	"cut by a byte": func(_ *rand.Rand, path string) error {
		return change(path, func(b []byte) []byte { return b[:len(b)-1] })
	},
	"a bit flipped": func(r *rand.Rand, path string) error {
		return change(path, func(b []byte) []byte { b[r.IntN(len(b))] ^= 1 << r.IntN(8); return b })
	},
	"a sector of 0":  func(r *rand.Rand, path string) error { return sectorOf(r, path, func([]byte) byte { return 0 }) },
	"a sector of ff": func(r *rand.Rand, path string) error { return sectorOf(r, path, func([]byte) byte { return 0xff }) },
	"a sector of dust": func(r *rand.Rand, path string) error {
		return sectorOf(r, path, func([]byte) byte { return byte(r.Uint32()) })
	},
	"all 0": func(_ *rand.Rand, path string) error {
		return change(path, func(b []byte) []byte { return make([]byte, len(b)) })
	},
	"all dust": func(r *rand.Rand, path string) error {
		return change(path, func(b []byte) []byte {
			for i := range b {
				b[i] = byte(r.Uint32())
			}
			return b
		})
	},
	"its head twice": func(_ *rand.Rand, path string) error {
		return change(path, func(b []byte) []byte { return append(slices.Clone(b[:len(b)/2]), b...) })
	},
	"dust behind": func(_ *rand.Rand, path string) error {
		return change(path, func(b []byte) []byte { return append(b, "dust behind the end"...) })
	},
	"zeros behind": func(_ *rand.Rand, path string) error {
		return change(path, func(b []byte) []byte { return append(b, make([]byte, 4096)...) })
	},
	"huge with a hole":  func(_ *rand.Rand, path string) error { return os.Truncate(path, 8<<30) },
	"a folder":          instead(func(path string) error { return os.Mkdir(path, 0o755) }),
	"a pipe":            instead(func(path string) error { return unix.Mkfifo(path, 0o644) }),
	"endless":           instead(func(path string) error { return os.Symlink("/dev/zero", path) }),
	"a dangling link":   instead(func(path string) error { return os.Symlink("/nowhere", path) }),
	"a link to itself":  instead(func(path string) error { return os.Symlink(path, path) }),
	"a link elsewhere":  instead(func(path string) error { return os.Symlink("/etc/passwd", path) }),
	"not to be written": func(_ *rand.Rand, path string) error { return os.Chmod(path, 0o400) },
	"another's words": func(_ *rand.Rand, path string) error {
		return change(path, func([]byte) []byte { return []byte("TIE PAYS 40 TO 1\x1b[2J\n") })
	},
}

func change(path string, how func([]byte) []byte) error {
	text, err := os.ReadFile(path)
	if err != nil || len(text) == 0 {
		return err
	}
	return os.WriteFile(path, how(text), 0o644)
}

func cutAt(path string, share float64) error {
	return change(path, func(b []byte) []byte { return b[:int(float64(len(b))*share)] })
}

func sectorOf(r *rand.Rand, path string, with func([]byte) byte) error {
	return change(path, func(b []byte) []byte {
		at := r.IntN(len(b)) / sector * sector
		for i := range b[at:min(at+sector, len(b))] {
			b[at+i] = with(b)
		}
		return b
	})
}

func instead(put func(path string) error) func(*rand.Rand, string) error {
	return func(_ *rand.Rand, path string) error {
		if err := os.Remove(path); err != nil {
			return err
		}
		return put(path)
	}
}

// evening is the data folder of an evening of three shoes, with all that a core keeps beside.
func evening(t testing.TB, binary, dir string) {
	t.Helper()
	testkit.Evening(t, dir) // of a unit whose table this one takes over
	if out, err := exec.Command(binary, "takeover", "--data", dir, "--yes").CombinedOutput(); err != nil {
		t.Fatalf("%v, %s", err, out)
	}
	c, _ := start(t, binary, dir)
	for range 300 {
		if _, err := os.Stat(filepath.Join(dir, "history.db.reach")); err == nil {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	c.kill()
}

// copied copies a data folder.
func copied(t testing.TB, from string) (to string) {
	t.Helper()
	to = filepath.Join(t.TempDir(), "data")
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
	return to
}

// Whatever has become of a file in the data folder: the board is there in time, goes on
// recording or says that it does not, and what it shows of the shoe in play is what was dealt or
// a gap. export and verify come to an end.
func TestDamagedFolders(t *testing.T) {
	long := tried(t)
	binary, seed := program(t, "", "", ""), uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	r, whole := rand.New(rand.NewPCG(seed, 4)), filepath.Join(t.TempDir(), "whole")
	evening(t, binary, whole)
	files, err := filepath.Glob(filepath.Join(whole, "*"))
	if err != nil {
		t.Fatal(err)
	}
	journal, _ := filepath.Glob(filepath.Join(whole, "journal", "*"))
	names := slices.DeleteFunc(append(files, journal...), func(path string) bool { info, err := os.Stat(path); return err != nil || info.IsDir() })
	kindNames := make([]string, 0, len(kinds))
	for kind := range kinds {
		kindNames = append(kindNames, kind)
	}
	slices.Sort(kindNames)
	n := 0
	for end := time.Now().Add(long); time.Now().Before(end); n++ {
		data, kind := copied(t, whole), kindNames[r.IntN(len(kinds))]
		name := strings.TrimPrefix(names[r.IntN(len(names))], whole)
		if err := kinds[kind](r, filepath.Join(data, name)); err != nil {
			t.Fatalf("%s, %s: %v", name, kind, err)
		}
		damaged(t, binary, data, name+", "+kind)
	}
	t.Logf("%d damaged folders", n)
}

// damaged tries a damaged folder, whose shoe in play was TP.
func damaged(t *testing.T, binary, data, what string) {
	t.Helper()
	c, b := begin(t, binary, data)
	if b == nil {
		t.Errorf("%s: no board in time:\n%s", what, c.said)
		return
	}
	shown := hands(b)
	if shown != "" && shown != "TP" && !strings.Contains("BPTB PBB BPTB", shown) && len(b.Shoe.Lost) == 0 {
		t.Errorf("%s: the board shows %q, and no gap", what, shown)
	}
	if shown != "TP" && len(b.Faults)+len(b.EndedFaults) < 2 && !records(b, "records-missing", "record", "hands-lost", "not-recording", "take-over", "no-start") {
		t.Errorf("%s: the board shows %q and says only %+v", what, shown, b.Faults)
	}
	_, err := c.Correct(t.Context(), correction)
	for end := time.Now().Add(3 * time.Second); err != nil && strings.Contains(err.Error(), "try again") && time.Now().Before(end); {
		_, err = c.Correct(t.Context(), correction)
	}
	if err != nil && !records(b, "not-recording", "no-start", "take-over") && shown != "" {
		if b, _ := c.Board(t.Context()); b == nil || !records(b, "not-recording", "no-start") {
			t.Errorf("%s: nothing is recorded (%v), and the board does not say so: %+v\n%s", what, err, b.Faults, c.said)
		}
	}
	c.kill()
	for _, verb := range [][]string{{"verify", "--data", data}, {"export", "--data", data}} {
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		out, err := exec.CommandContext(ctx, binary, verb...).CombinedOutput()
		if ctx.Err() != nil || bytes.Contains(out, []byte("panic:")) {
			t.Errorf("%s: %s: %v, %s", what, verb[0], err, out)
		}
		cancel()
	}
}

func records(b *stats.Board, codes ...string) bool {
	return slices.ContainsFunc(codes, func(code string) bool { return has(b, code) })
}
