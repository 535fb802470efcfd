package devices

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"shoeboard/hw"
	"shoeboard/hw/shoe"
	"shoeboard/tracker/card"
	"shoeboard/tracker/game"
)

// StopTheCore tells a technician how to free a device that the core holds.
const StopTheCore = "stop it for the test with: sudo systemctl stop shoeboard " +
	"(and afterwards: sudo systemctl start shoeboard)"

// follow runs sources until ctx ends or all have ended, and calls event, on the caller's
// goroutine, for each of their events. The tests and the monitor run on it.
func follow(ctx context.Context, event func(hw.Event), sources ...hw.Source) error {
	events, ended := make(chan hw.Event), make(chan error, 1)
	g, ctx := errgroup.WithContext(ctx)
	for _, s := range sources {
		g.Go(func() error { return s.Run(ctx, events) })
	}
	go func() {
		ended <- g.Wait()
		close(events)
	}()
	for e := range events {
		event(e)
	}
	return <-ended
}

// shoeMonitor writes what a shoe does: bytes and decoded events on the source's goroutine,
// the events that the core would get on another.
type shoeMonitor struct {
	h      Hardware
	device string
	mu     sync.Mutex // of out
	out    io.Writer
	start  time.Duration
	keep   *shoe.Recorder // nil: bytes are not kept
	failed error          // why keeping failed
	last   shoe.Counts
}

// MonitorShoe writes what a shoe does until ctx ends, or at once what a file has of one. With
// raw it keeps every byte in that file. It is an error if no valid frame was received.
func (h Hardware) MonitorShoe(
	ctx context.Context, w shoe.Wiring, pack *game.Pack, raw string, out io.Writer,
) (err error) {
	m := &shoeMonitor{h: h, device: w.Device, out: out}
	source, err := m.source(w, shoe.Settings{Name: "shoe", Rules: rulesOf(pack), Raw: m.raw, Decoded: m.decoded})
	if err != nil {
		return err
	}
	if raw != "" {
		f, err2 := os.Create(raw)
		if err2 != nil {
			return err2
		}
		defer func() { err = errors.Join(err, f.Close()) }()
		if m.keep, err = shoe.NewRecorder(f, source.Kind()); err != nil {
			return err
		}
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	m.start = source.Now()
	err = follow(ctx, func(e hw.Event) {
		m.event(e)
		if n, ok := e.(hw.Notice); ok && n.Change == hw.Went && n.Text == shoe.Over {
			cancel()
		}
	}, source)
	c := source.Counts()
	fmt.Fprintf(out, "%d frames, %d repeats of them, %d damaged, %d lost, %d bytes of noise\n",
		c.Frames, c.Repeats, c.Bad, c.Lost, c.Noise)
	if c.Frames == 0 && err == nil {
		err = errors.New("no valid frame was received")
	}
	return errors.Join(err, m.failed)
}

// source returns the source of a shoe. A file is read at once, on its own clock.
func (m *shoeMonitor) source(w shoe.Wiring, set shoe.Settings) (*shoe.Source, error) {
	if info, err := os.Stat(w.Device); err == nil && info.Mode().IsRegular() || w.Kind == "replay" {
		return w.Replay(set)
	}
	return w.Source(set, m.h.Now)
}

func (m *shoeMonitor) write(at time.Duration, what, text string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	fmt.Fprintf(m.out, "%10.3f  %-6s  %s\n", max(at-m.start, 0).Seconds(), what, text)
}

// raw shows and keeps the bytes that came.
func (m *shoeMonitor) raw(at time.Duration, b []byte) {
	m.write(at, "bytes", fmt.Sprintf("%q", b))
	if m.keep == nil {
		return
	}
	if err := m.keep.Record(at, b); err != nil && m.failed == nil {
		m.failed = fmt.Errorf("the bytes could not all be kept: %w", err)
		m.write(at, "FAULT", m.failed.Error())
	}
}

// decoded shows what the decoder made of them, and what went wrong.
func (m *shoeMonitor) decoded(at time.Duration, events []string, c shoe.Counts) {
	if c.Bad > m.last.Bad || c.Lost > m.last.Lost || c.Noise > m.last.Noise {
		m.write(at, "FAULT", fmt.Sprintf("damaged frames %d, lost frames %d, bytes of noise %d",
			c.Bad, c.Lost, c.Noise))
	}
	m.last = c
	for _, e := range events {
		m.write(at, "event", e)
	}
}

// event shows an event that the core would get.
func (m *shoeMonitor) event(e hw.Event) {
	switch e := e.(type) {
	case hw.Notice:
		if e.Change == hw.Came {
			m.write(e.At, "line", "the shoe is there")
			return
		}
		m.write(e.At, "line", e.Text+m.h.portHolders(m.device))
	case hw.HandSeen:
		verdict := "certain"
		if e.Doubt != "" {
			verdict = "the dealer is asked: " + e.Doubt
		}
		m.write(e.At, "HAND", fmt.Sprintf("Player %s, Banker %s: %s",
			cardsText(e.Player), cardsText(e.Banker), verdict))
	case hw.ShoeSeen:
		m.write(e.At, "SHOE", shoeText(e))
	}
}

// portHolders returns, for the end of a message, which programs have a port open.
func (h Hardware) portHolders(device string) string {
	held := openDevices(h.proc)
	names := held.words(device)
	if target, err := os.Readlink(device); names == "" && err == nil {
		names = held.words(h.path("/dev/" + filepath.Base(target)))
	}
	if names == "" {
		return ""
	}
	return "; it is held by " + names + "; if that is the core, " + StopTheCore
}

// shoeText describes a change of the shoe.
func shoeText(e hw.ShoeSeen) string {
	words := []string{map[hw.ShoeChange]string{hw.NewShoe: "new shoe", hw.PoweredUp: "switched on", hw.Burned: "burned",
		hw.CutCard: "cut card", hw.HandVoid: "hand void", hw.Overdrawn: "a card too many", hw.ShoeTrouble: "fault",
		hw.ShoeCleared: "fault over"}[e.Change]}
	if e.Change == hw.Burned {
		words[0] += " " + cardsText([]card.Card{e.Card})
	}
	if e.Text != "" {
		words = append(words, e.Text)
	}
	if e.Doubt != "" {
		words = append(words, "the dealer is asked: "+e.Doubt)
	}
	return strings.Join(words, "; ")
}

func cardsText(cards []card.Card) string {
	var words []string
	for _, c := range cards {
		text := "not read"
		if c != (card.Card{}) {
			text = c.String()
		}
		words = append(words, text)
	}
	if len(words) == 0 {
		return "no card"
	}
	return strings.Join(words, " ")
}
