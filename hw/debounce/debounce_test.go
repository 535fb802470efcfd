package debounce

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

const ms = time.Millisecond

// play feeds a story of levels, written "K down at 3" as {3, "K", true}, in scans
// of 5 ms as a matrix would, and returns the movements as "12 K down".
type level struct {
	at   int
	pos  string
	down bool
}

func play(t Times, until int, story []level) []string {
	k := New(t)
	var told []string
	levels := map[string]bool{}
	for now := 0; now <= until; now += 5 {
		for len(story) > 0 && story[0].at <= now {
			levels[story[0].pos] = story[0].down
			story = story[1:]
		}
		at := time.Duration(now) * ms
		var moves []Move
		for _, pos := range []string{"A", "B"} {
			moves = append(moves, k.Level(pos, levels[pos], at)...)
		}
		for _, m := range append(moves, k.Pass(at)...) {
			told = append(told, fmt.Sprintf("%d %s %s", m.At/ms, m.Pos, [...]string{"", "down", "up", "stuck"}[m.Kind]))
		}
	}
	return told
}

func TestStories(t *testing.T) {
	for _, c := range []struct {
		name  string
		until int
		story []level
		want  string
	}{
		{"a clean press", 200, []level{{20, "A", true}, {100, "A", false}}, "30 A down, 120 A up"},
		{"bounce of 12 ms going down and up", 300,
			[]level{{20, "A", true}, {24, "A", false}, {29, "A", true}, {32, "A", true}, {100, "A", false}, {105, "A", true}, {112, "A", false}},
			"40 A down, 135 A up"},
		{"a spike of 1 ms", 200, []level{{19, "A", true}, {21, "A", false}}, ""},
		{"the next key 20 ms after release", 300,
			[]level{{20, "A", true}, {60, "A", false}, {80, "B", true}, {120, "B", false}},
			"30 A down, 80 A up, 90 B down, 140 B up"},
		{"a worn switch opens for 30 ms under the finger", 400,
			[]level{{20, "A", true}, {50, "A", false}, {80, "A", true}, {200, "A", false}},
			"30 A down, 70 A up"},
		{"eight presses a second are all real", 600,
			[]level{{0, "A", true}, {60, "A", false}, {125, "A", true}, {185, "A", false}, {250, "A", true}, {310, "A", false}},
			"10 A down, 80 A up, 135 A down, 205 A up, 260 A down, 330 A up"},
		{"stuck, then let go", 20000, []level{{0, "A", true}, {16000, "A", false}, {17000, "A", true}, {17100, "A", false}},
			"10 A down, 15010 A stuck, 16020 A up, 17010 A down, 17120 A up"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := strings.Join(play(Contacts(), c.until, c.story), ", "); got != c.want {
				t.Errorf("told %q, want %q", got, c.want)
			}
		})
	}
}

func TestForgetTellsNothingAndMutesWhatIsHeld(t *testing.T) {
	k := New(Pads())
	k.Level("A", true, 1*ms)
	k.Level("B", true, 2*ms)
	k.Forget(100*ms, "B")
	moves := slices.Concat(
		k.Level("A", false, 200*ms), // an up of a key that nobody thinks held
		k.Level("B", false, 300*ms),
		k.Level("B", true, 400*ms),
	)
	if want := []Move{{"B", Down, 400 * ms}}; !slices.Equal(moves, want) {
		t.Errorf("told %v, want %v", moves, want)
	}
}

func TestKeyHeldSinceBeforeTheStartIsNamedStuck(t *testing.T) {
	k := New(Pads())
	k.Forget(time.Second, "A")
	if at, ok := k.Next(); !ok || at != 16*time.Second {
		t.Fatalf("next at %v %v, want 16 s", at, ok)
	}
	if got := k.Pass(16 * time.Second); !slices.Equal(got, []Move{{"A", Stuck, 16 * time.Second}}) {
		t.Errorf("told %v, want A stuck", got)
	}
	if got := k.Level("A", false, 17*time.Second); len(got) != 1 || got[0].Kind != Up {
		t.Errorf("told %v, want the end of the fault as an up", got)
	}
}

func TestMutedKeyIsToldOnlyAfterItWasLetGo(t *testing.T) {
	k := New(Contacts())
	moves := slices.Concat(k.Level("A", true, 0), k.Level("A", true, 10*ms))
	k.Mute("A", 15*ms) // told already: goes on
	k.Mute("B", 15*ms)
	moves = slices.Concat(moves, k.Level("B", true, 100*ms), k.Level("A", false, 110*ms), k.Level("B", false, 120*ms),
		k.Pass(150*ms), k.Level("B", true, 200*ms), k.Pass(210*ms))
	if want := []Move{{"A", Down, 10 * ms}, {"A", Up, 150 * ms}, {"B", Down, 210 * ms}}; !slices.Equal(moves, want) {
		t.Errorf("told %v, want %v", moves, want)
	}
}

func TestDoubtfulLevelMustBeStableAfterwards(t *testing.T) {
	k := New(Contacts())
	k.Level("A", true, 0)
	k.Doubt("A", 5*ms)
	if moves := slices.Concat(k.Pass(10*ms), k.Pass(14*ms)); len(moves) > 0 {
		t.Errorf("told %v though the level was not seen at 5 ms", moves)
	}
	if moves := k.Pass(15 * ms); !slices.Equal(moves, []Move{{"A", Down, 15 * ms}}) {
		t.Errorf("told %v, want a press after 10 ms without doubt", moves)
	}
}

func TestQuietOnlyWhenNothingIsAbout(t *testing.T) {
	k := New(Contacts())
	steps := []struct {
		at    time.Duration
		down  bool
		quiet bool
	}{{0, false, true}, {5 * ms, true, false}, {20 * ms, true, false}, {90 * ms, false, false}, {115 * ms, false, true}}
	for _, s := range steps {
		k.Level("A", s.down, s.at)
		if k.Quiet() != s.quiet {
			t.Errorf("at %v quiet is %v", s.at, !s.quiet)
		}
	}
}

// Whatever the levels, movements alternate, times do not go back, and no down is
// told unless every level of the last Press time was down.
func TestNoMovementIsInvented(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		times := Times{Press: rapid.SampledFrom([]time.Duration{0, 10 * ms}).Draw(t, "press"),
			Release: 20 * ms, Lockout: 80 * ms, Stuck: 2 * time.Second}
		k := New(times)
		var at, downSince, lastDown time.Duration = 0, -1, -time.Hour
		held, wasDown := false, false
		for range rapid.IntRange(1, 300).Draw(t, "scans") {
			at += time.Duration(rapid.IntRange(1, 40).Draw(t, "gap")) * ms
			down := rapid.Bool().Draw(t, "down")
			if rapid.IntRange(0, 3).Draw(t, "stay") > 0 {
				down = wasDown
			}
			if !down {
				downSince = -1
			} else if downSince < 0 {
				downSince = at
			}
			wasDown = down
			for _, m := range append(k.Level("A", down, at), k.Pass(at)...) {
				switch m.Kind {
				case Down:
					if held || downSince < 0 || at-downSince < times.Press || at-lastDown < times.Lockout {
						t.Fatalf("invented a press at %v", at)
					}
					held, lastDown = true, at
				case Up:
					if !held || down {
						t.Fatalf("invented an up at %v", at)
					}
					held = false
				case Stuck:
					held = true
				}
			}
		}
	})
}
