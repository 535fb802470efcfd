package tracker

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
)

// An update that is taken back leaves a record which the newer program has written: an
// aside of a kind that this program does not know, fields that it does not know, and
// a fault as it knows them are read; a fact that the figures depend on is not guessed.
func TestOlderProgramReadsANewerRecord(t *testing.T) {
	before := table(t, ez)
	newer := `{"v":1,"colour":"red","e":[{"k":"door-opened","aside":true,"door":2},{"k":"fault-raised","aside":true,"code":"heat","text":"Too hot","fan":"off"}]}`
	r, err := UnmarshalRecord([]byte(newer), Stamp{Seq: before.Seq + 1})
	if err != nil {
		t.Fatal(err)
	}
	after, err := Apply(before, r.Events...)
	if err != nil {
		t.Fatal(err)
	}
	if len(after.Faults) != 1 || after.Phase != before.Phase || after.Seq != before.Seq+1 || after.Skipped != 1 {
		t.Errorf("after it: phase %s, faults %+v, seq %d, %d skipped", after.Phase, after.Faults, after.Seq, after.Skipped)
	}
	if back, err := UnmarshalCheckpoint(written(t, after)); err != nil || back.Skipped != 1 {
		t.Errorf("the checkpoint says that %d were skipped, %v", back.Skipped, err)
	}
	if s, err := Apply(after, Event{Kind: "hand-doubled", Hand: 1}); !isNewer(err) || s.Skipped != 1 {
		t.Errorf("a kind that counts: %v, expected a refusal that says why", err)
	}
	if got, err := UnmarshalCheckpoint([]byte(strings.Replace(string(written(t, after)), `{"v":1,`, `{"v":1,"doors":[1,2],`, 1))); err != nil || len(got.Faults) != 1 {
		t.Errorf("a checkpoint with more in it: %v", err)
	}
}

func isNewer(err error) bool {
	var newer *newerError
	return errors.As(err, &newer) && strings.Contains(err.Error(), "a newer program has written it")
}

// What an older program may not pass over it says in a way that can be told from damage.
func TestOlderProgramRefusesANewerVersion(t *testing.T) {
	if r, err := UnmarshalRecord([]byte(`{"v":2,"e":[{"k":"hand","n":1,"r":"P"}]}`), Stamp{Seq: 7}); !isNewer(err) || len(r.Events) > 0 {
		t.Errorf("a record of version 2: %+v, %v", r, err)
	}
	newer := strings.Replace(string(written(t, table(t, ez, "P"))), `{"v":1,`, `{"v":2,`, 1)
	if _, err := UnmarshalCheckpoint([]byte(newer)); !isNewer(err) {
		t.Errorf("a checkpoint of version 2: %v", err)
	}
	for _, text := range []string{`{"v":0,"e":[]}`, `{"v":1,"e":7}`} {
		if _, err := UnmarshalRecord([]byte(text), Stamp{Seq: 7}); err == nil || isNewer(err) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// A newer program has installed rules of which this one does not know a bet. It counts the
// others, keeps what hands say of that one as it stands, and computes nothing in its place.
func TestOlderProgramGoesOnWithANewerPack(t *testing.T) {
	text := strings.Replace(string(source(t, ez)), `win = [{ when = "banker.wins and banker.cards == 3`, `win = [{ when = "banker.wins and banker.suited and banker.cards == 3`, 1)
	s := do(t, State{}, Command{Kind: SettingsApplied, Settings: new(Settings)})
	for i, e := range []Event{{Kind: PackInstalled, Source: text}, {Kind: TableOpened, Hand: 1},
		{Kind: HandRecorded, Hand: 1, Token: "B+dragon-7"}, {Kind: HandRecorded, Hand: 2, Token: "5.3-7.3"}, {Kind: HandRecorded, Hand: 3, Token: "P+panda-8"}, {Kind: HandRecorded, Hand: 4, Token: "T"}} {
		var err error
		e.At = Stamp{Seq: uint64(i + 1)}
		if s, err = Apply(s, e); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 {
		wantList(t, s.Shoe, "B+dragon-7", "5.3-7.3", "P+panda-8", "T")
		if got := s.Shoe.Unknown(); len(got) != 1 || got[0] != "bet[2].win[1].when" {
			t.Errorf("not known: %v", got)
		}
		for i, bets := range []string{"", "", "panda-8", "tie"} {
			h := s.Shoe.Hands[i]
			got := ""
			for k := range h.Bets.All() {
				got += s.Shoe.Pack.Bets[k].ID
			}
			if got != bets {
				t.Errorf("hand %d wins %q, expected %q", i+1, got, bets)
			}
		}
		var err error
		if s, err = UnmarshalCheckpoint(written(t, s)); err != nil {
			t.Fatal(err)
		}
	}
	if string(s.Shoe.Pack.Source) != text {
		t.Error("the checkpoint has other rules")
	}
	s = do(t, s, hand("B"), hand("6.3-7.2"), hand("P+panda-8"))
	if _, _, err := Decide(s, hand("B+dragon-7")); err == nil || !strings.Contains(err.Error(), `no bet "dragon-7"`) {
		t.Errorf("a bet that is left out is keyed: %v", err)
	}
	if _, _, err := Decide(s, hand("P+tie")); err == nil {
		t.Error("what cannot be is keyed")
	}
}

// A recorded hand is not judged again: these are such as Decide refuses today.
func TestARecordedHandIsNotJudged(t *testing.T) {
	tokens := []string{"P+dragon-7", "B+panda-8+player-natural", "B+dragon-7+banker-natural", "5.2-7.2", "9.3-9.2", "P+tie"}
	s := table(t, ez)
	for i, token := range tokens {
		if _, _, err := Decide(s, hand(token)); err == nil {
			t.Errorf("%s is allowed, and shows nothing", token)
		}
		var err error
		if s, err = Apply(s, Event{Kind: HandRecorded, Hand: i + 1, Token: token}); err != nil {
			t.Fatal(err)
		}
	}
	wantList(t, s.Shoe, tokens...)
	back, err := UnmarshalCheckpoint(written(t, s))
	if err != nil {
		t.Fatal(err)
	}
	wantList(t, back.Shoe, tokens...)
	for _, token := range []string{"Q", "P+dragon-8", "5.4-7.2", "5.2-7", "6.2-7.2+dragon-7", "2,4/K"} {
		if h, err := ReadToken(s.Shoe.Pack, token); err == nil {
			t.Errorf("%s is read as %+v", token, h)
		}
	}
}

// A newer program may keep more faults than this one, longer ones, and such as this one
// does not know: its checkpoint is read all the same, with as much of them as fits here.
func TestOlderProgramReadsANewerCheckpoint(t *testing.T) {
	s := do(t, table(t, ez, "P", "B"), raised("heat", "Too hot"), raised("space", "Card full"), acknowledged("space", "tech"))
	newer := s
	newer.Faults = append([]Fault{{}, {Code: strings.Repeat("c", 99), Times: 1}}, s.Faults...)
	newer.Faults = append(newer.Faults, Fault{Code: "heat", Times: 7}, Fault{Code: "over", Times: 1, Ended: true, By: "tech"}, Fault{Code: "never", Text: strings.Repeat("x", 999), By: strings.Repeat("y", 99)})
	for i := range 99 {
		newer.Faults = append(newer.Faults, Fault{Code: fmt.Sprint("f", i), Times: 1})
	}
	got, err := UnmarshalCheckpoint(written(t, newer))
	if err != nil {
		t.Fatal(err)
	}
	f, _ := got.Fault("never")
	if len(got.Faults) != MaxFaults || !reflect.DeepEqual(got.Faults[:2], s.Faults) || len(f.Text) != MaxFaultText || len(f.By) != maxFaultBy || f.Times != 1 {
		t.Errorf("%d faults: %+v", len(got.Faults), got.Faults)
	}
	if got.Faults = s.Faults; !reflect.DeepEqual(bare(got), bare(s)) {
		t.Errorf("got %+v\nwant %+v", bare(got), bare(s))
	}
}
