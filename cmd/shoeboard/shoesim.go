package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"time"

	"shoeboard/cmd/internal/config"
	"shoeboard/hw/linux"
	"shoeboard/hw/shoe"
	"shoeboard/tracker/game"
)

type shoeSimulateVerb struct {
	Kind     string        `help:"Protocol." enum:"tsp1" default:"tsp1"`
	Faults   bool          `help:"Damage, lose, repeat and delay frames, and cut the power at times."`
	Game     string        `help:"Game with the drawing rules, in place of the configuration's." placeholder:"ID"`
	Seed     uint64        `help:"Seed of the cards; 0: random." default:"0"`
	Pace     time.Duration `help:"Time between two cards." default:"1500ms"`
	Between  time.Duration `help:"Time between two hands." default:"20s"`
	FaceDown bool          `help:"Deal face down until the hand ends."`
	OneWay   bool          `help:"Receive nothing, and send each frame three times."`
	Link     string        `help:"Create this link to the pseudo terminal." type:"path" placeholder:"PATH"`
}

// Run deals until it is interrupted.
func (v *shoeSimulateVerb) Run(ctx context.Context, p *program, all *verbs) error {
	if v.Pace < 0 || v.Between < 0 {
		return wrongUse("--pace %v --between %v: expected times such as 1.5s, not negative", v.Pace, v.Between)
	}
	cfg, err := p.ofTable(all.Config)
	if err != nil {
		return err
	}
	pack, err := config.Pack(cmp.Or(v.Game, cfg.Game))
	if err != nil {
		return usageError{err} // the configuration's is known
	}
	port, path, err := linux.OpenPTY()
	if err != nil {
		return err
	}
	defer port.Close()
	if v.Link != "" {
		if err := relink(path, v.Link); err != nil {
			return err
		}
		defer os.Remove(v.Link)
		path = v.Link
	}
	fmt.Fprintf(p.out, "A shoe that speaks %s is at %s\n"+
		"shoeboard shoe monitor %[2]s shows what it sends. Ctrl+C ends.\n", v.Kind, path)
	return v.deal(ctx, pack, port)
}

// relink makes link lead to path. It replaces a link that was left behind.
func relink(path, link string) error {
	if target, err := os.Readlink(link); err == nil && target != "" {
		if err := os.Remove(link); err != nil {
			return err
		}
	}
	return os.Symlink(path, link)
}

// deal deals on the line. With faults the power is cut every minute or two.
func (v *shoeSimulateVerb) deal(ctx context.Context, pack *game.Pack, line shoe.Link) error {
	seed := v.Seed
	if seed == 0 {
		seed = rand.Uint64()
	}
	random := rand.New(rand.NewPCG(seed, 1))
	if v.Faults {
		line = &badLine{Link: line, random: random}
	}
	for ctx.Err() == nil {
		on, off := ctx, context.CancelFunc(func() {})
		if v.Faults {
			on, off = context.WithTimeout(ctx, time.Minute+time.Duration(random.Int64N(int64(time.Minute))))
		}
		sim := shoe.Simulator{Name: "sim-shoe", Decks: pack.Decks.Default, Seed: seed, Boot: uint16(random.Uint32()),
			Deal: pack.Drawing.Deal, Pace: v.Pace, Between: v.Between,
			FaceDown: v.FaceDown, OneWay: v.OneWay, Now: linux.BootTime}
		err := sim.Run(on, line)
		off()
		if err != nil {
			return err
		}
		seed = random.Uint64()
	}
	return nil
}

// badLine is a line that damages one frame in ten.
type badLine struct {
	shoe.Link
	random *rand.Rand
}

// Write sends b, whole or damaged.
func (l *badLine) Write(b []byte) (int, error) {
	parts := [][]byte{b}
	switch at := l.random.IntN(len(b)); l.random.IntN(50) {
	case 0: // lost
		parts = nil
	case 1: // twice
		parts = [][]byte{b, b}
	case 2: // one bit flipped
		parts[0] = bytes.Clone(b)
		parts[0][at] ^= 1 << l.random.IntN(8)
	case 3: // in two parts
		parts = [][]byte{b[:at], b[at:]}
	case 4: // after noise
		parts = [][]byte{{0xff, 0x00, '$', 0x7f}, b}
	}
	for i, part := range parts {
		if i > 0 {
			time.Sleep(20 * time.Millisecond)
		}
		if _, err := l.Link.Write(part); err != nil {
			return 0, err
		}
	}
	return len(b), nil
}
