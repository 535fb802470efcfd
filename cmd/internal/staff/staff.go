// Package staff keeps the staff of a unit, checks their PINs, and says what needs whom.
//
// A member of the staff has a number of two digits, a role and a PIN of six digits. The
// record has numbers only; names are here, and can be erased.
//
// # What a caller may assume
//
// A PIN is kept as an argon2id hash that is sealed with the unit's key, which is in no
// backup and on no stick: the list alone tells nobody a PIN, and an entry cannot be given
// another number or role without the key. A wrong PIN is counted on disk before the answer
// comes; from the third on that person waits, 30 s first and 5 min at most, and after a
// restart the wait begins again. Nobody else waits for him.
//
// A unit without staff asks nobody. A list that was there and is missing, damaged or of
// another key lets nobody in: that is a fault, and the unit never counts as one without staff.
package staff

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"github.com/google/renameio/v2"

	"shoeboard/cmd/internal/datadir"
	"shoeboard/cmd/internal/secret"
	"shoeboard/tracker"
	"shoeboard/tracker/regular"
)

var roles = []tracker.Role{tracker.Dealer, tracker.Floor, tracker.Technician, tracker.Manager}

// Person is a member of the staff.
type Person struct {
	Number string       `json:"number"` // two digits
	Name   string       `json:"name,omitempty"`
	Role   tracker.Role `json:"role"`
}

// entry is a person on the list.
type entry struct {
	Person
	Salt  []byte `json:"salt"`
	Hash  []byte `json:"hash"`            // sealed with the unit's key
	Wrong int    `json:"wrong,omitempty"` // PINs in a row
}

// bound returns what the hash of an entry is bound to.
func (e entry) bound() []byte { return []byte(e.Number + " " + string(e.Role)) }

// check returns what is wrong with a person.
func (p Person) check() error {
	switch {
	case !isDigits(p.Number, 2):
		return fmt.Errorf("staff number %q: expected two digits", p.Number)
	case !slices.Contains(roles, p.Role):
		return fmt.Errorf("role %q: expected dealer, floor, technician or manager", p.Role)
	case len(p.Name) > 40 || strings.ContainsFunc(p.Name, func(r rune) bool { return !unicode.IsPrint(r) }):
		return fmt.Errorf("name %.40q: expected at most 40 bytes that can be printed", p.Name)
	}
	return nil
}

func isDigits(text string, n int) bool {
	return len(text) == n && strings.Trim(text, "0123456789") == ""
}

// checkPIN returns what is wrong with a PIN that somebody wants to have.
func checkPIN(pin string) error {
	switch {
	case !isDigits(pin, 6):
		return errors.New("expected a PIN of six digits")
	case strings.Count(pin, pin[:1]) == 6, strings.Contains("01234567890", pin), strings.Contains("09876543210", pin):
		return errors.New("that PIN is guessed first: expected six digits that are not all the same or in order")
	}
	return nil
}

const (
	version  = 1
	mostList = 256 << 10 // bytes
	mostWait = 64        // wrong PINs that are counted
)

// list is the file of the staff.
type list struct {
	Version int     `json:"version"`
	People  []entry `json:"people"`
}

// Path returns the file of the staff in a data folder.
func Path(data string) string { return filepath.Join(data, "staff.json") }

// read reads the list; none: there is no file.
func read(data string) (l list, none bool, err error) {
	path := Path(data)
	text, err := regular.Read(path, mostList)
	if errors.Is(err, fs.ErrNotExist) {
		return list{Version: version}, true, nil
	}
	if err != nil {
		return l, false, err
	}
	if err := l.parse(text); err != nil {
		return list{}, false, fmt.Errorf("%s: %w", path, err)
	}
	return l, false, nil
}

// parse reads a list and checks it.
func (l *list) parse(text []byte) error {
	if err := json.Unmarshal(text, l); err != nil {
		return err
	}
	if l.Version != version {
		return fmt.Errorf("version %d: this program reads version %d", l.Version, version)
	}
	seen := map[string]bool{}
	for i, e := range l.People {
		if err := e.check(); err != nil {
			return err
		}
		if seen[e.Number] {
			return fmt.Errorf("staff number %s is there twice", e.Number)
		}
		seen[e.Number] = true
		l.People[i].Wrong = min(max(e.Wrong, 0), mostWait)
	}
	return nil
}

// write keeps the list, whole or not at all.
func (l list) write(data string) error {
	slices.SortFunc(l.People, func(a, b entry) int { return cmp.Compare(a.Number, b.Number) })
	text, err := json.MarshalIndent(l, "", "  ")
	if err == nil {
		err = renameio.WriteFile(Path(data), append(text, '\n'), 0o600)
	}
	if err != nil {
		return fmt.Errorf("the staff list cannot be kept: %w", err)
	}
	return datadir.GiveTo(Path(data), data)
}

func (l list) find(number string) int {
	return slices.IndexFunc(l.People, func(e entry) bool { return e.Number == number })
}

// Set enters somebody, or changes him; with no pin his PIN stays. The first entry makes the
// unit's key.
func Set(data, keys string, p Person, pin string) error {
	if err := p.check(); err != nil {
		return err
	}
	l, _, err := read(data)
	if err != nil {
		return err
	}
	k, err := secret.ReadOrMake(filepath.Join(keys, secret.Unit))
	if err != nil {
		return fmt.Errorf("the unit's key: %w", err)
	}
	e, i := entry{Person: p}, l.find(p.Number)
	if pin != "" {
		err = e.setPIN(k, pin)
	} else {
		err = e.keepPIN(k, l, i)
	}
	if err != nil {
		return err
	}
	if i < 0 {
		l.People = append(l.People, e)
	} else {
		l.People[i] = e
	}
	return l.write(data)
}

// setPIN gives an entry a PIN.
func (e *entry) setPIN(k secret.Key, pin string) error {
	if err := checkPIN(pin); err != nil {
		return err
	}
	e.Salt = newSalt()
	e.seal(k, hash(pin, e.Salt))
	return nil
}

// keepPIN takes the PIN of entry i of a list, whose role may have been another.
func (e *entry) keepPIN(k secret.Key, l list, i int) error {
	if i < 0 {
		return errors.New("expected a PIN of six digits")
	}
	old := l.People[i]
	plain, err := old.open(k)
	if err != nil {
		return fmt.Errorf("the PIN of %s: %w: enter a new one", e.Number, err)
	}
	e.Salt, e.Wrong = old.Salt, old.Wrong
	e.seal(k, plain)
	return nil
}

// Remove removes somebody at once.
func Remove(data, number string) error {
	l, _, err := read(data)
	if err != nil {
		return err
	}
	i := l.find(number)
	if i < 0 {
		return fmt.Errorf("staff number %q is not there", number)
	}
	if len(l.People) == 1 {
		return errors.New("nobody would be left: enter another one first, or: sudo shoeboard staff clear")
	}
	l.People = slices.Delete(l.People, i, i+1)
	return l.write(data)
}

// Clear removes everybody and the list itself, and the unit's key: the unit asks nobody.
func Clear(data, keys string) error {
	var failed error
	for _, path := range []string{filepath.Join(keys, secret.Unit), Path(data)} {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			failed = errors.Join(failed, err)
		}
	}
	return failed
}

// People returns the staff.
func People(data string) ([]Person, error) {
	l, _, err := read(data)
	people := make([]Person, 0, len(l.People))
	for _, e := range l.People {
		people = append(people, e.Person)
	}
	return people, err
}

// Required reports whether the unit asks for a PIN: it has staff, or had and cannot read the
// list or the key. why says what is wrong then.
func Required(data, keys string) (required bool, why error) {
	l, none, err := read(data)
	k, keyErr := secret.Read(filepath.Join(keys, secret.Unit))
	switch {
	case none && errors.Is(keyErr, fs.ErrNotExist):
		return false, nil
	case err != nil:
		return true, err
	case len(l.People) == 0:
		return true, fmt.Errorf("%s is missing or empty: enter the staff again, or: sudo shoeboard staff clear",
			Path(data))
	case keyErr != nil:
		return true, fmt.Errorf("the PINs cannot be checked: the unit's key: %w: enter the PINs again", keyErr)
	}
	for _, e := range l.People {
		if _, err := e.open(k); err != nil {
			return true, fmt.Errorf("the PIN of %s: %w: enter it again", e.Number, err)
		}
	}
	return true, nil
}
