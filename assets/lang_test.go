package assets

import (
	"io/fs"
	"os"
	"path"
	"strings"
	"testing"
)

func TestEveryCatalogueIsListed(t *testing.T) {
	files, err := fs.Glob(langFiles, "lang/*.toml")
	if err != nil || len(files) != len(Langs()) {
		t.Errorf("%d catalogues are built in, %d are listed (%v)", len(files), len(Langs()), err)
	}
	if Langs()[0].Code != "en" {
		t.Error("English is not offered first")
	}
}

func TestReviewListNamesEveryLanguage(t *testing.T) {
	text, err := os.ReadFile(path.Join("lang", "REVIEW.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range Langs() {
		if l.Code != "en" && !strings.Contains(string(text), "## "+l.Code) {
			t.Errorf("REVIEW.md has no chapter for %s", l.Code)
		}
	}
}
