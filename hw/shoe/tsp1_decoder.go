package shoe

import (
	"fmt"
	"slices"
	"strconv"
	"time"
)

// The times of the host's side of TSP1.
const (
	tspSilence  = 5 * time.Second        // without a frame the link is lost
	tspPatience = time.Second            // that a missing frame is waited for
	tspAsk      = 250 * time.Millisecond // between two SYNCs
	tspMostHeld = 64                     // frames that wait for a missing one
)

// tsp1 decodes the protocol of TSP1.md, of devices that listen and of those that only speak.
type tsp1 struct {
	lines  tspLines
	boot   string // of the last HELO, or empty
	begun  bool   // prev is known
	prev   int    // the number of the frame accepted last, 0 for HELO
	taken  [tspKept]string
	held   []frame       // came before their turn, in order
	since  time.Duration // when the first of held came
	asked  time.Duration // when SYNC was last sent
	deaf   bool          // the device did not answer a SYNC
	ack    bool
	answer []byte
	decoded
}

var _ decoder = (*tsp1)(nil)
var _ answerer = (*tsp1)(nil)

func newTSP1() *tsp1 { return &tsp1{} }

// Silence returns five seconds: a device sends BEAT every two.
func (d *tsp1) Silence() time.Duration { return tspSilence }

// Answer returns ACK and SYNC lines for a device that listens.
func (d *tsp1) Answer() []byte {
	b := d.answer
	d.answer = nil
	return b
}

// Reopened requests the missed frames. It is no loss by itself: the numbers will show whether
// there was one.
func (d *tsp1) Reopened(at time.Duration) {
	d.lines, d.deaf = tspLines{}, false
	if d.begun {
		d.request(at)
	}
}

// Feed decodes bytes.
func (d *tsp1) Feed(b []byte, at time.Duration) []event {
	d.events, d.at = nil, at
	for _, c := range b {
		if line, whole := d.lines.feed(c, &d.counts); whole {
			d.read(line)
		}
	}
	d.await()
	if d.ack {
		d.ack = false
		d.answer = append(d.answer, frame{typ: "ACK", seq: d.prev}.encode()...)
	}
	return d.events
}

func (d *tsp1) read(line string) {
	f, err := parseFrame(line)
	if err != nil {
		d.counts.Bad++
		return
	}
	switch {
	case f.typ == "ACK" || f.typ == "SYNC": // our own, on a line that echoes
	case f.typ == "HELO":
		d.hello(f)
	case f.seq == 0:
		d.counts.Bad++
	case f.typ == "GAP":
		d.gap(f)
	default:
		d.numbered(f)
	}
}

// hello starts again with a device that was switched on. A copy has the same boot id.
func (d *tsp1) hello(f frame) {
	boot := f.field(3)
	if version, err := f.number(0, 99); f.seq != 0 || err != nil || version != tspVersion || boot == "" {
		d.counts.Bad++
		d.doubt("the shoe speaks TSP version %.8q; this program speaks %d", f.field(0), tspVersion)
		return
	}
	d.ack = true
	if boot == d.boot {
		d.counts.Repeats++
		return
	}
	d.giveUp()
	d.counts.Frames++
	d.forget()
	d.boot, d.begun, d.prev = boot, true, 0
	d.emit(event{Kind: kindStarted, Text: fmt.Sprintf("shoe %s, firmware %s, was switched on", f.field(1), f.field(2))})
}

func (d *tsp1) forget() { d.taken, d.held, d.deaf = [tspKept]string{}, nil, false }

// gap gives up the frames that the device no longer has.
func (d *tsp1) gap(f frame) {
	if d.begun && ahead(f.seq, d.next()) > 0 {
		d.skipTo(f.seq)
		d.drain()
	}
}

// next returns the number that must come next.
func (d *tsp1) next() int { return d.prev%tspLast + 1 }

// numbered accepts a frame in its turn, holds one that came early, and drops copies.
func (d *tsp1) numbered(f frame) {
	if !d.begun {
		d.begun, d.prev = true, before(f.seq)
	}
	d.ack = true
	switch n := ahead(f.seq, d.next()); {
	case n == 0:
		d.accept(f)
		d.drain()
	case n > 0:
		d.hold(f)
	case d.isCopy(f):
		d.counts.Repeats++
	default: // an old number with new content: a boot whose HELO was not heard
		d.giveUp()
		d.forget()
		d.doubt("the shoe started its numbers again")
		d.boot, d.prev = "", before(f.seq)
		d.accept(f)
	}
}

// ahead returns by how much seq comes after next, negative if before. Numbers go round from
// 9999 to 1.
func ahead(seq, next int) int {
	n := (seq - next + tspLast) % tspLast
	if n > tspLast/2 {
		n -= tspLast
	}
	return n
}

func before(seq int) int { return (seq-2+tspLast)%tspLast + 1 }

// isCopy reports whether f was accepted before, or was given up and comes too late.
func (d *tsp1) isCopy(f frame) bool {
	was := d.taken[f.seq%tspKept]
	return was == f.raw || was == lostFrame(f.seq)
}

// lostFrame marks a frame that was given up; it equals no frame.
func lostFrame(seq int) string { return "lost " + strconv.Itoa(seq) }

func (d *tsp1) accept(f frame) {
	d.taken[f.seq%tspKept] = f.raw
	d.prev = f.seq
	e, err := f.event()
	if err != nil {
		d.counts.Bad++
		d.doubt("a frame could not be understood: %v", err)
		return
	}
	d.counts.Frames++
	d.emit(e)
}

// hold keeps a frame that came before its turn, until the missing ones were requested. With a
// device that does not answer there is nothing to wait for.
func (d *tsp1) hold(f frame) {
	at, found := slices.BinarySearchFunc(d.held, f, func(a, b frame) int {
		return ahead(a.seq, d.prev) - ahead(b.seq, d.prev)
	})
	if found {
		d.counts.Repeats++
		return
	}
	if len(d.held) == 0 {
		d.since, d.asked = d.at, d.at-tspAsk
	}
	d.held = slices.Insert(d.held, at, f)
	if d.deaf || len(d.held) > tspMostHeld {
		d.giveUp()
	}
}

// drain accepts the held frames whose turn has come: the device has answered.
func (d *tsp1) drain() {
	for len(d.held) > 0 && d.held[0].seq == d.next() {
		f := d.held[0]
		d.held, d.deaf = d.held[1:], false
		d.accept(f)
	}
}

// await requests missing frames until the patience is over.
func (d *tsp1) await() {
	switch {
	case len(d.held) == 0:
	case d.at-d.since >= tspPatience:
		d.giveUp()
		d.deaf = true
	case d.at-d.asked >= tspAsk:
		d.request(d.at)
	}
}

// giveUp accepts the held frames, and counts the missing ones as lost.
func (d *tsp1) giveUp() {
	for len(d.held) > 0 {
		f := d.held[0]
		d.skipTo(f.seq)
		d.held = d.held[1:]
		d.accept(f)
	}
}

// skipTo makes seq the next number. Frames before it are accepted if they are held, and lost
// if not.
func (d *tsp1) skipTo(seq int) {
	for len(d.held) > 0 && ahead(d.held[0].seq, seq) < 0 {
		f := d.held[0]
		d.held = d.held[1:]
		d.lose(f.seq)
		d.accept(f)
	}
	d.lose(seq)
}

func (d *tsp1) request(at time.Duration) {
	d.asked = at
	d.answer = append(d.answer, frame{typ: "SYNC", seq: d.prev}.encode()...)
}

// lose gives up the frames before seq.
func (d *tsp1) lose(seq int) {
	lost := ahead(seq, d.next())
	if lost <= 0 {
		return
	}
	for n := d.next(); n != seq; n = n%tspLast + 1 {
		d.taken[n%tspKept] = lostFrame(n)
	}
	d.prev = before(seq)
	d.counts.Lost += lost
	d.doubt("%d frames of the shoe are missing", lost)
}
