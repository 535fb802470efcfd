package ports

import (
	"context"
	"strings"

	"shoeboard/cmd/internal/config"
	"shoeboard/hw"
	"shoeboard/hw/shoe"
	"shoeboard/tracker/card"
	"shoeboard/tracker/game"
)

// shoes are the sources of all [[shoe]]s, and what tells them that a hand was recorded.
func (p Ports) shoes(cfg config.Config, pack *game.Pack) (sources []hw.Source, counted func()) {
	var readers []*shoe.Source
	for _, s := range cfg.Shoes {
		w := shoe.Wiring{Kind: s.Kind, Device: s.Device}
		if !strings.HasPrefix(s.Device, "tcp://") {
			w.Device = p.Path(s.Device)
		}
		a := aside{name: s.Name, Ports: p}
		decoder, open, err := w.Shoe()
		if err != nil {
			a.err = err
		} else {
			r := shoe.New(shoe.Settings{Name: s.Name, Rules: RulesOf(pack), FaceDown: s.FaceDown}, decoder, open, p.Now)
			a.source, readers = r, append(readers, r)
		}
		sources = append(sources, a)
	}
	return sources, func() {
		for _, r := range readers {
			r.Align()
		}
	}
}

// aside is a source that the table can do without: what keeps it from running is told,
// and ends nothing.
type aside struct {
	Ports
	name   string
	source hw.Source
	err    error // why there is no source
}

// Run runs the source until ctx ends.
func (a aside) Run(ctx context.Context, out chan<- hw.Event) error {
	err := a.err
	if err == nil {
		err = a.source.Run(ctx, out)
	}
	if err != nil && ctx.Err() == nil {
		hw.NewTeller(a.name, out).Notice(ctx, hw.Faulty, "", err.Error(), a.Now())
		<-ctx.Done()
	}
	return nil
}

// RulesOf are the drawing rules of a game, for a shoe's source.
func RulesOf(pack *game.Pack) shoe.Rules {
	return func(player, banker []card.Card) error {
		_, err := pack.FromCards(player, banker)
		return err
	}
}
