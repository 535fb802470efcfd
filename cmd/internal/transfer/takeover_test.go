package transfer

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"shoeboard/cmd/internal/config"
	"shoeboard/cmd/internal/datadir"
	"shoeboard/cmd/internal/secret"
	"shoeboard/tracker/history"
	"shoeboard/tracker/journal"
)

// A unit's first days: it writes its name, has nothing to ask, and is itself at every
// start.
func TestAUnitIsItself(t *testing.T) {
	u := newUnit(t, "10000000aaaa", "14")
	if text, err := os.ReadFile(filepath.Join(u.data, ownerFile)); string(text) != "10000000aaaa\n" {
		t.Fatalf("the folder belongs to %q, %v", text, err)
	}
	u.shoes(0, 3, 5)
	if q := u.questions(newStick(t)); len(q) > 0 {
		t.Errorf("asks %+v", q)
	}
	u.must(os.Remove(filepath.Join(u.data, ownerFile))) // of a version before
	if q := u.questions(newStick(t)); len(q) > 0 {
		t.Errorf("asks %+v", q)
	}
}

// The card of a dead unit in a spare: it asks for the table; No leaves everything as it
// is and says what to do, Yes goes on with the record under the spare's own name.
func TestACardMovedToASpare(t *testing.T) {
	dead := newUnit(t, "10000000aaaa", "14")
	dead.shoes(0, 3, 5)
	before := files(t, dead.data)
	u := dead
	u.id = "10000000bbbb"
	for range 2 { // a No is asked again at the next start
		q := u.questions(newStick(t))
		if len(q) != 1 || !q[0].Card || q[0].Table != "14" || q[0].Unit != dead.id {
			t.Fatalf("asks %+v", q)
		}
		if at := dealt.Add(4 * 60e9); !q[0].LastHand.Equal(at) {
			t.Errorf("last hand at %v, expected %v", q[0].LastHand, at)
		}
		if no := q[0].No(); !strings.Contains(no, "table 14") || !strings.Contains(no, "shoeboard takeover") {
			t.Errorf("after No: %q", no)
		}
		after := files(t, u.data)
		for name, text := range before {
			if after[name] != text {
				t.Errorf("%s was changed by a question", name)
			}
		}
	}
	last, _ := dead.record()
	u.must(u.questions(newStick(t))[0].Yes(u.id))
	u.runs()
	if now, hands := u.record(); hands != 5 || now != last+1 {
		t.Errorf("records %d, hands %d", now, hands)
	}
	if q := u.questions(newStick(t)); len(q) > 0 {
		t.Errorf("asks again: %+v", q)
	}
	if q := dead.questions(newStick(t)); len(q) != 1 || q[0].Unit != u.id {
		t.Errorf("back in the first unit it asks %+v", q)
	}
}

// A power cut between any two writes of a Yes to a card: it is asked again or done.
func TestACardsYesIsInterrupted(t *testing.T) {
	u := newUnit(t, "10000000aaaa", "14")
	u.shoes(2)
	dir := datadir.Journal(u.data)
	u.id = "10000000bbbb"
	// the segment was begun and not yet renamed
	j, found, err := journal.Open(journal.Dir(dir), "10000000aaaa")
	u.must(err)
	_, err = j.Roll(journal.Record{Payload: found.Checkpoint.Payload})
	u.must(errors.Join(err, j.Close()))
	q := u.questions(newStick(t))
	if len(q) != 1 {
		t.Fatalf("asks %+v", q)
	}
	u.must(q[0].Yes(u.id))
	// renamed, and the unit's name not yet written
	u.must(os.WriteFile(filepath.Join(u.data, ownerFile), []byte("10000000aaaa\n"), 0o600))
	if q := u.questions(newStick(t)); len(q) > 0 {
		t.Errorf("asks %+v", q)
	}
	u.runs()
}

// A stick left in a dead unit, in a blank spare.
func TestAStickInASpare(t *testing.T) {
	dead := newUnit(t, "10000000aaaa", "14")
	dead.shoes(0, 3, 5)
	u := dead
	u.must(os.WriteFile(filepath.Join(dead.data, config.LastGood), []byte("venue = \"Ours\"\n"), 0o600))
	stick := newStick(t)
	dead.mirrored(stick)

	u = spare(t, "10000000bbbb")
	q := u.questions(stick)
	if len(q) != 1 || q[0].Card || q[0].Table != "14" || q[0].Unit != dead.id || q[0].LastHand.IsZero() || q[0].No() != "" {
		t.Fatalf("asks %+v", q)
	}
	u.shoes() // after a No: a record without a hand
	last, _ := dead.record()
	u.must(u.questions(stick)[0].Yes(u.id))
	u.runs()
	if now, hands := u.record(); hands != 5 || now != last+1 {
		t.Errorf("records %d, hands %d", now, hands)
	}
	number, err := datadir.ReadTable(u.data)
	good, err2 := os.ReadFile(filepath.Join(u.data, config.LastGood))
	if number != "14" || !strings.Contains(string(good), "Ours") {
		t.Errorf("table %s, configuration %q, %v %v", number, good, err, err2)
	}
	if q := u.questions(stick); len(q) > 0 {
		t.Errorf("asks again: %+v", q)
	}
	// the spare goes on and mirrors to the same stick; a third unit is asked for the
	// newer of the two
	u.grow()
	u.mirrored(stick)
	if q := spare(t, "10000000cccc").questions(stick); len(q) != 1 || q[0].Unit != u.id {
		t.Errorf("a third unit asks %+v", q)
	}
}

// The unit's own card was replaced by an empty one: it takes back its own table.
func TestANewCardInTheSameUnit(t *testing.T) {
	dead := newUnit(t, "10000000aaaa", "14")
	dead.shoes(3)
	stick := newStick(t)
	dead.mirrored(stick)
	u := spare(t, dead.id)
	q := u.questions(stick)
	if len(q) != 1 {
		t.Fatalf("asks %+v", q)
	}
	u.must(q[0].Yes(u.id))
	u.runs()
	if _, hands := u.record(); hands != 3 {
		t.Errorf("%d hands", hands)
	}
}

// A record with a hand is never replaced, and one beside a running core never touched.
func TestAnOwnRecordIsNeverReplaced(t *testing.T) {
	dead := newUnit(t, "10000000aaaa", "14")
	dead.shoes(3)
	stick := newStick(t)
	dead.mirrored(stick)
	u := newUnit(t, "10000000bbbb", "7")
	q := u.questions(stick)
	if len(q) != 1 {
		t.Fatalf("a blank unit asks %+v", q)
	}
	lock, err := journal.Dir(datadir.Journal(u.data)).Lock()
	u.must(err)
	if err := q[0].Yes(u.id); !errors.Is(err, journal.ErrInUse) {
		t.Errorf("beside a running core: %v", err)
	}
	u.must(lock.Close())
	u.pack = dead.pack
	u.shoes(1)
	if err := q[0].Yes(u.id); err == nil {
		t.Error("a record with a hand was replaced")
	}
	if q := u.questions(stick); len(q) > 0 {
		t.Errorf("asks %+v", q)
	}
	if _, hands := u.record(); hands != 1 {
		t.Errorf("%d hands", hands)
	}
}

// Whatever byte of a mirror is changed, whichever file is missing: the spare takes over
// the whole record, or nothing.
func TestADamagedMirrorIsNotTakenOver(t *testing.T) {
	dead := newUnit(t, "10000000aaaa", "14")
	dead.shoes(0, 3, 5)
	stick := newStick(t)
	dead.mirrored(stick)
	last, _ := dead.record()
	refused := 0
	for name, text := range files(t, stick.Dir) {
		path := filepath.Join(stick.Dir, name)
		try := func(what string) {
			u := spare(t, "10000000bbbb")
			q := u.questions(stick)
			if len(q) == 0 {
				refused++
				return
			}
			if err := q[0].Yes(u.id); err != nil {
				refused++
				if left := files(t, u.data); len(left) != 2 { // its name, and the journal's lock
					t.Errorf("%s %s: refused (%v), and left %d files", name, what, err, len(left))
				}
				return
			}
			u.runs()
			if now, hands := u.record(); hands != 5 || now != last+1 {
				t.Errorf("%s %s: taken over with %d records and %d hands", name, what, now, hands)
			}
		}
		for at := 0; at < len(text); at += max(1, len(text)/7) {
			bad := []byte(text)
			bad[at] ^= 0x10
			dead.must(os.WriteFile(path, bad, 0o600))
			try("changed")
			dead.must(os.WriteFile(path, []byte(text[:at]), 0o600))
			try("cut")
		}
		dead.must(os.Remove(path))
		try("gone")
		dead.must(os.Symlink("/etc/passwd", path))
		try("a link")
		dead.must(os.Remove(path))
		dead.must(os.WriteFile(path, []byte(text), 0o600))
	}
	if refused < 20 {
		t.Errorf("%d damages were noticed", refused)
	}
}

// A power cut after every rename of a take-over.
func TestATakeOverIsInterrupted(t *testing.T) {
	dead := newUnit(t, "10000000aaaa", "14")
	dead.shoes(3, 5)
	last, _ := dead.record()
	ready := func(u unit) (stage string) {
		stage = filepath.Join(u.data, staged)
		u.must(os.CopyFS(datadir.Journal(stage), os.DirFS(datadir.Journal(dead.data))))
		u.must(adopt(datadir.Journal(stage), dead.id, u.id, history.Lost{}, ""))
		u.must(os.WriteFile(filepath.Join(stage, tableFile), []byte("14\n"), 0o600))
		u.must(os.WriteFile(filepath.Join(stage, ownerFile), []byte(u.id+"\n"), 0o600))
		return stage
	}
	commit := func(u unit, stage string) { u.must(os.Rename(stage, filepath.Join(u.data, committed))) }
	for name, cut := range map[string]func(u unit, s string){
		"before the commit": func(unit, string) {},
		"after it":          commit,
		"the record put aside": func(u unit, s string) {
			commit(u, s)
			u.must(os.Rename(datadir.Journal(u.data), datadir.Journal(u.data)+".before.x"))
		},
		"the record in its place": func(u unit, s string) {
			commit(u, s)
			u.must(swap(u.data, filepath.Join(u.data, committed)))
		},
		"a file in its place": func(u unit, s string) {
			commit(u, s)
			u.must(swap(u.data, filepath.Join(u.data, committed)))
			u.must(os.Rename(filepath.Join(u.data, committed, tableFile), filepath.Join(u.data, tableFile)))
		},
	} {
		u := newUnit(t, "10000000bbbb", "7")
		u.shoes(0)
		cut(u, ready(u))
		u.questions(newStick(t))
		now, hands := u.record()
		number, err := datadir.ReadTable(u.data)
		u.must(err)
		over := now == last+1 && hands == 5 && number == "14"
		if nothing := now == 1 && hands == 0 && number == "7"; over == nothing || nothing != (name == "before the commit") {
			t.Errorf("%s: %d records, %d hands, table %s", name, now, hands, number)
		}
		u.runs()
		left, _ := filepath.Glob(filepath.Join(u.data, "takeover*"))
		if len(left) > 0 {
			t.Errorf("%s: left %v", name, left)
		}
		if aside := aside(u.data); over && len(aside) != 1 {
			t.Errorf("%s: put aside %v", name, aside)
		}
	}
}

// The last record of a mirror counts as unfinished only when it was so when it was
// mirrored: one that went bad on the stick would be a hand that is lost without a word.
func TestATailThatWentBadOnTheStickIsNotTakenOver(t *testing.T) {
	for _, what := range []string{"as it was", "grown since", "unfinished", "cut on the stick", "bad on the stick"} {
		dead := newUnit(t, "10000000aaaa", "14")
		dead.shoes(2, 3)
		dead.grow()
		dead.grow()
		own := filepath.Join(datadir.Journal(dead.data), "0000000000000002.jrn")
		text, err := os.ReadFile(own)
		dead.must(err)
		if what == "unfinished" {
			dead.must(os.WriteFile(own, text[:len(text)-3], 0o600))
		}
		stick := newStick(t)
		dead.mirrored(stick)
		there := filepath.Join(stick.Dir, Home(dead.id), "journal", bucket("0000000000000002.jrn"), "0000000000000002.jrn")
		switch what {
		case "grown since": // the power was cut before the manifest was written
			dead.grow()
			text, err = os.ReadFile(own)
			dead.must(err)
			dead.must(os.WriteFile(there, text, 0o600))
		case "cut on the stick":
			dead.must(os.WriteFile(there, text[:len(text)-3], 0o600))
		case "bad on the stick":
			text[len(text)-3] ^= 1
			dead.must(os.WriteFile(there, text, 0o600))
		}
		s := spare(t, "10000000bbbb")
		err = s.questions(stick)[0].Yes(s.id)
		if refused := strings.HasSuffix(what, "on the stick"); refused != (err != nil) {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// A card that has lost the end of its record says so at the unit that takes it over, and no
// number of what is lost is given again: the record of the first segment after it would hide
// that anything was there.
func TestACardThatHasLostItsEndSaysSo(t *testing.T) {
	dead := newUnit(t, "10000000aaaa", "14")
	dead.shoes(0, 3, 5)
	last, _ := dead.record()
	j, _, err := journal.Open(journal.Dir(datadir.Journal(dead.data)), dead.id)
	dead.must(err)
	dead.must(errors.Join(j.SavePending([]byte("B")), j.Close()))
	names, err := filepath.Glob(filepath.Join(datadir.Journal(dead.data), "*.jrn"))
	dead.must(err)
	dead.must(os.Remove(slices.Max(names)))

	u := dead
	u.id = "10000000bbbb"
	u.must(u.questions(newStick(t))[0].Yes(u.id))
	found, err := journal.Look(journal.Dir(datadir.Journal(u.data)))
	u.must(err)
	state, unfit := history.Restore(found)
	if f, stands := state.Fault(history.FaultLost); !stands || f.Ended || len(unfit) > 0 {
		t.Errorf("faults %+v, %v", state.Faults, unfit)
	}
	if found.Last <= last {
		t.Errorf("the record goes on with %d, the lost one went to %d", found.Last, last)
	}
}

// Where the house has a key, a mirror that it has signed says so, whoever carried the stick; one
// that it has not, or that was changed since, is asked about as such, and a table that was
// taken over from it has a fault until somebody has looked.
func TestAMirrorThatTheHouseHasNotSigned(t *testing.T) {
	venue, other := secret.New(), secret.New()
	for what, c := range map[string]struct {
		mirror, unit secret.Key
		change       func(path string) error
		unsigned     bool
	}{
		"signed":              {venue, venue, nil, false},
		"no key at all":       {secret.Key{}, secret.Key{}, nil, false},
		"no key in the spare": {venue, secret.Key{}, nil, false},
		"not signed":          {secret.Key{}, venue, nil, true},
		"another house":       {other, venue, nil, true},
		"changed since": {venue, venue, func(path string) error {
			text, err := os.ReadFile(path)
			if err == nil {
				err = os.WriteFile(path, []byte(strings.Replace(string(text), `"table": "14"`, `"table": "15"`, 1)), 0o644)
			}
			return err
		}, true},
	} {
		dead := newUnit(t, "10000000aaaa", "14")
		dead.shoes(3, 2)
		slot := newStick(t)
		m, _ := dead.mirroring(slot)
		m.Venue = func() secret.Key { return c.mirror }
		m.step(t.Context(), 0)
		if c.change != nil {
			dead.must(c.change(filepath.Join(slot.Dir, Home(dead.id), "manifest.json")))
		}
		spare := newUnit(t, "10000000bbbb", "1")
		q, err := Begin(spare.data, spare.id, slot, c.unit)
		if err != nil || len(q) != 1 || q[0].Unsigned != c.unsigned || q[0].Hands != 2 {
			t.Fatalf("%s: %+v, %v", what, q, err)
		}
		spare.must(q[0].Yes(spare.id))
		state, err := stateOf(journal.Dir(datadir.Journal(spare.data)))
		spare.must(err)
		if f, marked := state.Fault("take-over"); marked != c.unsigned || marked && !strings.Contains(f.Text, "has not signed") {
			t.Errorf("%s: marked %v, %+v", what, marked, f)
		}
	}
}

// Whoever changes the configuration on a signed stick changes what was signed.
func TestTheConfigurationOnAStickIsSignedToo(t *testing.T) {
	dead := newUnit(t, "10000000aaaa", "14")
	dead.shoes(3)
	dead.must(os.WriteFile(filepath.Join(dead.data, "config.good.toml"), []byte("venue = \"ours\"\n"), 0o640))
	slot := newStick(t)
	dead.mirrored(slot)
	home := filepath.Join(slot.Dir, Home(dead.id))
	forged := []byte("venue = \"theirs\"\n")
	dead.must(os.WriteFile(filepath.Join(home, "config.good.toml"), forged, 0o644))
	dead.must(os.WriteFile(filepath.Join(home, sumsFile), sums{"config.good.toml": sumOf(forged)}.text(), 0o644))
	spare := newUnit(t, "10000000bbbb", "1")
	dead.must(spare.questions(slot)[0].Yes(spare.id))
	if text, err := os.ReadFile(filepath.Join(spare.data, "config.good.toml")); err == nil {
		t.Errorf("the spare has %q", text)
	}
}
