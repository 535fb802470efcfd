package main

import (
	"archive/tar"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/google/renameio/v2"

	"shoeboard/cmd/internal/config"
	"shoeboard/cmd/internal/core"
	"shoeboard/cmd/internal/datadir"
	"shoeboard/cmd/internal/transfer"
	"shoeboard/cmd/internal/version"
	"shoeboard/tracker/journal"
)

// A backup is a gzipped tar. Its first file is backup.json, its last backup.sum with
// the SHA-256 of each of the others. It has the record, the last good configuration
// and the table's number: not the unit's identity, not the accepted keypads, and no
// index, which is made anew.

// backupVersion is the version of that form.
const backupVersion = 1

// backupHead is backup.json.
type backupHead struct {
	Version int       `json:"version"`
	Made    time.Time `json:"made"`
	Program string    `json:"program"`
	Table   string    `json:"table"`
	Unit    string    `json:"unit"` // whose record it is; a restore on another unit keeps it apart
}

type backupVerb struct {
	dataFlag
	Out string `arg:"" help:"File to write, such as /media/stick/table14.tar.gz." type:"path"`
}

// Run writes a backup, whole or not at all. The core may run: a segment only grows,
// and of the one that grows the part is taken that is whole.
func (v *backupVerb) Run(p *program, all *verbs) error {
	_, data, err := v.folder(p, all)
	if err != nil {
		return err
	}
	number, err := datadir.TableOf(data)
	p.warn("the backup is of table "+number, err)
	out, err := renameio.NewPendingFile(v.Out, renameio.WithPermissions(0o640))
	if err != nil {
		return err
	}
	defer out.Cleanup()
	n, err := writeBackup(out, data, backupHead{Version: backupVersion, Made: time.Now().UTC().Truncate(time.Second), Program: version.Read().Line(), Table: number, Unit: core.ID()})
	if err != nil {
		return err
	}
	if err := out.CloseAtomicallyReplace(); err != nil {
		return err
	}
	made, err := readBackup(v.Out, func(string, []byte) error { return nil })
	if err != nil {
		return fmt.Errorf("the backup was written and cannot be read back: %w", err)
	}
	fmt.Fprintf(p.out, "Wrote and read back %s: table %s, %d files.\n", v.Out, made.Table, n)
	return nil
}

// backupNames are the files of the data folder that a backup has, besides segments.
var backupNames = []string{config.LastGood, "table"}

var segmentNames = regexp.MustCompile(`^journal/\d{16}\.jrn(\.\d+)?(\.cut)?$`)

// packer writes files into a backup and keeps their sums.
type packer struct {
	tar   *tar.Writer
	made  time.Time
	sums  strings.Builder
	files int
}

// writeBackup reads nothing outside the data folder, whatever links are in it: root
// makes backups of a folder that is not his.
func writeBackup(out io.Writer, data string, head backupHead) (files int, err error) {
	root, err := os.OpenRoot(data)
	if err != nil {
		return 0, err
	}
	defer root.Close()
	z, err := gzip.NewWriterLevel(out, gzip.BestSpeed) // half the time for a tenth more: years are 3 GB
	if err != nil {
		return 0, err
	}
	p := packer{tar: tar.NewWriter(z), made: head.Made}
	text, err := json.MarshalIndent(head, "", "  ")
	if err == nil {
		err = p.add("backup.json", text)
	}
	if err == nil {
		err = p.addFiles(root)
	}
	if err == nil {
		err = p.add("backup.sum", []byte(p.sums.String()))
	}
	return p.files, errors.Join(err, p.tar.Close(), z.Close())
}

// addFiles adds every segment and every file of cut bytes, and then what else a backup
// has of a data folder.
func (p *packer) addFiles(root *os.Root) error {
	entries, err := journal.Dir(datadir.Journal(root.Name())).List()
	if err != nil {
		return err
	}
	var names []string
	for _, e := range entries {
		if name := "journal/" + e.Name; segmentNames.MatchString(name) {
			names = append(names, name)
		}
	}
	for _, name := range append(names, backupNames...) {
		text, err := transfer.Read(root, name, mostBytes)
		if errors.Is(err, fs.ErrNotExist) && slices.Contains(backupNames, name) {
			continue
		}
		if err == nil {
			err = p.add(name, text)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (p *packer) add(name string, text []byte) error {
	sum := sha256.Sum256(text)
	fmt.Fprintf(&p.sums, "%s  %s\n", hex.EncodeToString(sum[:]), name)
	p.files++
	err := p.tar.WriteHeader(&tar.Header{Name: name, Mode: 0o640, Size: int64(len(text)), ModTime: p.made, Format: tar.FormatPAX})
	if err == nil {
		_, err = p.tar.Write(text)
	}
	return err
}

// mostBytes bounds a file of a backup: no segment comes near.
const mostBytes = 64 << 20

// readBackup gives the files of a backup one after another and checks every sum. It
// fails on anything that a backup does not have, before give has seen it; that all
// sums are right is known only when it returns.
func readBackup(file string, give func(name string, text []byte) error) (head backupHead, err error) {
	f, err := os.Open(file)
	if err != nil {
		return head, err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return head, fmt.Errorf("%s is no backup: %w", file, err)
	}
	var sums strings.Builder
	for in := tar.NewReader(z); ; {
		h, err := in.Next()
		if errors.Is(err, io.EOF) {
			return head, errors.New("the backup has no end: it was cut")
		}
		if err != nil {
			return head, fmt.Errorf("%s: %w", file, err)
		}
		text, err := backupFile(in, h)
		if err != nil {
			return head, fmt.Errorf("%s: %w", file, err)
		}
		switch {
		case h.Name == "backup.json":
			if err := json.Unmarshal(text, &head); err != nil || head.Version != backupVersion {
				return head, fmt.Errorf("%s: version %d of a backup, this program reads version %d", file, head.Version, backupVersion)
			}
		case head.Version == 0:
			return head, fmt.Errorf("%s is no backup: it does not begin as one", file)
		case h.Name == "backup.sum":
			if string(text) != sums.String() {
				return head, fmt.Errorf("%s is damaged: the sums are not right", file)
			}
			if _, err := io.Copy(io.Discard, z); err != nil {
				return head, fmt.Errorf("%s is damaged: %w", file, err)
			}
			return head, nil
		default:
			if err := give(h.Name, text); err != nil {
				return head, err
			}
		}
		sum := sha256.Sum256(text)
		fmt.Fprintf(&sums, "%s  %s\n", hex.EncodeToString(sum[:]), h.Name)
	}
}

// backupFile reads one file that may be in a backup.
func backupFile(in io.Reader, h *tar.Header) ([]byte, error) {
	known := h.Name == "backup.json" || h.Name == "backup.sum" || segmentNames.MatchString(h.Name) || slices.Contains(backupNames, h.Name)
	if !known || h.Typeflag != tar.TypeReg || path.Clean(h.Name) != h.Name || h.Size > mostBytes {
		return nil, fmt.Errorf("%q is not a file of a backup", h.Name)
	}
	return io.ReadAll(io.LimitReader(in, mostBytes))
}
