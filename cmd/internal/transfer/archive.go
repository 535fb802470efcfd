// Package transfer carries the record of a table from one unit to another: it mirrors the
// record to a USB stick that is left in, writes and restores backups, takes a table over
// from a stick or from a card that was another unit's, and finds and writes files on a
// stick.
//
// # Words
//
// An archive is a record with its configuration and its table's number. The mirror of a
// unit is the archive in the folder shoeboard/UNIT on a stick; several units may share a
// stick. A backup is the same archive in one file. To take over is to go on with the
// archive of another unit. The slot is where the one stick of a unit is mounted. A stage is
// a folder beside the record in which another record is made ready.
//
// # What a caller may assume
//
// A stick is never trusted. It is read below its root, whatever links it holds, and checked;
// a file is written beside its place, read back and renamed, so that it is whole, or is not
// there, or is as it was. A stick may be pulled out, full, slow or broken at any moment:
// that gives an error or a sentence for the board, never a changed record. No secret is in
// an archive: it has the files named below and no others.
//
// A restore or take-over is prepared in the stage and happens by one rename; after a power
// cut at any moment the next Begin finishes it, or nothing has happened. A record that was
// in its place is put aside, never deleted.
//
// # The archive, version 1
//
//	journal/NNN/NNN….jrn     segments, in folders named by the first eleven digits of their
//	                         names: a FAT folder holds 65,536 names at most
//	config.good.toml, table
//	SHA256SUMS               of the files above; in a mirror each folder has its own, and the
//	                         segment that grows is in none
//	manifest.json            see Manifest; written last
//
// A mirror is these files in shoeboard/UNIT; UNIT is the unit's id, with "-" for what a FAT
// name cannot have. A mirror that is found there and is of another record (the unit has a
// new card) becomes UNIT-before-TIME; it can be taken over when it has its name again.
//
// A backup is a gzipped tar of these files in this order, with the bytes that were cut from
// a damaged segment (….jrn.cut). The previous version's began with backup.json, had the
// segments in journal/, and ended with backup.sum, the sums of all its files: it is still
// read. That version reads mirrors of this one, and no backups.
package transfer

import (
	"cmp"
	"crypto/hmac"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"time"

	"shoeboard/cmd/internal/config"
	"shoeboard/cmd/internal/datadir"
	"shoeboard/cmd/internal/secret"
	"shoeboard/tracker/journal"
	"shoeboard/tracker/regular"
)

const (
	tableFile       = "table"
	manifestFile    = "manifest.json"
	manifestVersion = 1
	sumsFile        = "SHA256SUMS"
	mostManifest    = 64 << 10
	mostText        = 1 << 20  // of a configuration, a list of sums
	mostSegment     = 64 << 20 // no segment comes near
)

// Manifest describes an archive.
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
	Config  string    `json:"config,omitempty"` // SHA-256 of the configuration
	// Signature is that of the house over all of it, by the venue's key: with the hash chain,
	// of every record.
	Signature string `json:"signature,omitempty"`
}

const signs = "mirror"

// signed returns the manifest with the house's signature.
func (m Manifest) signed(venue secret.Key) Manifest {
	m.Signature = ""
	text, _ := json.Marshal(m) // of plain fields: never fails
	m.Signature = venue.Sign(signs, text)
	return m
}

// isSigned reports whether the house has signed the manifest.
func (m Manifest) isSigned(venue secret.Key) bool {
	return hmac.Equal([]byte(m.Signature), []byte(m.signed(venue).Signature))
}

// parseManifest reads and checks a manifest.
func parseManifest(text []byte) (m Manifest, err error) {
	if err := json.Unmarshal(text, &m); err != nil {
		return m, err
	}
	switch {
	case m.Version != manifestVersion:
		err = fmt.Errorf("version %d of an archive: this program reads version %d", m.Version, manifestVersion)
	case !isUnit(m.Unit):
		err = fmt.Errorf("unit %.40q", m.Unit)
	case !isSegment(m.From) || !isSegment(m.To) || m.From > m.To || m.Size < 0:
		err = fmt.Errorf("segments %.24q to %.24q of %d bytes", m.From, m.To, m.Size)
	}
	return m, err
}

// isUnit reports whether a unit can be called so: by visible letters, in one word.
func isUnit(id string) bool {
	other := func(r rune) bool { return r <= ' ' || r > '~' }
	return id != "" && len(id) <= journal.MaxUnit && !strings.ContainsFunc(id, other)
}

// isSegment reports whether a segment can be called so: by sixteen digits, so that names
// are in the order of their records.
func isSegment(name string) bool {
	digits, ok := strings.CutSuffix(name, ".jrn")
	return ok && len(digits) == 16 && strings.Trim(digits, "0123456789") == ""
}

// bucket returns the folder of a segment in the journal of an archive.
func bucket(segment string) string { return segment[:11] }

// ReadManifest reads the manifest of the folder name of a stick, which may be a mirror that
// was put aside.
func ReadManifest(root *os.Root, name string) (Manifest, error) {
	text, err := regular.ReadIn(root, path.Join(name, manifestFile), mostManifest)
	if err != nil {
		return Manifest{}, err
	}
	m, err := parseManifest(text)
	if err = errors.Join(err, datadir.CheckTable(m.Table)); err != nil {
		return m, fmt.Errorf("%s/%s: %w", name, manifestFile, err)
	}
	return m, nil
}

// Folders returns the names in our folder of a stick, with it before them.
func Folders(root *os.Root) (names []string, err error) {
	names, err = list(root, Folder)
	for i, name := range names {
		names[i] = path.Join(Folder, name)
	}
	return names, err
}

// mostMirrors bounds the mirrors that are looked at on one stick.
const mostMirrors = 100

// mirrors returns the manifests of the mirrors on a stick, the newest first.
func mirrors(root *os.Root) (all []Manifest, err error) {
	names, err := list(root, Folder)
	for _, name := range names {
		m, err := ReadManifest(root, path.Join(Folder, name))
		if err == nil && Home(m.Unit) == path.Join(Folder, name) { // else it was put aside, or is another folder
			all = append(all, m)
		}
		if len(all) == mostMirrors {
			break
		}
	}
	slices.SortStableFunc(all, func(a, b Manifest) int {
		return cmp.Or(b.Made.Compare(a.Made), cmp.Compare(a.Table, b.Table))
	})
	return all, err
}

// Home returns the folder of a unit's mirror on a stick.
func Home(unit string) string {
	name := strings.Map(func(r rune) rune {
		if r > ' ' && r < 0x7f && !strings.ContainsRune(`"*/:<>?\|.`, r) {
			return r
		}
		return '-'
	}, unit)
	return path.Join(Folder, name)
}

// place returns the name of a segment in the mirror of a unit.
func place(unit, segment string) string {
	return path.Join(Home(unit), "journal", bucket(segment), segment)
}

// sums are the SHA-256 of files by their names, without the folder.
type sums map[string]string

// readSums reads the list of a folder of a stick, and nothing from one that is damaged: its
// files are written again.
func readSums(root *os.Root, dir string) sums {
	text, err := regular.ReadIn(root, path.Join(dir, sumsFile), mostText)
	if err != nil {
		return sums{}
	}
	return parseSums(text)
}

// parseSums reads a list as sha256sum writes it, and ignores every other line.
func parseSums(text []byte) sums {
	all := sums{}
	for line := range strings.Lines(string(text)) {
		sum, name, ok := strings.Cut(strings.TrimRight(line, "\r\n"), "  ")
		if ok && len(sum) == 64 && archiveFile.MatchString(name) {
			all[path.Base(name)] = sum
		}
	}
	return all
}

func (s sums) text() (text []byte) {
	for _, name := range slices.Sorted(maps.Keys(s)) {
		text = fmt.Appendf(text, "%s  %s\n", s[name], name)
	}
	return text
}

// archiveFile matches the files of an archive, of the previous version too, by their names
// in the archive and in a list of sums.
var archiveFile = regexp.MustCompile(`^(journal/)?(\d{11}/)?(\d{16}\.jrn(\.\d+)?(\.cut)?|SHA256SUMS)$` +
	`|^(config\.good\.toml|table|manifest\.json|backup\.json|backup\.sum)$`)

// mirrorFiles is the journal of a mirror, only to be read.
type mirrorFiles struct {
	journal.Files // none: what would write fails
	root          *os.Root
	m             Manifest
	aside         string // its folder, if that is not the home of the manifest's unit
}

func (f mirrorFiles) home() string { return cmp.Or(f.aside, Home(f.m.Unit)) }

// List names the segments from the manifest's first to its last, which must be there.
func (f mirrorFiles) List() (all []string, err error) {
	dir := path.Join(f.home(), "journal")
	buckets, err := list(f.root, dir)
	if err != nil {
		return nil, err
	}
	for _, b := range buckets {
		if b < bucket(f.m.From) || b > bucket(f.m.To) {
			continue
		}
		names, err := list(f.root, path.Join(dir, b))
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			if isSegment(name) && bucket(name) == b && name >= f.m.From && name <= f.m.To {
				all = append(all, name)
			}
		}
	}
	if n := len(all); n == 0 || all[0] != f.m.From || all[n-1] != f.m.To {
		return nil, fmt.Errorf("the mirror has not all of %s to %s", f.m.From, f.m.To)
	}
	return all, nil
}

// Read reads one segment.
func (f mirrorFiles) Read(name string) ([]byte, error) {
	return regular.ReadIn(f.root, path.Join(f.home(), "journal", bucket(name), name), mostSegment)
}

// load puts a mirror into a stage.
func (f mirrorFiles) load(in *loading) error {
	names, err := f.List()
	if err != nil {
		return err
	}
	for i, name := range names {
		text, err := f.Read(name)
		if err == nil {
			err = in.add(name, text)
		}
		if err != nil {
			return err
		}
		if i == 0 || bucket(names[i-1]) != bucket(name) {
			maps.Copy(in.want, readSums(f.root, path.Dir(place(f.m.Unit, name))))
		}
	}
	home := Home(f.m.Unit)
	text, err := regular.ReadIn(f.root, path.Join(home, config.LastGood), mostText)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	want := cmp.Or(f.m.Config, readSums(f.root, home)[config.LastGood])
	if err == nil && (want == "" || want == sumOf(text)) {
		err = in.add(config.LastGood, text) // else the unit keeps its own
	}
	return err
}

// sameStart reports whether a segment begins with the same good record in two journals.
func sameStart(a, b journal.Files, segment string) bool {
	first, err := journal.Head(a, segment)
	second, none := journal.Head(b, segment)
	return err == nil && none == nil && reflect.DeepEqual(first, second)
}
