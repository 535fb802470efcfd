package localapi

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"shoeboard/stats"
	"shoeboard/stats/road"
	"shoeboard/tracker/game"
	"shoeboard/tracker/strict"
)

const (
	// MaxBoard is the most bytes of JSON that a Board may have. A full shoe with
	// its roads and the previous one takes less than a tenth of it.
	MaxBoard = 1 << 20
	// maxPress and maxCorrection are the most bytes that the bodies of a press and of a
	// correction may have.
	maxPress      = 256
	maxCorrection = 2048
	// maxKey is the most bytes that a key's name may have.
	maxKey = 32
	// maxIdentify is how long a table number may flash, s.
	maxIdentify = 600
)

// AnswerError is a refusal by the core: Text is one sentence for people.
type AnswerError struct {
	Status int    `json:"-"` // of HTTP: 400 not understood, 403 not allowed, 409 refused, 501 cannot, 503 not now
	Text   string `json:"error"`
}

func (e *AnswerError) Error() string { return e.Text }

func badRequest(format string, a ...any) error {
	return &AnswerError{Status: 400, Text: fmt.Sprintf(format, a...)}
}

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
	// Drawn is how long ago a screen last said that the board is on it, ms; nil: none
	// has since the core started.
	Drawn *int64 `json:"drawn_ms,omitempty"`
}

// press is the body of POST /v1/press.
type press struct {
	Key  string `json:"key"`
	Down *bool  `json:"down"`
}

// parsePress reads the body of a press, strictly: one object, both fields, no
// other. Whether there is such a key is for the core to say.
func parsePress(data []byte) (key string, down bool, err error) {
	const want = `expected {"key":"BANKER","down":true}`
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	var p press
	if err := d.Decode(&p); err != nil {
		return "", false, badRequest("press not understood: %v; %s", err, want)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return "", false, badRequest("press: something follows the object; %s", want)
	}
	if p.Key == "" || p.Down == nil {
		return "", false, badRequest("press: key or down is missing; %s", want)
	}
	if !plainName(p.Key) {
		return "", false, badRequest("press: key %q, expected the name of a key, at most %d plain letters, digits and spaces", p.Key, maxKey)
	}
	return p.Key, *p.Down, nil
}

// Correction is what the floor wants of a hand of the shoe in play.
type Correction struct {
	Do    string `json:"do"`              // "fix", "insert" or "remove"
	Hand  int    `json:"hand"`            // its number, from 1
	Token string `json:"token,omitempty"` // what it is to be: see tracker.Spell
	Free  *bool  `json:"free,omitempty"`  // whether it is a free hand; nil: a fixed one stays what it is
	By    string `json:"by,omitempty"`    // in whose name, when root asks; else who asks
	Why   string `json:"why,omitempty"`
}

// Corrected is what came of a correction.
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

// parseCorrection reads the body of a correction, strictly: one object, no other field.
// Whether there is such a hand is for the core to say.
func parseCorrection(data []byte) (c Correction, err error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&c); err != nil {
		return c, err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return c, errors.New("something follows the object")
	}
	switch {
	case c.Do != "fix" && c.Do != "insert" && c.Do != "remove":
		return c, fmt.Errorf("do is %q, expected fix, insert or remove", c.Do)
	case c.Hand < 1:
		return c, fmt.Errorf("hand %d, expected 1 or more", c.Hand)
	case (c.Do == "remove") != (c.Token == ""):
		return c, fmt.Errorf("token %q: fix and insert take one, remove takes none", c.Token)
	}
	return c, nil
}

func plainName(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return len(s) <= maxKey
}

// parseSeconds reads how long to identify.
func parseSeconds(s string) (time.Duration, error) {
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 || n > maxIdentify {
		return 0, badRequest("identify: seconds %q, expected a whole number from 0 (stop) to %d", s, maxIdentify)
	}
	return time.Duration(n) * time.Second, nil
}

// parseScreenTest reads which page of the screen's test is wanted, "" for none, and
// whether in the middle of a hand as well.
func parseScreenTest(q url.Values) (page string, forced bool, err error) {
	page, pages := q.Get("page"), stats.TestPages()
	if page != "" && !slices.Contains(pages, page) {
		hint := "expected one of " + strings.Join(pages, ", ")
		if near, ok := strict.Nearest(page, pages); ok {
			hint = "did you mean " + near + "? " + hint
		}
		return "", false, badRequest("screen test: there is no page %q: %s", page, hint)
	}
	if s := q.Get("force"); s != "" {
		if forced, err = strconv.ParseBool(s); err != nil {
			return "", false, badRequest("screen test: force %q, expected true or false", s)
		}
	}
	return page, forced, nil
}

// decodeBoard reads a Board and refuses one that this program would show wrongly.
func decodeBoard(data []byte) (*stats.Board, error) {
	if len(data) > MaxBoard {
		return nil, fmt.Errorf("the core sent a board of %d bytes, expected at most %d", len(data), MaxBoard)
	}
	b := new(stats.Board)
	if err := json.Unmarshal(data, b); err != nil {
		return nil, fmt.Errorf("the core sent something that is not a board: %w", err)
	}
	if b.Version != stats.BoardVersion {
		return nil, fmt.Errorf("the core sent a board of version %d, this program reads version %d: start both again from the same package",
			b.Version, stats.BoardVersion)
	}
	if err := errors.Join(checkShoe(b, &b.Shoe), checkShoe(b, b.Previous)); err != nil {
		return nil, fmt.Errorf("the core sent a board that does not hold together: %w", err)
	}
	return b, nil
}

func checkShoe(b *stats.Board, s *stats.Shoe) error {
	if s == nil {
		return nil
	}
	if len(s.Bets) != len(b.Game.Bets) {
		return fmt.Errorf("shoe %d counts %d bets, the game has %d", s.Number, len(s.Bets), len(b.Game.Bets))
	}
	for i, m := range s.Marks {
		lost := m.Outcome == game.NoOutcome && slices.Contains(s.Lost, i+1)
		if m.Outcome > game.Tie || m.Outcome == game.NoOutcome && !lost {
			return fmt.Errorf("hand %d of shoe %d has outcome %d, expected 1 to 3", i+1, s.Number, m.Outcome)
		}
	}
	return checkRoads(s)
}

// checkRoads looks at what a reader takes for an index: the rows, and the hands
// that marks stand for.
func checkRoads(s *stats.Shoe) error {
	if s.Roads == nil {
		return nil
	}
	if len(s.Roads.BeadPlate) > len(s.Marks) {
		return fmt.Errorf("shoe %d has %d beads for %d hands", s.Number, len(s.Roads.BeadPlate), len(s.Marks))
	}
	rows := make([]uint8, 0, 5*len(s.Marks))
	for _, m := range s.Roads.BeadPlate {
		rows = append(rows, m.Row)
	}
	for _, m := range s.Roads.BigRoad {
		rows = append(rows, m.Row)
		if int(m.Hand) >= len(s.Marks) {
			return fmt.Errorf("shoe %d has a mark for hand %d of %d", s.Number, m.Hand+1, len(s.Marks))
		}
	}
	for _, derived := range [][]road.Derived{s.Roads.BigEyeBoy, s.Roads.SmallRoad, s.Roads.CockroachPig} {
		for _, m := range derived {
			rows = append(rows, m.Row)
		}
	}
	if len(rows) > 0 && slices.Max(rows) >= road.Rows {
		return fmt.Errorf("shoe %d has a mark in row %d, expected at most %d", s.Number, slices.Max(rows)+1, road.Rows)
	}
	return nil
}
