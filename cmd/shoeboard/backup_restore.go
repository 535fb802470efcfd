package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/alecthomas/kong"

	"shoeboard/cmd/internal/config"
	"shoeboard/cmd/internal/core"
	"shoeboard/cmd/internal/datadir"
	"shoeboard/cmd/internal/export"
	"shoeboard/cmd/internal/transfer"
	"shoeboard/tracker/journal"
)

type restoreVerb struct {
	dataFlag
	From  string `arg:"" help:"The backup." type:"existingfile"`
	Table string `help:"Take over as this table; without it the backup's." placeholder:"N"`
	Yes   bool   `help:"Put the record that is there aside."`
}

// Run takes a record, its configuration and its table over from a backup. The core
// must be stopped. A record that is there is put aside, never deleted.
func (v *restoreVerb) Run(ctx context.Context, line *kong.Context, p *program, all *verbs) error {
	if err := checkTable(v.Table); err != nil {
		return err
	}
	_, data, done, err := v.owned(ctx, line, p, all)
	if done || err != nil {
		return err
	}
	lock, old, err := v.takeRecord(data)
	if err != nil {
		return err
	}
	defer lock.Close()
	stage, err := transfer.NewStage(data)
	if err != nil {
		return err
	}
	head, segments, err := unpack(v.From, stage)
	if err == nil {
		err = stage.Commit(head.Unit, core.ID(), cmp.Or(v.Table, head.Table))
	}
	if err != nil {
		return errors.Join(err, stage.Drop())
	}
	aside := "There was no record here before."
	if all := transfer.Aside(data); old > 0 && len(all) > 0 {
		aside = "What was here is in " + all[len(all)-1] + "."
	}
	fmt.Fprintf(p.out, "Table %s as it was at %s. %s. %s\nsudo systemctl start shoeboard\n",
		cmp.Or(v.Table, head.Table), head.Made.Format(time.RFC3339), export.Count(segments, "segment"), aside)
	return nil
}

// takeRecord takes the lock of a data folder's record and says how many segments it has.
// One that is there must be meant.
func (v *restoreVerb) takeRecord(data string) (lock io.Closer, segments int, err error) {
	if err := os.MkdirAll(data, 0o750); err != nil {
		return nil, 0, err
	}
	lock, err = journal.Dir(datadir.Journal(data)).Lock()
	if errors.Is(err, journal.ErrInUse) {
		err = errors.New("the core is running: sudo systemctl stop shoeboard, then again")
	}
	if err != nil {
		return nil, 0, err
	}
	old, err := filepath.Glob(filepath.Join(datadir.Journal(data), "*.jrn"))
	if err == nil && len(old) > 0 && !v.Yes {
		err = fmt.Errorf("there is a record of %s in %s: --yes puts it aside", export.Count(len(old), "segment"), datadir.Journal(data))
	}
	if err != nil {
		return nil, 0, errors.Join(err, lock.Close())
	}
	return lock, len(old), nil
}

// unpack reads the backup into the stage.
func unpack(from string, stage transfer.Stage) (head backupHead, segments int, err error) {
	head, err = readBackup(from, func(name string, text []byte) error {
		switch {
		case name == config.LastGood:
			return os.WriteFile(filepath.Join(string(stage), config.LastGood), text, 0o640)
		case !strings.HasPrefix(name, "journal/"):
			return nil
		}
		segments++
		return os.WriteFile(filepath.Join(stage.Journal(), path.Base(name)), text, 0o640)
	})
	return head, segments, err
}
