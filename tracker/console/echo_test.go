package console

import (
	"strings"
	"testing"

	"shoeboard/assets"
	"shoeboard/tracker"
	"shoeboard/tracker/game"
)

func packOf(t testing.TB, id string) *game.Pack {
	t.Helper()
	file, data, _ := assets.Pack(id)
	p, err := game.Load(file, data)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// results are all results that keys can make in a game, pairs among them.
func results(p *game.Pack) []game.Result {
	var all []game.Result
	flags := []bool{false, true}
	for _, o := range []game.Outcome{game.Player, game.Banker, game.Tie} {
		for bets := range game.BetSet(1) << len(p.Bets) {
			for _, pn := range flags {
				for _, bn := range flags {
					for _, pp := range flags {
						for _, bp := range flags {
							r := game.Result{Outcome: o, PlayerNatural: pn, BankerNatural: bn, PlayerPair: pp, BankerPair: bp, Bets: bets}
							if p.Possible(r) {
								all = append(all, r)
							}
						}
					}
				}
			}
		}
	}
	return all
}

// fits fails unless both lines of the echo are of plain characters and need no cut.
func fits(t *testing.T, what string, lines [2]string) {
	t.Helper()
	for _, l := range lines {
		if len(l) > Width || strings.ContainsFunc(l, func(r rune) bool { return r < ' ' || r > '~' }) {
			t.Fatalf("%s: %q has %d characters", what, l, len(l))
		}
	}
}

// numbers are hands of one and two figures, the next one having as many or one more.
func numbers() []int { return []int{1, 9, 48, 99} }

// seat is a table with n hands, the last one being last.
func seat(p *game.Pack, n int, last tracker.Hand) *Context {
	s := tracker.State{Settings: tracker.DefaultSettings(), Phase: tracker.Result, Shoe: tracker.Shoe{Pack: p, Hands: make([]tracker.Hand, n)}}
	s.Shoe.Hands[n-1] = last
	return &Context{State: s, Projected: s, Totals: s.Settings.Entry == tracker.EntryTotals}
}

// Every line about a hand fits the echo, whatever the hand, up to hand 100.
func TestEveryHandFitsTheEcho(t *testing.T) {
	for _, id := range assets.PackIDs() {
		p := packOf(t, id)
		all := results(p)
		if len(all) < 20 {
			t.Fatalf("%s: only %d results", id, len(all))
		}
		for _, n := range numbers() {
			for _, old := range all {
				for _, turned := range []bool{false, true} {
					table := seat(p, n, tracker.Hand{Result: old, Free: turned})
					fits(t, "saved", [2]string{savedLine(&table.State), lastLine(&table.State)})
					for _, m := range []state{fixing, removing, lapsed, askSame, askShoeOver, askNewShoe, askVoid, noResult} {
						c := Console{pending: pending{mode: m, hand: old, fix: n, fixFree: turned}}
						fits(t, "fix", c.lines(table))
						c.fixFree = !turned
						fits(t, "free", c.lines(table))
					}
					for _, r := range all {
						if n < 99 || r.PlayerPair != r.BankerPair || old.PlayerPair != old.BankerPair {
							continue // the longest are among the others
						}
						c := Console{pending: pending{mode: fixing, hand: r, fix: n, keyed: true, fixFree: !turned}}
						fits(t, "fix, keyed", c.lines(table))
						table.State.Free = !turned
						c.mode = askReplace
						fits(t, "replace", c.lines(table))
					}
				}
			}
		}
	}
}

// So does what is being keyed, with and without a result, saving or not.
func TestEveryProposalFitsTheEcho(t *testing.T) {
	for _, id := range assets.PackIDs() {
		p := packOf(t, id)
		keyed := results(p)
		for _, r := range results(p) { // modifiers alone
			keyed = append(keyed, game.Result{PlayerPair: r.PlayerPair, BankerPair: r.BankerPair, Bets: r.Bets & p.Modifiers})
		}
		for _, n := range numbers() {
			for _, r := range keyed {
				for _, table := range []Context{{}, {Saving: true}, {Failing: true, Saving: true}} {
					at := seat(p, n, tracker.Hand{Result: keyed[0]})
					at.Saving, at.Failing = table.Saving, table.Failing
					for _, unfinished := range []bool{false, true} {
						c := Console{pending: pending{mode: entry, hand: r, unfinished: unfinished}}
						fits(t, "proposal", c.lines(at))
					}
				}
			}
		}
	}
}

// The proposal on the echo tells every result from every other.
func TestNoTwoProposalsReadAlike(t *testing.T) {
	for _, id := range assets.PackIDs() {
		p := packOf(t, id)
		for _, n := range numbers() {
			seen := map[string]game.Result{}
			for _, r := range results(p) {
				c := Console{pending: pending{mode: entry, hand: r}}
				line := c.lines(seat(p, n, tracker.Hand{Result: r}))[0]
				if other, twice := seen[line]; twice {
					t.Fatalf("%s: %q is both %+v and %+v", id, line, other, r)
				}
				seen[line] = r
			}
		}
	}
}

// The lines about the table fit as well.
func TestEveryPhaseFitsTheEcho(t *testing.T) {
	p := packOf(t, "dai-bacc")
	for _, n := range numbers() {
		for phase := tracker.TableClosed; phase <= tracker.Paused; phase++ {
			table := seat(p, n, tracker.Hand{Result: game.Result{Outcome: game.Banker}})
			table.State.Phase, table.State.BetSeconds = phase, 90
			table.State.Finished = &tracker.Shoe{Number: 12}
			refusals(t, table, n)
			for _, table.State.Shoe.Last = range []int{0, n, n + 1, n + 2} {
				for _, table.State.Free = range []bool{false, true} {
					for _, table.State.Void = range append(tracker.Reasons(), "") {
						c := Console{}
						for _, table.Unseen = range []bool{true, false} {
							fits(t, phase.String(), c.lines(table))
						}
						c.hint(table, press{})
						fits(t, "hint", c.note.lines)
						c.sayCut(table, table.State.Shoe.Last)
						fits(t, "cut", c.note.lines)
					}
				}
			}
		}
	}
}

// refusals fails unless every refusal of every key in every mode fits.
func refusals(t *testing.T, table *Context, n int) {
	t.Helper()
	for m := entry; m <= lapsed; m++ {
		for _, k := range Keys() {
			c := Console{pending: pending{mode: m, fix: n, hand: game.Result{Outcome: game.Tie}}}
			c.refuseKey(table, press{key: k})
			fits(t, "refusal", c.note.lines)
		}
	}
}

// A key's name on the echo is short enough whatever key is stuck or let go early.
func TestEveryKeyHasANameThatFits(t *testing.T) {
	for _, id := range assets.PackIDs() {
		p := packOf(t, id)
		for _, layout := range Layouts() {
			keys, _ := Layout(layout, p)
			for pos, b := range keys {
				c := Console{}
				table := seat(p, 1, tracker.Hand{})
				c.nameStuck(table, held{pos: pos, binding: b})
				fits(t, "stuck "+pos, c.note.lines)
				if b.Hold != "" {
					fits(t, pos, [2]string{label(press{b.Hold, b}) + ": " + b.After.String(), ""})
				}
			}
		}
	}
}
