package main

import (
	"bufio"
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"shoeboard/assets"
	"shoeboard/cmd/shoeboard/config"
	"shoeboard/tracker/journal"
)

// manifest names the files of the package with their SHA-256, as sha256sum writes it.
const manifest = "usr/share/shoeboard/manifest.sha256"

// sum is a thing with its SHA-256.
type sum struct {
	What   string `json:"what"`
	SHA256 string `json:"sha256"`
	Wrong  string `json:"wrong,omitempty"` // why it is not as it should be
}

type verifyVerb struct {
	JSON bool   `help:"As JSON."`
	Data string `help:"Data folder; without it the configuration's." type:"path" placeholder:"DIR"`
}

// verification is what verify --json gives.
type verification struct {
	Files   []sum    `json:"files"`
	Records int      `json:"records"`
	Last    uint64   `json:"last"`
	Head    string   `json:"head"` // hash of the last record: it stands for all before it
	Wrong   []string `json:"wrong,omitempty"`
}

// Run tells the SHA-256 of everything that decides what the board shows, to be
// compared with another unit's or with what was published, and the head of the
// record's chain. It fails when a file is not as the package had it or the record
// is not whole.
func (v *verifyVerb) Run(p *program, all *verbs) error {
	l, err := p.readConfig(all.Config, v.Data)
	if err != nil {
		return err
	}
	out := verification{Files: p.sums(l)}
	for _, f := range out.Files {
		if f.Wrong != "" {
			out.Wrong = append(out.Wrong, f.What+": "+f.Wrong)
		}
	}
	out.addRecord(config.JournalDir(cmp.Or(v.Data, l.File.Table("").Data)))
	if v.JSON {
		err = writeJSON(p.out, out)
	} else {
		_, err = io.WriteString(p.out, out.text())
	}
	if err == nil && len(out.Wrong) > 0 {
		err = fmt.Errorf("%d things are not as they should be", len(out.Wrong))
	}
	return err
}

// sums are the program, what is built into it, the files of the package and the
// configuration.
func (p *program) sums(l config.InForce) []sum {
	all := []sum{ofFile("program", "/proc/self/exe")}
	for _, id := range assets.PackIDs() {
		_, data, _ := assets.Pack(id)
		all = append(all, ofBytes("game "+id, data))
	}
	if l.Text != nil {
		all = append(all, ofBytes("configuration "+l.Path, l.Text))
	}
	text, err := os.ReadFile(filepath.Join(p.root, manifest))
	if errors.Is(err, fs.ErrNotExist) {
		return all // not from a package: there is nothing to compare with
	}
	if err != nil {
		return append(all, sum{What: "package", Wrong: err.Error()})
	}
	return append(all, p.packaged(text)...)
}

// packaged compares the files of a manifest with what is there.
func (p *program) packaged(manifest []byte) (all []sum) {
	lines := bufio.NewScanner(bytes.NewReader(manifest))
	for lines.Scan() {
		want, name, ok := strings.Cut(lines.Text(), "  ")
		if !ok {
			all = append(all, sum{What: "package", Wrong: fmt.Sprintf("the manifest has the line %q", lines.Text())})
			continue
		}
		f := ofFile(name, filepath.Join(p.root, name))
		if f.Wrong == "" && f.SHA256 != want {
			f.Wrong = "is not what the package had (" + want + ")"
		}
		all = append(all, f)
	}
	return all
}

func ofFile(what, path string) sum {
	f, err := os.Open(path)
	if err != nil {
		return sum{What: what, Wrong: err.Error()}
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return sum{What: what, Wrong: err.Error()}
	}
	return sum{What: what, SHA256: hex.EncodeToString(h.Sum(nil))}
}

func ofBytes(what string, data []byte) sum {
	h := sha256.Sum256(data)
	return sum{What: what, SHA256: hex.EncodeToString(h[:])}
}

// addRecord checks the chain and adds its head: the hash of the last record, which
// each record before it has a part in.
func (v *verification) addRecord(dir string) {
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		return
	}
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

func (v verification) text() string {
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

// probeProgram compares the program with its package.
func probeProgram(p *patient) []finding {
	checked := program{root: p.path}
	text, err := os.ReadFile(filepath.Join(p.path, manifest))
	if errors.Is(err, fs.ErrNotExist) {
		return grouped("program", finding{Name: "files", Verdict: unknown, Text: "this program does not come from a package"})
	}
	if err != nil {
		return grouped("program", finding{Name: "files", Verdict: broken, Text: err.Error(), Do: "install the package again"})
	}
	for _, f := range checked.packaged(text) {
		if f.Wrong != "" {
			return grouped("program", finding{Name: "files", Verdict: broken, Text: f.What + " " + f.Wrong, Do: "install the package again, and ask who changed it"})
		}
	}
	return grouped("program", finding{Name: "files", Verdict: fine, Text: "all are as the package had them"})
}

// probePermissions looks at whose the data folder is and who may open the socket.
func probePermissions(p *patient) []finding {
	uid, _, err := config.OwnerOf(p.config.Data)
	if err != nil {
		return grouped("permissions", finding{Name: "data folder", Verdict: unknown, Text: err.Error()})
	}
	owner, err := user.LookupId(strconv.Itoa(uid))
	if err != nil {
		return grouped("permissions", finding{Name: "data folder", Verdict: broken, Text: fmt.Sprintf("%s belongs to user %d, whom nobody knows", p.config.Data, uid),
			Do: "sudo chown -R shoeboard: " + p.config.Data})
	}
	found := []finding{{Name: "data folder", Verdict: fine, Text: fmt.Sprintf("%s belongs to %s", p.config.Data, owner.Username)}}
	if info, err := os.Stat(p.config.Socket); err == nil && info.Mode().Perm()&0o007 != 0 {
		found = append(found, finding{Name: "socket", Verdict: broken, Text: p.config.Socket + " is open to everybody", Do: "sudo systemctl restart shoeboard"})
	}
	return grouped("permissions", found...)
}
