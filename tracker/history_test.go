package tracker

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// anyWish is a wish that may or may not be allowed in s.
func anyWish(t *rapid.T, s State) Command {
	n := len(s.Shoe.Hands)
	c := Command{Kind: rapid.SampledFrom([]Kind{TableOpened, TableShut, ShoeStarted, ShoeTakenBack, BetsOpened, BetsShut, ShuffleEnded,
		HandRecorded, HandRecorded, HandRecorded, HandFixed, HandReplaced, HandRemoved, HandInserted, HandVoided, FreeSet, FreeTakenOff, CutSet,
		GamePaused, GameResumed, ReviewSet, SettingsApplied, PackInstalled,
		FaultRaised, FaultEnded, FaultAcknowledged}).Draw(t, "kind")}
	c.On = rapid.Bool().Draw(t, "on")
	switch c.Kind {
	case HandRecorded:
		c.Token, c.Hold = FormatToken(s.Shoe.Pack, anyHand(t, s.Shoe.Pack)), rapid.Bool().Draw(t, "hold")
		c.Free = s.Free
	case HandFixed, HandReplaced, HandInserted:
		c.Token, c.Hand = FormatToken(s.Shoe.Pack, anyHand(t, s.Shoe.Pack)), rapid.IntRange(0, n+1).Draw(t, "hand")
	case HandRemoved:
		c.Hand = rapid.IntRange(0, n+1).Draw(t, "hand")
	case CutSet:
		c.Hand = rapid.IntRange(0, n+3).Draw(t, "hand")
	case BetsOpened:
		c.Seconds = rapid.SampledFrom([]int{0, 10, 20}).Draw(t, "seconds")
	case HandVoided:
		c.Reason = rapid.SampledFrom(Reasons()).Draw(t, "reason")
	case SettingsApplied:
		settings := DefaultSettings()
		settings.Bets = rapid.SampledFrom([]BetsMode{BetsOff, BetsClose, BetsTimer}).Draw(t, "bets")
		c.Settings = &settings
	case PackInstalled:
		c.Source = string(s.Shoe.Pack.Source)
	case FaultRaised, FaultEnded, FaultAcknowledged:
		c.Code = rapid.SampledFrom([]string{"keypad-missing", "not-recording"}).Draw(t, "code")
		c.Text, c.By = rapid.StringN(0, -1, 200).Draw(t, "text"), rapid.SampledFrom([]string{"keypad", "tech"}).Draw(t, "by")
		c.Seconds = rapid.IntRange(0, 90).Draw(t, "seconds")
	}
	return c
}

// written is a State as its checkpoint.
func written(t interface{ Fatal(...any) }, s State) []byte {
	data, err := MarshalCheckpoint(s)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// Whatever happens at a table: an older State stays what it was, a checkpoint gives
// the State back, the record gives it again, and a refused wish changes nothing.
func TestAnyHistory(t *testing.T) {
	start := closedTable(t, "dai-bacc")
	rapid.Check(t, func(t *rapid.T) {
		s := start
		states, texts := []State{s}, [][]byte{written(t, s)}
		var records [][]byte
		var stamps []Stamp
		for i := range rapid.IntRange(1, 60).Draw(t, "wishes") {
			c := anyWish(t, s)
			c.At = Stamp{Seq: uint64(i + 1), Boot: "boot", Mono: time.Duration(i) * time.Second, Wall: int64(i), Trusted: i%2 == 0}
			events, _, err := Decide(s, c)
			if err != nil {
				if !bytes.Equal(written(t, s), texts[len(texts)-1]) {
					t.Fatalf("refusing %s changed the state", c.Kind)
				}
				continue
			}
			payload, err := Record{Events: events, Keys: []string{"BANKER", "OK"}}.Marshal()
			if err != nil {
				t.Fatal(err)
			}
			records, stamps = append(records, payload), append(stamps, c.At)
			if s, err = Apply(s, events...); err != nil {
				t.Fatalf("%s was allowed and does not apply: %v", c.Kind, err)
			}
			states, texts = append(states, s), append(texts, written(t, s))
		}
		for i, old := range states {
			if !bytes.Equal(written(t, old), texts[i]) {
				t.Fatalf("state %d of %d is not what it was", i, len(states))
			}
		}
		back, err := UnmarshalCheckpoint(texts[len(texts)-1])
		if err != nil || !reflect.DeepEqual(bare(back), bare(s)) {
			t.Fatalf("the checkpoint gives %+v, %v\nwant %+v", bare(back), err, bare(s))
		}
		if again := replay(t, start, records, stamps); !reflect.DeepEqual(bare(again), bare(s)) {
			t.Fatalf("the record gives %+v\nwant %+v", bare(again), bare(s))
		}
	})
}

func replay(t *rapid.T, s State, records [][]byte, stamps []Stamp) State {
	for i, payload := range records {
		r, err := UnmarshalRecord(payload, stamps[i])
		if err != nil {
			t.Fatal(err)
		}
		if s, err = Apply(s, r.Events...); err != nil {
			t.Fatal(err)
		}
		if strings.Join(r.Keys, " ") != "BANKER OK" {
			t.Fatalf("keys %q", r.Keys)
		}
	}
	return s
}

// busy is a State with something in every field.
func busy(t testing.TB) State {
	s := table(t, "dai-bacc", "P", "T+kill", "B", "6.3-5.2", "9S,KH/KD,2C,5S")
	s = do(t, s, Command{Kind: ShoeStarted, Day: "2026-11-30"}, hand("B"), hand("P+ox-6"), hand("T+natural"))
	s = do(t, s, Command{Kind: ReviewSet, On: true}, Command{Kind: HandFixed, Hand: 2, Token: "P"}, Command{Kind: CutSet, Hand: 5},
		Command{Kind: HandVoided, Reason: "floor"}, Command{Kind: BetsOpened, Seconds: 20}, Command{Kind: GamePaused}, Command{Kind: FreeSet, On: true},
		Command{Kind: FaultRaised, Code: "keypad-missing", Text: "Keypad missing: plug it in again"}, Command{Kind: FaultAcknowledged, Code: "keypad-missing", By: "tech"},
		Command{Kind: FaultRaised, Code: "not-recording", Text: "E21", Seconds: 3}, Command{Kind: FaultEnded, Code: "not-recording"})
	return s
}

func TestCheckpointHoldsEveryField(t *testing.T) {
	s := busy(t)
	v := reflect.ValueOf(s)
	for i := range v.NumField() {
		switch name := v.Type().Field(i).Name; {
		case name == "Finished" || name == "AutoOpen" || name == "Void" || name == "BetSeconds" || name == "Seq" || name == "Skipped":
			// not at the same time as the others; TestAnyHistory has them
		case v.Field(i).IsZero():
			t.Errorf("%s is empty: this test shows nothing of it", name)
		}
	}
	back, err := UnmarshalCheckpoint(written(t, s))
	if err != nil || !reflect.DeepEqual(bare(back), bare(s)) {
		t.Errorf("got %+v, %v\nwant %+v", bare(back), err, bare(s))
	}
}

// A checkpoint that cannot be is an error and no State.
func TestCheckpointRefuses(t *testing.T) {
	good := string(written(t, busy(t)))
	for name, change := range map[string][2]string{
		"a version to come": {`"v":1`, `"v":2`},
		"no shoe":           {`"shoe":{`, `"shoo":{`},
		"a phase to come":   {`"phase":5`, `"phase":6`},
		"nothing behind":    {`"behind":3`, `"behind":0`},
		"another digest":    {`"packs":{"`, `"packs":{"0`},
		"a missing pack":    {`"pack":"`, `"pack":"0`},
		"a strange hand":    {`"r":"P"`, `"r":"Q"`},
		"a mark too far":    {`"corrected":[2]`, `"corrected":[9]`},
		"a cut below zero":  {`"last":5`, `"last":-5`},
		"half a text":       {`"settings"`, `"settings`},
	} {
		text := strings.Replace(good, change[0], change[1], 1)
		if text == good {
			t.Errorf("%s: %s is not in the checkpoint %s", name, change[0], good[max(0, len(good)-900):])
		}
		if s, err := UnmarshalCheckpoint([]byte(text)); err == nil || !reflect.DeepEqual(s, State{}) {
			t.Errorf("%s: taken, or half a state: %v", name, err)
		}
	}
}

func FuzzCheckpoint(f *testing.F) {
	start := closedTable(f, ez)
	for _, s := range []State{busy(f), start, table(f, ez), table(f, ez, "P", "B"), {}} {
		f.Add(written(f, s))
	}
	f.Add([]byte(`{"v":1,"shoe":{"pack":""}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := UnmarshalCheckpoint(data)
		if err != nil {
			if !reflect.DeepEqual(s, State{}) {
				t.Fatalf("half a state beside %v", err)
			}
			return
		}
		again, err := UnmarshalCheckpoint(written(t, s))
		if err != nil || !reflect.DeepEqual(bare(again), bare(s)) {
			t.Fatalf("not whole: %v\n got %+v\nwant %+v", err, bare(again), bare(s))
		}
	})
}

// A record of any bytes is taken or reported; it never stops the program, and the
// State stays sound.
func FuzzRecord(f *testing.F) {
	s := busy(f)
	for _, e := range []Event{{Kind: HandRecorded, Hand: 4, Token: "P"}, {Kind: HandFixed, Hand: 1, Token: "T"}, {Kind: HandRemoved, Hand: 3},
		{Kind: HandInserted, Hand: 4, Token: "B"}, {Kind: ShoeTakenBack}, {Kind: GameResumed}, {Kind: ShoeStarted, Hand: 2}, {Kind: CutSet, Hand: 9},
		{Kind: ReviewSet}, {Kind: TableShut}, {Kind: BetsOpened, Seconds: 7}, {Kind: HandVoided}, {Kind: SettingsApplied},
		{Kind: FaultRaised, Code: "a", Text: "\x1b[2J", Times: -1, Seconds: math.MaxInt}, {Kind: FaultEnded, Code: "keypad-missing"}, {Kind: FaultAcknowledged, By: "tech"}} {
		data, err := Record{Events: []Event{e, {Kind: HandRemoved, Hand: 1}}, Keys: []string{"OK"}}.Marshal()
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := UnmarshalRecord(data, Stamp{Seq: 9, Boot: "boot"})
		if err != nil {
			return
		}
		got, err := Apply(s, r.Events...)
		if err != nil {
			return
		}
		if _, err := json.Marshal(got.Settings); err != nil {
			t.Fatal(err)
		}
		if kept := bounded(got.Faults); !reflect.DeepEqual(kept, got.Faults) {
			t.Fatalf("of %+v a checkpoint keeps %+v", got.Faults, kept)
		}
		_ = written(t, got)
		_, _ = got.Shown()
	})
}

func TestRecordsOfAnotherVersionAreRefused(t *testing.T) {
	for _, text := range []string{`{"v":2,"e":[]}`, `{"v":1`, ``, `[]`, `{"e":[{"k":"hand"}]}`} {
		if r, err := UnmarshalRecord([]byte(text), Stamp{Seq: 7}); err == nil || len(r.Events) > 0 || !strings.Contains(err.Error(), "record 7") {
			t.Errorf("%q: %+v, %v", text, r, err)
		}
	}
}

// Records of the first version are read for ever: this one stands in the test's data
// and is never written anew.
func TestOldRecordsAreReadForEver(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("testdata", "records-v1.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	s := closedTable(t, "dai-bacc")
	for i, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		r, err := UnmarshalRecord([]byte(line), Stamp{Seq: uint64(i + 1), Boot: "boot", Mono: time.Duration(i) * time.Second})
		if err != nil {
			t.Fatal(err)
		}
		if s, err = Apply(s, r.Events...); err != nil {
			t.Fatalf("line %d: %v", i+1, err)
		}
	}
	wantList(t, s.Shoe, "B+kill+tiger-7", "P", "T+natural", "6.3-5.2")
	if !s.Shoe.Hands[1].Free || s.Shoe.Fixes != 3 || s.Shoe.Voids != 1 || s.Shoe.Number != 2 || s.Phase != Betting || s.BetSeconds != 20 {
		t.Errorf("%+v", bare(s))
	}
	if f, _ := s.Fault("keypad-missing"); len(s.Faults) != 1 || f.Times != 2 || f.Ended || f.By != "tech" || f.Raised.Seq != 21 {
		t.Errorf("%+v", s.Faults)
	}
}
