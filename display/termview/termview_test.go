package termview

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"pgregory.net/rapid"

	"shoeboard/assets"
	"shoeboard/stats"
	"shoeboard/stats/road"
	"shoeboard/tracker"
	"shoeboard/tracker/game"
)

var update = flag.Bool("update", false, "write what is rendered into testdata")

const evening = "B P P P B B B P B T P T B+dragon-7 P P P P P P P+panda-8 B B T B B P P B P T P+panda-8 " +
	"P P B B B+dragon-7 T T P P P P B B B B B+dragon-7 B P P T P B P B B P B+natural B P P+natural B P"

var now = Now{Boot: "b1", Mono: 100 * time.Second, Wall: time.Date(2026, 11, 30, 21, 42, 7, 0, time.UTC)}

// pack is one of the games that are built in.
func pack(t testing.TB, id string) *game.Pack {
	t.Helper()
	file, data, ok := assets.Pack(id)
	if !ok {
		t.Fatalf("there is no game %s", id)
	}
	p, err := game.Load(file, data)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// shoe folds a shoe from its tokens.
func shoe(t testing.TB, p *game.Pack, number int, tokens string) stats.Shoe {
	t.Helper()
	s := tracker.Shoe{Pack: p, Number: number}
	for _, token := range strings.Fields(tokens) {
		h, err := tracker.ParseToken(p, token)
		if err != nil {
			t.Fatal(err)
		}
		s.Hands = append(s.Hands, h)
	}
	return stats.Fold(s, tracker.DefaultSettings())
}

// board is a Board of a game, with the last hand in the bar.
func board(t testing.TB, id, tokens string) *stats.Board {
	t.Helper()
	p := pack(t, id)
	b := &stats.Board{Version: stats.BoardVersion, Seq: 412, Table: "14", Venue: "Grand Palais", Game: stats.NewGame(p),
		ShoeToday: 3, Shoe: shoe(t, p, 3, tokens), ClockTrusted: true, Bar: stats.Bar{Kind: stats.BarPlaceBets}}
	if n := len(b.Shoe.Marks); n > 0 {
		b.Bar.Last, b.Bar.LastNo = &b.Shoe.Marks[n-1], n
	}
	return b
}

// states are the boards of the golden files.
func states(t testing.TB) map[string]*stats.Board {
	const panda = "ez-baccarat-panda-8"
	all := map[string]*stats.Board{}

	b := board(t, panda, evening)
	prev := shoe(t, pack(t, panda), 2, strings.Repeat("B P+panda-8 P T B ", 15)+"B+natural T T")
	b.Previous = &prev
	b.Countdown = &stats.Deadline{Boot: "b1", At: 113*time.Second + 1, Total: 20}
	b.Bar.Run, b.Bar.RunSide = 1, "player"
	all["betting"] = b

	b = board(t, panda, evening+" B+dragon-7")
	b.Bar.Kind, b.Bar.Run, b.Bar.RunSide = stats.BarResult, 1, "banker"
	b.Dealer.Lines = [2]string{"71 BANKER D7   SAVED", "FIX: HOLD CLEAR 1s"}
	b.Marked = []int{70}
	all["dragon"] = b

	b = board(t, panda, "T T 6.2-6.2")
	b.Bar.Kind = stats.BarResult
	b.Dealer = stats.Dealer{Lines: [2]string{"4? PLAYER", "OK=SAVE   CLEAR=DROP"}, Entering: true}
	b.LastHand, b.Saving, b.ClockTrusted = true, true, false
	all["tie"] = b

	b = board(t, "dai-bacc", "B P T 7.3-7.3+kill B+tiger-7 P+ox-6 P 9.2-8.2")
	b.Bar.Kind, b.AskMarks = stats.BarResult, true
	all["dai-bacc"] = b

	b = board(t, panda, "")
	b.Bar = stats.Bar{Kind: stats.BarClosedTable}
	b.ShoeToday, b.Venue, b.Table = 0, "金宮 Casino", "7"
	b.StatusLine = "table 7 · EZ Baccarat Panda 8 · 1.2.0 · 4f2a91 · no faults"
	b.ConfigFault = &stats.ConfigFault{File: "shoeboard.toml", Line: 12, Key: "limits.min", Text: "-5, expected 1 or more."}
	b.Faults = []stats.Fault{{Code: "keypad-missing", Text: "The keypad is not connected. Plug it in; any port of the unit will do."},
		{Code: "clock-not-set", Text: "The clock is not set.", Staff: true}, {Code: "heat", Text: "The unit is too hot.", Staff: true, By: "tech"}}
	b.EndedFaults = []stats.Fault{{Code: "space", Text: "The card is full.", Staff: true, Ended: true}}
	b.Identify = true
	all["closed"] = b

	b = board(t, panda, strings.Repeat("B P ", 60)+strings.Repeat("B ", 20)+"P")
	b.Bar.Kind, b.Demo, b.Review = stats.BarReview, true, true
	b.Test, b.Keypad = "keypad", []stats.KeyState{{Pos: "r1c1", Name: "BANKER", Seen: 2, Down: true}, {Pos: "r4c4", Seen: 0}}
	b.Dealer = stats.Dealer{Lines: [2]string{"SAVE 142 FIRST", "OK=SAVE   CLEAR=DROP"}, Refused: true}
	all["long"] = b

	b = board(t, panda, "")
	b.Bar = stats.Bar{Kind: stats.BarClosedTable}
	b.Menu = &stats.Menu{Title: "DOCTOR", At: 1, Below: true, Failed: true, Hint: "2 = DOWN   8 = UP   OK = AGAIN   CLEAR = BACK", Refused: "2=DOWN  8=UP",
		Lines: []string{"fine record: 48311 records, chain whole", "WARNING space: 312 MB free"}}
	all["menu"] = b
	all["waiting"] = nil
	return all
}

func TestGolden(t *testing.T) {
	for name, b := range states(t) {
		for suffix, text := range map[string]string{
			"80":     Render(b, 80, false, now),
			"120":    Render(b, 120, false, now),
			"colour": escapes.Replace(Render(b, 80, true, now)),
		} {
			file := filepath.Join("testdata", name+"-"+suffix+".txt")
			if *update {
				if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if text != string(want) {
				t.Errorf("%s is not what is rendered (go test -update accepts it):\n%s", file, text)
			}
		}
	}
}

// escapes makes colours readable in a golden file.
var escapes = strings.NewReplacer("\x1b[0m", "{}", "\x1b[", "{")

func TestEveryPhaseSaysSo(t *testing.T) {
	for kind, says := range map[stats.BarKind]string{
		stats.BarClosedTable: "TABLE CLOSED", stats.BarShuffling: "SHUFFLING", stats.BarPlaceBets: "PLACE YOUR BETS",
		stats.BarNoMoreBets: "NO MORE BETS", stats.BarResult: "PLAYER WINS", stats.BarFree: "FREE HAND  NO BETS",
		stats.BarVoid: "HAND VOID  MISDEAL", stats.BarShoeOver: "SHOE OVER  3 HANDS", stats.BarPaused: "GAME PAUSED",
		stats.BarReview: "UNDER REVIEW  CARDS ON THE TABLE DECIDE", stats.BarEmpty: "  ",
	} {
		b := board(t, "ez-baccarat-panda-8", "B B P")
		b.Bar.Kind, b.Bar.Reason = kind, "misdeal"
		text := Render(b, 80, false, now)
		if !strings.Contains(text, "-\n  "+says+"  ") {
			t.Errorf("%s: no %q in\n%s", kind, says, text)
		}
	}
}

func TestResultsSayWhatTheyDoAndPay(t *testing.T) {
	for _, c := range []struct{ game, hand, says string }{
		{"ez-baccarat-panda-8", "B", "BANKER WINS"},
		{"ez-baccarat-panda-8", "T", "TIE  PLAYER AND BANKER PUSH  PAYS 8 TO 1"},
		{"ez-baccarat-panda-8", "B+dragon-7", "BANKER WINS  DRAGON 7  BANKER BETS PUSH  PAYS 40 TO 1"},
		{"ez-baccarat-panda-8", "P+panda-8", "PLAYER WINS  PANDA 8  PAYS 25 TO 1"},
		{"ez-baccarat-panda-8", "9.2-8.2", "PLAYER WINS  BOTH NATURAL  9 - 8"},
		{"ez-baccarat-panda-8", "P+natural", "PLAYER WINS  PLAYER NATURAL"},
		{"ez-baccarat-panda-8", "B+natural", "BANKER WINS  BANKER NATURAL"},
		{"dai-bacc", "T", "TIE  PLAYER AND BANKER PUSH  "},
		{"dai-bacc", "P+ox-6", "PLAYER WINS  OX 6  PAYS 40 TO 1"},
		{"dai-bacc", "T+kill", "TIE  PLAYER AND BANKER PUSH  KILL THE OX/TIGER  PAYS 30 TO 1"},
	} {
		b := board(t, c.game, "B P "+c.hand)
		b.Bar.Kind = stats.BarResult
		if text := Render(b, 100, false, now); !strings.Contains(text, "-\n  "+c.says+"  ") {
			t.Errorf("%s %s: no %q in\n%s", c.game, c.hand, c.says, text)
		}
	}
	b := board(t, "dai-bacc", "P")
	b.Bar.Kind, b.Bar.Free = stats.BarResult, true
	if text := Render(b, 100, false, now); !strings.Contains(text, "PLAYER WINS  FREE HAND") {
		t.Errorf("no free hand in\n%s", text)
	}
}

func TestCountdown(t *testing.T) {
	for _, c := range []struct {
		name string
		at   time.Duration
		boot string
		want string
	}{
		{"a begun second counts", 113*time.Second + 1, "b1", "14 s"},
		{"whole seconds", 113 * time.Second, "b1", "13 s"},
		{"run out", 90 * time.Second, "b1", "0 s"},
		{"not yet begun", 1000 * time.Second, "b1", "20 s"},
		{"of another boot", 113 * time.Second, "b0", ""},
	} {
		if got := countdown(&stats.Deadline{Boot: c.boot, At: c.at, Total: 20}, now); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// A venue's texts come from a file that anybody can write on a card.
func TestTextsCannotCommandTheTerminal(t *testing.T) {
	b := board(t, "ez-baccarat-panda-8", "B")
	evil := "\x1b[2Jx\x07\u202ey\u009b31m\r\n"
	b.Table, b.Venue, b.StatusLine, b.Dealer.Lines[0] = evil, evil, evil, evil
	b.Faults = []stats.Fault{{Text: evil}}
	b.Bar.Kind, b.Bar.Reason = stats.BarVoid, evil
	b.Game.Name = evil
	for _, r := range Render(b, 80, false, now) {
		if r != '\n' && (r < ' ' || r == 0x7f || r >= 0x80 && r < 0xa0 || r == 0x202e) {
			t.Errorf("%U gets through", r)
		}
	}
}

func TestTheNewestMarkIsAlwaysShown(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		outcomes := rapid.SliceOfN(rapid.SampledFrom([]game.Outcome{game.Player, game.Banker, game.Banker, game.Tie}), 1, 150).Draw(t, "hands")
		width := rapid.IntRange(1, 130).Draw(t, "width")
		b := anyBoard(outcomes)
		b.Bar = stats.Bar{}
		text := Render(b, width, true, now)
		lines := strings.Split(text, "\n")
		winners := len(b.Shoe.Roads.BigRoad)
		marked := 0
		for _, l := range lines[2:9] { // the big road below the header
			marked += strings.Count(l, ";7m")
		}
		if winners > 0 && marked != 1 {
			t.Fatalf("%d newest marks on the big road of\n%s", marked, text)
		}
	})
}

func TestNoLineIsTooWideOrEndsBlank(t *testing.T) {
	ansi := regexp.MustCompile("\x1b\\[[0-9;]*m")
	all := states(t)
	delete(all, "waiting")
	for name, b := range all {
		for _, width := range []int{0, 64, 65, 79, 80, 104, 105, 120, 200} {
			text := Render(b, width, false, now)
			for _, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
				if n := columns(line); n > max(width, narrowest) {
					t.Errorf("%s at %d: %d columns: %s", name, width, n, line)
				}
				if strings.HasSuffix(line, " ") {
					t.Errorf("%s at %d ends blank: %q", name, width, line)
				}
			}
			if !utf8.ValidString(text) {
				t.Errorf("%s at %d is not UTF-8", name, width)
			}
			coloured := ansi.ReplaceAllString(Render(b, width, true, now), "")
			if coloured != text {
				t.Errorf("%s at %d: with colour other text:\n%s", name, width, coloured)
			}
		}
	}
}

// anyBoard is a Board of a game without bets.
func anyBoard(outcomes []game.Outcome) *stats.Board {
	b := &stats.Board{Version: stats.BoardVersion, Table: "1", Game: stats.Game{Name: "Baccarat"}, ClockTrusted: true}
	for _, o := range outcomes {
		b.Shoe.Marks = append(b.Shoe.Marks, stats.Mark{Outcome: o})
	}
	b.Shoe.Hands = len(outcomes)
	b.Shoe.Roads = road.Fold(outcomes, road.Options{})
	return b
}

func TestAnEmptyBoardIsRendered(t *testing.T) {
	if text := Render(&stats.Board{}, 80, true, Now{}); !strings.Contains(text, "HAND 0") {
		t.Errorf("got\n%s", text)
	}
}

func BenchmarkRender(b *testing.B) {
	full := states(b)["betting"]
	b.ReportAllocs()
	for b.Loop() {
		Render(full, 120, true, now)
	}
}
