package transfer

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/google/renameio/v2"
	"golang.org/x/sys/unix"

	"shoeboard/tracker/regular"
)

const (
	Mount  = "/run/shoeboard-stick" // the slot of a unit
	Folder = "shoeboard"            // the folder of a stick in which a unit writes
)

// ErrNone says that there is no stick.
var ErrNone = errors.New("there is no USB stick")

// Slot is where a stick may be.
type Slot struct {
	Dir   string
	Plain bool // Dir counts as a stick without being one: a folder named by a technician
}

// Open opens the stick, or returns ErrNone. The caller closes it soon: an open stick
// cannot be unmounted.
func (s Slot) Open() (*os.Root, error) {
	if !s.Plain && !mounted(s.Dir) {
		return nil, ErrNone
	}
	root, err := os.OpenRoot(s.Dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ErrNone
	}
	return root, err
}

// refused returns the file where it stands why a stick is not mounted.
func (s Slot) refused() string { return s.Dir + ".refused" }

// Refuse notes for the core that a device is not mounted for its kind of file system.
func (s Slot) Refuse(device, kind string) error {
	return renameio.WriteFile(s.refused(), []byte(device+" "+kind+"\n"), 0o644)
}

// Forget takes that note away.
func (s Slot) Forget(device string) error {
	if of, _ := s.readRefused(); of != device {
		return nil
	}
	return os.Remove(s.refused())
}

func (s Slot) readRefused() (device, kind string) {
	text, _ := regular.Read(s.refused(), mostRefused) // a missing one refuses nothing
	device, kind, _ = strings.Cut(strings.TrimSpace(string(text)), " ")
	return device, kind
}

// mostRefused bounds the note, in bytes.
const mostRefused = 100

// notMounted returns a sentence for the board about a stick that is not mounted for its file
// system, "" when there is none.
func (s Slot) notMounted() string {
	_, kind := s.readRefused()
	if kind == "" {
		return ""
	}
	return "The stick is not used: its file system is " + kind + ". Put in one with FAT or exFAT."
}

// mounted reports whether another file system begins at dir.
func mounted(dir string) bool {
	var here, above unix.Stat_t
	return unix.Stat(dir, &here) == nil && unix.Stat(filepath.Dir(dir), &above) == nil && here.Dev != above.Dev
}

// Write writes a file into the stick's folder, whole or not at all, and returns where it is
// for a person: "shoeboard/NAME on the stick".
func (s Slot) Write(name string, text []byte) (string, error) {
	root, err := s.Open()
	if err != nil {
		return "", err
	}
	defer root.Close()
	place := path.Join(Folder, path.Base(name))
	if err = put(root, place, text); err == nil {
		err = syncFS(root.Open("."))
	}
	return place + " on the stick", advice(err)
}

// advice says what to do about an error of a stick.
func advice(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, errOther):
		return err
	case errors.Is(err, unix.ENOSPC), errors.Is(err, unix.EDQUOT):
		return fmt.Errorf("the stick is full: put an empty one in (%w)", err)
	case errors.Is(err, unix.EROFS), errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("the stick cannot be written: put another one in (%w)", err)
	}
	return fmt.Errorf("the stick failed: pull it out, put another one in (%w)", err)
}

// part ends the name of a file that is being written, in the folder where it will be.
const part = ".part"

// put writes a file beside its place, reads back what the medium has, and renames.
func put(root *os.Root, name string, text []byte) error {
	err := begin(root, name, text, true)
	if err == nil {
		err = finish(root, name, text)
	}
	return err
}

// begin writes a file beside its place, synced if that is asked for. After an error no file
// is there.
func begin(root *os.Root, name string, text []byte, synced bool) error {
	if err := root.MkdirAll(path.Dir(name), 0o755); err != nil {
		return err
	}
	f, err := root.OpenFile(name+part, os.O_WRONLY|os.O_CREATE|os.O_TRUNC|unix.O_NOFOLLOW, 0o644)
	if err != nil {
		return err
	}
	if _, err = f.Write(text); err == nil && synced {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return errors.Join(err, root.Remove(name+part))
	}
	return nil
}

// finish reads a synced file back and gives it its name. After an error no file is beside
// its place.
func finish(root *os.Root, name string, text []byte) error {
	err := readBack(root, name+part, text)
	if err == nil {
		err = root.Rename(name+part, name)
	}
	if err != nil {
		return errors.Join(err, root.Remove(name+part))
	}
	return nil
}

// readBack returns an error unless the medium, not memory, has what was written to it.
func readBack(root *os.Root, name string, text []byte) error {
	f, err := regular.OpenIn(root, name, int64(len(text)))
	if err != nil {
		return err
	}
	defer f.Close()
	if err := unix.Fadvise(int(f.Fd()), 0, 0, unix.FADV_DONTNEED); err != nil {
		return err
	}
	got, err := io.ReadAll(f)
	if err == nil && !bytes.Equal(got, text) {
		err = errors.New("it does not read back what was written")
	}
	return err
}

func sumOf(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// syncFS makes names and contents of the file system of a folder durable, and closes it.
func syncFS(dir *os.File, err error) error {
	if err != nil {
		return err
	}
	return errors.Join(unix.Syncfs(int(dir.Fd())), dir.Close())
}

// mostNames bounds what is read of one folder, of which a unit fills none with more than 1,000.
const mostNames = 20_000

// list names what is in a folder of the stick, sorted; a missing folder is empty. A pipe
// that is called like a folder is an error, and is not waited for.
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
