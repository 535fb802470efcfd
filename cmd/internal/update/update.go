// Package update replaces the program by a signed package, and puts the one before
// back if the new one does not start.
//
// Words: the current package is what is installed when all is well; a step is what is
// being done, written before it is begun.
//
// A caller may assume that nothing is changed before everything was checked: the
// signature, the machine, that the version is newer, that there is a way back, and
// that no shoe is in play; that the power may be cut at any moment, and Resume then
// ends with one version that works. Of two who update at once one is refused.
package update

import (
	"context"
	"crypto/ed25519"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"shoeboard/tracker/localapi"

	"github.com/google/renameio/v2"
)

// Folder is root's own: the core's user must not choose what root installs.
const Folder = "/var/lib/shoeboard-update"

// Failed is where a sentence stands for the core and the doctor when the last update was
// taken back, until the next one or the next boot. The core records it as a fault.
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

// New is the updater of the unit below root. keyText is the public key that
// packages are checked with; client is of the core; say tells the technician what is
// being done. A unit whose system is read-only has none.
func New(root, keyText string, client localapi.Client, say func(format string, a ...any)) (*Updater, error) {
	if err := replaceable(root); err != nil {
		return nil, err
	}
	key, err := publicKey(keyText)
	if err != nil {
		return nil, fmt.Errorf("this program has no key to check updates with: install with apt, or build it with a key in update.pub (%w)", err)
	}
	return &Updater{dir: filepath.Join(root, Folder), failed: filepath.Join(root, Failed), key: key, system: debian{client: client}, say: say}, nil
}

// updateStep is what is being done: written before it is begun, removed when it has
// come to an end, so that a start after a power cut knows.
type updateStep struct {
	From, To string // versions
	Begin    bool   // checked, and to be begun
	Back     bool   // the previous package is being put back
	Lost     bool   // what was being done cannot be read any more
}

func (u *Updater) file(name string) string { return filepath.Join(u.dir, name) }

// Update checks everything before it changes anything.
func (u *Updater) Update(ctx context.Context, file, previous string) error {
	if _, err := u.Prepare(ctx, file, previous); err != nil {
		return err
	}
	return u.Resume(ctx)
}

// Prepare checks everything, has both packages in the folder, and notes the step that
// Resume begins with. It gives the version that will be installed.
func (u *Updater) Prepare(ctx context.Context, file, previous string) (version string, err error) {
	if err := os.MkdirAll(u.dir, 0o700); err != nil {
		return "", err
	}
	lock, err := u.lock()
	if err != nil {
		return "", err
	}
	defer lock.Close()
	if err := u.tidy(); err != nil {
		return "", err
	}
	if step, err := u.noted(); err == nil && !step.Lost {
		return "", errors.New("an update was interrupted: shoeboard update resume, then again")
	}
	now, err := u.system.installed()
	if err != nil {
		return "", err
	}
	if err := u.forget(); err != nil {
		return "", err
	}
	next, err := u.take(file, "next.deb")
	if err != nil {
		return "", err
	}
	if err := u.fits(now, next); err != nil {
		return "", err
	}
	if err := u.system.idle(ctx); err != nil {
		return "", err
	}
	if err := u.wayBack(now, previous); err != nil {
		return "", err
	}
	return next.Version, u.note(updateStep{From: now.Version, To: next.Version, Begin: true})
}

// forget takes away a step that cannot be read: what is installed is whole.
func (u *Updater) forget() error {
	_, err := u.noted()
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		if err := u.putAside(err); err != nil {
			return err
		}
	}
	return os.Remove(u.file("step.json"))
}

// begin installs what was prepared.
func (u *Updater) begin(ctx context.Context, step updateStep) error {
	u.say("Installing %s over %s. Do not switch off; if it happens all the same, the next start finishes or goes back.", step.To, step.From)
	step.Begin = false
	return u.replace(ctx, step)
}

// take copies a package into the folder and checks the copy: a stick may be changed
// or pulled out meanwhile. Only what is signed gets the name.
func (u *Updater) take(file, name string) (packageInfo, error) {
	for _, end := range []string{".sig", ""} {
		err := copyTo(u.file("new.deb"+end), file+end)
		if end != "" && errors.Is(err, fs.ErrNotExist) {
			err = fmt.Errorf("%s is not signed: %s.sig belongs beside it", filepath.Base(file), filepath.Base(file))
		}
		if err != nil {
			return packageInfo{}, err
		}
	}
	if err := u.signed("new.deb"); err != nil {
		return packageInfo{}, fmt.Errorf("%s: %w", filepath.Base(file), err)
	}
	if err := u.rename("new.deb", name); err != nil {
		return packageInfo{}, err
	}
	return u.system.info(u.file(name))
}

// signed says whether a package of the folder is signed.
func (u *Updater) signed(name string) error {
	return checkSignature(u.file(name), u.file(name+".sig"), u.key)
}

// rename gives a package of the folder and its signature another name. It may be
// interrupted and called again.
func (u *Updater) rename(from, to string) error {
	for _, end := range []string{".sig", ""} {
		err := os.Rename(u.file(from+end), u.file(to+end))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

func (u *Updater) fits(now, next packageInfo) error {
	if next.Name != now.Name || next.Arch != now.Arch {
		return fmt.Errorf("the package is %s for %s, this unit has %s for %s", next.Name, next.Arch, now.Name, now.Arch)
	}
	newer, err := u.system.newer(next.Version, now.Version)
	if err == nil && !newer {
		err = fmt.Errorf("version %s is not newer than %s, which is installed", next.Version, now.Version)
	}
	return err
}

// wayBack makes sure that the package that is installed is kept: from the update
// before, from the one who updates, or packed anew from what is installed.
func (u *Updater) wayBack(now packageInfo, previous string) error {
	if previous != "" {
		if _, err := u.take(previous, "current.deb"); err != nil {
			return err
		}
	}
	if err := u.kept(now); err == nil {
		return nil
	}
	if err := os.Remove(u.file("current.deb.sig")); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	fresh := u.file("packed.deb") // one that was cut short would look whole: what it says of itself comes first in it
	err := u.system.pack(fresh)
	if err == nil {
		err = durable(fresh)
	}
	if err == nil {
		err = os.Rename(fresh, u.file("current.deb"))
	}
	if err == nil {
		err = u.kept(now)
	}
	if err != nil {
		return fmt.Errorf("there is no way back: the package of version %s is not kept and cannot be packed anew (%w); give it with --previous", now.Version, err)
	}
	return nil
}

// durable has the medium keep a file.
func durable(file string) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// kept says whether current.deb is the package that is installed. One that was packed
// here has no signature; the folder is root's alone.
func (u *Updater) kept(now packageInfo) error {
	have, err := u.system.info(u.file("current.deb"))
	if err == nil && have != now {
		err = fmt.Errorf("version %s is kept, %s is installed", have.Version, now.Version)
	}
	if err != nil {
		return err
	}
	return u.ours()
}

// ours says whether current.deb is signed, or was packed here.
func (u *Updater) ours() error {
	err := u.signed("current.deb")
	if errors.Is(err, fs.ErrNotExist) {
		_, err = os.Stat(u.file("current.deb"))
	}
	return err
}

// replace installs next.deb and waits for it, else puts current.deb back.
func (u *Updater) replace(ctx context.Context, step updateStep) error {
	if err := u.note(step); err != nil {
		return err
	}
	err := u.system.install(ctx, u.file("next.deb"))
	if err == nil {
		err = u.system.healthy(ctx)
	}
	if err == nil {
		return u.finish(step)
	}
	return u.goBack(ctx, step, err)
}

func (u *Updater) note(step updateStep) error {
	text, err := json.Marshal(step)
	if err != nil {
		return err
	}
	return renameio.WriteFile(u.file("step.json"), text, 0o600)
}

// finish makes the new package the one to go back to.
func (u *Updater) finish(step updateStep) error {
	if err := u.rename("next.deb", "current.deb"); err != nil {
		return err
	}
	u.say("Version %s runs.", step.To)
	if err := os.Remove(u.failed); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return os.Remove(u.file("step.json"))
}

// goBack puts the previous package back and says why.
func (u *Updater) goBack(ctx context.Context, step updateStep, why error) error {
	u.say("Version %s does not work (%v): putting %s back.", step.To, why, step.From)
	step.Back = true
	if err := u.note(step); err != nil {
		return errors.Join(why, err)
	}
	if err := u.system.install(ctx, u.file("current.deb")); err != nil {
		return fmt.Errorf("version %s did not work (%w), and %s does not come back: %w", step.To, why, step.From, err)
	}
	sick := u.system.healthy(ctx) // to put it back again would not help it, and would bar the next update
	if sick != nil {
		sick = fmt.Errorf("%s does not work either: %w", step.From, sick)
	}
	told := renameio.WriteFile(u.failed, fmt.Appendf(nil, "version %s did not work, %s is back\n", step.To, step.From), 0o644, renameio.WithStaticPermissions(0o644))
	if err := os.Remove(u.file("step.json")); err != nil {
		return err
	}
	return errors.Join(fmt.Errorf("version %s did not work, %s is back: %w", step.To, step.From, why), sick, told)
}
