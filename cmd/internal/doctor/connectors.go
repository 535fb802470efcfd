package doctor

import (
	"io/fs"
	"path"
	"strings"
)

// Connector is one socket for a monitor, as the kernel sees it.
type Connector struct {
	Name      string `json:"name"` // "HDMI-A-1"
	Connected bool   `json:"connected"`
	Mode      string `json:"mode,omitempty"` // the monitor's first, which is what X takes
}

// Connectors are those of all graphics cards, from /sys. None: this machine has no
// graphics, or a driver that does not say.
func Connectors(root fs.FS) []Connector {
	found, _ := fs.Glob(root, "sys/class/drm/card*-*") // the pattern is right: no error
	var all []Connector
	for _, dir := range found {
		_, name, _ := strings.Cut(path.Base(dir), "-")
		if strings.HasPrefix(name, "Writeback") {
			continue
		}
		c := Connector{Name: name, Connected: line(root, path.Join(dir, "status")) == "connected"}
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

// Usable says that X can start on c: a monitor may be connected and not have told
// its modes yet.
func Usable(c Connector) bool { return c.Connected && c.Mode != "" }

// Text is what hangs at the connector, in words.
func (c Connector) Text() string {
	switch {
	case !c.Connected:
		return "nothing connected"
	case c.Mode == "":
		return "a monitor that has not told what it can show"
	}
	return "a monitor, " + c.Mode
}
