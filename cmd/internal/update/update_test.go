package update

import (
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// depot is a system whose packages are files with "name version arch" in them. It can
// fail, and can be cut off, at any of its calls.
type depot struct {
	now     packageInfo
	sick    map[string]bool // versions that do not start
	inPlay  bool
	calls   int
	cutAt   int // panics at this call, as a power cut would
	refuses string
	spoilt  bool   // what is installed cannot be packed
	half    bool   // what is installed was not installed to its end
	asked   func() // meanwhile, when it is asked for a shoe in play
}

type powerCut struct{}

func (s *depot) call() {
	if s.calls++; s.calls == s.cutAt {
		panic(powerCut{})
	}
}

func (s *depot) info(file string) (packageInfo, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return packageInfo{}, err
	}
	var p packageInfo
	_, err = fmt.Sscan(string(text), &p.Name, &p.Version, &p.Arch)
	return p, err
}

func (s *depot) installed() (packageInfo, error) {
	if s.half {
		return packageInfo{}, errors.New("the package is half-configured")
	}
	return s.now, nil
}

func (s *depot) newer(a, b string) (bool, error) { return a > b, nil }

func (s *depot) pack(file string) error {
	if s.spoilt {
		return errors.New("/usr/bin/shoeboard is not as the package had it")
	}
	text := fmt.Appendf(nil, "%s %s %s", s.now.Name, s.now.Version, s.now.Arch)
	if err := os.WriteFile(file, append(text, " torn"...), 0o600); err != nil { // what it says of itself comes first
		return err
	}
	s.call()
	return os.WriteFile(file, text, 0o600)
}

func (s *depot) install(_ context.Context, file string) error {
	s.call()
	p, err := s.info(file)
	if err != nil {
		return err
	}
	if text, err := os.ReadFile(file); err != nil || strings.HasSuffix(string(text), "torn") {
		return fmt.Errorf("an unexpected end of the archive (%w)", err)
	}
	if p.Version == s.refuses {
		return errors.New("dpkg refuses it")
	}
	s.now, s.half = p, false
	s.call()
	return nil
}

func (s *depot) healthy(context.Context) error {
	s.call()
	if s.sick[s.now.Version] {
		return errors.New("the core does not answer")
	}
	return nil
}

func (s *depot) idle(context.Context) error {
	if s.asked != nil {
		s.asked()
	}
	if s.inPlay {
		return errors.New("a shoe is in play")
	}
	return nil
}

// workshop is a folder with a key, which makes signed packages.
type workshop struct {
	t   *testing.T
	dir string
	key ed25519.PublicKey
}

func (w workshop) path(name string) string { return filepath.Join(w.dir, name) }

func newWorkshop(t *testing.T) workshop {
	w := workshop{t: t, dir: t.TempDir()}
	if err := MakeKeys(w.path("key")); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(w.path("key.pub"))
	if err != nil {
		t.Fatal(err)
	}
	if w.key, err = parseHex(string(text), ed25519.PublicKeySize); err != nil {
		t.Fatal(err)
	}
	return w
}

func (w workshop) deb(text string) string {
	w.t.Helper()
	file := w.path(strings.ReplaceAll(text, " ", "_") + ".deb")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		w.t.Fatal(err)
	}
	is := strings.Fields(text)
	if err := sign(file, w.path("key"), statement{aPackage, is[1], is[2]}); err != nil {
		w.t.Fatal(err)
	}
	return file
}

func (w workshop) updater(s packages) *Updater {
	return &Updater{dir: w.path("update"), failed: w.path("failed"), key: w.key, system: s, say: func(string, ...any) {}}
}

// begun says that a step is noted.
func (u *Updater) begun() bool {
	_, err := os.Stat(u.file("step.json"))
	return err == nil
}

func unit1() *depot {
	return &depot{now: packageInfo{"shoeboard", "1", "arm64"}, sick: map[string]bool{}}
}

func TestUpdate(t *testing.T) {
	w := newWorkshop(t)
	one, two, three := w.deb("shoeboard 1 arm64"), w.deb("shoeboard 2 arm64"), w.deb("shoeboard 3 arm64")
	s := unit1()
	u := w.updater(s)
	s.spoilt = true
	if err := u.Update(t.Context(), two, ""); err == nil || !strings.Contains(err.Error(), "--previous") || s.calls > 0 {
		t.Fatalf("without a way back: %v", err)
	}
	if err := u.Update(t.Context(), two, one); err != nil || s.now.Version != "2" {
		t.Fatalf("version %s: %v", s.now.Version, err)
	}
	s.sick["3"] = true
	if err := u.Update(t.Context(), three, ""); err == nil || s.now.Version != "2" {
		t.Errorf("a version that does not start: version %s, %v", s.now.Version, err)
	}
	s.refuses = "3"
	if err := u.Update(t.Context(), three, ""); err == nil || s.now.Version != "2" {
		t.Errorf("a version that cannot be installed: version %s, %v", s.now.Version, err)
	}
	if u.begun() {
		t.Error("a step is left")
	}
	if text, err := os.ReadFile(u.failed); string(text) != "version 3 did not work, 2 is back\n" {
		t.Errorf("the core is told %q, %v", text, err)
	}
	s.sick, s.refuses = nil, ""
	if err := u.Update(t.Context(), three, ""); err != nil || s.now.Version != "3" {
		t.Errorf("version %s: %v", s.now.Version, err)
	}
	if _, err := os.Stat(u.failed); err == nil {
		t.Error("the core is told still that an update failed")
	}
}

func TestUpdateRefusals(t *testing.T) {
	w := newWorkshop(t)
	one, two := w.deb("shoeboard 1 arm64"), w.deb("shoeboard 2 arm64")
	stranger := newWorkshop(t)
	for what, c := range map[string]struct {
		file string
		unit *depot
	}{
		"the same version":  {one, unit1()},
		"an older version":  {w.deb("shoeboard 0 arm64"), unit1()},
		"another machine's": {w.deb("shoeboard 2 armhf"), unit1()},
		"another program":   {w.deb("chess 2 arm64"), unit1()},
		"signed by others":  {stranger.deb("shoeboard 2 arm64"), unit1()},
		"not there":         {w.path("none.deb"), unit1()},
		"a shoe in play":    {two, &depot{now: packageInfo{"shoeboard", "1", "arm64"}, inPlay: true}},
	} {
		if err := w.updater(c.unit).Update(t.Context(), c.file, one); err == nil || c.unit.calls > 0 {
			t.Errorf("%s was taken: %v", what, err)
		}
	}
	unsigned := w.path("unsigned.deb")
	if err := os.WriteFile(unsigned, []byte("shoeboard 2 arm64"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := w.updater(unit1()).Update(t.Context(), unsigned, one); err == nil || !strings.Contains(err.Error(), "unsigned.deb.sig belongs beside it") {
		t.Errorf("a package without a signature: %v", err)
	}
}

// The first update of a unit that was installed by hand: what is installed is packed
// anew, and comes back when the new version does not start.
func TestTheFirstUpdateHasAWayBack(t *testing.T) {
	w := newWorkshop(t)
	s := unit1()
	s.sick["2"] = true
	u := w.updater(s)
	if err := u.Update(t.Context(), w.deb("shoeboard 2 arm64"), ""); err == nil || s.now.Version != "1" {
		t.Errorf("a version that does not start: version %s, %v", s.now.Version, err)
	}
	s.spoilt = true // it was kept
	if err := u.Update(t.Context(), w.deb("shoeboard 3 arm64"), ""); err != nil || s.now.Version != "3" {
		t.Errorf("version %s, %v", s.now.Version, err)
	}
}

// What the keypad asks for is prepared at once and begun by the unit that also ends
// what was interrupted; when a shoe has begun meanwhile it is dropped.
func TestAPreparedUpdateIsBegunLater(t *testing.T) {
	w := newWorkshop(t)
	two := w.deb("shoeboard 2 arm64")
	for _, inPlay := range []bool{false, true} {
		s := unit1()
		u := w.updater(s)
		to, err := u.Prepare(t.Context(), copyOf(two), "")
		if err != nil || to != "2" || s.now.Version != "1" {
			t.Fatalf("prepared: %s, %v", to, err)
		}
		s.inPlay = inPlay
		err = u.Resume(t.Context())
		if inPlay != (err != nil) || inPlay != (s.now.Version == "1") {
			t.Errorf("in play %v: version %s, %v", inPlay, s.now.Version, err)
		}
		if u.begun() {
			t.Error("a step is left")
		}
	}
}

// The control file of a package is what dpkg tells of it, without its state.
func TestControlOf(t *testing.T) {
	got := controlOf("Package: shoeboard\nStatus: install ok installed\nVersion: 1\nConffiles:\n /etc/a 0123\n /etc/b 4567\nDescription: Table display\n The board.")
	if want := "Package: shoeboard\nVersion: 1\nDescription: Table display\n The board.\n"; got != want {
		t.Errorf("got %q", got)
	}
}

// Every bit of a package and of its signature counts.
func TestChangedPackagesAreRefused(t *testing.T) {
	w := newWorkshop(t)
	two := w.deb("shoeboard 2 arm64")
	for _, file := range []string{two, two + ".sig"} {
		whole, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for i := range 8 * len(whole) {
			bad := append([]byte{}, whole...)
			bad[i/8] ^= 1 << (i % 8)
			if err := os.WriteFile(file, bad, 0o600); err != nil {
				t.Fatal(err)
			}
			if _, err := checkSignature(two, two+".sig", w.key); err == nil {
				t.Fatalf("%s with bit %d flipped is taken for signed", filepath.Base(file), i)
			}
		}
		if err := os.WriteFile(file, whole, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := checkSignature(two, two+".sig", w.key); err != nil {
		t.Errorf("the package as it was signed: %v", err)
	}
}

// cut says whether the power was cut while do was done. Its error is told to the
// technician; what counts is what is installed.
func cut(do func() error) (fell bool) {
	defer func() {
		if r := recover(); r != nil {
			if _, ok := r.(powerCut); !ok {
				panic(r)
			}
			fell = true
		}
	}()
	_ = do()
	return false
}

// The power is cut while the way back is packed: what was written of it is none.
func TestAWayBackThatWasCutShortIsNone(t *testing.T) {
	w := newWorkshop(t)
	two := w.deb("shoeboard 2 arm64")
	s := unit1()
	s.sick["2"], s.cutAt = true, 1
	u := w.updater(s)
	if !cut(func() error { return u.Update(t.Context(), two, "") }) {
		t.Fatal("the power was not cut")
	}
	if err := u.Update(t.Context(), two, ""); err == nil || s.now.Version != "1" {
		t.Errorf("version %s, %v", s.now.Version, err)
	}
	if u.begun() {
		t.Error("a step is left")
	}
}

// A unit whose core does not run, whatever version it has, can get the version that
// helps: a step that is left would bar it.
func TestASickUnitCanBeUpdated(t *testing.T) {
	w := newWorkshop(t)
	s := unit1()
	s.sick["1"], s.sick["2"] = true, true
	u := w.updater(s)
	err := u.Update(t.Context(), w.deb("shoeboard 2 arm64"), "")
	if err == nil || s.now.Version != "1" || !strings.Contains(err.Error(), "1 does not work either") {
		t.Errorf("version %s, %v", s.now.Version, err)
	}
	if info, err := os.Stat(u.failed); err != nil || info.Mode().Perm() != 0o644 {
		t.Errorf("the core is not told: %v", err)
	}
	if err := u.Update(t.Context(), w.deb("shoeboard 3 arm64"), ""); err != nil || s.now.Version != "3" {
		t.Errorf("version %s, %v", s.now.Version, err)
	}
}

// The keypad asks for one package while another is being checked over SSH: an older one,
// which is refused, must not take the place of the one that was checked.
func TestOfTwoUpdatesAtOnceOneIsRefused(t *testing.T) {
	w := newWorkshop(t)
	one, two, three := w.deb("shoeboard 1 arm64"), w.deb("shoeboard 2 arm64"), w.deb("shoeboard 3 arm64")
	s := &depot{now: packageInfo{"shoeboard", "2", "arm64"}}
	u := w.updater(s)
	tries := 0
	s.asked = func() {
		if tries++; tries > 1 {
			return
		}
		if _, err := w.updater(s).Prepare(t.Context(), copyOf(one), ""); err == nil || !strings.Contains(err.Error(), "another update") {
			t.Errorf("a second one: %v", err)
		}
	}
	if err := u.Update(t.Context(), three, two); err != nil || s.now.Version != "3" {
		t.Errorf("version %s, %v", s.now.Version, err)
	}
}

// What dpkg says of a package and of its files.
func TestWhatDpkgSays(t *testing.T) {
	for status, want := range map[string]bool{"installed": true, "triggers-pending": true, "triggers-awaited": true,
		"unpacked": false, "half-configured": false, "half-installed": false, "config-files": false, "not-installed": false, "": false} {
		if isWhole(status) != want {
			t.Errorf("%s counts as installed: %v", status, !want)
		}
	}
	for line, want := range map[string]bool{"": true, "??5?????? c /etc/shoeboard/x": true, "missing     /usr/share/doc/shoeboard/copyright": true,
		"??5??????   /usr/bin/shoeboard": false, "missing     /usr/lib/systemd/system/shoeboard.service": false} {
		if err := checkVerified(line + "\n"); (err == nil) != want {
			t.Errorf("%q: %v", line, err)
		}
	}
}

// The power is cut at every step of an update, and again at every step of the next
// start: in the end there is one version, and it works.
func TestPowerCutsDuringAnUpdate(t *testing.T) {
	w := newWorkshop(t)
	one, two := w.deb("shoeboard 1 arm64"), w.deb("shoeboard 2 arm64")
	cuts := 0
	for _, sick := range []bool{false, true} {
		for first := 1; first < 9; first++ {
			for second := 1; second < 9; second++ {
				if err := os.RemoveAll(w.path("update")); err != nil {
					t.Fatal(err)
				}
				s := unit1()
				s.sick["2"] = sick
				u := w.updater(s)
				s.cutAt = first
				if cut(func() error { return u.Update(t.Context(), two, one) }) {
					cuts++
					s.calls, s.cutAt = 0, second
					if cut(func() error { return u.Resume(t.Context()) }) {
						cuts++
						s.cutAt = 0
						_ = u.Resume(t.Context())
					}
				}
				if s.sick[s.now.Version] || s.now.Name != "shoeboard" {
					t.Errorf("cut at %d and %d, sick %v: version %s is installed", first, second, sick, s.now.Version)
				}
				kept, err := s.info(u.file("current.deb"))
				if err != nil || kept != s.now {
					t.Errorf("cut at %d and %d, sick %v: %+v is kept, %+v installed, %v", first, second, sick, kept, s.now, err)
				}
				if u.begun() {
					t.Errorf("cut at %d and %d, sick %v: a step is left", first, second, sick)
				}
			}
		}
	}
	if cuts < 60 {
		t.Errorf("only %d cuts", cuts)
	}
}

// A signature serves for the one thing that it was made for: no other kind, version or
// architecture, and not without saying which.
func TestASignatureServesForOneThing(t *testing.T) {
	w := newWorkshop(t)
	two := w.deb("shoeboard 2 arm64")
	whole, err := os.ReadFile(two + ".sig")
	if err != nil {
		t.Fatal(err)
	}
	line, sig, _ := strings.Cut(string(whole), "\n")
	for what, bad := range map[string]string{
		"without a statement": sig, "of a slot": strings.Replace(string(whole), "package", "slot", 1),
		"of another version": strings.Replace(string(whole), " 2 arm64", " 3 arm64", 1), "for another machine": strings.Replace(string(whole), "arm64", "armhf", 1),
		"said twice": line + "\n" + string(whole), "with a line behind": string(whole) + "\n", "without its end": strings.TrimSpace(string(whole)),
		"with a comment": line + "\n# of the house\n" + sig, "an earlier form": "shoeboard update 1\n" + sig, "empty": "", "too long": line + strings.Repeat("x", 80) + "\n" + sig,
	} {
		if err := os.WriteFile(two+".sig", []byte(bad), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := w.updater(unit1()).Update(t.Context(), two, ""); err == nil {
			t.Errorf("a signature %s is accepted", what)
		}
	}
	for what, s := range map[string]statement{"as a slot": {aSlot, "2", "arm64"}, "as version 3": {aPackage, "3", "arm64"}, "for armhf": {aPackage, "2", "armhf"}} {
		if err := sign(two, w.path("key"), s); err != nil {
			t.Fatal(err)
		}
		if err := w.updater(unit1()).Update(t.Context(), two, ""); err == nil || !strings.Contains(err.Error(), "is signed as") {
			t.Errorf("signed %s: %v", what, err)
		}
	}
}
