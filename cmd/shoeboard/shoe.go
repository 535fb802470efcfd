package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"slices"
	"strings"

	"shoeboard/cmd/internal/config"
	"shoeboard/cmd/internal/devices"
	"shoeboard/hw/shoe"
)

// shoeVerb groups a technician's verbs for card-reading shoes.
type shoeVerb struct {
	Monitor  shoeMonitorVerb  `cmd:"" help:"Show live what a shoe sends: bytes, events, hands, counts of errors."`
	Simulate shoeSimulateVerb `cmd:"" help:"Simulate a shoe that deals on a pseudo terminal."`
}

type shoeMonitorVerb struct {
	Shoe    string  `arg:"" help:"Name of a [[shoe]], serial port, tcp://host:port, or file."`
	Kind    string  `help:"Its protocol: tsp1, angel-eye or lines; or replay for a recording."`
	Baud    int     `help:"Bits a second of a serial port; 0: the default of the kind." default:"0"`
	Raw     string  `help:"Write every byte to this file, for a bug report." type:"path" placeholder:"FILE"`
	Seconds float64 `help:"Stop after this many seconds; 0: never." default:"0"`
}

// Help explains what can be monitored.
func (shoeMonitorVerb) Help() string {
	return `A file may be a recording, the bytes as they came, a dump of them in hex, or the log of a
terminal program. Without --kind the protocol is the configuration's, or tsp1; of a file it
is the one with the most good frames.`
}

// Run shows what the shoe sends until it is interrupted, or a recording is over.
func (v *shoeMonitorVerb) Run(ctx context.Context, p *program, all *verbs) error {
	cfg, pack, err := p.gameOfTable(all.Config)
	if err != nil {
		return err
	}
	if err := v.check(cfg); err != nil {
		return err
	}
	w := v.wiring(cfg)
	if sameFile(v.Raw, w.Device) {
		return wrongUse("--raw %s: that file is being read; expected another file", v.Raw)
	}
	used := slices.ContainsFunc(cfg.Shoes, func(s config.Shoe) bool { return s.Device == w.Device })
	if used && w.Kind != "replay" && p.coreAnswers(ctx, cfg.Socket) {
		return fmt.Errorf("the running core is using %s: %s", w.Device, devices.StopTheCore)
	}
	ctx, cancel := forSeconds(ctx, v.Seconds)
	defer cancel()
	return devices.Below(p.root, p.log).MonitorShoe(ctx, w, pack, v.Raw, p.out)
}

// check checks the argument and the flags. A device need not be there yet.
func (v *shoeMonitorVerb) check(cfg config.Config) error {
	if kinds := []string{"", "tsp1", "angel-eye", "lines", "replay"}; !slices.Contains(kinds, v.Kind) {
		return wrongUse("--kind %s: expected tsp1, angel-eye, lines or replay", v.Kind)
	}
	err := errors.Join(within("--baud", v.Baud, 0, 4_000_000), within("--seconds", v.Seconds, 0, longest))
	if err != nil {
		return err
	}
	if address, network := strings.CutPrefix(v.Shoe, "tcp://"); network {
		if _, _, err := net.SplitHostPort(address); err != nil {
			return wrongUse("%s: expected tcp://host:port", v.Shoe)
		}
		return nil
	}
	var names []string
	for _, s := range cfg.Shoes {
		names = append(names, s.Name)
	}
	if _, err := os.Stat(v.Shoe); err == nil || strings.Contains(v.Shoe, "/") || slices.Contains(names, v.Shoe) {
		return nil
	}
	has := "has none"
	if len(names) > 0 {
		has = "has " + strings.Join(names, ", ")
	}
	return wrongUse("%s: expected the name of a [[shoe]] (the configuration %s), "+
		"a device such as /dev/ttyUSB0, tcp://host:port or a file", v.Shoe, has)
}

// sameFile reports whether two paths lead to one file.
func sameFile(a, b string) bool {
	one, err := os.Stat(a)
	other, err2 := os.Stat(b)
	return err == nil && err2 == nil && os.SameFile(one, other)
}

// wiring returns the shoe of the configuration by its name, or the device.
func (v *shoeMonitorVerb) wiring(cfg config.Config) shoe.Wiring {
	for _, s := range cfg.Shoes {
		if s.Name == v.Shoe {
			return shoe.Wiring{Kind: cmp.Or(v.Kind, s.Kind), Device: s.Device, Baud: v.Baud}
		}
	}
	return shoe.Wiring{Kind: cmp.Or(v.Kind, "tsp1"), Device: v.Shoe, Baud: v.Baud}
}
