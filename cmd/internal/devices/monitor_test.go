package devices

import (
	"path/filepath"
	"strings"
	"testing"

	"shoeboard/hw"
)

func TestMonitorNamesWhoHasThePort(t *testing.T) {
	h, _ := machine(t)
	usb := filepath.Join(h.Dev, "ttyUSB0")
	for _, device := range []string{usb, filepath.Join(h.Dev, "serial/by-id/usb-shoe")} {
		if words := h.portHolders(device); !strings.Contains(words, "held by shoeboard (process 812)") {
			t.Errorf("%s: %q", device, words)
		}
	}
	if words := h.portHolders(filepath.Join(h.Dev, "ttyS0")); words != "" {
		t.Errorf("a port that nobody has: %q", words)
	}
}

func TestEveryChangeOfAShoeHasWords(t *testing.T) {
	for c := hw.NewShoe; c <= hw.ShoeCleared; c++ {
		if strings.HasPrefix(shoeText(hw.ShoeSeen{Change: c, Text: "more", Doubt: "why"}), ";") {
			t.Errorf("change %d has no words", c)
		}
	}
}
