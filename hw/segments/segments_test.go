package segments

import (
	"fmt"
	"strings"
	"testing"

	"periph.io/x/conn/v3/conntest"
	"periph.io/x/conn/v3/spi/spitest"

	"shoeboard/hw/hwtest"
)

// read is what a display of four digits shows after what was sent to it: a model of
// the chip's registers.
func read(t *testing.T, ops []conntest.IO) string {
	t.Helper()
	var reg [16]byte
	for _, op := range ops {
		if len(op.W) != 2 {
			t.Fatalf("sent % x", op.W)
		}
		reg[op.W[0]] = op.W[1]
	}
	if reg[regTest] != 0 || reg[regOn] != 1 || reg[regDecode] != 0xff || reg[regScanLimit] != 3 || reg[regIntensity] != 5 {
		t.Errorf("registers % x", reg)
	}
	shown := ""
	for n := 4; n > 0; n-- {
		shown += string("0123456789-EHLP "[reg[n]&0x0f])
		if reg[n]&point != 0 {
			shown += "."
		}
	}
	return shown
}

func TestSecondsAreShown(t *testing.T) {
	for seconds, want := range map[int]string{
		Dark: "    ", 0: "   0", 7: "   7", 20: "  20", 99: "  99", 100: " 1.40", 105: " 1.45", 600: "10.00", 5999: "99.59", 6000: "9999",
	} {
		port := &spitest.Record{}
		d, err := newDisplay(port, 4, 5)
		if err != nil {
			t.Fatal(err)
		}
		if got := read(t, port.Ops); got != "    " {
			t.Errorf("opened, it shows %q", got)
		}
		port.Ops = nil // all of it again, as for a display that lost its setup
		if d.Show(seconds); read(t, port.Ops) != want {
			t.Errorf("%d s are shown as %q, want %q", seconds, read(t, port.Ops), want)
		}
		if d.Close(); read(t, port.Ops) != "    " {
			t.Errorf("closed, it shows %q", read(t, port.Ops))
		}
	}
	if got := fmt.Sprintf("% x", codes(130, 2)); got != "09 09" {
		t.Errorf("two digits show %s", got)
	}
}

func TestDisplayThatFailsIsAnErrorAndClosed(t *testing.T) {
	p := hwtest.NewFailingPort()
	if d, err := newDisplay(p, 4, 5); err == nil || d != nil || p.Closed != 1 {
		t.Errorf("%v, closed %d times", err, p.Closed)
	}
}

func TestWiringThatCannotBeIsAClearError(t *testing.T) {
	for _, c := range []struct {
		Wiring
		says string
	}{
		{Wiring{SPI: "/dev/spidev0.0", Digits: 1}, "1 digits"}, {Wiring{SPI: "/dev/spidev0.0", Digits: 4, Intensity: 16}, "intensity 16"},
		{Wiring{SPI: "x", Digits: 4}, "/dev/spidev0.0"},
	} {
		if d, err := c.Open(); err == nil || d != nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%+v: %v", c.Wiring, err)
		}
	}
}
