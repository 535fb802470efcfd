package main

import (
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/google/renameio/v2"

	"shoeboard/tracker"
	"shoeboard/tracker/localapi"
)

//go:embed update.pub
var updateKeyText string

// updateVerb replaces the program by a signed package, or puts the old one back.
type updateVerb struct {
	Install updateInstall `cmd:"" default:"withargs" help:"Installs a signed package; the one before comes back if the new one does not start."`
	Resume  updateResume  `cmd:"" help:"Finishes or takes back an update that was interrupted; done at every boot."`
	Sign    updateSign    `cmd:"" help:"Signs a package, for those who make them."`
	Keygen  updateKeygen  `cmd:"" help:"Makes a pair of keys to sign packages with."`
}

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
		return fmt.Errorf("%s is not signed by those who make this program, or was changed since", filepath.Base(file))
	}
	return nil
}

type updateKeygen struct {
	Out string `arg:"" help:"File for the private key; FILE.pub gets the public one." type:"path"`
}

// Run makes a pair of keys.
func (v *updateKeygen) Run(p *program) error {
	pub, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(v.Out, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(f, hex.EncodeToString(private.Seed()))
	if err := errors.Join(err, f.Close()); err != nil {
		return err
	}
	return renameio.WriteFile(v.Out+".pub", []byte(hex.EncodeToString(pub)+"\n"), 0o644)
}

type updateSign struct {
	File string `arg:"" help:"The package." type:"existingfile"`
	Key  string `help:"File with the private key." type:"existingfile" required:""`
}

// Run writes FILE.sig.
func (v *updateSign) Run(p *program) error {
	text, err := os.ReadFile(v.Key)
	if err != nil {
		return err
	}
	seed, err := parseHex(string(text), ed25519.SeedSize)
	if err != nil {
		return fmt.Errorf("%s: %w", v.Key, err)
	}
	sum, err := sumOf(v.File)
	if err != nil {
		return err
	}
	sig := ed25519.Sign(ed25519.NewKeyFromSeed(seed), signed(sum))
	return renameio.WriteFile(v.File+".sig", []byte(hex.EncodeToString(sig)+"\n"), 0o644)
}

type updateInstall struct {
	File     string `arg:"" help:"The package, with its signature beside it in FILE.sig." type:"existingfile"`
	Previous string `help:"The package that is installed now, with its signature, where none was kept: the way back." type:"existingfile" placeholder:"FILE"`
}

// Run installs a package that is signed, for this machine and newer, while no shoe is
// in play.
func (v *updateInstall) Run(ctx context.Context, p *program, all *verbs) error {
	u, err := p.updater(all.Config)
	if err != nil {
		return err
	}
	return u.update(ctx, v.File, v.Previous)
}

type updateResume struct{}

// Run finishes what was interrupted.
func (*updateResume) Run(ctx context.Context, p *program, all *verbs) error {
	u, err := p.updater(all.Config)
	if err != nil {
		return err
	}
	return u.resume(ctx)
}

// updater is the updater of this unit.
func (p *program) updater(config string) (*updater, error) {
	key, err := parseHex(updateKeyText, ed25519.PublicKeySize)
	if err != nil {
		return nil, fmt.Errorf("this program has no key to check updates with: install with apt, or build it with a key in update.pub (%w)", err)
	}
	client, err := p.client("", config)
	if err != nil {
		return nil, err
	}
	say := func(format string, a ...any) { fmt.Fprintf(p.out, format+"\n", a...) }
	return &updater{dir: filepath.Join(p.root, updateDir), key: key, system: debian{client: client}, say: say}, nil
}

// betweenShoes says that the core, if there is one, is not in a shoe.
func betweenShoes(ctx context.Context, client localapi.Client) error {
	ctx, cancel := context.WithTimeout(ctx, soon)
	defer cancel()
	b, err := client.Board(ctx)
	switch {
	case errors.Is(err, localapi.ErrNoCore):
		return nil
	case err != nil:
		return err
	case b.Phase == tracker.TableClosed.String(), b.Phase == tracker.Shuffling.String(), b.ShoeOver:
		return nil
	}
	return fmt.Errorf("a shoe is in play at table %s (hand %d): wait until it is over, or close the table", b.Table, b.Shoe.Hands)
}
