package update

import (
	"crypto/ed25519"
	"crypto/rand"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/google/renameio/v2"
)

// signed is what a signature of a package says.
func signed(sum [sha256.Size]byte) []byte {
	return []byte("shoeboard update 1 " + hex.EncodeToString(sum[:]))
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

func sumOf(path string) (sum [sha256.Size]byte, err error) {
	f, err := os.Open(path)
	if err != nil {
		return sum, err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return sum, err
	}
	return [sha256.Size]byte(h.Sum(nil)), nil
}

// checkSignature says whether file is signed with the key; the signature is in
// file.sig beside it.
func checkSignature(file, sigFile string, key ed25519.PublicKey) error {
	text, err := os.ReadFile(sigFile)
	if err != nil {
		return fmt.Errorf("the signature: %w", err)
	}
	sig, err := parseHex(string(text), ed25519.SignatureSize)
	if err != nil {
		return fmt.Errorf("%s: %w", sigFile, err)
	}
	sum, err := sumOf(file)
	if err != nil {
		return err
	}
	if !ed25519.Verify(key, signed(sum), sig) {
		return errors.New("the package is not signed by those who make this program, or was changed since")
	}
	return nil
}

// publicKey reads the public key that updates are checked with.
func publicKey(text string) (ed25519.PublicKey, error) { return parseHex(text, ed25519.PublicKeySize) }

// MakeKeys makes a pair of keys: the private one in file, which must not be there,
// the public one in file.pub.
func MakeKeys(file string) error {
	pub, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s exists, and a key is not written over: units take only what is signed with it", file)
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
	if private, public := strings.CutSuffix(keyFile, ".pub"); public { // it is as long, and signs what nobody takes
		return fmt.Errorf("%s is the public key: expected the private one, %s", keyFile, private)
	}
	text, err := os.ReadFile(keyFile)
	if err != nil {
		return err
	}
	seed, err := parseHex(string(text), ed25519.SeedSize)
	if err != nil {
		return fmt.Errorf("%s: %w", keyFile, err)
	}
	sum, err := sumOf(file)
	if err != nil {
		return err
	}
	sig := ed25519.Sign(ed25519.NewKeyFromSeed(seed), signed(sum))
	return renameio.WriteFile(file+".sig", []byte(hex.EncodeToString(sig)+"\n"), 0o644)
}
