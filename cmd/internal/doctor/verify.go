package doctor

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"

	"shoeboard/assets"
	"shoeboard/cmd/internal/config"
	"shoeboard/cmd/internal/datadir"
	"shoeboard/tracker"
	"shoeboard/tracker/history"
	"shoeboard/tracker/journal"
	"shoeboard/tracker/localapi"
	"shoeboard/tracker/regular"
)

// manifest names the files of the package with their SHA-256, as sha256sum writes it.
const manifest = "usr/share/shoeboard/manifest.sha256"

// digest is a thing with its SHA-256.
type digest struct {
	What   string `json:"what"`
	SHA256 string `json:"sha256"`
	Wrong  string `json:"wrong,omitempty"` // why it is not as it should be
}

// Verification is the result of Verify.
type Verification struct {
	Files   []digest `json:"files"`
	Records int      `json:"records"`
	Last    uint64   `json:"last"`
	Head    string   `json:"head"`             // hash of the last record: every record before it is part of it
	Copies  []string `json:"copies,omitempty"` // of the record, that say the same
	Left    []string `json:"left,omitempty"`   // what was not compared, and why
	Wrong   []string `json:"wrong,omitempty"`
}

// Verify returns the digests of the program, the rule packs built into it, the files of
// the package and the configuration, and checks the chain of the record of a data folder.
func Verify(root string, l config.Loaded, data string) Verification {
	v := Verification{Files: []digest{ofFile("program", "/proc/self/exe")}}
	for _, id := range assets.PackIDs() {
		_, text, _ := assets.Pack(id)
		v.Files = append(v.Files, ofBytes("game "+id, text))
	}
	if l.Text != nil {
		v.Files = append(v.Files, ofBytes("configuration "+l.Path, l.Text))
	}
	files, err := packaged(root)
	v.Files = append(v.Files, files...)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		v.Files = append(v.Files, digest{What: "package", Wrong: err.Error()})
	}
	for _, f := range v.Files {
		if f.Wrong != "" {
			v.Wrong = append(v.Wrong, f.What+": "+f.Wrong)
		}
	}
	v.addRecord(data)
	return v
}

// packaged compares the files of the package with their manifest.
func packaged(root string) (all []digest, err error) {
	text, err := regular.ReadLinked(filepath.Join(root, manifest), regular.Most)
	if err != nil {
		return nil, err
	}
	lines := bufio.NewScanner(bytes.NewReader(text))
	for lines.Scan() {
		want, name, ok := strings.Cut(lines.Text(), "  ")
		if !ok {
			all = append(all, digest{What: "package", Wrong: fmt.Sprintf("the manifest has the line %q", lines.Text())})
			continue
		}
		f := ofFile(name, filepath.Join(root, name))
		if f.Wrong == "" && f.SHA256 != want {
			f.Wrong = "is not what the package had (" + want + ")"
		}
		all = append(all, f)
	}
	return all, nil
}

func ofFile(what, path string) digest {
	f, err := regular.OpenLinked(path, regular.AnySize)
	if err != nil {
		return digest{What: what, Wrong: err.Error()}
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return digest{What: what, Wrong: err.Error()}
	}
	return digest{What: what, SHA256: hex.EncodeToString(h.Sum(nil))}
}

// ofBytes returns the digest of some bytes.
func ofBytes(what string, data []byte) digest {
	h := sha256.Sum256(data)
	return digest{What: what, SHA256: hex.EncodeToString(h[:])}
}

// addRecord checks the chain of a data folder and adds its head.
func (v *Verification) addRecord(data string) {
	files := journal.Dir(datadir.Journal(data))
	c, err := journal.Verify(files)
	if err != nil {
		v.Wrong = append(v.Wrong, "record: "+err.Error())
		return
	}
	v.Records, v.Last, v.Head = c.Records, c.Last, c.Head
	for _, problem := range c.Problems {
		v.Wrong = append(v.Wrong, "record: "+problem.Error())
	}
	if l := history.FindLost(history.Path(data), files); l.Any() {
		v.Wrong = append(v.Wrong, "record: "+l.String())
	}
}

// Audit compares the record of a data folder with its checkpoints and with the index, that
// of the core where one runs. It takes a minute for five years.
func (v *Verification) Audit(ctx context.Context, data string, core localapi.Client) {
	wrong, err := history.Audit(ctx, history.Path(data), journal.Dir(datadir.Journal(data)), core.Shoes)
	if err != nil {
		wrong = append(wrong, fmt.Errorf("not compared to its end: %w", err))
	}
	for _, w := range wrong {
		if errors.Is(w, history.ErrInUse) {
			v.Left = append(v.Left, w.Error()+", and the core does not answer at "+core.Path)
			continue
		}
		v.Wrong = append(v.Wrong, "record: "+w.Error())
	}
}

// Proof says what a code proves that the board showed at the end of a shoe.
type Proof struct {
	Shoe  string `json:"shoe"`
	First uint64 `json:"first,omitempty"` // the records that are as they were then
	Last  uint64 `json:"last,omitempty"`
	Wrong string `json:"wrong,omitempty"` // why nothing is proven
}

// Prove checks a code against the record of a data folder. A shoe is named by its number in
// column shoe of an export, or by day and number: 2026-11-30/3.
func Prove(data, shoe string, code journal.Code) (Proof, error) {
	files := journal.Dir(datadir.Journal(data))
	s, err := findShoe(files, shoe)
	if err != nil {
		return Proof{}, err
	}
	p := Proof{Shoe: history.NameOf(s)}
	p.First, p.Last, err = journal.Find(files, code)
	end := history.LastOf(s)
	switch {
	case err != nil:
		return p, err
	case p.Last == 0:
		p.Wrong = fmt.Sprintf("no record has the code %v: %s, or something before it, was altered or is missing; "+
			"nothing is proven after the last code that holds", code, p.Shoe)
	case p.Last < end:
		p.Wrong = fmt.Sprintf("the code %v is of record %d, before the last hand of %s: "+
			"it is of an earlier shoe, or the hand was added later", code, p.Last, p.Shoe)
	case p.First > s.Started.Seq:
		p.Wrong = fmt.Sprintf("the code %v holds, but the chain is broken before record %d, within %s or before it",
			code, p.First, p.Shoe)
	}
	return p, nil
}

// In says in which shoe a record is, as ", in shoe 2026-11-30/3"; "" when that is not known.
func In(data string, seq uint64) (name string) {
	has := func(s tracker.Shoe) bool { return s.Started.Seq <= seq && seq <= history.LastOf(s) }
	inPlay, _, err := history.Shoes(journal.Dir(datadir.Journal(data)), history.Row{}, func(d history.Dealt) error {
		if has(d.Shoe) {
			name = ", in " + history.NameOf(d.Shoe) + ","
		}
		return nil
	})
	if err == nil && has(inPlay.Shoe) {
		name = ", in " + history.NameOf(inPlay.Shoe) + ","
	}
	return name
}

// findShoe returns a shoe that has ended or is in play.
func findShoe(files journal.Files, name string) (found tracker.Shoe, err error) {
	is := func(s tracker.Shoe) bool {
		return strconv.FormatUint(s.Started.Seq, 10) == name || fmt.Sprintf("%s/%d", s.Day, s.Number) == name
	}
	inPlay, _, err := history.Shoes(files, history.Row{}, func(d history.Dealt) error {
		if is(d.Shoe) {
			found = d.Shoe
		}
		return nil
	})
	switch {
	case err != nil:
		return found, err
	case is(inPlay.Shoe):
		return inPlay.Shoe, nil
	case found.Started.Seq == 0:
		err = fmt.Errorf("shoe %.40q is not in the record: expected a number of column shoe of an export, "+
			"or day and number, as 2026-11-30/3", name)
	}
	return found, err
}

// Text returns the proof for a person.
func (p Proof) Text() string {
	if p.Wrong != "" {
		return "WRONG: " + p.Wrong + "\n"
	}
	return fmt.Sprintf("Proven: records %d to %d, and in them %s, are as they were when the board showed the code. "+
		"What came later is not proven by it.\n", p.First, p.Last, p.Shoe)
}

// checkProgram compares the program with its package.
func checkProgram(u *Unit) []Finding {
	f := Finding{Name: "files"}
	files, err := packaged(u.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return []Finding{f.is(Unknown, "this program does not come from a package", "")}
	case err != nil:
		return []Finding{f.is(Broken, err.Error(), "install the package again")}
	}
	for _, d := range files {
		if d.Wrong != "" {
			return []Finding{f.is(Broken, d.What+" "+d.Wrong, "install the package again, and ask who changed it")}
		}
	}
	return []Finding{f.is(Fine, "all are as the package had them", "")}
}

// Text returns the verification for a person, one line a thing.
func (v Verification) Text() string {
	var t strings.Builder
	for _, f := range v.Files {
		fmt.Fprintf(&t, "%-64s  %s\n", f.SHA256, f.What)
	}
	if v.Records > 0 {
		fmt.Fprintf(&t, "%-64s  record 1 to %d, %d records\n", v.Head, v.Last, v.Records)
	}
	for _, c := range v.Copies {
		fmt.Fprintf(&t, "COPY: %s\n", c)
	}
	for _, l := range v.Left {
		fmt.Fprintf(&t, "NOT COMPARED: %s\n", l)
	}
	for _, w := range v.Wrong {
		fmt.Fprintf(&t, "WRONG: %s\n", w)
	}
	return t.String()
}
