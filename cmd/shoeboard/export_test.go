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
	"slices"
	"strings"
	"testing"
	"time"

	"shoeboard/cmd/internal/datadir"
	"shoeboard/cmd/internal/export"
	"shoeboard/cmd/internal/testkit"
	"shoeboard/tracker"
	"shoeboard/tracker/history"
)

// csvColumns are the columns of the CSV, for ever: new ones are added at the end.
const csvColumns = "shoe,day,table,game,shoe_today,hand,time,clock_trusted,outcome,bets," +
	"player_natural,banker_natural,player_pair,banker_pair,free,fixed,token,record,index_only"

// exported are the hands of a CSV as "shoe:token".
func exported(t *testing.T, text string) (all []string) {
	t.Helper()
	rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil || strings.Join(rows[0], ",") != csvColumns {
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
	testkit.Evening(t, data)
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
		if code, _, _ := s.do(append([]string{"export", "--data", data}, strings.Fields(args)...)...); code != exitUsage {
			t.Errorf("%s: exit %d", args, code)
		}
	}
}

func TestExportAsJSON(t *testing.T) {
	s := newSite(t)
	data := s.path("var/lib/shoeboard")
	testkit.Evening(t, data)
	s.fine("export", "--format", "json", "--data", data, "--out", s.path("out.json"))
	d := json.NewDecoder(strings.NewReader(s.read("out.json")))
	type shoe struct {
		InPlay bool `json:"in_play"`
		Hands  []struct{ Bets []string }
	}
	var shoes []shoe
	for {
		var j shoe
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

// A damaged segment costs nothing here: the shoe that ended in it stands in the next
// segment's checkpoint too. The verb says what could not be read.
func TestExportOfADamagedRecord(t *testing.T) {
	s := newSite(t)
	data := s.path("var/lib/shoeboard")
	w := testkit.NewScribe(t, data)
	for range 5 {
		w.Hands("B", "P", "T")
		w.NewShoe("2026-11-30")
	}
	w.Close()
	segments, err := filepath.Glob(filepath.Join(data, "journal", "*.jrn"))
	if err != nil || len(segments) != 6 {
		t.Fatal(segments, err)
	}
	text, err := os.ReadFile(segments[2])
	if err != nil {
		t.Fatal(err)
	}
	whole := exported(t, s.fine("export", "--data", data))
	for at, matters := range map[int]bool{3: false, 64 + 90: true, len(text) - 40: false} { // header, checkpoint, last record
		bad := bytes.Clone(text)
		bad[at] ^= 0x40
		if err := os.WriteFile(segments[2], bad, 0o600); err != nil {
			t.Fatal(err)
		}
		code, out, told := s.do("export", "--data", data)
		if matters != (code == exitFailed) || matters != strings.Contains(told, ".jrn: ") {
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

// What is exported is what was lived, and the index gives it as the record does: whole,
// behind the record, from another game, damaged or of another record.
func TestExportIsTheRecord(t *testing.T) {
	s := newSite(t)
	data := s.path("var/lib/shoeboard")
	w := testkit.NewScribe(t, data)
	var want []string
	lived := func() {
		for i, h := range w.State.Shoe.Hands {
			want = append(want, fmt.Sprintf("%d:%d %s %t %t %d", w.State.Shoe.Started.Seq, i+1, tracker.FormatToken(w.State.Shoe.Pack, h), h.Free, h.Fixed, h.At.Seq))
		}
	}
	shoes := func(n int) {
		for range n {
			w.Hands("B", "P+panda-8", "9S,4H/KD,2C,5S", "6.2-7.3")
			w.Decide(tracker.Command{Kind: tracker.HandFixed, Hand: 3, Token: "T"})
			w.Decide(tracker.Command{Kind: tracker.HandRecorded, Token: "P", Free: true})
			w.Decide(tracker.Command{Kind: tracker.HandVoided, Reason: "misdeal"})
			lived()
			w.NewShoe("2026-11-30")
		}
	}
	shoes(7)
	testkit.KeepShoes(t, data)
	path := history.Path(data)
	shoes(2)
	w.Hands("B")
	lived()
	w.Close()

	index, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	damaged := bytes.Clone(index)
	damaged[bytes.LastIndex(damaged, []byte("P+panda-8"))] ^= 1
	more := t.TempDir()
	longer := testkit.NewScribe(t, more)
	for range 9 {
		longer.Hands(slices.Repeat([]string{"B", "P"}, 20)...)
		longer.NewShoe("2026-11-30")
	}
	longer.Close()
	testkit.KeepShoes(t, more)
	another, err := os.ReadFile(history.Path(more))
	if err != nil {
		t.Fatal(err)
	}
	all := s.fine("export", "--data", data, "--record")
	rows, err := csv.NewReader(strings.NewReader(all)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for i, row := range rows[1:] {
		if got := fmt.Sprintf("%s:%s %s %s %s %s", row[0], row[5], row[16], row[14], row[15], row[17]); got != want[i] {
			t.Fatalf("line %d is %s, lived was %s", i, got, want[i])
		}
	}
	if len(rows)-1 != len(want) {
		t.Fatalf("%d hands of %d", len(rows)-1, len(want))
	}
	for name, c := range map[string]struct {
		index []byte
		told  string
	}{
		"the index as it is": {index, "of 10 shoes: 7 from the index, 2 from the record, 1 in play"},
		"a damaged index":    {damaged, "10 shoes: 0 from the index, 9 from the record, 1 in play"},
		"no index":           {nil, "10 shoes: 0 from the index"},
		"another's index":    {another, "it reaches further than the record"},
	} {
		if err := errors.Join(os.RemoveAll(path), os.WriteFile(path, c.index, 0o600)); err != nil {
			t.Fatal(err)
		}
		if c.index == nil {
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
		}
		for _, format := range []string{"csv", "json"} {
			code, out, told := s.do("export", "--data", data, "--format", format)
			if record := s.fine("export", "--data", data, "--record", "--format", format); out != record || code != exitFine {
				t.Errorf("%s as %s, exit %d:\n%s\nthe record:\n%s", name, format, code, out, record)
			}
			if !strings.Contains(told, c.told) {
				t.Errorf("%s: told %q, expected %q", name, told, c.told)
			}
		}
	}
}

// A game that this program does not have is known by the record alone.
func TestExportOfAnotherGame(t *testing.T) {
	s := newSite(t)
	data := s.path("var/lib/shoeboard")
	w := testkit.NewScribe(t, data)
	w.Decide(tracker.Command{Kind: tracker.PackInstalled, Source: string(w.State.Shoe.Pack.Source) + "\n# of a venue\n"})
	w.Hands("B", "P+panda-8")
	w.NewShoe("2026-11-30")
	w.Hands("T")
	w.Close()
	testkit.KeepShoes(t, data)
	code, out, told := s.do("export", "--data", data)
	if record := s.fine("export", "--data", data, "--record"); out != record || code != exitFine || !strings.Contains(told, "another program version") {
		t.Errorf("exit %d:\n%s\nthe record:\n%s\n%s", code, out, record, told)
	}
}

func TestReportOfADay(t *testing.T) {
	s := newSite(t)
	data := s.path("var/lib/shoeboard")
	w := testkit.NewScribe(t, data)
	w.Hands("B", "P+panda-8", "T", "B+dragon-7")
	w.Decide(tracker.Command{Kind: tracker.HandFixed, Token: "B"})
	w.NewShoe("2026-11-29")
	w.Decide(tracker.Command{Kind: tracker.HandRecorded, Token: "P", Free: true})
	w.Now = w.Now.Add(40 * time.Minute)
	w.Decide(tracker.Command{Kind: tracker.HandVoided, Reason: "misdeal"})
	w.Hands("B+dragon-7")
	w.Decide(tracker.Command{Kind: tracker.HandInserted, Hand: 2, Token: "T", Free: true, By: "bert", Reason: "seen on camera"})
	w.Decide(tracker.Command{Kind: tracker.HandRemoved, Hand: 1, By: "anna"})
	w.Decide(tracker.Command{Kind: tracker.FaultRaised, Code: "too-hot", Text: "The processor is at 84.0 °C"})
	w.Now = w.Now.Add(12 * time.Hour)
	w.Decide(tracker.Command{Kind: tracker.FaultEnded, Code: "too-hot"}, tracker.Command{Kind: tracker.FaultAcknowledged, Code: "too-hot", By: "tech"})
	w.NewShoe("2026-11-30")
	w.Hands("T", "P")
	w.Close()
	text := s.fine("export", "--data", data, "--report", "2026-11-29")
	for _, want := range []string{"Table 14, 2026-11-29: 2 shoes, 6 hands", "1 fix, 1 void, 1 free hand. Bets won: dragon-7 1, panda-8 1",
		" 1  18:01      18:04      4 ", " 2  18:05      18:47      2        3 ", "18:00      6",
		"corrections\n18:05  shoe 1 hand 4 fixed: was B+dragon-7, now B, by the dealer\n",
		"18:47  shoe 2 hand 2 inserted: T, a free hand, by bert: seen on camera\n18:47  shoe 2 hand 1 removed: was P, by anna\n",
		"faults\n18:48  too-hot raised: The processor is at 84.0 °C\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	var r export.Report
	if err := json.Unmarshal([]byte(s.fine("export", "--data", data, "--report", "2026-11-30", "--format", "json")), &r); err != nil {
		t.Fatal(err)
	}
	if len(r.Shoes) != 1 || !r.Shoes[0].InPlay || r.Hands != 2 || r.Shoes[0].Tie != 1 || len(r.Hours) != 1 || r.Hours[0].Hands != 2 {
		t.Errorf("the day of the shoe in play: %+v", r)
	}
	if len(r.Faults) != 2 || r.Faults[0].What != "ended" || r.Faults[1].By != "tech" || r.Faults[1].At != "06:48" {
		t.Errorf("its faults: %+v", r.Faults)
	}
	if text := s.fine("export", "--data", data, "--report", "2026-12-01"); !strings.Contains(text, "no shoe") {
		t.Errorf("an empty day: %s", text)
	}
	if code, _, told := s.do("export", "--data", data, "--report", "yesterday"); code != exitUsage || !strings.Contains(told, "2026-11-30") {
		t.Errorf("a day that is none: exit %d, %s", code, told)
	}
}

// A shoe begun before the clock was set is of no day. Who asks for a day is told of it and
// how it is had, as hands and as a report.
func TestShoesOfAnUnknownDay(t *testing.T) {
	s := newSite(t)
	data := s.path("var/lib/shoeboard")
	w := testkit.NewScribe(t, data)
	w.Hands("B")
	w.NewShoe("")
	w.Hands("P", "T", "B+dragon-7")
	w.Unset = true
	w.Decide(tracker.Command{Kind: tracker.HandFixed, Hand: 2, Token: "B", By: "anna"})
	w.Unset = false
	w.NewShoe("2026-11-30")
	w.Hands("T", "P")
	w.Close()
	for args, c := range map[string]struct {
		hands int
		told  bool
	}{"--date 2026-11-30": {2, true}, "--from 2026-11-30": {2, true}, "--date unknown": {3, false}, "": {6, false}} {
		code, out, told := s.do(append([]string{"export", "--data", data}, strings.Fields(args)...)...)
		if got := exported(t, out); code != exitFine || len(got) != c.hands {
			t.Errorf("%s: exit %d, %d hands, want %d", args, code, len(got), c.hands)
		}
		if strings.Contains(told, "begun before the clock was set, and of no day: 1 shoe; --date unknown gives the hands, --report unknown a report of them") != c.told {
			t.Errorf("%s: told %q", args, told)
		}
	}
	if out := s.fine("export", "--data", data, "--report", "unknown"); !strings.Contains(out, "Table 14, before the clock was set: 1 shoe, 3 hands") ||
		!strings.Contains(out, "shoe 2 hand 2 fixed: was T, now B, by anna\n") {
		t.Errorf("their report:\n%s", out)
	}
	_, out, told := s.do("export", "--data", data, "--report", "2026-12-24")
	if !strings.Contains(out, "no shoe was begun on this day") || !strings.Contains(told, "--report unknown") {
		t.Errorf("of a day without a shoe: %s%s", out, told)
	}
}

// damage flips a bit of the newest segment's record of a hand.
func damage(t *testing.T, data, text string) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(datadir.Journal(data), "*.jrn"))
	if err != nil || len(names) == 0 {
		t.Fatalf("no segment in %s: %v", data, err)
	}
	name := slices.Max(names)
	content, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	at := bytes.Index(content, []byte(text))
	if at < 0 {
		t.Fatalf("%s has no %s", name, text)
	}
	content[at] ^= 0x40
	if err := os.WriteFile(name, content, 0o640); err != nil {
		t.Fatal(err)
	}
}

// A hand that cannot be read keeps its line and its number, without a time or a result.
func TestExportOfALostHand(t *testing.T) {
	s := newSite(t)
	data := s.path("var/lib/shoeboard")
	w := testkit.NewScribe(t, data)
	w.Hands("B", "P", "T")
	w.Close()
	damage(t, data, `"k":"hand","n":2`)
	_, text, said := s.do("export", "--data", data)
	if got := exported(t, text); len(got) != 3 || !strings.HasSuffix(got[1], ":-") || !strings.Contains(text, ",2,,false,none,,false,") {
		t.Errorf("%q\n%s", got, text)
	}
	if !strings.Contains(said, "hand 3 of 1") || !strings.Contains(said, "could not be read") {
		t.Errorf("said %q", said)
	}
}
