package export

import (
	"errors"
	"slices"
	"testing"

	"shoeboard/cmd/internal/testkit"
	"shoeboard/tracker/history"
)

// A writer that fails ends the export with its error.
func TestExportToAFullDisk(t *testing.T) {
	data := t.TempDir()
	testkit.Evening(t, data)
	full := errors.New("no space left on device")
	e := Exporter{Data: data, Want: func(history.Row) bool { return true }, Give: func(*Shoe) error { return full }}
	if err := e.Run(t.Context()); !errors.Is(err, full) {
		t.Errorf("got %v", err)
	}
}

// A hand that was put in an hour later counts in the hour in which it was dealt, and begins
// no new line there; a clock that was set back does.
func TestHoursOfHandsPutInLater(t *testing.T) {
	hand := func(sec int64, fixed bool) history.Hand { return history.Hand{Seq: 1, Sec: sec, Fixed: fixed} }
	for _, c := range []struct {
		hands []history.Hand
		want  []int64
	}{
		{[]history.Hand{hand(10, false), hand(99, true), hand(98, true), hand(20, false)}, []int64{10, 20, 20, 20}},
		{[]history.Hand{hand(10, true), {}, hand(20, false), hand(99, true)}, []int64{10, 20, 99}},
		{[]history.Hand{hand(99, false), hand(20, false)}, []int64{99, 20}},
		{nil, nil},
	} {
		if got := dealt(c.hands); !slices.Equal(got, c.want) {
			t.Errorf("%v: %v, expected %v", c.hands, got, c.want)
		}
	}
}
