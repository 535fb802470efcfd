package e2e

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"time"

	"shoeboard/assets"
	"shoeboard/cmd/internal/core"
	"shoeboard/cmd/internal/datadir"
	"shoeboard/tracker"
	"shoeboard/tracker/card"
	"shoeboard/tracker/game"
	"shoeboard/tracker/journal"
)

// fiveYears is how many shoes a busy table deals in five years: thirty a day, with
// 4.4 million hands.
const fiveYears = 54_000

// shoesADay is after how many shoes the generated table closes for a moment.
const shoesADay = 30

// ledger writes a record of many shoes as a core would, through the rules and the
// journal, but for the syncs.
type ledger struct {
	journal *journal.Journal
	state   tracker.State
	pack    *game.Pack
	rand    *rand.Rand
	cards   []card.Card
	zone    *time.Location
	mono    time.Duration
	seq     uint64
	hands   int
	ids     uint64
}

// writeYears writes a record of so many shoes into the data folder, the last of them
// in the middle of play, and returns the number of hands in it.
func writeYears(data string, shoes int) (hands int, err error) {
	file, source, _ := assets.Pack("ez-baccarat-panda-8")
	pack, err := game.Load(file, source)
	if err != nil {
		return 0, err
	}
	zone, err := time.LoadLocation("America/Los_Angeles")
	if err != nil {
		return 0, err
	}
	j, _, err := journal.Open(lazyFiles{journal.Dir(datadir.Journal(data))}, core.ID())
	if err != nil {
		return 0, err
	}
	l := &ledger{journal: j, pack: pack, rand: rand.New(rand.NewPCG(5, 54)), zone: zone}
	settings := tracker.DefaultSettings()
	settings.Table = "14"
	err = l.roll()
	if err == nil {
		err = l.decide("config", "", tracker.Command{Kind: tracker.PackInstalled, Source: string(source)})
	}
	if err == nil {
		err = l.decide("config", "", tracker.Command{Kind: tracker.SettingsApplied, Settings: &settings})
	}
	for n := 0; n < shoes && err == nil; n++ {
		if err = l.begin(n); err == nil {
			err = l.shoe(n+1 < shoes)
		}
	}
	if err := j.Close(); err != nil {
		return 0, err
	}
	return l.hands, err
}

// begin ends the shoe in play and begins the next, once a day with the table closed
// between them.
func (l *ledger) begin(n int) error {
	if n > 0 {
		if err := l.decide("keypad", "NEW_SHOE OK", tracker.Command{Kind: tracker.ShoeStarted, Day: l.day()}); err != nil {
			return err
		}
		if err := l.roll(); err != nil {
			return err
		}
	}
	if n%10 == 5 {
		if err := l.fault(); err != nil {
			return err
		}
	}
	if n%shoesADay > 0 {
		return nil
	}
	if n > 0 {
		if err := l.decide("keypad", "NEW_SHOE OK", tracker.Command{Kind: tracker.TableShut}); err != nil {
			return err
		}
	}
	return l.decide("keypad", "NEW_SHOE OK", tracker.Command{Kind: tracker.TableOpened, Day: l.day()})
}

// fault is a keypad that was pulled out, is acknowledged, and comes back.
func (l *ledger) fault() error {
	const code = "keypad-missing"
	for _, c := range []tracker.Command{
		{Kind: tracker.FaultRaised, Code: code, Text: "Keypad missing: plug it in again (any numeric pad)", Times: 1},
		{Kind: tracker.FaultAcknowledged, Code: code, By: "tech"},
		{Kind: tracker.FaultEnded, Code: code},
	} {
		l.pass(20 * time.Second)
		if err := l.decide("table", "", c); err != nil {
			return err
		}
	}
	return nil
}

// shoe deals a shuffled shoe down to the cut card and one hand more, or half of it.
func (l *ledger) shoe(whole bool) error {
	l.pass(3 * time.Minute)
	l.cards = card.Shuffled(l.pack.Decks.Default, l.rand.Shuffle)
	for len(l.cards) > 16 {
		if err := l.hand(); err != nil {
			return err
		}
		if !whole && len(l.state.Shoe.Hands) == 40 {
			return nil
		}
	}
	return l.decide("keypad", "CUT", tracker.Command{Kind: tracker.CutSet, Hand: len(l.state.Shoe.Hands) + 1})
}

// hand deals one hand, now and then a free one, one that is fixed, or a void before it.
func (l *ledger) hand() error {
	dice := l.rand.IntN(200)
	free := dice < 3
	if dice == 3 {
		if err := l.decide("keypad", "VOID OK", tracker.Command{Kind: tracker.HandVoided, Reason: "misdeal"}); err != nil {
			return err
		}
	}
	if !free {
		if err := l.bets(); err != nil {
			return err
		}
	}
	token, err := l.deal(dice)
	if err != nil {
		return err
	}
	l.hands++
	err = l.decide("keypad", "PLAYER OK", tracker.Command{Kind: tracker.HandRecorded, Token: token, Free: free})
	if err == nil && dice == 4 && token != "T" {
		err = l.decide("keypad", "FIX TIE OK", tracker.Command{Kind: tracker.HandFixed, Token: "T"})
	}
	return err
}

func (l *ledger) bets() error {
	l.pass(7 * time.Second)
	if err := l.decide("keypad", "BETS", tracker.Command{Kind: tracker.BetsOpened, Seconds: 20}); err != nil {
		return err
	}
	l.pass(20 * time.Second)
	return l.decide("time", "", tracker.Command{Kind: tracker.BetsShut, Reason: "time"})
}

// deal is what the cards come to, as most dealers key it: the result without totals.
func (l *ledger) deal(dice int) (string, error) {
	next := func() card.Card {
		c := l.cards[0]
		l.cards = l.cards[1:]
		return c
	}
	player, banker := l.pack.Drawing.Deal(next)
	r, err := l.pack.FromCards(player, banker)
	if err != nil {
		return "", err
	}
	l.pass(4 * time.Second)
	if dice%20 > 0 {
		r.Known = false
	}
	if !l.pack.PairMarks {
		r.PlayerPair, r.BankerPair = false, false
	}
	return tracker.FormatToken(l.pack, tracker.Hand{Result: r}), nil
}

// decide records what follows from a wish, as the table and its writer do.
func (l *ledger) decide(source, keys string, c tracker.Command) error {
	c.At = l.stamp()
	events, _, err := tracker.Decide(l.state, c)
	if err != nil {
		return fmt.Errorf("after record %d: %w", l.seq, err)
	}
	record := tracker.Record{Events: events}
	if keys != "" {
		record.Keys = []string{keys}
	}
	payload, err := record.Marshal()
	if err != nil {
		return err
	}
	l.ids++
	id := journal.EventID{1, byte(l.ids >> 40), byte(l.ids >> 32), byte(l.ids >> 24), byte(l.ids >> 16), byte(l.ids >> 8), byte(l.ids)}
	r := l.envelope(c.At)
	r.ID, r.Source, r.Payload = id, source, payload
	if l.seq, err = l.journal.Append(r); err != nil {
		return err
	}
	for i := range events {
		events[i].At.Seq = l.seq
	}
	l.state, err = tracker.Apply(l.state, events...)
	return err
}

func (l *ledger) roll() error {
	data, err := tracker.MarshalCheckpoint(l.state)
	if err != nil {
		return err
	}
	r := l.envelope(l.stamp())
	r.Source, r.Payload = "table", data
	_, err = l.journal.Roll(r)
	return err
}

func (l *ledger) envelope(at tracker.Stamp) journal.Record {
	return journal.Record{Boot: journal.BootID{7}, Mono: int64(at.Mono), Wall: at.Wall * 1e6, Trusted: true}
}

func (l *ledger) pass(t time.Duration) { l.mono += t }

// wall is the local time of the generated table: five years that ended before now.
func (l *ledger) wall() time.Time {
	return time.Date(2021, 1, 4, 8, 0, 0, 0, l.zone).Add(l.mono)
}

func (l *ledger) day() string { return l.wall().Format(time.DateOnly) }

func (l *ledger) stamp() tracker.Stamp {
	return tracker.Stamp{Boot: journal.BootID{7}.String(), Mono: l.mono, Wall: l.wall().UnixMilli(), Trusted: true}
}

// lazyFiles is a folder in which nothing is synced, and a file is written when it is
// closed.
type lazyFiles struct{ journal.Dir }

func (lazyFiles) SyncDir() error { return nil }

func (l lazyFiles) Create(name string) (journal.File, error) {
	f, err := os.Create(filepath.Join(string(l.Dir), name))
	return &lazyFile{file: f}, err
}

type lazyFile struct {
	file *os.File
	data bytes.Buffer
}

// WriteAt takes only what comes behind what is there, as a growing segment does.
func (f *lazyFile) WriteAt(p []byte, off int64) (int, error) {
	if off != int64(f.data.Len()) {
		return 0, fmt.Errorf("write at %d of %d", off, f.data.Len())
	}
	return f.data.Write(p)
}

func (f *lazyFile) Datasync() error      { return nil }
func (f *lazyFile) Truncate(int64) error { return fmt.Errorf("nothing is to be cut here") }

func (f *lazyFile) Close() error {
	_, err := f.file.Write(f.data.Bytes())
	if err != nil {
		return err
	}
	return f.file.Close()
}
