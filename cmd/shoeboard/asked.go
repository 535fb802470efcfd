package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"shoeboard/cmd/internal/helper"
	"shoeboard/cmd/internal/transfer"
	"shoeboard/cmd/internal/update"
)

// askedVerb is the helper of the keypad's menu; systemd starts it, as root.
type askedVerb struct{}

// Run answers what is in the spool.
func (*askedVerb) Run(ctx context.Context, p *program, all *verbs) error {
	spool := p.spool()
	p.warn("packages of a stick, from before a power cut", update.Unfetch(p.root))
	return spool.Serve(ctx, func(ctx context.Context, r helper.Request) ([]string, func() error, error) {
		return p.asked(ctx, spool, r, all.Config)
	})
}

// spool is where the core asks root.
func (p *program) spool() helper.Spool { return helper.Spool(filepath.Join(p.root, helper.Folder)) }

// slot is where the unit's stick is.
func (p *program) slot() transfer.Slot {
	return transfer.Slot{Dir: filepath.Join(p.root, transfer.Mount)}
}

// asked does one thing. Everything is judged here again, whatever the menu has judged.
func (p *program) asked(ctx context.Context, spool helper.Spool, r helper.Request, config string) (lines []string, after func() error, err error) {
	switch r.Kind {
	case helper.SetTime:
		lines, err = spool.SetClock(r.Time)
	case helper.Addresses:
		lines, err = helper.Interfaces()
	case helper.Update:
		return p.updateAsked(ctx, r.File, config)
	case helper.Reboot:
		return p.endAsked(ctx, "reboot", "The unit starts anew.", config)
	case helper.PowerOff:
		return p.endAsked(ctx, "poweroff", "The unit switches off.", config)
	}
	return lines, nil, err
}

// endAsked ends the system, while no shoe is in play.
func (p *program) endAsked(ctx context.Context, how, line, config string) ([]string, func() error, error) {
	client, err := p.client("", config)
	if err != nil {
		return nil, nil, err
	}
	if err := update.BetweenShoes(ctx, client); err != nil {
		return nil, nil, err
	}
	return []string{line}, func() error {
		pause(ctx, time.Second) // to be read
		return systemctl(how)
	}, nil
}

// updateAsked checks a package of the stick, on a copy that is root's, and has it
// installed by the unit that also ends an interrupted update: this one answers at once.
func (p *program) updateAsked(ctx context.Context, file, config string) ([]string, func() error, error) {
	u, err := p.updater(config)
	if err != nil {
		return nil, nil, err
	}
	dir, err := update.Fetching(p.root)
	if err != nil {
		return nil, nil, err
	}
	defer os.RemoveAll(dir)
	if err := p.slot().Fetch(file, dir); err != nil {
		return nil, nil, err
	}
	version, err := u.Prepare(ctx, filepath.Join(dir, file), "")
	if err != nil {
		return nil, nil, err
	}
	return []string{"Version " + version + " is being", "installed. The board comes", "back by itself."}, func() error {
		return systemctl("start", "shoeboard-update.service")
	}, nil
}

// systemctl asks the service manager for something and does not wait for it.
func systemctl(args ...string) error {
	out, err := exec.Command("systemctl", append([]string{"--no-block"}, args...)...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("systemctl %v: %w", args, errors.Join(err, errors.New(string(out))))
	}
	return nil
}
