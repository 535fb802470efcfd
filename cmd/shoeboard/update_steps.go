package main

import (
	"context"
	"crypto/ed25519"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/google/renameio/v2"

	"shoeboard/tracker/localapi"
)

// updateDir is root's own: the core's user must not choose what root installs.
const updateDir = "var/lib/shoeboard-update"

// startsIn is how long a new program has until it is READY and answers.
const startsIn = 60 * time.Second

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
	healthy(ctx context.Context) error // waits until the program runs, or says why not
	idle(ctx context.Context) error    // nil: no shoe is in play
}

// updater replaces the program. The folder holds current.deb, what is installed when
// all is well, and during an update next.deb and the step that was begun.
type updater struct {
	dir    string
	key    ed25519.PublicKey
	system packages
	say    func(format string, a ...any)
}

// updateStep is what is being done: written before it is begun, removed when it has
// come to an end, so that a start after a power cut knows.
type updateStep struct {
	From, To string // versions
	Back     bool   // the previous package is being put back
}

func (u *updater) file(name string) string { return filepath.Join(u.dir, name) }

// update checks everything before it changes anything.
func (u *updater) update(ctx context.Context, file, previous string) error {
	if _, err := os.Stat(u.file("step.json")); err == nil {
		return errors.New("an update was interrupted: shoeboard update resume, then again")
	}
	if err := os.MkdirAll(u.dir, 0o700); err != nil {
		return err
	}
	now, err := u.system.installed()
	if err != nil {
		return err
	}
	next, err := u.take(file, "next.deb")
	if err != nil {
		return err
	}
	if err := u.fits(now, next); err != nil {
		return err
	}
	if err := u.wayBack(now, previous); err != nil {
		return err
	}
	if err := u.system.idle(ctx); err != nil {
		return err
	}
	u.say("Installing %s over %s. Do not switch off; if it happens all the same, the next start finishes or goes back.", next.Version, now.Version)
	return u.replace(ctx, updateStep{From: now.Version, To: next.Version})
}

// take copies a package into the folder and checks the copy: a stick may be changed
// or pulled out meanwhile.
func (u *updater) take(file, name string) (packageInfo, error) {
	for from, to := range map[string]string{file: name, file + ".sig": name + ".sig"} {
		text, err := os.ReadFile(from)
		if err != nil {
			return packageInfo{}, err
		}
		if err := renameio.WriteFile(u.file(to), text, 0o600); err != nil {
			return packageInfo{}, err
		}
	}
	if err := checkSignature(u.file(name), u.file(name+".sig"), u.key); err != nil {
		return packageInfo{}, err
	}
	return u.system.info(u.file(name))
}

func (u *updater) fits(now, next packageInfo) error {
	if next.Name != now.Name || next.Arch != now.Arch {
		return fmt.Errorf("the package is %s for %s, this unit has %s for %s", next.Name, next.Arch, now.Name, now.Arch)
	}
	newer, err := u.system.newer(next.Version, now.Version)
	if err == nil && !newer {
		err = fmt.Errorf("version %s is not newer than %s, which is installed", next.Version, now.Version)
	}
	return err
}

// wayBack makes sure that the package that is installed is kept.
func (u *updater) wayBack(now packageInfo, previous string) error {
	if previous != "" {
		if _, err := u.take(previous, "current.deb"); err != nil {
			return err
		}
	}
	kept, err := u.system.info(u.file("current.deb"))
	if err == nil && kept == now {
		return checkSignature(u.file("current.deb"), u.file("current.deb.sig"), u.key)
	}
	return fmt.Errorf("there is no way back: the package of version %s is not kept; give it with --previous", now.Version)
}

// replace installs next.deb and waits for it, else puts current.deb back.
func (u *updater) replace(ctx context.Context, step updateStep) error {
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

func (u *updater) note(step updateStep) error {
	text, err := json.Marshal(step)
	if err != nil {
		return err
	}
	return renameio.WriteFile(u.file("step.json"), text, 0o600)
}

// finish makes the new package the one to go back to.
func (u *updater) finish(step updateStep) error {
	for _, name := range []string{".sig", ""} {
		err := os.Rename(u.file("next.deb"+name), u.file("current.deb"+name))
		if err != nil && !errors.Is(err, fs.ErrNotExist) { // done before an interruption
			return err
		}
	}
	u.say("Version %s runs.", step.To)
	return os.Remove(u.file("step.json"))
}

// goBack puts the previous package back and says why.
func (u *updater) goBack(ctx context.Context, step updateStep, why error) error {
	u.say("Version %s does not work (%v): putting %s back.", step.To, why, step.From)
	step.Back = true
	if err := u.note(step); err != nil {
		return errors.Join(why, err)
	}
	err := u.system.install(ctx, u.file("current.deb"))
	if err == nil {
		err = u.system.healthy(ctx)
	}
	if err != nil {
		return fmt.Errorf("version %s did not work (%w), and %s does not come back: %w", step.To, why, step.From, err)
	}
	if err := os.Remove(u.file("step.json")); err != nil {
		return err
	}
	return fmt.Errorf("version %s did not work, %s is back: %w", step.To, step.From, why)
}

// resume ends an update that was interrupted: when the new version is there and works
// it is kept, else the previous one comes back. Without one there is nothing to do.
func (u *updater) resume(ctx context.Context) error {
	text, err := os.ReadFile(u.file("step.json"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	var step updateStep
	if err == nil {
		err = json.Unmarshal(text, &step)
	}
	if err != nil {
		return fmt.Errorf("the step of an interrupted update: %w", err)
	}
	now, err := u.system.installed()
	if err == nil && !step.Back && now.Version == step.To {
		if err = u.system.healthy(ctx); err == nil {
			return u.finish(step)
		}
	}
	if err == nil {
		err = errors.New("it was interrupted")
	}
	return u.goBack(ctx, step, err)
}

// debian is dpkg and systemd.
type debian struct{ client localapi.Client }

func output(name string, args ...string) (string, error) {
	out, err := exec.Command(name, args...).CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%s: %w: %s", name, err, strings.TrimSpace(string(out)))
	}
	return strings.TrimSpace(string(out)), nil
}

func (debian) info(file string) (packageInfo, error) {
	return infoOf("dpkg-deb", "--show", "--showformat=${Package} ${Version} ${Architecture}", file)
}

func (debian) installed() (packageInfo, error) {
	return infoOf("dpkg-query", "--show", "--showformat=${Package} ${Version} ${Architecture}", "shoeboard")
}

func infoOf(name string, args ...string) (packageInfo, error) {
	text, err := output(name, args...)
	if err != nil {
		return packageInfo{}, err
	}
	words := strings.Fields(text)
	if len(words) != 3 {
		return packageInfo{}, fmt.Errorf("%s says %q", name, text)
	}
	return packageInfo{words[0], words[1], words[2]}, nil
}

func (debian) newer(a, b string) (bool, error) {
	err := exec.Command("dpkg", "--compare-versions", a, "gt", b).Run()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == 1 {
		return false, nil
	}
	return err == nil, err
}

// install installs a package, after what an interruption left half done. Files that
// a technician changed stay as they are.
func (debian) install(_ context.Context, file string) error {
	if _, err := output("dpkg", "--configure", "-a"); err != nil {
		return err
	}
	_, err := output("dpkg", "--force-confold", "--install", file)
	return err
}

// healthy waits until the service is up, which it is when it has said READY, its loop
// answers, and the files are as the package has them.
func (d debian) healthy(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, startsIn)
	defer cancel()
	if _, err := output("systemctl", "restart", "shoeboard.service"); err != nil {
		return err
	}
	for {
		h, err := d.client.Health(ctx)
		if err == nil && h.Alive {
			_, err := output("/usr/bin/shoeboard", "verify")
			return err
		}
		pause(ctx, time.Second)
		if ctx.Err() != nil {
			return fmt.Errorf("the core does not answer within %v", startsIn)
		}
	}
}

func (d debian) idle(ctx context.Context) error { return betweenShoes(ctx, d.client) }
