// Command shoeboard is a display for baccarat tables: the core that takes the
// dealer's keys and keeps the record, the screen that players look at, and the
// verbs of a technician. Flags and configuration are read here and nowhere else.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"

	"shoeboard/cmd/internal/config"
	"shoeboard/stats"

	"github.com/alecthomas/kong"
)

// Exit codes of every verb.
const (
	exitFine   = 0
	exitFailed = 1
	exitUsage  = 2
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	p := &program{out: os.Stdout, err: os.Stderr, log: slog.New(slog.NewTextHandler(os.Stderr, nil)), root: "/"}
	code := p.main(ctx, os.Args[1:])
	stop()
	os.Exit(code)
}

// program is the command as a value, so that a test can run it with its own
// output and folders.
type program struct {
	out, err io.Writer
	log      *slog.Logger
	root     string // folder that stands for "/" when looking for a configuration
	quiet    bool   // the verb prints its result and writes no log

	reported bool           // the verb talks to a core, whose board shows a refused configuration
	refused  *config.Loaded // what was used instead of a configuration that is refused
}

// verbs is the command line.
type verbs struct {
	Config string `help:"Configuration file; the default is the unit's." type:"path" placeholder:"FILE"`

	Run      runVerb        `cmd:"" help:"Run the core: take keys, keep the record, serve the board on a socket."`
	Screen   screenVerbs    `cmd:"" help:"Show the board of this unit's core, or test pages (screen test)."`
	Demo     demoVerb       `cmd:"" help:"Run core and screen in one window, keyed with the keyboard, on demo data."`
	Watch    watchVerb      `cmd:"" help:"Show the live board as text in a terminal."`
	Replay   replayVerb     `cmd:"" help:"Play a shoe file: the board as text, JSON or a picture."`
	Specimen specimenVerb   `cmd:"" help:"Draw every state of the board as pictures and one contact sheet."`
	Hw       hwVerb         `cmd:"" help:"List and test the devices of a unit."`
	Shoe     shoeVerb       `cmd:"" help:"Monitor or simulate a card-reading shoe."`
	Keypad   keypadVerb     `cmd:"" help:"Test or enrol a keypad; draw its overlay."`
	Config_  configVerb     `cmd:"" name:"config" help:"Create, check, show or reload the configuration."`
	Staff    staffVerb      `cmd:"" help:"The staff of this unit and their PINs."`
	Venue    venueVerb      `cmd:"" help:"The key that the units of a venue share."`
	Status   statusVerb     `cmd:"" help:"Show the state of this unit."`
	Doctor   doctorVerb     `cmd:"" help:"Check everything that a unit needs, and say what to do."`
	Faults   faultsVerb     `cmd:"" help:"List the faults: since when, and who acknowledged them."`
	Ack      ackVerb        `cmd:"" name:"acknowledge" help:"Acknowledge a fault."`
	Fix      fixVerb        `cmd:"" help:"For the floor: correct a hand of the shoe in play."`
	Insert   insertVerb     `cmd:"" help:"For the floor: insert a hand that was forgotten."`
	Remove   removeVerb     `cmd:"" help:"For the floor: remove a hand that was never dealt."`
	Verify   verifyVerb     `cmd:"" help:"Print the SHA-256 of program, games and configuration; check the record."`
	Export   exportVerb     `cmd:"" help:"Export recorded hands as CSV or JSON, by shoe or date."`
	Backup   backupVerb     `cmd:"" help:"Back up the record, configuration and table number, while the core runs."`
	Restore  restoreVerb    `cmd:"" help:"Restore a table from a backup."`
	Fleet    fleetVerb      `cmd:"" help:"Read the status of many units over ssh, and mark those that differ."`
	Bundle   bundleVerb     `cmd:"" name:"support-bundle" help:"Write findings, configuration and logs for support."`
	Update   updateVerb     `cmd:"" help:"Install a signed package; the previous version returns if the new one fails."`
	Takeover takeoverVerb   `cmd:"" help:"Take over another unit's table, from its card or its USB stick."`
	Stick    stickVerb      `cmd:"" hidden:"" help:"Mount a USB stick for the core; udev runs it."`
	Helper   helperVerb     `cmd:"" hidden:"" help:"Do what the technician's menu needs root for; systemd runs it."`
	Monitor  monitorVerb    `cmd:"" help:"List the monitors; with --wait, wait for one."`
	Identify identifyVerb   `cmd:"" help:"Flash the table's number on the screen."`
	Press    pressVerb      `cmd:"" hidden:"" help:"Press keys at a core that was started with --socket-keys."`
	Check    indexCheckVerb `cmd:"" name:"index-check" hidden:"" help:"Check a file of finished shoes."`
	Manual   manualVerb     `cmd:"" hidden:"" help:"Print the manual page, for man."`
	Help     helpVerb       `cmd:"" help:"Print a page of the manual, or list its subjects."`
	Version  versionVerb    `cmd:"" help:"Show the version and what the program was built from."`
}

// main runs one verb and returns the exit code.
func (p *program) main(ctx context.Context, args []string) int {
	var v verbs
	exited := -1
	out := &checkedWriter{Writer: p.out}
	q := &program{out: out, err: p.err, log: p.log, root: p.root}
	parser, err := kong.New(&v, kong.Name("shoeboard"), kong.Writers(q.out, q.err),
		kong.Exit(func(code int) { exited = code }),
		kong.Description("A table display for EZ Baccarat Panda 8 and Dai Bacc."),
		kong.BindTo(ctx, (*context.Context)(nil)), kong.Bind(q, &v))
	if err == nil {
		if len(args) == 0 {
			args = []string{"--help"}
		}
		var k *kong.Context
		k, err = parser.Parse(args)
		switch {
		case out.failed != nil: // of the help
		case exited >= 0:
			return exited
		case err != nil:
			err = parseError(err)
		default:
			if q.quiet = !logs(k.Command()); q.quiet {
				q.log = slog.New(slog.DiscardHandler)
			}
			if err = q.exists(v.Config); err == nil {
				err = k.Run()
			}
		}
	}
	if errors.Is(err, context.Canceled) {
		err = nil
	}
	if err == nil {
		err = out.failed
	}
	if err != nil {
		complain(p.err, err)
	}
	if q.refused != nil && (err != nil || !q.reported) {
		complain(p.err, errors.New(substituted(*q.refused)))
	}
	return exitOf(err)
}

// logs reports whether the output of a verb is a log: a service manager starts it, or it
// is the demo.
func logs(command string) bool {
	verb, _, _ := strings.Cut(command, " ")
	return slices.Contains([]string{"run", "demo", "stick"}, verb) ||
		command == "screen show" || command == "helper serve"
}

// loadConfig reads the configuration that is in force for the table. For a
// refused file that is the last good copy, with the first fault, to be shown.
func (p *program) loadConfig(path, tableNumber string) (config.Config, *stats.ConfigFault, error) {
	l, err := p.readConfig(path, "")
	if err != nil {
		return config.Config{}, nil, err
	}
	return l.File.Table(tableNumber), l.Fault, nil
}

// readConfig reads the configuration in force, as config.Source does. A verb without a log
// reports a refused one at its end.
func (p *program) readConfig(path, data string) (config.Loaded, error) {
	l, err := p.source().Read(path, data)
	if err == nil && l.Fault != nil && p.quiet {
		p.refused = &l
	}
	return l, err
}

// exists expects the configuration that --config names to exist: the last good copy
// replaces the unit's own file, not a mistyped name.
func (p *program) exists(path string) error {
	if path == "" || !p.quiet {
		return nil
	}
	if _, err := os.Stat(path); err != nil {
		return fmt.Errorf("--config: %w", err)
	}
	return nil
}

func (p *program) source() config.Source { return config.Source{Root: p.root, Log: p.log} }

// warn prints or logs an error that stops nothing.
func (p *program) warn(what string, err error) {
	switch {
	case err == nil:
	case p.quiet:
		fmt.Fprintf(p.err, "shoeboard: %s: %v\n", what, err)
	default:
		p.log.Warn(what, "err", err)
	}
}
