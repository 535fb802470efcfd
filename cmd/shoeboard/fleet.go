package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"os/exec"
	"strings"
	"text/tabwriter"
	"time"

	"golang.org/x/sync/errgroup"
)

type fleetVerb struct {
	Hosts []string `arg:"" help:"Units by their ssh names: pi@table14, 192.168.1.14, …"`
	SSH   string   `name:"ssh" help:"The ssh program." default:"ssh"`
	jsonFlag
}

// unitLine is the status of one unit of a fleet.
type unitLine struct {
	Host    string   `json:"host"`
	Table   string   `json:"table,omitempty"`
	Game    string   `json:"game,omitempty"`
	Program string   `json:"version,omitempty"`
	Config  string   `json:"configuration,omitempty"`
	Faults  string   `json:"faults,omitempty"`
	Odd     []string `json:"odd,omitempty"` // how it differs, or what is wrong
}

// fleetConcurrency and fleetTimeout bound how many units are read at a time, and how long
// one may take.
const (
	fleetConcurrency = 16
	fleetTimeout     = 15 * time.Second
)

// Run reads the status line of every unit over ssh and marks those that differ from most,
// that have a fault, or that do not answer. It fails when there is one.
func (v *fleetVerb) Run(ctx context.Context, p *program) error {
	units := make([]unitLine, len(v.Hosts))
	var g errgroup.Group
	g.SetLimit(fleetConcurrency)
	for i, host := range v.Hosts {
		g.Go(func() error {
			units[i] = readFleetUnit(ctx, v.SSH, host)
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		return err
	}
	markOdd(units)
	if v.JSON {
		if err := writeJSON(p.out, units); err != nil {
			return err
		}
	} else if err := printFleet(p, units); err != nil {
		return err
	}
	odd := 0
	for _, u := range units {
		if len(u.Odd) > 0 {
			odd++
		}
	}
	if odd > 0 {
		return fmt.Errorf("%d of %d units differ or report a problem", odd, len(units))
	}
	return nil
}

// readFleetUnit reads the status line of one unit. ssh must not ask for a password.
func readFleetUnit(ctx context.Context, ssh, host string) unitLine {
	u := unitLine{Host: host}
	if strings.HasPrefix(host, "-") {
		u.Odd = []string{"not a host name"} // ssh would read it as a flag
		return u
	}
	ctx, cancel := context.WithTimeout(ctx, fleetTimeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, ssh, "-o", "BatchMode=yes", "-o", "ConnectTimeout=5", "--", host,
		"sudo -n shoeboard status --line")
	cmd.WaitDelay = time.Second
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err == nil {
		err = u.read(strings.TrimSpace(string(out)))
	}
	if err != nil {
		why, _, _ := strings.Cut(strings.TrimSpace(stderr.String()), "\n")
		u.Odd = append(u.Odd, "no answer: "+cmp.Or(why, err.Error()))
	}
	return u
}

// read parses a status line.
func (u *unitLine) read(line string) error {
	parts := strings.Split(line, " · ")
	if len(parts) != 5 || !strings.HasPrefix(parts[0], "table ") || !strings.HasPrefix(parts[3], "configuration ") {
		return fmt.Errorf("%.80q is not a status line", line)
	}
	u.Table, u.Game, u.Program = strings.TrimPrefix(parts[0], "table "), parts[1], parts[2]
	u.Config, u.Faults = strings.TrimPrefix(parts[3], "configuration "), parts[4]
	return nil
}

// markOdd notes how each unit differs from most of those that answered, and whether it has
// faults. Two units of one table are both marked.
func markOdd(units []unitLine) {
	programs, configs, tables := map[string]int{}, map[string]int{}, map[string]int{}
	for _, u := range units {
		if u.Table != "" {
			programs[u.Program]++
			configs[u.Config]++
			tables[u.Table]++
		}
	}
	program, config := commonest(programs), commonest(configs)
	for i := range units {
		u := &units[i]
		if u.Table == "" {
			continue
		}
		if u.Program != program {
			u.Odd = append(u.Odd, "version: most have "+program)
		}
		if u.Config != config {
			u.Odd = append(u.Odd, "configuration: most have "+config)
		}
		if tables[u.Table] > 1 {
			u.Odd = append(u.Odd, "another unit has the same table")
		}
		if u.Faults != "no faults" {
			u.Odd = append(u.Odd, "faults")
		}
	}
}

// commonest returns the value that most units have; of equals the first by name.
func commonest(counts map[string]int) (most string) {
	for value, n := range counts {
		if best := counts[most]; n > best || n == best && value < most {
			most = value
		}
	}
	return most
}

// printFleet writes the units as a table of text.
func printFleet(p *program, units []unitLine) error {
	w := tabwriter.NewWriter(p.out, 0, 4, 2, ' ', 0)
	fmt.Fprintln(w, "HOST\tTABLE\tGAME\tVERSION\tCONFIGURATION\tFAULTS\tODD")
	for _, u := range units {
		columns := []string{u.Host, u.Table, u.Game, u.Program, u.Config, u.Faults, strings.Join(u.Odd, "; ")}
		fmt.Fprintln(w, strings.Join(columns, "\t"))
	}
	return w.Flush()
}
