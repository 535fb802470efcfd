package core

import (
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	"shoeboard/cmd/internal/clock"
	"shoeboard/cmd/internal/config"
	"shoeboard/cmd/internal/devices"
	"shoeboard/cmd/internal/doctor"
	"shoeboard/stats"
	"shoeboard/tracker/menu"
	"shoeboard/tracker/table"
)

// Setup says what a core is made of.
type Setup struct {
	Data    string // folder of the record
	Table   string // number of the table
	Unknown error  // why the unit does not know it; Table is the record's then, or "?"
	Config  config.Config
	Fault   *stats.ConfigFault // the file was refused; Config is used in its place
	Hash    string             // of the configuration, for the status line
	Clock   *clock.Clock
	Socket  string                        // "": none
	Pads    table.Keys                    // of the keypads, by their names; nil: there are none
	Panel   *devices.Indicators           // the devices besides keypads and screen; nil: none
	Reload  func() (config.Loaded, error) // nil: nothing to read again
	Demo    bool                          // the table opens by itself, and the board says DEMO
	Keys    bool                          // accept key presses through the socket
	Service bool                          // the service manager runs it: a screen must come
	Safe    int                           // failed starts before this one when it is a safe start, else 0
	Healthy func()                        // called when this start is healthy; may be nil

	Machine     *doctor.Unit                         // watched for faults; nil: it is not
	Staff       func() (bool, error)                 // whether it has staff, and why it cannot be read; nil: none
	Maintenance Maintenance                          // does the tasks of the technician's menu; nil: nothing does
	Beside      []func(ctx context.Context, c *Core) // run with the core from its first board on
}

// Maintenance does the tasks of the technician's menu.
type Maintenance interface {
	Do(ctx context.Context, t menu.Task, env Env) menu.Result
}

// Env is what a task may need of the core, as it is in force now.
type Env struct {
	Game, Hash string // id; hash of the configuration
	Zone       *time.Location
	Trusted    bool   // the wall clock is right
	End        func() // ends the core soon, in order: its supervisor starts it again
}

// InForce returns the configuration with as many devices as this start dares to use: a
// safe one uses only the dealer's keypad.
func (s Setup) InForce() config.Config {
	cfg := s.Config
	if s.Safe > 0 {
		cfg.Keypads, cfg.Shoes = cfg.Keypads[:min(1, len(cfg.Keypads))], nil
		cfg.Lights, cfg.Buzzers, cfg.Echoes, cfg.Timers, cfg.KeySwitches = nil, nil, nil, nil, nil
	}
	return cfg
}

// faults returns the sentences of the faults that are known before a core opens, by their
// codes; "" where there is none.
func (s Setup) faults() map[string]string {
	faults := map[string]string{stats.ConfigCode: configFault(s.Fault), "table-unknown": ""}
	if s.Unknown != nil {
		faults["table-unknown"] = fmt.Sprintf("The unit cannot read which table this is, and goes on as table %s. "+
			"Check the limits, and key the number in the technician's menu", s.Table)
	}
	if s.Safe > 0 {
		faults["safe-mode"] = fmt.Sprintf("Safe mode after %d failed starts: last settings, one keypad, no history. "+
			"Call a technician", s.Safe)
	}
	return faults
}

// configFault returns the sentence of a configuration that was refused, "" for none.
func configFault(f *stats.ConfigFault) string {
	if f == nil {
		return ""
	}
	return "Configuration refused, the settings before it stay in force: " + config.FaultText(f)
}

// ID returns the name of this unit in its journal: the board's serial number where there
// is one, else the machine's id, else a word.
func ID() string {
	for _, path := range []string{"/proc/device-tree/serial-number", "/etc/machine-id"} {
		data, _ := os.ReadFile(path)
		id := strings.Map(func(r rune) rune {
			if r > ' ' && r < 0x7f {
				return r
			}
			return -1
		}, string(data))
		if id != "" {
			return id[:min(len(id), 32)]
		}
	}
	return "unit"
}
