package light

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"periph.io/x/conn/v3/spi/spitest"

	"shoeboard/hw/hwtest"
	"shoeboard/hw/sink"
)

// wires are lines of a GPIO chip that write down what they are set to.
type wires struct{ log []string }

func (w *wires) Set(values, mask uint64) error {
	w.log = append(w.log, fmt.Sprintf("%05b of %05b", values, mask))
	return nil
}

func (w *wires) Close() error {
	w.log = append(w.log, "closed")
	return nil
}

func TestLampsOnLines(t *testing.T) {
	w := &wires{}
	l := &lines{w, 5}
	l.Show(Picture{White, Off, Red, Off, Off, Green})
	l.Show(Picture{Off, Blue})
	l.Close()
	if want := []string{"00101 of 11111", "00010 of 11111", "00000 of 11111", "closed"}; !slices.Equal(w.log, want) {
		t.Errorf("set %q, want %q", w.log, want)
	}
	w.log = nil
	(&lines{w, 64}).Show(Picture{63: White})
	if want := fmt.Sprintf("%b of %b", uint64(1)<<63, ^uint64(0)); w.log[0] != want {
		t.Errorf("set %q, want %q", w.log, want)
	}
}

// over shows pictures on lamps over a port and returns what was sent.
func over(t *testing.T, open func(*spitest.Record) (sink.Device[Picture], error), pictures ...Picture) [][]byte {
	t.Helper()
	port := &spitest.Record{}
	d, err := open(port)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range pictures {
		if err := d.Show(p); err != nil {
			t.Fatal(err)
		}
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	var sent [][]byte
	for _, io := range port.Ops {
		sent = append(sent, io.W)
	}
	return sent
}

func TestLampsOnShiftRegisters(t *testing.T) {
	got := over(t, func(p *spitest.Record) (sink.Device[Picture], error) { return newRegisters(p, 3) },
		Picture{0: White, 7: Red, 8: Green, 20: White}, Picture{0: White, 7: Red, 8: Green, 20: White, 24: White})
	want := [][]byte{{0, 0, 0}, {0x10, 0x01, 0x81}, {0x10, 0x01, 0x81}, {0, 0, 0}} // written again, and dark at both ends
	if !slices.EqualFunc(got, want, bytes.Equal) {
		t.Errorf("sent % x, want % x", got, want)
	}
}

func TestLampsOnAStrip(t *testing.T) {
	got := over(t, func(p *spitest.Record) (sink.Device[Picture], error) { return newStrip(p, 3) }, Picture{Red, Off, 0x102030})
	dark := []byte{0, 0, 0, 0, 0xff, 0, 0, 0, 0xff, 0, 0, 0, 0xff, 0, 0, 0, 0xff}
	if len(got) != 3 || !bytes.Equal(got[0], dark) || !bytes.Equal(got[2], dark) {
		t.Fatalf("sent % x, want % x at both ends", got, dark)
	}
	lit := got[1] // start, then a frame of brightness, blue, green, red for each
	first, second, third := lit[4:8], lit[8:12], lit[12:16]
	if first[3] == 0 || first[1] != 0 || first[2] != 0 || !bytes.Equal(second[1:], []byte{0, 0, 0}) || !(third[1] > third[2] && third[2] > third[3]) {
		t.Errorf("sent % x", lit)
	}
}

func TestPortThatFailsIsClosed(t *testing.T) {
	for name, open := range map[string]func(p *hwtest.FailingPort) error{
		"registers": func(p *hwtest.FailingPort) error { _, err := newRegisters(p, 1); return err },
		"strip":     func(p *hwtest.FailingPort) error { _, err := newStrip(p, 1); return err },
	} {
		p := hwtest.NewFailingPort()
		if err := open(p); err == nil || p.Closed != 1 {
			t.Errorf("%s: %v, closed %d times", name, err, p.Closed)
		}
	}
}

func TestWiringThatCannotBeIsAClearError(t *testing.T) {
	for _, c := range []struct {
		Wiring
		says string
	}{
		{Wiring{}, "expected GPIO lines, or an SPI port"},
		{Wiring{SPI: "/dev/spidev0.0", Registers: 1, Pixels: 1}, "expected GPIO lines"},
		{Wiring{SPI: "/dev/spidev0.0", Lines: []string{"GPIO7"}}, "expected GPIO lines"},
		{Wiring{SPI: "/dev/spidev0.0", Registers: 9}, "1 to 8 registers"},
		{Wiring{SPI: "/dev/spidev0.0", Pixels: -1}, "pixels"},
		{Wiring{SPI: "spi", Pixels: 4}, "/dev/spidev0.0"},
		{Wiring{Dir: t.TempDir(), Lines: []string{"GPIO7"}}, "GPIO7"},
	} {
		if d, err := c.Open(); err == nil || d != nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%+v: %v, want something with %q", c.Wiring, err, c.says)
		}
	}
}
