package localapi

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"shoeboard/stats"
)

const (
	// maxPress and maxCorrection limit the bodies of a press and of a correction, in bytes.
	maxPress      = 256
	maxCorrection = 2048
	// maxKey limits a key's name, in bytes.
	maxKey = 32
	// maxIdentify limits how long a table number may flash, in seconds.
	maxIdentify = 600
)

// AnswerError is a refusal by the core: Text is one sentence for people.
type AnswerError struct {
	Status int    `json:"-"` // of HTTP: 400 not understood, 403 not allowed, 409 refused, 501 cannot, 503 not now
	Text   string `json:"error"`
}

func (e *AnswerError) Error() string { return e.Text }

// Version says which program the core is.
type Version struct {
	Program  string `json:"version"`            // "1.2.0"
	Revision string `json:"revision,omitempty"` // of the source
	Go       string `json:"go,omitempty"`
	Board    int    `json:"board"` // stats.BoardVersion
}

// Health says whether the core works, and what staff must know of the unit.
type Health struct {
	Alive  bool          `json:"alive"`           // its loop answers
	Error  string        `json:"error,omitempty"` // why not
	Seq    uint64        `json:"seq"`             // of the newest Board
	Faults []stats.Fault `json:"faults,omitempty"`
	// Drawn is how long ago a screen last reported that it shows the board, ms; nil: none
	// has since the core started.
	Drawn *int64 `json:"drawn_ms,omitempty"`
}

// decodeStrict decodes one object without a field that v does not have.
func decodeStrict(data []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		return err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errors.New("something follows the object")
	}
	return nil
}

// press is the body of POST /v1/press.
type press struct {
	Key  string `json:"key"`
	Down *bool  `json:"down"`
}

// check requires both fields and a name of plain letters. Whether there is such a key is
// for the core to say.
func (p press) check() error {
	if p.Key == "" || p.Down == nil {
		return errors.New("key or down is missing")
	}
	if !isKeyName(p.Key) {
		return fmt.Errorf("key %q, expected the name of a key, at most %d plain letters, digits and spaces",
			p.Key, maxKey)
	}
	return nil
}

func isKeyName(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return len(s) <= maxKey
}

// Correction is what the floor wants of a hand of the shoe in play.
type Correction struct {
	Do    string `json:"do"`              // "fix", "insert" or "remove"
	Hand  int    `json:"hand"`            // its number, from 1
	Token string `json:"token,omitempty"` // what it is to be: see tracker.Spell
	Free  *bool  `json:"free,omitempty"`  // whether it is a free hand; nil: a fixed one stays what it is
	By    string `json:"by,omitempty"`    // in whose name, when root sends it; otherwise the sender
	Why   string `json:"why,omitempty"`
}

// check requires what the correction needs. Whether there is such a hand is for the core
// to say.
func (c Correction) check() error {
	switch {
	case c.Do != "fix" && c.Do != "insert" && c.Do != "remove":
		return fmt.Errorf("do is %q, expected fix, insert or remove", c.Do)
	case c.Hand < 1:
		return fmt.Errorf("hand %d, expected 1 or more", c.Hand)
	case (c.Do == "remove") != (c.Token == ""):
		return fmt.Errorf("token %q: fix and insert take one, remove takes none", c.Token)
	}
	return nil
}

// Corrected is the result of a correction.
type Corrected struct {
	Hand  int    `json:"hand"`
	Was   string `json:"was,omitempty"` // its token before, empty for an inserted hand
	Token string `json:"token,omitempty"`
	Free  bool   `json:"free,omitempty"`
	Hands int    `json:"hands"` // in the shoe now
	By    string `json:"by"`
	// Review: the board is frozen, and shows it when that is released.
	Review bool `json:"review,omitempty"`
}
