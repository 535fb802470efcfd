package maintenance

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"shoeboard/cmd/internal/core"
	"shoeboard/cmd/internal/datadir"
	"shoeboard/cmd/internal/doctor"
	"shoeboard/cmd/internal/testkit"
	"shoeboard/cmd/internal/transfer"
	"shoeboard/cmd/internal/version"
	"shoeboard/tracker/menu"
)

// bench is a unit at table 14 with an empty folder as its stick.
type bench struct {
	*Unit
	env   core.Env
	ended *int
}

func newBench(t *testing.T) *bench {
	t.Helper()
	zone, err := time.LoadLocation("America/Los_Angeles")
	if err != nil {
		t.Fatal(err)
	}
	ended := new(int)
	return &bench{ended: ended, env: core.Env{Game: "dai-bacc", Hash: "3f9a2c17", Zone: zone, End: func() { *ended++ }},
		Unit: &Unit{Data: t.TempDir(), Table: "14", Build: version.Build{Version: "v1.1.0", Revision: "abcdef1234"}, ID: "10000000abcd",
			Slot: transfer.Slot{Dir: t.TempDir(), Plain: true}, Helper: filepath.Join(t.TempDir(), "s"),
			Bundle:  func(_ context.Context, out io.Writer) error { _, err := io.WriteString(out, "bundle"); return err },
			Collect: func(context.Context) (*doctor.Unit, error) { return nil, errors.New("nobody to look at") }}}
}

// stubHelper is root's half, which notes what is requested.
func stubHelper(t *testing.T, w *bench, status int, answer string) (requested func() []string) {
	t.Helper()
	w.Helper = filepath.Join(t.TempDir(), "s")
	l, err := net.Listen("unix", w.Helper)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	srv := http.Server{Handler: http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		got = append(got, r.URL.Path+" "+r.URL.Query().Get("argument"))
		out.WriteHeader(status)
		_, _ = io.WriteString(out, answer)
	})}
	done := make(chan struct{})
	go func() { defer close(done); _ = srv.Serve(l) }()
	stop := func() []string { srv.Close(); <-done; return got }
	t.Cleanup(func() { stop() })
	return stop
}

func do(t *testing.T, w *bench, kind menu.Kind, arg string) (menu.Result, string) {
	t.Helper()
	a := w.Do(t.Context(), menu.Task{No: 1, Kind: kind, Arg: arg}, w.env)
	return a, strings.Join(a.Lines, "\n")
}

// The status names table, addresses, serial number, versions, configuration and clock;
// without the helper it says that the address is not known.
func TestStatus(t *testing.T) {
	w := newBench(t)
	requested := stubHelper(t, w, 200, `{"lines":["eth0 192.168.1.20","wlan0 10.0.0.7"]}`)
	a, text := do(t, w, menu.Status, "")
	for _, want := range []string{"Table 14, dai-bacc", "Address: eth0 192.168.1.20", "Address: wlan0 10.0.0.7", "Serial 10000000abcd", "Program v1.1.0 abcdef12", "Configuration 3f9a2c17", "NOT SET"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in %q", want, text)
		}
	}
	if got := requested(); a.Failed || !slices.Equal(got, []string{"/v1/addresses "}) {
		t.Errorf("%+v, requested %q", a, got)
	}
	w.Helper = "/nowhere"
	if a, text := do(t, w, menu.Status, ""); a.Failed || !strings.Contains(text, "Address: The helper does not answer") {
		t.Errorf("without a helper: %q", text)
	}
}

// The time is keyed as the table's own and asked for in UTC; the helper's no is told.
func TestSetTime(t *testing.T) {
	w := newBench(t)
	requested := stubHelper(t, w, 200, `{"lines":["The clock is set."]}`)
	if a, text := do(t, w, menu.SetTime, "202611301905"); a.Failed || text != "The clock is set." {
		t.Errorf("%q", text)
	}
	if a, _ := do(t, w, menu.SetTime, "202699301905"); !a.Failed {
		t.Error("month 99 is taken")
	}
	if got := requested(); !slices.Equal(got, []string{"/v1/set-time 2026-12-01T03:05:00Z"}) {
		t.Errorf("requested %q", got)
	}
	stubHelper(t, w, 409, `{"error":"the table is open"}`)
	if a, text := do(t, w, menu.Reboot, ""); !a.Failed || !strings.Contains(text, "the table is open") {
		t.Errorf("%+v", a)
	}
}

// CLEAR cancels a task. What the helper has not begun is not done; what it has begun may
// be, and the page must not say otherwise.
func TestACancelledTaskSaysWhetherItIsDone(t *testing.T) {
	w := newBench(t)
	ctx, clear := context.WithCancel(t.Context())
	clear()
	reboot := menu.Task{No: 1, Kind: menu.Reboot}
	for _, task := range []menu.Task{reboot, {No: 2, Kind: menu.Bundle}} {
		if a := w.Do(ctx, task, w.env); !a.Failed || strings.Join(a.Lines, " ") != "Cancelled. Nothing was changed." {
			t.Errorf("%s: %+v", task.Kind, a)
		}
	}
	for answer, want := range map[string]string{
		"HTTP/1.1 200 OK\r\n\r\n{\"lines\":[\"The unit restarts.\"]}":   "The unit restarts.",
		"HTTP/1.1 409 Conflict\r\n\r\n{\"error\":\"context canceled\"}": "Cancelled. Nothing was changed.",
		"": "Too late to cancel: it has begun. Check again in a minute.",
	} {
		ctx, clear := context.WithCancel(t.Context())
		w.Helper = filepath.Join(t.TempDir(), "s")
		l, err := net.Listen("unix", w.Helper)
		if err != nil {
			t.Fatal(err)
		}
		go func() {
			if conn, err := l.Accept(); err == nil {
				_, _ = http.ReadRequest(bufio.NewReader(conn))
				clear()
				_, _ = io.Copy(io.Discard, conn) // until it is cancelled
				_, _ = io.WriteString(conn, answer)
				conn.Close()
			}
		}()
		if a := w.Do(ctx, reboot, w.env); strings.Join(a.Lines, " ") != want {
			t.Errorf("%q: %+v", answer, a)
		}
		l.Close()
		clear()
	}
}

func TestClock(t *testing.T) {
	w := newBench(t)
	before := time.Now().In(w.env.Zone).Format(keyedTime)
	a, _ := do(t, w, menu.Clock, "")
	after := time.Now().In(w.env.Zone).Format(keyedTime) // the minute may pass
	if a.Value != before && a.Value != after {
		t.Errorf("it is %q, and the clock says %q", before, a.Value)
	}
}

// The table's number is kept in the data folder, and the core ends so that it counts.
func TestTableNumber(t *testing.T) {
	w := newBench(t)
	ended := w.ended
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
	w := newBench(t)
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
	w := newBench(t)
	s := testkit.NewScribe(t, w.Data)
	s.Hands("B")
	s.NewShoe("2026-11-30")
	s.Hands("P")
	s.NewShoe("2026-12-01")
	s.Close()
	if a, text := do(t, w, menu.Export, "20261130"); a.Failed || !strings.HasPrefix(text, "1 hand of 2026-11-30") || strings.Contains(text, "could not be read") {
		t.Errorf("a whole record: %+v", a)
	}
	segments, err := filepath.Glob(filepath.Join(datadir.Journal(w.Data), "*.jrn"))
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
	w := newBench(t)
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
	w := newBench(t)
	arch := runtime.GOARCH
	put := func(version string) {
		if err := os.MkdirAll(filepath.Join(w.Slot.Dir, transfer.Folder), 0o755); err != nil {
			t.Fatal(err)
		}
		for _, end := range []string{"", ".sig"} {
			if err := os.WriteFile(filepath.Join(w.Slot.Dir, transfer.Folder, "shoeboard_"+version+"_"+arch+".deb"+end), nil, 0o644); err != nil {
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
	requested := stubHelper(t, w, 200, `{"lines":["Installing."]}`)
	if a, text := do(t, w, menu.Update, a.Value); a.Failed || text != "Installing." {
		t.Errorf("%+v", a)
	}
	if got := requested(); !slices.Equal(got, []string{"/v1/update shoeboard_1.10.0_" + arch + ".deb"}) {
		t.Errorf("requested %q", got)
	}
}

func TestNewer(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{{"1.2.0", "1.1.9", true}, {"1.10.0", "1.9.9", true}, {"1.2.0", "1.2.0", false}, {"1.2.1", "1.2", true}, {"2.0.0", "v1.9", true},
		{"1.2.0~rc1", "1.2.0", false}, {"1.2.0+next", "1.2.0", true}, {"1", "", true}, {"1", "(devel)", true}} {
		if isNewer(c.a, c.b) != c.want {
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
	w := newBench(t)
	if a, text := do(t, w, menu.Doctor, ""); !a.Failed || text != "nobody to look at" {
		t.Errorf("%+v", a)
	}
}

// The demo has the menu, and says what only a unit can do.
func TestDemo(t *testing.T) {
	env := core.Env{Game: "dai-bacc", Zone: time.UTC}
	d := Demo{Table: "14", Data: "here"}
	for kind, want := range map[menu.Kind]string{menu.Status: "Demo, table 14", menu.Update: "Only a unit", menu.Doctor: "Only a unit"} {
		r := d.Do(t.Context(), menu.Task{Kind: kind}, env)
		if !strings.Contains(strings.Join(r.Lines, "\n"), want) || r.Failed != (kind != menu.Status) {
			t.Errorf("%s: %+v", kind, r)
		}
	}
	if r := d.Do(t.Context(), menu.Task{Kind: menu.Clock}, env); len(r.Value) != 12 {
		t.Errorf("clock: %+v", r)
	}
}
