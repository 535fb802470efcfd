package e2e

import (
	"context"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"shoeboard/cmd/internal/config"
	"shoeboard/cmd/internal/testkit"
	"shoeboard/display/displaytest"
	"shoeboard/stats"
	"shoeboard/tracker"
	"shoeboard/tracker/localapi"
	"shoeboard/tracker/shoefile"
)

// room is a demo in a real window on an X server, keyed with real X key events. It
// writes down the evening as a shoe file as it goes.
type room struct {
	t       *testing.T
	x       displaytest.Server
	fingers *displaytest.Keyboard
	binary  string
	dir     string
	cmd     *exec.Cmd
	client  localapi.Client
	lines   []string // the evening as a shoe file
	kills   int
}

// buildBinary builds the program once for a test.
func buildBinary(t testing.TB) string {
	t.Helper()
	binary := filepath.Join(t.TempDir(), "shoeboard")
	cmd := exec.Command("go", "build", "-o", binary, "shoeboard/cmd/shoeboard")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	return binary
}

// The venue of the test: no 12 s between hands, and a short countdown.
const testVenue = "min_hand = 0\nbet_seconds = 5\nreopen_seconds = 3\n"

func openRoom(t *testing.T) *room {
	r := &room{t: t, x: displaytest.Start(t, 1280, 720), binary: buildBinary(t), dir: t.TempDir()}
	if err := os.WriteFile(filepath.Join(r.dir, "venue.toml"), []byte(testVenue), 0o644); err != nil {
		t.Fatal(err)
	}
	r.fingers = r.x.Keyboard(t)
	r.client = localapi.Client{Path: filepath.Join(r.dir, "core.sock")}
	r.start()
	// A press that comes before the window hears keys is nobody's.
	testkit.Eventually(t, "the window hears keys", func() bool {
		r.key("PLAYER")
		return r.board().Dealer.Entering
	})
	r.key("CLEAR")
	return r
}

func (r *room) start() {
	r.cmd = exec.Command(r.binary, "--config", filepath.Join(r.dir, "venue.toml"), "demo", "--full",
		"--data", filepath.Join(r.dir, "data"), "--socket", r.client.Path)
	r.cmd.Env = r.x.Environ()
	r.cmd.Stderr = os.Stderr
	if err := r.cmd.Start(); err != nil {
		r.t.Fatal(err)
	}
	r.t.Cleanup(func() {
		_ = r.cmd.Process.Kill()
		_ = r.cmd.Wait()
	})
	r.until("the core answers", func(b *stats.Board) bool { return b.Phase != "table-closed" })
	r.x.Xdotool(r.t, "search", "--sync", "--onlyvisible", "--name", "Shoeboard")
	time.Sleep(700 * time.Millisecond) // an OK that comes sooner counts for nothing
}

// kill pulls the program from under the dealer and starts it anew.
func (r *room) kill() {
	r.kills++
	if err := r.cmd.Process.Signal(syscall.SIGKILL); err != nil {
		r.t.Fatal(err)
	}
	_ = r.cmd.Wait()
	r.start()
}

func (r *room) board() *stats.Board {
	ctx, cancel := context.WithTimeout(r.t.Context(), 2*time.Second)
	defer cancel()
	b, err := r.client.Board(ctx)
	if err != nil {
		return &stats.Board{Phase: "table-closed"}
	}
	return b
}

// until waits for the board to be as it should.
func (r *room) until(what string, so func(*stats.Board) bool) *stats.Board {
	r.t.Helper()
	for end := time.Now().Add(testkit.Patience); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		if b := r.board(); so(b) {
			return b
		}
	}
	b := r.board()
	r.t.Fatalf("%s: not within %v; phase %s, %d hands, echo %q", what, testkit.Patience, b.Phase, b.Shoe.Hands, b.Dealer.Lines)
	return nil
}

// keysym is the X symbol of each key of the pad, with NumLock dead.
var keysym = map[string]uint32{
	"BANKER": 0xff9c, "TIE": 0xff99, "PLAYER": 0xff9b, "BANKER_NATURAL": 0xff96, "BOTH_NATURAL": 0xff9d, "PLAYER_NATURAL": 0xff98,
	"dragon-7": 0xff95, "panda-8": 0xff9a, "BETS": 0xff9e, "OK": 0xff8d, "FREE": 0xffaf, "VOID": 0xffaf,
	"CUT": 0xffad, "NEW_SHOE": 0xffad, "CLEAR": 0xffab, "FIX": 0xffab,
}

// key presses keys one after another, each held as long as its meaning takes, and reads
// the echo between them as a dealer does: an OK on what has only just come counts for
// nothing.
func (r *room) key(names ...string) {
	r.t.Helper()
	for _, name := range names {
		was := r.board().Dealer.Lines
		hold := 60 * time.Millisecond
		switch name {
		case "VOID", "FIX":
			hold = 1100 * time.Millisecond
		case "NEW_SHOE":
			hold = 2100 * time.Millisecond
		}
		r.fingers.Hold(keysym[name], hold)
		for end := time.Now().Add(time.Second); r.board().Dealer.Lines == was && time.Now().Before(end); {
			time.Sleep(10 * time.Millisecond) // some keys change nothing on it
		}
		time.Sleep(280 * time.Millisecond)
	}
}

// write adds a line to the shoe file, and waits until the board is that file's.
func (r *room) write(line string) {
	r.t.Helper()
	r.lines = append(r.lines, line)
	want := r.replayed()
	r.until(line, func(b *stats.Board) bool {
		return b.Shoe.Hands == want.Shoe.Hands && reflect.DeepEqual(marks(b), marks(want))
	})
}

// replayed is the board of the shoe file so far.
func (r *room) replayed() *stats.Board {
	r.t.Helper()
	f, err := shoefile.Parse("evening", strings.Join(r.lines, "\n"))
	if err != nil {
		r.t.Fatal(err)
	}
	p, err := shoefile.NewPlayer(shoefile.Setup{Pack: config.PackSource, Layout: "numpad-17", Settings: tracker.DefaultSettings()})
	if err == nil {
		err = p.Play("evening", f)
	}
	if err != nil {
		r.t.Fatal(err)
	}
	return p.Board()
}

// marks are the hands of a board and its roads: what players read.
func marks(b *stats.Board) any {
	previous := 0
	if b.Previous != nil {
		previous = b.Previous.Hands
	}
	return []any{b.Shoe.Marks, b.Shoe.Player, b.Shoe.Banker, b.Shoe.Tie, b.Shoe.Bets, b.Shoe.Naturals, b.Shoe.Roads, previous}
}

// tokens are hands and the keys for them.
var tokens = []struct {
	token string
	keys  []string
}{
	{"P", []string{"PLAYER"}}, {"B", []string{"BANKER"}}, {"T", []string{"TIE"}}, {"B+dragon-7", []string{"dragon-7"}},
	{"P+panda-8", []string{"panda-8"}}, {"B+natural", []string{"BANKER_NATURAL"}}, {"P+natural", []string{"PLAYER_NATURAL"}},
	{"T+natural", []string{"BOTH_NATURAL"}}, {"B+player-natural+banker-natural", []string{"BANKER_NATURAL", "BANKER_NATURAL"}},
}

// hand keys the hand numbered i of a shoe, with what a dealer in a hurry does to it.
func (r *room) hand(i int, d *rand.Rand) {
	tok := tokens[d.IntN(len(tokens))]
	if d.IntN(2) == 0 {
		tok = tokens[d.IntN(2)]
	}
	switch i {
	case 1: // a wrong key, seen in time
		r.key("TIE")
		r.key(append(tok.keys, "OK")...)
		r.write(tok.token)
	case 2: // a wrong hand, saved and fixed
		other := tokens[(d.IntN(len(tokens)-1)+1)%len(tokens)]
		r.key(append(other.keys, "OK")...)
		r.write(other.token)
		if other.token == tok.token {
			return
		}
		r.key("FIX")
		time.Sleep(500 * time.Millisecond)
		r.key(append(tok.keys, "OK")...)
		r.write("fix " + tok.token)
	case 3: // a free hand
		r.key("FREE")
		r.key(append(tok.keys, "OK")...)
		r.write("free " + tok.token)
	case 4: // a void, and a second finger on the pad
		r.key("VOID")
		time.Sleep(500 * time.Millisecond)
		r.key("OK")
		r.write("void")
		r.twoFingers()
		r.key("OK")
		r.says("nothing is pending", "NOTHING TO SAVE")
		r.write("")
	case 5: // the program is killed while a hand is being keyed
		r.key(tok.keys...)
		r.kill()
		b := r.board()
		if b.Dealer.Lines[1] != "UNFINISHED: OK/CLEAR" || !b.Dealer.Entering {
			r.t.Fatalf("after a kill in an entry the echo says %q", b.Dealer.Lines)
		}
		testkit.Eventually(r.t, "the new window hears keys", func() bool {
			r.key("OK")
			return !r.board().Dealer.Entering
		})
		r.write(tok.token)
	default:
		r.key(append(tok.keys, "OK")...)
		r.write(tok.token)
	}
}

// twoFingers presses BANKER and PLAYER at once: neither counts. (More than 80 ms apart
// the first would, and OK would save it.)
func (r *room) twoFingers() {
	r.fingers.Together(keysym["BANKER"], keysym["PLAYER"])
	r.says("two keys are down", "ONE KEY AT A TIME")
	r.fingers.Edge(keysym["BANKER"], false)
	r.fingers.Edge(keysym["PLAYER"], false)
}

// says waits for a sentence on the echo.
func (r *room) says(what, sentence string) {
	r.t.Helper()
	r.until(what, func(b *stats.Board) bool { return b.Dealer.Lines[0] == sentence })
}

// forgotten: bets were opened twice with no result between.
func (r *room) forgotten() {
	r.key("BETS")
	r.until("bets close by themselves", func(b *stats.Board) bool { return b.Phase == "bets-closed" })
	time.Sleep(15500 * time.Millisecond)
	r.key("BETS")
	r.until("the forgotten hand is asked for", func(b *stats.Board) bool { return strings.HasSuffix(b.Dealer.Lines[0], "NO RESULT") })
	r.key("PLAYER", "OK")
	r.write("P")
}

// A dealer's evening of three shoes through real X key events, with wrong keys,
// fixes, a free hand, a void, a forgotten hand and kills: after each step the board
// is that of the shoe file written down beside it. EVENING_HANDS sets the hands of a
// shoe (make evening: 80).
func TestDealersEvening(t *testing.T) {
	hands := 7
	if n, err := strconv.Atoi(os.Getenv("EVENING_HANDS")); err == nil {
		hands = max(n, 6)
	}
	r := openRoom(t)
	d := rand.New(rand.NewPCG(11, 4))
	for shoe := range 3 {
		for i := range hands {
			skip := i == 5 && shoe == 2 // two kills in the evening
			if skip {
				r.hand(0, d)
				continue
			}
			r.hand(i, d)
		}
		if shoe == 1 {
			r.forgotten()
		}
		if shoe < 2 {
			r.key("NEW_SHOE")
			time.Sleep(500 * time.Millisecond)
			r.key("OK")
			r.until("the new shoe", func(b *stats.Board) bool { return b.Phase == "shuffling" })
			r.lines = append(r.lines, "shoe")
		}
	}
	if r.kills != 2 {
		t.Errorf("%d kills in the evening, expected 2", r.kills)
	}
	if err := r.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := r.cmd.Wait(); err != nil {
		t.Errorf("SIGTERM: %v", err)
	}
	t.Logf("the evening:\n%s", strings.Join(r.lines, "\n"))
	if _, err := os.Stat(r.client.Path); err == nil {
		t.Error("the socket is left behind")
	}
}
