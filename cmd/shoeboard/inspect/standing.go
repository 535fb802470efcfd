package inspect

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"shoeboard/cmd/shoeboard/config"
	"shoeboard/stats"
	"shoeboard/tracker/journal"
	"shoeboard/tracker/table"
)

// Standing are the faults of a unit: those that are there, and those that have ended and
// nobody has acknowledged.
type Standing struct {
	Faults []stats.Fault
	zone   *time.Location
	err    error // why they are not known
}

// Err is why the faults are not known: there is neither a core nor a record that can be
// read.
func (s Standing) Err() error { return s.err }

func shown(b *stats.Board, cfg config.Config) Standing {
	return Standing{Faults: slices.Concat(b.Faults, b.EndedFaults), zone: cfg.Location()}
}

// recorded are the faults that stand in the record of a core that is down.
func recorded(cfg config.Config) Standing {
	s := Standing{zone: cfg.Location()}
	dir := config.JournalDir(cfg.Data)
	if _, s.err = os.ReadDir(dir); s.err != nil {
		if errors.Is(s.err, fs.ErrNotExist) {
			s.err = nil // there is no record yet
		}
		return s
	}
	found, err := journal.Look(journal.Dir(dir))
	if s.err = err; err != nil {
		return s
	}
	state, err := table.Restore(found)
	s.Faults, s.err = table.Standing(state), err
	return s
}

// History is what the record says of a fault: since when, how often, whether it is over
// and who has acknowledged it.
func (s Standing) History(f stats.Fault) string {
	words := []string{"since a time that is not known"}
	if f.Began > 0 {
		words[0] = "since " + s.when(f.Began)
	}
	if f.Times > 1 {
		words = append(words, fmt.Sprintf("%d times", f.Times))
	}
	switch {
	case f.Ended && f.EndedAt > 0:
		words = append(words, "over since "+s.when(f.EndedAt))
	case f.Ended:
		words = append(words, "over")
	}
	if f.By != "" {
		return strings.Join(append(words, "acknowledged by "+f.By), ", ")
	}
	return strings.Join(append(words, "not acknowledged"), ", ")
}

func (s Standing) when(ms int64) string {
	return time.UnixMilli(ms).In(s.zone).Format("2006-01-02 15:04")
}

// remedies say what to do about the faults that a Board shows.
var remedies = map[string]string{
	"not-recording":  "keep the table on paper; look at storage and space below; change the card",
	"keypad-missing": "plug the keypad in again, or another one",
	ClockNotSet:      "let the unit reach a time server, or: sudo timedatectl set-time \"2026-11-30 18:00\"",
	stats.ConfigCode: "correct it (shoeboard config check), then: sudo shoeboard config reload",
	"table-unknown":  "sudo shoeboard config table 14, then: sudo systemctl restart shoeboard",
	"record":         "shoeboard verify tells what is missing; the hands since are safe",
	"history":        "sudo systemctl restart shoeboard makes the index anew",
	"safe-mode":      "journalctl -u shoeboard -b tells why it failed; then: sudo systemctl restart shoeboard",
	"no-start":       "journalctl -u shoeboard -b",
	"game-waits":     "nothing: the game changes with the next shoe",
	"keypad-unknown": "take the foreign keyboard off, or name it in the configuration: shoeboard hw list",
}

// remedy is what to do about a fault of that code.
func remedy(code string) string {
	if do, known := remedies[code]; known {
		return do
	}
	for prefix, do := range remedies {
		if strings.HasPrefix(code, prefix+"-") {
			return do
		}
	}
	return "see the sentence itself"
}

// probeFaults tells the faults that staff see on the board and those that stand in the
// record, with what has become of them.
func probeFaults(p *Patient) []Finding {
	if p.err != nil {
		return grouped("faults", Finding{Name: "standing", Verdict: Unknown, Text: "the record cannot be read: " + p.err.Error()})
	}
	var found []Finding
	for _, f := range p.Faults {
		g := Finding{Name: f.Code, Verdict: Broken, Text: f.Text + " (" + p.History(f) + ")", Do: remedy(f.Code)}
		switch {
		case f.Ended:
			g.Verdict, g.Do = Warning, "find out why; then: sudo shoeboard acknowledge "+f.Code
		case f.Code == ClockNotSet || f.Code == "game-waits":
			g.Verdict = Warning
		}
		found = append(found, g)
	}
	if len(found) == 0 {
		found = []Finding{{Name: "standing", Verdict: Fine, Text: "none"}}
	}
	return grouped("faults", found...)
}
