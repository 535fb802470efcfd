package history

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"shoeboard/stats"
	"shoeboard/tracker"
	"shoeboard/tracker/game"
)

// Totals holds a shoe's figures and notes in its row.
type Totals struct {
	Player   int            `json:"player"`
	Banker   int            `json:"banker"`
	Tie      int            `json:"tie"`
	Free     int            `json:"free,omitempty"`
	Bets     map[string]int `json:"bets"`
	Naturals stats.Naturals `json:"naturals"`
	Fixes    int            `json:"fixes,omitempty"`
	Voids    int            `json:"voids,omitempty"`
	Lost     int            `json:"lost,omitempty"` // hands whose records cannot be read
	Number   int            `json:"number"`
	Pack     string         `json:"pack"`                 // the game's digest, the first letters of it
	Only     bool           `json:"index_only,omitempty"` // the record has lost the shoe; see Only
	// Notes are the corrections and faults, an array of Note; none: an earlier version wrote the row.
	Notes json.RawMessage `json:"notes,omitempty"`
}

// PackLetters says how many letters of a digest tell one pack from another.
const PackLetters = 16

// Rows makes rows of shoes. It remembers how results are written, which takes long to
// find out.
type Rows struct {
	pack  *game.Pack
	words map[game.Result]string
}

// Row returns the row of a shoe.
func (m *Rows) Row(d Dealt) Row {
	s := d.Shoe
	f := stats.Fold(s, tracker.Settings{})
	t := Totals{Player: f.Player.N, Banker: f.Banker.N, Tie: f.Tie.N, Free: f.Free, Bets: map[string]int{},
		Naturals: f.Naturals, Fixes: s.Fixes, Voids: s.Voids, Lost: len(f.Lost), Number: s.Number, Notes: []byte("[]")}
	row := Row{Shoe: s.Started.Seq, Day: s.Day, Table: d.Table, First: s.Started.Seq, Last: LastOf(s),
		Started: s.Started.Wall * int64(time.Millisecond), Ended: s.RecordedAt().Wall * int64(time.Millisecond),
		Trusted: s.Started.Trusted, Hands: len(s.Hands), Packed: m.packed(s),
		partial: d.partial || len(f.Lost) > 0}
	if s.Pack != nil {
		row.Game, t.Pack = s.Pack.ID, s.Pack.Digest[:PackLetters]
		for i, b := range s.Pack.Bets {
			t.Bets[b.ID] = f.Bets[i].N
		}
	}
	if len(d.Notes) > 0 {
		t.Notes, _ = json.Marshal(d.Notes) // of plain fields, as the totals: cannot fail
	}
	row.Totals, _ = json.Marshal(t)
	return row
}

// LastOf returns the sequence number of the newest hand's record in a shoe.
func LastOf(s tracker.Shoe) uint64 {
	last := s.Started.Seq
	for _, h := range s.Hands {
		last = max(last, h.At.Seq)
	}
	return last
}

// LastEnded returns the sequence number of the last hand of the shoe before the one in play,
// 0 when none has ended.
func LastEnded(s tracker.State) uint64 {
	switch {
	case s.Finished != nil:
		return LastOf(*s.Finished)
	case s.Previous != nil:
		return LastOf(*s.Previous)
	}
	return 0
}

// saysNotes reports whether a row says what was noted, as one of an earlier version does not.
func saysNotes(r Row) bool { return bytes.Contains(r.Totals, []byte(`,"notes":[`)) }

// NotesOf returns the notes of a row.
func NotesOf(r Row) (notes []Note, err error) {
	if !saysNotes(r) || bytes.Contains(r.Totals, []byte(`,"notes":[]`)) {
		return nil, nil
	}
	var t Totals
	if err = json.Unmarshal(r.Totals, &t); err == nil {
		err = json.Unmarshal(t.Notes, &notes)
	}
	if err != nil {
		err = fmt.Errorf("shoe %d: %w: %w", r.Shoe, ErrPacked, err)
	}
	return notes, err
}

// token returns the canonical token of a hand.
func (m *Rows) token(p *game.Pack, h tracker.Hand) string {
	if h.Cards != "" || h.More != "" {
		return tracker.FormatToken(p, h)
	}
	if m.words == nil || m.pack != p {
		m.pack, m.words = p, map[game.Result]string{}
	}
	word, known := m.words[h.Result]
	if !known {
		word = tracker.FormatToken(p, h)
		m.words[h.Result] = word
	}
	return word
}

// Flags of a hand, below the number of its token.
const (
	packedFree = 1 << iota
	packedFixed
	packedTrusted
	packedFlags = iota
)

// packed returns the tokens that occur in the shoe, as a shoe file has them, and a new
// line; then for each hand three numbers: which token with what flags, how many records and
// how many seconds it is after the hand before (the first: after the shoe's beginning).
func (m *Rows) packed(s tracker.Shoe) []byte {
	var words []string
	number := map[string]uint64{}
	var hands []byte
	seq, sec := s.Started.Seq, s.Started.Wall/1000
	for _, h := range s.Hands {
		word := m.token(s.Pack, h)
		n, known := number[word]
		if !known {
			n = uint64(len(words))
			number[word], words = n, append(words, word)
		}
		flags := flag(h.Free, packedFree) | flag(h.Fixed, packedFixed) | flag(h.At.Trusted, packedTrusted)
		hands = binary.AppendUvarint(hands, n<<packedFlags|flags)
		hands = binary.AppendVarint(hands, int64(h.At.Seq-seq))
		hands = binary.AppendVarint(hands, h.At.Wall/1000-sec)
		seq, sec = h.At.Seq, h.At.Wall/1000
	}
	return append([]byte(strings.Join(words, " ")+"\n"), hands...)
}

func flag(on bool, bit uint64) uint64 {
	if on {
		return bit
	}
	return 0
}

// Hand is a hand from a row.
type Hand struct {
	Token                int // place in the row's tokens
	Free, Fixed, Trusted bool
	Seq                  uint64 // its record
	Sec                  int64  // when it was recorded, Unix time
}

// Lost reports whether the record of the hand cannot be read.
func (h Hand) Lost() bool { return h.Seq == 0 }

// ErrPacked says that this program cannot read the hands of a row.
var ErrPacked = errors.New("its hands are not packed as this program packs them")

// Unpack appends the hands of a row to hands.
func Unpack(r Row, hands []Hand) (tokens []string, _ []Hand, err error) {
	end := bytes.IndexByte(r.Packed, '\n')
	if end < 0 {
		return nil, hands, fmt.Errorf("shoe %d: %w", r.Shoe, ErrPacked)
	}
	tokens = strings.Fields(string(r.Packed[:end]))
	rest := r.Packed[end+1:]
	seq, sec := int64(r.Shoe), r.Started/int64(time.Second)
	for range r.Hands {
		n, a := binary.Uvarint(rest)
		records, b := binary.Varint(rest[max(a, 0):])
		seconds, c := binary.Varint(rest[max(a, 0)+max(b, 0):])
		token := n >> packedFlags
		if a <= 0 || b <= 0 || c <= 0 || token >= uint64(len(tokens)) {
			return nil, hands, fmt.Errorf("shoe %d: %w", r.Shoe, ErrPacked)
		}
		rest = rest[a+b+c:]
		seq, sec = seq+records, sec+seconds
		hands = append(hands, Hand{Token: int(token), Free: n&packedFree != 0, Fixed: n&packedFixed != 0,
			Trusted: n&packedTrusted != 0, Seq: uint64(seq), Sec: sec})
	}
	if len(rest) > 0 {
		return nil, hands, fmt.Errorf("shoe %d: %w", r.Shoe, ErrPacked)
	}
	return tokens, hands, nil
}
