package table

import (
	"encoding/json"
	"slices"

	"shoeboard/tracker/console"
)

// pendingEntry is what was pending when the record stood at Seq.
type pendingEntry struct {
	Seq   uint64          `json:"seq"`
	Entry json.RawMessage `json:"entry"`
}

// keepScratch saves what is pending whenever it has changed. While a record is on
// its way two states may be found after a kill, with it and without it, so both
// are written: without it the hand on its way is unfinished again, with it what
// was keyed since is.
func (d *Desk) keepScratch() {
	now := d.entry()
	if i := slices.IndexFunc(d.queue, func(w wish) bool { return w.entry != nil }); i >= 0 {
		now = d.queue[i].entry
	}
	without := now
	var entries []pendingEntry
	if d.flight != nil {
		if d.flight.entry != nil {
			without = d.flight.entry
		}
		entries = appendEntry(entries, d.state.Seq+1, now)
		if d.rolled {
			entries = appendEntry(entries, d.state.Seq+2, now)
		}
	}
	entries = appendEntry(entries, d.state.Seq, without)
	data := []byte{}
	if len(entries) > 0 {
		data, _ = json.Marshal(entries) // of plain fields: cannot fail
	}
	if string(data) != d.scratch {
		d.scratch = string(data)
		d.work.Pending = &data
	}
}

// entry is what is pending at the console, nil when nothing is that would come back.
func (d *Desk) entry() []byte {
	return d.console.Save(&console.Context{State: d.state})
}

func appendEntry(to []pendingEntry, seq uint64, entry []byte) []pendingEntry {
	if entry == nil {
		return to
	}
	return append(to, pendingEntry{Seq: seq, Entry: entry})
}

// entryFor is the entry that was pending when the record stood at seq, nil when
// there is none: one that is older than the record has been recorded or is void.
func entryFor(scratch []byte, seq uint64) []byte {
	var entries []pendingEntry
	if json.Unmarshal(scratch, &entries) != nil {
		return nil
	}
	for _, e := range entries {
		if e.Seq == seq {
			return e.Entry
		}
	}
	return nil
}
