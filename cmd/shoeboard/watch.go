package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"golang.org/x/sys/unix"

	"shoeboard/cmd/internal/devices"
	"shoeboard/display/termview"
	"shoeboard/stats"
	"shoeboard/tracker/localapi"
)

type watchVerb struct {
	Once bool `help:"Print the board once and exit."`
	socketFlag
}

// Run shows the live board as text: on a terminal in place, else one after another.
func (v *watchVerb) Run(ctx context.Context, p *program, all *verbs) error {
	client, err := v.client(p, all)
	if err != nil {
		return err
	}
	if v.Once {
		b, err := client.Board(ctx)
		if err != nil {
			return err
		}
		_, err = fmt.Fprint(p.out, termview.Render(b, columns(p.out, 100), false, termNow(b)))
		return err
	}
	return watch(ctx, p.out, client)
}

// watch prints each new board, and every second while a countdown runs. It waits for a
// core that is not there, but not for one that does not let this user in.
func watch(ctx context.Context, out io.Writer, client localapi.Client) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	updates := make(chan localapi.Update)
	go func() {
		defer close(updates)
		for u := range client.Boards(ctx) {
			select {
			case updates <- u:
			case <-ctx.Done():
				return
			}
		}
	}()
	var board *stats.Board
	var lost error
	second := time.NewTicker(time.Second)
	defer second.Stop()
	for {
		select {
		case u, ok := <-updates:
			if !ok {
				return nil
			}
			if lost = u.Err; errors.Is(lost, fs.ErrPermission) {
				return lost
			}
			if u.Board != nil {
				board = u.Board
			}
		case <-second.C:
			if board == nil || board.Countdown == nil {
				continue
			}
		}
		if err := showText(out, board, lost); err != nil {
			return err
		}
	}
}

func showText(out io.Writer, b *stats.Board, lost error) error {
	terminal := columns(out, 0) > 0
	text := ""
	if b != nil {
		text = termview.Render(b, columns(out, 100), terminal, termNow(b))
	}
	if lost != nil {
		text += fmt.Sprintf("\nWAITING FOR THE CORE: %v\n", lost)
	}
	if terminal {
		text = devices.InPlace(text)
	}
	_, err := io.WriteString(out, text)
	return err
}

// columns returns the width of the terminal that out is, or other when it is none.
func columns(out io.Writer, other int) int {
	if c, ok := out.(*checkedWriter); ok {
		out = c.Writer
	}
	f, ok := out.(*os.File)
	if !ok {
		return other
	}
	size, err := unix.IoctlGetWinsize(int(f.Fd()), unix.TIOCGWINSZ)
	if err != nil || size.Col == 0 {
		return other
	}
	return int(size.Col)
}
