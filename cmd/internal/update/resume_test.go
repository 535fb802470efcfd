package update

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// left is what is in the folder of updates, but for the lock.
func (w workshop) left() (names []string) {
	w.t.Helper()
	entries, err := os.ReadDir(w.path("update"))
	if err != nil {
		w.t.Fatal(err)
	}
	for _, e := range entries {
		if e.Name() != "lock" {
			names = append(names, e.Name())
		}
	}
	return names
}

// interrupted is a unit on which an update from 1 to 2 was cut off: what is installed is
// as now says, and the step is what a bad card has made of it.
func (w workshop) interrupted(now packageInfo, step string) (*depot, *Updater) {
	w.t.Helper()
	one, two := w.deb("shoeboard 1 arm64"), w.deb("shoeboard 2 arm64")
	s := unit1()
	u := w.updater(s)
	for _, err := range []error{os.RemoveAll(u.dir), os.Mkdir(u.dir, 0o700)} {
		if err != nil {
			w.t.Fatal(err)
		}
	}
	if _, err := u.Prepare(w.t.Context(), copyOf(two), one); err != nil {
		w.t.Fatal(err)
	}
	s.now = now
	if err := os.WriteFile(u.file("step.json"), []byte(step), 0o600); err != nil {
		w.t.Fatal(err)
	}
	return s, u
}

// A step that cannot be read ends by itself at the next boot: what is installed stays if
// it works, else the version before comes back. Its bytes are kept, and the next update
// is not barred.
func TestADamagedStepBarsNoUpdate(t *testing.T) {
	w := newWorkshop(t)
	three := w.deb("shoeboard 3 arm64")
	v := func(version string) packageInfo { return packageInfo{"shoeboard", version, "arm64"} }
	for what, c := range map[string]struct {
		now      string
		sick     string
		half     bool
		want     string
		kept     string
		complain bool
	}{
		"not begun":                   {now: "1", want: "1", kept: "1"},
		"installed":                   {now: "2", want: "2", kept: "2"},
		"installed, does not start":   {now: "2", sick: "2", want: "1", kept: "1", complain: true},
		"half installed":              {now: "2", half: true, want: "1", kept: "1", complain: true},
		"put back, works":             {now: "1", sick: "2", want: "1", kept: "1"},
		"put back, half":              {now: "1", half: true, sick: "2", want: "1", kept: "1", complain: true},
		"neither of the two installs": {now: "4", want: "4", kept: "1"},
	} {
		steps := []string{"{"}
		if what == "half installed" {
			steps = []string{"", "{", "{}", "\x00\x00\x00", `{"From":"1"}`, `["1","2"]`}
		}
		for _, step := range steps {
			s, u := w.interrupted(v(c.now), step)
			s.half, s.sick = c.half, map[string]bool{c.sick: true}
			if err := u.Resume(t.Context()); (err != nil) != c.complain {
				t.Errorf("%s, %q: %v", what, step, err)
			}
			kept, err := s.info(u.file("current.deb"))
			if s.now.Version != c.want || kept.Version != c.kept || err != nil {
				t.Errorf("%s, %q: version %s is installed, %s kept, %v", what, step, s.now.Version, kept.Version, err)
			}
			damaged, _ := filepath.Glob(u.file("step.json.damaged-*"))
			if len(damaged) != 1 {
				t.Fatalf("%s, %q: left %v", what, step, w.left())
			}
			if text, err := os.ReadFile(damaged[0]); string(text) != step || err != nil {
				t.Errorf("%s: %q is kept of %q, %v", what, text, step, err)
			}
			if u.begun() {
				t.Errorf("%s, %q: a step is left", what, step)
			}
			if c.now == "4" {
				continue
			}
			if err := u.Update(t.Context(), three, ""); err != nil || s.now.Version != "3" {
				t.Errorf("%s, %q: the next update: version %s, %v", what, step, s.now.Version, err)
			}
		}
	}
}

// What the update before came to stands as a fault until one works; that this one's step
// was damaged makes no difference.
func TestAnUpdateThatWorkedEndsTheFaultOfTheOneBefore(t *testing.T) {
	w := newWorkshop(t)
	for version, stays := range map[string]bool{"1": true, "2": false} {
		_, u := w.interrupted(packageInfo{"shoeboard", version, "arm64"}, "{")
		if err := os.WriteFile(u.failed, []byte("version 2 did not work, 1 is back\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := u.Resume(t.Context()); err != nil {
			t.Error(err)
		}
		if _, err := os.Stat(u.failed); (err == nil) != stays {
			t.Errorf("version %s works, and of the fault: %v", version, err)
		}
	}
}

// The power is cut again while a damaged step is being ended, at every moment.
func TestPowerCutsWhileADamagedStepIsEnded(t *testing.T) {
	w := newWorkshop(t)
	cuts := 0
	for _, half := range []bool{false, true} {
		for at := 1; at < 6; at++ {
			s, u := w.interrupted(packageInfo{"shoeboard", "2", "arm64"}, "{")
			s.half, s.sick["2"], s.cutAt = half, true, at
			if cut(func() error { return u.Resume(t.Context()) }) {
				cuts++
				_ = u.Resume(t.Context())
			}
			if s.half || s.now.Version != "1" {
				t.Errorf("cut at %d: version %s is installed, half %v", at, s.now.Version, s.half)
			}
			if u.begun() {
				t.Errorf("cut at %d: a step is left", at)
			}
		}
	}
	if cuts < 6 {
		t.Errorf("only %d cuts", cuts)
	}
}

// The next update does not wait for a boot when only the step is damaged; what is half
// installed is the boot's to end.
func TestAnUpdateOverADamagedStep(t *testing.T) {
	w := newWorkshop(t)
	s, u := w.interrupted(packageInfo{"shoeboard", "1", "arm64"}, "{")
	s.half = true
	if err := u.Update(t.Context(), w.deb("shoeboard 3 arm64"), ""); err == nil || !u.begun() {
		t.Errorf("half installed: %v, a step %v", err, u.begun())
	}
	s.half = false
	if err := u.Update(t.Context(), w.deb("shoeboard 3 arm64"), ""); err != nil || s.now.Version != "3" {
		t.Errorf("version %s, %v", s.now.Version, err)
	}
}

// What does not work and has no way back is said with what to do; a package that nobody
// has signed is no way back.
func TestADamagedStepWithoutAWayBack(t *testing.T) {
	w := newWorkshop(t)
	for what, spoil := range map[string]func(file string) error{
		"gone":     os.Remove,
		"changed":  func(file string) error { return os.WriteFile(file, []byte("shoeboard 1 arm64 and more"), 0o600) },
		"unsigned": func(file string) error { return os.WriteFile(file+".sig", []byte("00"), 0o600) },
	} {
		s, u := w.interrupted(packageInfo{"shoeboard", "2", "arm64"}, "{")
		s.sick["2"] = true
		if err := spoil(u.file("current.deb")); err != nil {
			t.Fatal(err)
		}
		if err := u.Resume(t.Context()); err == nil || !strings.Contains(err.Error(), "sudo apt install") || s.now.Version != "2" {
			t.Errorf("%s: version %s, %v", what, s.now.Version, err)
		}
	}
}

// A stranger's package that was given as the one before must not lie there as the way
// back after it was refused.
func TestARefusedPackageIsNoWayBack(t *testing.T) {
	w, stranger := newWorkshop(t), newWorkshop(t)
	s := unit1()
	u := w.updater(s)
	if err := u.Update(t.Context(), w.deb("shoeboard 2 arm64"), stranger.deb("shoeboard 1 arm64")); err == nil {
		t.Error("it was taken")
	}
	if _, err := s.info(u.file("current.deb")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("it is kept: %v", err)
	}
}

// The power was cut while a package was copied, and while one was packed.
func TestWhatAPowerCutLeftIsTakenAway(t *testing.T) {
	w := newWorkshop(t)
	s := unit1()
	u := w.updater(s)
	for _, name := range []string{"making123/usr/bin", ".new.deb456", ".step.json789", "stick12"} {
		if err := os.MkdirAll(u.file(name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := u.Update(t.Context(), w.deb("shoeboard 2 arm64"), ""); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(w.left(), " "); got != "current.deb current.deb.sig" {
		t.Errorf("left: %s", got)
	}
}
