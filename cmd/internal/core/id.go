package core

import (
	"os"
)

// ID names this unit in its journal: the board's serial number where there is
// one, else the machine's id, else a word.
func ID() string {
	for _, path := range []string{"/proc/device-tree/serial-number", "/etc/machine-id"} {
		if data, err := os.ReadFile(path); err == nil {
			if id := printable(data); id != "" {
				return id
			}
		}
	}
	return "unit"
}

func printable(data []byte) string {
	out := make([]byte, 0, len(data))
	for _, b := range data {
		if b > ' ' && b < 0x7f {
			out = append(out, b)
		}
	}
	return string(out[:min(len(out), 32)])
}
