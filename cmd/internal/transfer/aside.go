package transfer

import (
	"os"
	"path"
	"reflect"
	"time"

	"shoeboard/cmd/internal/datadir"
	"shoeboard/tracker/journal"
)

// putAside renames the mirror in the folder name of a stick when it is whole and of
// another record than the unit has: of the card that was in it before, or of a time
// after the backup that was restored. It may be the only copy.
func putAside(root *os.Root, name, data string) error {
	m, err := readManifest(root, name)
	if err != nil {
		return nil // there is none that could be taken over
	}
	there, ok := headOf(mirrorFiles{root, m}, m.To)
	if !ok {
		return nil
	}
	if own, ok := headOf(journal.Dir(datadir.Journal(data)), m.To); ok && reflect.DeepEqual(own, there) {
		return nil
	}
	return root.Rename(name, name+aside+time.Now().UTC().Format("20060102T150405"))
}

// aside follows the unit in the name of a mirror that was put aside.
const aside = "-before-"

// Home says whether the folder of a stick is where the unit mirrors to.
func Home(unit, folder string) bool { return home(unit) == path.Join(Folder, folder) }

// headOf is the record with which a segment begins, if it has a good one.
func headOf(files journal.Files, segment string) (journal.Record, bool) {
	for r, err := range journal.Heads(one{files, segment}, 0) {
		return r, err == nil
	}
	return journal.Record{}, false
}

// one is one segment of a record.
type one struct {
	journal.Files
	segment string
}

func (o one) List() ([]journal.Entry, error) { return []journal.Entry{{Name: o.segment}}, nil }
