package staff

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"shoeboard/cmd/internal/secret"
	"shoeboard/tracker"
)

// unit is a unit with a technician and a floor person.
func unit(t *testing.T) (data, keys string) {
	t.Helper()
	data, keys = t.TempDir(), filepath.Join(t.TempDir(), "keys")
	for _, p := range []struct {
		Person
		pin string
	}{{Person{"07", "Day", tracker.Technician}, "271828"}, {Person{"12", "Night", tracker.Floor}, "161803"}} {
		if err := Set(data, keys, p.Person, p.pin); err != nil {
			t.Fatal(err)
		}
	}
	return data, keys
}

// checker returns a Checker whose clock a test turns.
func checker(data, keys string) (d *Checker, now *time.Duration) {
	now = new(time.Duration)
	*now = time.Hour
	return NewChecker(data, keys, func() time.Duration { return *now }), now
}

func TestWhoeverHasThePIN(t *testing.T) {
	data, keys := unit(t)
	d, _ := checker(data, keys)
	if p, err := d.Check("12", "161803"); err != nil || p != (Person{"12", "Night", tracker.Floor}) {
		t.Errorf("%v, %v", p, err)
	}
	for _, c := range [][2]string{{"12", "271828"}, {"07", "161803"}, {"33", "161803"}, {"12", ""}, {"", ""}} {
		if p, err := d.Check(c[0], c[1]); !errors.Is(err, ErrWrong) || p != (Person{}) {
			t.Errorf("%v: %v, %v", c, p, err)
		}
	}
	if required, why := Required(data, keys); !required || why != nil {
		t.Errorf("%v, %v", required, why)
	}
}

// Waits grow from 30 s to 5 min, are that person's alone, outlive a restart, and end with
// the right PIN.
func TestWaits(t *testing.T) {
	data, keys := unit(t)
	d, now := checker(data, keys)
	for n, want := range []time.Duration{0, 0, 30 * time.Second, time.Minute, 2 * time.Minute, 4 * time.Minute, 5 * time.Minute, 5 * time.Minute} {
		if _, err := d.Check("07", "000001"); !errors.Is(err, ErrWrong) {
			t.Fatalf("try %d: %v", n+1, err)
		}
		var wait *WaitError
		if _, err := d.Check("07", "271828"); errors.As(err, &wait) != (want > 0) || want > 0 && wait.For != want {
			t.Fatalf("after %d tries: %v, want %v", n+1, err, want)
		}
		if want == 0 { // that was the right PIN, and the count began again
			for range n + 1 {
				_, _ = d.Check("07", "000001")
			}
		}
		*now += want
	}
	if _, err := d.Check("12", "161803"); err != nil {
		t.Errorf("another one waits: %v", err)
	}
	_, _ = d.Check("07", "000001")
	d, now = checker(data, keys)
	var wait *WaitError
	if _, err := d.Check("07", "271828"); !errors.As(err, &wait) || wait.For != 5*time.Minute {
		t.Fatalf("after a restart: %v", err)
	}
	*now += 5 * time.Minute
	if _, err := d.Check("07", "271828"); err != nil {
		t.Error(err)
	}
	if _, err := d.Check("07", "000001"); !errors.Is(err, ErrWrong) {
		t.Error(err)
	}
	if _, err := d.Check("07", "271828"); err != nil {
		t.Errorf("the count did not begin again: %v", err)
	}
}

// Where the count cannot be kept every wrong PIN costs a wait.
func TestACardThatCannotBeWrittenGivesNoMoreTries(t *testing.T) {
	data, keys := unit(t)
	if err := os.Chmod(data, 0o555); err != nil {
		t.Fatal(err)
	}
	if os.Geteuid() == 0 { // root writes everywhere
		becomeNobody(t, data, keys)
	}
	d, _ := checker(data, keys)
	if _, err := d.Check("07", "000001"); !errors.Is(err, ErrWrong) {
		t.Fatal(err)
	}
	var wait *WaitError
	if _, err := d.Check("07", "271828"); !errors.As(err, &wait) {
		t.Error(err)
	}
}

// becomeNobody lets this goroutine, alone on its thread, use files as a user who can read
// the staff and not write it, to the end of the test.
func becomeNobody(t *testing.T, data, keys string) {
	t.Helper()
	const nobody = 65534
	for _, path := range []string{Path(data), keys, filepath.Join(keys, secret.Unit)} {
		if err := os.Chown(path, nobody, nobody); err != nil {
			t.Fatal(err)
		}
	}
	for _, dir := range []string{filepath.Dir(data), filepath.Dir(keys)} {
		if err := os.Chmod(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	runtime.LockOSThread()
	if err := unix.Setfsuid(nobody); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = unix.Setfsuid(0)
		runtime.UnlockOSThread()
	})
}

func TestWhatIsRefused(t *testing.T) {
	data, keys := unit(t)
	before, err := os.ReadFile(Path(data))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		p    Person
		pin  string
		want string
	}{
		{Person{"7", "", tracker.Floor}, "271828", "expected two digits"},
		{Person{"a7", "", tracker.Floor}, "271828", "expected two digits"},
		{Person{"08", "", "boss"}, "271828", "expected dealer, floor"},
		{Person{"08", "x\ny", tracker.Floor}, "271828", "can be printed"},
		{Person{"08", strings.Repeat("x", 41), tracker.Floor}, "271828", "at most 40 bytes"},
		{Person{"08", "", tracker.Floor}, "", "expected a PIN of six digits"},
		{Person{"08", "", tracker.Floor}, "27182", "six digits"},
		{Person{"08", "", tracker.Floor}, "2718281", "six digits"},
		{Person{"08", "", tracker.Floor}, "777777", "guessed first"},
		{Person{"08", "", tracker.Floor}, "123456", "guessed first"},
		{Person{"08", "", tracker.Floor}, "654321", "guessed first"},
		{Person{"08", "", tracker.Floor}, "567890", "guessed first"},
	} {
		if err := Set(data, keys, c.p, c.pin); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v %q: %v", c.p, c.pin, err)
		}
	}
	if after, err := os.ReadFile(Path(data)); err != nil || !bytes.Equal(before, after) {
		t.Errorf("the list was changed: %v", err)
	}
}

func TestChanges(t *testing.T) {
	data, keys := unit(t)
	d, _ := checker(data, keys)
	if err := Set(data, keys, Person{"12", "", tracker.Manager}, ""); err != nil { // a name is erased, the PIN stays
		t.Fatal(err)
	}
	if p, err := d.Check("12", "161803"); err != nil || p != (Person{"12", "", tracker.Manager}) {
		t.Errorf("%v, %v", p, err)
	}
	if text, err := os.ReadFile(Path(data)); err != nil || bytes.Contains(text, []byte("Night")) {
		t.Errorf("the name is still there: %v", err)
	}
	if err := Remove(data, "12"); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Check("12", "161803"); !errors.Is(err, ErrWrong) {
		t.Error(err)
	}
	if err := Remove(data, "07"); err == nil || !strings.Contains(err.Error(), "staff clear") {
		t.Error(err)
	}
	if err := Clear(data, keys); err != nil {
		t.Fatal(err)
	}
	if required, why := Required(data, keys); required || why != nil {
		t.Errorf("%v, %v", required, why)
	}
}

// A list that somebody has taken away, emptied or changed lets nobody in.
func TestAListThatWasTamperedWith(t *testing.T) {
	for name, tamper := range map[string]func(l *list){
		"another role":     func(l *list) { l.People[1].Role = tracker.Manager },
		"another's PIN":    func(l *list) { l.People[1].Hash, l.People[1].Salt = l.People[0].Hash, l.People[0].Salt },
		"another number":   func(l *list) { l.People[1].Number = "13" },
		"nobody left":      func(l *list) { l.People = nil },
		"twice":            func(l *list) { l.People[1].Number = "07" },
		"a newer version":  func(l *list) { l.Version = 2 },
		"a hash cut short": func(l *list) { l.People[1].Hash = l.People[1].Hash[:10] },
	} {
		data, keys := unit(t)
		l, _, err := read(data)
		if err != nil {
			t.Fatal(err)
		}
		tamper(&l)
		text, err := json.Marshal(l)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(Path(data), text, 0o600); err != nil {
			t.Fatal(err)
		}
		if required, why := Required(data, keys); !required || why == nil {
			t.Errorf("%s: %v, %v", name, required, why)
		}
		d, _ := checker(data, keys)
		for _, number := range []string{"12", "13"} {
			if p, err := d.Check(number, "161803"); err == nil || p != (Person{}) {
				t.Errorf("%s: %v gets in", name, p)
			}
		}
	}
}

func TestWhatIsMissing(t *testing.T) {
	data, keys := unit(t)
	if err := os.Remove(filepath.Join(keys, secret.Unit)); err != nil {
		t.Fatal(err)
	}
	if required, why := Required(data, keys); !required || why == nil || !strings.Contains(why.Error(), "enter the PINs again") {
		t.Errorf("no key: %v, %v", required, why)
	}
	data, keys = unit(t)
	if err := os.Remove(Path(data)); err != nil {
		t.Fatal(err)
	}
	if required, why := Required(data, keys); !required || why == nil || !strings.Contains(why.Error(), "staff clear") {
		t.Errorf("no list: %v, %v", required, why)
	}
	if required, why := Required(t.TempDir(), t.TempDir()); required || why != nil {
		t.Errorf("a new unit: %v, %v", required, why)
	}
	if err := os.Mkdir(Path(data), 0o755); err != nil {
		t.Fatal(err)
	}
	if required, why := Required(data, keys); !required || why == nil {
		t.Errorf("a folder for a list: %v, %v", required, why)
	}
}

// The staff goes to another unit under the venue's key, PINs and all, and nowhere without.
func TestTheStaffMoves(t *testing.T) {
	data, keys := unit(t)
	venue, file := secret.New(), filepath.Join(t.TempDir(), "staff")
	if n, err := Export(data, keys, file, venue); n != 2 || err != nil {
		t.Fatal(n, err)
	}
	text, err := os.ReadFile(file)
	if err != nil || bytes.Contains(text, []byte("Day")) {
		t.Fatalf("%q, %v", text, err)
	}
	other, otherKeys := t.TempDir(), filepath.Join(t.TempDir(), "keys")
	if _, err := Import(other, otherKeys, file, secret.New()); !errors.Is(err, secret.ErrDamaged) {
		t.Error(err)
	}
	if required, _ := Required(other, otherKeys); required {
		t.Error("a refused file has changed the unit")
	}
	if n, err := Import(other, otherKeys, file, venue); n != 2 || err != nil {
		t.Fatal(n, err)
	}
	d, _ := checker(other, otherKeys)
	if p, err := d.Check("07", "271828"); err != nil || p.Name != "Day" {
		t.Errorf("%v, %v", p, err)
	}
	copied, err := os.ReadFile(Path(data)) // the list alone is of no use on another unit
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(Path(other), copied, 0o600); err != nil {
		t.Fatal(err)
	}
	if required, why := Required(other, otherKeys); !required || why == nil {
		t.Errorf("%v, %v", required, why)
	}
}

func TestRoles(t *testing.T) {
	for _, c := range []struct {
		role, needed tracker.Role
		has          bool
	}{
		{tracker.Manager, tracker.Floor, true}, {tracker.Manager, tracker.Technician, true}, {tracker.Floor, tracker.Technician, false}, {tracker.Technician, tracker.Floor, false},
		{tracker.Floor, tracker.Dealer, true}, {tracker.Dealer, tracker.Floor, false}, {"", tracker.Dealer, false}, {"boss", tracker.Floor, false},
	} {
		if c.role.Has(c.needed) != c.has {
			t.Errorf("%q has %q: %v", c.role, c.needed, !c.has)
		}
	}
}

func FuzzList(f *testing.F) {
	f.Add([]byte(`{"version":1,"people":[{"number":"07","role":"floor","salt":"AA==","hash":"AA==","wrong":9999}]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		var l list
		if l.parse(text) != nil {
			return
		}
		for _, e := range l.People {
			if e.check() != nil || e.Wrong < 0 || e.Wrong > mostWait {
				t.Errorf("%+v", e)
			}
			if _, err := e.open(secret.New()); err == nil {
				t.Error("it opens with any key")
			}
		}
	})
}

func BenchmarkCheck(b *testing.B) {
	for b.Loop() {
		hash("271828", make([]byte, saltSize))
	}
}
