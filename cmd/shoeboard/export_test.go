package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"shoeboard/tracker"
	"shoeboard/tracker/journal"
	"shoeboard/tracker/table"
)

// scribe writes a record by the rules, without a table.
type scribe struct {
	t       testing.TB
	journal *journal.Journal
	state   tracker.State
	now     time.Time
}

func newScribe(t testing.TB, data string) *scribe {
	t.Helper()
	pack, err := packNamed("ez-baccarat-panda-8")
	if err != nil {
		t.Fatal(err)
	}
	j, _, err := journal.Open(journal.Dir(filepath.Join(data, "journal")), "unit")
	if err != nil {
		t.Fatal(err)
	}
	s := &scribe{t: t, journal: j, now: time.Date(2026, 11, 30, 2, 0, 0, 0, time.UTC)}
	s.roll()
	settings := tracker.DefaultSettings()
	settings.Table = "14"
	s.decide(tracker.Command{Kind: tracker.PackInstalled, Source: string(pack.Source)})
	s.decide(tracker.Command{Kind: tracker.SettingsApplied, Settings: &settings})
	s.decide(tracker.Command{Kind: tracker.TableOpened, Day: "2026-11-29"})
	return s
}

func (s *scribe) decide(cmds ...tracker.Command) {
	s.t.Helper()
	s.now = s.now.Add(25 * time.Second)
	for i := range cmds {
		cmds[i].At = tracker.Stamp{Boot: "b", Mono: time.Duration(s.now.UnixNano()), Wall: s.now.UnixMilli(), Trusted: true}
	}
	events, err := tracker.DecideAll(s.state, cmds)
	if err != nil {
		s.t.Fatal(err)
	}
	payload, err := tracker.Record{Events: events}.Marshal()
	if err != nil {
		s.t.Fatal(err)
	}
	r := journal.Record{Mono: s.now.UnixNano(), Wall: s.now.UnixNano(), Trusted: true, Source: "keypad", Payload: payload}
	if r.Seq, err = s.journal.Append(r); err != nil {
		s.t.Fatal(err)
	}
	for _, e := range events {
		e.At = table.StampOf(r)
		if s.state, err = tracker.Apply(s.state, e); err != nil {
			s.t.Fatal(err)
		}
	}
}

func (s *scribe) roll() {
	s.t.Helper()
	data, err := tracker.MarshalCheckpoint(s.state)
	if err != nil {
		s.t.Fatal(err)
	}
	if _, err := s.journal.Roll(journal.Record{Source: "table", Payload: data}); err != nil {
		s.t.Fatal(err)
	}
}

// hands records hands by their tokens.
func (s *scribe) hands(tokens ...string) {
	for _, token := range tokens {
		s.decide(tracker.Command{Kind: tracker.BetsOpened, Seconds: 20})
		s.decide(tracker.Command{Kind: tracker.HandRecorded, Token: token, Hand: s.state.Shoe.Next()})
	}
}

func (s *scribe) newShoe(day string) {
	s.decide(tracker.Command{Kind: tracker.ShoeStarted, Day: day})
	s.roll()
}

func (s *scribe) close() {
	if err := s.journal.Close(); err != nil {
		s.t.Fatal(err)
	}
}

// An evening: a shoe, one that is taken back and goes on, one in play.
func evening(t testing.TB, data string) {
	s := newScribe(t, data)
	s.hands("B", "P+panda-8", "T", "B+banker-natural")
	s.newShoe("2026-11-29")
	s.hands("P", "B")
	s.newShoe("2026-11-29")
	s.decide(tracker.Command{Kind: tracker.ShoeTakenBack})
	s.hands("B+dragon-7")
	s.newShoe("2026-11-30")
	s.hands("T", "P")
	s.close()
}

// exported are the hands of a CSV as "shoe:token".
func exported(t *testing.T, text string) (all []string) {
	t.Helper()
	rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil || !slices.Equal(rows[0], handColumns) {
		t.Fatalf("%v in\n%s", err, text)
	}
	for _, row := range rows[1:] {
		all = append(all, row[0]+":"+row[16])
	}
	return all
}

func TestExportOfAnEvening(t *testing.T) {
	s := newSite(t)
	data := s.path("var/lib/shoeboard")
	evening(t, data)
	csvText := s.fine("export", "--data", data)
	got := exported(t, csvText)
	if len(got) != 9 || got[3] != "4:B+banker-natural" || !strings.HasSuffix(got[6], ":B+dragon-7") || strings.Split(got[4], ":")[0] != strings.Split(got[6], ":")[0] {
		t.Errorf("the hands are %q", got)
	}
	if !strings.Contains(csvText, "4,2026-11-29,14,ez-baccarat-panda-8,1,2,2026-11-29T18:02:55-08:00,true,player,panda-8,") {
		t.Errorf("the second hand's line is not as the manual says:\n%s", csvText)
	}
	third := strings.Split(got[8], ":")[0]
	for args, want := range map[string]int{"--shoe 4": 4, "--shoe " + third: 2, "--date 2026-11-30": 2, "--date 2026-11-29": 7,
		"--from 2026-11-30": 2, "--to 2026-11-29": 7, "--from 2026-12-01": 0, "--shoe 5": 0} {
		if got := exported(t, s.fine(append([]string{"export", "--data", data}, strings.Fields(args)...)...)); len(got) != want {
			t.Errorf("%s: %d hands, want %d", args, len(got), want)
		}
	}
	for _, args := range []string{"--date today", "--date 2026-11-30 --shoe 4", "--from 30.11.2026"} {
		if code, _, _ := s.do(append([]string{"export", "--data", data}, strings.Fields(args)...)...); code != exitFailed {
			t.Errorf("%s: exit %d", args, code)
		}
	}
}

func TestExportAsJSON(t *testing.T) {
	s := newSite(t)
	data := s.path("var/lib/shoeboard")
	evening(t, data)
	s.fine("export", "--format", "json", "--data", data, "--out", s.path("out.json"))
	d := json.NewDecoder(strings.NewReader(s.read("out.json")))
	var shoes []shoeJSON
	for {
		var j shoeJSON
		if err := d.Decode(&j); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		shoes = append(shoes, j)
	}
	var hands []int
	for _, j := range shoes {
		hands = append(hands, len(j.Hands))
	}
	if !slices.Equal(hands, []int{4, 3, 2}) || shoes[0].Hands[1].Bets[0] != "panda-8" || !shoes[2].InPlay || shoes[1].InPlay {
		t.Errorf("the shoes are %+v", shoes)
	}
}

// A damaged segment costs nothing here: the state goes on without its checkpoint, and
// the shoe stands in the next segment's too. The verb says what is missing.
func TestExportOfADamagedRecord(t *testing.T) {
	s := newSite(t)
	data := s.path("var/lib/shoeboard")
	w := newScribe(t, data)
	for range 5 {
		w.hands("B", "P", "T")
		w.newShoe("2026-11-30")
	}
	w.close()
	segments, err := filepath.Glob(filepath.Join(data, "journal", "*.jrn"))
	if err != nil || len(segments) != 6 {
		t.Fatal(segments, err)
	}
	text, err := os.ReadFile(segments[2])
	if err != nil {
		t.Fatal(err)
	}
	whole := exported(t, s.fine("export", "--data", data))
	for _, at := range []int{3, 64 + 90, len(text) - 40} { // header, checkpoint, last record
		bad := bytes.Clone(text)
		bad[at] ^= 0x40
		if err := os.WriteFile(segments[2], bad, 0o600); err != nil {
			t.Fatal(err)
		}
		code, out, told := s.do("export", "--data", data)
		if code != exitFailed || !strings.Contains(told, ".jrn: ") {
			t.Errorf("byte %d: exit %d, %s", at, code, told)
		}
		if got := exported(t, out); !slices.Equal(got, whole) {
			t.Errorf("byte %d: %q are left of %q", at, got, whole)
		}
	}
	if err := os.WriteFile(segments[2], text[:64], 0o600); err != nil { // all of it is gone
		t.Fatal(err)
	}
	if _, out, _ := s.do("export", "--data", data); !slices.Equal(exported(t, out), whole) {
		t.Errorf("without a segment: %s", out)
	}
	if code, _, err := s.do("export", "--data", s.path("nowhere")); code != exitFailed || !strings.Contains(err, "no record") {
		t.Errorf("without a record: exit %d, %s", code, err)
	}
}

// The quick way of folding is tracker's, and the quick reading is too.
func TestQuickFoldIsTheSlowOne(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := tracker.Event{Kind: rapid.SampledFrom([]tracker.Kind{tracker.HandRecorded, tracker.BetsOpened, tracker.HandFixed, "x\"y", "é"}).Draw(t, "kind"),
			Hand: rapid.IntRange(-1, 2_000_000_000).Draw(t, "n"), Token: rapid.SampledFrom([]string{"", "B", "P+panda-8", "<b>", "\u2028"}).Draw(t, "r"),
			Was: rapid.SampledFrom([]string{"", "T"}).Draw(t, "was"), Free: rapid.Bool().Draw(t, "free"), On: rapid.Bool().Draw(t, "on"),
			Hold: rapid.Bool().Draw(t, "hold"), Seconds: rapid.IntRange(0, 30).Draw(t, "s"), Reason: rapid.SampledFrom([]string{"", "key"}).Draw(t, "why")}
		rec := tracker.Record{Events: []tracker.Event{e, {Kind: tracker.BetsShut, Reason: "free"}}[:rapid.IntRange(1, 2).Draw(t, "events")],
			Keys: rapid.SliceOfN(rapid.SampledFrom([]string{"BANKER", "OK"}), 0, 3).Draw(t, "keys")}
		payload, err := rec.Marshal()
		if err != nil {
			t.Fatal(err)
		}
		got, ok := quickEvents(payload)
		if ok && !reflect.DeepEqual(got, rec.Events) {
			t.Fatalf("%s read as %+v", payload, got)
		}
		if cut := payload[:rapid.IntRange(0, len(payload)-1).Draw(t, "cut")]; ok {
			if got, ok := quickEvents(cut); ok {
				t.Fatalf("%s, which is cut, read as %+v", cut, got)
			}
		}
	})
}

// What is exported is what a fold of the whole record by tracker gives.
func TestExportIsTheRecord(t *testing.T) {
	data := t.TempDir()
	s := newScribe(t, data)
	want := []tracker.Hand{}
	for n := range chunk + 3 { // more than one worker's share
		s.hands("B", "P+panda-8", "B")
		s.decide(tracker.Command{Kind: tracker.HandFixed, Hand: 3, Token: "T", Was: "B"})
		s.hands("P")
		want = append(want, s.state.Shoe.Hands...)
		if n%7 == 0 {
			s.decide(tracker.Command{Kind: tracker.CutSet, Hand: len(s.state.Shoe.Hands) + 1})
		}
		s.newShoe("2026-11-30")
	}
	s.close()
	var got []tracker.Hand
	problems, err := eachShoe(t.Context(), filepath.Join(data, "journal"), func(out shoeOut) error {
		got = append(got, out.shoe.Hands...)
		return nil
	})
	if err != nil || len(problems) > 0 || !reflect.DeepEqual(got, want) {
		t.Errorf("%d hands exported, %d recorded, %v %v", len(got), len(want), problems, err)
	}
	stop := errors.New("enough")
	if _, err := eachShoe(t.Context(), filepath.Join(data, "journal"), func(shoeOut) error { return stop }); !errors.Is(err, stop) {
		t.Errorf("a writer that fails: %v", err)
	}
}

// BenchmarkExport tells hands a second for shoes of 78 hands with bets opened before each.
func BenchmarkExport(b *testing.B) {
	data := b.TempDir()
	s := newScribe(b, data)
	cycle := []string{"B", "P+panda-8", "T", "B+dragon-7", "P", "B", "P+player-natural", "B"}
	const shoes, hands = 60, 78
	for n := range shoes {
		for i := range hands {
			s.hands(cycle[i%len(cycle)])
		}
		s.newShoe(fmt.Sprintf("2026-12-%02d", 1+n%28))
	}
	s.close()
	for _, format := range []string{"csv", "json"} {
		b.Run(format, func(b *testing.B) {
			p := &program{out: io.Discard, err: io.Discard, log: quietLog, root: data}
			for b.Loop() {
				if code := p.main(b.Context(), []string{"export", "--data", data, "--format", format}); code != exitFine {
					b.Fatal(code)
				}
			}
			b.ReportMetric(float64(shoes*hands*b.N)/b.Elapsed().Seconds(), "hands/s")
		})
	}
}
