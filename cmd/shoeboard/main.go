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
	quiet    bool   // the verb has words of its own and no log

	inquired bool           // a core was asked: its board says what is wrong with its configuration
	refused  *config.Loaded // what stands in for a configuration that is refused
}

// verbs is the command line.
type verbs struct {
	Config string `help:"Configuration file; without it the one on the boot partition or in /etc/shoeboard." type:"path" placeholder:"FILE"`

	Run      runVerb      `cmd:"" help:"The core: takes keys, keeps the record, serves the board on its socket."`
	Screen   screenVerbs  `cmd:"" help:"The screen: shows the board of the core on this unit; test: its test pages."`
	Demo     demoVerb     `cmd:"" help:"Core and screen in one window, keyed with the keyboard, on data of its own."`
	Watch    watchVerb    `cmd:"" help:"The live board as text in a terminal."`
	Replay   replayVerb   `cmd:"" help:"Plays a shoe file: the board as text, JSON or a picture."`
	Specimen specimenVerb `cmd:"" help:"Draws every state of the board into pictures and one contact sheet."`
	Hw       hwVerb       `cmd:"" help:"A technician's verbs for the devices of a unit: list, test."`
	Shoe     shoeVerb     `cmd:"" help:"A technician's verbs for card-reading shoes: monitor, simulate."`
	Keypad   keypadVerb   `cmd:"" help:"A technician's verbs for keypads: test, learn, overlay."`
	Config_  configVerb   `cmd:"" name:"config" help:"The one file of a venue: a first one, a check, what is in force."`
	Status   statusVerb   `cmd:"" help:"How this unit is, in a few words or in one line."`
	Doctor   doctorVerb   `cmd:"" help:"Looks at everything that a unit needs, and says what to do."`
	Faults   faultsVerb   `cmd:"" help:"The faults that stand: since when, and whether somebody has acknowledged them."`
	Ack      ackVerb      `cmd:"" name:"acknowledge" help:"Says in your name that a fault is known."`
	Fix      fixVerb      `cmd:"" help:"For the floor: puts a hand of the shoe in play right."`
	Insert   insertVerb   `cmd:"" help:"For the floor: puts in a hand that was forgotten."`
	Remove   removeVerb   `cmd:"" help:"For the floor: takes out a hand that was never dealt."`
	Verify   verifyVerb   `cmd:"" help:"SHA-256 of program, games and configuration; whether the record is whole."`
	Export   exportVerb   `cmd:"" help:"Hands out of the record, as CSV or JSON, by shoe or date."`
	Backup   backupVerb   `cmd:"" help:"Copies the record, the configuration and the table's number into one file, while the core runs."`
	Restore  restoreVerb  `cmd:"" help:"Takes a table over from a backup."`
	Fleet    fleetVerb    `cmd:"" help:"Asks many units for their status line over ssh, and marks the odd ones."`
	Bundle   bundleVerb   `cmd:"" name:"support-bundle" help:"One file for somebody far away: findings, configuration, logs, without names and addresses."`
	Update   updateVerb   `cmd:"" help:"Replaces the program by a signed package; the old one comes back if the new one does not start."`
	Takeover takeoverVerb `cmd:"" help:"Goes on with the table of another unit: its card is in this one, or a stick that was in it."`
	Stick    stickVerb    `cmd:"" hidden:"" help:"Mounts a USB stick for the core; udev has it done."`
	Helper   helperVerb   `cmd:"" hidden:"" help:"Does what the technician's menu needs root for; systemd starts it."`
	Monitor  monitorVerb  `cmd:"" help:"Which monitors are connected."`
	Identify identifyVerb `cmd:"" help:"Flashes the table's number on the screen."`
	Press    pressVerb    `cmd:"" hidden:"" help:"Presses keys at a core that was started with --socket-keys."`
	Manual   manualVerb   `cmd:"" hidden:"" help:"The manual page, for man."`
	Version  versionVerb  `cmd:"" help:"What this program is built from."`
}

// main runs one verb and returns the exit code.
func (p *program) main(ctx context.Context, args []string) int {
	var v verbs
	exited := -1
	out := &careful{Writer: p.out}
	q := &program{out: out, err: p.err, log: p.log, root: p.root}
	parser, err := kong.New(&v, kong.Name("shoeboard"), kong.Writers(q.out, q.err), kong.Exit(func(code int) { exited = code }),
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
			err = parsed(err)
		default:
			if q.quiet = !logs(k.Command()); q.quiet {
				q.log = slog.New(slog.DiscardHandler)
			}
			if err = q.named(v.Config); err == nil {
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
	if q.refused != nil && (err != nil || !q.inquired) {
		complain(p.err, errors.New(stoodIn(*q.refused)))
	}
	return exitOf(err)
}

// logs says that the words of a verb are its log: a service manager starts it, or it is
// the demo, which is one.
func logs(command string) bool {
	verb, _, _ := strings.Cut(command, " ")
	return slices.Contains([]string{"run", "demo", "stick"}, verb) || slices.Contains([]string{"screen show", "helper serve"}, command)
}

// loadConfig reads the configuration that is in force for the table. For a
// refused file the last good one stands in, with the first fault, to be shown.
func (p *program) loadConfig(path, tableNumber string) (config.Config, *stats.ConfigFault, error) {
	l, err := p.readConfig(path, "")
	if err != nil {
		return config.Config{}, nil, err
	}
	return l.File.Table(tableNumber), l.Fault, nil
}

// readConfig reads the configuration in force, as config.Source does. A verb that has no
// log says at its end that it is refused.
func (p *program) readConfig(path, data string) (config.Loaded, error) {
	l, err := p.source().Read(path, data)
	if err == nil && l.Fault != nil && p.quiet {
		p.refused = &l
	}
	return l, err
}

// named expects the configuration that a person names to be there: the last good one
// stands in for the unit's own, not for a slip of the pen.
func (p *program) named(path string) error {
	if path == "" || !p.quiet {
		return nil
	}
	if _, err := os.Stat(path); err != nil {
		return fmt.Errorf("--config: %w", err)
	}
	return nil
}

func (p *program) source() config.Source { return config.Source{Root: p.root, Log: p.log} }

// warn says or logs an error that stops nothing.
func (p *program) warn(what string, err error) {
	switch {
	case err == nil:
	case p.quiet:
		fmt.Fprintf(p.err, "shoeboard: %s: %v\n", what, err)
	default:
		p.log.Warn(what, "err", err)
	}
}
