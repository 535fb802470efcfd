package config

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"shoeboard/hw/evdev"
	"shoeboard/tracker"
	"shoeboard/tracker/console"
	"shoeboard/tracker/game"
	"shoeboard/tracker/strict"
)

// zone expects a zone that the board's clock can follow. "Local" and "" are
// refused: they would mean whatever the unit happens to be set to.
func (c *check) zone(zone string) {
	if _, err := time.LoadLocation(zone); err != nil || zone == "" || zone == "Local" {
		c.expect("zone", "an IANA time zone such as \"America/Los_Angeles\"")
	}
}

// game checks the game, and the decks against its approval.
func (c *check) game(t Config) {
	least, most := 1, 8
	if p := c.pack(t.Game); p != nil {
		least, most = p.Decks.Min, p.Decks.Max
	} else {
		ids := make([]string, len(c.packs))
		for i, p := range c.packs {
			ids[i] = p.ID
		}
		c.oneOf("game", t.Game, ids...)
	}
	if t.Decks < least || t.Decks > most {
		c.expect("decks", fmt.Sprintf("a whole number of decks from %d to %d", least, most))
	}
}

// pack returns the rule pack of a game, nil when there is none.
func (c *check) pack(id string) *game.Pack {
	for _, p := range c.packs {
		if p.ID == id {
			return p
		}
	}
	return nil
}

// limits checks the limits: the least is not over the most.
func (c *check) limits(t Config) {
	for i, l := range t.Limits {
		key := strict.Item("limit", i)
		c.betList(key+".bets", l.Bets, t.Game)
		c.dollars(key+".min", l.Min, 0.01)
		c.dollars(key+".max", l.Max, 0.01)
		if l.Min.sound() && l.Max.sound() && l.Max > 0 && l.Min > l.Max {
			c.expect(key+".max", fmt.Sprintf("at least the min, %s", l.Min))
		}
	}
}

// dollars expects an amount without a part of a cent, and not less than least.
func (c *check) dollars(key string, d, least dollars) {
	if !c.has(key) || !d.sound() || d < least {
		c.expect(key, fmt.Sprintf("dollars with at most two decimals, from %s to %d", least, maxDollars))
	}
}

// betList expects at least one bet, all of them bets of the game.
func (c *check) betList(key string, bets []string, game string) {
	if len(bets) == 0 {
		c.expect(key, "a list of bets such as [\"player\", \"banker\"]")
	}
	for i, bet := range bets {
		c.bet(strict.Item(key, i), bet, game)
	}
}

// anyGame stands for every game, for what the file has but this table does not use.
const anyGame = ""

// bet expects a side or a bet of the game. A game that is not known has no bets to
// check against, and is an error at its own key.
func (c *check) bet(key, bet, game string) {
	known, found := []string{"player", "banker"}, false
	for _, p := range c.packs {
		if p.ID != game && game != anyGame {
			continue
		}
		found = true
		for _, b := range p.Bets {
			known = append(known, b.ID)
		}
	}
	if found {
		c.oneOf(key, bet, known...)
	}
}

// collections checks the schedule in force and all others.
func (c *check) collections(t Config) {
	names := slices.Sorted(maps.Keys(t.Collections))
	if t.Collection != "" && len(names) == 0 {
		c.expect("collection", fmt.Sprintf("a schedule [collections.%s], or \"\" for none", strict.Quoted(t.Collection)))
	} else if t.Collection != "" {
		c.oneOf("collection", t.Collection, names...)
	}
	for _, name := range names {
		key := "collections." + strict.Quoted(name)
		rates := t.Collections[name].Rates
		if len(rates) < 1 || len(rates) > 5 {
			c.problem(c.key(key), fmt.Sprintf("has %d rates", len(rates)), "one to five rates")
		}
		game := anyGame
		if name == t.Collection {
			game = t.Game
		}
		for i, r := range rates {
			c.rate(strict.Item(key+".rates", i), r, game)
		}
		c.ranges(key+".rates", rates)
	}
}

// rate checks one fee: the reason for it, and that it is an amount.
func (c *check) rate(key string, r Rate, game string) {
	hasRange := c.has(key+".from") || c.has(key+".to")
	ways := 0
	for _, given := range []bool{hasRange, c.has(key + ".bets"), r.PlayerDealer} {
		if given {
			ways++
		}
	}
	if ways != 1 {
		c.problem(c.key(key), fmt.Sprintf("has %d reasons for the fee", ways),
			"exactly one of from and to, bets, player_dealer = true")
	}
	if hasRange {
		c.dollars(key+".from", r.From, 0)
		if c.has(key + ".to") {
			c.dollars(key+".to", r.To, max(r.From, 0))
		}
	}
	if c.has(key + ".bets") {
		c.betList(key+".bets", r.Bets, game)
	}
	c.dollars(key+".fee", r.Fee, 0)
}

// ranges expects every wager to have at most one fee.
func (c *check) ranges(key string, rates []Rate) {
	for i, r := range rates {
		for j, before := range rates[:i] {
			a, b := strict.Item(key, j), strict.Item(key, i)
			apart := r.From > before.end(c.has(a+".to")) || before.From > r.end(c.has(b+".to"))
			if c.has(a+".from") && c.has(b+".from") && !apart {
				c.problem(c.key(b), "overlaps "+strict.Item("rates", j), "ranges that do not overlap")
			}
		}
	}
}

// end returns the last wager of a range.
func (r Rate) end(closed bool) dollars {
	if closed {
		return r.To
	}
	return maxDollars
}

// keymaps checks the venue's own key maps.
func (c *check) keymaps(t Config) {
	p := c.pack(t.Game)
	if p == nil {
		p = &game.Pack{} // a game without bonuses
	}
	for _, name := range slices.Sorted(maps.Keys(t.Keymaps)) {
		key, m := "keymap."+strict.Quoted(name), t.Keymaps[name]
		if slices.Contains(console.Layouts(), name) {
			c.problem(c.key(key), "is the name of a built-in layout", "another name; that layout can be its base")
		}
		if m.Base != "" {
			c.oneOf(key+".base", m.Base, console.Layouts()...)
		}
		game := anyGame
		if slices.ContainsFunc(t.Keypads, func(k Keypad) bool { return k.Layout == name }) {
			game = t.Game
		}
		for _, pos := range slices.Sorted(maps.Keys(m.Keys)) {
			c.position(key+".keys."+strict.Quoted(pos), pos, m.Keys[pos], game)
		}
		c.complete(key, m.over(p))
	}
}

// entry checks the keypads when hands are keyed by totals: they need every digit and the
// "." and an OK, because nothing else says that no "." is to come.
func (c *check) entry(t Config) {
	if t.Entry != string(tracker.EntryTotals) {
		return
	}
	if !t.Confirm {
		c.expect("confirm", `true beside entry = "totals"`)
	}
	for i, k := range t.Keypads {
		if missing := t.TotalsLack(k); len(missing) > 0 {
			c.problem(c.key(strict.Item("keypad", i)+".layout"), "has no key for "+strings.Join(missing, ", "),
				`all of them beside entry = "totals"`)
		}
	}
}

// TotalsLack returns the keys that a keypad lacks for keying totals: digits, the ".", and
// an OK and a CLEAR that are no digit. The built-in layouts have them all, as far as the
// keypad is wired for them.
func (c Config) TotalsLack(k Keypad) (missing []string) {
	if _, own := c.Keymaps[k.Layout]; !own && !slices.Contains(console.Layouts(), k.Layout) {
		return nil
	}
	keys := c.reached(k, &game.Pack{}).ByTotals()
	missing = missingDigits(keys)
	for _, needed := range []struct {
		tap  console.Key
		name string
	}{
		{console.KeyThird, `PL_DEALER, which is the "."`},
		{console.KeyOKBets, "OK without a digit"},
		{console.KeyClear, "CLEAR without a digit"},
	} {
		if _, ok := taps(keys)[needed.tap]; !ok {
			missing = append(missing, needed.name)
		}
	}
	return missing
}

// missingDigits returns the digits that no key of a map has.
func missingDigits(keys console.Map) (missing []string) {
	there := map[string]bool{}
	for _, b := range keys {
		there[b.Digit] = true
	}
	for _, digit := range strings.Split("0123456789", "") {
		if !there[digit] {
			missing = append(missing, digit)
		}
	}
	return missing
}

// digits expects every digit on a key of the venue's own key maps. Hands can be keyed
// without.
func (c *check) digits(t Config) {
	for _, name := range slices.Sorted(maps.Keys(t.Keymaps)) {
		missing := missingDigits(t.Keymaps[name].over(&game.Pack{}))
		if len(missing) > 0 {
			c.problem(c.key("keymap."+strict.Quoted(name)),
				"has no key for "+strings.Join(missing, ", ")+" in the technician's menu and in PINs",
				fmt.Sprintf("digit = %q at a key, and so on", missing[0]))
		}
	}
}

// position checks one position of a key map.
func (c *check) position(key, pos string, k mappedKey, game string) {
	if known := positions(); !slices.Contains(known, pos) {
		problem := "is not a position"
		if near, ok := strict.Nearest(pos, known); ok {
			problem += fmt.Sprintf("; did you mean %q?", near)
		}
		c.problem(c.key(key), problem, "a key of a USB pad such as KP7, or a place in a matrix such as r2c1")
	}
	var keys []string
	for _, k := range console.Keys() {
		keys = append(keys, string(k))
	}
	if k.Tap != "" {
		c.oneOf(key+".tap", k.Tap, keys...)
	}
	if k.Hold != "" {
		c.oneOf(key+".hold", k.Hold, keys...)
	}
	if c.has(key+".after") && (k.Hold == "" || k.After < 0.5 || k.After > 5) {
		c.expect(key+".after", "seconds from 0.5 to 5, beside a hold")
	}
	if bonus := k.Tap == string(console.KeyBonus); bonus || c.has(key+".bet") {
		c.bet(key+".bet", k.Bet, game)
		if !bonus {
			c.problem(c.key(key+".bet"), "is only for tap = \"BONUS\"", "")
		}
	}
	if c.has(key+".digit") && (len(k.Digit) != 1 || strings.Trim(k.Digit, "0123456789") != "") {
		c.expect(key+".digit", "one digit in quotes")
	}
}

// positions returns the names that keypads give their keys: on a USB pad the name on
// the keycap, on a matrix row and column from 1.
func positions() []string {
	var all []string
	for code := range uint16(256) {
		all = append(all, evdev.Pos(code))
	}
	for row := range 8 {
		for column := range 8 {
			all = append(all, fmt.Sprintf("r%dc%d", row+1, column+1))
		}
	}
	return all
}

// needed returns the keys without which no hand can be saved.
func needed() []console.Key {
	return []console.Key{console.KeyBanker, console.KeyPlayer, console.KeyTie, console.KeyOK}
}

// complete expects the keys without which no hand can be saved.
func (c *check) complete(key string, m console.Map) {
	there := taps(m)
	for _, needed := range needed() {
		if _, ok := there[needed]; !ok {
			c.problem(c.key(key), "has no key "+string(needed), "")
		}
	}
}
