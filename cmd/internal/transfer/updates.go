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

// places are the folders of a stick in which a package may lie.
var places = []string{".", Folder}

// Packages returns the packages of this program for this machine that are on the stick with
// a signature beside them, at its top or in the folder shoeboard: their versions by their
// names. Nothing of them has been checked.
func (s Slot) Packages() (map[string]string, error) {
	root, err := s.Open()
	if err != nil {
		return nil, err
	}
	defer root.Close()
	found := map[string]string{}
	for _, dir := range places {
		names, err := list(root, dir)
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			part := packageFile.FindStringSubmatch(name)
			if part != nil && part[2] == arch() && slices.Contains(names, name+".sig") {
				found[name] = part[1]
			}
		}
	}
	return found, nil
}

// Fetch copies a package to a file that the caller trusts, and its signature to that file
// with ".sig", so that what is checked there stays what it was.
func (s Slot) Fetch(file, to string) error {
	root, err := s.Open()
	if err != nil {
		return err
	}
	defer root.Close()
	for _, dir := range places {
		from := path.Join(dir, file)
		if _, missing := root.Lstat(from); missing == nil {
			return errors.Join(fetch(root, from+".sig", to+".sig", mostText), fetch(root, from, to, mostPackage))
		}
	}
	return fmt.Errorf("%s is not on the stick", file)
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
