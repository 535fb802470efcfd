// Package buzzer is an active buzzer on a GPIO line: it sounds while the line is on.
//
// Words: a tone is a pattern of pulses.
//
// A caller may assume what sink promises: Sound does not wait, and a newer tone silences
// an older one; the buzzer is silent after the last pulse, after a fault and when the
// program ends. The line wants a resistor that keeps it off while no program holds it.
package buzzer

import (
	"errors"
	"time"

	"shoeboard/hw/linux"
	"shoeboard/hw/sink"
)

// Tone is a signal to the dealer.
type Tone uint8

// The tones.
const (
	Silent      Tone = iota
	Acknowledge      // one short pulse: the press acted
	Refuse           // two long ones: the press was refused
	Remind           // three short ones: something waits for the dealer
)

const (
	short = 50 * time.Millisecond
	long  = 160 * time.Millisecond
	gap   = 90 * time.Millisecond
)

// pulses maps a tone to the lengths of its pulses.
var pulses = [...][]time.Duration{
	Silent:      {},
	Acknowledge: {short},
	Refuse:      {long, long},
	Remind:      {short, short, short},
}

// Buzzer is the sink of one buzzer.
type Buzzer struct{ *sink.Sink[bool] }

// Sound sounds a tone in place of the one that sounds. An unknown tone is silence.
func (b Buzzer) Sound(t Tone) {
	var steps []sink.Step[bool]
	if int(t) < len(pulses) {
		for _, d := range pulses[t] {
			steps = append(steps, sink.Step[bool]{Show: true, For: d}, sink.Step[bool]{For: gap})
		}
	}
	b.Play(append(steps, sink.Step[bool]{})...)
}

// Wiring says which line the buzzer is on.
type Wiring struct {
	Dir       string // folder of the GPIO chips, /dev
	Line      string // named as for linux.FindLine
	ActiveLow bool   // it sounds while the line is low
}

// Open opens the line, off.
func (w Wiring) Open() (sink.Device[bool], error) {
	l, err := linux.RequestOutputs(w.Dir, "shoeboard buzzer", w.ActiveLow, w.Line)
	if err != nil {
		return nil, err
	}
	return line{l}, nil
}

// line is a buzzer on the first of some lines.
type line struct{ sink.Lines }

func (l line) Show(on bool) error {
	value := uint64(0)
	if on {
		value = 1
	}
	return l.Set(value, 1)
}

func (l line) Close() error { return errors.Join(l.Show(false), l.Lines.Close()) }
