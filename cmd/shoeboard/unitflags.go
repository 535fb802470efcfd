package main

import (
	"context"
	"fmt"
	"os"

	"shoeboard/cmd/internal/config"
	"shoeboard/cmd/internal/datadir"
	"shoeboard/cmd/internal/doctor"
	"shoeboard/tracker/localapi"
)

// socketFlag is the flag of the verbs that talk to a running core.
type socketFlag struct {
	Socket string `help:"Socket of the core; the default is the configuration's." type:"path" placeholder:"PATH"`
}

// client returns the client of the core.
func (f socketFlag) client(p *program, all *verbs) (localapi.Client, error) {
	return p.client(f.Socket, all.Config)
}

// dataFlag is the flag of the verbs that read the data folder.
type dataFlag struct {
	Data string `help:"Data folder; the default is the configuration's." type:"path" placeholder:"DIR"`
}

// exists expects the data folder that --data names to exist. That of the configuration
// need not exist yet.
func (f dataFlag) exists() error {
	if f.Data == "" {
		return nil
	}
	_, err := os.ReadDir(f.Data)
	return err
}

// jsonFlag is the flag of the verbs that can print JSON.
type jsonFlag struct {
	JSON bool `help:"Print JSON."`
}

// unitFlags are the flags of the verbs that examine the whole unit.
type unitFlags struct {
	jsonFlag
	dataFlag
	socketFlag
}

// collect reads the unit.
func (f unitFlags) collect(ctx context.Context, p *program, all *verbs) (*doctor.Unit, error) {
	if err := f.exists(); err != nil {
		return nil, err
	}
	return doctor.Collect(ctx, p.root, all.Config, f.Data, f.Socket)
}

// client returns the client of the core at socket, or without one at the configuration's.
func (p *program) client(socket, path string) (localapi.Client, error) {
	p.reported = true
	if socket != "" {
		return localapi.Client{Path: socket}, nil
	}
	l, err := p.readConfig(path, "")
	if err != nil {
		return localapi.Client{}, err
	}
	return localapi.Client{Path: l.File.Table("").Socket}, nil
}

// checkTable expects the number of a table where one is given.
func checkTable(number string) error {
	if err := datadir.CheckTable(number); number != "" && err != nil {
		return useError{err}
	}
	return nil
}

// substituted returns a sentence that names what was used instead of a refused
// configuration.
func substituted(l config.Loaded) string {
	instead := "the last good copy is in force (" + l.Hash() + ")"
	if l.Text == nil {
		instead = "the built-in settings are in force"
	}
	return fmt.Sprintf("the configuration is refused, %s: %s", instead, config.FaultText(l.Fault))
}
