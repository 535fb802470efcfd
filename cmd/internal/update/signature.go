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
	"regexp"
	"strings"

	"github.com/google/renameio/v2"

	"shoeboard/tracker/regular"
)

// statement is what a signature says of a file beside its hash, so that what was signed as
// one thing is accepted as nothing else.
type statement struct{ Kind, Version, Arch string }

// The kinds of what is signed.
const (
	aPackage = "package"
	aSlot    = "slot"
)

func (s statement) String() string {
	return fmt.Sprintf("shoeboard update 2 %s %s %s", s.Kind, s.Version, s.Arch)
}

// statementLine matches a statement; an earlier form had none.
var statementLine = regexp.MustCompile(`^shoeboard update 2 (package|slot) ([0-9A-Za-z.+~:-]{1,64}) ([a-z0-9]{1,16})$`)

func parseStatement(text string) (statement, error) {
	line, _, _ := strings.Cut(text, "\n")
	part := statementLine.FindStringSubmatch(line)
	if part == nil {
		return statement{}, errors.New("it does not say what it is for, as those before version 2: sign it again")
	}
	return statement{part[1], part[2], part[3]}, nil
}

// describe returns the statement of a file that is to be signed, a package of Debian or the
// FILE.slot of an image.
func describe(file string) (statement, error) {
	if strings.HasSuffix(file, ".slot") {
		text, err := output("tar", "--zstd", "-xOf", file, "version")
		version, arch, ok := strings.Cut(text, " ")
		if err == nil && !ok {
			err = fmt.Errorf("%s: its member \"version\" says %.80q", file, text)
		}
		return statement{aSlot, version, arch}, err
	}
	info, err := infoOf("dpkg-deb", file)
	if err == nil && info.Name != program {
		err = fmt.Errorf("%s is a package of %s", file, info.Name)
	}
	return info.statement(), err
}

func (p packageInfo) statement() statement { return statement{aPackage, p.Version, p.Arch} }

// messageOf returns what the signature of a file signs.
func messageOf(file string, s statement) ([]byte, error) {
	f, err := regular.OpenLinked(file, regular.AnySize)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return nil, err
	}
	return fmt.Appendf(nil, "%v %x", s, h.Sum(nil)), nil
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

// checkSignature expects a file to be signed with the key, and returns as what.
func checkSignature(file, sigFile string, key ed25519.PublicKey) (statement, error) {
	text, err := regular.ReadLinked(sigFile, regular.Most)
	if err != nil {
		return statement{}, fmt.Errorf("the signature: %w", err)
	}
	s, err := parseStatement(string(text))
	if err != nil {
		return s, fmt.Errorf("the signature: %w", err)
	}
	_, rest, _ := strings.Cut(string(text), "\n")
	sig, err := parseHex(rest, ed25519.SignatureSize)
	if err != nil {
		return s, fmt.Errorf("the signature: %w", err)
	}
	if string(text) != signatureText(s, sig) { // one signature has one form
		return s, errors.New("the signature is not as it was written: copy it again, or have it signed again")
	}
	message, err := messageOf(file, s)
	if err != nil {
		return s, err
	}
	if !ed25519.Verify(key, message, sig) {
		return s, errors.New("the package is not signed by those who make this program, or was changed since")
	}
	return s, nil
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

// Sign writes the signature of a package or slot beside it, into file.sig.
func Sign(file, keyFile string) error {
	if private, public := strings.CutSuffix(keyFile, ".pub"); public { // as long: no unit would accept its signature
		return fmt.Errorf("%s is the public key: expected the private one, %s", keyFile, private)
	}
	s, err := describe(file)
	if err != nil {
		return err
	}
	return sign(file, keyFile, s)
}

func sign(file, keyFile string, s statement) error {
	if _, err := parseStatement(s.String()); err != nil {
		return fmt.Errorf("%s is version %q for %q: that cannot be signed", file, s.Version, s.Arch)
	}
	seed, err := readHex(keyFile, ed25519.SeedSize)
	if err != nil {
		return err
	}
	message, err := messageOf(file, s)
	if err != nil {
		return err
	}
	sig := ed25519.Sign(ed25519.NewKeyFromSeed(seed), message)
	return renameio.WriteFile(file+".sig", []byte(signatureText(s, sig)), 0o644)
}

// signatureText returns what a file.sig holds.
func signatureText(s statement, sig []byte) string { return fmt.Sprintf("%v\n%x\n", s, sig) }
