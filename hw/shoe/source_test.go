package shoe

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"shoeboard/hw"
	"shoeboard/hw/hwtest"
)

// cable is one end of a line in memory, with Link's promises.
type cable struct {
	in, out chan []byte
	gone    chan struct{} // closed when the cable is pulled
	rest    []byte
	closed  func()
}

// newCable returns both ends of a line.
func newCable() (a, b *cable) {
	x, y, gone := make(chan []byte, 1000), make(chan []byte, 1000), make(chan struct{})
	return &cable{in: x, out: y, gone: gone}, &cable{in: y, out: x, gone: gone}
}

func (c *cable) Read(b []byte) (int, error) {
	if len(c.rest) == 0 {
		select {
		case c.rest = <-c.in:
		case <-c.gone:
			return 0, errors.New("unplugged")
		case <-time.After(readWait):
			return 0, nil
		}
	}
	n := copy(b, c.rest)
	c.rest = c.rest[n:]
	return n, nil
}

func (c *cable) Write(b []byte) (int, error) {
	select {
	case c.out <- bytes.Clone(b):
		return len(b), nil
	case <-c.gone:
		return 0, errors.New("unplugged")
	case <-time.After(writeWait):
		return 0, os.ErrDeadlineExceeded
	}
}

func (c *cable) Close() error {
	if c.closed != nil {
		c.closed()
	}
	return nil
}

// socket is where a shoe is plugged in.
type socket struct {
	mu     sync.Mutex
	far    *cable // the shoe's end, or nil
	near   *cable
	opened int // lines that are open
}

func (s *socket) plug() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.near, s.far = newCable()
	s.near.closed = func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.opened--
	}
}

func (s *socket) unplug() {
	s.mu.Lock()
	defer s.mu.Unlock()
	close(s.far.gone)
	s.near, s.far = nil, nil
}

func (s *socket) open(context.Context) (Link, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.near == nil {
		return nil, errors.New("no such device")
	}
	s.opened++
	return s.near, nil
}

// say is what the shoe sends.
func (s *socket) say(b []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.near.in <- b
}

// heard is what the shoe was sent.
func (s *socket) heard() (b []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for {
		select {
		case more := <-s.near.out:
			b = append(b, more...)
		default:
			return b
		}
	}
}

// room is a source at a socket, heard in the fake time of a bubble.
type room struct {
	*socket
	t      *testing.T
	source *Source
	cancel context.CancelFunc
	done   chan error
	mu     sync.Mutex
	told   []string
	seq    uint64
	at     time.Duration
}

func inRoom(t *testing.T, d decoder, faceDown bool, test func(r *room)) {
	synctest.Test(t, func(t *testing.T) {
		r := &room{socket: &socket{}, t: t}
		start := time.Now()
		r.source = newSource(Settings{Name: "shoe", Rules: punto, FaceDown: faceDown}, d, r.open, func() time.Duration { return time.Since(start) + time.Hour })
		defer func() {
			r.cancel()
			hwtest.Stops(t, r.done)
			if r.opened != 0 {
				t.Errorf("%d lines are left open", r.opened)
			}
		}()
		test(r)
	})
}

func (r *room) start() *room {
	ctx, cancel := context.WithCancel(r.t.Context())
	out := make(chan hw.Event, 8)
	r.cancel, r.done = cancel, make(chan error, 1)
	go func() {
		r.done <- r.source.Run(ctx, out)
		close(out)
	}()
	go func() {
		for e := range out {
			r.hear(e)
		}
	}()
	return r
}

func (r *room) hear(e hw.Event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	source, seq, at, said := "", uint64(0), time.Duration(0), sayAll([]hw.Event{e})
	switch e := e.(type) {
	case hw.CardSeen:
		source, seq, at = e.Source, e.Seq, e.At
	case hw.HandSeen:
		source, seq, at = e.Source, e.Seq, e.At
	case hw.ShoeSeen:
		source, seq, at = e.Source, e.Seq, e.At
	case hw.Notice:
		source, seq, at = e.Source, e.Seq, e.At
		said = []string{map[hw.Change]string{hw.Came: "came", hw.Went: "went"}[e.Change] + "?" + e.Text}
	}
	if r.seq++; seq != r.seq || at < r.at || source != "shoe" {
		r.t.Errorf("event %d of %q at %v, after %d at %v: %+v", seq, source, at, r.seq-1, r.at, e)
	}
	r.at = at
	r.told = append(r.told, said...)
}

// expectHands is expect for what is told of hands alone.
func (r *room) expectHands(d time.Duration, want ...string) {
	r.t.Helper()
	time.Sleep(d)
	synctest.Wait()
	r.mu.Lock()
	r.told = slices.DeleteFunc(r.told, func(said string) bool { return !strings.HasPrefix(said, "hand ") })
	r.mu.Unlock()
	r.expect(0, want...)
}

// expect waits and fails unless exactly this was told; of a notice's words, enough.
func (r *room) expect(d time.Duration, want ...string) {
	r.t.Helper()
	time.Sleep(d)
	synctest.Wait()
	r.mu.Lock()
	got := r.told
	r.told = nil
	r.mu.Unlock()
	same := slices.EqualFunc(got, want, func(got, want string) bool {
		fact, words, asked := strings.Cut(got, "?")
		wantFact, wantWords, wantAsked := strings.Cut(want, "?")
		return fact == wantFact && strings.Contains(words, wantWords) && (asked == wantAsked || fact == "came" || fact == "went")
	})
	if !same {
		r.t.Fatalf("told\n  %s\nwant\n  %s", strings.Join(got, "\n  "), strings.Join(want, "\n  "))
	}
}

// Public bug reports: consrv 3, jacobsa 51, bugst 13. The serial adapter vanished in
// the middle of a frame and came back under another name; the read hung, and the
// half hand was guessed.
func TestAdapterThatVanishesAndReturnsLosesNoHandInSilence(t *testing.T) {
	inRoom(t, newAngelEye(), false, func(r *room) {
		s := newEye().send('S').hand(natural)
		r.plug()
		r.start().expect(time.Second, "came")
		r.say(s.flush())
		r.expect(time.Second, append([]string{"powered up"}, hand(natural).seen()...)...)
		half := s.draw(hand(long), false).flush()
		r.say(half[:30])
		r.expect(100*time.Millisecond, "P1 2S")
		r.unplug()
		r.expect(time.Second, "went?unplugged")
		r.expect(time.Minute) // and not every second
		r.plug()
		r.expect(2*time.Second, "came")
		r.say(half[52:])
		r.say(s.result(hand(long)).flush())
		r.expect(time.Second, "P2 3H", "B2 3C", "P3 9C", "B3 2D", "hand 2S 3H 9C/- 3C 2D broken late?the line to the shoe was down")
		r.say(s.hand(pairs).flush())
		r.expect(time.Second, append(hand(pairs).seen()[:4], hand(pairs).String()+"?was down")...)
		r.source.Align()
		r.say(s.hand(natural).flush())
		r.expect(time.Second, hand(natural).seen()...)
	})
}

func TestSilentShoeIsMissingWithinFiveSeconds(t *testing.T) {
	inRoom(t, newTSP1(), false, func(r *room) {
		s := newDevice("0001")
		r.plug()
		r.start().expect(time.Second) // not there before it speaks
		r.say(s.flush())
		r.expect(100*time.Millisecond, "came", "powered up")
		for range 10 {
			r.say(s.send("BEAT", "IDLE", "0").flush())
			r.expect(2 * time.Second)
		}
		r.say([]byte("noise is no word \xff\xfe"))
		r.expect(2900 * time.Millisecond)
		r.expect(300*time.Millisecond, "went?no data received for 5s")
		r.expect(time.Minute)
		if got := string(r.heard()); !strings.Contains(got, "$TSP1,SYNC,10*") {
			t.Errorf("the shoe was not asked what was missed: %q", got)
		}
		r.say(s.send("BEAT", "IDLE", "0").flush())
		r.expect(2*time.Second, "came")
		r.say(s.hand(natural).flush())
		r.expect(time.Second, append(hand(natural).seen()[:4], hand(natural).String()+"?was down")...)
	})
}

func TestShoeThatIsMissingAtTheStartComesByItself(t *testing.T) {
	inRoom(t, newLines(), false, func(r *room) {
		r.start().expect(time.Second, "went?no such device")
		r.plug()
		r.expect(2*time.Second, "came")
		r.say([]byte("7S\r\nJD\r\n2H\r\nKC\r\n"))
		r.expect(time.Second, words(natural)...)
	})
}

func TestNothingIsEverSentToAShoeThatOnlySpeaks(t *testing.T) {
	for kind, d := range map[string]decoder{"angel-eye": newAngelEye(), "lines": newLines()} {
		inRoom(t, d, false, func(r *room) {
			r.plug()
			r.start().expect(time.Second, "came")
			r.say(newEye().send('S').hand(long).flush())
			r.say([]byte("\x06\x15\x1f7S\r\n$TSP1,SYNC,0*0000\r\n"))
			time.Sleep(time.Minute)
			r.unplug()
			r.plug()
			time.Sleep(time.Minute)
			if got := r.heard(); len(got) > 0 {
				t.Errorf("%s was sent % x", kind, got)
			}
		})
	}
	near, far := newCable()
	if n, err := (listener{near}).Write([]byte("OP")); n != 0 || err == nil {
		t.Errorf("wrote %d, %v", n, err)
	}
	if n, _ := far.Read(make([]byte, 9)); n != 0 {
		t.Errorf("the shoe got %d bytes", n)
	}
}

// A device that takes no answers must not slow its own frames down.
func TestShoeThatTakesNoAnswersIsLeftAlone(t *testing.T) {
	inRoom(t, newTSP1(), false, func(r *room) {
		r.plug()
		r.near.out = make(chan []byte) // nobody takes anything
		r.start()
		s := newDevice("0001")
		r.say(s.hand(long).flush())
		r.expect(2*time.Second, append([]string{"came", "powered up"}, append(hand(long).seen()[:6], hand(long).String()+" late")...)...)
		r.say(s.hand(natural).flush())
		r.expect(10*time.Millisecond, hand(natural).seen()...)
	})
}

func TestSourceStopsWhileNobodyListens(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &socket{}
		s.plug()
		source := newSource(Settings{Name: "shoe", Rules: punto}, newAngelEye(), s.open, func() time.Duration { return 0 })
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() { done <- source.Run(ctx, make(chan hw.Event)) }()
		s.say(newEye().send('S').hand(long).flush())
		time.Sleep(time.Minute)
		cancel()
		hwtest.Stops(t, done)
	})
}

// While the table's disk hangs nobody takes what the source tells. That is no
// silence of the shoe.
func TestTableThatIsSlowToListenLosesNoShoe(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &socket{}
		s.plug()
		start := time.Now()
		source := newSource(Settings{Name: "shoe", Rules: punto}, newTSP1(), s.open, func() time.Duration { return time.Since(start) })
		ctx, cancel := context.WithCancel(t.Context())
		out, done := make(chan hw.Event), make(chan error, 1)
		go func() { done <- source.Run(ctx, out) }()
		d := newDevice("0001").hand(long).hand(natural)
		s.say(d.flush())
		var told []string
		for range 1 + 1 + 7 + 5 {
			if len(told) == 4 {
				time.Sleep(20 * time.Second)
			}
			e := <-out
			if n, ok := e.(hw.Notice); ok && n.Change != hw.Came {
				t.Errorf("%+v", n)
			}
			told = append(told, sayAll([]hw.Event{e})...)
		}
		if want := slices.Concat([]string{"powered up"}, hand(long).seen(), hand(natural).seen()); !slices.Equal(told, want) {
			t.Errorf("told %q", told)
		}
		s.say(d.send("BEAT", "IDLE", "9").flush())
		cancel()
		hwtest.Stops(t, done)
	})
}

// Public bug report: a shoe reader's project, phantom rounds. The sequences that
// were captured there come from a recording, in their own time.
func TestRecordedSequencesMakeNoPhantomHand(t *testing.T) {
	s := newEye()
	var file bytes.Buffer
	rec, err := NewRecorder(&file, "angel-eye")
	if err != nil {
		t.Fatal(err)
	}
	at := time.Duration(0)
	write := func(b []byte) {
		for chunk := range slices.Chunk(b, 24) {
			at += 50 * time.Millisecond
			rec.Record(at, chunk)
		}
		at += 20 * time.Second
	}
	write(s.send('S').send('D', 0xc0, 0xa2).send('D', 0xd1, 0x9b).send('D', 0xd0, 0xa2).flush())
	write(s.hand(natural).send('P').flush())
	write(s.draw(hand(long), true).send('E', 0x82).send('d', 0x90, 0xa5).send('i', 0x90, 0xa5).send('e', 0x82).show(hand(long)).result(hand(long)).flush())
	write([]byte{0xff, 0, 1, 2, 4, 6})
	write(s.send('D', 0x81, 0xb7).send('D', 0x91, 0x9b).send('S').flush())
	write(s.send('C').flush())
	write(s.hand(pairs).send('P').flush())
	write(s.send('S').hand(natural).flush())
	write(s.send('D', 0x81, 0xb7).flush())
	path := filepath.Join(t.TempDir(), "shoe.rec")
	os.WriteFile(path, file.Bytes(), 0o600)

	played, err := Wiring{Kind: "replay", Device: path}.Source(Settings{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	inRoom(t, played.decoder, false, func(r *room) {
		r.source.open = played.open
		r.start().expect(10*time.Minute, slices.Concat(
			[]string{"came", "powered up", "burned 2C", "burned", "burned"}, hand(natural).seen(),
			[]string{"trouble", "overdrawn", "cleared"}, hand(long).seen(),
			[]string{"P1 7S", "B1 JD", "powered up?switched off in mid-hand", "cut"},
			hand(pairs).seen()[:4], []string{hand(pairs).String() + "?switched off", "new shoe"},
			hand(natural).seen(), []string{"P1 7S", "went?recording is over"})...)
	})
}

func TestWiringThatCannotBeIsAClearError(t *testing.T) {
	file := filepath.Join(t.TempDir(), "x")
	os.WriteFile(file, []byte("nothing"), 0o600)
	for _, w := range []struct {
		Wiring
		says string
	}{
		{Wiring{Kind: "rfid"}, `"rfid" is no kind of shoe`},
		{Wiring{Kind: "replay", Device: file}, file + ":1: \"nothing\""},
		{Wiring{Kind: "replay", Device: file + "x"}, "no such file"},
	} {
		if _, err := w.Source(Settings{}, nil); err == nil || !strings.Contains(err.Error(), w.says) {
			t.Errorf("%+v: %v", w.Wiring, err)
		}
	}
	for _, w := range []Wiring{{Kind: "tsp1", Device: file}, {Kind: "lines", Device: file}, {Kind: "angel-eye", Device: file, Baud: 3}} {
		s, err := w.Source(Settings{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if l, err := s.open(t.Context()); err == nil || l != nil {
			t.Errorf("%+v opened: %v %v", w, l, err)
		}
	}
}

// The line is down, the dealer keys what is dealt, and the line comes back: what the shoe
// or a converter then repeats is told as late, and no hand that was keyed meanwhile makes
// it certain. What is dealt after it is not late.
func TestHandsOfAnOutageAreToldAsLate(t *testing.T) {
	s, e, missed := newDevice("0001"), newEye().send('S'), " late?"+hw.LineWasDown
	lines := func(text string) []byte { return []byte(strings.TrimPrefix(hand(text).String(), "hand ") + "\n") }
	for _, c := range []struct {
		kind    string
		decoder decoder
		on      []byte
		hand    func(text string) []byte
		sure    string // the doubt of a hand that came as it was dealt
	}{
		{"tsp1", newTSP1(), s.flush(), func(text string) []byte { return s.hand(text).flush() }, ""},
		{"angel-eye", newAngelEye(), e.flush(), func(text string) []byte { return e.hand(text).flush() }, ""},
		{"lines", newLines(), nil, lines, unchecked},
	} {
		t.Run(c.kind, func(t *testing.T) {
			inRoom(t, c.decoder, false, func(r *room) {
				r.plug()
				r.start()
				r.say(c.on)
				time.Sleep(time.Second)
				r.say(c.hand(natural))
				time.Sleep(time.Second)
				r.unplug()
				kept := c.hand(long)
				r.source.Align() // it was keyed
				time.Sleep(20500 * time.Millisecond)
				r.plug()
				r.say(kept)
				time.Sleep(1300 * time.Millisecond)
				r.source.Align() // another was keyed before the shoe had caught up
				r.say(c.hand(pairs))
				time.Sleep(3 * time.Second)
				r.say(c.hand(natural))
				time.Sleep(time.Second)
				r.source.Align()
				time.Sleep(time.Second)
				r.say(c.hand(long))
				r.expectHands(2*time.Second, hand(natural).String()+c.sure, hand(long).String()+missed, hand(pairs).String()+missed,
					hand(natural).String()+"?"+hw.LineWasDown, hand(long).String()+c.sure)
			})
		})
	}
}
