package main

import (
	"context"

	"shoeboard/cmd/internal/devices"
)

// hwVerb groups a technician's verbs for the devices of a unit.
type hwVerb struct {
	Test hwTestVerb `cmd:"" help:"Exercise key lights, buzzer, echo and timer, or only those given by flags."`
	List hwListVerb `cmd:"" help:"List the devices, and what the configuration makes of them."`
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
	Lights    string `help:"Key lights: GPIO lines, or an SPI port with registers or pixels." placeholder:"WHERE"`
	Buzzer    string `help:"Active buzzer: a GPIO line." placeholder:"LINE"`
	Timer     string `help:"Seven-segment timer: an SPI port and its digits." placeholder:"WHERE"`
	Echo      string `help:"Dealer's echo: its kind and its device." placeholder:"WHERE"`
	ActiveLow bool   `help:"Lights and buzzer are on while their line is low."`
}

// Help explains what the flags expect.
func (hwTestVerb) Help() string {
	return `Without a flag it exercises the outputs of the configuration. The flags expect:

  lights  GPIO5,GPIO6                     lamps on GPIO lines
          /dev/spidev0.0:registers:3      74HC595 in a chain
          /dev/spidev0.0:pixels:20        APA102 on a strip
  buzzer  GPIO24
  timer   /dev/spidev0.1:4                a MAX7219 of four digits
  echo    escpos:/dev/serial/by-id/NAME   or cd5220, crlf
          ssd1306:/dev/i2c-1              or serlcd, aip31068`
}

// Run exercises the outputs that flags name, or without a flag those of the configuration.
// The technician compares them with the printed steps.
func (v *hwTestVerb) Run(ctx context.Context, p *program, all *verbs) error {
	cfg, err := devices.OutputFlags(*v).Config()
	if err != nil {
		return usageError{err}
	}
	if *v == (hwTestVerb{}) {
		if cfg, err = p.ofTable(all.Config); err != nil {
			return err
		}
	}
	return devices.TestOutputs(ctx, devices.Below(p.root, p.log), cfg, p.out)
}
