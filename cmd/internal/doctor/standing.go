package doctor

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"shoeboard/cmd/internal/config"
	"shoeboard/cmd/internal/datadir"
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
	dir := datadir.Journal(cfg.Data)
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
	state, unfit := table.Restore(found)
	s.Faults, s.err = table.Standing(state), errors.Join(unfit...)
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

// remedies say what to do about the faults that a Board shows, by their codes or what
// these begin with.
var remedies = map[string]string{
	"not-recording":    "keep the table on paper; look at storage and space below; change the card",
	"keypad-missing":   "plug the keypad in again, or another one; of a wired one look at its plug; \"sudo shoeboard hw list\" tells what the unit sees",
	"keypad-unknown":   "take the foreign keyboard off, or name it in the configuration: sudo shoeboard hw list",
	"keypad":           "sudo shoeboard keypad test shows what its keys do; if one is stuck or dead, change the keypad",
	ClockNotSet:        "let it reach a time server, use the menu (6), or: sudo timedatectl set-time \"2026-11-30 18:00\"",
	stats.ConfigCode:   "correct it (shoeboard config check), then: sudo shoeboard config reload",
	"table-unknown":    "sudo shoeboard config table 14, then: sudo systemctl restart shoeboard",
	"table-twice":      "at the unit that is not the table's: power off, or sudo shoeboard config table N, then sudo systemctl restart shoeboard",
	"take-over":        "answer at the keypad, or: sudo shoeboard takeover",
	"record":           "shoeboard verify tells what is missing; the hands since are safe",
	"records-missing":  missingRecords,
	"hands-lost":       "put each hand in as the surveillance shows it: sudo shoeboard fix NUMBER P (or B, T)",
	"game-newer":       "update the program: sudo shoeboard update FILE; the bets that are left out come back with their counts",
	"history":          "sudo systemctl restart shoeboard makes the index anew",
	"safe-mode":        "journalctl -u shoeboard -b tells why it failed; then: sudo systemctl restart shoeboard",
	"screen-safe":      "journalctl -u shoeboard-screen -b tells why it failed; then: sudo systemctl restart shoeboard-screen",
	stats.NoScreen:     "journalctl -u shoeboard-screen -b tells why; then: sudo systemctl restart shoeboard-screen",
	"no-start":         "journalctl -u shoeboard -b",
	"game-waits":       "nothing: the game changes with the next shoe",
	"stick":            "take the stick out and put it in again; if it stays, another stick",
	"device":           "look at its cable, its power, and what the configuration says of it; \"sudo shoeboard hw list\" tells what the unit sees",
	"shoe-reader-lost": "look at the shoe's cable and power; \"sudo shoeboard hw list\" tells what the unit sees; until then hands are keyed",
	"shoe-trouble":     "look at the shoe itself; \"sudo shoeboard shoe monitor\" shows what it sends",
	"shoe":             "compare the last hands with the cards on the table; hold CLEAR puts one right",
	"no-monitor":       noMonitor,
	"no-space":         moreSpace,
	"read-only":        changeCard,
	"storage":          changeCard,
	"worn":             changeCard,
	"too-hot":          "give it air: it slows itself down",
	"under-voltage":    ownSupply,
	"update-failed":    whyNoUpdate,
}

// What to do about the machine.
const (
	changeCard     = "back up (sudo shoeboard backup FILE), then put in another card"
	moreSpace      = "back up (sudo shoeboard backup FILE), then delete what is not the record's, or put in a larger card"
	ownSupply      = "use the unit's own power supply and a short cable; take other things off its USB ports"
	noMonitor      = "switch it on; look at the cable at both ends; on a Pi use the socket HDMI 0"
	missingRecords = "check the hands on the board with the surveillance; back up (sudo shoeboard backup FILE); shoeboard verify tells what is missing, export marks the shoes that only the index has; the stick that was in may hold it; then put in another card"
	whyNoUpdate    = "look why: journalctl -u shoeboard-update"
)

// remedy is what to do about a fault of that code; of the remedies that fit the one with
// the longest name.
func remedy(code string) string {
	best, found := "", "journalctl -u shoeboard -b tells more"
	for name, do := range remedies {
		if (code == name || strings.HasPrefix(code, name+"-")) && len(name) > len(best) {
			best, found = name, do
		}
	}
	return found
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
