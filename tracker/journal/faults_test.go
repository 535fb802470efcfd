package journal_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"shoeboard/tracker/journal"
	"shoeboard/tracker/journal/journaltest"
)

// The script: one shoe of 80 decisions, each with a pending entry before it, a
// second shoe begun after 60 of them, and segments so short that one more roll
// comes of their length.
const (
	decisions = 80
	secondAt  = 60
	shortRoll = 13000
)

// keeper stands for the owner of the journal: it offers the events of the
// script in order, each until it is acknowledged or the unit gives up, and
// remembers what was acknowledged. Its state is the number of events so far.
type keeper struct {
	t       testing.TB
	files   *journaltest.FS
	j       *journal.Journal
	state   int
	acked   map[uint64]string // sequence number to payload, over all restarts
	pending []string          // every entry ever saved
}

func checkpoint(state int) journal.Record {
	return journal.Record{Payload: fmt.Appendf(nil, "%d", state), Source: "checkpoint"}
}

// start opens the journal and folds; it tries twice, as systemd would.
func (k *keeper) start() (journal.Found, error) {
	j, found, err := journal.Open(k.files, unit)
	if err != nil {
		j, found, err = journal.Open(k.files, unit)
	}
	if err != nil {
		return found, err
	}
	j.SetLimit(shortRoll)
	k.j, k.state = j, 0
	if found.Checkpoint != nil {
		k.state, _ = strconv.Atoi(string(found.Checkpoint.Payload))
	}
	k.state += len(found.Records)
	return found, nil
}

var errGaveUp = errors.New("not recording")

// insist does a write, repairs and offers it again when it fails.
func (k *keeper) insist(write func() (uint64, error), payload []byte) error {
	for range 4 {
		seq, err := write()
		if err == nil {
			k.acked[seq] = string(payload)
			return nil
		}
		if k.files.Off() {
			return journaltest.ErrCut
		}
		if err := k.j.Repair(); err != nil {
			continue
		}
		if err := k.roll(); err != nil {
			continue
		}
	}
	return errGaveUp
}

// roll begins a segment if one is due.
func (k *keeper) roll() error {
	if !k.j.NeedsRoll() {
		return nil
	}
	c := checkpoint(k.state)
	seq, err := k.j.Roll(c)
	if err == nil {
		k.acked[seq] = string(c.Payload)
	}
	return err
}

// play goes on with the script from where the state is.
func (k *keeper) play() error { return k.playTo(decisions) }

func (k *keeper) playTo(end int) error {
	for k.state < end {
		if k.j.NeedsRoll() || k.state == secondAt {
			c := checkpoint(k.state)
			if err := k.insist(func() (uint64, error) { return k.j.Roll(c) }, c.Payload); err != nil {
				return err
			}
		}
		entry := fmt.Sprintf("pending %d", k.state)
		k.pending = append(k.pending, entry)
		_ = k.j.SavePending([]byte(entry)) // a scratch file: its failure stops nothing
		e := event(k.state)
		if err := k.insist(func() (uint64, error) { return k.j.Append(e) }, e.Payload); err != nil {
			return err
		}
		k.state++
	}
	return nil
}

// size is the number of bytes in files with a suffix.
func size(t testing.TB, files *journaltest.FS, suffix string) (n int64) {
	t.Helper()
	for _, name := range must[[]string](t)(files.List()) {
		if strings.HasSuffix(name, suffix) {
			n += int64(len(files.Bytes(name)))
		}
	}
	return n
}

func contents(t testing.TB, files *journaltest.FS) map[string][]byte {
	t.Helper()
	all := make(map[string][]byte)
	for _, name := range must[[]string](t)(files.List()) {
		all[name] = files.Bytes(name)
	}
	return all
}

// restart opens what a fault has left and holds it against the promises.
func (k *keeper) restart(files *journaltest.FS, killed bool) {
	k.t.Helper()
	k.files = files
	segments, kept, before := size(k.t, files, ".jrn"), size(k.t, files, ".cut"), contents(k.t, files)
	found, err := k.start()
	if err != nil {
		k.t.Fatalf("the unit does not start: %v", err)
	}
	if known := journal.Acknowledged(files); known > found.Last {
		k.t.Fatalf("the pending entry knows of record %d, the record ends at %d", known, found.Last)
	}
	cut := size(k.t, files, ".cut") - kept
	if size(k.t, files, ".jrn")+cut != segments {
		k.t.Fatalf("%d bytes of segments became %d and %d cut", segments, size(k.t, files, ".jrn"), cut)
	}
	var reported int64
	for _, p := range found.Problems {
		if p.Trouble != journal.Torn || !bytes.Equal(files.Bytes(p.Kept), before[p.Segment][p.Offset:]) {
			k.t.Fatalf("a single fault was reported as: %v", p)
		}
		reported += p.Bytes
	}
	if reported != cut {
		k.t.Fatalf("%d bytes were cut, %d reported", cut, reported)
	}
	k.judge(found)
	entry, _, err := k.j.LoadPending()
	if err != nil {
		k.t.Fatal(err)
	}
	k.judgePending(string(entry), killed)
}

// judge holds the whole record against what was acknowledged.
func (k *keeper) judge(found journal.Found) {
	k.t.Helper()
	check := must[journal.Check](k.t)(journal.Verify(k.files))
	for _, p := range check.Problems {
		if p.Trouble != journal.Superseded && p.Trouble != journal.Torn || p.First <= p.Last {
			k.t.Fatalf("verify: %v", p)
		}
	}
	if check.Last != found.Last || uint64(check.Records) != check.Last || k.j.Last() != found.Last {
		k.t.Fatalf("verify %+v, found last %d", check, found.Last)
	}
	events, left := 0, len(k.acked)
	for r, err := range journal.Records(k.files, 0) {
		if err != nil {
			continue // judged above
		}
		want := string(checkpoint(events).Payload)
		if r.Kind == journal.Event {
			want = string(event(events).Payload)
			events++
		}
		if string(r.Payload) != want {
			k.t.Fatalf("record %d holds %s, want %s", r.Seq, r.Payload, want)
		}
		if acked, ok := k.acked[r.Seq]; ok {
			left--
			if acked != want {
				k.t.Fatalf("record %d was acknowledged as %s and is %s", r.Seq, acked, want)
			}
		}
	}
	if left != 0 {
		k.t.Fatalf("%d acknowledged records are lost", left)
	}
	if events != k.state {
		k.t.Fatalf("the state counts %d events, the record holds %d", k.state, events)
	}
}

// judgePending: after a kill the last entry or the one before it must be
// there, after a power cut nothing that was never saved.
func (k *keeper) judgePending(entry string, killed bool) {
	k.t.Helper()
	if n := len(k.pending); killed && n > 1 && entry != k.pending[n-1] && entry != k.pending[n-2] {
		k.t.Fatalf("pending after a kill: %q, saved last %q", entry, k.pending[n-1])
	}
	if entry != "" && !strings.Contains(strings.Join(k.pending, "\n")+"\n", entry+"\n") {
		k.t.Fatalf("pending %q was never saved", entry)
	}
}

// finish plays the rest without faults, pulls the plug, and looks once more.
func (k *keeper) finish() {
	k.t.Helper()
	if err := k.play(); err != nil {
		k.t.Fatalf("the unit does not go on: %v", err)
	}
	k.files = k.files.AfterPowerCut(1)
	found, err := k.start()
	if err != nil || k.state != decisions {
		k.t.Fatalf("at the end %d of %d events are there: %v", k.state, decisions, err)
	}
	for _, p := range found.Problems {
		k.t.Fatalf("at the end: %v", p)
	}
	k.judge(found)
}

// run plays the script on files with whatever fault is set in them.
func run(t testing.TB, files *journaltest.FS) *keeper {
	k := &keeper{t: t, files: files, acked: make(map[uint64]string)}
	if _, err := k.start(); err == nil {
		_ = k.play() // how it ended is for the restart to show
	}
	return k
}

// each runs one case for every operation of the script, with its words.
func each(t *testing.T, play func(t testing.TB, n int)) {
	t.Helper()
	files := journaltest.New()
	if k := run(t, files); k.state != decisions {
		t.Fatal("the script does not run without faults")
	}
	if files.Count("rename") != 3 {
		t.Fatalf("the script rolls %d times, want the first, the shoe and the length", files.Count("rename"))
	}
	log := files.Log()
	for n := range log {
		if !t.Run(strings.ReplaceAll(log[n], " ", "_"), func(t *testing.T) { play(t, n) }) && os.Getenv("ALL") == "" {
			t.Fatal("stopped at the first; ALL=1 shows all")
		}
	}
}

func TestPowerCutAtEveryOperation(t *testing.T) {
	t.Parallel()
	each(t, func(t testing.TB, n int) {
		for _, cut := range []journaltest.Cut{journaltest.Before, journaltest.Torn, journaltest.After} {
			files := journaltest.New()
			files.CutAt(n, cut)
			k := run(t, files)
			for seed := range uint64(4) {
				k.restart(files.AfterPowerCut(seed), false)
				if seed == 3 {
					k.finish()
				}
			}
		}
	})
}

func TestKillAtEveryOperation(t *testing.T) {
	t.Parallel()
	each(t, func(t testing.TB, n int) {
		for _, cut := range []journaltest.Cut{journaltest.Before, journaltest.Torn, journaltest.After} {
			files := journaltest.New()
			files.CutAt(n, cut)
			k := run(t, files)
			k.restart(files.AfterKill(), cut != journaltest.Torn)
			k.finish()
		}
	})
}

// The process is killed, the next one starts and records one more decision,
// then the plug is pulled: what the first had not synced must not be believed,
// and what was cut must be kept.
func TestKillThenPowerCutAtEveryOperation(t *testing.T) {
	t.Parallel()
	each(t, func(t testing.TB, n int) {
		for _, cut := range []journaltest.Cut{journaltest.Before, journaltest.Torn, journaltest.After} {
			for more := range 2 {
				files := journaltest.New()
				files.CutAt(n, cut)
				k := run(t, files)
				k.restart(files.AfterKill(), cut != journaltest.Torn)
				kept := size(t, k.files, ".cut")
				if err := k.playTo(min(k.state+more, decisions)); err != nil {
					t.Fatal(err)
				}
				k.restart(k.files.AfterPowerCut(uint64(n)), false)
				if left := size(t, k.files, ".cut"); left != kept {
					t.Fatalf("%d of %d bytes are kept", left, kept)
				}
			}
		}
	})
}

var faults = map[string]journaltest.Fault{
	"EIO": journaltest.EIO, "late EIO": journaltest.Late, "ENOSPC": journaltest.ENOSPC, "short write": journaltest.Short,
}

// One operation fails. The unit repairs and plays on; then the plug is pulled.
func TestOneFaultAtEveryOperation(t *testing.T) {
	t.Parallel()
	each(t, func(t testing.TB, n int) {
		for name, fault := range faults {
			files := journaltest.New()
			files.FailAt(n, fault)
			k := run(t, files)
			if k.state != decisions {
				t.Errorf("%s: the unit gave up after %d events", name, k.state)
			}
			k.restart(files.AfterPowerCut(uint64(n)), false)
		}
	})
}

// One operation fails though it was done, and another soon after it, while the
// unit repairs.
func TestTwoFaultsAtEveryOperation(t *testing.T) {
	t.Parallel()
	each(t, func(t testing.TB, n int) {
		kinds := []journaltest.Fault{journaltest.EIO, journaltest.Late, journaltest.ENOSPC, journaltest.Short}
		for _, after := range []int{1, 2, 3, 4, 6, 9} {
			files := journaltest.New()
			files.FailAt(n, journaltest.Late)
			files.FailAt(n+after, kinds[(n+after)%len(kinds)])
			k := run(t, files)
			if k.j == nil {
				continue // it never started
			}
			if k.state != decisions {
				t.Errorf("%d later: the unit gave up after %d events", after, k.state)
			}
			k.restart(files.AfterPowerCut(uint64(n)), false)
		}
	})
}

// One operation fails and the process is killed before it can repair: the next
// one must not believe the kernel about what the failed sync left.
func TestFaultThenKillThenPowerCutAtEveryOperation(t *testing.T) {
	t.Parallel()
	each(t, func(t testing.TB, n int) {
		for _, fault := range faults {
			files := journaltest.New()
			files.FailAt(n, fault)
			files.CutAt(n+1, journaltest.Before)
			k := run(t, files)
			k.restart(files.AfterKill(), false)
			k.finish()
		}
	})
}

// From one operation on all fail. The unit gives up; nothing that was
// acknowledged is lost, and it goes on once the medium is well again, with or
// without a restart.
func TestFaultsForEverFromEveryOperation(t *testing.T) {
	t.Parallel()
	each(t, func(t testing.TB, n int) {
		for _, fault := range []journaltest.Fault{journaltest.EIO, journaltest.ENOSPC} {
			files := journaltest.New()
			files.FailFrom(n, fault)
			k := run(t, files)
			k.restart(files.AfterPowerCut(uint64(n)), false)
			k.finish()

			files = journaltest.New()
			files.FailFrom(n, fault)
			k = run(t, files)
			files.Heal()
			if k.j == nil {
				continue // it never started
			}
			if err := errors.Join(k.j.Repair(), k.roll(), k.play()); err != nil {
				t.Fatalf("well again, but: %v", err)
			}
			k.restart(files.AfterPowerCut(uint64(n)), false)
		}
	})
}

// The medium lies: from some operation on it acknowledges syncs and does
// nothing. Records are lost then, but the unit starts, what it finds was
// written, it knows what is missing between, and it goes on.
func TestALyingMediumAtEveryOperation(t *testing.T) {
	t.Parallel()
	each(t, func(t testing.TB, n int) {
		files := journaltest.New()
		files.FailFrom(n, journaltest.Lie)
		files.CutAt(n+40, journaltest.After)
		k := run(t, files)
		for seed := range uint64(3) {
			k.files = files.AfterPowerCut(seed)
			found, err := k.start()
			if err != nil {
				t.Fatalf("seed %d: the unit does not start: %v", seed, err)
			}
			for _, r := range found.Records {
				if acked, ok := k.acked[r.Seq]; ok && acked != string(r.Payload) {
					t.Fatalf("seed %d: record %d holds %s, acknowledged was %s", seed, r.Seq, r.Payload, acked)
				}
			}
			if k.j.NeedsRoll() {
				must[uint64](t)(k.j.Roll(checkpoint(k.state)))
			}
			last := must[uint64](t)(k.j.Append(event(1000)))
			k.files = k.files.AfterPowerCut(seed)
			if found, err = k.start(); err != nil || found.Last != last || len(found.Problems) > 0 && k.j.NeedsRoll() {
				t.Fatalf("seed %d: the next start: %+v, %v", seed, found, err)
			}
		}
	})
}
