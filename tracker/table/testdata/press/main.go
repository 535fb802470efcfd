// Command press plays BANKER and OK at a table and writes into the folder OUT which
// statements that ran, for TestOnePressRunsFewFunctions. It is built with -cover.
package main

import (
	"log"
	"os"
	"runtime/coverage"
	"time"

	"shoeboard/assets"
	"shoeboard/hw"
	"shoeboard/stats"
	"shoeboard/tracker"
	"shoeboard/tracker/console"
	"shoeboard/tracker/game"
	"shoeboard/tracker/table"
)

// unit is a table with a keypad and a disk that takes no time.
type unit struct {
	engine *table.Engine
	keys   console.Map
	now    tracker.Stamp
	seq    uint64
	hands  int
}

func main() {
	file, source, _ := assets.Pack("ez-baccarat-panda-8")
	pack, err := game.Load(file, source)
	must(err)
	u := &unit{now: tracker.Stamp{Boot: "boot", Mono: time.Hour, Wall: 1_790_000_000_000, Trusted: true}}
	u.keys, _ = console.Layout("numpad-17", pack)
	u.engine = table.NewEngine(table.Setup{Keys: func(*game.Pack) (map[string]console.Map, console.Map) { return nil, u.keys }})
	u.engine.Restart(u.now, nil)
	settings := tracker.DefaultSettings()
	u.engine.Request(u.now, "test", tracker.Command{Kind: tracker.SettingsApplied, Settings: &settings},
		tracker.Command{Kind: tracker.PackInstalled, Source: string(source)}, tracker.Command{Kind: tracker.TableOpened, Day: "2026-11-30"})
	u.handle(nil)
	u.keys, _ = console.Layout("numpad-17", pack)
	for _, key := range []string{"PLAYER", "OK", "BETS"} {
		pos, _ := u.keys.Find(key)
		u.press(pos)
	}
	u.now.Mono += 30 * time.Second
	u.handle(table.Tick{}) // bets are shut
	banker, _ := u.keys.Find("BANKER")
	ok, _ := u.keys.Find("OK")
	must(coverage.ClearCounters())
	u.press(banker)
	u.press(ok)
	must(coverage.WriteMetaDir(os.Getenv("OUT")))
	must(coverage.WriteCountersDir(os.Getenv("OUT")))
	if u.hands != 2 {
		log.Fatalf("%d hands, the echo says %q", u.hands, u.engine.Echo().Lines)
	}
}

// press presses the key at a position and lets it go.
func (u *unit) press(pos string) {
	for _, down := range []bool{true, false} {
		u.handle(hw.Press{Source: "pad", Pos: pos, Down: down, At: u.now.Mono})
		u.now.Mono += time.Second
	}
}

// handle does what the table's loop does: Boards, indicators and the record.
func (u *unit) handle(event table.Event) {
	for {
		fx := u.engine.Handle(u.now, event)
		must(fx.Err)
		var b stats.Board
		u.engine.Fill(&b)
		if u.hands = b.Shoe.Hands; fx.Write == nil {
			return
		}
		_, err := fx.Write.Record.Marshal()
		must(err)
		u.seq++
		event = table.Committed{Seq: u.seq}
	}
}

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
