// Package update replaces the program by a signed package, and restores the previous
// version if the new one does not work.
//
// Words: the current package is what is installed when all is well; a step is what is
// being done, written before it is begun.
//
// A caller may assume that nothing is changed before everything was checked: the
// signature, the machine, that the version is newer, that the previous version can be
// restored, and that no shoe is in play; that the power may be cut at any moment, and
// Resume then ends with one version that works. Of two updates at once one is refused.
package update

import (
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"

	"shoeboard/tracker/localapi"
)

// folder is root's own: the core's user must not choose what root installs.
const folder = "/var/lib/shoeboard-update"

// Failed holds a sentence for the core and the doctor when the last update was undone,
// until the next one or the next boot. The core records it as a fault.
const Failed = "/run/shoeboard-update.failed"

// packageInfo is what a package says of itself.
type packageInfo struct {
	Name, Version, Arch string
}

// packages is the system that packages are installed on. Debian's is the real one;
// tests have one that fails at any step.
type packages interface {
	info(file string) (packageInfo, error)
	installed() (packageInfo, error)
	newer(a, b string) (bool, error) // version a than b
	install(ctx context.Context, file string) error
	pack(file string) error            // makes a package of what is installed
	healthy(ctx context.Context) error // waits until the program runs, or says why not
	idle(ctx context.Context) error    // nil: no shoe is in play
}

// Updater replaces the program. The folder holds current.deb, what is installed when
// all is well, and during an update next.deb and the step that was begun.
type Updater struct {
	dir    string
	failed string // the file Failed
	key    ed25519.PublicKey
	system packages
	say    func(format string, a ...any)
}

// New returns the updater of the unit below root. keyText is the public key that
// packages are checked with; client is of the core; say tells the technician what is
// being done. A unit whose system is read-only has none.
func New(root, keyText string, client localapi.Client, say func(format string, a ...any)) (*Updater, error) {
	if err := checkWritable(root); err != nil {
		return nil, err
	}
	key, err := parseHex(keyText, ed25519.PublicKeySize)
	if err != nil {
		return nil, fmt.Errorf("this program has no key to check updates with (%w): "+
			"install with apt, or build it with a key in update.pub", err)
	}
	return &Updater{dir: filepath.Join(root, folder), failed: filepath.Join(root, Failed), key: key,
		system: debian{client: client}, say: say}, nil
}

func (u *Updater) file(name string) string { return filepath.Join(u.dir, name) }

// lock keeps others from the folder until it is closed: a package that was checked must
// be the one that is installed, whatever the keypad and somebody over SSH do at once.
func (u *Updater) lock() (io.Closer, error) {
	f, err := os.OpenFile(u.file("lock"), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	if err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
		return nil, errors.Join(fmt.Errorf("another update is running (%w): wait until it has ended", err), f.Close())
	}
	return f, nil
}

// Update checks everything before it changes anything. previous is the package that is
// installed, "" where it was kept or can be packed again.
func (u *Updater) Update(ctx context.Context, file, previous string) error {
	if _, err := u.Prepare(ctx, copyOf(file), previous); err != nil {
		return err
	}
	return u.Resume(ctx)
}

// Prepare checks everything, stores both packages in the folder, and writes the step that
// Resume begins with. fetch copies the package to a file and its signature to that file
// with ".sig"; previous is that of Update. It returns the version that will be installed.
// A context that has ended in time changes nothing.
func (u *Updater) Prepare(ctx context.Context, fetch func(to string) error, previous string) (string, error) {
	if err := os.MkdirAll(u.dir, 0o700); err != nil {
		return "", err
	}
	lock, err := u.lock()
	if err != nil {
		return "", err
	}
	defer lock.Close()
	if err := removeAll(u.dir, packing+"*", ".*", "new.deb*", "stick*"); err != nil { // what a power cut left
		return "", err
	}
	_, corrupt := u.step()
	if corrupt == nil {
		return "", errors.New("an update was interrupted: run \"shoeboard update resume\", then update again")
	}
	now, err := u.system.installed()
	if err != nil {
		return "", err
	}
	if !errors.Is(corrupt, fs.ErrNotExist) {
		if err := errors.Join(u.setAside(corrupt), os.Remove(u.file(stepFile))); err != nil {
			return "", err
		}
	}
	next, err := u.store(fetch, "next.deb")
	if err != nil {
		return "", err
	}
	if err := u.checkPackage(now, next); err != nil {
		return "", err
	}
	if err := u.system.idle(ctx); err != nil {
		return "", err
	}
	if err := errors.Join(u.keepCurrent(now, previous), ctx.Err()); err != nil {
		return "", err
	}
	return next.Version, u.write(updateStep{From: now.Version, To: next.Version, Begin: true})
}

// copyOf returns what copies a package and its signature.
func copyOf(file string) func(to string) error {
	return func(to string) error {
		err := copyFile(to+".sig", file+".sig")
		if errors.Is(err, fs.ErrNotExist) {
			name := filepath.Base(file)
			return fmt.Errorf("%s is not signed: %s.sig belongs beside it", name, name)
		}
		if err != nil {
			return err
		}
		return copyFile(to, file)
	}
}

func copyFile(to, from string) error {
	text, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, text, 0o600)
}

// store copies a package into the folder and checks the copy: a stick may be changed or
// pulled out meanwhile. Only a signed one gets the name.
func (u *Updater) store(fetch func(to string) error, name string) (packageInfo, error) {
	copied := u.file("new.deb")
	if err := fetch(copied); err != nil {
		return packageInfo{}, err
	}
	signed, err := u.checkSigned("new.deb")
	if err != nil {
		return packageInfo{}, err
	}
	if err := errors.Join(syncFile(copied), syncFile(copied+".sig")); err != nil {
		return packageInfo{}, err
	}
	if err := u.rename("new.deb", name); err != nil {
		return packageInfo{}, err
	}
	info, err := u.system.info(u.file(name))
	return info, errors.Join(err, signed.fits(info))
}

// checkSigned checks the signature of a package of the folder, and returns as what it is
// signed.
func (u *Updater) checkSigned(name string) (statement, error) {
	return checkSignature(u.file(name), u.file(name+".sig"), u.key)
}

// isSigned reports whether a package of the folder is signed as what it is.
func (u *Updater) isSigned(name string, is packageInfo) bool {
	s, err := u.checkSigned(name)
	return err == nil && s.fits(is) == nil
}

// fits returns nil for the package that a statement is of.
func (s statement) fits(p packageInfo) error {
	if is := p.statement(); s != is {
		return fmt.Errorf("the package is %q, and is signed as %q", is, s)
	}
	return nil
}

// rename gives a package of the folder and its signature another name. It may be
// interrupted and called again.
func (u *Updater) rename(from, to string) error {
	for _, end := range []string{".sig", ""} {
		if err := os.Rename(u.file(from+end), u.file(to+end)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// checkPackage expects a newer version of the same program for the same machine.
func (u *Updater) checkPackage(now, next packageInfo) error {
	if next.Name != now.Name || next.Arch != now.Arch {
		return fmt.Errorf("the package is %s for %s, this unit has %s for %s", next.Name, next.Arch, now.Name, now.Arch)
	}
	newer, err := u.system.newer(next.Version, now.Version)
	if err == nil && !newer {
		err = fmt.Errorf("version %s is not newer than %s, which is installed", next.Version, now.Version)
	}
	return err
}

// keepCurrent makes sure that the package that is installed is kept: from the update
// before, from the one who updates, or packed again from what is installed.
func (u *Updater) keepCurrent(now packageInfo, previous string) error {
	if previous != "" {
		if _, err := u.store(copyOf(previous), "current.deb"); err != nil {
			return err
		}
	}
	if u.isKept(now) {
		return nil
	}
	if err := removeAll(u.dir, "current.deb.sig"); err != nil {
		return err
	}
	packed := u.file("packed.deb") // one that was cut short looks whole: what it says of itself comes first in it
	err := u.system.pack(packed)
	if err == nil {
		err = syncFile(packed)
	}
	if err == nil {
		err = os.Rename(packed, u.file("current.deb"))
	}
	if err == nil && !u.isKept(now) {
		err = errors.New("it is packed as another version")
	}
	if err != nil {
		return fmt.Errorf("version %s could not be restored: its package is not kept and cannot be packed again (%w): "+
			"give it with --previous", now.Version, err)
	}
	return nil
}

// isKept reports whether current.deb is the package that is installed.
func (u *Updater) isKept(now packageInfo) bool {
	kept, err := u.kept()
	return err == nil && kept == now
}

// kept returns what current.deb is, or why it must not be installed: it has a bad
// signature. One that was packed here has none; the folder is root's alone.
func (u *Updater) kept() (packageInfo, error) {
	kept, err := u.system.info(u.file("current.deb"))
	s, unsigned := u.checkSigned("current.deb")
	switch {
	case unsigned == nil:
		err = errors.Join(err, s.fits(kept))
	case !errors.Is(unsigned, fs.ErrNotExist):
		err = errors.Join(err, unsigned)
	}
	return kept, err
}

// syncFile has the medium keep a file.
func syncFile(file string) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// removeAll removes what has such names in a folder.
func removeAll(dir string, patterns ...string) (err error) {
	for _, pattern := range patterns {
		found, _ := filepath.Glob(filepath.Join(dir, pattern)) // the patterns are right
		for _, path := range found {
			err = errors.Join(err, os.RemoveAll(path))
		}
	}
	return err
}
