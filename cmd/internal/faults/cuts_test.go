package faults

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"shoeboard/stats"
)

func newTrial(t *testing.T, binary string, lies bool) *trial {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	return &trial{binary: binary, rand: rand.New(rand.NewPCG(seed, 2)), lies: lies, image: opened(t, binary), acked: "B"}
}

// The real program on a disk that keeps, at each cut, any part of what was not synced: no hand
// that was acknowledged is lost, doubled or changed, and every start shows them all.
func TestPowerCuts(t *testing.T) {
	long := tried(t)
	l := newTrial(t, program(t, "", "", ""), false)
	for end := time.Now().Add(long); time.Now().Before(end); {
		if err := l.live(t, l.rand.IntN(20) == 0); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d cuts, %d hands acknowledged", l.lives, l.acks)
}

// On a medium that does every second sync not at all every start works, and what is lost is the
// end, or a gap that the board tells of.
func TestPowerCutsOnAMediumThatLies(t *testing.T) {
	long := tried(t)
	l := newTrial(t, program(t, "", "", ""), true)
	for end := time.Now().Add(long); time.Now().Before(end); {
		if err := l.live(t, false); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d cuts, %d hands acknowledged", l.lives, l.acks)
}

// The first start of a card, cut at any operation, and the one after it, which must work.
func TestPowerCutsInTheFirstStart(t *testing.T) {
	long := tried(t)
	binary, r, n := program(t, "", "", ""), rand.New(rand.NewPCG(uint64(time.Now().UnixNano()), 3)), 0
	for end := time.Now().Add(long); time.Now().Before(end); n++ {
		d, mount := newDisk(&image{names: map[string]*image{}}, r.Uint64(), false, r.IntN(40)), t.TempDir()
		unmount := d.mount(t, mount)
		c, _ := begin(t, binary, filepath.Join(mount, "data"))
		time.Sleep(time.Duration(r.IntN(100)) * time.Millisecond)
		c.kill()
		after := d.cut()
		unmount()
		d, mount = newDisk(after, r.Uint64(), false, -1), t.TempDir()
		unmount = d.mount(t, mount)
		c, b := start(t, binary, filepath.Join(mount, "data"))
		if has(b, "not-recording") {
			t.Errorf("after a cut the unit does not record: %+v\n%s", b.Faults, c.said)
		}
		c.kill()
		unmount()
	}
	t.Logf("%d first starts", n)
}

func has(b *stats.Board, code string) bool {
	for _, f := range b.Faults {
		if f.Code == code {
			return true
		}
	}
	return false
}

// What the rig is worth: a bug of the kind that it is for is found within a minute.
func TestPlantedBugsAreFound(t *testing.T) {
	tried(t)
	for what, bug := range map[string]struct {
		was, is string
		newShoe bool
	}{
		"a hand is acknowledged before the sync":    {"	return f.Datasync()\n", "	return nil\n", false},
		"the folder of a new segment is not synced": {"		err = j.files.SyncDir()\n", "		err = nil\n", true},
	} {
		var found atomic.Bool
		t.Run(what, func(t *testing.T) {
			binary, end := program(t, "tracker/journal/journal.go", bug.was, bug.is), time.Now().Add(time.Minute)
			for unit := range 4 { // most of a life is waiting for keys
				t.Run(fmt.Sprint("unit ", unit), func(t *testing.T) {
					t.Parallel()
					for l := newTrial(t, binary, false); time.Now().Before(end) && !found.Load(); {
						if err := l.live(t, bug.newShoe); err != nil {
							t.Logf("found after %d lives: %v", l.lives, err)
							found.Store(true)
						}
					}
				})
			}
		})
		if !found.Load() {
			t.Errorf("%s: not found within a minute", what)
		}
	}
}
