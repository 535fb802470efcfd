package shoe

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync/atomic"
	"time"

	"shoeboard/hw"
)

// Settings say what the shoe is for.
type Settings struct {
	Name     string // the source's name
	Rules    Rules  // called on the source's goroutine
	FaceDown bool   // the game deals face down

	// The monitors follow the line for a technician, on the source's goroutine; they may be
	// nil. Raw gets every byte that comes and must not keep b. Decoded gets what the decoder
	// made of it, in words.
	Raw     func(at time.Duration, b []byte)
	Decoded func(at time.Duration, events []string, c Counts)
}

// Source is the source of one shoe.
type Source struct {
	set     Settings
	kind    string
	decoder decoder
	open    func(context.Context) (Link, error)
	now     func() time.Duration
	aligned atomic.Bool
}

var _ hw.Source = (*Source)(nil)

// New returns the source of a shoe of that kind ("tsp1", "angel-eye" or "lines") over the
// line that open opens; now reads the boot-time clock. Nothing is opened before Run.
func New(kind string, s Settings, open func(context.Context) (Link, error), now func() time.Duration) (*Source, error) {
	d, err := newDecoder(kind)
	if err != nil {
		return nil, err
	}
	return &Source{set: s, kind: kind, decoder: d, open: open, now: now}, nil
}

// Kind returns the kind of shoe whose protocol is decoded.
func (s *Source) Kind() string { return s.kind }

// Now reads the source's clock.
func (s *Source) Now() time.Duration { return s.now() }

// Counts returns what the decoder has counted. It must not be called while Run runs.
func (s *Source) Counts() Counts { return s.decoder.Counts() }

// Align says that the table's record and the shoe agree again, because the dealer has
// confirmed it: hands are certain once more, from the next first card on. It may be called
// from any goroutine and after every hand that was recorded. While the line is down, and
// until the shoe's repetitions have come, it has no effect.
func (s *Source) Align() { s.aligned.Store(true) }

const (
	afterAll = time.Minute // longer than any decoder waits
	// What comes first over a line that was opened may be a repetition: until it pauses
	// that long, or for so long in all (512 frames take 21 s at 9600 bits a second).
	pauseLate = time.Second
	mostLate  = 30 * time.Second
)

// Over is the Text of the Notice that a recording has been played to its end. Until then a
// recording may go and come as the line did.
const Over = "the recording is over"

// Run sends what the shoe does until ctx ends. It returns an error at once if the shoe
// cannot serve the game.
func (s *Source) Run(ctx context.Context, out chan<- hw.Event) error {
	if s.kind == "lines" && s.set.FaceDown {
		return fmt.Errorf("shoe %s: lines of cards do not say when a card is turned; "+
			"a game that deals face down needs another kind", s.set.Name)
	}
	r := &run{Source: s, ctx: ctx, tell: hw.NewTeller(s.set.Name, out),
		hands: newAssembler(s.set.Rules, s.set.FaceDown), heard: s.now()}
	r.late(r.heard)
	hw.Keep(ctx, r.session, func(err error) {
		r.went(err)
		if errors.Is(err, io.EOF) {
			<-ctx.Done()
		}
	})
	return nil
}

// run is the state of one Source.Run; only its goroutine touches it.
type run struct {
	*Source
	ctx    context.Context
	tell   *hw.Teller
	hands  *assembler
	health hw.Change     // as last reported: Came, Went or nothing yet
	quiet  time.Duration // spent reading since the last good frame, or since the line was opened
	found  time.Duration // when the shoe was last found
	heard  time.Duration // when the last good frame came, or the line, or Run began
	since  time.Duration // heard before the line was opened, until the shoe has caught up; 0: it has
	mute   bool          // the shoe takes no answers
}

// went reports that the line is down. What the shoe does from here on may go unseen.
func (r *run) went(err error) {
	text := "shoe missing: " + err.Error()
	if errors.Is(err, io.EOF) {
		text = Over
	}
	if r.health == hw.Came {
		r.decoder.Reopened(r.now())
		r.hands.Broken()
	}
	if r.since == 0 {
		r.late(r.heard)
	}
	r.report(hw.Went, text)
}

func (r *run) report(c hw.Change, text string) {
	if r.health != c {
		r.health = c
		r.tell.Notice(r.ctx, c, "", text, r.now())
	}
}

// late says that events from now on may have been sent at any time after since.
func (r *run) late(since time.Duration) {
	r.since = since
	r.hands.Late(since)
}

func (r *run) came() {
	if r.health != hw.Came {
		r.found = r.now()
		r.heard = r.found
		r.report(hw.Came, "shoe found")
	}
}

// session opens the line and reads it until it fails or is silent for too long.
func (r *run) session() error {
	line, err := r.open(r.ctx)
	if err != nil {
		return err
	}
	defer line.Close()
	if _, answers := r.decoder.(answerer); !answers {
		line = listener{line}
	}
	r.quiet, r.mute = 0, false
	if r.decoder.Silence() == 0 {
		r.came()
	}
	for buf := make([]byte, 4096); r.ctx.Err() == nil; {
		since := r.now()
		n, err := line.Read(buf)
		r.quiet += r.now() - since // and not while the table is slow to listen
		r.feed(buf[:n])
		if errors.Is(err, io.EOF) { // held frames will not be completed
			r.events(r.decoder.Feed(nil, r.now()+afterAll), r.now())
		}
		if err != nil {
			return err
		}
		r.answer(line)
		if limit := r.decoder.Silence(); limit > 0 && r.quiet >= limit {
			r.went(fmt.Errorf("no data received for %v", limit))
			return nil // it has waited long enough: open the line again at once
		}
	}
	return nil
}

// feed decodes what was read; without bytes it says that time has passed.
func (r *run) feed(b []byte) {
	at := r.now()
	if r.since > 0 && r.health == hw.Came && (at-r.heard >= pauseLate || at-r.found >= mostLate) {
		r.late(0)
	}
	if r.aligned.Swap(false) {
		r.hands.Align()
	}
	if len(b) > 0 && r.set.Raw != nil {
		r.set.Raw(at, b)
	}
	before := r.decoder.Counts()
	events := r.decoder.Feed(b, at)
	if after := r.decoder.Counts(); after.Frames+after.Repeats > before.Frames+before.Repeats {
		r.quiet, r.heard = 0, at
		r.came()
	}
	r.events(events, at)
}

// events sends the hands and changes that follow from events.
func (r *run) events(events []event, at time.Duration) {
	if r.set.Decoded != nil {
		var words []string
		for _, e := range events {
			words = append(words, e.String())
		}
		r.set.Decoded(at, words, r.decoder.Counts())
	}
	for _, e := range events {
		for _, seen := range r.hands.Feed(e) {
			r.tell.Shoe(r.ctx, seen, at)
		}
	}
}

// answer sends the decoder's answer to the shoe. A shoe that takes nothing is left alone.
func (r *run) answer(line Link) {
	a, answers := r.decoder.(answerer)
	if !answers {
		return
	}
	if b := a.Answer(); len(b) > 0 && !r.mute {
		_, err := line.Write(b)
		r.mute = err != nil
	}
}
