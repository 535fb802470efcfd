package update

import (
	"crypto/ed25519"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/google/renameio/v2"

	"shoeboard/tracker/regular"
)

// messageOf returns what the signature of a package signs.
func messageOf(file string) ([]byte, error) {
	f, err := regular.OpenLinked(file, regular.AnySize)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return nil, err
	}
	return fmt.Appendf(nil, "shoeboard update 1 %x", h.Sum(nil)), nil
}

// parseHex reads so many bytes from a text of comments and one line.
func parseHex(text string, size int) ([]byte, error) {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		b, err := hex.DecodeString(line)
		if err != nil || len(b) != size {
			return nil, fmt.Errorf("expected %d hexadecimal digits", 2*size)
		}
		return b, nil
	}
	return nil, errors.New("there is none")
}

// readHex reads so many bytes from a file as parseHex does.
func readHex(file string, size int) ([]byte, error) {
	text, err := regular.ReadLinked(file, regular.Most)
	if err != nil {
		return nil, err
	}
	b, err := parseHex(string(text), size)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return b, nil
}

// checkSignature expects a file to be signed with the key.
func checkSignature(file, sigFile string, key ed25519.PublicKey) error {
	sig, err := readHex(sigFile, ed25519.SignatureSize)
	if err != nil {
		return fmt.Errorf("the signature: %w", err)
	}
	message, err := messageOf(file)
	if err != nil {
		return err
	}
	if !ed25519.Verify(key, message, sig) {
		return errors.New("the package is not signed by those who make this program, or was changed since")
	}
	return nil
}

// MakeKeys makes a pair of keys: the private one in file, which must not exist, the
// public one in file.pub.
func MakeKeys(file string) error {
	pub, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s exists, and a key is not overwritten: units accept only what is signed with it", file)
	}
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(f, hex.EncodeToString(private.Seed()))
	if err := errors.Join(err, f.Close()); err != nil {
		return err
	}
	return renameio.WriteFile(file+".pub", []byte(hex.EncodeToString(pub)+"\n"), 0o644)
}

// Sign writes the signature of a package beside it, into file.sig.
func Sign(file, keyFile string) error {
	if private, public := strings.CutSuffix(keyFile, ".pub"); public { // as long: no unit would accept its signature
		return fmt.Errorf("%s is the public key: expected the private one, %s", keyFile, private)
	}
	seed, err := readHex(keyFile, ed25519.SeedSize)
	if err != nil {
		return err
	}
	message, err := messageOf(file)
	if err != nil {
		return err
	}
	sig := ed25519.Sign(ed25519.NewKeyFromSeed(seed), message)
	return renameio.WriteFile(file+".sig", []byte(hex.EncodeToString(sig)+"\n"), 0o644)
}
