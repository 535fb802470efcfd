package table

import (
	"bytes"
	"encoding/json"
	"time"

	"shoeboard/tracker"
	"shoeboard/tracker/game"
)

// head is what a walk for shoes needs of a checkpoint.
type head struct {
	table    string
	finished *tracker.Shoe
	previous uint64 // the record that began the previous shoe, 0: there is none

	// How both are written, where that was read quickly: the same text, the same shoe.
	finishedText, previousText []byte
}

// newest is the record that began the newest shoe that has ended, 0: none has.
func (h head) newest() uint64 {
	if h.finished != nil {
		return h.finished.Started.Seq
	}
	return h.previous
}

// headReader reads heads. Checkpoints are written by tracker.MarshalCheckpoint, field
// after field, and are read in that order: a tenth of the time that a reader of any
// JSON takes. Whatever is not as expected is left to tracker.
type headReader struct {
	packs map[string]*game.Pack
	pack  *game.Pack
	hands map[string]tracker.Hand // by their token, in pack
	boot  string
	text  []byte // the rest of what is being read
}

func (q *headReader) read(payload []byte) (head, error) {
	if h, ok := q.quick(payload); ok {
		return h, nil
	}
	s, err := tracker.UnmarshalCheckpoint(payload)
	if err != nil {
		return head{}, err
	}
	h := head{table: s.Settings.Table, finished: s.Finished}
	if s.Previous != nil {
		h.previous = s.Previous.Started.Seq
	}
	return h, nil
}

// quick finds the parts by their keys: in JSON a quote inside a text stands behind a
// backslash, so ,"shoe":{ is never part of one.
func (q *headReader) quick(payload []byte) (h head, ok bool) {
	body, _, ok := bytes.Cut(payload, []byte(`,"phase":`))
	if !ok || !bytes.HasPrefix(body, []byte(`{"v":1,"seq":`)) {
		return h, false
	}
	before, rest, ok := bytes.Cut(body, []byte(`,"settings":{"table":`))
	if !ok {
		return h, false
	}
	q.text = rest
	h.table, ok = q.word()
	_, packs, some := bytes.Cut(before, []byte(`,"packs":`))
	_, rest, began := bytes.Cut(q.text, []byte(`,"shoe":{`))
	if !ok || !some || !began {
		return h, false
	}
	rest, previous, has := bytes.Cut(rest, []byte(`,"previous":{`))
	if has {
		h.previousText = previous
		if _, q.text, has = bytes.Cut(previous, []byte(`,"started":{"seq":`)); !has {
			return h, false
		}
		seq, ok := q.number()
		if h.previous = uint64(seq); !ok {
			return h, false
		}
	}
	_, finished, has := bytes.Cut(rest, []byte(`,"finished":{`))
	if !has {
		return h, true
	}
	q.text, h.finishedText = finished, finished
	s, ok := q.shoe(packs)
	h.finished = &s
	return h, ok && len(q.text) == 0
}

// shoe reads a shoe behind its brace; packs is where its game stands.
func (q *headReader) shoe(packs []byte) (s tracker.Shoe, ok bool) {
	if !q.skip(`"pack":`) {
		return s, false
	}
	digest, ok := q.word()
	if !ok || !q.installed(digest, packs) {
		return s, false
	}
	s.Pack = q.pack
	ok = q.field(`,"number":`, &s.Number)
	if ok && q.skip(`,"day":`) {
		s.Day, ok = q.word()
	}
	if !ok || !q.skip(`,"started":`) || !q.stamp(&s.Started) ||
		!q.field(`,"last":`, &s.Last) || !q.field(`,"fixes":`, &s.Fixes) || !q.field(`,"voids":`, &s.Voids) {
		return s, false
	}
	if !q.skip(`,"hands":[`) {
		return s, q.skip("}")
	}
	s.Hands = make([]tracker.Hand, 0, 96)
	for {
		h, ok := q.hand()
		if !ok {
			return s, false
		}
		s.Hands = append(s.Hands, h)
		if !q.skip(",") {
			return s, q.skip("]}")
		}
	}
}

// installed finds the game with this digest.
func (q *headReader) installed(digest string, packs []byte) bool {
	if q.pack != nil && q.pack.Digest == digest {
		return true
	}
	p, known := q.packs[digest]
	if !known {
		var sources map[string]string
		if json.Unmarshal(packs, &sources) != nil {
			return false
		}
		var err error
		if p, err = game.Parse([]byte(sources[digest])); err != nil || p.Digest != digest {
			return false
		}
		if q.packs == nil {
			q.packs = map[string]*game.Pack{}
		}
		q.packs[digest] = p
	}
	q.pack, q.hands = p, map[string]tracker.Hand{}
	return true
}

func (q *headReader) hand() (h tracker.Hand, ok bool) {
	if !q.skip(`{"r":`) {
		return h, false
	}
	token, ok := q.plain()
	if !ok {
		return h, false
	}
	h, known := q.hands[string(token)]
	if !known {
		var err error
		if h, err = tracker.ReadToken(q.pack, string(token)); err != nil {
			return h, false
		}
		q.hands[string(token)] = h
	}
	h.Free = q.skip(`,"free":true`)
	h.Fixed = q.skip(`,"fixed":true`)
	return h, q.skip(`,"at":`) && q.stamp(&h.At) && q.skip("}")
}

// stamp reads a stamp; what is zero is not written.
func (q *headReader) stamp(s *tracker.Stamp) bool {
	if !q.skip("{") {
		return false
	}
	for !q.skip("}") {
		q.skip(",")
		var n int64
		var ok bool
		switch {
		case q.skip(`"seq":`):
			n, ok = q.number()
			s.Seq = uint64(n)
		case q.skip(`"boot":`):
			var b []byte
			if b, ok = q.plain(); string(b) != q.boot {
				q.boot = string(b)
			}
			s.Boot = q.boot
		case q.skip(`"mono":`):
			n, ok = q.number()
			s.Mono = time.Duration(n)
		case q.skip(`"wall":`):
			s.Wall, ok = q.number()
		case q.skip(`"trusted":true`):
			s.Trusted, ok = true, true
		}
		if !ok {
			return false
		}
	}
	return true
}

// field reads a number behind a key that is not there when it is zero.
func (q *headReader) field(key string, n *int) bool {
	if !q.skip(key) {
		return true
	}
	v, ok := q.number()
	*n = int(v)
	return ok
}

func (q *headReader) skip(s string) bool {
	if len(q.text) < len(s) || string(q.text[:len(s)]) != s {
		return false
	}
	q.text = q.text[len(s):]
	return true
}

func (q *headReader) word() (string, bool) {
	b, ok := q.plain()
	return string(b), ok
}

// plain is a text of plain letters, with nothing in it that JSON writes otherwise.
func (q *headReader) plain() ([]byte, bool) {
	if !q.skip(`"`) {
		return nil, false
	}
	for i, c := range q.text {
		switch {
		case c == '"':
			text := q.text[:i]
			q.text = q.text[i+1:]
			return text, true
		case c == '\\' || c < ' ' || c > '~':
			return nil, false
		}
	}
	return nil, false
}

// number is a whole number that fits, as JSON has it.
func (q *headReader) number() (n int64, ok bool) {
	minus := q.skip("-")
	digits := 0
	for digits < len(q.text) && digits < 19 && q.text[digits] >= '0' && q.text[digits] <= '9' {
		n = 10*n + int64(q.text[digits]-'0')
		digits++
	}
	q.text = q.text[digits:]
	ok = digits > 0 && n >= 0 // a longer one has gone over
	if minus {
		n = -n
	}
	return n, ok
}
