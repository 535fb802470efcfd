package main

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

	"shoeboard/cmd/shoeboard/config"
	"shoeboard/hw/evdev"
)

// padID says which USB pad is meant, as the configuration writes it. A key that is
// empty means any.
type padID struct {
	Vendor  string `json:"vendor,omitempty"`
	Product string `json:"product,omitempty"`
	Device  string `json:"device,omitempty"`
	Port    string `json:"port,omitempty"`
}

func padOf(m evdev.Match) padID {
	return padID{config.USBID(m.Vendor).String(), config.USBID(m.Product).String(), m.Name, m.Port}
}

// match is the pad for package evdev. What is no id means any.
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

// configured is the pad that a [[keypad]] names.
func configured(k config.Keypad) evdev.Match {
	return evdev.Match{Vendor: uint16(k.Vendor), Product: uint16(k.Product), Name: k.Device, Port: k.Port}
}

// accepted is one pad that stands for a keypad of the configuration. It holds as
// long as the configuration says what it said when the pad was accepted, so that a
// technician who writes another pad into the file is obeyed.
type accepted struct {
	Keypad string `json:"keypad"`
	Config padID  `json:"config"`
	Pad    padID  `json:"pad"`
}

// padBook is the file in the data folder that remembers accepted pads. It may be
// deleted at any time: the pads are then those of the configuration.
type padBook struct {
	path string
	mu   sync.Mutex // two keypads of one core may write at once
}

func newPadBook(data string) *padBook {
	return &padBook{path: filepath.Join(data, "pads.json")}
}

// pages reads the book. A book that is not there is empty.
func (b *padBook) pages() ([]accepted, error) {
	data, err := os.ReadFile(b.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("the accepted keypads cannot be read: %w", err)
	}
	var book struct{ Pads []accepted }
	if err := json.Unmarshal(data, &book); err != nil {
		return nil, fmt.Errorf("%s is damaged (%w): it is set aside until a keypad is accepted again", b.path, err)
	}
	return book.Pads, nil
}

// find is the pad in force for a keypad: the accepted one, else the configured one.
// An error of the book comes with the configured one.
func (b *padBook) find(k config.Keypad) (evdev.Match, error) {
	pages, err := b.pages()
	for _, a := range pages {
		if a.Keypad == k.Name && a.Config == padOf(configured(k)) {
			return a.Pad.match(), nil
		}
	}
	return configured(k), err
}

// put remembers that m stands for k, in place of what stood for it. A damaged book
// is written anew.
func (b *padBook) put(k config.Keypad, m evdev.Match) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	pages, err := b.pages()
	if errors.Is(err, fs.ErrPermission) {
		return err
	}
	page := accepted{k.Name, padOf(configured(k)), padOf(m)}
	if slices.Contains(pages, page) {
		return nil
	}
	pages = slices.DeleteFunc(pages, func(a accepted) bool { return a.Keypad == k.Name })
	data, err := json.MarshalIndent(struct {
		Pads []accepted `json:"pads"`
	}{append(pages, page)}, "", "  ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(b.path), 0o750); err != nil {
		return fmt.Errorf("the data folder: %w", err)
	}
	if err := renameio.WriteFile(b.path, append(data, '\n'), 0o644); err != nil {
		return fmt.Errorf("the accepted keypad cannot be remembered: %w", err)
	}
	return nil
}
