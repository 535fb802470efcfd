package helper

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/google/renameio/v2"
	"golang.org/x/sys/unix"

	"shoeboard/hw/linux"
)

// keptFor is how long an answer stays for the one who asked.
const keptFor = 10 * time.Minute

var askName = regexp.MustCompile(`^[0-9a-f]{16}\.ask$`)

// Do does what is asked and gives the answer's lines, or why not. What it returns as
// after is done when the answer stands, for acts that end this program too.
type Do func(ctx context.Context, r Request) (lines []string, after func() error, err error)

// Serve answers every ask that is in the spool, and returns when there is none.
// Whatever else is in the folder of asks and looks like one is removed. An error means
// that an ask could not be taken away or answered.
func (s Spool) Serve(ctx context.Context, do Do) error {
	dir, err := os.OpenRoot(s.asks())
	if err != nil {
		return err
	}
	defer dir.Close()
	errs := s.forget()
	for {
		names, err := waiting(dir)
		if err != nil || len(names) == 0 || ctx.Err() != nil {
			return errors.Join(errs, err)
		}
		for _, name := range names {
			err := s.one(ctx, dir, name, do)
			errs = errors.Join(errs, err)
		}
		if errs != nil {
			return errs
		}
	}
}

// waiting are the names of what looks like an ask.
func waiting(dir *os.Root) ([]string, error) {
	entries, err := fs.ReadDir(dir.FS(), ".")
	if err != nil {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), askSuffix) {
			names = append(names, e.Name())
		}
	}
	slices.Sort(names)
	return names, nil
}

// one takes an ask away, does it and answers.
func (s Spool) one(ctx context.Context, dir *os.Root, name string, do Do) error {
	text, err := short(dir, name)
	gone := dir.Remove(name)
	if errors.Is(gone, fs.ErrNotExist) {
		return nil // given up just now
	}
	if gone != nil { // a folder
		gone = dir.RemoveAll(name)
	}
	if gone != nil {
		return fmt.Errorf("%s cannot be removed: %w", name, gone)
	}
	if err != nil || !askName.MatchString(name) {
		return nil // not the core's: nobody waits
	}
	var lines []string
	var after func() error
	r, asked, err := Parse(text)
	if err == nil {
		if age := linux.BootTime() - asked; age < 0 || age > Fresh {
			err = errors.New("this was asked at another time")
		}
	}
	if err == nil {
		lines, after, err = do(ctx, r)
	}
	if err := s.put(strings.TrimSuffix(name, askSuffix), lines, err); err != nil {
		return err
	}
	if after != nil && err == nil {
		return after()
	}
	return nil
}

// short reads a plain file of at most a line. Pipes, links and devices are refused:
// the folder belongs to somebody who has fewer rights than the reader.
func short(dir *os.Root, name string) ([]byte, error) {
	f, err := dir.OpenFile(name, os.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > mostLine {
		return nil, errLine
	}
	return io.ReadAll(io.LimitReader(f, mostLine+1))
}

// put writes an answer, whole or not at all.
func (s Spool) put(name string, lines []string, refused error) error {
	text := yes + "\n" + strings.Join(lines, "\n") + "\n"
	if refused != nil {
		text = no + "\n" + refused.Error() + "\n"
	}
	return renameio.WriteFile(s.answer(name), []byte(text), 0o640, renameio.WithTempDir(s.answers()))
}

// forget removes answers that nobody fetched.
func (s Spool) forget() error {
	entries, err := os.ReadDir(s.answers())
	for _, e := range entries {
		info, infoErr := e.Info()
		if infoErr == nil && time.Since(info.ModTime()).Abs() > keptFor && !e.IsDir() {
			err = errors.Join(err, os.Remove(s.answer(e.Name())))
		}
	}
	return err
}
