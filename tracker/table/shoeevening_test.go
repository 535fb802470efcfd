package table_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"shoeboard/hw"
	"shoeboard/hw/shoe"
	"shoeboard/tracker"
	"shoeboard/tracker/card"
	"shoeboard/tracker/game"
)

// evenings is how many are played with each kind of shoe.
const evenings = 30

// evening is a table with a card-reading shoe on a line, both of which lose their power,
// and a dealer who settles every hand once: he presses OK on whatever is proposed, else he
// keys what lies on the table, and OK by habit on whatever is asked then.
type evening struct {
	*rig
	kind   string
	random *rand.Rand
	wire   *wire
	reader reader
	boots  int
	off    bool          // the shoe has no power
	rested time.Duration // when it last said that it is there

	source *shoe.Source
	events chan hw.Event
	stop   func()
	began  time.Time
	ahead  time.Duration // of the rig's clock when it began

	dealt    []game.Result
	late     *game.Result // dealt, and not settled yet
	proposed int          // hands in a row that were proposed
	log      []string
}

func (e *evening) note(format string, args ...any) {
	doubt := ""
	for _, f := range e.board().Faults {
		if f.Code == "shoe-doubt" {
			doubt = f.Text
		}
	}
	e.log = append(e.log, fmt.Sprintf("%8.2fs %s [%s] %s", (e.now.Mono-e.ahead).Seconds(), fmt.Sprintf(format, args...), e.line(), doubt))
}

func newEvening(t *testing.T, kind string, seed uint64) *evening {
	random := rand.New(rand.NewPCG(seed, 7))
	s := usual()
	s.bets, s.quick = tracker.BetsOff, random.IntN(2) == 0
	e := &evening{rig: sit(t, s), kind: kind, random: random, wire: &wire{keeps: random.IntN(2) == 0}, began: time.Now()}
	e.ahead = e.now.Mono
	e.counted = func() { e.source.Align() }
	e.reader, _ = newReader(kind, e.wire)
	e.run()
	e.on()
	e.live(5 * time.Second)
	return e
}

// run starts the source of the shoe, as a program that starts does.
func (e *evening) run() {
	_, kind := newReader(e.kind, &wire{})
	rules := func(player, banker []card.Card) error {
		_, err := e.pack.FromCards(player, banker)
		return err
	}
	source, err := shoe.New(kind, shoe.Settings{Name: "shoe", Rules: rules}, e.wire.open, e.clock)
	if err != nil {
		e.t.Fatal(err)
	}
	e.source = source
	ctx, cancel := context.WithCancel(context.Background())
	events, ended := make(chan hw.Event, 1000), make(chan error, 1)
	e.events = events
	go func() { ended <- source.Run(ctx, events) }()
	e.stop = func() {
		cancel()
		if err := <-ended; err != nil {
			e.t.Error(err)
		}
	}
}

func (e *evening) clock() time.Duration { return e.ahead + time.Since(e.began) }

// live lets time pass, at the table and on the line.
func (e *evening) live(d time.Duration) {
	for until := e.now.Mono + d; ; {
		time.Sleep(e.now.Mono - e.clock())
		synctest.Wait()
		for len(e.events) > 0 {
			e.handle(<-e.events)
		}
		if e.now.Mono >= until {
			return
		}
		e.pass(min(50*time.Millisecond, until-e.now.Mono))
		if e.now.Mono-e.rested >= 2*time.Second && !e.off {
			e.rested = e.now.Mono
			e.reader.rest()
		}
	}
}

// on switches the shoe on.
func (e *evening) on() {
	e.boots++
	e.off = false
	e.reader.on(e.boots)
}

// mishap is what may happen at any moment of an evening. It says whether the shoe was
// switched off and on.
func (e *evening) mishap() (off bool) {
	switch e.random.IntN(12) {
	case 0:
		e.note("the line goes down")
		e.wire.cut(true)
	case 1, 2:
		e.note("the line comes back")
		e.wire.cut(false)
		e.live(time.Duration(e.random.IntN(3000)) * time.Millisecond)
	case 3:
		e.note("the program starts anew")
		e.stop()
		e.restart(true, true)
		e.run()
		e.live(time.Second)
	case 4:
		if strings.HasPrefix(e.kind, "lines") || strings.HasPrefix(e.kind, "bare") {
			return false
		}
		e.note("the shoe's plug is pulled")
		e.off = true
		e.live(time.Duration(e.random.IntN(4000)) * time.Millisecond)
		e.on()
		e.live(time.Second)
		return true
	case 5:
		e.slow = []time.Duration{0, 300 * time.Millisecond, 3 * time.Second}[e.random.IntN(3)]
	}
	return false
}

func (e *evening) deal() (player, banker []card.Card, r game.Result) {
	player, banker = e.pack.Drawing.Deal(func() card.Card {
		return card.Card{Rank: card.Rank(1 + e.random.IntN(13)), Suit: card.Suit(1 + e.random.IntN(4))}
	})
	r, err := e.pack.FromCards(player, banker)
	if err != nil {
		e.t.Fatal(err)
	}
	return player, banker, r
}

// round deals one hand and settles it: before the shoe has read its end, after that, or
// when the next one has begun.
func (e *evening) round(mishaps bool) {
	player, banker, r := e.deal()
	e.note("a hand is dealt: %s/%s", cardWords(player), cardWords(banker))
	seen, again := true, true
	for again {
		seen, again = e.draw(player, banker, mishaps)
	}
	when := e.random.IntN(10)
	if !mishaps {
		when = 5
	}
	if when < 2 {
		e.settles(r)
	}
	if seen {
		e.reader.over(player, banker)
	}
	e.live(time.Duration(2000+e.random.IntN(3000)) * time.Millisecond)
	switch {
	case when < 2:
	case when == 9:
		e.late = &r
	default:
		e.settles(r)
	}
	if mishaps {
		e.mishap()
	}
	e.live(14*time.Second + time.Duration(e.random.IntN(8))*time.Second)
	if e.late != nil {
		return
	}
	if e.echo().Entering {
		e.note("OK by habit")
		e.play("OK")
		e.live(time.Second)
	}
	e.check()
}

// draw draws the cards. A shoe that loses its power meanwhile sees nothing of the rest, or
// takes it for a hand, or the hand is dealt through it again.
func (e *evening) draw(player, banker []card.Card, mishaps bool) (seen, again bool) {
	seen = true
	for place := range 3 {
		for side, cards := range [][]card.Card{player, banker} {
			if place < len(cards) && seen {
				e.reader.card(side, place+1, cards[place])
				e.live(time.Duration(400+e.random.IntN(1200)) * time.Millisecond)
			}
			if e.late != nil {
				e.settles(*e.late)
				e.late = nil
				e.live(14 * time.Second)
			}
			if mishaps && seen && e.mishap() {
				if seen = e.random.IntN(3) > 0; seen && e.random.IntN(2) == 0 {
					return true, true
				}
			}
		}
	}
	return seen, false
}

// settles is the dealer who records the hand.
func (e *evening) settles(r game.Result) {
	e.dealt = append(e.dealt, r)
	e.live(800 * time.Millisecond)
	if e.echo().Entering {
		e.note("it is proposed: OK")
		e.proposed++
	} else {
		e.note("keyed")
		e.proposed = 0
		e.play(e.keyOf(r))
	}
	for n := 0; n < 4 && (n == 0 || e.echo().Entering); n++ {
		e.live(800 * time.Millisecond)
		e.play("OK")
		e.live(e.slow + 100*time.Millisecond)
	}
	e.note("settled")
}

func (e *evening) keyOf(r game.Result) string {
	key := map[game.Outcome]string{game.Player: "PLAYER", game.Banker: "BANKER", game.Tie: "TIE"}[r.Outcome]
	switch {
	case r.PlayerNatural && r.Outcome == game.Player, r.BankerNatural && r.Outcome == game.Banker:
		key += "_NATURAL"
	case r.PlayerNatural && r.BankerNatural:
		key = "BOTH_NATURAL"
	}
	for i := range r.Bets.All() {
		if id := e.pack.Bets[i].ID; e.pack.Implied(i) == r.Outcome && e.has(id) {
			key = id
		}
	}
	return key
}

// check: the record is what was dealt.
func (e *evening) check() {
	var want, got []string
	for _, r := range e.dealt {
		want = append(want, fmt.Sprint(r.Outcome))
	}
	for _, h := range e.state().Shoe.Hands {
		got = append(got, fmt.Sprint(h.Outcome))
	}
	if !slices.Equal(got, want) {
		e.t.Fatalf("recorded\n%v, dealt were\n%v\n%s", got, want, strings.Join(e.log[max(0, len(e.log)-40):], "\n"))
	}
}

// Whatever is pulled out, and whenever, the record is what was dealt, and a few normal
// hands later the shoe proposes again.
func TestAnEveningOfPulledPlugs(t *testing.T) {
	for _, kind := range readerKinds {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			for seed := range uint64(evenings) {
				synctest.Test(t, func(t *testing.T) {
					e := newEvening(t, kind, seed)
					defer func() { e.stop() }()
					e.note("%s, evening %d, a converter that keeps: %v", kind, seed, e.wire.keeps)
					for range 12 {
						e.round(true)
					}
					e.wire.cut(false)
					e.slow, e.proposed = 0, 0
					e.live(10 * time.Second)
					for range 5 {
						e.round(false)
					}
					if sure := kind == "tsp1" || kind == "angel-eye"; sure && e.proposed < 2 {
						t.Fatalf("of the last hands %d were proposed:\n%s", e.proposed, strings.Join(e.log[max(0, len(e.log)-40):], "\n"))
					}
				})
				if t.Failed() {
					return
				}
			}
		})
	}
}
