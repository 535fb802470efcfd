package xclient

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

// Client is a connection to an X server.
type Client struct {
	x     *xgb.Conn
	root  xproto.Window
	randr bool // monitors can be asked for
}

// Open greets the X server of a display, as in DISPLAY. The connection ends with
// ctx.
func Open(ctx context.Context, display string) (*Client, error) {
	xgb.Logger.SetOutput(io.Discard) // it logs what it returns as well
	x, err := xgb.NewConnDisplay(display)
	if err != nil {
		return nil, fmt.Errorf("display %q: %w", display, err)
	}
	context.AfterFunc(ctx, x.Close)
	c := &Client{x: x, root: xproto.Setup(x).DefaultScreen(x).Root}
	return c, c.watchMonitors()
}

// watchMonitors asks to be told of new modes and of outputs that come and go.
// A server too old for RandR 1.5 has monitors that do not change.
func (c *Client) watchMonitors() error {
	if randr.Init(c.x) != nil {
		return nil // no extension
	}
	v, err := randr.QueryVersion(c.x, 1, 5).Reply()
	if err != nil {
		return err
	}
	if v.MajorVersion > 1 || v.MajorVersion == 1 && v.MinorVersion >= 5 {
		c.randr = true
		randr.SelectInput(c.x, c.root, randr.NotifyMaskScreenChange|randr.NotifyMaskCrtcChange|randr.NotifyMaskOutputChange)
	}
	return nil
}

// AwaitMonitor returns when the X server has a monitor that is on, at the output
// of that name unless it is empty: at once, or as soon as one comes, or with an
// error when the server is gone or ctx ends. Meanwhile it costs nothing: the
// server tells. It must not be called beside Listen.
func (c *Client) AwaitMonitor(ctx context.Context, output string) error {
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

// monitors are the places of the monitors that are on, at the output of that name
// or, when it is empty, at any. A server that cannot tell has none.
func (c *Client) monitors(output string) ([]image.Rectangle, error) {
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
