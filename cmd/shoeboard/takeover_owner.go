package main

import (
	"cmp"
	"context"

	"github.com/alecthomas/kong"

	"shoeboard/cmd/internal/config"
	"shoeboard/cmd/internal/datadir"
)

// folder reads the configuration and names the data folder: the flag's, or else the
// configuration's.
func (f dataFlag) folder(p *program, all *verbs) (l config.Loaded, data string, err error) {
	l, err = p.readConfig(all.Config, f.Data)
	if err != nil {
		return l, "", err
	}
	return l, cmp.Or(f.Data, l.File.Table("").Data), nil
}

// owned is folder for a verb that changes the folder; done says that the owner of the
// folder has run the verb.
func (f dataFlag) owned(ctx context.Context, line *kong.Context, p *program, all *verbs) (
	l config.Loaded, data string, done bool, err error) {
	if l, data, err = f.folder(p, all); err != nil {
		return l, data, false, err
	}
	done, warned, err := datadir.RunAsOwner(ctx, data, line.Args, p.out)
	if warned != "" {
		p.refused = nil // the owner's process has told of it
	}
	if err == nil && done {
		_, err = p.err.Write([]byte(warned))
	}
	return l, data, done, err
}
