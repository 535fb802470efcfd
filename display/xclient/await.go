package xclient

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/randr"
	"github.com/jezek/xgb/xproto"
)

var errGone = errors.New("the X server is gone")

// AwaitMonitor returns when the X server has a monitor that is on: at once, or
// as soon as one comes, or with an error when there is no X server or ctx ends.
// Meanwhile it costs nothing: the server tells.
func AwaitMonitor(ctx context.Context, display string) error {
	x, err := connect(display)
	if err != nil {
		return err
	}
	stop := context.AfterFunc(ctx, x.Close)
	defer stop()
	defer x.Close()
	l := &listener{x: x, root: xproto.Setup(x).DefaultScreen(x).Root}
	if err := l.watchMonitors(); err != nil || !l.randr {
		return err
	}
	for {
		r, err := randr.GetMonitors(x, l.root, true).Reply()
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil || len(r.Monitors) > 0 {
			return err
		}
		if event, fault := x.WaitForEvent(); event == nil && fault == nil {
			return errGone
		}
	}
}

// connect greets the X server.
func connect(display string) (*xgb.Conn, error) {
	xgb.Logger.SetOutput(io.Discard) // it logs what it returns as well
	x, err := xgb.NewConnDisplay(display)
	if err != nil {
		return nil, fmt.Errorf("display %q: %w", display, err)
	}
	return x, nil
}
