// Package transfer is everything that a unit does with a USB stick: it mirrors the record
// to one that is left in, takes a table over from one, or from a card that was
// another unit's, and finds and writes files on one.
//
// # Words
//
// The slot is where the one stick of a unit is mounted. The mirror of a unit is the
// folder shoeboard/UNIT on a stick: the sealed segments of its journal, the segment
// that grows, its last good configuration, its table number and a manifest. Several
// units may mirror to one stick. To take over is to go on with the record, the
// configuration and the table number of another unit.
//
// # What a caller may assume
//
// A stick is never trusted. What is read from it is read below its root, whatever
// links it holds, and checked; what is written is written beside its place, read back
// and renamed, so that a file on a stick is whole, or is not there, or is as it was.
// A stick may be pulled out, full, slow or broken at any moment: that gives an error
// or a sentence for the board, never a changed record. Nothing secret is on a mirror:
// it has the files named above and no others.
//
// A take-over is prepared beside the record and happens by one rename; after a power
// cut at any moment the next Begin finishes it, or nothing has happened. A record that
// was in its place is put aside, never deleted.
//
// # The mirror, version 1
//
//	shoeboard/UNIT/manifest.json            see Manifest; written last
//	shoeboard/UNIT/journal/NNN/NNN….jrn     segments, in folders named by the first
//	                                        eleven digits of their names: a FAT folder
//	                                        holds 65,536 names at most
//	shoeboard/UNIT/journal/NNN/SHA256SUMS   of the sealed segments in that folder
//	shoeboard/UNIT/config.good.toml, table
//	shoeboard/UNIT/taken-over.json          when another unit has taken the table over
//
// UNIT is the unit's id, with "-" for what a FAT name cannot have. A mirror that is found
// there and is of another record (the unit has a new card) becomes UNIT-before-TIME; it
// can be taken over when it has its name again.
package transfer

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"
)

// Mount is the slot of a unit.
const Mount = "/run/shoeboard-stick"

// Folder is the folder of a stick in which a unit writes.
const Folder = "shoeboard"

// ErrNone says that there is no stick.
var ErrNone = errors.New("there is no USB stick")

// Slot is where a stick may be.
type Slot struct {
	Dir   string
	Plain bool // Dir counts as a stick without being one: a folder named by a technician
}

// Open opens the stick, or says ErrNone. The caller closes it soon: what is open on a
// stick keeps it from being let go of.
func (s Slot) Open() (*os.Root, error) {
	if !s.Plain && !s.Occupied() {
		return nil, ErrNone
	}
	root, err := os.OpenRoot(s.Dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ErrNone
	}
	return root, err
}

// Occupied reports whether a stick is mounted: another file system begins there.
func (s Slot) Occupied() bool {
	var here, above unix.Stat_t
	return unix.Stat(s.Dir, &here) == nil && unix.Stat(filepath.Dir(s.Dir), &above) == nil && here.Dev != above.Dev
}

// Write makes the file name in the stick's folder, whole or not at all, from what
// write gives, and returns where it is for a person: "shoeboard/NAME on the stick".
func (s Slot) Write(name string, write func(io.Writer) error) (string, error) {
	root, err := s.Open()
	if err != nil {
		return "", err
	}
	defer root.Close()
	place := path.Join(Folder, path.Base(name))
	if err := root.MkdirAll(Folder, 0o755); err != nil {
		return "", troubled(err)
	}
	if _, err := put(root, place, write); err != nil {
		return "", troubled(err)
	}
	if err := settle(root); err != nil {
		return "", troubled(err)
	}
	return place + " on the stick", nil
}

// troubled says what is wrong with a stick in words for staff.
func troubled(err error) error {
	switch {
	case errors.Is(err, unix.ENOSPC), errors.Is(err, unix.EDQUOT):
		return fmt.Errorf("the stick is full: put an empty one in (%w)", err)
	case errors.Is(err, unix.EROFS), errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("the stick cannot be written: put another one in (%w)", err)
	}
	return fmt.Errorf("the stick failed: pull it out, put another one in (%w)", err)
}

// part is the name of a file that is being written, in the folder where it will be.
const part = ".part"

// put writes a file beside its place, reads back what the medium has, and renames.
func put(root *os.Root, name string, write func(io.Writer) error) (sum string, err error) {
	sum, err = begin(root, name, true, write)
	if err == nil {
		err = finish(root, name, sum)
	}
	return sum, err
}

// begin is the first half of put: the file lies beside its place, synced if that is asked
// for. After an error nothing does.
func begin(root *os.Root, name string, synced bool, write func(io.Writer) error) (sum string, err error) {
	temp := name + part
	f, err := root.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_TRUNC|unix.O_NOFOLLOW, 0o644)
	if err != nil {
		return "", err
	}
	h := sha256.New()
	if err = write(io.MultiWriter(f, h)); err == nil && synced {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return "", errors.Join(err, root.Remove(temp))
	}
	return digits(h), nil
}

// finish is the other half, for what has been synced: the file is read back and gets its
// name. After an error nothing lies beside its place.
func finish(root *os.Root, name, sum string) error {
	temp := name + part
	err := readsBack(root, temp, sum)
	if err == nil {
		err = root.Rename(temp, name)
	}
	if err != nil {
		return errors.Join(err, root.Remove(temp))
	}
	return nil
}

// readsBack says whether the medium, not memory, has what was written to it.
func readsBack(root *os.Root, name, sum string) error {
	f, err := root.OpenFile(name, os.O_RDONLY|unix.O_NOFOLLOW, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := unix.Fadvise(int(f.Fd()), 0, 0, unix.FADV_DONTNEED); err != nil {
		return err
	}
	got, err := digest(f)
	if err == nil && got != sum {
		err = errors.New("it does not read back what was written")
	}
	return err
}

func digits(h hash.Hash) string { return hex.EncodeToString(h.Sum(nil)) }

func sumOf(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

func digest(in io.Reader) (string, error) {
	h := sha256.New()
	_, err := io.Copy(h, in)
	return digits(h), err
}

// settle makes names and contents of the stick durable.
func settle(root *os.Root) error {
	dir, err := root.Open(".")
	if err != nil {
		return err
	}
	return errors.Join(unix.Syncfs(int(dir.Fd())), dir.Close())
}

// plain opens a plain file of the stick, not what a link leads to, and no pipe.
func plain(root *os.Root, name string, most int64) (*os.File, error) {
	f, err := root.OpenFile(name, os.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && (!info.Mode().IsRegular() || info.Size() > most) {
		err = fmt.Errorf("%s: expected a file of at most %d MB", name, most>>20)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// Read reads a plain file of a stick of at most so many bytes, and waits for no pipe.
func Read(root *os.Root, name string, most int64) ([]byte, error) {
	f, err := plain(root, name, most)
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(io.LimitReader(f, most))
	return text, errors.Join(err, f.Close())
}

// home is the folder of a unit's mirror.
func home(unit string) string {
	name := strings.Map(func(r rune) rune {
		if r > ' ' && r < 0x7f && !strings.ContainsRune(`"*/:<>?\|.`, r) {
			return r
		}
		return '-'
	}, unit)
	return path.Join(Folder, name)
}
