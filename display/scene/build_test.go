package scene

import (
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"shoeboard/display/specimen"
	"shoeboard/stats"
	"shoeboard/stats/road"
	"shoeboard/tracker/game"
)

var update = flag.Bool("update", false, "accept the pictures as they are")

// TestGoldenScenes compares every state with its picture as text. The reference
// state stands whole in its file, the others as what they take from it (-) and
// add to it (+), unless they have little in common. Look at the specimen before
// accepting a change with -update.
func TestGoldenScenes(t *testing.T) {
	v := reference(t)
	all := specimen.All()
	base := sceneLines(all[0], v)
	for i := range all {
		lines := sceneLines(all[i], v)
		if i > 0 {
			lines = changes(base, lines)
		}
		text := strings.Join(lines, "\n") + "\n"
		path := filepath.Join("testdata", "scenes", all[i].Name+".txt")
		if *update {
			if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Error(err)
			continue
		}
		if line, got, old := firstDifference(text, string(want)); line > 0 {
			t.Errorf("%s:%d: the picture has changed\n got %s\nwant %s", path, line, got, old)
		}
	}
}

// sceneLines is a specimen's picture, an op a line.
func sceneLines(s specimen.Specimen, v View) []string {
	var out []string
	for _, o := range Build(&s.Board, look(s, v)) {
		out = append(out, o.String())
	}
	return out
}

// changes are the lines that b has not from a, with -, and those that it adds,
// with +; or b whole where that is shorter.
func changes(a, b []string) []string {
	count := map[string]int{}
	for _, line := range b {
		count[line]++
	}
	var out []string
	for _, line := range a {
		if count[line]--; count[line] < 0 {
			out = append(out, "- "+line)
		}
	}
	for _, line := range b {
		if count[line]--; count[line] >= 0 {
			out = append(out, "+ "+line)
		}
	}
	if len(out) >= len(b) {
		return b
	}
	return out
}

// firstDifference is the first line, from 1, in which two texts differ; 0: none.
func firstDifference(got, want string) (line int, a, b string) {
	if got == want {
		return 0, "", ""
	}
	x, y := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range max(len(x), len(y)) {
		a, b = "(end)", "(end)"
		if i < len(x) {
			a = x[i]
		}
		if i < len(y) {
			b = y[i]
		}
		if a != b {
			return i + 1, a, b
		}
	}
	return 0, "", ""
}

// The picture is a function of its arguments, and Build changes none of them.
func TestBuildIsPure(t *testing.T) {
	v := reference(t)
	before := specimen.All()
	for i, s := range specimen.All() {
		at := look(s, v)
		first, second := Build(&s.Board, at), Build(&s.Board, at)
		if !slices.Equal(first, second) {
			t.Errorf("%s: the same arguments give two pictures", s.Name)
		}
		if !reflect.DeepEqual(before[i].Board, s.Board) {
			t.Errorf("%s: Build changed the board", s.Name)
		}
	}
}

// What the bar says in each state (design: "what the bar says").
func TestWhatTheBarSays(t *testing.T) {
	v, all := reference(t), specimen.All()
	for _, c := range []struct{ name, want string }{
		{"betting-timer", "PLACE YOUR BETS|請下注|#70|PLAYER|14"},
		{"betting", "PLACE YOUR BETS|請下注|#70|PLAYER"},
		{"betting-run", "PLACE YOUR BETS|請下注|#75|PLAYER|×4|9"},
		{"bets-closed", "NO MORE BETS|停止下注|#70|PLAYER"},
		{"free-hand", "FREE HAND|飛牌|NO BETS|不設投注|#70|PLAYER"},
		{"void", "HAND VOID|作廢|EXPOSED CARD|牌面外露|#70|PLAYER"},
		{"last-hand", "PLACE YOUR BETS|請下注|LAST HAND|最後一局|12"},
		{"under-review", "UNDER REVIEW|覆核中|CARDS ON THE TABLE DECIDE|以牌面為準"},
		{"paused", "GAME PAUSED|暫停|#70|PLAYER"},
		{"result-player", "PLAYER WINS|閒贏"},
		{"result-tie", "TIE|和|PLAYER AND BANKER PUSH|閒莊注退回|PAYS 8 TO 1"},
		{"dai-tie", "TIE|和|PLAYER AND BANKER PUSH|閒莊注退回"},
		{"result-dragon-7", "DRAGON 7|龍7|BANKER BETS PUSH|莊注退回|PAYS 40 TO 1"},
		{"result-panda-8", "PANDA 8|熊貓8|PLAYER WINS|閒贏|PAYS 25 TO 1"},
		{"result-tiger-7-kill", "KILL + TIGER 7|BANKER BETS PUSH|莊注退回|KILL  30 TO 1|TIGER 7  40 TO 1"},
		{"result-kill-tie", "KILL|殺牛虎|PLAYER AND BANKER PUSH|閒莊注退回|PAYS 30 TO 1"},
		{"result-totals", "BANKER WINS|莊贏|6|–|7"},
		{"natural", "BANKER WINS|莊贏|NATURAL|例牌"},
		{"natural-totals", "PLAYER WINS|閒贏|NATURAL 9|例牌9|9|–|4"},
		{"natural-over", "BANKER WINS|莊贏|NATURAL 9 OVER 8|例牌9勝8|8|–|9"},
		{"result-free", "BANKER WINS|莊贏|FREE HAND|飛牌"},
		{"shoe-over", "SHOE OVER|本靴完|K7QF-2M9D|XX4T-0P1R-Z"},
		{"shuffling", "SHUFFLING|洗牌中|K7QF-2M9D|XX4T-0P1R-Z"},
		{"table-closed", "Table 14 · EZ Baccarat Panda 8 · shoeboard 1.0.0 · configuration 3f9a2c17 · no faults|TABLE CLOSED|已收檯|K7QF-2M9D-XX4T-0P1R-Z"},
		{"empty-bar", "#70|PLAYER"},
	} {
		s := pick(t, all, c.name)
		if got := said(Build(&s.Board, look(s, v)), "bar."); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
	}
}

// A free hand had no bets, so nothing pays.
func TestFreeHandPaysNothing(t *testing.T) {
	v := reference(t)
	for _, letter := range []string{"T", "b", "p"} {
		b := result(panda8(letter), func(m *stats.Mark) { m.Free = true })
		if n := len(named(Build(&b, v), "bar.pays")); n > 0 {
			t.Errorf("%s: a free hand shows what it pays", letter)
		}
	}
}

// Limits and the active collection stand in every phase, attract pages included.
func TestLimitsAndCollectionAreAlwaysPosted(t *testing.T) {
	v := reference(t)
	const fees = "$10–100|$1|$101–500|$2|$501–1,000|$4|D7 · P8|$1|player-dealer|$5"
	for _, s := range specimen.All() {
		if s.Board.Test != "" || s.Board.Identify || s.Board.Menu != nil || s.Board.Game.ID != "ez-baccarat-panda-8" {
			continue
		}
		ops := Build(&s.Board, look(s, v))
		if got := said(ops, "collection.rate"); got != fees {
			t.Errorf("%s: collection %s", s.Name, got)
		}
		if got := said(ops, "limits.figure"); got != "$1|–|$50|$1|–|$50|$1|–|$100|$10|–|$1,000" {
			t.Errorf("%s: limits %s", s.Name, got)
		}
	}
}

// Both lines stand on every attract page.
func TestAttractPagesInformAndCare(t *testing.T) {
	v := reference(t)
	for _, name := range []string{"attract-bets", "attract-summary", "attract-collection", "attract-house"} {
		s := state(t, name)
		if got := said(Build(&s.Board, look(s, v)), "attract.foot"); !strings.Contains(got, "information") || !strings.Contains(got, "1-800-GAMBLER") {
			t.Errorf("%s: %s", name, got)
		}
	}
}

// Pages stand 10 s in every 30, each in its turn, and the finished board between.
func TestAttractPagesTakeTurns(t *testing.T) {
	v := reference(t)
	s := state(t, "attract-bets")
	var titles []string
	for at := time.Duration(0); at < 4*attractIn; at += 5 * time.Second {
		now := look(s, v)
		now.Now = at
		ops := Build(&s.Board, now)
		page := len(named(ops, "attract")) > 0
		if want := at%attractIn < attractOn; page != want || page == (len(named(ops, "big.mark")) > 0) {
			t.Errorf("at %v: page %v, want %v", at, page, want)
		}
		if at%attractIn == 0 {
			titles = append(titles, said(ops, "attract.title")+said(ops, "attract.message"))
		}
	}
	if len(slices.Compact(slices.Sorted(slices.Values(titles)))) != 4 {
		t.Errorf("four half minutes show %q", titles)
	}
}

// Players never read an unconfirmed result in the board: what the dealer keys
// shows at the end of the collection row and changes nothing else.
func TestProposalShowsOnlyToTheDealer(t *testing.T) {
	v := reference(t)
	s := state(t, "proposal")
	with := Build(&s.Board, look(s, v))
	s.Board.Dealer.Entering = false
	s.Board.Dealer.Lines = [2]string{}
	without := Build(&s.Board, look(s, v))
	rest := len(with) - len(named(with, "dealer."))
	if rest != len(without) {
		t.Errorf("%d ops beside the dealer's lines, %d without them", rest, len(without))
	}
	if got := said(with, "dealer."); got != "dealer is entering|71? BANKER NATURAL|OK=SAVE CLEAR=DROP" {
		t.Errorf("dealer's lines: %s", got)
	}
}

func TestNewestHandIsRingedInBothRoads(t *testing.T) {
	v := reference(t)
	for _, name := range []string{"betting-timer", "result-tie", "long-shoe"} {
		s := state(t, name)
		ops := Build(&s.Board, look(s, v))
		if len(named(ops, "beads.newest")) != 1 || len(named(ops, "big.newest")) != 1 {
			t.Errorf("%s: the newest hand is not ringed once in each road", name)
		}
	}
}

func TestNewMarkBlinksThreeTimesThenStays(t *testing.T) {
	v := reference(t)
	s := state(t, "betting")
	v = look(s, v)
	v.Newest = time.Hour
	away, was := 0, false
	for age := time.Duration(0); age < 5*time.Second; age += 50 * time.Millisecond {
		v.Now = v.Newest + age
		hidden := len(named(Build(&s.Board, v), "bead")) < len(named(Build(&s.Board, look(s, v)), "bead"))
		if hidden && !was {
			away++
		}
		was = hidden
	}
	if away != 3 || was {
		t.Errorf("the mark went away %d times, and is away at the end: %v", away, was)
	}
}

func TestNextChangeIsWhenThePictureChanges(t *testing.T) {
	v := reference(t)
	day := time.Date(2026, 11, 30, 21, 42, 13, 0, time.UTC)
	betting, timed := panda8(""), counting(panda8(""), 14)
	unset := with(panda8(""), func(b *stats.Board) { b.ClockTrusted = false })
	other := counting(panda8(""), 14)
	other.Countdown.Boot = "another boot"
	waits := func(b stats.Board) stats.Board {
		return with(b, func(b *stats.Board) { b.Dealer = state(t, "proposal-waits").Board.Dealer })
	}
	for _, c := range []struct {
		name  string
		board stats.Board
		now   time.Duration
		fresh time.Duration
		want  time.Duration
		ok    bool
	}{
		{"the clock's minute", betting, time.Hour, 0, 47 * time.Second, true},
		{"the countdown's second", timed, 300 * time.Millisecond, 0, 700 * time.Millisecond, true},
		{"a whole second", timed, 0, 0, time.Second, true},
		{"a countdown that has run out", timed, 15 * time.Second, 0, 47 * time.Second, true},
		{"a countdown of another boot", other, 0, 0, 47 * time.Second, true},
		{"the newest mark's blinking", betting, time.Hour + 100*time.Millisecond, time.Hour, 250 * time.Millisecond, true},
		{"nothing", unset, time.Hour, 0, 0, false},
		{"identify", with(unset, func(b *stats.Board) { b.Identify = true }), 100 * time.Millisecond, 0, 600 * time.Millisecond, true},
		{"the end of a page", with(unset, func(b *stats.Board) { b.Attract.On = true }), 31 * time.Second, 0, 9 * time.Second, true},
		{"the next page", with(unset, func(b *stats.Board) { b.Attract.On = true }), 41 * time.Second, 0, 19 * time.Second, true},
		{"the dealer's blinking", waits(unset), 100 * time.Millisecond, 0, 400 * time.Millisecond, true},
		{"an echo of his own", with(waits(unset), func(b *stats.Board) { b.Dealer.OnScreen = false }), 100 * time.Millisecond, 0, 0, false},
		{"a message", with(unset, func(b *stats.Board) { b.Dealer = state(t, "told-not-saved").Board.Dealer }), 0, 0, 0, false},
		{"a test", state(t, "test-pattern").Board, 0, 0, 0, false},
	} {
		v.Boot, v.Now, v.Newest, v.Wall = specimen.Boot, c.now, c.fresh, day
		if got, ok := NextChange(&c.board, v); got != c.want || ok != c.ok {
			t.Errorf("%s: %v %v, want %v %v", c.name, got, ok, c.want, c.ok)
		}
	}
}

// Between now and NextChange nothing changes; this is what lets the screen sleep.
func TestPictureHoldsUntilNextChange(t *testing.T) {
	v := reference(t)
	boards := []stats.Board{counting(panda8(""), 14), panda8(""), state(t, "attract-bets").Board, state(t, "identify").Board,
		state(t, "proposal-waits").Board}
	start := time.Date(2026, 11, 30, 21, 42, 0, 0, time.UTC)
	rapid.Check(t, func(t *rapid.T) {
		b := rapid.SampledFrom(boards).Draw(t, "board")
		v.Boot = specimen.Boot
		v.Now = time.Duration(rapid.IntRange(1, 130_000).Draw(t, "now")) * time.Millisecond
		v.Newest = time.Duration(rapid.IntRange(0, 130_000).Draw(t, "newest")) * time.Millisecond
		v.Wall = start.Add(v.Now)
		next, ok := NextChange(&b, v)
		if !ok || next <= 0 {
			t.Fatalf("next change after %v, %v", next, ok)
		}
		later := v
		later.Now, later.Wall = v.Now+next-time.Millisecond, v.Wall.Add(next-time.Millisecond)
		if v.Newest > v.Now { // a mark that is not there yet
			return
		}
		if !slices.Equal(Build(&b, v), Build(&b, later)) {
			t.Fatalf("the picture changed before its time")
		}
	})
}

// The window always holds the newest mark, in every road and on every screen.
func TestNewestMarkIsInTheWindow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := grid{cols: rapid.IntRange(1, 60).Draw(t, "columns")}
		last := rapid.IntRange(0, 200).Draw(t, "last column")
		newest := rapid.IntRange(0, last).Draw(t, "newest")
		first := g.window(last, newest)
		if first < 0 || newest < first || newest >= first+g.cols && newest > last-g.cols {
			t.Fatalf("columns %d to %d are shown, the newest is in %d", first, first+g.cols-1, newest)
		}
	})
}

// Each mark of each road is drawn once, whatever the shoe.
func TestEveryMarkIsDrawnOnce(t *testing.T) {
	v := reference(t)
	v.W = 7680 // every column fits
	rapid.Check(t, func(t *rapid.T) {
		outcomes := rapid.SliceOfN(rapid.SampledFrom([]game.Outcome{game.Player, game.Banker, game.Tie}), 0, 80).Draw(t, "hands")
		b := panda8("")
		b.Previous = nil
		b.Shoe = stats.Shoe{Hands: len(outcomes), Roads: road.Fold(outcomes, road.Options{OwnColumn: rapid.Bool().Draw(t, "own column")})}
		for _, o := range outcomes {
			b.Shoe.Marks = append(b.Shoe.Marks, stats.Mark{Outcome: o})
		}
		ops := Build(&b, v)
		for name, want := range map[string]int{
			"bead.letter": len(outcomes), "big.mark": len(b.Shoe.Roads.BigRoad),
			"eye.mark": len(b.Shoe.Roads.BigEyeBoy), "small.mark": len(b.Shoe.Roads.SmallRoad), "pig.mark": len(b.Shoe.Roads.CockroachPig),
		} {
			if got := len(named(ops, name)); got != want {
				t.Fatalf("%s: %d drawn, the road has %d", name, got, want)
			}
		}
	})
}

func TestAmounts(t *testing.T) {
	for cents, want := range map[int]string{0: "$0", 5: "$0.05", 250: "$2.50", 100: "$1", 99900: "$999", 100000: "$1,000", 123456700: "$1,234,567", -100: "$-1"} {
		if got := money(cents); got != want {
			t.Errorf("%d cents: %s, want %s", cents, got, want)
		}
	}
}

// What a redraw costs before anything is painted.
func BenchmarkBuild(b *testing.B) {
	v := reference(b)
	s := state(b, "betting-timer")
	v = look(s, v)
	b.ReportAllocs()
	for b.Loop() {
		Build(&s.Board, v)
	}
}
