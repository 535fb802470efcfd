// Package golden holds what earlier versions wrote: records, checkpoints, packs, data
// folders with their backups and mirrors, and what was shown and exported of them. Every
// later version reads them and comes to the same. Nothing of it is ever changed; the
// README of each version says how it was made.
//
// Only tests import this package.
package golden

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

//go:embed v1 v2
var versions embed.FS

// Versions are the versions of which there is a data folder.
var Versions = []string{"v1", "v2"}

// File returns a file such as "v1/hands.csv", unzipped when its name ends in .gz.
func File(t testing.TB, name string) []byte {
	t.Helper()
	data, err := versions.ReadFile(name)
	if err == nil && strings.HasSuffix(name, ".gz") {
		var z *gzip.Reader
		if z, err = gzip.NewReader(bytes.NewReader(data)); err == nil {
			data, err = io.ReadAll(z)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// Lines returns the lines of a file.
func Lines(t testing.TB, name string) [][]byte {
	t.Helper()
	return bytes.Split(bytes.TrimSpace(File(t, name)), []byte("\n"))
}

// Copy writes a file to path, as it is.
func Copy(t testing.TB, name, path string) {
	t.Helper()
	data, err := versions.ReadFile(name)
	if err == nil {
		err = os.WriteFile(path, data, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// Unpack unpacks an archive into a folder.
func Unpack(t testing.TB, name, dir string) {
	t.Helper()
	for in := tar.NewReader(bytes.NewReader(File(t, name))); ; {
		h, err := in.Next()
		if errors.Is(err, io.EOF) {
			return
		}
		path := filepath.Join(dir, filepath.Clean("/"+h.Name))
		if err == nil && h.Typeflag == tar.TypeDir {
			err = os.MkdirAll(path, 0o755)
		} else if err == nil {
			var data []byte
			if data, err = io.ReadAll(in); err == nil {
				err = os.WriteFile(path, data, 0o644)
			}
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// Contains wants the JSON got to have everything that the JSON want has; it may have more.
func Contains(t testing.TB, what string, want, got []byte) {
	t.Helper()
	var w, g any
	if err := errors.Join(json.Unmarshal(want, &w), json.Unmarshal(got, &g)); err != nil {
		t.Fatal(err)
	}
	if place := lack(what, w, g); place != "" {
		t.Error(place)
	}
}

func lack(place string, want, got any) string {
	switch w := want.(type) {
	case map[string]any:
		g, _ := got.(map[string]any)
		for key := range w {
			if at := lack(place+"."+key, w[key], g[key]); at != "" {
				return at
			}
		}
	case []any:
		g, ok := got.([]any)
		if !ok || len(g) != len(w) {
			return fmt.Sprintf("%s is %v, expected %v", place, got, want)
		}
		for i := range w {
			if at := lack(fmt.Sprintf("%s[%d]", place, i), w[i], g[i]); at != "" {
				return at
			}
		}
	default:
		if !reflect.DeepEqual(want, got) {
			return fmt.Sprintf("%s is %v, expected %v", place, got, want)
		}
	}
	return ""
}
