package main

import (
	"encoding/json"
	"fmt"
	"runtime"
	"runtime/debug"
)

type versionVerb struct {
	JSON bool `help:"As one JSON object."`
}

// build says what the program was built from, as the Go toolchain recorded it.
type build struct {
	Version  string            `json:"version"`
	Revision string            `json:"revision,omitempty"`
	Time     string            `json:"time,omitempty"`
	Modified bool              `json:"modified,omitempty"`
	Go       string            `json:"go"`
	OS       string            `json:"os"`
	Arch     string            `json:"arch"`
	Modules  map[string]string `json:"modules,omitempty"`
}

func readBuild() build {
	b := build{Version: "unknown", Go: runtime.Version(), OS: runtime.GOOS, Arch: runtime.GOARCH, Modules: map[string]string{}}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return b
	}
	b.Version = info.Main.Version
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

// line is the build in one short line.
func (b build) line() string {
	s := b.Version
	if len(b.Revision) >= 8 {
		s += " " + b.Revision[:8]
	}
	if b.Modified {
		s += " modified"
	}
	return s
}

func (v *versionVerb) Run(p *program) error {
	b := readBuild()
	if v.JSON {
		e := json.NewEncoder(p.out)
		e.SetIndent("", "  ")
		return e.Encode(b)
	}
	fmt.Fprintf(p.out, "shoeboard %s\n%s %s/%s\n", b.line(), b.Go, b.OS, b.Arch)
	return nil
}
