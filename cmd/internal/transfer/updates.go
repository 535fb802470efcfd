package transfer

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"regexp"
	"runtime"
	"slices"

	"shoeboard/tracker/regular"
)

// mostPackage bounds a package, in bytes: one of ours has some 20 MB. Two copies of it
// lie beside the record for a while.
const mostPackage = 96 << 20

var packageFile = regexp.MustCompile(`^shoeboard_([0-9][A-Za-z0-9.+~-]{0,40})_(amd64|arm64|armhf)\.deb$`)

// arch returns the machine as packages name it.
func arch() string {
	if runtime.GOARCH == "arm" {
		return "armhf"
	}
	return runtime.GOARCH
}

// Packages returns the packages of this program for this machine that are on the stick with
// a signature beside them, in our own folder: their versions by their names. Nothing of them has been checked.
func (s Slot) Packages() (map[string]string, error) {
	root, err := s.Open()
	if err != nil {
		return nil, err
	}
	defer root.Close()
	names, err := list(root, Folder)
	found := map[string]string{}
	for _, name := range names {
		part := packageFile.FindStringSubmatch(name)
		if part != nil && part[2] == arch() && slices.Contains(names, name+".sig") {
			found[name] = part[1]
		}
	}
	return found, err
}

// Fetch copies a package to a file that the caller trusts, and its signature to that file
// with ".sig", so that what is checked there stays what it was.
func (s Slot) Fetch(file, to string) error {
	root, err := s.Open()
	if err != nil {
		return err
	}
	defer root.Close()
	from := path.Join(Folder, file)
	if _, err := root.Lstat(from); err != nil {
		return fmt.Errorf("%s is not in the folder %s of the stick", file, Folder)
	}
	return errors.Join(fetch(root, from+".sig", to+".sig", mostText), fetch(root, from, to, mostPackage))
}

func fetch(root *os.Root, name, to string, most int64) error {
	in, err := regular.OpenIn(root, name, most)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, io.LimitReader(in, most))
	return errors.Join(err, out.Close())
}
