package table

import "encoding/json"

// savedEntry holds what was being keyed when the record ended with number Seq.
type savedEntry struct {
	Seq   uint64          `json:"seq"`
	Entry json.RawMessage `json:"entry"`
}

// keepEntry saves what is being keyed whenever it has changed. While a record is in flight
// two states may be found after a kill, with it and without it, so both are written:
// without it the hand in flight is unfinished again, with it what was keyed since is.
func (e *Engine) keepEntry() {
	now := e.console.Save(e.context())
	for _, p := range e.queue {
		if p.entry != nil {
			now = p.entry
			break
		}
	}
	without := now
	var entries []savedEntry
	add := func(seq uint64, entry []byte) {
		if entry != nil {
			entries = append(entries, savedEntry{Seq: seq, Entry: entry})
		}
	}
	if f := e.inFlight; f != nil {
		if f.entry != nil {
			without = f.entry
		}
		add(e.state.Seq+1, now)
		if e.rolled {
			add(e.state.Seq+2, now)
		}
	}
	add(e.state.Seq, without)
	data := []byte{}
	if len(entries) > 0 {
		data, _ = json.Marshal(entries) // such fields cannot fail
	}
	if string(data) != e.entry {
		e.entry, e.effects.Entry = string(data), &data
	}
}

// entryFor returns what was being keyed when the record ended with number seq, nil when
// nothing was: what is older than the record has been recorded or is void.
func entryFor(saved []byte, seq uint64) []byte {
	var entries []savedEntry
	if json.Unmarshal(saved, &entries) != nil {
		return nil
	}
	for _, e := range entries {
		if e.Seq == seq {
			return e.Entry
		}
	}
	return nil
}
