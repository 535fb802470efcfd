package table_test

import (
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"shoeboard/hw"
	"shoeboard/stats"
	"shoeboard/tracker"
	"shoeboard/tracker/console"
	"shoeboard/tracker/table"
)

// A dealer who presses anything at all, on a disk that takes its time, fails and
// loses what was on its way. What must hold after every step stands in walk.check.
func TestAnythingPressed(t *testing.T) {
	for _, game := range []string{"ez-baccarat-panda-8", "dai-bacc"} {
		for _, layout := range console.Layouts() {
			t.Run(game+"/"+layout, func(t *testing.T) {
				rapid.Check(t, func(t *rapid.T) {
					s := scene{game: game, layout: layout,
						bets:    rapid.SampledFrom([]tracker.BetsMode{tracker.BetsOff, tracker.BetsClose, tracker.BetsTimer}).Draw(t, "bets"),
						confirm: rapid.IntRange(0, 3).Draw(t, "confirm") > 0,
						pairs:   rapid.Bool().Draw(t, "pairs"),
						fixes:   rapid.IntRange(0, 3).Draw(t, "dealer_fix"),
						totals:  rapid.IntRange(0, 2).Draw(t, "totals") == 0,
					}
					w := newWalk(t, s)
					for range rapid.IntRange(1, 150).Draw(t, "steps") {
						w.step(t)
					}
					w.end(rapid.Bool().Draw(t, "end by CLEAR"))
				})
			})
		}
	}
}

// walk is a rig that watches what the dealer could see.
type walk struct {
	*rig
	names []string // of the keys
	face  face
	stood map[face]time.Duration // for how long each picture of what is pending was seen

	known    int // records of the disk that the model has
	hands    []string
	finished []string
	judged   int // of wrote

	changed bool // the way of keying has been another

	reader bool // a shoe may offer the next hand as soon as nothing is pending

	asked map[time.Duration]map[face]time.Duration // what had been seen whenever OK went down
}

// face is what the dealer sees of what is pending.
type face struct {
	proposed string
	asking   bool
	entering bool
	line     string
	since    time.Duration
}

func newWalk(t *rapid.T, s scene) *walk {
	w := &walk{rig: sit(t, s), stood: map[face]time.Duration{}, asked: map[time.Duration]map[face]time.Duration{}}
	for _, k := range []string{"BANKER", "PLAYER", "TIE", "BANKER_NATURAL", "PLAYER_NATURAL", "BOTH_NATURAL", "7", "8", "9", "pair",
		"FREE", "VOID", "FLOOR", "REVIEW", "CUT", "NEW_SHOE", "CLEAR", "FIX", "BETS", "PAUSE", "PL_DEALER", "OK"} {
		if k == "pair" || w.has(k) {
			w.names = append(w.names, k)
		}
	}
	w.look = w.check
	return w
}

// savedLine is what the echo says of a hand on disk.
var savedLine = regexp.MustCompile(`^(\d+) .*SAVED$`)

// own is what the echo says of the table when it has no message for the dealer.
var own = regexp.MustCompile(`^(\d+ (BETS OPEN|BETS CLOSED|FREE HAND|KEY THE RESULT|VOID|.*SAVED$)|SHUFFLING|TABLE CLOSED|GAME PAUSED|SHOE OVER,|LAST IS HAND|SAVING \d)`)

// check is what must hold whenever the dealer looks.
func (w *walk) check() {
	e := w.echo()
	for i, l := range e.Lines {
		if len(l) > console.Width || i == 0 && l == "" || strings.ContainsFunc(l, func(r rune) bool { return r < ' ' || r > '~' }) {
			w.t.Fatalf("the echo shows %q", e.Lines)
		}
	}
	if d := w.board(); d.Dealer.Told == "" && !d.Dealer.Entering && !d.Dealer.Refused && d.Menu == nil && d.Test == "" && !own.MatchString(e.Lines[0]) {
		w.t.Fatalf("the echo says what the Board does not know as a message: %q", e.Lines)
	}
	if e.Lines[0] == "NOT RECORDED" {
		w.t.Fatalf("a hand was proposed that cannot be: %q", w.proposed())
	}
	w.fold()
	saved := savedLine.FindStringSubmatch(e.Lines[0])
	if saved != nil && saved[1] != fmt.Sprint(len(w.hands)) {
		w.t.Fatalf("%q is shown, on disk are %d hands", e.Lines[0], len(w.hands))
	}
	w.see(e)
}

// see keeps for how long each picture of what is pending has been on the echo.
func (w *walk) see(e stats.Dealer) {
	now := face{w.proposed(), e.Asking, e.Entering, e.Lines[0], w.now.Mono}
	was := w.face
	was.since, now.since = 0, 0
	if now == was {
		return
	}
	w.stood[was] = max(w.stood[was], w.now.Mono-w.face.since)
	if now.proposed != was.proposed || now.asking != was.asking || now.entering != was.entering {
		clear(w.stood)
	}
	now.since = w.now.Mono
	w.face = now
}

// fold takes new records of the disk into the model: a list of tokens and nothing else.
func (w *walk) fold() {
	for ; w.known < len(w.disk); w.known++ {
		rec, err := tracker.UnmarshalRecord(w.disk[w.known].payload, w.disk[w.known].at)
		if err != nil {
			w.t.Fatal(err)
		}
		if n := len(w.disk[w.known].payload); n > 300 && rec.Events[0].Kind != tracker.SettingsApplied {
			w.t.Fatalf("a record of %d bytes: %s", n, w.disk[w.known].payload)
		}
		for _, e := range rec.Events {
			w.model(e)
		}
	}
	if w.away == nil && w.list() != strings.Join(w.hands, " ") {
		w.t.Fatalf("the state has %q, the record %q", w.list(), w.hands)
	}
}

func (w *walk) model(e tracker.Event) {
	token := e.Token
	if e.Free {
		token += "+free"
	}
	switch e.Kind {
	case tracker.HandRecorded:
		if e.Hand != len(w.hands)+1 {
			w.t.Fatalf("hand %d after %d hands", e.Hand, len(w.hands))
		}
		w.hands = append(w.hands, token)
	case tracker.HandFixed, tracker.HandReplaced:
		if was := strings.TrimSuffix(w.hands[e.Hand-1], "+free"); was != e.Was {
			w.t.Fatalf("hand %d was %q, the fix says %q", e.Hand, was, e.Was)
		}
		w.hands[e.Hand-1] = token
	case tracker.HandRemoved:
		w.hands = slices.Delete(w.hands, e.Hand-1, e.Hand)
	case tracker.ShoeStarted:
		if len(w.hands) > 0 {
			w.finished = w.hands
		}
		w.hands = nil
	case tracker.ShoeTakenBack:
		w.hands = slices.Clone(w.finished)
	}
}

// step is one thing that the dealer, the disk or the plug does.
func (w *walk) step(t *rapid.T) {
	key := func(label string) string {
		if rapid.IntRange(0, 3).Draw(t, label+" is OK") == 0 {
			return "OK"
		}
		return rapid.SampledFrom(w.names).Draw(t, label)
	}
	wait := func(low, high int) { w.pass(time.Duration(rapid.IntRange(low, high).Draw(t, "ms")) * ms) }
	switch rapid.SampledFrom([]string{"press", "press", "press", "press", "press", "press", "quick", "hold", "chord", "stuck",
		"wait", "wait", "long wait", "disk", "fails", "restart", "lost", "second pad", "fault", "fault", "settings"}).Draw(t, "step") {
	case "press":
		w.pressed(key("key"), 60*ms)
		wait(200, 2000)
	case "quick":
		w.pressed(key("key"), 30*ms)
		wait(0, 250)
	case "hold":
		w.pressed(key("key"), time.Duration(rapid.IntRange(300, 2500).Draw(t, "hold"))*ms)
	case "chord":
		w.chord(t, key("first"), key("second"), wait)
	case "stuck":
		if rapid.IntRange(0, 3).Draw(t, "really") == 0 {
			w.pressed(key("key"), 16*time.Second)
		}
	case "wait":
		wait(0, 5000)
	case "long wait":
		wait(5000, 40_000)
	case "disk":
		w.slow = rapid.SampledFrom([]time.Duration{0, 0, 300 * ms, 3 * time.Second, 40 * time.Second}).Draw(t, "disk")
	case "fails":
		if w.away != nil {
			w.handle(table.Failed{Err: errors.New("no space left")})
		}
	case "restart":
		w.killed(rapid.Bool().Draw(t, "landed"), rapid.Bool().Draw(t, "same boot"))
	case "lost":
		w.handle(hw.Notice{Source: "pad", Change: hw.Lost})
		if w.echo().Entering && !w.reader {
			t.Fatal("something is pending after lost events")
		}
	case "fault":
		code := rapid.SampledFrom([]string{"heat", "space"}).Draw(t, "code")
		switch rapid.IntRange(0, 2).Draw(t, "what of it") {
		case 0:
			w.fault(code, "Look at "+code)
		case 1:
			w.fault(code, "")
		default:
			_ = w.acknowledge(code, "tech") // refused when it does not stand
		}
	case "settings":
		w.anotherEntry()
	case "second pad":
		w.handle(hw.Press{Source: "pad-2", Pos: w.pos("PLAYER"), Down: true})
		wait(0, 300)
		w.handle(hw.Press{Source: "pad-2", Pos: w.pos("PLAYER"), Down: false})
		w.judge()
	}
}

// anotherEntry asks for the other way of keying, which comes as soon as it may.
func (w *walk) anotherEntry() {
	s := w.state().Settings
	s.Entry = map[tracker.EntryMode]tracker.EntryMode{tracker.EntryTotals: tracker.EntryResults}[s.Entry]
	if s.Entry == "" {
		s.Entry = tracker.EntryTotals
	}
	w.engine.Configure(w.now, table.Config{Settings: s, Pack: w.pack.Source, Digest: w.pack.Digest})
	w.changed = true
	w.settle()
}

// pressed is one key by itself: it acts or it is refused, and both are heard.
func (w *walk) pressed(key string, d time.Duration) {
	w.tone = console.Silent
	w.goesDown(key)
	w.pass(max(d, w.keys.HoldOf(key)))
	w.up(key)
	w.judge()
	if w.tone == console.Silent && (key != "OK" || w.now.Mono-w.wroteAt() > 2*time.Second+d) {
		w.t.Fatalf("%s for %v means nothing: %q", key, d, w.line())
	}
}

// wroteAt is when the newest record was decided: for 2 s a second OK means nothing.
func (w *walk) wroteAt() time.Duration {
	if len(w.wrote) == 0 {
		return -time.Hour
	}
	return w.wrote[len(w.wrote)-1].At.Mono
}

func (w *walk) goesDown(key string) {
	if key == "OK" {
		w.asked[w.now.Mono] = w.seen()
	}
	w.down(key)
	w.judge()
}

func (w *walk) chord(t *rapid.T, first, second string, wait func(low, high int)) {
	if w.pos(first) == w.pos(second) {
		return
	}
	w.goesDown(first)
	wait(0, 300)
	w.tone = console.Silent
	w.down(second)
	if w.tone != console.Refused && w.board().Keypad == nil {
		t.Fatalf("%s under %s is not refused", second, first)
	}
	wait(0, 300)
	order := []string{first, second}
	if rapid.Bool().Draw(t, "second up first") {
		order = []string{second, first}
	}
	w.up(order[0])
	w.up(order[1])
	w.judge()
}

// seen is for how long each picture has stood by now.
func (w *walk) seen() map[face]time.Duration {
	all := map[face]time.Duration{}
	for f, d := range w.stood {
		all[f] = d
	}
	f := w.face
	f.since = 0
	all[f] = max(all[f], w.now.Mono-w.face.since)
	return all
}

// judge looks at what was written since: a hand or a shoe only by OK, on what had
// been shown for as long as it takes to read; without confirm also by a result key.
func (w *walk) judge() {
	for ; w.judged < len(w.wrote); w.judged++ {
		rec := w.wrote[w.judged].Record
		for _, e := range rec.Events {
			want, stands := shownFor(e)
			totals := totalsIn(e.Token)
			if e.Token == e.Was { // only FREE was changed
				totals = ""
			}
			if len(rec.Events) > 1 && rec.Events[0].Kind == tracker.ShoeStarted { // the question stands where the totals stood
				want, stands, totals = `^SHOE OVER, \d+ HANDS$`, 700*ms, ""
			}
			if want == "" {
				continue
			}
			seen, byOK := w.asked[e.At.Mono]
			// without confirm a result key may have been let go as OK went down
			confirm := w.confirm || w.totals && !w.changed
			byOK = byOK && (confirm || len(rec.Keys) > 0 && rec.Keys[len(rec.Keys)-1] == "OK")
			switch {
			case !byOK && !confirm && e.Kind == tracker.HandRecorded && len(rec.Events) == 1:
			case !byOK:
				w.t.Fatalf("%v wrote %+v", rec.Keys, e)
			case e.Kind == tracker.ShoeStarted && together(seen, want) >= stands: // bets closed under the question
			case !slices.ContainsFunc(facesOf(seen, stands), func(f face) bool {
				return regexp.MustCompile(want).MatchString(f.line) && strings.Contains(f.line, totals) && (e.Token == "" || f.proposed == "" || f.proposed == w.asKeyed(e.Token))
			}):
				w.t.Fatalf("%+v was written, but of %q nothing had been shown for %v: %v", e, want, stands, seen)
			}
		}
	}
}

// together is how long one question has stood whose line has changed meanwhile.
func together(seen map[face]time.Duration, want string) (all time.Duration) {
	for f, d := range seen {
		if regexp.MustCompile(want).MatchString(f.line) {
			all += d
		}
	}
	return all
}

func facesOf(seen map[face]time.Duration, atLeast time.Duration) []face {
	var faces []face
	for f, d := range seen {
		if d >= atLeast {
			faces = append(faces, f)
		}
	}
	return faces
}

// shownFor is what the first line must have said before a fact was written, and for
// how long; "" for facts that are no one's answer.
func shownFor(e tracker.Event) (line string, stands time.Duration) {
	switch e.Kind {
	case tracker.HandRecorded:
		return fmt.Sprintf(`^%d\? `, e.Hand), 250 * ms
	case tracker.HandFixed:
		return fmt.Sprintf(`^%d( .*)?>? ?.*\?$`, e.Hand), 250 * ms
	case tracker.HandReplaced:
		return fmt.Sprintf(`^%d( .*)?>? ?.*\?$`, e.Hand), 700 * ms
	case tracker.HandRemoved:
		return fmt.Sprintf(`^REMOVE %d`, e.Hand), 700 * ms
	case tracker.HandVoided:
		return `^VOID HAND \d+\?$`, 700 * ms
	case tracker.ShoeStarted:
		return `^(NEW SHOE\? \d+ HANDS|HAND \d+ NO RESULT)$`, 700 * ms
	case tracker.ShoeTakenBack:
		return `^SHOE \d+ GOES ON\?$`, 700 * ms
	case tracker.TableOpened:
		return `^OPEN TABLE\?$`, 700 * ms
	case tracker.TableShut:
		return `^CLOSE TABLE\?$`, 700 * ms
	}
	return "", 0
}

// killed: the program dies and starts anew. What was being keyed comes back, unless
// a record took it; nothing is doubled (the model would see it).
func (w *walk) killed(landed, sameBoot bool) {
	proposed, calm := w.proposed(), w.away == nil
	w.judge()
	w.face = face{}
	w.restart(landed, sameBoot)
	w.slow = 0
	if calm && w.proposed() != proposed {
		w.t.Fatalf("keyed was %q, after the restart it is %q", proposed, w.proposed())
	}
	clear(w.asked)
	w.judge()
}

// end: every state is left by CLEAR, and by time.
func (w *walk) end(byClear bool) {
	if byClear {
		w.pressed("CLEAR", 60*ms)
	} else {
		w.pass(31 * time.Second)
	}
	if e := w.echo(); e.Entering || e.Asking || w.proposed() != "" {
		w.t.Fatalf("by CLEAR %v, and still pending: %q", byClear, w.line())
	}
	if w.away != nil {
		w.pass(w.due - w.now.Mono)
	}
	w.sound()
}

// sound: at the end the record gives the state that was lived, and a checkpoint gives it back.
func (w *walk) sound() {
	if w.away == nil {
		same(w.t, "the record", w.replayed(), w.state())
	}
	data, err := tracker.MarshalCheckpoint(w.state())
	if err != nil {
		w.t.Fatal(err)
	}
	back, err := tracker.UnmarshalCheckpoint(data)
	if err != nil {
		w.t.Fatal(err)
	}
	same(w.t, "the checkpoint", back, w.state())
}

// same fails unless two states are equal, their packs by digest.
func same(t tb, what string, got, want tracker.State) {
	t.Helper()
	bare := func(s *tracker.Shoe) *tracker.Shoe {
		if s == nil {
			return nil
		}
		c := *s
		if c.Pack != nil {
			c.Day += " " + c.Pack.Digest
		}
		c.Pack = nil
		return &c
	}
	strip := func(s tracker.State) tracker.State {
		s.Shoe, s.Finished, s.Previous = *bare(&s.Shoe), bare(s.Finished), bare(s.Previous)
		if s.Review != nil {
			s.Review = &tracker.Frozen{Shoe: *bare(&s.Review.Shoe), Previous: bare(s.Review.Previous)}
		}
		return s
	}
	if a, b := strip(got), strip(want); !reflect.DeepEqual(a, b) {
		t.Fatalf("%s does not give the state that was:\n got %+v\nwant %+v", what, a, b)
	}
}
