package main

import (
	"encoding/json"
	"fmt"

	"shoeboard/cmd/shoeboard/version"
)

type versionVerb struct {
	JSON bool `help:"As one JSON object."`
}

func (v *versionVerb) Run(p *program) error {
	b := version.Read()
	if v.JSON {
		e := json.NewEncoder(p.out)
		e.SetIndent("", "  ")
		return e.Encode(b)
	}
	fmt.Fprintf(p.out, "shoeboard %s\n%s %s/%s\n", b.Line(), b.Go, b.OS, b.Arch)
	return nil
}
