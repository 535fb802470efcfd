package doctor

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"shoeboard/assets"
	"shoeboard/cmd/internal/config"
	"shoeboard/cmd/internal/datadir"
	"shoeboard/cmd/internal/index"
	"shoeboard/cmd/internal/update"
	"shoeboard/tracker/journal"
	"shoeboard/tracker/table"
)

// Manifest names the files of the package with their SHA-256, as sha256sum writes it.
const Manifest = "usr/share/shoeboard/manifest.sha256"

// Sum is a thing with its SHA-256.
type Sum struct {
	What   string `json:"what"`
	SHA256 string `json:"sha256"`
	Wrong  string `json:"wrong,omitempty"` // why it is not as it should be
}

// Verification is what verify --json gives.
type Verification struct {
	Files   []Sum    `json:"files"`
	Records int      `json:"records"`
	Last    uint64   `json:"last"`
	Head    string   `json:"head"` // hash of the last record: it stands for all before it
	Wrong   []string `json:"wrong,omitempty"`
}

// Sums are the program, what is built into it, the files of the package and the
// configuration.
func Sums(root string, l config.Loaded) []Sum {
	all := []Sum{ofFile("program", "/proc/self/exe")}
	for _, id := range assets.PackIDs() {
		_, data, _ := assets.Pack(id)
		all = append(all, OfBytes("game "+id, data))
	}
	if l.Text != nil {
		all = append(all, OfBytes("configuration "+l.Path, l.Text))
	}
	text, err := os.ReadFile(filepath.Join(root, Manifest))
	if errors.Is(err, fs.ErrNotExist) {
		return all // not from a package: there is nothing to compare with
	}
	if err != nil {
		return append(all, Sum{What: "package", Wrong: err.Error()})
	}
	return append(all, packaged(root, text)...)
}

// packaged compares the files of a manifest with what is there.
func packaged(root string, manifest []byte) (all []Sum) {
	lines := bufio.NewScanner(bytes.NewReader(manifest))
	for lines.Scan() {
		want, name, ok := strings.Cut(lines.Text(), "  ")
		if !ok {
			all = append(all, Sum{What: "package", Wrong: fmt.Sprintf("the manifest has the line %q", lines.Text())})
			continue
		}
		f := ofFile(name, filepath.Join(root, name))
		if f.Wrong == "" && f.SHA256 != want {
			f.Wrong = "is not what the package had (" + want + ")"
		}
		all = append(all, f)
	}
	return all
}

func ofFile(what, path string) Sum {
	f, err := os.Open(path)
	if err != nil {
		return Sum{What: what, Wrong: err.Error()}
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return Sum{What: what, Wrong: err.Error()}
	}
	return Sum{What: what, SHA256: hex.EncodeToString(h.Sum(nil))}
}

// OfBytes is the digest of some bytes.
func OfBytes(what string, data []byte) Sum {
	h := sha256.Sum256(data)
	return Sum{What: what, SHA256: hex.EncodeToString(h[:])}
}

// AddRecord checks the chain of a data folder and adds its head: the hash of the last
// record, which each record before it has a part in.
func (v *Verification) AddRecord(data string) {
	dir, known := datadir.Journal(data), index.Ask(data)
	c, err := journal.Verify(journal.Dir(dir))
	if err != nil {
		v.Wrong = append(v.Wrong, "record: "+err.Error())
		return
	}
	v.Records, v.Last = c.Records, c.Last
	if v.Head, err = chainHead(dir, c.Last); err != nil {
		v.Wrong = append(v.Wrong, "record: "+err.Error())
	}
	for _, problem := range c.Problems {
		v.Wrong = append(v.Wrong, "record: "+problem.Error())
	}
	if l := lostEnd(known, dir, c.Last); l.Any() {
		v.Wrong = append(v.Wrong, "record: "+l.String())
	}
}

// lostEnd returns what a record that ends with number last is known to have had behind that.
func lostEnd(known index.Witness, dir string, last uint64) index.Lost {
	found, err := journal.Look(journal.Dir(dir))
	if err != nil {
		return index.Lost{} // that is told already
	}
	state, _ := table.Restore(found)
	return known.Lost(state, max(last, found.Last)) // a core may run
}

// chainHead is the hash of record last, as the record after it would carry it. It is
// read from the last segment by the journal's written format.
func chainHead(dir string, last uint64) (string, error) {
	segments, err := filepath.Glob(filepath.Join(dir, "*.jrn"))
	if err != nil || last == 0 || len(segments) == 0 {
		return "", err
	}
	slices.Sort(segments)
	for _, path := range slices.Backward(segments) {
		data, err := os.ReadFile(path)
		if err != nil {
			return "", err
		}
		const header, fixed = 64, 76
		for at := header; at+fixed <= len(data); {
			size := int(binary.LittleEndian.Uint32(data[at:]))
			if size < fixed || at+size > len(data) {
				break
			}
			if binary.LittleEndian.Uint64(data[at+8:]) == last {
				h := sha256.Sum256(data[at : at+size])
				return hex.EncodeToString(h[:16]), nil
			}
			at += size
		}
	}
	return "", fmt.Errorf("record %d is not where it should be", last)
}

// probeProgram compares the program with its package.
func probeProgram(p *Patient) []Finding {
	text, err := os.ReadFile(filepath.Join(p.path, Manifest))
	if errors.Is(err, fs.ErrNotExist) {
		return grouped("program", Finding{Name: "files", Verdict: Unknown, Text: "this program does not come from a package"})
	}
	if err != nil {
		return grouped("program", Finding{Name: "files", Verdict: Broken, Text: err.Error(), Do: "install the package again"})
	}
	for _, f := range packaged(p.path, text) {
		if f.Wrong != "" {
			return grouped("program", Finding{Name: "files", Verdict: Broken, Text: f.What + " " + f.Wrong, Do: "install the package again, and ask who changed it"})
		}
	}
	return grouped("program", Finding{Name: "files", Verdict: Fine, Text: "all are as the package had them"})
}

// Text is the verification for a person, one line a thing.
func (v Verification) Text() string {
	var t strings.Builder
	for _, f := range v.Files {
		fmt.Fprintf(&t, "%-64s  %s\n", f.SHA256, f.What)
	}
	if v.Records > 0 {
		fmt.Fprintf(&t, "%-64s  record 1 to %d, %d records\n", v.Head, v.Last, v.Records)
	}
	for _, w := range v.Wrong {
		fmt.Fprintf(&t, "WRONG: %s\n", w)
	}
	return t.String()
}

// probeUpdate tells of an update that was taken back; of none there is nothing to say.
func probeUpdate(p *Patient) []Finding {
	text, err := fs.ReadFile(p.root, strings.TrimPrefix(update.Failed, "/"))
	if err != nil {
		return nil
	}
	return grouped("program", Finding{Name: "update", Verdict: Broken, Code: "update-failed",
		Text: strings.TrimSpace(string(text[:min(len(text), 100)])), Do: whyNoUpdate})
}
