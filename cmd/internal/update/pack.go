package update

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// packing is how a folder begins in which a package is packed.
const packing = "making"

// pack makes the package again from what dpkg has installed of it. A file that was
// changed since is an error: what is restored must be what was there.
func (debian) pack(file string) error {
	if err := unchanged(); err != nil {
		return err
	}
	dir, err := os.MkdirTemp(filepath.Dir(file), packing)
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := os.Chmod(dir, 0o755); err != nil {
		return err
	}
	if err := errors.Join(packFiles(dir), packControl(filepath.Join(dir, "DEBIAN"))); err != nil {
		return err
	}
	_, err = output("dpkg-deb", "--build", "--root-owner-group", "-Znone", dir, file)
	return err
}

// unchanged returns an error unless all files are as the package had them, except those
// that a technician may change and a small system may leave out.
func unchanged() error {
	changed, err := output("dpkg", "--verify", program)
	if err != nil {
		return err
	}
	return checkVerified(changed)
}

// checkVerified reads what dpkg says of the files of a package.
func checkVerified(changed string) error {
	for line := range strings.Lines(changed) {
		words := strings.Fields(line)
		if len(words) > 1 && words[1] != "c" && !isDocumentation(words[len(words)-1]) {
			return fmt.Errorf("%s is not as the package had it", words[len(words)-1])
		}
	}
	return nil
}

// isDocumentation reports whether a small system may leave a file out.
func isDocumentation(path string) bool {
	return strings.HasPrefix(path, "/usr/share/doc/") || strings.HasPrefix(path, "/usr/share/man/")
}

// packFiles copies the files of the package.
func packFiles(dir string) error {
	list, err := output("dpkg-query", "--listfiles", program)
	if err != nil {
		return err
	}
	for _, path := range strings.Split(list, "\n") {
		info, err := os.Lstat(path)
		if errors.Is(err, fs.ErrNotExist) && isDocumentation(path) {
			continue
		}
		to := filepath.Join(dir, path)
		switch {
		case err != nil:
		case info.IsDir():
			err = os.MkdirAll(to, 0o755)
		default:
			_, err = output("cp", "--no-dereference", "--preserve=mode", path, to)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// packControl writes what dpkg knows of the package besides its files.
func packControl(dir string) error {
	if err := os.Mkdir(dir, 0o755); err != nil {
		return err
	}
	status, err := output("dpkg-query", "--status", program)
	if err != nil {
		return err
	}
	names, err := output("dpkg-query", "--control-list", program)
	if err != nil {
		return err
	}
	err = os.WriteFile(filepath.Join(dir, "control"), []byte(controlOf(status)), 0o644)
	for _, name := range strings.Fields(names) {
		text, shown := output("dpkg-query", "--control-show", program, name)
		err = errors.Join(err, shown, os.WriteFile(filepath.Join(dir, name), []byte(text+"\n"), 0o755))
	}
	return err
}

// notControl matches what is in a status and not in a package: the state, and the
// configuration files with their sums.
var notControl = regexp.MustCompile(`(?m)^(Status|Conffiles):.*\n( .*\n)*`)

func controlOf(status string) string { return notControl.ReplaceAllString(status+"\n", "") }
