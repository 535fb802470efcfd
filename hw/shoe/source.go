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
	// Raw is given every byte that comes, on the source's goroutine; b is not to be
	// kept. It may be nil.
	Raw func(at time.Duration, b []byte)
}

// Source is the source of one shoe.
type Source struct {
	set     Settings
	decoder Decoder
	open    func(context.Context) (Link, error)
	now     func() time.Duration
	aligned atomic.Bool
}

var _ hw.Source = (*Source)(nil)

// New returns the source of a shoe that speaks d over the line that open opens; now
// reads the boot-time clock. Nothing is opened before Run.
func New(s Settings, d Decoder, open func(context.Context) (Link, error), now func() time.Duration) *Source {
	return &Source{set: s, decoder: d, open: open, now: now}
}

// Align says that the table's record and the shoe agree again, because the dealer
// has said so: hands are certain once more, from the next first card on. It may be
// called from any goroutine and after every hand that was recorded. While the line is
// down, and until what the shoe may then repeat has come, it counts for nothing.
func (s *Source) Align() { s.aligned.Store(true) }

const (
	retryEvery = time.Second
	afterAll   = time.Minute // longer than any decoder waits
	// What comes first over a line that was opened may be a repetition: until it pauses
	// that long, or for so long in all (512 frames take 21 s at 9600 bits a second).
	pauseLate = time.Second
	mostLate  = 30 * time.Second
)

var errSilent = errors.New("no word from it")

// Over is the Text of the Notice that a recording has been played to its end. Until then
// a recording may go and come as the line did.
const Over = "the recording is over"

// Run tells of the shoe until ctx ends. It returns an error at once if the shoe
// cannot serve the game.
func (s *Source) Run(ctx context.Context, out chan<- hw.Event) error {
	if _, bare := s.decoder.(*Lines); bare && s.set.FaceDown {
		return fmt.Errorf("shoe %s: lines of cards do not say when a card is turned; a game that deals face down needs another kind", s.set.Name)
	}
	r := &run{Source: s, ctx: ctx, tell: hw.NewTeller(s.set.Name, out), hands: NewAssembler(s.set.Rules, s.set.FaceDown), heard: s.now()}
	r.late(r.heard)
	for ctx.Err() == nil {
		err := r.session()
		if ctx.Err() != nil {
			break
		}
		r.went(err)
		switch {
		case errors.Is(err, io.EOF):
			<-ctx.Done()
		case !errors.Is(err, errSilent): // which has taken its time
			hw.Pause(ctx, retryEvery)
		}
	}
	return nil
}

// run is the state of one Source.Run; only its goroutine touches it.
type run struct {
	*Source
	ctx   context.Context
	tell  *hw.Teller
	hands *Assembler
	told  hw.Change     // Came, Went or nothing yet
	quiet time.Duration // spent reading since the last good frame, or since the line was opened
	found time.Duration // when the shoe was last found
	heard time.Duration // when the last good frame came, or the line, or Run began
	since time.Duration // heard before the line was opened, until the shoe has caught up; 0: it has
	mute  bool          // the shoe takes no answers
}

// went: the line is down. What the shoe does from here on may go unseen.
func (r *run) went(err error) {
	text := "shoe missing: " + err.Error()
	if errors.Is(err, io.EOF) {
		text = Over
	}
	if r.told == hw.Came {
		r.decoder.Reopened(r.now())
		r.hands.Broken()
	}
	if r.since == 0 {
		r.late(r.heard)
	}
	if r.told != hw.Went {
		r.told = hw.Went
		r.tell.Notice(r.ctx, hw.Went, "", text, r.now())
	}
}

// late: what comes from now on may have been sent since then.
func (r *run) late(since time.Duration) {
	r.since = since
	r.hands.Late(since)
}

func (r *run) came() {
	if r.told != hw.Came {
		r.told, r.found = hw.Came, r.now()
		r.heard = r.found
		r.tell.Notice(r.ctx, hw.Came, "", "shoe found", r.now())
	}
}

// session opens the line and reads it until it fails.
func (r *run) session() error {
	line, err := r.open(r.ctx)
	if err != nil {
		return err
	}
	defer line.Close()
	r.quiet, r.mute = 0, false
	if r.decoder.Silence() == 0 {
		r.came()
	}
	for buf := make([]byte, 4096); r.ctx.Err() == nil; {
		since := r.now()
		n, err := line.Read(buf)
		r.quiet += r.now() - since // and not while the table is slow to listen
		r.take(buf[:n])
		if errors.Is(err, io.EOF) { // what waits for more is told as it is
			r.tellOf(r.decoder.Feed(nil, r.now()+afterAll), r.now())
		}
		if err != nil {
			return err
		}
		r.answer(line)
		if limit := r.decoder.Silence(); limit > 0 && r.quiet >= limit {
			return fmt.Errorf("%w for %v", errSilent, limit)
		}
	}
	return nil
}

// take hands on what was read, or that time has passed.
func (r *run) take(b []byte) {
	at := r.now()
	if r.since > 0 && r.told == hw.Came && (at-r.heard >= pauseLate || at-r.found >= mostLate) {
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
	r.tellOf(events, at)
}

// tellOf hands on what the decoder made of it.
func (r *run) tellOf(events []Event, at time.Duration) {
	for _, e := range events {
		for _, told := range r.hands.Feed(e) {
			r.tell.Shoe(r.ctx, told, at)
		}
	}
}

// answer sends what the shoe wants to hear. One that takes nothing is left alone.
func (r *run) answer(line Link) {
	a, asks := r.decoder.(Answerer)
	if !asks {
		return
	}
	if b := a.Answer(); len(b) > 0 && !r.mute {
		_, err := line.Write(b)
		r.mute = err != nil
	}
}
