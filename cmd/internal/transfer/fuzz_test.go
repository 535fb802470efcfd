package transfer

import (
	"path"
	"path/filepath"
	"testing"
)

// Whatever a manifest says: what is taken names a table and segments that can be, and
// leads to the folder in which it lies.
func FuzzManifest(f *testing.F) {
	f.Add([]byte(`{"version":1,"unit":"10000000aaaa","table":"14","from":"0000000000000001.jrn","to":"0000000000000120.jrn"}`))
	f.Add([]byte(`{"version":1,"unit":"../../etc","table":"14","from":"0000000000000001.jrn","to":"0000000000000120.jrn"}`))
	f.Add([]byte(`{"version":1,"unit":"10000000aaaa","table":"../x","from":"../0000000000001.jrn","to":"x"}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		m, err := parseManifest(text)
		if err != nil || Home(m.Unit) != Home("10000000aaaa") {
			return
		}
		for _, segment := range []string{m.From, m.To} {
			if at := place(m.Unit, segment); !filepath.IsLocal(at) || path.Dir(path.Dir(path.Dir(at))) != Home("10000000aaaa") {
				t.Errorf("%s leads to %s", text, at)
			}
		}
		if m.Size < 0 {
			t.Errorf("%d bytes", m.Size)
		}
	})
}

func FuzzSums(f *testing.F) {
	f.Add([]byte("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  0000000000000001.jrn\n"))
	f.Add([]byte("x  y\n\n  \ne3b0c442"))
	f.Fuzz(func(t *testing.T, text []byte) {
		for name, sum := range parseSums(text) {
			if !archiveFile.MatchString(name) || len(sum) != 64 {
				t.Errorf("%q %q", name, sum)
			}
		}
	})
}

// Whatever a unit is called, its folder is one below ours.
func FuzzHome(f *testing.F) {
	for _, unit := range []string{"10000000aaaa", "..", "a/b", "", "c:d"} {
		f.Add(unit)
	}
	f.Fuzz(func(t *testing.T, unit string) {
		if unit == "" {
			return // no unit has no name
		}
		if h := Home(unit); !filepath.IsLocal(h) || path.Dir(h) != Folder {
			t.Errorf("%q: %s", unit, h)
		}
	})
}
