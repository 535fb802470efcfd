package staff

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/google/renameio/v2"

	"shoeboard/cmd/internal/secret"
	"shoeboard/tracker/regular"
)

// carried begins a file that carries the staff to another unit.
const carried = "shoeboard-staff 1\n"

const carryPurpose = "staff list"

// Export writes the staff to a file that only units with the venue's key can read.
func Export(data, keys, file string, venue secret.Key) (n int, err error) {
	l, _, err := read(data)
	if err != nil {
		return 0, err
	}
	unit, err := secret.Read(filepath.Join(keys, secret.Unit))
	if err != nil {
		return 0, fmt.Errorf("the unit's key: %w", err)
	}
	for i := range l.People {
		e := &l.People[i]
		if e.Hash, err = e.open(unit); err != nil {
			return 0, fmt.Errorf("the PIN of %s: %w", e.Number, err)
		}
	}
	text, err := json.Marshal(l)
	if err != nil {
		return 0, err
	}
	sealed := venue.Seal(carryPurpose, text, nil)
	return len(l.People), renameio.WriteFile(file, append([]byte(carried), sealed...), 0o600)
}

// Import puts the staff of a file in the place of the unit's, all of it or nothing.
func Import(data, keys, file string, venue secret.Key) (n int, err error) {
	text, err := regular.ReadLinked(file, 2*mostList)
	if err != nil {
		return 0, err
	}
	l, err := open(text, venue)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", file, err)
	}
	unit, err := secret.ReadOrMake(filepath.Join(keys, secret.Unit))
	if err != nil {
		return 0, fmt.Errorf("the unit's key: %w", err)
	}
	for i := range l.People {
		l.People[i].seal(unit, l.People[i].Hash)
	}
	return len(l.People), l.write(data)
}

// open reads what Export wrote.
func open(text []byte, venue secret.Key) (l list, err error) {
	if len(text) < len(carried) || string(text[:len(carried)]) != carried {
		return l, errors.New("expected a file that \"shoeboard staff export\" wrote")
	}
	plain, err := venue.Open(carryPurpose, text[len(carried):], nil)
	if err != nil {
		return l, err
	}
	if err := l.parse(plain); err != nil {
		return list{}, err
	}
	for _, e := range l.People {
		if len(e.Hash) != hashSize || len(e.Salt) != saltSize {
			return list{}, fmt.Errorf("the PIN of %s is not whole", e.Number)
		}
	}
	return l, nil
}
