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

// socketFlag is the flag of the verbs that ask a running core.
type socketFlag struct {
	Socket string `help:"Socket of the core; without it the configuration's." type:"path" placeholder:"PATH"`
}

// client asks the core that is meant.
func (f socketFlag) client(p *program, all *verbs) (localapi.Client, error) {
	return p.client(f.Socket, all.Config)
}

// dataFlag is the flag of the verbs that look into the data folder.
type dataFlag struct {
	Data string `help:"Data folder; without it the configuration's." type:"path" placeholder:"DIR"`
}

// there expects a data folder that a person names to be there. That of the configuration
// need not be yet.
func (f dataFlag) there() error {
	if f.Data == "" {
		return nil
	}
	_, err := os.ReadDir(f.Data)
	return err
}

// jsonFlag is the flag of the verbs whose words a program can have as well.
type jsonFlag struct {
	JSON bool `help:"As JSON."`
}

// lookFlags are the flags of the verbs that look at the whole unit.
type lookFlags struct {
	jsonFlag
	dataFlag
	socketFlag
}

// meet looks at the unit that is meant.
func (f lookFlags) meet(ctx context.Context, p *program, all *verbs) (*doctor.Patient, error) {
	if err := f.there(); err != nil {
		return nil, err
	}
	return doctor.Meet(ctx, p.root, all.Config, f.Data, f.Socket)
}

// client asks the core at socket, or without one at the configuration's.
func (p *program) client(socket, path string) (localapi.Client, error) {
	p.inquired = true
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

// stoodIn says what was used in place of a configuration that is refused.
func stoodIn(l config.Loaded) string {
	instead := "the last good one stands in (" + l.Hash() + ")"
	if l.Text == nil {
		instead = "the built-in settings stand in"
	}
	return fmt.Sprintf("the configuration cannot be used, and %s: %s", instead, config.FaultText(l.Fault))
}
