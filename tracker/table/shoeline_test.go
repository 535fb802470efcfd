package table_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	"shoeboard/hw/shoe"
	"shoeboard/tracker/card"
)

// wire is the line to a shoe as both ends see it: it can be down, and then what the shoe
// says is lost, or is kept by a converter that says it all when it is reached again.
type wire struct {
	mu    sync.Mutex
	down  bool
	keeps bool        // the converter keeps what it cannot deliver
	kept  []byte      // by it
	in    chan []byte // to the host
	heard func(b []byte)
}

// Open opens the host's end.
func (w *wire) open(context.Context) (shoe.Link, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.down {
		return nil, errors.New("no route to it")
	}
	w.in = make(chan []byte, 10_000)
	if len(w.kept) > 0 {
		w.in <- w.kept
		w.kept = nil
	}
	return &hostEnd{wire: w, in: w.in}, nil
}

// say is what the shoe sends.
func (w *wire) say(b []byte) {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case !w.down && w.in != nil:
		w.in <- bytes.Clone(b)
	case w.keeps:
		w.kept = append(w.kept, b...)
	}
}

func (w *wire) cut(down bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.down = down; down {
		w.in = nil
	}
}

type hostEnd struct {
	wire *wire
	in   chan []byte
	rest []byte
}

func (e *hostEnd) Read(b []byte) (int, error) {
	if len(e.rest) == 0 {
		select {
		case e.rest = <-e.in:
		case <-time.After(100 * time.Millisecond):
		}
	}
	if len(e.rest) > 0 {
		n := copy(b, e.rest)
		e.rest = e.rest[n:]
		return n, nil
	}
	e.wire.mu.Lock()
	defer e.wire.mu.Unlock()
	if e.wire.in != e.in {
		return 0, errors.New("the line is down")
	}
	return 0, nil
}

func (e *hostEnd) Write(b []byte) (int, error) {
	e.wire.heard(b)
	return len(b), nil
}

func (e *hostEnd) Close() error {
	e.wire.mu.Lock()
	defer e.wire.mu.Unlock()
	if e.wire.in == e.in {
		e.wire.in = nil
	}
	return nil
}

// reader is a card-reading shoe as a dealer sees it: it reads the cards that he draws.
type reader interface {
	on(boot int)                       // it is switched on
	card(side, place int, c card.Card) // a card is drawn
	over(player, banker []card.Card)   // the hand is over
	rest()                             // nothing is dealt
}

// tspReader speaks TSP1 and repeats what it is asked for.
type tspReader struct {
	wire *wire
	mu   sync.Mutex
	seq  int
	sent []string
}

func (r *tspReader) line(typ string, seq int, fields ...string) string {
	body := strings.Join(append([]string{"TSP1", typ, strconv.Itoa(seq)}, fields...), ",")
	crc := uint16(0xffff)
	for _, b := range []byte(body) {
		crc ^= uint16(b) << 8
		for range 8 {
			carry := crc&0x8000 != 0
			if crc <<= 1; carry {
				crc ^= 0x1021
			}
		}
	}
	return fmt.Sprintf("$%s*%04X\r\n", body, crc)
}

func (r *tspReader) send(typ string, fields ...string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.seq++
	r.sent = append(r.sent, r.line(typ, r.seq, fields...))
	r.wire.say([]byte(r.sent[r.seq-1]))
}

// hear answers SYNC. A device keeps the last 512 frames.
func (r *tspReader) hear(b []byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, line := range strings.Split(string(b), "\n") {
		fields := strings.Split(strings.Split(line, "*")[0], ",")
		if len(fields) != 3 || fields[1] != "SYNC" {
			continue
		}
		last, _ := strconv.Atoi(fields[2])
		if last > r.seq {
			continue // of another boot
		}
		if oldest := len(r.sent) - 512; last < oldest {
			last = oldest
			r.wire.say([]byte(r.line("GAP", last+1)))
		}
		r.wire.say([]byte(strings.Join(r.sent[last:], "")))
	}
}

func (r *tspReader) on(boot int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.seq, r.sent = 0, nil
	r.wire.say([]byte(r.line("HELO", 0, "1", "a", "1", fmt.Sprintf("%04X", boot))))
}

func (r *tspReader) card(side, place int, c card.Card) {
	r.send("CARD", "PB"[side:side+1], strconv.Itoa(place), c.String())
}

func (r *tspReader) over(player, banker []card.Card) {
	p, b := points(player), points(banker)
	pairs := 0
	if player[0].Rank == player[1].Rank {
		pairs |= 1
	}
	if banker[0].Rank == banker[1].Rank {
		pairs |= 2
	}
	r.send("HAND", whoWon(p, b), strconv.Itoa(pairs), strconv.Itoa(p), strconv.Itoa(b))
}

func (r *tspReader) rest() { r.send("BEAT", "IDLE", "0") }

// eyeReader sends as the Angel Eye was observed to, and hears nothing.
type eyeReader struct {
	wire *wire
	next byte
}

func (r *eyeReader) send(typ byte, data ...byte) {
	body := append([]byte{r.next, typ}, data...)
	body = append(body, 3)
	sum := byte(0)
	for _, b := range body {
		sum ^= b
	}
	r.wire.say(bytes.Repeat(fmt.Appendf(append([]byte{5}, body...), "%02X", sum), 3))
	r.next = '1' + (r.next-'0')%9
}

func (r *eyeReader) on(int) {
	r.next = '0'
	r.send('S')
}

func (r *eyeReader) card(side, place int, c card.Card) {
	suit := map[card.Suit]byte{card.Diamonds: 1, card.Clubs: 2, card.Spades: 3, card.Hearts: 4}[c.Suit]
	r.send('D', 0x80|byte(side)<<4|byte(place), 0x80|suit<<4|byte(c.Rank))
}

func (r *eyeReader) over(player, banker []card.Card) {
	b := map[string]byte{"P": 0x90, "T": 0xa0, "B": 0xc0}[whoWon(points(player), points(banker))]
	if player[0].Rank == player[1].Rank {
		b |= 1
	}
	if banker[0].Rank == banker[1].Rank {
		b |= 2
	}
	r.send('G', b)
}

func (r *eyeReader) rest() {}

// lineReader sends a line for each hand, or for each card.
type lineReader struct {
	wire *wire
	bare bool
}

func (r *lineReader) on(int) {}

func (r *lineReader) card(_, _ int, c card.Card) {
	if r.bare {
		r.wire.say([]byte(c.String() + "\r\n"))
	}
}

func (r *lineReader) over(player, banker []card.Card) {
	if !r.bare {
		r.wire.say([]byte(cardWords(player) + "/" + cardWords(banker) + "\r\n"))
	}
}

func (r *lineReader) rest() {}

func cardWords(cards []card.Card) string {
	var words []string
	for _, c := range cards {
		words = append(words, c.String())
	}
	return strings.Join(words, ",")
}

func points(cards []card.Card) int {
	sum := 0
	for _, c := range cards {
		sum += c.Points()
	}
	return sum % 10
}

func whoWon(player, banker int) string {
	switch {
	case player > banker:
		return "P"
	case banker > player:
		return "B"
	}
	return "T"
}

// newReader is a shoe of a kind, and what it hears the host say.
func newReader(kind string, w *wire) (r reader, decoder string) {
	w.heard = func([]byte) {}
	switch kind {
	case "tsp1":
		t := &tspReader{wire: w}
		w.heard = t.hear
		return t, kind
	case "angel-eye":
		return &eyeReader{wire: w, next: '1'}, kind
	}
	return &lineReader{wire: w, bare: kind == "bare cards"}, "lines"
}

// readerKinds are all of them.
var readerKinds = []string{"tsp1", "angel-eye", "lines", "bare cards"}
