package shoe

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"shoeboard/hw"
	"shoeboard/hw/hwtest"
	"shoeboard/hw/linux"
	"shoeboard/tracker/card"
)

// A simulated shoe on a pseudo terminal, as "shoeboard shoe simulate" makes one.
func TestSimulatedShoeOnAPseudoTerminal(t *testing.T) {
	for _, oneWay := range []bool{false, true} {
		master, path, err := linux.OpenPTY()
		if err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		var mu sync.Mutex
		var dealt []trueHand
		sim := Simulator{Name: "sim", Decks: 8, Seed: 5, Boot: 1, OneWay: oneWay, Now: func() time.Duration { return time.Since(start) },
			Deal: func(next func() card.Card) (p, b []card.Card) {
				p, b = dealPunto(next)
				mu.Lock()
				defer mu.Unlock()
				dealt = append(dealt, trueHand{p, b})
				return p, b
			}}
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() { done <- sim.Run(ctx, master) }()
		told := live(t, Wiring{Kind: "tsp1", Device: path}, nil, simulated(5, 3).String())
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
		master.Close()
		mu.Lock()
		for _, h := range dealt[:3] {
			if !slices.Contains(told, h.String()) {
				t.Errorf("%s was dealt and not told: %q", h, told)
			}
		}
		mu.Unlock()
	}
}

// simulated is the n-th hand that a simulator with that seed deals.
func simulated(seed uint64, n int) (h trueHand) {
	s := &simulation{Simulator: Simulator{Decks: 8, Seed: seed, Deal: func(next func() card.Card) (p, b []card.Card) {
		p, b = dealPunto(next)
		h = trueHand{p, b}
		return p, b
	}}, random: newRandom(seed)}
	s.shoe()
	for range n {
		s.hand()
	}
	return h
}

func TestSimulatorAndSourceThroughABadLine(t *testing.T) {
	for _, c := range []struct {
		oneWay, faceDown bool
		rate             float64
		certain          float64 // share of hands that must be certain
	}{{false, false, 0, 1}, {true, false, 0, 1}, {false, true, 0, 1}, {false, false, 0.1, 0.95}, {true, false, 0.1, 0.9}, {false, true, 0.1, 0.95}} {
		t.Run(fmt.Sprintf("%+v", c), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { badLine(t, c.oneWay, c.faceDown, c.rate, c.certain) })
		})
	}
}

func badLine(t *testing.T, oneWay, faceDown bool, rate, certain float64) {
	start := time.Now()
	now := func() time.Duration { return time.Since(start) }
	device, far := newCable()
	near, host := newCable()
	var dealt []trueHand
	sim := Simulator{Name: "sim", Decks: 8, Seed: 1, Boot: 7, OneWay: oneWay, FaceDown: faceDown, Now: now,
		Pace: 700 * time.Millisecond, Between: 15 * time.Second,
		Deal: func(next func() card.Card) (p, b []card.Card) {
			p, b = dealPunto(next)
			dealt = append(dealt, trueHand{p, b})
			return p, b
		}}
	ctx, cancel := context.WithCancel(t.Context())
	simDone, srcDone := make(chan error, 1), make(chan error, 1)
	go func() { simDone <- sim.Run(ctx, device) }()
	var carriers sync.WaitGroup
	carriers.Go(func() { carry(ctx, far, near, &noisy{random: newRandom(11), rate: rate}) })
	carriers.Go(func() { carry(ctx, near, far, &noisy{random: newRandom(12), rate: rate}) })
	out := make(chan hw.Event, 100)
	source := newSource(Settings{Name: "shoe", Rules: punto, FaceDown: faceDown}, newTSP1(), func(context.Context) (Link, error) { return host, nil }, now)
	go func() { srcDone <- source.Run(ctx, out); close(out) }()
	var hands []hw.HandSeen
	shoes, heard := 0, make(chan bool)
	go func() {
		for e := range out {
			switch e := e.(type) {
			case hw.HandSeen:
				hands = append(hands, e)
			case hw.ShoeSeen:
				if e.Change == hw.NewShoe {
					shoes++
				}
			case hw.Notice:
				if e.Change == hw.Went {
					t.Errorf("%+v", e)
				}
			}
		}
		close(heard)
	}()
	time.Sleep(45 * time.Minute)
	cancel()
	carriers.Wait()
	hwtest.Stops(t, simDone)
	hwtest.Stops(t, srcDone)
	<-heard
	sure := matching(t, dealt, hands)
	t.Logf("%d hands dealt, %d told, %d certain, %d shoes", len(dealt), len(hands), sure, shoes)
	if len(dealt) < 100 || float64(sure) < certain*float64(len(dealt)-2) || shoes < 2 {
		t.Errorf("of %d hands %d are certain; %d new shoes", len(dealt), sure, shoes)
	}
}

// matching counts the certain hands, which must be among those dealt, in order.
func matching(t *testing.T, dealt []trueHand, hands []hw.HandSeen) (sure int) {
	next := 0
	for _, h := range hands {
		if h.Doubt != "" {
			continue
		}
		sure++
		for next < len(dealt) && dealt[next].String() != sayHand(h) {
			next++
		}
		if next == len(dealt) {
			t.Fatalf("%s is certain and was not dealt then", sayHand(h))
		}
		next++
	}
	return sure
}

// carry hands on what comes from one line to another, through noise.
func carry(ctx context.Context, from, to *cable, n *noisy) {
	for ctx.Err() == nil {
		b := make([]byte, 200)
		k, err := from.Read(b)
		if err != nil {
			return
		}
		if k > 0 {
			to.Write(n.damage(b[:k]))
		}
	}
}
