package display

import (
	"context"
	"errors"
	"fmt"
	"image"
	"io"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/randr"
	"github.com/jezek/xgb/xproto"
)

var errGone = errors.New("the X server is gone")

// xClient is the window's second connection to the X server, for what a game loop hears
// too late or not at all: monitors that come, go and change, pictures that the server
// has forgotten, and, for a demo, each edge of a key when it happens.
type xClient struct {
	x     *xgb.Conn
	root  xproto.Window
	randr bool // monitors can be asked for
}

// openX connects to the X server of a display, as in DISPLAY, until ctx ends.
func openX(ctx context.Context, display string) (*xClient, error) {
	xgb.Logger.SetOutput(io.Discard) // it logs what it returns as well
	x, err := xgb.NewConnDisplay(display)
	if err != nil {
		return nil, fmt.Errorf("display %q: %w", display, err)
	}
	context.AfterFunc(ctx, x.Close)
	c := &xClient{x: x, root: xproto.Setup(x).DefaultScreen(x).Root}
	return c, c.watchMonitors()
}

// watchMonitors asks to be told of new modes and of outputs that come and go.
// A server too old for RandR 1.5 has monitors that do not change.
func (c *xClient) watchMonitors() error {
	if randr.Init(c.x) != nil {
		return nil // no extension
	}
	v, err := randr.QueryVersion(c.x, 1, 5).Reply()
	if err != nil {
		return err
	}
	if v.MajorVersion > 1 || v.MajorVersion == 1 && v.MinorVersion >= 5 {
		c.randr = true
		randr.SelectInput(c.x, c.root,
			randr.NotifyMaskScreenChange|randr.NotifyMaskCrtcChange|randr.NotifyMaskOutputChange)
	}
	return nil
}

// awaitMonitor returns when the X server has a monitor that is on, at the output of that
// name unless it is empty, or with an error when the server is gone or ctx ends. It
// waits for the server's events, so it must not be called beside listen.
func (c *xClient) awaitMonitor(ctx context.Context, output string) error {
	for c.randr {
		monitors, err := c.monitors(output)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil || len(monitors) > 0 {
			return err
		}
		if event, fault := c.x.WaitForEvent(); event == nil && fault == nil {
			return errGone
		}
	}
	return nil
}

// monitors returns the places of the monitors that are on, at the output of that name
// or, if it is empty, at any; none from a server without RandR 1.5.
func (c *xClient) monitors(output string) ([]image.Rectangle, error) {
	if !c.randr {
		return nil, nil
	}
	r, err := randr.GetMonitors(c.x, c.root, true).Reply()
	if err != nil {
		return nil, err
	}
	var places []image.Rectangle
	for _, m := range r.Monitors {
		if output != "" {
			name, err := xproto.GetAtomName(c.x, m.Name).Reply()
			if err != nil {
				return nil, err
			}
			if name.Name != output {
				continue
			}
		}
		places = append(places, rectangle(m.X, m.Y, m.Width, m.Height))
	}
	return places, nil
}

func rectangle(x, y int16, w, h uint16) image.Rectangle {
	return image.Rect(0, 0, int(w), int(h)).Add(image.Pt(int(x), int(y)))
}
