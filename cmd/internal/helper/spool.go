package helper

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

	"shoeboard/hw/linux"
)

// Folder is the spool of a unit; systemd-tmpfiles makes it.
const Folder = "/run/shoeboard-ask"

// ErrNoAnswer says that nothing answered in time; nothing will be done later either.
var ErrNoAnswer = errors.New("nothing answered: is shoeboard-asked.path running?")

// ErrUnanswered says that the helper took the ask and has not answered: what it does may
// still come to an end.
var ErrUnanswered = errors.New("it was begun, and has not ended yet: look again in a minute")

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

// Ask asks and waits for the answer, at most until ctx ends: for Fresh until the helper
// takes it, and then for as long as the helper may work. It gives the answer's lines,
// made for a page. Errors: of the request, ErrRefused with the reason, ErrNoAnswer,
// ErrUnanswered, or what the file system said.
func (s Spool) Ask(ctx context.Context, r Request) ([]string, error) {
	line, err := r.line(linux.BootTime())
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
	tick, fresh, end := time.NewTicker(look), time.After(Fresh), time.After(Fresh+Works)
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
			return nil, s.giveUp(name)
		case <-fresh:
			if err := s.giveUp(name); !errors.Is(err, ErrUnanswered) {
				return nil, err
			}
		case <-end:
			return nil, ErrUnanswered
		case <-tick.C:
		}
	}
}

// giveUp takes the ask back, unless the helper has it.
func (s Spool) giveUp(name string) error {
	if err := os.Remove(s.ask(name)); errors.Is(err, fs.ErrNotExist) {
		return ErrUnanswered
	}
	return ErrNoAnswer
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
