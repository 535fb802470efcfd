package doctor

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"shoeboard/cmd/internal/config"
	"shoeboard/cmd/internal/datadir"
	"shoeboard/stats"
	"shoeboard/tracker/history"
	"shoeboard/tracker/journal"
)

// ClockNotSet is the code of the one warning that is a fault on the board as well: the
// record's times depend on it.
const ClockNotSet = "clock-not-set"

// Faults returns the faults that are present, and those that have ended and nobody has
// acknowledged. The error says that there is neither a core nor a record that can be read.
func (u *Unit) Faults() ([]stats.Fault, error) { return u.faults, u.faultsErr }

// recordedFaults returns the faults in the record of a core that does not run.
func recordedFaults(data string) ([]stats.Fault, error) {
	dir := datadir.Journal(data)
	if _, err := os.ReadDir(dir); errors.Is(err, fs.ErrNotExist) {
		return nil, nil // there is no record yet
	} else if err != nil {
		return nil, err
	}
	found, err := journal.Look(journal.Dir(dir))
	if err != nil {
		return nil, err
	}
	state, unfit := history.Restore(found)
	return stats.Faults(state.Faults), errors.Join(unfit...)
}

// History returns what the record says of a fault: since when, how often, whether it has
// ended and who has acknowledged it.
func (u *Unit) History(f stats.Fault) string {
	when := func(ms int64) string {
		return time.UnixMilli(ms).In(u.Config.Location()).Format("2006-01-02 15:04")
	}
	words := []string{"since an unknown time"}
	if f.Began > 0 {
		words[0] = "since " + when(f.Began)
	}
	if f.Times > 1 {
		words = append(words, fmt.Sprintf("%d times", f.Times))
	}
	switch {
	case f.Ended && f.EndedAt > 0:
		words = append(words, "ended "+when(f.EndedAt))
	case f.Ended:
		words = append(words, "ended")
	}
	if f.By != "" {
		return strings.Join(append(words, "acknowledged by "+f.By), ", ")
	}
	return strings.Join(append(words, "not acknowledged"), ", ")
}

// checkFaults reports the faults that staff see on the board and those that are in the
// record.
func checkFaults(u *Unit) []Finding {
	if u.faultsErr != nil {
		return []Finding{Finding{Name: "standing"}.is(Unknown, "the record cannot be read: "+u.faultsErr.Error(), "")}
	}
	var found []Finding
	for _, f := range u.faults {
		g := Finding{Name: f.Code}.is(Broken, f.Text+" ("+u.History(f)+")", remedy(f.Code))
		switch {
		case f.Ended:
			g.Verdict, g.Do = Warning, "find out why; then: sudo shoeboard acknowledge "+f.Code
		case f.Code == ClockNotSet || f.Code == "game-waits":
			g.Verdict = Warning
		}
		found = append(found, g)
	}
	if len(found) == 0 {
		found = []Finding{Finding{Name: "standing"}.is(Fine, "none", "")}
	}
	return found
}

// Machine returns a unit as its own core sees it: the machine below root, without its
// devices, which report to the core themselves.
func Machine(root fs.FS, cfg config.Config) *Unit { return &Unit{root: root, Config: cfg} }

// BoardFaults returns the faults of the machine that belong on the board. It reads some
// twenty small files below /sys and the free space of the data folder.
func (u *Unit) BoardFaults() []Finding {
	var all []Finding
	for _, run := range []check{checkSpace, checkStorage, checkClock, checkPower, checkDisplay, checkUpdate} {
		all = append(all, run(u)...)
	}
	return slices.DeleteFunc(all, func(f Finding) bool {
		return f.Code == "" || f.Verdict != Broken && (f.Code != ClockNotSet || f.Verdict != Warning)
	})
}

// Sentence returns a finding as the board shows it: what was found and what to do.
func (f Finding) Sentence() string {
	if f.Do == "" {
		return capital(f.Text)
	}
	return capital(f.Text) + ". " + capital(f.Do)
}

func capital(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[n:]
}

// What to do about the machine.
const (
	changeCard  = "back up (sudo shoeboard backup FILE), then change the card"
	moreSpace   = "back up (sudo shoeboard backup FILE), then delete other files, or use a larger card"
	ownSupply   = "use the unit's own power supply and a short cable; unplug other USB devices"
	noMonitor   = "switch it on; check both ends of the cable; on a Pi use the socket HDMI 0"
	whyNoUpdate = "journalctl -u shoeboard-update tells why"
	recordLost  = "check the hands on the board with surveillance; back up (sudo shoeboard backup FILE); " +
		"shoeboard verify lists what is missing, export marks the shoes that only the index has; " +
		"the stick may have a copy; then change the card"
)

// remedies says what to do about the faults that a Board shows, by their codes or by what
// these begin with.
var remedies = map[string]string{
	"not-recording": "keep the table on paper; check storage and space below; change the card",
	"keypad-missing": "plug the keypad in again, or another one; check the plug of a wired one; " +
		"\"sudo shoeboard hw list\" shows what the unit sees",
	"keypad-unknown": "unplug the foreign keyboard, or name it in the configuration: sudo shoeboard hw list",
	"keypad":         "sudo shoeboard keypad test shows what its keys do; if one is stuck or dead, change the keypad",
	ClockNotSet: "let it reach a time server, use the menu (6), or: " +
		"sudo timedatectl set-time \"2026-11-30 18:00\"",
	"clock-moved": "compare the clock with another one; if it is right: sudo shoeboard acknowledge clock-moved",
	"staff": "enter the staff again: sudo shoeboard staff set NUMBER technician; " +
		"or ask nobody: sudo shoeboard staff clear",
	stats.ConfigCode: "correct it (shoeboard config check), then: sudo shoeboard config reload",
	"table-unknown":  "sudo shoeboard config table 14, then: sudo systemctl restart shoeboard",
	"table-twice": "at the unit that does not belong to the table: power off, or sudo shoeboard config table N, " +
		"then sudo systemctl restart shoeboard",
	"take-over":       "answer at the keypad, or: sudo shoeboard takeover",
	"record":          "shoeboard verify lists what is missing; the hands since are safe",
	"records-missing": recordLost,
	"hands-lost":      "enter each hand as surveillance shows it: sudo shoeboard fix NUMBER P (or B, T)",
	"game-newer":      "update the program: sudo shoeboard update FILE; then the missing bets return with their counts",
	"history":         "sudo systemctl restart shoeboard rebuilds the index",
	"safe-mode":       "journalctl -u shoeboard -b tells why it failed; then: sudo systemctl restart shoeboard",
	"screen-safe": "journalctl -u shoeboard-screen -b tells why it failed; then: " +
		"sudo systemctl restart shoeboard-screen",
	stats.NoScreen: "journalctl -u shoeboard-screen -b tells why; then: sudo systemctl restart shoeboard-screen",
	"no-start":     "journalctl -u shoeboard -b",
	"game-waits":   "nothing: the game changes with the next shoe",
	"stick":        "unplug the stick and plug it in again; if the fault stays, use another stick",
	"device": "check its cable, its power, and its section of the configuration; " +
		"\"sudo shoeboard hw list\" shows what the unit sees",
	"shoe-reader-lost": "check the shoe's cable and power; \"sudo shoeboard hw list\" shows what the unit sees; " +
		"until then key the hands",
	"shoe-trouble":  "check the shoe itself; \"sudo shoeboard shoe monitor\" shows what it sends",
	"shoe":          "compare the last hands with the cards on the table; hold CLEAR to correct one",
	"no-monitor":    noMonitor,
	"no-space":      moreSpace,
	"read-only":     changeCard,
	"storage":       changeCard,
	"worn":          changeCard,
	"too-hot":       moreAir,
	"under-voltage": ownSupply,
	"update-failed": whyNoUpdate,
}

// moreAir is the remedy of a processor that throttles itself.
const moreAir = "improve the airflow: the processor slows itself down"

// remedy returns what to do about a fault of that code: of the remedies that fit, the one
// with the longest name.
func remedy(code string) string {
	best, found := "", "journalctl -u shoeboard -b tells more"
	for name, do := range remedies {
		if (code == name || strings.HasPrefix(code, name+"-")) && len(name) > len(best) {
			best, found = name, do
		}
	}
	return found
}
