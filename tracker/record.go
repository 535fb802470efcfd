package tracker

import (
	"encoding/json"
	"fmt"
	"strings"
)

// recordVersion is the version of a record's payload. Fields and kinds may be
// added within a version.
const recordVersion = 1

// Record is one decision as the journal keeps it: the facts that follow from it
// and the presses that led to it. It is written whole or not at all.
type Record struct {
	Events []Event
	Keys   []string // key names, oldest first
}

type savedRecord struct {
	V      int     `json:"v"`
	Events []Event `json:"e"`
	Keys   string  `json:"keys,omitempty"`
}

// Marshal returns the payload of r in the journal: JSON, at most some 200 bytes for a hand.
func (r Record) Marshal() ([]byte, error) {
	return json.Marshal(savedRecord{V: recordVersion, Events: r.Events, Keys: strings.Join(r.Keys, " ")})
}

// UnmarshalRecord reads a payload back and gives its events the stamp of the
// journal's envelope. An unknown version is an error, never skipped; of an unknown
// kind it is Apply that judges.
func UnmarshalRecord(data []byte, at Stamp) (Record, error) {
	var s savedRecord
	if err := json.Unmarshal(data, &s); err != nil {
		return Record{}, fmt.Errorf("record %d: %w", at.Seq, err)
	}
	if s.V != recordVersion {
		why := fmt.Errorf("version %d, expected %d", s.V, recordVersion)
		if s.V > recordVersion {
			why = &newerError{why.Error()}
		}
		return Record{}, fmt.Errorf("record %d: %w", at.Seq, why)
	}
	for i := range s.Events {
		s.Events[i].At = at
	}
	return Record{Events: s.Events, Keys: strings.Fields(s.Keys)}, nil
}
