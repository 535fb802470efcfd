package ask

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/google/renameio/v2"

	"shoeboard/hw/clock"
)

// Folder is the spool of a unit; systemd-tmpfiles makes it.
const Folder = "/run/shoeboard-ask"

// ErrNoAnswer says that nothing answered in time; nothing will be done later either.
var ErrNoAnswer = errors.New("nothing answered: is shoeboard-asked.path running?")

// ErrRefused is the helper's no; the error that wraps it has the reason in words.
var ErrRefused = errors.New("refused")

const (
	askSuffix = ".ask"
	look      = 50 * time.Millisecond // between two looks for the answer
)

// Spool is the folder through which is asked. The helper's half is Serve.
type Spool string

func (s Spool) asks() string               { return filepath.Join(string(s), "ask") }
func (s Spool) answers() string            { return filepath.Join(string(s), "answer") }
func (s Spool) answer(name string) string  { return filepath.Join(s.answers(), name) }
func (s Spool) ask(name string) string     { return filepath.Join(s.asks(), name+askSuffix) }
func (s Spool) temporary() renameio.Option { return renameio.WithTempDir(s.asks()) }

// Ask asks and waits for the answer, at most until ctx or Fresh ends. It gives the
// answer's lines, made for a page. Errors: of the request, ErrRefused with the reason,
// ErrNoAnswer, or what the file system said.
func (s Spool) Ask(ctx context.Context, r Request) ([]string, error) {
	ctx, cancel := context.WithTimeout(ctx, Fresh)
	defer cancel()
	line, err := r.line(clock.Boot())
	if err != nil {
		return nil, err
	}
	name := newName()
	if err := renameio.WriteFile(s.ask(name), []byte(line), 0o640, s.temporary()); err != nil {
		return nil, fmt.Errorf("%w (%w)", ErrNoAnswer, err)
	}
	defer os.Remove(s.ask(name)) // given up: the helper has removed it otherwise
	return s.wait(ctx, name)
}

// newName is a name that nobody has used; its digits are in no order.
func newName() string {
	var b [8]byte
	_, _ = rand.Read(b[:]) // never fails: crypto/rand
	return hex.EncodeToString(b[:])
}

func (s Spool) wait(ctx context.Context, name string) ([]string, error) {
	tick := time.NewTicker(look)
	defer tick.Stop()
	for {
		text, err := os.ReadFile(s.answer(name))
		if err == nil {
			return answerOf(string(text))
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		select {
		case <-ctx.Done():
			return nil, ErrNoAnswer
		case <-tick.C:
		}
	}
}

// An answer's first line is one of these two; its other lines are for the page.
const (
	yes = "yes"
	no  = "no"
)

func answerOf(text string) ([]string, error) {
	verdict, rest, _ := strings.Cut(text, "\n")
	lines := strings.Split(strings.TrimSuffix(rest, "\n"), "\n")
	switch verdict {
	case yes:
		return lines, nil
	case no:
		return nil, fmt.Errorf("%w: %s", ErrRefused, strings.Join(lines, " "))
	}
	return nil, fmt.Errorf("the answer begins with %q", verdict)
}
