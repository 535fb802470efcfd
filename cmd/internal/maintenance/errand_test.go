package maintenance

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"shoeboard/cmd/internal/config"
	"shoeboard/cmd/internal/doctor"
	"shoeboard/cmd/internal/helper"
	"shoeboard/cmd/internal/testkit"
	"shoeboard/cmd/internal/transfer"
	"shoeboard/tracker/menu"
)

// world is a unit at table 14 with an empty folder as its stick.
func world(t *testing.T) (w *World, ended *int) {
	t.Helper()
	ended = new(int)
	spool := t.TempDir()
	for _, name := range []string{"ask", "answer"} {
		if err := os.Mkdir(filepath.Join(spool, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	zone, err := time.LoadLocation("America/Los_Angeles")
	if err != nil {
		t.Fatal(err)
	}
	return &World{Data: t.TempDir(), Table: "14", Game: "dai-bacc", Hash: "3f9a2c17", Program: "1.1.0 abcdef12", Version: "v1.1.0", Unit: "10000000abcd", Zone: zone,
		Slot: transfer.Slot{Dir: t.TempDir(), Plain: true}, Spool: helper.Spool(spool), Trusted: func() bool { return false },
		Bundle: func(_ context.Context, out io.Writer) error { _, err := io.WriteString(out, "bundle"); return err },
		Meet:   func(context.Context) (*doctor.Patient, error) { return nil, errors.New("nobody to look at") },
		End:    func() { *ended++ }}, ended
}

// helper is root's half, which notes what it was asked.
func stubHelper(t *testing.T, w *World, lines []string, no error) (asked func() []helper.Request) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	var got []helper.Request
	go func() {
		defer close(done)
		for ctx.Err() == nil {
			err := w.Spool.Serve(ctx, func(_ context.Context, r helper.Request) ([]string, func() error, error) {
				got = append(got, r)
				return lines, nil, no
			})
			if err != nil {
				t.Error(err)
				return
			}
			time.Sleep(5 * time.Millisecond)
		}
	}()
	return func() []helper.Request { cancel(); <-done; return got }
}

func do(t *testing.T, w *World, kind menu.Kind, arg string) (menu.Result, string) {
	t.Helper()
	a := w.Do(t.Context(), menu.Task{No: 1, Kind: kind, Arg: arg})
	return a, strings.Join(a.Lines, "\n")
}

// The status names table, addresses, serial number, versions, configuration and clock;
// without the helper it says that the address is not known.
func TestStatus(t *testing.T) {
	w, _ := world(t)
	asked := stubHelper(t, w, []string{"eth0 192.168.1.20", "wlan0 10.0.0.7"}, nil)
	a, text := do(t, w, menu.Status, "")
	for _, want := range []string{"Table 14, dai-bacc", "Address: eth0 192.168.1.20", "Address: wlan0 10.0.0.7", "Serial 10000000abcd", "Program 1.1.0", "Configuration 3f9a2c17", "NOT SET"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in %q", want, text)
		}
	}
	if got := asked(); a.Failed || len(got) != 1 || got[0].Kind != helper.Addresses {
		t.Errorf("%+v, asked %+v", a, got)
	}
	w.Spool = "/nowhere"
	if a, text := do(t, w, menu.Status, ""); a.Failed || !strings.Contains(text, "Address: The helper does not answer") {
		t.Errorf("without a helper: %q", text)
	}
}

// The time is keyed as the table's own and asked for in UTC; the helper's no is told.
func TestSetTime(t *testing.T) {
	w, _ := world(t)
	asked := stubHelper(t, w, []string{"The clock is set."}, nil)
	if a, text := do(t, w, menu.SetTime, "202611301905"); a.Failed || text != "The clock is set." {
		t.Errorf("%q", text)
	}
	if a, _ := do(t, w, menu.SetTime, "202699301905"); !a.Failed {
		t.Error("month 99 is taken")
	}
	want := time.Date(2026, 12, 1, 3, 5, 0, 0, time.UTC)
	if got := asked(); len(got) != 1 || got[0].Kind != helper.SetTime || !got[0].Time.Equal(want) {
		t.Errorf("asked %+v, want %v", got, want)
	}
	asked = stubHelper(t, w, nil, errors.New("the table is open"))
	defer asked()
	if a, text := do(t, w, menu.Reboot, ""); !a.Failed || !strings.Contains(text, "the table is open") {
		t.Errorf("%+v", a)
	}
}

// CLEAR calls an errand back. What the helper has not taken is not done; what it has
// taken may be, and the page must not say otherwise.
func TestAnErrandThatIsCalledBackSaysWhetherItIsDone(t *testing.T) {
	w, _ := world(t)
	ctx, clear := context.WithCancel(t.Context())
	clear()
	reboot := menu.Task{No: 1, Kind: menu.Reboot}
	if a := w.Do(ctx, reboot); !a.Failed || strings.Join(a.Lines, " ") != "Called back: nothing was done." {
		t.Errorf("before the helper has it: %+v", a)
	}
	if left, err := os.ReadDir(filepath.Join(string(w.Spool), "ask")); len(left) > 0 || err != nil {
		t.Errorf("left to be done: %v, %v", left, err)
	}
	if a := w.Do(ctx, menu.Task{No: 2, Kind: menu.Bundle}); !a.Failed || a.Lines[1] != "nothing was done." {
		t.Errorf("a bundle: %+v", a)
	}

	ctx, clear = context.WithCancel(t.Context())
	defer clear()
	begun, ended := make(chan struct{}), make(chan struct{})
	served := make(chan error, 1)
	go func() {
		var err error
		for did := false; !did && err == nil; time.Sleep(time.Millisecond) {
			err = w.Spool.Serve(t.Context(), func(context.Context, helper.Request) ([]string, func() error, error) {
				did = true
				close(begun)
				<-ended
				return nil, nil, nil
			})
		}
		served <- err
	}()
	go func() { <-begun; clear() }()
	if a := w.Do(ctx, reboot); !a.Failed || strings.Join(a.Lines, " ") != "Too late to call back: it has begun. Look again in a minute." {
		t.Errorf("after the helper has begun: %+v", a)
	}
	close(ended)
	if err := <-served; err != nil {
		t.Error(err)
	}
}

func TestClock(t *testing.T) {
	w, _ := world(t)
	before := time.Now().In(w.Zone).Format(keyed)
	a, _ := do(t, w, menu.Clock, "")
	after := time.Now().In(w.Zone).Format(keyed) // the minute may pass
	if a.Value != before && a.Value != after {
		t.Errorf("it is %q, and the clock says %q", before, a.Value)
	}
}

// The table's number is kept in the data folder, and the core ends so that it counts.
func TestTableNumber(t *testing.T) {
	w, ended := world(t)
	for _, bad := range []string{"", "0", "12345", "-1", "14a", "../1"} {
		if a, _ := do(t, w, menu.SetTable, bad); !a.Failed {
			t.Errorf("table %q is taken", bad)
		}
	}
	if a, _ := do(t, w, menu.SetTable, "14"); a.Failed || *ended != 0 {
		t.Errorf("the same number: %+v, ended %d", a, *ended)
	}
	if err := os.WriteFile(filepath.Join(w.Data, "table"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if a, text := do(t, w, menu.SetTable, "14"); a.Failed || *ended != 1 || !strings.Contains(text, "Table 14") {
		t.Errorf("the same number, which the folder has lost: %+v, ended %d", a, *ended)
	}
	*ended = 0
	if a, text := do(t, w, menu.SetTable, "27"); a.Failed || *ended != 1 || !strings.Contains(text, "Table 27") {
		t.Errorf("%+v, ended %d", a, *ended)
	}
	if text, err := os.ReadFile(filepath.Join(w.Data, "table")); err != nil || string(text) != "27\n" {
		t.Errorf("kept %q, %v", text, err)
	}
}

// What goes to the stick is there whole; without a stick the page says so.
func TestBundleAndExport(t *testing.T) {
	w, _ := world(t)
	a, text := do(t, w, menu.Bundle, "")
	names, _ := filepath.Glob(filepath.Join(w.Slot.Dir, "shoeboard", "support-14-*.tar.gz"))
	if a.Failed || len(names) != 1 || !strings.Contains(text, "may be pulled out") {
		t.Fatalf("%q, %v", text, names)
	}
	if got, err := os.ReadFile(names[0]); err != nil || string(got) != "bundle" {
		t.Errorf("%q, %v", got, err)
	}
	w.Bundle = func(context.Context, io.Writer) error { return errors.New("no room for it") }
	if a, text := do(t, w, menu.Bundle, ""); !a.Failed || text != "no room for it" {
		t.Errorf("%+v", a)
	}
	if a, text := do(t, w, menu.Export, "20261130"); !a.Failed || text == "" {
		t.Errorf("a unit without a record: %+v", a)
	}
	w.Slot = transfer.Slot{Dir: filepath.Join(t.TempDir(), "none")}
	for _, kind := range []menu.Kind{menu.Stick, menu.FindUpdate, menu.Bundle, menu.Export} {
		if a, text := do(t, w, kind, "20261130"); !a.Failed || !strings.Contains(text, "No stick is plugged in") {
			t.Errorf("%s: %+v", kind, a)
		}
	}
}

// A day whose record is damaged is not given as if it were whole.
func TestAnExportTellsWhatCouldNotBeRead(t *testing.T) {
	w, _ := world(t)
	s := testkit.NewScribe(t, w.Data)
	s.Hands("B")
	s.NewShoe("2026-11-30")
	s.Hands("P")
	s.NewShoe("2026-12-01")
	s.Close()
	if a, text := do(t, w, menu.Export, "20261130"); a.Failed || !strings.HasPrefix(text, "1 hand of 2026-11-30") || strings.Contains(text, "could not be read") {
		t.Errorf("a whole record: %+v", a)
	}
	segments, err := filepath.Glob(filepath.Join(config.JournalDir(w.Data), "*.jrn"))
	if err != nil || len(segments) != 3 {
		t.Fatal(segments, err)
	}
	if err := os.Truncate(segments[1], 64+90); err != nil { // in its checkpoint
		t.Fatal(err)
	}
	for day, failed := range map[string]bool{"20261130": false, "20261201": true} {
		if a, text := do(t, w, menu.Export, day); a.Failed != failed || !strings.Contains(text, "of the record could not be read") {
			t.Errorf("%s of a damaged one: %+v", day, a)
		}
	}
}

// The stick's page names this unit's mirror first, and what cannot be read.
func TestStickState(t *testing.T) {
	w, _ := world(t)
	if a, text := do(t, w, menu.Stick, ""); a.Failed || !strings.HasPrefix(text, "No mirror of this unit yet") {
		t.Errorf("%+v", a)
	}
	of := func(unit, table, made string) string {
		return fmt.Sprintf(`{"version":1,"unit":%q,"table":%q,"made":%q,"from":"0000000000000001.jrn","to":"0000000000000120.jrn"}`, unit, table, made)
	}
	for unit, manifest := range map[string]string{"10000000abcd": of("10000000abcd", "14", "2026-11-30T08:00:00Z"),
		"other": of("other", "15", "2026-11-30T07:00:00Z"), "bad": "not this", "words": of("words", "PAYS 2 TO 1", "2026-11-30T07:00:00Z")} {
		dir := filepath.Join(w.Slot.Dir, "shoeboard", unit)
		if err := errors.Join(os.MkdirAll(dir, 0o755), os.WriteFile(filepath.Join(dir, "manifest.json"), []byte(manifest), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	earlier, pipe := filepath.Join(w.Slot.Dir, "shoeboard", "10000000abcd-before-20261129T080000"), filepath.Join(w.Slot.Dir, "shoeboard", "pipe")
	for _, err := range []error{os.Mkdir(earlier, 0o755), os.Mkdir(pipe, 0o755), unix.Mkfifo(filepath.Join(pipe, "manifest.json"), 0o644),
		os.WriteFile(filepath.Join(earlier, "manifest.json"), []byte(of("10000000abcd", "14", "2026-11-29T08:00:00Z")), 0o644)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	_, text := do(t, w, menu.Stick, "")
	for _, want := range []string{"Earlier mirror of this unit: table 14, 2026-11-29 00:00", "shoeboard/pipe/manifest.json cannot be read", "Mirror of this unit: table 14, 2026-11-30 00:00\n", "Mirror of unit other: table 15", "shoeboard/words/manifest.json cannot be read", "shoeboard/bad/manifest.json cannot be read"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in %q", want, text)
		}
	}
}

// The newest package on the stick is offered, unless it is not newer than this program;
// OK asks the helper for it by its name.
func TestUpdateFromTheStick(t *testing.T) {
	w, _ := world(t)
	arch := runtime.GOARCH
	put := func(version string) {
		for _, end := range []string{"", ".sig"} {
			if err := os.WriteFile(filepath.Join(w.Slot.Dir, "shoeboard_"+version+"_"+arch+".deb"+end), nil, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	if a, text := do(t, w, menu.FindUpdate, ""); !a.Failed || !strings.Contains(text, "No package") {
		t.Errorf("%+v", a)
	}
	put("1.0.9")
	if a, text := do(t, w, menu.FindUpdate, ""); !a.Failed || a.Ready || !strings.Contains(text, "not newer than") {
		t.Errorf("%+v", a)
	}
	put("1.10.0")
	put("1.9.3")
	a, text := do(t, w, menu.FindUpdate, "")
	if !a.Ready || a.Value != "shoeboard_1.10.0_"+arch+".deb" || !strings.Contains(text, "Version 1.10.0") {
		t.Errorf("%+v", a)
	}
	asked := stubHelper(t, w, []string{"Installing."}, nil)
	if a, text := do(t, w, menu.Update, a.Value); a.Failed || text != "Installing." {
		t.Errorf("%+v", a)
	}
	if got := asked(); len(got) != 1 || got[0].File != "shoeboard_1.10.0_"+arch+".deb" {
		t.Errorf("asked %+v", got)
	}
}

func TestNewer(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{{"1.2.0", "1.1.9", true}, {"1.10.0", "1.9.9", true}, {"1.2", "1.2.0", false}, {"1.2.1", "1.2", true}, {"v2.0.0", "1.9", true},
		{"1.2.0~rc1", "1.2.0", false}, {"", "1", false}, {"1.2.0+5", "1.2.0", false}} {
		if newer(c.a, c.b) != c.want {
			t.Errorf("%s newer than %s: %v", c.a, c.b, !c.want)
		}
	}
}

// The doctor's page has the worst first and leaves out what this machine has not.
func TestFindings(t *testing.T) {
	lines := findings([]doctor.Finding{{Name: "record", Verdict: doctor.Fine, Text: "whole"}, {Name: "power", Verdict: doctor.Unknown, Text: "no such thing"},
		{Name: "space", Verdict: doctor.Warning, Text: "312 MB free", Do: "put a bigger card in"}, {Name: "keypad", Verdict: doctor.Broken, Text: "missing", Do: "Plug it in"}})
	want := []string{"Faults 1, warnings 1, fine 1", "FAULT keypad: missing. Plug it in", "WARNING space: 312 MB free. Put a bigger card in", "OK record: whole"}
	if strings.Join(lines, "\n") != strings.Join(want, "\n") {
		t.Errorf("%q", lines)
	}
	w, _ := world(t)
	if a, text := do(t, w, menu.Doctor, ""); !a.Failed || text != "nobody to look at" {
		t.Errorf("%+v", a)
	}
}
