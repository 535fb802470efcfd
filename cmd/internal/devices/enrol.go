package devices

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/google/renameio/v2"

	"shoeboard/cmd/internal/config"
	"shoeboard/cmd/internal/datadir"
	"shoeboard/hw/evdev"
	"shoeboard/tracker/regular"
)

// padID names a USB pad as the configuration writes it. A key that is empty means any.
type padID struct {
	Vendor  string `json:"vendor,omitempty"`
	Product string `json:"product,omitempty"`
	Device  string `json:"device,omitempty"`
	Port    string `json:"port,omitempty"`
}

func idOf(m evdev.Match) padID {
	return padID{config.USBID(m.Vendor).String(), config.USBID(m.Product).String(), m.Name, m.Port}
}

// match returns the pad for package evdev. A text that is no id means any.
func (p padID) match() evdev.Match {
	id := func(text string) uint16 {
		var v config.USBID
		if v.UnmarshalText([]byte(text)) != nil {
			return 0
		}
		return uint16(v)
	}
	return evdev.Match{Vendor: id(p.Vendor), Product: id(p.Product), Name: p.Device, Port: p.Port}
}

// configured returns the pad that a [[keypad]] names.
func configured(k config.Keypad) evdev.Match {
	return evdev.Match{Vendor: uint16(k.Vendor), Product: uint16(k.Product), Name: k.Device, Port: k.Port}
}

// enrolment is one pad that stands for a keypad of the configuration. It holds as long as
// the configuration says what it said when the pad was accepted, so that a technician who
// writes another pad into the file is obeyed.
type enrolment struct {
	Keypad string `json:"keypad"`
	Config padID  `json:"config"`
	Pad    padID  `json:"pad"`
}

// Enrolments is the file in the data folder that remembers accepted pads. It may be deleted
// at any time: the pads are then those of the configuration.
type Enrolments struct {
	Path string
	mu   sync.Mutex // two keypads of one core may write at once
}

// NewEnrolments returns the enrolments of a data folder.
func NewEnrolments(data string) *Enrolments {
	return &Enrolments{Path: filepath.Join(data, "pads.json")}
}

var errCorrupt = errors.New("is corrupt")

// read reads the file. A file that is not there is empty.
func (e *Enrolments) read() ([]enrolment, error) {
	data, err := regular.Read(e.Path, regular.Most)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("the accepted keypads cannot be read: %w", err)
	}
	var file struct{ Pads []enrolment }
	if err := json.Unmarshal(data, &file); err != nil {
		return nil, fmt.Errorf("%s %w (%w): it is ignored until a keypad is accepted again", e.Path, errCorrupt, err)
	}
	return file.Pads, nil
}

// find returns the pad that stands for a keypad: the accepted one, or the configured one. If
// the file cannot be read, the configured one comes with the error.
func (e *Enrolments) find(k config.Keypad) (evdev.Match, error) {
	list, err := e.read()
	for _, a := range list {
		if a.Keypad == k.Name && a.Config == idOf(configured(k)) {
			return a.Pad.match(), nil
		}
	}
	return configured(k), err
}

// others returns the pads that are enrolled for other keypads of the configuration.
func (e *Enrolments) others(cfg config.Config, k config.Keypad) []evdev.Match {
	var others []evdev.Match
	for _, o := range cfg.Keypads {
		if o.Kind != "usb" || o.Name == k.Name {
			continue
		}
		if m, _ := e.find(o); m.Whole() {
			others = append(others, m)
		}
	}
	return others
}

// Put remembers that m stands for k, in place of the pad that did before. It replaces a
// corrupt file, and not one that cannot be read: other pads are enrolled in it. A file that
// root writes belongs to the data folder's owner.
func (e *Enrolments) Put(k config.Keypad, m evdev.Match) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	list, err := e.read()
	if err != nil && !errors.Is(err, errCorrupt) {
		return err
	}
	put := enrolment{k.Name, idOf(configured(k)), idOf(m)}
	if slices.Contains(list, put) {
		return nil
	}
	list = slices.DeleteFunc(list, func(a enrolment) bool { return a.Keypad == k.Name })
	data, err := json.MarshalIndent(struct {
		Pads []enrolment `json:"pads"`
	}{append(list, put)}, "", "  ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(e.Path), 0o750); err != nil {
		return fmt.Errorf("the data folder: %w", err)
	}
	if err := renameio.WriteFile(e.Path, append(data, '\n'), 0o644); err != nil {
		return fmt.Errorf("the accepted keypad cannot be remembered: %w", err)
	}
	return datadir.GiveTo(e.Path, filepath.Dir(e.Path))
}
