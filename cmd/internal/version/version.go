// Package version says what this program was built from.
//
// A caller may assume that Read never fails: what the Go toolchain did not record
// is empty, and the version is then "unknown". A program out of a package has the
// package's version.
package version

import (
	"cmp"
	"runtime"
	"runtime/debug"
)

// packaged is the version of the package that this program is built for. The linker
// writes it (systemd/deb/build.sh); nothing else does.
var packaged string

// Build says what the program was built from, as the Go toolchain recorded it.
type Build struct {
	Version  string            `json:"version"`
	Revision string            `json:"revision,omitempty"`
	Time     string            `json:"time,omitempty"`
	Modified bool              `json:"modified,omitempty"`
	Go       string            `json:"go"`
	OS       string            `json:"os"`
	Arch     string            `json:"arch"`
	Modules  map[string]string `json:"modules,omitempty"`
}

// Read returns the build of this program.
func Read() Build {
	b := Build{Version: "unknown", Go: runtime.Version(), OS: runtime.GOOS, Arch: runtime.GOARCH,
		Modules: map[string]string{}}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return b
	}
	b.Version = cmp.Or(packaged, info.Main.Version)
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			b.Revision = s.Value
		case "vcs.time":
			b.Time = s.Value
		case "vcs.modified":
			b.Modified = s.Value == "true"
		}
	}
	for _, m := range info.Deps {
		b.Modules[m.Path] = m.Version
	}
	return b
}

// Line returns the build in one short line.
func (b Build) Line() string {
	s := b.Version
	if len(b.Revision) >= 8 {
		s += " " + b.Revision[:8]
	}
	if b.Modified {
		s += " modified"
	}
	return s
}
