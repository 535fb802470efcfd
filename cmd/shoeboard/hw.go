package main

import (
	"context"

	"shoeboard/cmd/internal/devices"
)

// hwVerb groups a technician's verbs for the devices of a unit.
type hwVerb struct {
	Test hwTestVerb `cmd:"" help:"Exercise key lights, buzzer, echo and timer: those of the configuration, or only those given by flags."`
	List hwListVerb `cmd:"" help:"List the devices, which of them the configuration uses, and what is wrong with those."`
}

type hwListVerb struct {
	jsonFlag
}

// Run lists the devices. A missing device is reported and is no failure of the verb.
func (v *hwListVerb) Run(p *program, all *verbs) error {
	cfg, err := p.ofTable(all.Config)
	if err != nil {
		return err
	}
	list := devices.Below(p.root, p.log).Inventory(cfg, devices.NewEnrolments(cfg.Data))
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

// Run exercises the outputs that flags name, or without a flag those of the configuration.
// The technician compares them with the printed steps.
func (v *hwTestVerb) Run(ctx context.Context, p *program, all *verbs) error {
	cfg, err := devices.OutputFlags(*v).Config()
	if err != nil {
		return useError{err}
	}
	if *v == (hwTestVerb{}) {
		if cfg, err = p.ofTable(all.Config); err != nil {
			return err
		}
	}
	return devices.TestOutputs(ctx, devices.Below(p.root, p.log), cfg, p.out)
}
