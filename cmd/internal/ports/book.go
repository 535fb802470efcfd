package ports

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
)

// PadID says which USB pad is meant, as the configuration writes it. A key that is
// empty means any.
type PadID struct {
	Vendor  string `json:"vendor,omitempty"`
	Product string `json:"product,omitempty"`
	Device  string `json:"device,omitempty"`
	Port    string `json:"port,omitempty"`
}

// PadOf is a pad as the configuration writes it.
func PadOf(m evdev.Match) PadID {
	return PadID{config.USBID(m.Vendor).String(), config.USBID(m.Product).String(), m.Name, m.Port}
}

// match is the pad for package evdev. What is no id means any.
func (p PadID) match() evdev.Match {
	id := func(text string) uint16 {
		var v config.USBID
		if v.UnmarshalText([]byte(text)) != nil {
			return 0
		}
		return uint16(v)
	}
	return evdev.Match{Vendor: id(p.Vendor), Product: id(p.Product), Name: p.Device, Port: p.Port}
}

// Configured is the pad that a [[keypad]] names.
func Configured(k config.Keypad) evdev.Match {
	return evdev.Match{Vendor: uint16(k.Vendor), Product: uint16(k.Product), Name: k.Device, Port: k.Port}
}

// accepted is one pad that stands for a keypad of the configuration. It holds as
// long as the configuration says what it said when the pad was accepted, so that a
// technician who writes another pad into the file is obeyed.
type accepted struct {
	Keypad string `json:"keypad"`
	Config PadID  `json:"config"`
	Pad    PadID  `json:"pad"`
}

// Book is the file in the data folder that remembers accepted pads. It may be
// deleted at any time: the pads are then those of the configuration.
type Book struct {
	Path string
	mu   sync.Mutex // two keypads of one core may write at once
}

// NewBook is the book of a data folder.
func NewBook(data string) *Book {
	return &Book{Path: filepath.Join(data, "pads.json")}
}

// pages reads the book. A book that is not there is empty.
func (b *Book) pages() ([]accepted, error) {
	data, err := os.ReadFile(b.Path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("the accepted keypads cannot be read: %w", err)
	}
	var book struct{ Pads []accepted }
	if err := json.Unmarshal(data, &book); err != nil {
		return nil, fmt.Errorf("%s is damaged (%w): it is set aside until a keypad is accepted again", b.Path, err)
	}
	return book.Pads, nil
}

// Find is the pad in force for a keypad: the accepted one, else the configured one.
// An error of the book comes with the configured one.
func (b *Book) Find(k config.Keypad) (evdev.Match, error) {
	pages, err := b.pages()
	for _, a := range pages {
		if a.Keypad == k.Name && a.Config == PadOf(Configured(k)) {
			return a.Pad.match(), nil
		}
	}
	return Configured(k), err
}

// Put remembers that m stands for k, in place of what stood for it. A damaged book
// is written anew. What root writes is the data folder's owner's, as all that is in it.
func (b *Book) Put(k config.Keypad, m evdev.Match) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	pages, err := b.pages()
	if errors.Is(err, fs.ErrPermission) {
		return err
	}
	page := accepted{k.Name, PadOf(Configured(k)), PadOf(m)}
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
	if err := os.MkdirAll(filepath.Dir(b.Path), 0o750); err != nil {
		return fmt.Errorf("the data folder: %w", err)
	}
	if err := renameio.WriteFile(b.Path, append(data, '\n'), 0o644); err != nil {
		return fmt.Errorf("the accepted keypad cannot be remembered: %w", err)
	}
	return datadir.GiveTo(b.Path, filepath.Dir(b.Path))
}
