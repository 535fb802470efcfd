package transfer

import (
	"archive/tar"
	"cmp"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/google/renameio/v2"

	"shoeboard/cmd/internal/config"
	"shoeboard/cmd/internal/datadir"
	"shoeboard/tracker/journal"
	"shoeboard/tracker/regular"
)

// Backup writes the archive of a data folder to a file, whole or not at all, and reads it
// back. The core may run: of the segment that grows it takes the part that is whole. It
// reads nothing outside the data folder, whatever links are in it: root makes backups of
// a folder that is not root's.
func Backup(file, data string, m Manifest) (files int, err error) {
	out, err := renameio.NewPendingFile(file, renameio.WithPermissions(0o640))
	if err != nil {
		return 0, err
	}
	defer out.Cleanup()
	if err := writeBackup(out, data, m); err != nil {
		return 0, err
	}
	if err := out.CloseAtomicallyReplace(); err != nil {
		return 0, err
	}
	back := &loading{got: sums{}, want: sums{}}
	if err := back.backup(file); err != nil {
		return 0, fmt.Errorf("the backup was written and cannot be read back: %w", err)
	}
	return len(back.got), nil
}

// packer writes files into a backup, and keeps their sums.
type packer struct {
	*tar.Writer
	made time.Time
	sums sums
}

func writeBackup(out io.Writer, data string, m Manifest) error {
	root, err := os.OpenRoot(data)
	if err != nil {
		return err
	}
	defer root.Close()
	z, err := gzip.NewWriterLevel(out, gzip.BestSpeed) // half the time for a tenth more: years are 3 GB
	if err != nil {
		return err
	}
	p := packer{tar.NewWriter(z), m.Made, sums{}}
	err = p.segments(root, data, &m)
	if err == nil {
		err = p.rest(root, m)
	}
	return errors.Join(err, p.Close(), z.Close())
}

// segments adds every segment and every file of cut bytes, and names them in m.
func (p *packer) segments(root *os.Root, data string, m *Manifest) error {
	names, err := journal.Dir(datadir.Journal(data)).List()
	if err != nil {
		return err
	}
	slices.Sort(names)
	for _, name := range names {
		if !strings.Contains(name, ".jrn") || !archiveFile.MatchString("journal/"+name) {
			continue
		}
		text, err := regular.ReadIn(root, path.Join("journal", name), mostSegment)
		if err == nil {
			err = p.add(path.Join("journal", bucket(name), name), text)
		}
		if err != nil {
			return err
		}
		if isSegment(name) {
			m.From, m.To, m.Size, m.SHA256 = cmp.Or(m.From, name), name, int64(len(text)), sumOf(text)
		}
	}
	if m.From == "" {
		return fmt.Errorf("no record is in %s yet: there is nothing to back up", data)
	}
	return nil
}

// rest adds the other files, and last the manifest.
func (p *packer) rest(root *os.Root, m Manifest) error {
	for _, name := range []string{config.LastGood, tableFile} {
		text, err := regular.ReadIn(root, name, mostText)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err == nil {
			err = p.add(name, text)
		}
		if err != nil {
			return err
		}
	}
	m.Version = manifestVersion
	text, err := json.MarshalIndent(m, "", "  ")
	return errors.Join(err, p.add(sumsFile, p.sums.text()), p.add(manifestFile, text))
}

func (p *packer) add(name string, text []byte) error {
	p.sums[name] = sumOf(text)
	head := tar.Header{Name: name, Mode: 0o640, Size: int64(len(text)), ModTime: p.made, Format: tar.FormatPAX}
	err := p.WriteHeader(&head)
	if err == nil {
		_, err = p.Write(text)
	}
	return err
}

// loading takes the files of an archive, and compares them with their sums.
type loading struct {
	stage     string // a folder; "": they are only checked
	manifest  Manifest
	got, want sums
	ended     bool   // a backup has its last file
	whole     bool   // the segment that grew is as the manifest says
	note      string // becomes a fault of the record; empty: none
}

// add takes one file.
func (l *loading) add(name string, text []byte) (err error) {
	name = path.Base(name)
	to := filepath.Join(datadir.Journal(l.stage), name)
	switch name {
	case sumsFile, "backup.sum":
		for file, sum := range parseSums(text) {
			l.want[file] = sum
		}
		l.ended = l.ended || name != sumsFile
		return nil
	case manifestFile:
		l.manifest, err = parseManifest(text)
		l.ended = true
		return err
	case "backup.json":
		err = json.Unmarshal(text, &l.manifest)
		if v := l.manifest.Version; err == nil && v != manifestVersion {
			err = fmt.Errorf("version %d of a backup: this program reads version %d", v, manifestVersion)
		}
		to = ""
	case tableFile:
		to = ""
	case config.LastGood:
		to = filepath.Join(l.stage, name)
	}
	l.got[name] = sumOf(text)
	if size := l.manifest.Size; name == l.manifest.To {
		l.whole = int64(len(text)) >= size && sumOf(text[:size]) == l.manifest.SHA256
	}
	if err != nil || to == "" || l.stage == "" {
		return err
	}
	return os.WriteFile(to, text, 0o640)
}

// check returns an error for a file that is not what was written into the archive. all says
// that every file has to have a sum, and every sum a file.
func (l *loading) check(all bool) error {
	for name, sum := range l.got {
		if want := l.want[name]; want != sum && (all || want != "") {
			return fmt.Errorf("%s is not what was written there", name)
		}
	}
	for name := range l.want {
		if l.got[name] == "" && all {
			return fmt.Errorf("%s is missing", name)
		}
	}
	return nil
}

// backup takes the files of a backup, of the previous version too. It fails on any file
// that no backup has, before a file of that name is written.
func (l *loading) backup(file string) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return fmt.Errorf("%s is no backup: %w", file, err)
	}
	in := tar.NewReader(z)
	for !l.ended {
		h, err := in.Next()
		if errors.Is(err, io.EOF) {
			return fmt.Errorf("%s has no end: it was cut, or is no backup", file)
		}
		if err != nil {
			return fmt.Errorf("%s is damaged: %w", file, err)
		}
		if !archiveFile.MatchString(h.Name) || h.Typeflag != tar.TypeReg || h.Size > mostSegment {
			return fmt.Errorf("%s: %q is not a file of a backup", file, h.Name)
		}
		text, err := io.ReadAll(io.LimitReader(in, mostSegment))
		if err == nil {
			err = l.add(h.Name, text)
		}
		if err != nil {
			return fmt.Errorf("%s: %s: %w", file, h.Name, err)
		}
	}
	if _, err = io.Copy(io.Discard, z); err == nil { // to the sum of the whole file
		err = l.check(true)
	}
	if err != nil {
		return fmt.Errorf("%s is damaged: %w", file, err)
	}
	return nil
}

// Restore puts the archive of a backup in the place of the record of a data folder, as the
// unit's; table overrides its number. A record that is there is put aside, and only if
// replace allows that; put names where. It returns the archive's manifest and how many
// segments it has.
func Restore(file, data, unit, table string, replace bool) (m Manifest, segments int, put string, err error) {
	old := 0
	in, err := exchange(data, unit, func(in *loading) error {
		if _, old, err = journal.Newest(journal.Dir(datadir.Journal(data))); err == nil && old > 0 && !replace {
			err = fmt.Errorf("a record is in %s already: --yes puts it aside", datadir.Journal(data))
		}
		if err == nil {
			err = in.backup(file)
			in.manifest.Table = cmp.Or(table, in.manifest.Table)
		}
		return err
	})
	if err != nil {
		return m, 0, "", err
	}
	for name := range in.got {
		if strings.Contains(name, ".jrn") {
			segments++
		}
	}
	if all := aside(data); old > 0 && len(all) > 0 {
		put = all[len(all)-1]
	}
	return in.manifest, segments, put, nil
}
