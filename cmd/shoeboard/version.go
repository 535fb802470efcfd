package main

import (
	"fmt"

	"shoeboard/cmd/internal/version"
)

type versionVerb struct {
	jsonFlag
}

func (v *versionVerb) Run(p *program) error {
	b := version.Read()
	if v.JSON {
		return writeJSON(p.out, b)
	}
	fmt.Fprintf(p.out, "shoeboard %s\n%s %s/%s\n", b.Line(), b.Go, b.OS, b.Arch)
	return nil
}
