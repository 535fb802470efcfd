package update

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/google/renameio/v2"

	"shoeboard/tracker/regular"
)

// updateStep is what is being done: written before it is begun, removed when it has
// come to an end, so that a start after a power cut knows.
type updateStep struct {
	From, To string // versions
	Begin    bool   // checked, and to be begun
	Back     bool   // the previous package is being restored
}

// stepFile is its file.
const stepFile = "step.json"

// step returns what is being done; fs.ErrNotExist: nothing. Any other error says that
// there is something, and nobody can tell what.
func (u *Updater) step() (s updateStep, err error) {
	text, err := regular.Read(u.file(stepFile), regular.Most)
	if err == nil {
		err = json.Unmarshal(text, &s)
	}
	if err == nil && (s.From == "" || s.To == "") {
		err = errors.New("it names no versions")
	}
	return s, err
}

func (u *Updater) write(s updateStep) error {
	text, err := json.Marshal(s)
	if err != nil {
		return err
	}
	return renameio.WriteFile(u.file(stepFile), text, 0o600)
}

// Resume begins an update that was prepared, and ends one that was interrupted: when
// the new version is installed and works it stays, else the previous one is restored.
// Without one there is nothing to do. A corrupt step is set aside, and the installed
// version stays if it works.
func (u *Updater) Resume(ctx context.Context) error {
	if _, err := os.Stat(u.file(stepFile)); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	lock, err := u.lock()
	if err != nil {
		return err
	}
	defer lock.Close()
	s, err := u.step()
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil // ended by another just now
	case err != nil:
		return u.endUnknown(ctx, err)
	case s.Begin:
		return u.begin(ctx, s)
	}
	now, err := u.system.installed()
	if err == nil && (s.Back || now.Version != s.To) {
		err = errors.New("it was interrupted")
	}
	return u.end(ctx, s, err)
}

// begin installs what was prepared, unless a shoe has begun meanwhile.
func (u *Updater) begin(ctx context.Context, s updateStep) error {
	if err := u.system.idle(ctx); err != nil {
		return errors.Join(err, os.Remove(u.file(stepFile)))
	}
	u.say("Installing %s over %s. Do not switch off; if the power fails, the next start finishes or restores %[2]s.",
		s.To, s.From)
	s.Begin = false
	if err := u.write(s); err != nil {
		return err
	}
	return u.end(ctx, s, u.system.install(ctx, u.file("next.deb")))
}

// end keeps the new version if it was installed and works, else it restores the previous
// one.
func (u *Updater) end(ctx context.Context, s updateStep, failed error) error {
	if failed == nil {
		failed = u.system.healthy(ctx)
	}
	if failed != nil {
		return u.restore(ctx, s, failed)
	}
	return u.finish(s)
}

// finish makes the new package the one that is restored after the next update fails.
func (u *Updater) finish(s updateStep) error {
	if err := u.rename("next.deb", "current.deb"); err != nil {
		return err
	}
	u.say("Version %s runs.", s.To)
	if err := os.Remove(u.failed); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return os.Remove(u.file(stepFile))
}

// restore installs the previous package again and says why.
func (u *Updater) restore(ctx context.Context, s updateStep, why error) error {
	u.say("Version %s does not work (%v): restoring %s.", s.To, why, s.From)
	s.Back = true
	if err := u.write(s); err != nil {
		return errors.Join(why, err)
	}
	if err := u.system.install(ctx, u.file("current.deb")); err != nil {
		return fmt.Errorf("version %s did not work (%w), and %s cannot be restored: %w", s.To, why, s.From, err)
	}
	sick := u.system.healthy(ctx) // to restore it again would not help it, and would bar the next update
	if sick != nil {
		sick = fmt.Errorf("%s does not work either: %w", s.From, sick)
	}
	text := fmt.Appendf(nil, "version %s did not work, %s is back\n", s.To, s.From)
	told := renameio.WriteFile(u.failed, text, 0o644, renameio.WithStaticPermissions(0o644))
	if err := os.Remove(u.file(stepFile)); err != nil {
		return err
	}
	return errors.Join(fmt.Errorf("version %s did not work, %s is back: %w", s.To, s.From, why), sick, told)
}

// endUnknown ends an update of which nobody can tell how far it came: the installed version
// stays if it is whole and works, else the package that was kept is restored. Where there
// is none the next update is not barred.
func (u *Updater) endUnknown(ctx context.Context, corrupt error) error {
	if err := u.setAside(corrupt); err != nil {
		return err
	}
	now, err := u.system.installed()
	if err == nil {
		err = u.system.healthy(ctx)
	}
	next, unknown := u.system.info(u.file("next.deb"))
	kept, lost := u.kept()
	switch {
	case err != nil && lost == nil:
		return u.restore(ctx, updateStep{From: kept.Version, To: cmp.Or(now.Version, next.Version, "unknown")}, err)
	case err != nil:
		return errors.Join(fmt.Errorf("the installed version does not work (%w), and no package is kept (%w): "+
			"sudo apt install ./shoeboard_*.deb", err, lost), os.Remove(u.file(stepFile)))
	case unknown == nil && next == now && u.isSigned("next.deb", next): // the update has come to its end
		return u.finish(updateStep{To: now.Version})
	}
	u.say("Version %s is installed, and works.", now.Version)
	return os.Remove(u.file(stepFile))
}

// setAside keeps a corrupt step under another name too, until the update has ended.
func (u *Updater) setAside(corrupt error) error {
	aside := u.file(stepFile + ".damaged-" + time.Now().UTC().Format("20060102T150405"))
	if err := os.Link(u.file(stepFile), aside); err != nil && !errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("the step of an interrupted update is corrupt (%w) and cannot be set aside: %w", corrupt, err)
	}
	u.say("The step of an interrupted update is corrupt (%v). It is kept as %s.", corrupt, aside)
	return nil
}
