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
	Hosts []string `arg:"" help:"Units as ssh knows them: pi@table14, 192.168.1.14, …"`
	SSH   string   `name:"ssh" help:"The ssh program." default:"ssh"`
	jsonFlag
}

// unitLine is what one unit of a fleet says.
type unitLine struct {
	Host    string   `json:"host"`
	Table   string   `json:"table,omitempty"`
	Game    string   `json:"game,omitempty"`
	Program string   `json:"version,omitempty"`
	Config  string   `json:"configuration,omitempty"`
	Faults  string   `json:"faults,omitempty"`
	Odd     []string `json:"odd,omitempty"` // why somebody should look
}

// askedAtOnce and askedFor bound how many units are asked at a time, and how long one
// may take.
const (
	askedAtOnce = 16
	askedFor    = 15 * time.Second
)

// Run asks every unit for its status line over ssh and marks those that differ from
// the most, that have a fault, or that do not answer. It fails when there is one.
func (v *fleetVerb) Run(ctx context.Context, p *program) error {
	units := make([]unitLine, len(v.Hosts))
	var g errgroup.Group
	g.SetLimit(askedAtOnce)
	for i, host := range v.Hosts {
		g.Go(func() error {
			units[i] = askUnit(ctx, v.SSH, host)
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
	} else if err := fleetTable(p, units); err != nil {
		return err
	}
	odd := 0
	for _, u := range units {
		if len(u.Odd) > 0 {
			odd++
		}
	}
	if odd > 0 {
		return fmt.Errorf("%d of %d units are odd", odd, len(units))
	}
	return nil
}

// askUnit asks one unit. Nobody is there to type a password.
func askUnit(ctx context.Context, ssh, host string) unitLine {
	u := unitLine{Host: host}
	if strings.HasPrefix(host, "-") {
		u.Odd = []string{"not the name of a unit"} // ssh would take it for a flag
		return u
	}
	ctx, cancel := context.WithTimeout(ctx, askedFor)
	defer cancel()
	cmd := exec.CommandContext(ctx, ssh, "-o", "BatchMode=yes", "-o", "ConnectTimeout=5", "--", host, "sudo -n shoeboard status --line")
	cmd.WaitDelay = time.Second
	var told bytes.Buffer
	cmd.Stderr = &told
	out, err := cmd.Output()
	if err == nil {
		err = u.read(strings.TrimSpace(string(out)))
	}
	if err != nil {
		why, _, _ := strings.Cut(strings.TrimSpace(told.String()), "\n")
		u.Odd = append(u.Odd, "no answer: "+cmp.Or(why, err.Error()))
	}
	return u
}

// read takes a status line apart.
func (u *unitLine) read(line string) error {
	parts := strings.Split(line, " · ")
	if len(parts) != 5 || !strings.HasPrefix(parts[0], "table ") || !strings.HasPrefix(parts[3], "configuration ") {
		return fmt.Errorf("%.80q is no status line", line)
	}
	u.Table, u.Game, u.Program = strings.TrimPrefix(parts[0], "table "), parts[1], parts[2]
	u.Config, u.Faults = strings.TrimPrefix(parts[3], "configuration "), parts[4]
	return nil
}

// markOdd says of each unit how it differs from the most of those that answered, and
// which faults it has. Two units at one table are both odd.
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
			u.Odd = append(u.Odd, "another unit stands at this table")
		}
		if u.Faults != "no faults" {
			u.Odd = append(u.Odd, "faults")
		}
	}
}

// commonest is the value that the most have; of equals the first by name.
func commonest(counts map[string]int) (most string) {
	for value, n := range counts {
		if best := counts[most]; n > best || n == best && value < most {
			most = value
		}
	}
	return most
}

func fleetTable(p *program, units []unitLine) error {
	w := tabwriter.NewWriter(p.out, 0, 4, 2, ' ', 0)
	fmt.Fprintln(w, "HOST\tTABLE\tGAME\tVERSION\tCONFIGURATION\tFAULTS\tODD")
	for _, u := range units {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", u.Host, u.Table, u.Game, u.Program, u.Config, u.Faults, strings.Join(u.Odd, "; "))
	}
	return w.Flush()
}
