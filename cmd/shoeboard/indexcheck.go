package main

import "shoeboard/tracker/history"

type indexCheckVerb struct {
	File string `arg:"" help:"File of finished shoes." type:"path"`
}

// Run checks a file of finished shoes, which may be damaged, and writes what of it can be
// read, in a process with a limit of memory.
func (v *indexCheckVerb) Run(p *program) error { return history.Dump(v.File, p.out) }
