package transfer

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"shoeboard/assets"
	"shoeboard/cmd/internal/datadir"
	"shoeboard/cmd/internal/secret"
	"shoeboard/tracker"
	"shoeboard/tracker/game"
	"shoeboard/tracker/journal"
)

// TestMain spares a disk the syncs of a hundred units, unless TMPDIR names one.
func TestMain(m *testing.M) {
	if info, err := os.Stat("/dev/shm"); err == nil && info.IsDir() && os.Getenv("TMPDIR") == "" {
		if err := os.Setenv("TMPDIR", "/dev/shm"); err != nil {
			panic(err)
		}
	}
	os.Exit(m.Run())
}

// dealt is when the hands of a test were dealt.
var dealt = time.Date(2026, 11, 30, 19, 5, 0, 0, time.UTC)

// unit is a data folder with a record, as the core of a unit leaves it.
type unit struct {
	t    testing.TB
	data string
	id   string
	pack *game.Pack
	no   string // of its table, in the record
}

func newUnit(t testing.TB, id, table string) unit {
	t.Helper()
	file, text, _ := assets.Pack("ez-baccarat-panda-8")
	pack, err := game.Load(file, text)
	if err != nil {
		t.Fatal(err)
	}
	u := unit{t: t, data: filepath.Join(t.TempDir(), "data"), id: id, pack: pack, no: table}
	u.questions(Slot{Dir: filepath.Join(u.data, "none")})
	if err := datadir.WriteTable(u.data, table); err != nil {
		t.Fatal(err)
	}
	return u
}

// spare is a unit that was never switched on.
func spare(t testing.TB, id string) unit {
	return unit{t: t, data: filepath.Join(t.TempDir(), "data"), id: id}
}

func (u unit) must(err error) {
	u.t.Helper()
	if err != nil {
		u.t.Fatal(err)
	}
}

// shoes adds segments with so many hands each; the last one grows.
func (u unit) shoes(hands ...int) {
	u.t.Helper()
	j, found, err := journal.Open(journal.Dir(datadir.Journal(u.data)), u.id)
	u.must(err)
	for i, n := range hands {
		s := tracker.State{Seq: found.Last + uint64(i), Settings: tracker.Settings{Table: u.no}, Phase: tracker.Betting, Shoe: tracker.Shoe{Pack: u.pack, Number: i + 1}}
		for h := range n {
			s.Shoe.Hands = append(s.Shoe.Hands, tracker.Hand{Result: game.Result{Outcome: game.Banker}, At: tracker.Stamp{Wall: dealt.Add(time.Duration(h) * time.Minute).UnixMilli()}})
		}
		text, err := tracker.MarshalCheckpoint(s)
		u.must(err)
		_, err = j.Roll(journal.Record{Payload: text})
		u.must(err)
	}
	u.must(j.Close())
}

// grow adds a record to the segment that grows.
func (u unit) grow() {
	u.t.Helper()
	j, _, err := journal.Open(journal.Dir(datadir.Journal(u.data)), u.id)
	u.must(err)
	text, err := tracker.Record{}.Marshal()
	u.must(err)
	_, err = j.Append(journal.Record{Payload: text})
	u.must(err)
	u.must(j.Close())
}

func (u unit) questions(slot Slot) []Question {
	u.t.Helper()
	q, err := Begin(u.data, u.id, slot, secret.Key{})
	u.must(err)
	return q
}

// record is the whole record, checked: how far it goes, and the hands of its shoe.
func (u unit) record() (last uint64, hands int) {
	u.t.Helper()
	files := journal.Dir(datadir.Journal(u.data))
	check, err := journal.Verify(files)
	u.must(err)
	for _, p := range check.Problems {
		u.t.Fatalf("the record of %s: %v", u.id, p)
	}
	state, err := stateOf(files)
	u.must(err)
	return check.Last, len(state.Shoe.Hands)
}

// runs says that the unit's core can go on with its record.
func (u unit) runs() {
	u.t.Helper()
	j, _, err := journal.Open(journal.Dir(datadir.Journal(u.data)), u.id)
	u.must(err)
	u.must(j.Close())
}

// mirroring is the unit's mirror on a stick.
func (u unit) mirroring(slot Slot) (*Mirror, *[]string) {
	var told []string
	return &Mirror{Slot: slot, Data: u.data, Unit: u.id, Program: "test", Fault: func(_, text string) { told = append(told, text) }}, &told
}

// mirrored brings the mirror up to date.
func (u unit) mirrored(slot Slot) {
	u.t.Helper()
	m, told := u.mirroring(slot)
	for now := time.Duration(0); now < 10*look; now += look {
		m.step(u.t.Context(), now)
	}
	if len(*told) > 0 {
		u.t.Fatalf("told: %q", *told)
	}
}

func newStick(t testing.TB) Slot { return Slot{Dir: t.TempDir(), Plain: true} }

// files are all files below a folder with their texts.
func files(t testing.TB, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		all[strings.TrimPrefix(path, dir+"/")] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}
