package transfer

import (
	"fmt"
	"path"

	"shoeboard/cmd/internal/datadir"
	"shoeboard/tracker/journal"
)

// newest is a mirror with its last segment alone.
type newest struct{ mirrorFiles }

// List names that segment.
func (n newest) List() ([]string, error) { return []string{n.m.To}, nil }

// Witness is a mirror on a stick that a record was compared with.
type Witness struct {
	Folder string
	journal.Difference
}

// Compare compares the record of a data folder with its mirrors on the stick, those that
// were put aside among them. Errors: ErrNone, or why they cannot be read.
func (s Slot) Compare(data string) (all []Witness, err error) {
	root, err := s.Open()
	if err != nil {
		return nil, err
	}
	defer root.Close()
	own := journal.Dir(datadir.Journal(data))
	unit, _, err := journal.Newest(own)
	if err != nil {
		return nil, err
	}
	names, err := list(root, Folder)
	if err != nil {
		return nil, err
	}
	for _, name := range names[:min(len(names), mostMirrors)] {
		folder := path.Join(Folder, name)
		m, err := ReadManifest(root, folder)
		if err != nil || m.Unit != unit {
			continue
		}
		d, err := journal.Compare(own, mirrorFiles{root: root, m: m, aside: folder}, 0)
		if err != nil {
			return all, fmt.Errorf("%s: %w", folder, err)
		}
		all = append(all, Witness{folder, d})
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("the stick has no mirror of this unit (%s)", unit)
	}
	return all, nil
}
