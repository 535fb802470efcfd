package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"hash/crc32"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"shoeboard/cmd/internal/testkit"
	"shoeboard/cmd/internal/transfer"
	"shoeboard/tracker/journal"
)

// forge does what somebody can do who has the card, knows the format (tracker/journal/doc.go)
// and has none of this program's code: in the record of a data folder he puts one text in the
// place of another of the same length, once, and makes every checksum and hash right after it.
func forge(t *testing.T, data, was, is string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(data, "journal", "*.jrn"))
	if err != nil || len(was) != len(is) {
		t.Fatal(files, err)
	}
	slices.Sort(files)
	var prev []byte // hash of the record before, once that is forged
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for at := 64; at+76 <= len(text); {
			r := text[at : at+int(binary.LittleEndian.Uint32(text[at:]))]
			if i := bytes.Index(r, []byte(was)); prev == nil && i >= 0 {
				copy(r[i:], is)
				prev = bytes.Clone(r[16:32])
			}
			if prev != nil {
				copy(r[16:32], prev)
				crc := crc32.Update(crc32.Checksum(r[:4], crc32.MakeTable(crc32.Castagnoli)), crc32.MakeTable(crc32.Castagnoli), r[8:])
				binary.LittleEndian.PutUint32(r[4:], crc)
				sum := sha256.Sum256(r)
				prev = sum[:16]
			}
			at += len(r)
		}
		if err := os.WriteFile(name, text, 0o640); err != nil {
			t.Fatal(err)
		}
	}
	if prev == nil {
		t.Fatalf("no record has %s", was)
	}
}

// A hand of a shoe that had ended is forged, with every checksum and hash made right. The next
// checkpoint, the code that the camera kept, and the stick each find it.
func TestAForgedHandIsFound(t *testing.T) {
	s := newSite(t)
	data, stick := s.path("var/lib/shoeboard"), s.path("stick")
	testkit.Evening(t, data)
	if err := os.Mkdir(stick, 0o755); err != nil {
		t.Fatal(err)
	}
	mirrored(t, transfer.Mirror{Slot: transfer.Slot{Dir: stick, Plain: true}, Data: data, Unit: "unit", Program: "test"})
	var head struct{ Head string }
	if err := json.Unmarshal([]byte(s.fine("verify", "--json", "--data", data)), &head); err != nil {
		t.Fatal(err)
	}
	hash, err := hex.DecodeString(head.Head)
	if err != nil {
		t.Fatal(err)
	}
	code := journal.Code(hash[:10]).String()
	shoe := "2026-11-30/1"
	if out := s.fine("export", "--report", "2026-11-30", "--data", data); !strings.Contains(out, " has the code "+code) {
		t.Errorf("the report has another code than the record:\n%s", out)
	}
	if _, _, told := s.do("export", "--data", data); !strings.Contains(told, " has the code "+code) {
		t.Errorf("the export tells %q", told)
	}
	if out := s.fine("verify", "--data", data, "--head", shoe, code); !strings.Contains(out, "Proven") {
		t.Errorf("the honest record: %s", out)
	}
	if out := s.fine("verify", "--data", data, "--stick", "--from", stick); !strings.Contains(out, "COPY: shoeboard/unit has ") {
		t.Errorf("the honest copy: %s", out)
	}

	forge(t, data, `"k":"hand","n":2,"r":"B"`, `"k":"hand","n":2,"r":"P"`)
	for words, want := range map[string]string{
		"":                             "is not what the events before it come to",
		"--stick --from " + stick:      "was altered here or there",
		"--head " + shoe + " " + code:  "no record has the code",
		"--head 1 " + code[:19] + "-0": "one letter was misread",
	} {
		code, out, told := s.do(append([]string{"verify", "--data", data}, strings.Fields(words)...)...)
		if code == exitFine || !strings.Contains(out+told, want) {
			t.Errorf("verify %s: exit %d, %s%s", words, code, out, told)
		}
	}
}
