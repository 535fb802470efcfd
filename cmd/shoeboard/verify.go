package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"shoeboard/cmd/internal/datadir"
	"shoeboard/cmd/internal/doctor"
)

type verifyVerb struct {
	jsonFlag
	dataFlag
}

// Run tells the SHA-256 of everything that decides what the board shows, to be
// compared with another unit's or with what was published, and the head of the
// record's chain. It fails when a file is not as the package had it or the record
// is not whole.
func (v *verifyVerb) Run(p *program, all *verbs) error {
	if err := v.there(); err != nil {
		return err
	}
	l, err := p.readConfig(all.Config, v.Data)
	if err != nil {
		return err
	}
	data := cmp.Or(v.Data, l.File.Table("").Data)
	if _, err := os.ReadDir(datadir.Journal(data)); errors.Is(err, fs.ErrPermission) {
		return err
	}
	out := doctor.Verification{Files: doctor.Sums(p.root, l)}
	for _, f := range out.Files {
		if f.Wrong != "" {
			out.Wrong = append(out.Wrong, f.What+": "+f.Wrong)
		}
	}
	out.AddRecord(data)
	if v.JSON {
		err = writeJSON(p.out, out)
	} else {
		_, err = io.WriteString(p.out, out.Text())
	}
	if err == nil && len(out.Wrong) > 0 {
		err = fmt.Errorf("%d things are not as they should be", len(out.Wrong))
	}
	return err
}
