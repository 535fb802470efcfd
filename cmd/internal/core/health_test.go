package core

import (
	"context"
	"log/slog"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"shoeboard/cmd/internal/clock"
	"shoeboard/cmd/internal/config"
	"shoeboard/cmd/internal/datadir"
	"shoeboard/cmd/internal/doctor"
	"shoeboard/cmd/internal/testkit"
	"shoeboard/stats"
	"shoeboard/tracker/journal"
	"shoeboard/tracker/localapi"
)

const (
	heatFile  = "sys/class/thermal/thermal_zone0/temp"
	alarmFile = "sys/class/hwmon/hwmon1/in0_lcrit_alarm"
)

// machine is one with these files, on a data folder of its own.
func machine(t *testing.T, root fstest.MapFS) *doctor.Unit {
	cfg := config.Default()
	cfg.Data = t.TempDir()
	return doctor.Machine(root, cfg)
}

func put(root fstest.MapFS, name, text string) { root[name] = &fstest.MapFile{Data: []byte(text)} }

// A watch tells what changed since it looked before, in the doctor's words, and the
// clock only once it has had time to be set.
func TestWatchTellsWhatChanged(t *testing.T) {
	root := fstest.MapFS{}
	put(root, heatFile, "48000\n")
	put(root, "sys/class/hwmon/hwmon1/name", "rpi_volt\n")
	put(root, alarmFile, "0\n")
	w := watch{machine: machine(t, root), up: map[string]bool{}}
	told := func(changes map[string]string) string { return strings.Join(slices.Sorted(maps.Keys(changes)), " ") }
	if got := told(w.faults(0)); got != "" {
		t.Errorf("of a cool machine: %q", got)
	}
	put(root, heatFile, "84000\n")
	if got := w.faults(time.Minute); told(got) != "too-hot" || got["too-hot"] != "The processor is at 84.0 °C. Improve the airflow: the processor slows itself down" {
		t.Errorf("of a hot one: %q", got)
	}
	put(root, heatFile, "85000\n")
	if got := told(w.faults(time.Minute)); got != "" {
		t.Errorf("told again: %q", got)
	}
	put(root, alarmFile, "1\n")
	if got := told(w.voltage()); got != "under-voltage" {
		t.Errorf("with a weak supply: %q", got)
	}
	put(root, heatFile, "50000\n")
	put(root, alarmFile, "0\n")
	if got := w.voltage(); told(got) != "under-voltage" || got["under-voltage"] != "" {
		t.Errorf("with a good supply: %q", got)
	}
	if got := w.faults(time.Minute); told(got) != "too-hot" || got["too-hot"] != "" {
		t.Errorf("of a cool machine again: %q", got)
	}
	if late := told(w.faults(time.Hour)); late != "" && late != doctor.ClockNotSet {
		t.Errorf("after an hour: %q", late) // whose clock it is depends on who runs the test
	}
}

// runCore runs a core and gives a way to wait for a Board of it.
func runCore(t *testing.T, set Setup) (c *Core, board func(what string, is func(*stats.Board) bool) *stats.Board, stop func()) {
	t.Helper()
	c, err := Open(slog.New(slog.DiscardHandler), set)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- c.Run(ctx) }()
	board = func(what string, is func(*stats.Board) bool) *stats.Board {
		t.Helper()
		wait := time.After(testkit.Patience)
		for {
			b, newer := c.Hub.Newest()
			if b != nil && is(b) {
				return b
			}
			select {
			case <-newer:
			case err := <-ended:
				t.Fatalf("%s: the core ended: %v", what, err)
			case <-wait:
				t.Fatalf("%s does not come: %+v, %+v", what, b.Faults, b.EndedFaults)
			}
		}
	}
	return c, board, func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}
}

func has(list []stats.Fault, code string) bool {
	return slices.ContainsFunc(list, func(f stats.Fault) bool { return f.Code == code })
}

// A hot unit says so, is acknowledged over its socket, and after a restart, cool again,
// only forgets it once it is over and known.
func TestFaultOfTheMachineFromTheWatchToTheRecord(t *testing.T) {
	hot, cool := fstest.MapFS{}, fstest.MapFS{}
	put(hot, heatFile, "84000\n")
	put(cool, heatFile, "44000\n")
	data := t.TempDir()
	cfg := config.Default()
	cfg.Data = data
	set := Setup{Data: data, Table: "14", Config: cfg, Clock: clock.New(1, true), Socket: filepath.Join(data, "core.sock"),
		Machine: doctor.Machine(hot, cfg), Fault: &stats.ConfigFault{File: "a.toml", Line: 3, Key: "venue", Text: "is not good"}}
	_, board, stop := runCore(t, set)
	b := board("the heat", func(b *stats.Board) bool { return has(b.Faults, "too-hot") })
	if !strings.Contains(b.StatusLine, "config") || !strings.Contains(b.StatusLine, "too-hot") {
		t.Errorf("the line says %q", b.StatusLine)
	}
	client, ctx := localapi.Client{Path: set.Socket}, context.Background()
	if err := client.Acknowledge(ctx, "hot", "tech"); err == nil || !strings.Contains(err.Error(), "to acknowledge: config, too-hot") {
		t.Errorf("another code: %v", err)
	}
	if err := client.Acknowledge(ctx, "too-hot", "tech"); err != nil {
		t.Fatal(err)
	}
	if b := board("the acknowledgement", func(*stats.Board) bool { return true }); !strings.Contains(b.StatusLine, "config, 1 acknowledged") {
		t.Errorf("acknowledged, the line says %q", b.StatusLine)
	}
	stop()

	set.Machine, set.Fault = doctor.Machine(cool, cfg), nil
	_, board, stop = runCore(t, set)
	defer stop()
	b = board("the configuration's end", func(b *stats.Board) bool { return has(b.EndedFaults, "config") })
	if has(b.Faults, "too-hot") || !strings.Contains(b.StatusLine, "1 over") {
		t.Errorf("%+v, the line says %q", b.Faults, b.StatusLine)
	}
	if err := client.Acknowledge(ctx, "config", ""); err != nil {
		t.Fatal(err)
	}
	board("nothing", func(b *stats.Board) bool { return strings.HasSuffix(b.StatusLine, "no faults") })
}

// A core whose record holds one that does not fold starts, shows the hands around it,
// keys on in a segment of its own, and still says which hand to look for.
func TestACoreStartsOnARecordThatDoesNotFold(t *testing.T) {
	data := t.TempDir()
	cfg := config.Default()
	cfg.Data = data
	set := Setup{Data: data, Table: "14", Config: cfg, Clock: clock.New(1, true), Socket: filepath.Join(data, "core.sock")}
	_, board, stop := runCore(t, set)
	board("the game", func(b *stats.Board) bool { return b.Game.ID != "" })
	stop()
	j, _, err := journal.Open(journal.Dir(datadir.Journal(data)), ID())
	if err != nil {
		t.Fatal(err)
	}
	for i, event := range []string{`"k":"table-opened","n":1`, `"k":"hand","n":1,"r":"B"`, `"k":"hand","n":2,"r":"P"`, `"k":"hand","n":3,"r":"T"`, `"k":"hand","n":5,"r":"B"`} {
		if _, err := j.Append(journal.Record{ID: journal.EventID{7, byte(i)}, Payload: []byte(`{"v":1,"e":[{` + event + `}]}`)}); err != nil {
			t.Fatal(err)
		}
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		_, board, stop := runCore(t, set)
		b := board("the lost hand", func(b *stats.Board) bool { return has(b.Faults, "hands-lost") })
		if b.Shoe.Hands != 5 || !slices.Equal(b.Shoe.Lost, []int{4}) {
			t.Errorf("%d hands, lost %v", b.Shoe.Hands, b.Shoe.Lost)
		}
		if _, err := (localapi.Client{Path: set.Socket}).Board(context.Background()); err != nil {
			t.Errorf("a reader refuses the board: %v", err)
		}
		stop()
	}
}
