package table

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"shoeboard/tracker/journal/journaltest"
)

// troubles is a shoe with a fault in it, a step a line: what a watch finds, what staff
// acknowledge, and keys between. It goes over a segment's end, so that a checkpoint has
// a fault as well.
const troubles = `
NEW_SHOE OK
raise heat
PLAYER OK
raise space
acknowledge heat
NEW_SHOE OK
end space
BANKER OK
end heat
acknowledge space
`

// step does one line of troubles.
func (u *unit) step(line string) error {
	if err := u.pass(45 * time.Second); err != nil {
		return err
	}
	verb, code, _ := strings.Cut(line, " ")
	switch verb {
	case "raise":
		u.engine.SetFault(u.now, code, "Look at "+code)
	case "end":
		u.engine.SetFault(u.now, code, "")
	case "acknowledge":
		if err := u.engine.Acknowledge(u.now, code, "tech"); err != nil {
			u.t.Fatal(err)
		}
	default:
		return u.key(strings.Fields(line)...)
	}
	return u.settle()
}

// trouble is what stands in the record, as a person would read it.
func (u *unit) trouble() string {
	var b strings.Builder
	for _, f := range u.engine.State().Faults {
		fmt.Fprintf(&b, "%s %q times %d ended %v by %q; ", f.Code, f.Text, f.Times, f.Ended, f.By)
	}
	fmt.Fprintf(&b, "%d hands", len(u.engine.State().Shoe.Hands))
	return b.String()
}

// The power is cut at every operation on the disk: what was told of a fault stands
// after the next start, and nothing that was not.
func TestFaultsStandOverAPowerCutAtEveryOperation(t *testing.T) {
	lines := strings.Split(strings.TrimSpace(troubles), "\n")
	clean := journaltest.New()
	u, err := start(t, clean, 1)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{u.trouble()}
	for _, line := range lines {
		if err := u.step(line); err != nil {
			t.Fatal(err)
		}
		want = append(want, u.trouble())
	}
	if last := want[len(want)-1]; last != "1 hands" {
		t.Fatalf("at the end there stands %s", last)
	}
	for n := range clean.Log() {
		files, done := journaltest.New(), 0
		files.CutAt(n, journaltest.Torn)
		u, err := start(t, files, 1)
		for ; err == nil && done < len(lines); done++ {
			if err = u.step(lines[done]); err != nil {
				break
			}
		}
		again, err := start(t, files.AfterPowerCut(uint64(n)), 2)
		if err != nil {
			t.Fatal(err)
		}
		if got := again.trouble(); got != want[done] && (done+1 == len(want) || got != want[done+1]) {
			t.Fatalf("cut at operation %d, after %d steps: there stands %s\nexpected %s", n, done, got, want[done])
		}
	}
}

// A full disk refuses a hand and tells nothing of it; with room again both are told, the
// hand first.
func TestFullDiskIsToldOfOnceThereIsRoom(t *testing.T) {
	files := journaltest.New()
	u, err := start(t, files, 1)
	if err == nil {
		err = u.key("NEW_SHOE", "OK")
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := u.key("PLAYER"); err != nil {
		t.Fatal(err)
	}
	for n := range 3 { // the scratch file, the record, its repair
		files.FailAt(len(files.Log())+n, journaltest.ENOSPC)
	}
	if err := u.key("OK"); err != nil {
		t.Fatal(err)
	}
	if err := u.pass(time.Second); err != nil {
		t.Fatal(err)
	}
	want := `not-recording "E21 NOT RECORDING: use paper, call a technician" times 1 ended true by ""; 1 hands`
	if got := u.trouble(); got != want {
		t.Errorf("there stands %s\nexpected %s", got, want)
	}
	again, err := start(t, files.AfterKill(), 2)
	if err != nil || again.trouble() != want {
		t.Errorf("after a restart there stands %s, %v", again.trouble(), err)
	}
}
