package matrix

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// recorder is a set of GPIO lines that writes down what is done to it.
type recorder struct {
	name   string
	log    *[]string
	levels uint64
	err    error
}

func (r *recorder) Get(mask uint64) (uint64, error) { return r.levels & mask, r.err }
func (r *recorder) Set(values, mask uint64) error {
	*r.log = append(*r.log, r.name+" "+volts(values&mask, mask))
	return r.err
}
func (r *recorder) Wait(context.Context, time.Duration) error { return r.err }
func (r *recorder) Drain() error {
	*r.log = append(*r.log, r.name+" drain")
	return r.err
}
func (r *recorder) Close() error {
	*r.log = append(*r.log, r.name+" close")
	return nil
}

// volts writes levels as L and H, line 0 first.
func volts(v, mask uint64) string {
	var b strings.Builder
	for ; mask != 0; v, mask = v>>1, mask>>1 {
		b.WriteByte("LH"[v&1])
	}
	return b.String()
}

func TestWiresDriveOneColumnAndLeaveTheOthersOpen(t *testing.T) {
	var log []string
	rows, cols := &recorder{name: "rows", log: &log, levels: 0b1011}, &recorder{name: "cols", log: &log}
	w := &wires{rows: rows, cols: cols, rowMask: 0b1111, colMask: 0b11111}
	w.Arm()
	w.Drive(0b00100)
	w.Drive(0)
	low, err := w.Rows()
	if low != 0b0100 || err != nil {
		t.Errorf("rows %04b %v, want the third low", low, err)
	}
	w.Close()
	want := []string{"cols LLLLL", "rows drain", "cols HHLHH", "cols HHHHH", "rows close", "cols close"}
	if !slices.Equal(log, want) {
		t.Errorf("did %q, want %q", log, want)
	}
}

func TestErrorOfTheChipIsNoKey(t *testing.T) {
	var log []string
	bad := &recorder{log: &log, err: unix.ENODEV}
	w := &wires{rows: bad, cols: bad, rowMask: 0b1111, colMask: 0b11111}
	if low, err := w.Rows(); low != 0 || !errors.Is(err, unix.ENODEV) {
		t.Errorf("rows %04b %v of a chip that has gone", low, err)
	}
	if err := w.Arm(); !errors.Is(err, unix.ENODEV) {
		t.Errorf("armed a chip that has gone: %v", err)
	}
}

func TestMissingLinesAreAClearError(t *testing.T) {
	_, err := Wiring{Dir: t.TempDir(), Rows: []string{"GPIO5"}, Cols: []string{"GPIO6"}}.Open()
	if err == nil || !strings.Contains(err.Error(), `"GPIO5"`) || !strings.Contains(err.Error(), "group gpio") {
		t.Errorf("got %v", err)
	}
}
