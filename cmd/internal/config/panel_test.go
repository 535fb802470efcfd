package config

import (
	"reflect"
	"strings"
	"testing"

	"shoeboard/hw/echo"
)

func TestDefaultsOfTheDealersDevices(t *testing.T) {
	f := read(t, `[[light]]
lines = ["GPIO17"]
keys = ["OK"]
[[light]]
name = "strip"
kind = "pixels"
keys = ["", "dragon-7"]
[[buzzer]]
line = "GPIO24"
[[echo]]
device = "/dev/ttyUSB0"
[[timer]]
[[key_switch]]
line = "GPIO25"
[table.9]
[[table.9.echo]]
kind = "ssd1306"
device = "/dev/i2c-1"
[[table.9.light]]
name = "only"
kind = "registers"
keys = ["OK"]
`)
	c, own := f.Table("1"), f.Table("9")
	if want := []Lights{{Name: "lights", Kind: "lines", Lines: []string{"GPIO17"}, Keys: []string{"OK"}},
		{Name: "strip", Kind: "pixels", SPI: "/dev/spidev0.0", Keys: []string{"", "dragon-7"}}}; !reflect.DeepEqual(c.Lights, want) {
		t.Errorf("lights %+v, want %+v", c.Lights, want)
	}
	if want := []Timer{{Name: "timer", SPI: "/dev/spidev0.1", Digits: 4, Brightness: 8}}; !reflect.DeepEqual(c.Timers, want) {
		t.Errorf("timer %+v, want %+v", c.Timers, want)
	}
	if c.Buzzers[0] != (Buzzer{Name: "buzzer", Line: "GPIO24"}) || c.KeySwitches[0] != (KeySwitch{Name: "key-switch", Line: "GPIO25"}) {
		t.Errorf("buzzer %+v, key switch %+v", c.Buzzers, c.KeySwitches)
	}
	if want := []Echo{{Name: "echo", Kind: "ssd1306", Device: "/dev/i2c-1"}}; !reflect.DeepEqual(own.Echoes, want) {
		t.Errorf("echo of table 9 %+v, want %+v", own.Echoes, want)
	}
	if len(own.Lights) != 1 || own.Lights[0].SPI != "/dev/spidev0.0" || len(own.Buzzers) != 1 {
		t.Errorf("table 9 has lights %+v and buzzers %+v", own.Lights, own.Buzzers)
	}
}

// The kinds stand in two places, so that reading a configuration opens no driver.
func TestEchoKindsAreTheDrivers(t *testing.T) {
	for _, kind := range append(echoKinds(), "teletype") {
		_, err := echo.Wiring{Kind: kind, Device: t.TempDir()}.Open()
		if unknown := err != nil && strings.Contains(err.Error(), "no kind of display"); unknown != (kind == "teletype") {
			t.Errorf("%s: %v", kind, err)
		}
	}
}
