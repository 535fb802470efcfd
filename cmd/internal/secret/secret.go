// Package secret keeps the two secret keys of a unit, outside its data folder and outside
// every backup: the unit's own, and the venue's, which all units of a house share.
//
// A caller may assume that what one key has sealed or signed for a purpose opens or holds
// for no other key and no other purpose, and that a key file which is missing, damaged or
// readable by others is an error that says what to do. It may not assume that a key stays
// secret from root, or from somebody who has the unit's card in a reader.
package secret

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/google/renameio/v2"

	"shoeboard/cmd/internal/datadir"
	"shoeboard/tracker/regular"
)

// Folder is where the keys of a unit are, below its root; the core's user owns it.
const Folder = "var/lib/shoeboard-keys"

// The keys of a unit, by the names of their files.
const (
	Unit  = "unit.key"  // made by the unit itself
	Venue = "venue.key" // made once for the house, and installed on each unit
)

const (
	size    = 32
	heading = "shoeboard-key 1 "
	most    = 200 // bytes of a key file
)

// ErrDamaged says that what was sealed is damaged, or was sealed with another key or for
// something else.
var ErrDamaged = errors.New("it is damaged, or was made with another key")

// Key is a secret key; the zero Key is none.
type Key struct{ bytes string }

// New returns a random key.
func New() Key {
	b := make([]byte, size)
	_, _ = rand.Read(b) // it never fails
	return Key{string(b)}
}

// Read reads a key file. Errors: fs.ErrNotExist, or what is wrong with the file.
func Read(path string) (Key, error) {
	text, err := regular.Read(path, most)
	if err != nil {
		return Key{}, err
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm()&0o077 != 0 {
		return Key{}, errors.Join(err, fmt.Errorf("%s can be read by others: sudo chmod 600 %[1]s", path))
	}
	coded, ok := strings.CutPrefix(strings.TrimSpace(string(text)), heading)
	b, err := base64.StdEncoding.DecodeString(coded)
	if !ok || err != nil || len(b) != size {
		return Key{}, fmt.Errorf("%s: expected a key file, as \"shoeboard venue keygen\" writes it", path)
	}
	return Key{string(b)}, nil
}

// ReadOrMake reads a key file, and makes one where there is none.
func ReadOrMake(path string) (Key, error) {
	k, err := Read(path)
	if errors.Is(err, fs.ErrNotExist) {
		k = New()
		err = k.Write(path)
	}
	return k, err
}

// Write writes a key file that only the owner of its folder can read, whole or not at all.
func (k Key) Write(path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	text := heading + base64.StdEncoding.EncodeToString([]byte(k.bytes)) + "\n"
	if err := renameio.WriteFile(path, []byte(text), 0o600); err != nil {
		return err
	}
	return datadir.GiveTo(path, filepath.Dir(path))
}

// IsZero reports whether there is no key.
func (k Key) IsZero() bool { return k.bytes == "" }

// derive returns the key for one purpose.
func (k Key) derive(purpose string) []byte {
	if k.IsZero() {
		panic("secret: no key")
	}
	b, err := hkdf.Key(sha256.New, []byte(k.bytes), nil, "shoeboard "+purpose, size)
	if err != nil {
		panic(err) // only for a length that no key has
	}
	return b
}

func (k Key) cipher(purpose string) cipher.AEAD {
	block, err := aes.NewCipher(k.derive(purpose))
	if err == nil {
		var aead cipher.AEAD
		if aead, err = cipher.NewGCMWithRandomNonce(block); err == nil {
			return aead
		}
	}
	panic(err) // only for a length that no key has
}

// Seal encrypts a text for a purpose, bound to a context: it opens with the same three only.
func (k Key) Seal(purpose string, text, context []byte) []byte {
	return k.cipher(purpose).Seal(nil, nil, text, context)
}

// Open decrypts what Seal made. Errors: ErrDamaged.
func (k Key) Open(purpose string, sealed, context []byte) ([]byte, error) {
	text, err := k.cipher(purpose).Open(nil, nil, sealed, context)
	if err != nil {
		return nil, ErrDamaged
	}
	return text, nil
}

// Sign returns the signature of a text for a purpose, in letters and digits.
func (k Key) Sign(purpose string, text []byte) string {
	mac := hmac.New(sha256.New, k.derive(purpose))
	mac.Write(text)
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

// Signed reports whether a signature is that of a text for a purpose.
func (k Key) Signed(purpose string, text []byte, signature string) bool {
	return hmac.Equal([]byte(k.Sign(purpose, text)), []byte(signature))
}
