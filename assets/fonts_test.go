package assets

import (
	"bytes"
	"io/fs"
	"os"
	"path"
	"strings"
	"testing"
)

func TestEveryFontIsThereAndSmall(t *testing.T) {
	const most = 5 << 20 // a weight of the CJK family
	fonts := Fonts()
	for _, f := range fonts {
		if !bytes.HasPrefix(f.Data, []byte("OTTO")) {
			t.Errorf("%s %d is not an OpenType file", f.Family, f.Weight)
		}
		if len(f.Data) > most {
			t.Errorf("%s %d has %d bytes, more than %d", f.Family, f.Weight, len(f.Data), most)
		}
	}
	files, err := fs.Glob(fontFiles, "fonts/*.otf")
	if err != nil || len(files) != len(fonts) {
		t.Errorf("%d font files are built in, %d are listed (%v)", len(files), len(fonts), err)
	}
}

func TestEveryFontHasItsLicenceBesideIt(t *testing.T) {
	for _, f := range fontTable {
		family, _, _ := strings.Cut(f.file, "-")
		text, err := os.ReadFile(path.Join("fonts", family+"-OFL.txt"))
		if err != nil {
			t.Error(err)
			continue
		}
		if !bytes.HasPrefix(text, []byte("Copyright ")) || !bytes.Contains(text, []byte("SIL OPEN FONT LICENSE Version 1.1")) {
			t.Errorf("%s: no copyright line or no licence in %s-OFL.txt", f.file, family)
		}
	}
}
