package table_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"shoeboard/hw"
	"shoeboard/stats"
	"shoeboard/tracker"
	"shoeboard/tracker/table"
)

// plug takes the keypad off or puts it back.
func (r *rig) plug(c hw.Change) {
	r.t.Helper()
	r.handle(hw.Notice{Source: "pad", Change: c, At: r.now.Mono})
}

// fault sets a fault that a watch found, or takes it away.
func (r *rig) fault(code, text string) {
	r.t.Helper()
	r.engine.SetFault(r.now, code, text)
	r.settle()
}

func (r *rig) acknowledge(code, by string) error {
	r.t.Helper()
	err := r.engine.Acknowledge(r.now, code, by)
	r.settle()
	return err
}

// told are the facts of faults on disk as words.
func (r *rig) told() string {
	r.t.Helper()
	var words []string
	for _, d := range r.disk {
		rec, err := tracker.UnmarshalRecord(d.payload, d.at)
		if err != nil {
			r.t.Fatal(err)
		}
		for _, e := range rec.Events {
			if e.Code == "" {
				continue
			}
			word := strings.TrimPrefix(string(e.Kind), "fault-") + " " + e.Code
			if e.Times > 1 {
				word += fmt.Sprint("x", e.Times)
			}
			if e.By != "" {
				word += " by " + e.By
			}
			words = append(words, word)
		}
	}
	return strings.Join(words, ", ")
}

// shown are the faults of a Board as words: "!" is a sentence, "." a mark.
func (r *rig) shown() string {
	live := r.board()
	var words []string
	for _, f := range append(live.Faults, live.EndedFaults...) {
		word := "!" + f.Code
		if f.Staff {
			word = "." + f.Code
		}
		if f.Ended {
			word += " ended"
		}
		if f.By != "" {
			word += " by " + f.By
		}
		words = append(words, word)
	}
	return strings.Join(words, ", ")
}

// A keypad comes loose, is plugged in again, and a technician says that he knows.
func TestFaultFromRaisedToAcknowledged(t *testing.T) {
	r := sit(t, usual())
	step := func(what, shown, told string) {
		t.Helper()
		r.wants("shown "+what, r.shown(), shown)
		r.wants("told "+what, r.told(), told)
	}
	step("at first", "", "")
	r.plug(hw.Went)
	step("gone", "!keypad-missing", "raised keypad-missing")
	r.wait(time.Minute).plug(hw.Came)
	step("back", ".keypad-missing ended", "raised keypad-missing, ended keypad-missing")
	if err := r.acknowledge("keypad", "tech"); err == nil || !strings.Contains(err.Error(), "to acknowledge: keypad-missing") {
		t.Errorf("another code: %v", err)
	}
	if err := r.acknowledge("keypad-missing", "tech"); err != nil {
		t.Fatal(err)
	}
	step("acknowledged", "", "raised keypad-missing, ended keypad-missing, acknowledged keypad-missing by tech")
	r.plug(hw.Went)
	step("gone again", "!keypad-missing", r.told())
	if err := r.acknowledge("keypad-missing", "tech"); err != nil {
		t.Fatal(err)
	}
	step("known while it is there", ".keypad-missing by tech", r.told())
	if err := r.acknowledge("keypad-missing", "floor"); err == nil || !strings.Contains(err.Error(), "acknowledged by tech") {
		t.Errorf("twice: %v", err)
	}
	r.plug(hw.Came)
	step("over", "", "raised keypad-missing, ended keypad-missing, acknowledged keypad-missing by tech, raised keypad-missing, acknowledged keypad-missing by tech, ended keypad-missing")
}

// What is the matter while a hand is being keyed is shown at once, told after, and the
// hand is as it would have been.
func TestFaultInMidEntryDisturbsNothing(t *testing.T) {
	alone, r := sit(t, usual()), sit(t, usual())
	r.slow = 400 * time.Millisecond
	alone.slow = r.slow
	for i, keys := range []string{"PLAYER", "CLEAR", "BANKER", "OK", "FIX", "PLAYER", "OK", "BETS", "TIE"} {
		r.play(keys)
		alone.play(keys)
		told := r.told()
		r.fault(fmt.Sprint("heat-", i/2), []string{"Too hot: give it air", ""}[i%2])
		r.wants("echo after "+keys, r.line(), alone.line())
		if r.tone != alone.tone {
			t.Errorf("tone after %s: %v, alone %v", keys, r.tone, alone.tone)
		}
		r.wait(500 * time.Millisecond)
		alone.wait(500 * time.Millisecond)
		if idle := !r.echo().Entering; idle == (r.told() == told) {
			t.Errorf("after %s, with nothing pending %v, there was told %q and is %q", keys, idle, told, r.told())
		}
		if live := r.board(); live.Saving {
			t.Errorf("SAVING after %s", keys)
		}
	}
	r.wants("hands", r.list(), alone.list())
}

// While a fact of a fault is on its way to a slow disk the echo says nothing of it, keys
// are taken, and a dealer who has to wait is told.
func TestFaultOnASlowDisk(t *testing.T) {
	r := sit(t, usual())
	idle := r.line()
	r.slow = 5 * time.Second
	r.fault("heat", "Too hot: give it air")
	r.wait(2 * time.Second)
	if live := r.board(); live.Saving || r.line() != idle {
		t.Errorf("for a fault: saving %v, echo %q", live.Saving, r.line())
	}
	r.play("BANKER OK")
	if live := r.board(); !live.Saving || !strings.HasPrefix(r.line(), "SAVING") {
		t.Errorf("for a hand: saving %v, echo %q", live.Saving, r.line())
	}
	r.wait(9 * time.Second)
	r.wants("hands", r.list(), "B")
}

// A fault that came before what a dealer decided is told after it.
func TestFaultWaitsBehindTheDealer(t *testing.T) {
	r := sit(t, usual())
	r.slow = 3 * time.Second
	r.play("BANKER OK")
	r.fault("heat", "Too hot: give it air")
	r.play("CUT").wait(10 * time.Second)
	var order []string
	for _, w := range r.wrote {
		order = append(order, string(w.Record.Events[0].Kind))
	}
	r.wants("order", strings.Join(order, " "), "hand cut-card fault-raised")
}

// What is keyed while a fact of a fault is on its way comes back after a kill, whether the
// fact landed or not, and is recorded although the fault is there again.
func TestEntryBesideAFaultComesBack(t *testing.T) {
	for _, landed := range []bool{true, false} {
		for _, sameBoot := range []bool{true, false} {
			r := sit(t, usual())
			r.slow = 5 * time.Second
			r.fault("heat", "Too hot: give it air")
			r.play("PLAYER")
			r.restart(landed, sameBoot)
			r.fault("heat", "Too hot: give it air")
			r.wants("proposed", r.proposed(), "P")
			r.slow = 0
			r.wait(time.Second).play("OK").wait(time.Second)
			r.wants("hands", r.list(), "P")
			r.wants("told", r.told(), "raised heat")
		}
	}
}

// What the run before left stands over a restart; what nothing tells of any more has
// ended.
func TestFaultsOverARestart(t *testing.T) {
	for _, sameBoot := range []bool{true, false} {
		r := sit(t, usual())
		r.plug(hw.Went)
		r.fault("heat", "Too hot: give it air")
		r.fault("space", "The card is full")
		r.fault("space", "")
		if err := r.acknowledge("heat", "tech"); err != nil {
			t.Fatal(err)
		}
		before := r.state().Faults
		r.restart(false, sameBoot)
		if !reflect.DeepEqual(r.state().Faults, before) {
			t.Fatalf("before %+v, after %+v", before, r.state().Faults)
		}
		r.wants("shown", r.shown(), ".keypad-missing ended, .space ended")
		told := r.told()
		r.plug(hw.Went)
		r.wait(80 * time.Second)
		r.wants("shown then", r.shown(), "!keypad-missing, .space ended")
		r.wants("told then", r.told(), told)
		r.wait(20 * time.Second)
		r.wants("told at last", r.told(), told+", ended heat")
		r.plug(hw.Came)
		r.wants("plugged in", r.shown(), ".keypad-missing ended, .space ended")
	}
}

// A disk that takes nothing is told of once it takes something again, with the time at
// which that began.
func TestFaultOfTheRecordItself(t *testing.T) {
	r := sit(t, usual())
	r.slow = time.Hour
	r.play("BANKER OK")
	r.handle(table.Failed{Err: fmt.Errorf("no space left on device")})
	r.wait(10 * time.Minute)
	r.wants("shown", r.shown(), "!not-recording")
	if err := r.acknowledge("recording", "tech"); err == nil || !strings.Contains(err.Error(), "to acknowledge: not-recording") {
		t.Errorf("another code: %v", err)
	}
	if err := r.acknowledge("not-recording", "tech"); err != nil {
		t.Errorf("it may be acknowledged, and that is told when it can be: %v", err)
	}
	r.slow = 0
	r.ack()
	r.settle()
	r.wants("hands", r.list(), "B")
	r.wants("shown after", r.shown(), "")
	r.wants("told", r.told(), "raised not-recording, ended not-recording, acknowledged not-recording by tech")
	for _, w := range r.wrote {
		if e := w.Record.Events[0]; e.Kind == tracker.FaultRaised && e.Seconds != 600 {
			t.Errorf("it began %d s before", e.Seconds)
		}
	}
}

// That hands are not recorded is what the board says first: a small one has no room
// for all.
func TestNotRecordingComesFirst(t *testing.T) {
	r := sit(t, usual())
	r.fault("heat", "Too hot: give it air")
	r.fault("volts", "Too little voltage")
	r.slow = time.Hour
	r.play("BANKER OK")
	r.handle(table.Failed{Err: fmt.Errorf("no space left on device")})
	r.wants("shown", r.shown(), "!not-recording, !heat, !volts")
}

// An acknowledgement that had to wait for a slow disk counts from when it was said, with
// all that is told beside it: the record gives the state that was.
func TestAcknowledgementThatWaited(t *testing.T) {
	r := sit(t, usual())
	r.slow = 3 * time.Second
	r.fault("heat", "Too hot: give it air")
	r.fault("space", "The card is full")
	r.wait(time.Second)
	if err := r.acknowledge("space", "tech"); err != nil {
		t.Fatal(err)
	}
	said := r.now
	r.wait(time.Minute)
	f, _ := r.state().Fault("space")
	if d, _ := f.AcknowledgedAt.Since(said); d != 0 || !reflect.DeepEqual(r.replayed().Faults, r.state().Faults) {
		t.Errorf("lived %+v, the record says %+v", r.state().Faults, r.replayed().Faults)
	}
}

// More faults than a record may hold are shown all the same, and told when there is
// room.
func TestMoreFaultsThanTheRecordHolds(t *testing.T) {
	r := sit(t, usual())
	for i := range tracker.MaxFaults + 1 {
		r.fault(fmt.Sprintf("f%02d", i), "Something is the matter")
	}
	if n := strings.Count(r.shown(), "!"); n != tracker.MaxFaults+1 || len(r.state().Faults) != tracker.MaxFaults {
		t.Errorf("%d shown, %d recorded", n, len(r.state().Faults))
	}
	r.fault("f00", "")
	if err := r.acknowledge("f00", "tech"); err != nil {
		t.Fatal(err)
	}
	if _, stands := r.state().Fault("f32"); !stands {
		t.Error("the last has not been told")
	}
}

// A code that the record does not take is shown all the same and stops nothing.
func TestFaultThatTheRecordDoesNotTake(t *testing.T) {
	r := sit(t, usual())
	code := strings.Repeat("long-", 20)
	r.fault(code, "Something is the matter")
	r.fault("heat", "Too hot")
	r.wants("shown", r.shown(), "!heat, !"+code)
	r.wants("told", r.told(), "raised heat")
	r.play("BANKER OK")
	r.wants("hands", r.list(), "B")
}

// What waits for the next shoe is no fault: the board says it, the record does not.
func TestWhatIsToComeIsNoFault(t *testing.T) {
	r := sit(t, usual())
	r.play("PLAYER OK")
	other := usual()
	other.game = "dai-bacc"
	_, pack := openTable(t, other)
	r.engine.Configure(r.now, table.Config{Settings: r.state().Settings, Pack: pack.Source, Digest: pack.Digest})
	r.settle()
	r.wants("shown", r.shown(), "!game-waits")
	if err := r.acknowledge("game-waits", "tech"); err == nil {
		t.Error("it was acknowledged")
	}
	r.play("NEW_SHOE OK")
	r.wants("shown then", r.shown(), "")
	r.wants("told", r.told(), "")
}

// Whatever comes and goes, ends, is acknowledged and restarted: what stands in the
// record and what is on the board agree once all has settled, and little is written.
func TestAnyFaults(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := sit(t, usual())
		here := map[string]bool{}
		changes, acks := 0, 0
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			code := rapid.SampledFrom([]string{"heat", "space", "volts"}).Draw(t, "code")
			switch rapid.IntRange(0, 6).Draw(t, "step") {
			case 0, 1, 2:
				here[code] = !here[code]
				r.fault(code, map[bool]string{true: "Look at " + code}[here[code]])
				changes++
			case 3:
				if r.acknowledge(code, "tech") == nil {
					acks++
				}
			case 4:
				r.play(rapid.SampledFrom([]string{"PLAYER", "OK", "CLEAR", "BANKER OK"}).Draw(t, "keys"))
			case 5:
				r.wait(time.Duration(rapid.IntRange(0, 100).Draw(t, "s")) * time.Second)
			case 6:
				r.restart(true, rapid.Bool().Draw(t, "same boot"))
				for code, on := range here {
					if on {
						r.fault(code, "Look at "+code)
					}
				}
			}
		}
		r.wait(2 * time.Minute)
		for code, on := range here {
			f, stands := r.state().Fault(code)
			if on && !stands || !on && stands && !f.Ended || strings.Contains(r.shown(), code) != stands {
				t.Fatalf("%s is there: %v; the record: %+v; shown %q; told %q", code, on, f, r.shown(), r.told())
			}
		}
		if n := strings.Count(r.told(), "raised") + strings.Count(r.told(), "ended"); n > 2*changes+2*acks {
			t.Fatalf("%d changes, %d acknowledgements: %s", changes, acks, r.told())
		}
		if !reflect.DeepEqual(r.replayed().Faults, r.state().Faults) {
			t.Fatalf("the record folds to %+v, the table has %+v", r.replayed().Faults, r.state().Faults)
		}
	})
}

// A Board says since when, how often and who.
func TestBoardTellsOfFaults(t *testing.T) {
	r := sit(t, usual())
	began := r.now.Wall
	r.fault("heat", "Too hot")
	r.wait(time.Minute)
	want := stats.Fault{Code: "heat", Text: "Too hot", Began: began, Times: 1}
	if got := r.board().Faults; !reflect.DeepEqual(got, []stats.Fault{want}) {
		t.Errorf("%+v", got)
	}
	r.fault("heat", "")
	want.Ended, want.EndedAt, want.Staff = true, r.now.Wall, true
	live := r.board()
	if !reflect.DeepEqual(live.EndedFaults, []stats.Fault{want}) || live.Faults != nil {
		t.Errorf("%+v", live)
	}
	if got := stats.Faults(r.state().Faults); !reflect.DeepEqual(got, []stats.Fault{want}) {
		t.Errorf("of the record %+v", got)
	}
	r.now.Trusted = false
	r.fault("cold", "Too cold")
	if f := r.board().Faults; len(f) != 2 || f[0].Code != "clock-not-set" || f[1].Began != 0 {
		t.Errorf("with a clock that is not set: %+v", f)
	}
}

// A clock that is not set is on the board from the start, a fault when somebody says so
// or acknowledges it, and over as soon as it is set.
func TestClockThatIsNotSet(t *testing.T) {
	r := sit(t, usual())
	r.now.Trusted = false
	r.settle()
	r.wants("shown", r.shown(), "!clock-not-set")
	r.wants("told", r.told(), "")
	if err := r.acknowledge("clock-not-set", "tech"); err != nil {
		t.Fatal(err)
	}
	r.wants("known", r.shown(), ".clock-not-set by tech")
	r.restart(true, false)
	r.now.Trusted = false
	r.settle()
	r.wants("known after a start", r.shown(), ".clock-not-set by tech")
	r.fault("clock-not-set", "The clock has not been set for an hour")
	r.wants("known still when a watch reports it", r.shown(), ".clock-not-set by tech")
	r.now.Trusted = true
	r.settle()
	r.wants("set", r.shown(), "")
	r.wants("told then", r.told(), "raised clock-not-set, acknowledged clock-not-set by tech, ended clock-not-set")
}
