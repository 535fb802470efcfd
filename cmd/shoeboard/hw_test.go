package main

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"shoeboard/cmd/internal/testkit"
)

// On a machine without any of the classes every class is n/a and nothing fails.
func TestInventoryOfABareMachine(t *testing.T) {
	root := t.TempDir()
	for _, asJSON := range []bool{false, true} {
		var out, words bytes.Buffer
		p := &program{out: &out, err: &words, log: testkit.Log(), root: root}
		args := []string{"hw", "list"}
		if asJSON {
			args = append(args, "--json")
		}
		if code := p.main(t.Context(), args); code != exitFine {
			t.Fatalf("exit %d: %s", code, words.String())
		}
		if !asJSON {
			if n := strings.Count(out.String(), "n/a"); n != 4 || !strings.Contains(out.String(), "FAILED: not plugged in") {
				t.Errorf("said is\n%s", out.String())
			}
			continue
		}
		var l map[string]any
		if err := json.Unmarshal(out.Bytes(), &l); err != nil {
			t.Fatal(err)
		}
		for _, class := range []string{"inputs", "gpio", "i2c", "serial"} {
			if v, there := l[class]; !there || v != nil {
				t.Errorf("%s is %v, want null", class, v)
			}
		}
	}
}

func TestHwTestVerbOnABareMachine(t *testing.T) {
	root := t.TempDir()
	if code, said := verbAt(t, root, "", "hw", "test"); code != exitFine || !strings.Contains(said, "buzzer: n/a") || !strings.Contains(said, "Nothing was tested") {
		t.Errorf("exit %d: %s", code, said)
	}
	horn := "[[buzzer]]\nname = \"horn\"\nline = \"GPIO24\"\n"
	if code, said := verbAt(t, root, horn, "hw", "test"); code != exitFailed || !strings.Contains(said, "buzzer horn: FAILED: ") {
		t.Errorf("exit %d: %s", code, said)
	}
	for _, c := range []struct {
		args string
		code int
		want string
	}{
		{"--buzzer GPIO5", exitFailed, "buzzer: FAILED: "},
		{"--lights GPIO5,GPIO6", exitFailed, "key lights: FAILED: "},
		{"--lights /dev/spidev0.0:registers:2", exitFailed, "key lights: FAILED: "},
		{"--timer /dev/spidev0.1:4", exitFailed, "timer: FAILED: "},
		{"--lights /dev/spidev0.0:lamps:2", exitUsage, "expected /dev/spidevB.C:registers"},
		{"--lights /dev/spidev0.0:registers:9", exitUsage, "expected /dev/spidevB.C:registers"},
		{"--echo /dev/ttyUSB0", exitUsage, "expected a kind and a device"},
		{"--echo escpos:/dev/ttyUSB0", exitFailed, "echo: FAILED: "},
		{"--echo morse:/dev/ttyUSB0", exitFailed, "is no kind of display"},
		{"--timer /dev/spidev0.1:9", exitUsage, "2 to 8 digits"},
	} {
		code, said := verbAt(t, root, "", append([]string{"hw", "test"}, strings.Fields(c.args)...)...)
		if code != c.code || !strings.Contains(said, c.want) {
			t.Errorf("%s: exit %d: %s", c.args, code, said)
		}
	}
}
