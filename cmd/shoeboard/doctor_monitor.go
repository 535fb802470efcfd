package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"time"
)

// connector is one socket for a monitor, as the kernel sees it.
type connector struct {
	Name      string `json:"name"` // "HDMI-A-1"
	Connected bool   `json:"connected"`
	Mode      string `json:"mode,omitempty"` // the monitor's first, which is what X takes
}

// connectors are those of all graphics cards, from /sys. None: this machine has no
// graphics, or a driver that does not say.
func connectors(root fs.FS) []connector {
	found, _ := fs.Glob(root, "sys/class/drm/card*-*") // the pattern is right: no error
	var all []connector
	for _, dir := range found {
		_, name, _ := strings.Cut(path.Base(dir), "-")
		if strings.HasPrefix(name, "Writeback") {
			continue
		}
		c := connector{Name: name, Connected: line(root, path.Join(dir, "status")) == "connected"}
		c.Mode = line(root, path.Join(dir, "modes"))
		all = append(all, c)
	}
	return all
}

// line is the first line of a small file, "" when it cannot be read.
func line(root fs.FS, name string) string {
	text, err := fs.ReadFile(root, name)
	if err != nil {
		return ""
	}
	first, _, _ := strings.Cut(string(text), "\n")
	return strings.TrimSpace(strings.TrimRight(first, "\x00"))
}

type monitorVerb struct {
	Wait bool `help:"Wait until one is connected."`
	JSON bool `help:"As JSON."`
}

// lookEvery is how often a waiting unit looks for a monitor.
const lookEvery = 2 * time.Second

// Run tells which monitors are connected. Without --wait it fails when none is.
func (v *monitorVerb) Run(ctx context.Context, p *program) error {
	sys := os.DirFS(p.root)
	all := connectors(sys)
	for v.Wait && len(all) > 0 && !slices.ContainsFunc(all, usable) {
		pause(ctx, lookEvery)
		if err := ctx.Err(); err != nil {
			return err
		}
		all = connectors(sys)
	}
	if v.JSON {
		return writeJSON(p.out, all)
	}
	for _, c := range all {
		fmt.Fprintf(p.out, "%s: %s\n", c.Name, c.text())
	}
	switch {
	case len(all) == 0:
		fmt.Fprintln(p.out, "This machine names no connectors for monitors.")
	case !v.Wait && !slices.ContainsFunc(all, usable):
		return errors.New("no monitor is connected")
	}
	return nil
}

// usable says that X can start on c: a monitor may be connected and not have told
// its modes yet.
func usable(c connector) bool { return c.Connected && c.Mode != "" }

func (c connector) text() string {
	switch {
	case !c.Connected:
		return "nothing connected"
	case c.Mode == "":
		return "a monitor that has not told what it can show"
	}
	return "a monitor, " + c.Mode
}
