package staff

import (
	"crypto/rand"
	"crypto/subtle"
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"time"

	"golang.org/x/crypto/argon2"

	"shoeboard/cmd/internal/secret"
)

// The cost of a hash: 19 MiB and two passes, as OWASP's password storage sheet has it for
// argon2id.
const (
	passes   = 2
	memory   = 19 << 10 // KiB
	hashSize = 32
	saltSize = 16
)

const purpose = "staff"

func hash(pin string, salt []byte) []byte {
	return argon2.IDKey([]byte(pin), salt, passes, memory, 1, hashSize)
}

func newSalt() []byte {
	salt := make([]byte, saltSize)
	_, _ = rand.Read(salt) // it never fails
	return salt
}

func (e *entry) seal(k secret.Key, plain []byte) { e.Hash = k.Seal(purpose, plain, e.bound()) }

func (e entry) open(k secret.Key) ([]byte, error) { return k.Open(purpose, e.Hash, e.bound()) }

// ErrWrong says that no such person has that PIN.
var ErrWrong = errors.New("number and PIN are not right")

// WaitError says how long somebody must wait before he may try again.
type WaitError struct{ For time.Duration }

// Error says so in seconds.
func (e *WaitError) Error() string {
	return fmt.Sprintf("too many wrong PINs: wait %d s", (e.For+time.Second-1)/time.Second)
}

// waitAfter returns how long somebody waits after so many wrong PINs in a row.
func waitAfter(wrong int) time.Duration {
	if wrong < 3 {
		return 0
	}
	return min(30*time.Second<<min(wrong-3, 4), 5*time.Minute)
}

// Checker checks PINs, one at a time. It may be called from any goroutine, but the table's: a
// check takes a good part of a second.
type Checker struct {
	data, keys string
	now        func() time.Duration // the boot clock, in s since any moment

	mu    sync.Mutex
	until map[string]time.Duration // until when a number waits
	fresh bool                     // the waits of before the restart have begun again
}

// NewChecker returns a checker for the staff of a data folder.
func NewChecker(data, keys string, now func() time.Duration) *Checker {
	return &Checker{data: data, keys: keys, now: now, until: map[string]time.Duration{}}
}

// Check returns who has a number and a PIN. Errors: ErrWrong, a *WaitError, or why the list
// cannot be used.
func (d *Checker) Check(number, pin string) (Person, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	l, _, err := read(d.data)
	if err != nil {
		return Person{}, err
	}
	k, err := secret.Read(filepath.Join(d.keys, secret.Unit))
	if err != nil {
		return Person{}, fmt.Errorf("the unit's key: %w", err)
	}
	d.restart(l)
	if wait := d.until[number] - d.now(); wait > 0 {
		return Person{}, &WaitError{wait}
	}
	i := l.find(number)
	if i < 0 {
		hash(pin, make([]byte, saltSize)) // so that nobody learns which numbers there are
		d.until[number] = d.now() + waitAfter(3)
		return Person{}, ErrWrong
	}
	return d.compare(l, i, k, pin)
}

// restart begins the waits again that a restart has cut off.
func (d *Checker) restart(l list) {
	if d.fresh {
		return
	}
	d.fresh = true
	for _, e := range l.People {
		d.until[e.Number] = d.now() + waitAfter(e.Wrong)
	}
}

// compare counts a try before it tells what came of it, so that cutting the power gives
// nobody another one.
func (d *Checker) compare(l list, i int, k secret.Key, pin string) (Person, error) {
	e := &l.People[i]
	plain, err := e.open(k)
	if err != nil {
		return Person{}, fmt.Errorf("the PIN of %s: %w", e.Number, err)
	}
	e.Wrong = min(e.Wrong+1, mostWait)
	counted := l.write(d.data)
	right := subtle.ConstantTimeCompare(hash(pin, e.Salt), plain) == 1
	switch {
	case !right && counted != nil: // a full or read-only card gives nobody more tries
		d.until[e.Number] = d.now() + waitAfter(max(e.Wrong, 3))
		return Person{}, ErrWrong
	case !right:
		d.until[e.Number] = d.now() + waitAfter(e.Wrong)
		return Person{}, ErrWrong
	}
	if e.Wrong = 0; counted == nil {
		_ = l.write(d.data) // else somebody waits who need not
	}
	delete(d.until, e.Number)
	return e.Person, nil
}
