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
)

// Resume begins an update that was prepared, and ends one that was interrupted: when
// the new version is there and works it is kept, else the previous one comes back.
// Without one there is nothing to do. A step that cannot be read bars nothing: it is put
// aside, and what dpkg says is installed is kept if it works.
func (u *Updater) Resume(ctx context.Context) error {
	if _, err := os.Stat(u.file("step.json")); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	lock, err := u.lock()
	if err != nil {
		return err
	}
	defer lock.Close()
	return u.resume(ctx)
}

func (u *Updater) resume(ctx context.Context) error {
	step, err := u.noted()
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil // ended by another just now
	case err != nil:
		if err := u.putAside(err); err != nil {
			return err
		}
		return u.withoutStep(ctx)
	case step.Lost:
		return u.withoutStep(ctx)
	case step.Begin:
		if err := u.system.idle(ctx); err != nil {
			return errors.Join(err, os.Remove(u.file("step.json")))
		}
		return u.begin(ctx, step)
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

// noted is the step that is being done; fs.ErrNotExist: none. Any other error says that
// there is one, and that nobody can tell which.
func (u *Updater) noted() (step updateStep, err error) {
	text, err := os.ReadFile(u.file("step.json"))
	if err == nil {
		err = json.Unmarshal(text, &step)
	}
	if err == nil && (step.From == "" || step.To == "") {
		err = errors.New("it names no versions")
	}
	return step, err
}

// putAside keeps a step that cannot be read under another name, says so, and notes in its
// place that it is lost.
func (u *Updater) putAside(why error) error {
	step, aside := u.file("step.json"), u.file("step.json.damaged-"+time.Now().UTC().Format("20060102T150405"))
	err := os.Link(step, aside)
	if err == nil {
		err = u.note(updateStep{From: unknown, To: unknown, Lost: true})
	}
	if err != nil {
		return fmt.Errorf("the step of an interrupted update cannot be read (%w) nor put aside: %w", why, err)
	}
	u.say("The step of an interrupted update cannot be read (%v). It is kept as %s.", why, aside)
	return nil
}

// unknown stands for a version.
const unknown = "unknown"

// withoutStep ends an update of which nobody can tell how far it came: what is installed
// stays if it is whole and works, else the package that was kept comes back. Where there
// is none the next update is not barred.
func (u *Updater) withoutStep(ctx context.Context) error {
	now, err := u.system.installed()
	if err == nil {
		err = u.system.healthy(ctx)
	}
	if err == nil {
		return u.stay(now)
	}
	back, lost := u.system.info(u.file("current.deb"))
	if lost = errors.Join(lost, u.ours()); lost != nil {
		err = fmt.Errorf("what is installed does not work (%w), and no package is kept (%w): sudo apt install ./shoeboard_*.deb", err, lost)
		return errors.Join(err, os.Remove(u.file("step.json")))
	}
	next, _ := u.system.info(u.file("next.deb")) // only its name is wanted
	return u.goBack(ctx, updateStep{From: back.Version, To: cmp.Or(now.Version, next.Version, unknown)}, err)
}

// stay keeps what is installed; when it is the package that was to be installed, the
// update has come to its end.
func (u *Updater) stay(now packageInfo) error {
	next, err := u.system.info(u.file("next.deb"))
	if err == nil && next == now && u.signed("next.deb") == nil {
		return u.finish(updateStep{To: now.Version})
	}
	u.say("Version %s is installed, and works.", now.Version)
	return os.Remove(u.file("step.json"))
}
