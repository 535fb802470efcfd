package update

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// pack makes the package anew from what dpkg has installed of it. A file that was
// changed since is an error: what comes back must be what was there.
func (debian) pack(file string) error {
	if err := unchanged(); err != nil {
		return err
	}
	dir, err := os.MkdirTemp(filepath.Dir(file), making)
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := os.Chmod(dir, 0o755); err != nil {
		return err
	}
	if err := packFiles(dir); err != nil {
		return err
	}
	if err := packControl(filepath.Join(dir, "DEBIAN")); err != nil {
		return err
	}
	_, err = output("dpkg-deb", "--build", "--root-owner-group", "-Znone", dir, file)
	return err
}

// unchanged says whether all files are there as the package had them, but for what a
// technician may change and a small system may leave out.
func unchanged() error {
	changed, err := output("dpkg", "--verify", "shoeboard")
	if err != nil {
		return err
	}
	return judge(changed)
}

// judge reads what dpkg says of the files of a package.
func judge(changed string) error {
	for line := range strings.Lines(changed) {
		if words := strings.Fields(line); len(words) > 1 && words[1] != "c" && !documentation(words[len(words)-1]) {
			return fmt.Errorf("%s is not as the package had it", words[len(words)-1])
		}
	}
	return nil
}

// documentation is what a small system may leave out.
func documentation(path string) bool {
	return strings.HasPrefix(path, "/usr/share/doc/") || strings.HasPrefix(path, "/usr/share/man/")
}

// packFiles copies the files of the package.
func packFiles(dir string) error {
	list, err := output("dpkg-query", "--listfiles", "shoeboard")
	if err != nil {
		return err
	}
	for _, path := range strings.Split(list, "\n") {
		info, err := os.Lstat(path)
		if errors.Is(err, fs.ErrNotExist) && documentation(path) {
			continue
		}
		if err != nil {
			return err
		}
		if err := packFile(path, filepath.Join(dir, path), info.Mode()); err != nil {
			return err
		}
	}
	return nil
}

func packFile(from, to string, mode fs.FileMode) error {
	switch {
	case mode.IsDir():
		return os.MkdirAll(to, 0o755)
	case mode&fs.ModeSymlink != 0:
		target, err := os.Readlink(from)
		if err != nil {
			return err
		}
		return os.Symlink(target, to)
	}
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode.Perm())
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Chmod(mode.Perm()), out.Close())
}

// packControl writes what dpkg knows of the package besides its files.
func packControl(dir string) error {
	if err := os.Mkdir(dir, 0o755); err != nil {
		return err
	}
	status, err := output("dpkg-query", "--status", "shoeboard")
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "control"), []byte(controlOf(status)), 0o644); err != nil {
		return err
	}
	names, err := output("dpkg-query", "--control-list", "shoeboard")
	if err != nil {
		return err
	}
	for _, name := range strings.Fields(names) {
		text, err := output("dpkg-query", "--control-show", "shoeboard", name)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text+"\n"), 0o755); err != nil {
			return err
		}
	}
	return nil
}

// controlOf takes out of a status what is no part of a package: the state, and the
// configuration files with their sums.
func controlOf(status string) string {
	var control strings.Builder
	skip := false
	for line := range strings.Lines(status + "\n") {
		if !strings.HasPrefix(line, " ") {
			skip = strings.HasPrefix(line, "Status:") || strings.HasPrefix(line, "Conffiles:")
		}
		if !skip {
			control.WriteString(line)
		}
	}
	return control.String()
}
