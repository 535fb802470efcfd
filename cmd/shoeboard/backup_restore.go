package main

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/google/renameio/v2"

	"shoeboard/cmd/shoeboard/config"
	"shoeboard/cmd/shoeboard/unit"
	"shoeboard/tracker"
	"shoeboard/tracker/journal"
	"shoeboard/tracker/table"
)

type restoreVerb struct {
	From  string `arg:"" help:"The backup." type:"existingfile"`
	Data  string `help:"Data folder; without it the configuration's." type:"path" placeholder:"DIR"`
	Table string `help:"Take over as this table; without it the backup's." placeholder:"N"`
	Yes   bool   `help:"Put the record that is there aside."`
}

// Run takes a record, its configuration and its table over from a backup. The core
// must be stopped. A record that is there is put aside, never deleted.
func (v *restoreVerb) Run(p *program, all *verbs) error {
	l, err := p.readConfig(all.Config, v.Data)
	if err != nil {
		return err
	}
	data := cmp.Or(v.Data, l.File.Table("").Data)
	if err := os.MkdirAll(data, 0o750); err != nil {
		return err
	}
	lock, err := journal.Dir(config.JournalDir(data)).Lock()
	if errors.Is(err, journal.ErrInUse) {
		return errors.New("the core is running: sudo systemctl stop shoeboard, then again")
	}
	if err != nil {
		return err
	}
	defer lock.Close()
	r := restorer{data: data, next: filepath.Join(data, "journal.restore"), unit: unit.ID()}
	head, err := r.unpack(v.From)
	if err != nil {
		return errors.Join(err, os.RemoveAll(r.next))
	}
	if err := r.swap(v.Yes); err != nil {
		return errors.Join(err, os.RemoveAll(r.next))
	}
	number := cmp.Or(v.Table, head.Table)
	if err := config.WriteTable(data, number); err != nil {
		return err
	}
	fmt.Fprintf(p.out, "Table %s as it was at %s. %d segments; what was here is in %s.\nsudo systemctl start shoeboard\n",
		number, head.Made.Format(time.RFC3339), r.segments, cmp.Or(r.aside, "no other place: there was no record"))
	return nil
}

// restorer puts a backup beside the record and then in its place.
type restorer struct {
	data, next, aside string
	unit              string
	segments          int
	good              []byte // the configuration
}

// unpack reads the backup into the folder next, with the segments made this unit's.
func (r *restorer) unpack(from string) (backupHead, error) {
	if err := os.RemoveAll(r.next); err != nil {
		return backupHead{}, err
	}
	if err := os.MkdirAll(r.next, 0o750); err != nil {
		return backupHead{}, err
	}
	head, err := readBackup(from, func(name string, text []byte) error {
		switch {
		case name == config.LastGood:
			r.good = text
			return nil
		case !strings.HasPrefix(name, "journal/"):
			return nil
		}
		r.segments++
		return os.WriteFile(filepath.Join(r.next, path.Base(name)), text, 0o640)
	})
	if err != nil {
		return head, err
	}
	return head, r.adopt(head)
}

// adopt makes the record one that this unit can go on with. The segments of another
// unit stay as they are; a new one with this unit's name begins with their state.
func (r *restorer) adopt(head backupHead) error {
	if r.segments == 0 {
		return nil
	}
	j, found, err := journal.Open(journal.Dir(r.next), head.Unit)
	if err != nil {
		return err
	}
	state, err := table.Restore(found)
	if err != nil {
		return errors.Join(err, j.Close())
	}
	if head.Unit == r.unit {
		return j.Close()
	}
	data, err := tracker.MarshalCheckpoint(state)
	if err != nil {
		return errors.Join(err, j.Close())
	}
	_, err = j.Roll(journal.Record{Source: "restore", Payload: data, Wall: time.Now().UnixNano()})
	if err := errors.Join(err, j.Close()); err != nil {
		return err
	}
	return rename(r.next, r.unit)
}

// rename gives the newest segment of a folder another unit's name, by the journal's
// written format: the name's length, the name, and the header's checksum.
func rename(dir, unit string) error {
	segments, err := filepath.Glob(filepath.Join(dir, "*.jrn"))
	if err != nil || len(segments) == 0 {
		return errors.Join(err, errors.New("there is no segment to go on with"))
	}
	newest := slices.Max(segments)
	data, err := os.ReadFile(newest)
	if err != nil {
		return err
	}
	const header = 64
	if len(unit) > journal.MaxUnit || len(data) < header {
		return fmt.Errorf("%s cannot be given to unit %q", newest, unit)
	}
	binary.LittleEndian.PutUint16(data[10:], uint16(len(unit)))
	clear(data[24:header])
	copy(data[24:], unit)
	clear(data[12:16])
	sum := crc32.Checksum(data[:header], crc32.MakeTable(crc32.Castagnoli))
	binary.LittleEndian.PutUint32(data[12:], sum)
	return renameio.WriteFile(newest, data, 0o640)
}

// swap puts what was unpacked in the place of the record, which it puts aside.
func (r *restorer) swap(yes bool) error {
	journalDir := config.JournalDir(r.data)
	old, err := filepath.Glob(filepath.Join(journalDir, "*.jrn"))
	if err != nil {
		return err
	}
	if len(old) > 0 && !yes {
		return fmt.Errorf("there is a record of %d segments in %s: --yes puts it aside", len(old), journalDir)
	}
	suffix := ".before." + time.Now().UTC().Format("20060102T150405")
	if err := os.Rename(filepath.Join(r.data, "history.db"), filepath.Join(r.data, "history.db"+suffix)); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	aside := journalDir + suffix
	if err := os.Rename(journalDir, aside); err != nil {
		return err
	}
	if err := os.Rename(r.next, journalDir); err != nil {
		return errors.Join(err, os.Rename(aside, journalDir))
	}
	if len(old) > 0 {
		r.aside = aside
	}
	if r.good != nil {
		if err := renameio.WriteFile(filepath.Join(r.data, config.LastGood), r.good, 0o640); err != nil {
			return err
		}
	}
	return giveAllTo(r.data)
}

// giveAllTo makes what root wrote into the data folder its owner's.
func giveAllTo(data string) error {
	return filepath.WalkDir(data, func(path string, _ os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return config.GiveTo(path, data)
	})
}
