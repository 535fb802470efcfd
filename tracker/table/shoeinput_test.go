package table_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"shoeboard/hw"
	"shoeboard/stats"
	"shoeboard/tracker"
	"shoeboard/tracker/card"
	"shoeboard/tracker/console"
	"shoeboard/tracker/table"
)

// tells lets a source tell something now.
func (r *rig) tells(e hw.Event) {
	r.t.Helper()
	r.handle(e)
}

// reads lets the shoe read a whole hand, given as a token.
func (r *rig) reads(token string) {
	r.t.Helper()
	r.tells(handOf(r.t, token, r.now.Mono))
}

func handOf(t tb, token string, at time.Duration) hw.HandSeen {
	t.Helper()
	h := hw.HandSeen{Source: "shoe", Complete: true, At: at}
	for side, text := range strings.Split(token, "/") {
		for _, word := range strings.Split(text, ",") {
			c, err := card.Parse(word)
			if err != nil {
				t.Fatal(err)
			}
			if side == 0 {
				h.Player = append(h.Player, c)
			} else {
				h.Banker = append(h.Banker, c)
			}
		}
	}
	return h
}

// turns lets the shoe see the first card of a hand turned.
func (r *rig) turns() {
	r.t.Helper()
	r.tells(hw.CardSeen{Source: "shoe", Side: hw.PlayerSide, Place: 1, Card: card.Card{Rank: 9, Suit: card.Spades}, At: r.now.Mono})
}

// asKeyed is a token of cards or totals as result keys would have made it.
func (w *walk) asKeyed(token string) string {
	if !strings.ContainsAny(token, "/.") {
		return token
	}
	h, err := tracker.ParseToken(w.pack, token)
	if err != nil {
		w.t.Fatal(err)
	}
	r := h.Result
	r.Known, r.PlayerTotal, r.PlayerCards, r.BankerTotal, r.BankerCards = false, 0, 0, 0, 0
	if !w.pack.PairMarks {
		r.PlayerPair, r.BankerPair = false, false
	}
	return tracker.FormatToken(w.pack, tracker.Hand{Result: r})
}

const (
	bankerNatural = "2S,KH/9D,KC"
	playerNatural = "KS,9H/2D,4C"
	dragon        = "2S,4H/KD,2C,5S"
	killTie       = "2S,AH,3D/2D,4C" // 6 to 6: Player's 6 on three cards does not beat Banker
)

// The lines that a shoe puts on the echo, to the letter.
func TestEchoLinesOfAShoe(t *testing.T) {
	dai := scene{game: "dai-bacc", layout: "matrix-4x5", bets: tracker.BetsTimer, confirm: true, fixes: 1}
	paired := usual()
	paired.pairs = true
	for _, c := range []struct {
		line1, line2 string
		table        scene
		play         func(r *rig)
	}{
		{"49? BANKER NATURAL", "OK=SAVE   CLEAR=DROP", usual(), func(r *rig) { r.reads(bankerNatural) }},
		{"49? TIE + KILL", "OK=SAVE   CLEAR=DROP", dai, func(r *rig) { r.reads(killTie) }},
		{"49? TIE + KILL", "OK=SAVE   CLEAR=DROP", dai, func(r *rig) { r.play("kill"); r.reads(killTie) }},
		{"SHOE SAYS TIE + KILL", "OK=MINE  0=SHOE", dai, func(r *rig) { r.play("TIE"); r.reads(killTie) }},
		{"SHOE SAYS BANKER NAT", "OK=MINE  0=SHOE", usual(), func(r *rig) { r.play("TIE"); r.reads(bankerNatural) }},
		{"SHOE SAYS DRAGON 7", "OK=MINE  0=SHOE", usual(), func(r *rig) { r.play("BANKER"); r.reads(dragon) }},
		{"SHOE UNSURE: KEY IT", "BANKER  TIE  PLAYER", usual(), func(r *rig) { r.tells(hw.HandSeen{Source: "shoe", Doubt: "a card was not read", At: r.now.Mono}) }},
		{"SHOE SAYS 49 D7", "FIX: HOLD CLEAR 1s", usual(), func(r *rig) { r.turns(); r.play("PLAYER OK"); r.reads(dragon) }},
		{"VOID HAND 49?", "MISDEAL  OK=YES", usual(), func(r *rig) { r.tells(hw.ShoeSeen{Source: "shoe", Change: hw.HandVoid}) }},
		{"NEW SHOE? 48 HANDS", "OK=YES  CLEAR=NO", usual(), func(r *rig) { r.tells(hw.ShoeSeen{Source: "shoe", Change: hw.NewShoe}) }},
		{"SAVE 49 FIRST", "OK=MINE  0=SHOE", usual(), func(r *rig) { r.play("TIE"); r.reads(bankerNatural); r.press("PAUSE") }},
	} {
		t.Run(c.line1, func(t *testing.T) {
			r := sit(t, c.table).deal(48, "B")
			c.play(r)
			if e := r.echo(); e.Lines != [2]string{c.line1, c.line2} {
				t.Errorf("the echo shows %q, want %q", e.Lines, [2]string{c.line1, c.line2})
			}
		})
	}
}

// A shoe is never the reason of a record, on whatever it reads and however long it stands.
func TestNothingOfAShoeIsRecordedByItself(t *testing.T) {
	for _, confirm := range []bool{true, false} {
		s := usual()
		s.confirm = confirm
		r := sit(t, s).deal(3, "B")
		r.wait(time.Minute)
		r.reads(bankerNatural)
		r.pass(20 * time.Second)
		r.press("CUT") // any key that is no result
		r.wants("proposed", r.proposed(), "B+banker-natural")
		r.pass(31 * time.Second)
		r.wants("hands", r.list(), "P P B")
		r.wants("echo", r.line(), "NOT SAVED: KEY AGAIN")
	}
}

// A key that is down is not disturbed: what the shoe reads meanwhile comes after it.
func TestAHeldKeyIsNotDisturbed(t *testing.T) {
	r := sit(t, usual()).deal(3, "B")
	r.down("FIX")
	r.pass(500 * time.Millisecond)
	r.reads(bankerNatural)
	r.pass(600 * time.Millisecond)
	r.wants("the hold", r.line(), "FIX 3: WAS BANKER | KEY RIGHT ONE, OK")
	r.up("FIX")
	r.pass(100 * time.Millisecond)
	r.wants("the fix", r.line(), "FIX 3: WAS BANKER | KEY RIGHT ONE, OK")
	r.press("CLEAR")
	r.wants("after it", r.proposed(), "B+banker-natural")
}

// With confirm off a result key records by itself; a shoe that reads the hand between
// press and release does not change what is recorded, and says so when it differs.
func TestWithoutConfirmTheKeyCounts(t *testing.T) {
	s := usual()
	s.confirm = false
	r := sit(t, s).deal(3, "B").wait(time.Minute)
	r.down("PLAYER")
	r.reads(bankerNatural)
	r.pass(60 * time.Millisecond)
	r.up("PLAYER")
	r.wants("hands", r.list(), "P P B P")
	r.wants("echo", r.line(), "SHOE SAYS 4 BN | FIX: HOLD CLEAR 1s")
}

// A hand that was saved while the shoe still read it is not offered again, though its
// record is still on its way to the disk.
func TestTheHandOnItsWayIsNotOfferedAgain(t *testing.T) {
	r := sit(t, usual()).deal(3, "B").wait(time.Minute)
	r.slow = 5 * time.Second
	r.turns()
	r.wait(8 * time.Second).play("BANKER OK")
	r.reads(bankerNatural)
	r.wait(6 * time.Second)
	r.wants("hands", r.list(), "P P B B")
	r.wants("proposed", r.proposed(), "")

	r.slow = 0
	r.wait(time.Minute).turns()
	r.wait(8 * time.Second)
	r.reads(playerNatural)
	r.wants("the next one", r.proposed(), "P+player-natural")
}

// A hand whose first card was turned before the last hand was saved is the next one,
// if the shoe has read that last hand already.
func TestADealerWhoSavesLate(t *testing.T) {
	r := sit(t, usual()).deal(3, "B").wait(time.Minute)
	r.turns()
	r.wait(10 * time.Second)
	r.reads(bankerNatural)
	r.wait(10 * time.Second).turns() // the next hand begins
	r.wait(2 * time.Second).play("OK")
	r.wait(5 * time.Second)
	r.reads(playerNatural)
	r.wants("proposed", r.proposed(), "P+player-natural")
	r.wait(time.Second).play("OK")
	r.wants("hands", r.list(), "P P B "+bankerNatural+" "+playerNatural)
}

// A new shoe that was told of between two hands is asked about between them.
func TestHandsBeforeAndAfterANewShoe(t *testing.T) {
	r := sit(t, usual()).deal(3, "B").wait(time.Minute)
	r.press("FIX")
	r.reads(bankerNatural)
	r.tells(hw.ShoeSeen{Source: "shoe", Change: hw.NewShoe, At: r.now.Mono})
	r.reads(playerNatural)
	r.press("CLEAR")
	r.wants("the old shoe's last", r.line(), "4? BANKER NATURAL | OK=SAVE   CLEAR=DROP")
	r.wait(time.Second).press("OK")
	r.wants("the shoe", r.line(), "NEW SHOE? 4 HANDS | OK=YES  CLEAR=NO")
	r.wait(time.Second).press("OK")
	r.wants("the new shoe's first", r.line(), "1? PLAYER NATURAL | OK=SAVE   CLEAR=DROP")
	r.wait(time.Second).press("OK")
	r.wants("hands", r.list(), playerNatural)
}

// What a shoe, an echo or a key switch tells of itself is no fault of a keypad.
func TestOtherDevicesAreNoKeypads(t *testing.T) {
	r := sit(t, usual())
	codes := func() string {
		var all []string
		for _, f := range r.board().Faults {
			all = append(all, f.Code)
		}
		slices.Sort(all)
		return strings.Join(all, " ")
	}
	r.play("PLAYER")
	r.tells(hw.Notice{Source: "shoe", Change: hw.Went, Text: "no word from it"})
	r.tells(hw.Notice{Source: "key", Change: hw.Went, Text: "key switch missing"})
	r.tells(hw.Notice{Source: "echo", Change: hw.Faulty, Text: "unplugged"})
	r.wants("faults", codes(), "device-echo device-key shoe-reader-lost")
	r.wants("what was keyed", r.proposed(), "P")
	onScreen := func() bool {
		var b stats.Board
		r.engine.Fill(&b)
		return b.Dealer.OnScreen
	}
	if !onScreen() {
		t.Error("the echo shows nothing and the screen does not stand in")
	}
	for _, name := range []string{"shoe", "key", "echo"} {
		r.tells(hw.Notice{Source: name, Change: hw.Came})
	}
	r.wants("faults", codes(), "")
	if onScreen() {
		t.Error("the echo is there and the screen shows the dealer's lines")
	}
	r.tells(hw.ShoeSeen{Source: "shoe", Change: hw.ShoeTrouble, Text: "a card could not be read"})
	r.wants("faults", codes(), "shoe-trouble-shoe")
	r.tells(hw.ShoeSeen{Source: "shoe", Change: hw.ShoeCleared, Text: "a card could not be read"})
	r.wants("faults", codes(), "")
}

// The supervisor's key sets the review and releases it, however it was set.
func TestTheKeySwitchReviews(t *testing.T) {
	r := sit(t, usual()).deal(3, "B")
	turn := func(down bool) { r.tells(hw.Press{Source: "key", Pos: "review", Down: down, At: r.now.Mono}) }
	review := func(want bool) {
		t.Helper()
		if got := r.state().Review != nil; got != want {
			t.Fatalf("under review %v, want %v", got, want)
		}
	}
	turn(true)
	review(true)
	turn(true) // the switch came back
	review(true)
	r.play("PLAYER").wait(time.Second).play("OK")
	r.wants("behind it", r.list(), "P P B P")
	turn(false)
	review(false)
	r.press("REVIEW")
	review(true)
	turn(true)
	review(true)
	turn(false)
	review(false)
	if w := r.wrote[len(r.wrote)-1]; w.Source != "key" {
		t.Errorf("the release was recorded as that of %q", w.Source)
	}
}

// The panel answers every key: pressed, proposed, waiting.
func TestPanel(t *testing.T) {
	r := sit(t, usual()).deal(3, "B")
	lit := func(key string, want table.Light) {
		t.Helper()
		if got := r.lights.Lit[key]; got != want {
			t.Errorf("%s is lit %d, want %d", key, got, want)
		}
	}
	r.down("BANKER")
	lit("BANKER", table.Pressed)
	r.pass(60 * time.Millisecond)
	r.up("BANKER")
	lit("BANKER", table.Proposed)
	lit("OK", table.Waiting)
	r.pass(time.Second)
	r.press("dragon-7")
	lit("dragon-7", table.Proposed)
	lit("BANKER", table.Unlit)
	r.pass(time.Second)
	r.press("OK")
	lit("dragon-7", table.Unlit)
	lit("OK", table.Unlit)
	r.wait(20 * time.Second).press("BETS")
	lit("BETS", table.Active)
	if s := r.lights.Seconds; s < 19 || s > 20 {
		t.Errorf("the timer shows %d", s)
	}
	r.press("REVIEW")
	lit("REVIEW", table.Alarm)
	if e := r.echo(); r.lights.Lines != e.Lines {
		t.Errorf("the panel shows %q, the echo %q", r.lights.Lines, e.Lines)
	}
}

// The board can no longer say that it is seen nowhere: the dealer's own devices do, at
// rest and never in the place of what is keyed, until somebody says that he knows.
func TestTheDealersDevicesTellThatNoScreenShowsTheBoard(t *testing.T) {
	r := sit(t, usual()).deal(3, "B")
	floor := func(want table.Light) {
		t.Helper()
		if got := r.lights.Lit["FLOOR"]; got != want {
			t.Errorf("FLOOR is lit %d, want %d", got, want)
		}
	}
	saved := r.echo().Lines
	r.fault(stats.NoScreen, "No screen shows the board")
	r.wants("at rest", r.line(), saved[0]+" | NO SCREEN: CALL TECH")
	floor(table.Alarm)
	r.wait(20 * time.Second).play("PLAYER")
	r.wants("a proposal", r.line(), "4? PLAYER | OK=SAVE   CLEAR=DROP")
	r.play("OK").wait(10 * time.Second)
	r.wants("a record", r.line(), "4 PLAYER  SAVED | NO SCREEN: CALL TECH")
	if err := r.acknowledge(stats.NoScreen, "tech"); err != nil {
		t.Fatal(err)
	}
	r.wants("known", r.line(), "4 PLAYER  SAVED | FIX: HOLD CLEAR 1s")
	floor(table.Unlit)
	r.fault(stats.NoScreen, "")
	r.fault(stats.NoScreen, "No screen shows the board")
	r.wants("dark again", r.line(), "4 PLAYER  SAVED | NO SCREEN: CALL TECH")
	r.fault(stats.NoScreen, "")
	r.wants("over", r.line(), "4 PLAYER  SAVED | FIX: HOLD CLEAR 1s")
	floor(table.Unlit)
}

// A dealer who presses anything at all beside a shoe that reads anything at all.
func TestAnythingPressedBesideAShoe(t *testing.T) {
	for _, game := range []string{"ez-baccarat-panda-8", "dai-bacc"} {
		t.Run(game, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				s := scene{game: game, layout: rapid.SampledFrom(console.Layouts()).Draw(t, "layout"),
					bets:    rapid.SampledFrom([]tracker.BetsMode{tracker.BetsOff, tracker.BetsClose, tracker.BetsTimer}).Draw(t, "bets"),
					confirm: rapid.IntRange(0, 3).Draw(t, "confirm") > 0, pairs: rapid.Bool().Draw(t, "pairs"), fixes: 2,
					totals: rapid.IntRange(0, 2).Draw(t, "totals") == 0}
				w := newWalk(t, s)
				w.reader = true
				for range rapid.IntRange(1, 120).Draw(t, "steps") {
					if rapid.Bool().Draw(t, "shoe") {
						w.shoeStep(t)
					} else {
						w.step(t)
					}
				}
				w.leaves()
			})
		})
	}
}

// shoeStep is one thing that the shoe tells, and what must not come of it.
func (w *walk) shoeStep(t *rapid.T) {
	w.judge()
	before, wrote := w.moment(), len(w.wrote)
	tells := func(e hw.Event) {
		w.tells(e)
		after := w.moment()
		for _, wr := range w.wrote[wrote:] {
			if e := wr.Record.Events[0]; e.Kind != tracker.CutSet && e.Code == "" && before.records_ == len(w.disk) {
				t.Fatalf("the shoe wrote %+v", wr.Record.Events)
			}
		}
		// HAND 2 NO RESULT, also below what the shoe said of itself: what it tells is the answer
		asksForIt := before.echo.Lines[1] == "KEY IT, FREE OR VOID" || before.echo.Lines[0] == "SHOE UNSURE: KEY IT"
		if busy := !asksForIt && (before.echo.Entering && before.proposed == "" || before.echo.Asking); busy && before.echo.Lines != after.echo.Lines && !before.echo.Refused {
			t.Fatalf("the shoe disturbed %q: %q", before.echo.Lines, after.echo.Lines)
		}
	}
	at := w.now.Mono
	switch rapid.SampledFrom([]string{"card", "hand", "hand", "hand", "doubt", "late", "late doubt", "cut", "new", "late new", "void", "power", "mid-hand", "gone", "back"}).Draw(t, "told") {
	case "card":
		w.turns()
	case "hand":
		tells(handOf(t, rapid.SampledFrom([]string{bankerNatural, playerNatural, dragon, killTie, "KS,QH,JD/TD,KC,AS"}).Draw(t, "cards"), at))
	case "doubt":
		tells(hw.HandSeen{Source: "shoe", Doubt: "a card was not read", At: at})
	case "late":
		h := handOf(t, rapid.SampledFrom([]string{bankerNatural, playerNatural}).Draw(t, "cards"), at)
		h.Since = max(1, at-time.Duration(rapid.IntRange(0, 90).Draw(t, "since"))*time.Second)
		h.Doubt = hw.LineWasDown
		tells(h)
	case "late doubt":
		tells(hw.HandSeen{Source: "shoe", Doubt: "2 frames are missing", Since: max(1, at-time.Minute), At: at})
	case "late new":
		tells(hw.ShoeSeen{Source: "shoe", Change: hw.NewShoe, Since: max(1, at-time.Minute), At: at})
	case "power":
		tells(hw.ShoeSeen{Source: "shoe", Change: hw.PoweredUp, At: at})
	case "mid-hand":
		tells(hw.ShoeSeen{Source: "shoe", Change: hw.PoweredUp, Doubt: "the shoe was switched off in mid-hand", At: at})
	case "cut":
		tells(hw.ShoeSeen{Source: "shoe", Change: hw.CutCard, At: at})
	case "new":
		tells(hw.ShoeSeen{Source: "shoe", Change: hw.NewShoe, At: at})
	case "void":
		tells(hw.ShoeSeen{Source: "shoe", Change: hw.HandVoid, At: at})
	case "gone":
		tells(hw.Notice{Source: "shoe", Change: hw.Went, At: at})
	case "back":
		tells(hw.Notice{Source: "shoe", Change: hw.Came, At: at})
	}
	w.judge()
}

// leaves: CLEAR leaves everything, one after the other, and the record is sound.
func (w *walk) leaves() {
	if w.away != nil {
		w.pass(w.due - w.now.Mono)
	}
	w.slow = 0
	for n := 0; w.echo().Entering || w.echo().Asking; n++ {
		if n > 40 {
			w.t.Fatalf("CLEAR does not leave %q", w.line())
		}
		w.pressed("CLEAR", 60*ms)
		w.pass(time.Second)
	}
	w.sound()
}
