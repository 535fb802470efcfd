package main

import (
	"context"

	"shoeboard/cmd/internal/devices"
	"shoeboard/cmd/internal/ports"
)

// hwVerb are a technician's verbs for the devices of a unit.
type hwVerb struct {
	Test hwTestVerb `cmd:"" help:"Walks through key lights, buzzer, echo and timer of the configuration, or those that flags name."`
	List hwListVerb `cmd:"" help:"What devices there are, which of them the configuration uses, and what is wrong with those."`
}

type hwListVerb struct {
	jsonFlag
}

// Run lists the devices. What is missing is told and is no failure of the verb.
func (v *hwListVerb) Run(p *program, all *verbs) error {
	cfg, err := p.ofTable(all.Config)
	if err != nil {
		return err
	}
	list := devices.Below(p.root, p.log).Inventory(cfg, ports.NewBook(cfg.Data))
	if v.JSON {
		return writeJSON(p.out, list)
	}
	return list.Write(p.out)
}

type hwTestVerb struct {
	Lights    string `help:"Key lights: GPIO lines (GPIO5,GPIO6), or an SPI port with 74HC595 or APA102 (/dev/spidev0.0:registers:3, /dev/spidev0.0:pixels:20)." placeholder:"WHERE"`
	Buzzer    string `help:"Active buzzer: a GPIO line." placeholder:"LINE"`
	Timer     string `help:"Seven-segment timer: an SPI port and its digits (/dev/spidev0.1:4)." placeholder:"WHERE"`
	Echo      string `help:"Dealer's echo: its kind and where it hangs (escpos:/dev/serial/by-id/NAME, ssd1306:/dev/i2c-1); kinds escpos, cd5220, crlf, ssd1306, serlcd, aip31068." placeholder:"WHERE"`
	ActiveLow bool   `help:"Lights and buzzer are on while their line is low."`
}

// Run walks through everything that shows and sounds beside the screen: what flags
// name, or without one what the configuration names. Whoever looks and listens compares
// that with what is printed.
func (v *hwTestVerb) Run(ctx context.Context, p *program, all *verbs) error {
	h := devices.Below(p.root, p.log)
	if *v != (hwTestVerb{}) {
		walk := devices.Walk(*v)
		if err := walk.Check(h); err != nil {
			return useError{err}
		}
		return walk.Run(ctx, h, p.out)
	}
	cfg, err := p.ofTable(all.Config)
	if err != nil {
		return err
	}
	return devices.WalkConfigured(ctx, h, cfg, p.out)
}
