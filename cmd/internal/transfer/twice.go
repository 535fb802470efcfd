package transfer

import (
	"encoding/json"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/google/renameio/v2"

	"shoeboard/cmd/internal/datadir"
)

// passedFile says that a table has gone from one unit to another: in the data folder of
// the unit that has it, and in the mirror of the unit that had it.
const passedFile = "taken-over.json"

// passed is what it says.
type passed struct {
	Table string    `json:"table"`
	From  string    `json:"from"` // the unit that had it
	By    string    `json:"by"`   // the unit that has it
	When  time.Time `json:"when"` // by the clock of By
	To    string    `json:"to"`   // the segment that grew, as far as it went with the table
	Size  int64     `json:"size"` // of it, bytes
}

// passing is a table that goes with the record in a folder of segments.
func passing(journal, table, from, by string) (passed, error) {
	p := passed{Table: table, From: from, By: by, When: time.Now().UTC().Truncate(time.Second)}
	names, err := segmentsIn(journal)
	if err != nil || len(names) == 0 {
		return p, err
	}
	p.To = names[len(names)-1]
	info, err := os.Stat(filepath.Join(journal, p.To))
	if err == nil {
		p.Size = info.Size()
	}
	return p, err
}

// stood is how far the record went.
func (p passed) stood() Manifest { return Manifest{To: p.To, Size: p.Size} }

// leaveWord writes it into the mirror of the unit that had the table, unless it is there.
func (p passed) leaveWord(root *os.Root) error {
	if have, there := lost(root, p.From); there && have == p {
		return nil
	}
	text, err := json.Marshal(p)
	if err == nil {
		_, err = put(root, path.Join(home(p.From), passedFile), content(text))
	}
	return err
}

// keep writes it into a folder, whole or not at all.
func (p passed) keep(dir string) error {
	text, err := json.Marshal(p)
	if err != nil {
		return err
	}
	return renameio.WriteFile(filepath.Join(dir, passedFile), append(text, '\n'), 0o640)
}

// mostPassed bounds the file, in bytes.
const mostPassed = 4 << 10

// readPassed reads what such a file says, and false when it says nothing that one of ours
// would: whoever had the stick in his hand may have written it.
func readPassed(text []byte, err error) (p passed, ok bool) {
	if err != nil || len(text) > mostPassed || json.Unmarshal(text, &p) != nil {
		return passed{}, false
	}
	return p, isUnit(p.From) && isUnit(p.By) && p.From != p.By && datadir.CheckTable(p.Table) == nil && (p.To == "" || isSegment(p.To)) && p.Size >= 0
}

// took is the table that a data folder's unit has from another, if it has.
func took(data, unit string) (p passed, ok bool) {
	p, ok = readPassed(os.ReadFile(filepath.Join(data, passedFile)))
	return p, ok && p.By == unit
}

// lost is what stands in a unit's mirror of a table that another one has taken over.
func lost(root *os.Root, unit string) (p passed, ok bool) {
	p, ok = readPassed(Read(root, path.Join(home(unit), passedFile), mostPassed))
	return p, ok && p.From == unit
}

// serial returns a unit's id in a sentence for the board, after a word: only one that can
// be no message, as the numbers of boards and machines are.
func serial(word, id string) string {
	if strings.Trim(id, "0123456789abcdefABCDEF") != "" {
		return "Another " + strings.ToLower(word)
	}
	return word + " " + id
}

// twice is a sentence for the board when the stick says that two units keep the record of
// this unit's table, and "" when it does not. It leaves word in the mirror of the unit that
// had the table, so that this one learns of it if it comes back to life with the stick.
func (w *mirroring) twice(root *os.Root, table string) (string, error) {
	const end = "One of them must be switched off or get another number."
	has, ours := took(w.Data, w.Unit)
	if p, gone := lost(root, w.Unit); gone && ours && p.By == has.From && further(has.stood(), p.stood()) {
		if err := root.Remove(path.Join(home(w.Unit), passedFile)); err != nil { // it came back to us
			return "", err
		}
	} else if gone && p.Table == table {
		return fmt.Sprintf("%s has taken table %s over from this one. %s", serial("Unit", p.By), table, end), nil
	}
	if !ours || has.Table != table {
		return "", nil
	}
	m, err := readManifest(root, home(has.From))
	if err != nil || m.Table != table {
		return "", nil // it is not on this stick, or stands elsewhere now
	}
	if err := has.leaveWord(root); err != nil {
		return "", err
	}
	if further(m, has.stood()) { // it was on again, or what was taken over was an old copy
		return fmt.Sprintf("%s, from which table %s came, has hands that are not here. %s", serial("Unit", has.From), table, end), nil
	}
	return "", nil
}
