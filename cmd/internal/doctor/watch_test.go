package doctor

import (
	"errors"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"shoeboard/cmd/internal/config"
	"shoeboard/cmd/internal/datadir"
	"shoeboard/cmd/internal/testkit"
	"shoeboard/stats"
	"shoeboard/tracker"
	"shoeboard/tracker/history"
	"shoeboard/tracker/journal"
)

// What the core watches is what the doctor finds, in the doctor's words, and short enough
// for the record.
func TestWatchedAreTheDoctorsFaults(t *testing.T) {
	cfg := config.Default()
	cfg.Data = t.TempDir()
	const volt = "sys/class/hwmon/hwmon1/"
	sick := files(volt+"name", "rpi_volt\n", volt+"in0_lcrit_alarm", "1\n", "sys/class/thermal/thermal_zone0/temp", "84000\n",
		"sys/fs/ext4/mmcblk0p2/errors_count", "2\n", "sys/block/mmcblk0/device/life_time", "0x0b 0x01\n", "sys/class/drm/card1-HDMI-A-1/status", "disconnected\n",
		"run/shoeboard-update.failed", "version 2.3 did not work, 2.2 is back\n")
	var codes []string
	for _, f := range Machine(sick, cfg).BoardFaults() {
		if f.Code != ClockNotSet { // that is of the machine that runs the test
			codes = append(codes, f.Code)
		}
		if s := f.Sentence(); len(s) > tracker.MaxFaultText || len(f.Code) > tracker.MaxFaultCode || !strings.Contains(s, ". ") {
			t.Errorf("%s: %d bytes: %q", f.Code, len(s), s)
		}
	}
	if want := []string{"storage-mmcblk0p2", "worn-mmcblk0", "under-voltage", "too-hot", "no-monitor", "update-failed"}; !slices.Equal(codes, want) {
		t.Errorf("watched: %v, want %v", codes, want)
	}
	if f, some := Machine(sick, cfg).Voltage(); !some || f.Sentence() != "The supply fell below 4.63 V. Use the unit's own power supply and a short cable; unplug other USB devices" {
		t.Errorf("%v %q", some, f.Sentence())
	}
	well := files("sys/class/drm/card1-HDMI-A-1/status", "connected\n")
	for _, f := range Machine(well, cfg).BoardFaults() {
		if f.Code != ClockNotSet {
			t.Errorf("of a machine that tells nothing bad: %+v", f)
		}
	}
	if _, some := Machine(well, cfg).Voltage(); some {
		t.Error("a voltage where nothing watches it")
	}
}

// The doctor says since when a fault is there, how often it came, whether it is over and
// who knows of it; what is over is no fault any more.
func TestDoctorTellsTheStandingFaults(t *testing.T) {
	at := time.Date(2026, 11, 30, 21, 20, 0, 0, time.UTC).UnixMilli()
	for _, c := range []struct {
		fault stats.Fault
		want  Verdict
		words string
		do    string
	}{
		{stats.Fault{Code: "keypad-missing", Text: "Keypad missing", Began: at, Times: 1}, Broken, "Keypad missing (since 2026-11-30 21:20, not acknowledged)", "plug the keypad in"},
		{stats.Fault{Code: "too-hot", Text: "Hot", Began: at, Times: 3, By: "tech"}, Broken, "3 times, acknowledged by tech", "improve the airflow"},
		{stats.Fault{Code: "record", Text: "Damaged", Times: 1, Ended: true, EndedAt: at}, Warning, "since an unknown time, ended 2026-11-30 21:20, not", "sudo shoeboard acknowledge record"},
		{stats.Fault{Code: "keypad-unknown-pad", Text: "Foreign", Times: 1}, Broken, "", "unplug the foreign keyboard"},
		{stats.Fault{Code: ClockNotSet, Text: "No clock", Times: 1}, Warning, "", "time server"},
	} {
		found := checkFaults(&Unit{Config: config.Config{Zone: "UTC"}, faults: []stats.Fault{c.fault}})
		if f := found[0]; len(found) != 1 || f.Verdict != c.want || !strings.Contains(f.Text, c.words) || !strings.Contains(f.Do, c.do) {
			t.Errorf("%s: %+v", c.fault.Code, found)
		}
	}
	if f := checkFaults(&Unit{faultsErr: errors.New("a bad card")})[0]; f.Verdict != Unknown || !strings.Contains(f.Text, "a bad card") {
		t.Errorf("%+v", f)
	}
}

// With the core down the faults come out of its record.
func TestStandingFaultsOfACoreThatIsDown(t *testing.T) {
	cfg := config.Default()
	cfg.Data = t.TempDir()
	if faults, err := recordedFaults(cfg.Data); err != nil || len(faults) != 0 {
		t.Errorf("without a record: %+v, %v", faults, err)
	}
	dir := datadir.Journal(cfg.Data)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	j, _, err := journal.Open(journal.Dir(dir), "unit")
	if err != nil {
		t.Fatal(err)
	}
	payload, err := tracker.MarshalCheckpoint(tracker.State{Faults: []tracker.Fault{{Code: "too-hot", Text: "Hot", Times: 1, By: "tech"}}})
	if err == nil {
		_, err = j.Roll(journal.Record{Payload: payload, Source: "test"})
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	faults, err := recordedFaults(cfg.Data)
	if err != nil || len(faults) != 1 || faults[0].Code != "too-hot" || faults[0].By != "tech" {
		t.Errorf("%+v, %v", faults, err)
	}
}

// The index is read row by row; one that is damaged is rebuilt and no fault.
func TestDoctorReadsTheIndex(t *testing.T) {
	p := &Unit{Config: config.Default()}
	p.Config.Data = t.TempDir()
	if f := checkIndex(p)[0]; f.Verdict != Unknown {
		t.Errorf("without one: %+v", f)
	}
	path := history.Path(p.Config.Data)
	testkit.KeepShoes(t, p.Config.Data)
	if f := checkIndex(p)[0]; f.Verdict != Fine || !strings.Contains(f.Text, "0 shoes") {
		t.Errorf("an empty one: %+v", f)
	}
	if err := os.WriteFile(path, []byte("something else"), 0o644); err != nil {
		t.Fatal(err)
	}
	if f := checkIndex(p)[0]; f.Verdict != Warning || !strings.Contains(f.Do, "rebuilds it") {
		t.Errorf("a damaged one: %+v", f)
	}
}

// A look at the machine, as the core does it once a minute.
func BenchmarkWatched(b *testing.B) {
	cfg := config.Default()
	cfg.Data = b.TempDir()
	p := Machine(os.DirFS("/"), cfg)
	for b.Loop() {
		p.BoardFaults()
	}
}
