package transfer

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"shoeboard/cmd/internal/datadir"
	"shoeboard/tracker/journal"
)

const (
	tableFile       = "table" // of a data folder and of a mirror
	manifestFile    = "manifest.json"
	manifestVersion = 1
	sumsFile        = "SHA256SUMS"
	mostManifest    = 64 << 10
	mostText        = 1 << 20  // of a configuration, a list of sums
	mostSegment     = 64 << 20 // no segment comes near
)

// Manifest is what a mirror says of itself. It is written after what it names.
type Manifest struct {
	Version int       `json:"version"`
	Unit    string    `json:"unit"`
	Table   string    `json:"table"`
	Program string    `json:"program"`
	Made    time.Time `json:"made"` // by the unit's clock, which may not have been set
	From    string    `json:"from"` // the oldest segment without a gap after it
	To      string    `json:"to"`   // the segment that grew
	Size    int64     `json:"size"` // of To, bytes
	SHA256  string    `json:"sha256"`
}

// isSegment says that a segment is called so: sixteen digits, so that names are in the
// order of their records.
func isSegment(name string) bool {
	digits, ok := strings.CutSuffix(name, ".jrn")
	return ok && len(digits) == 16 && strings.Trim(digits, "0123456789") == ""
}

// bucket is the folder of a segment in the journal of a mirror.
func bucket(segment string) string { return segment[:11] }

// ReadManifest reads and judges the manifest of the folder name of a stick, which may be
// one that was put aside.
func ReadManifest(root *os.Root, name string) (Manifest, error) {
	text, err := Read(root, path.Join(name, manifestFile), mostManifest)
	if err != nil {
		return Manifest{}, err
	}
	m, err := parseManifest(text)
	if err != nil {
		return m, fmt.Errorf("%s/%s: %w", name, manifestFile, err)
	}
	return m, nil
}

// readManifest is ReadManifest of a folder that is the unit's own.
func readManifest(root *os.Root, name string) (Manifest, error) {
	m, err := ReadManifest(root, name)
	if err == nil && home(m.Unit) != name {
		err = fmt.Errorf("%s/%s: it is unit %.40q's", name, manifestFile, m.Unit)
	}
	return m, err
}

// parseManifest reads and judges a manifest.
func parseManifest(text []byte) (m Manifest, err error) {
	if err := json.Unmarshal(text, &m); err != nil {
		return m, err
	}
	switch {
	case m.Version != manifestVersion:
		err = fmt.Errorf("version %d of a mirror, this program reads version %d", m.Version, manifestVersion)
	case !isUnit(m.Unit):
		err = fmt.Errorf("it is unit %.40q's", m.Unit)
	case !isSegment(m.From) || !isSegment(m.To) || m.From > m.To || m.Size < 0:
		err = fmt.Errorf("segments %.24q to %.24q of %d bytes", m.From, m.To, m.Size)
	case datadir.CheckTable(m.Table) != nil:
		err = fmt.Errorf("table %.24q", m.Table)
	}
	return m, err
}

// isUnit says that a unit can be called so: by letters that are seen, in one word.
func isUnit(id string) bool {
	return id != "" && len(id) <= journal.MaxUnit && strings.IndexFunc(id, func(r rune) bool { return r <= ' ' || r > '~' }) < 0
}

// mirrors are the manifests on a stick, newest first, one a table: of a table that
// was taken over before, the record that goes further counts.
func mirrors(root *os.Root) ([]Manifest, error) {
	names, err := list(root, Folder)
	if err != nil {
		return nil, err
	}
	byTable := map[string]Manifest{}
	for _, name := range names {
		m, err := readManifest(root, path.Join(Folder, name))
		if err != nil {
			continue // another folder, or a mirror that was never ended
		}
		if have, ok := byTable[m.Table]; !ok || further(m, have) {
			byTable[m.Table] = m
		}
	}
	var all []Manifest
	for _, m := range byTable {
		all = append(all, m)
	}
	slices.SortFunc(all, func(a, b Manifest) int {
		return cmp.Or(b.Made.Compare(a.Made), cmp.Compare(a.Table, b.Table))
	})
	return all, nil
}

func further(a, b Manifest) bool {
	return cmp.Or(cmp.Compare(a.To, b.To), cmp.Compare(a.Size, b.Size)) > 0
}

// mostNames bounds what is read of one folder; one of FAT holds half of it.
const mostNames = 1 << 17

// list names what is in a folder of the stick, sorted; a missing folder is empty. A
// pipe that is called like a folder is an error, and is not waited for.
func list(root *os.Root, name string) ([]string, error) {
	dir, err := root.OpenFile(name, os.O_RDONLY|unix.O_DIRECTORY|unix.O_NONBLOCK, 0)
	if os.IsNotExist(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	names, err := dir.Readdirnames(mostNames + 1)
	if errors.Is(err, io.EOF) {
		err = nil // it is empty
	}
	if len(names) > mostNames {
		err = fmt.Errorf("%s on the stick has more than %d files", name, mostNames)
	}
	slices.Sort(names)
	return names, err
}

// sums are the SHA-256 of files by their names, as sha256sum writes them.
type sums map[string]string

// readSums reads the list of a folder. Lines that are none count for nothing: their
// files are written again.
func readSums(root *os.Root, dir string) sums {
	text, err := Read(root, path.Join(dir, sumsFile), mostText)
	if err != nil {
		return sums{}
	}
	return parseSums(text)
}

func parseSums(text []byte) sums {
	all := sums{}
	for lines := bufio.NewScanner(strings.NewReader(string(text))); lines.Scan(); {
		sum, name, ok := strings.Cut(lines.Text(), "  ")
		if ok && len(sum) == 64 && isSegment(name) {
			all[name] = sum
		}
	}
	return all
}

func (s sums) write(root *os.Root, dir string) error {
	_, err := put(root, path.Join(dir, sumsFile), func(out io.Writer) error {
		for _, name := range slices.Sorted(maps.Keys(s)) {
			if _, err := fmt.Fprintf(out, "%s  %s\n", s[name], name); err != nil {
				return err
			}
		}
		return nil
	})
	return err
}
