package export

import (
	"errors"
	"testing"

	"shoeboard/cmd/shoeboard/rig"
	"shoeboard/tracker/history"
)

// A writer that fails ends the export with its error.
func TestExportToAFullDisk(t *testing.T) {
	data := t.TempDir()
	rig.Evening(t, data)
	full := errors.New("no space left on device")
	e := Exporter{Data: data, Want: func(history.Row) bool { return true }, Give: func(*Shoe) error { return full }}
	if err := e.Run(t.Context()); !errors.Is(err, full) {
		t.Errorf("got %v", err)
	}
}
