package doctor

import (
	"io/fs"
	"slices"
	"unicode"
	"unicode/utf8"

	"shoeboard/cmd/internal/config"
)

// ClockNotSet is the one warning that is a fault on the board as well: the record's
// times depend on it.
const ClockNotSet = "clock-not-set"

// Machine is the patient as its own core sees it: the machine below root, without its
// devices, which tell the core themselves.
func Machine(root fs.FS, cfg config.Config) *Patient { return &Patient{root: root, Config: cfg} }

// Monitors reports whether no monitor is connected, and whether those that are have not
// said what they can show. Of a machine that names no connectors neither is known.
func (p *Patient) Monitors() (missing, mute bool) {
	all := Connectors(p.root)
	missing = len(all) > 0 && !slices.ContainsFunc(all, func(c Connector) bool { return c.Connected })
	return missing, len(all) > 0 && !missing && !slices.ContainsFunc(all, Usable)
}

// Watched are the faults of the machine that belong on the board. They read some twenty small
// files below /sys and ask for the space of the data folder.
func (p *Patient) Watched() []Finding {
	var all []Finding
	for _, look := range []probe{probeSpace, probeStorage, probeClock, probePower, probeDisplay, probeUpdate} {
		all = append(all, look(p)...)
	}
	return slices.DeleteFunc(all, func(f Finding) bool {
		return f.Code == "" || f.Verdict != Broken && (f.Code != ClockNotSet || f.Verdict != Warning)
	})
}

// Voltage is the finding about the supply alone, and false where nothing watches it. A
// supply that drops for seconds is seen only by who looks every few seconds.
func (p *Patient) Voltage() (Finding, bool) {
	f := voltage(p.root)
	return f, f.Verdict != Unknown
}

// Sentence is a finding as the board says it: what was found and what to do.
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
