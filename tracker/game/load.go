package game

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"shoeboard/tracker/strict"
)

// packFile is a rule pack as it is written.
type packFile struct {
	ID            string          `toml:"id"`
	Name          string          `toml:"name"`
	Highlight     string          `toml:"highlight"`
	Approval      string          `toml:"approval"`
	Venue         string          `toml:"venue"`
	Date          *toml.LocalDate `toml:"date"`
	Decks         Decks           `toml:"decks"`
	Seats         []int           `toml:"seats"`
	HandsAfterCut int             `toml:"hands_after_cut"`
	PairMarks     bool            `toml:"pair_marks"`
	ActionButton  string          `toml:"action_button"`
	Settlement    []string        `toml:"settlement"`
	Base          Base            `toml:"base"`
	Drawing       Drawing         `toml:"drawing"`
	Pushes        []pushFile      `toml:"push"`
	Rotation      Rotation        `toml:"rotation"`
	Bets          []Bet           `toml:"bet"`
	Aside         map[string]any  `toml:"aside"` // what no figure depends on: see the package's document
}

type pushFile struct {
	Side   string    `toml:"side"`
	When   Condition `toml:"when"`
	On     bool      `toml:"on"`
	Source string    `toml:"source"`
}

// Load reads a rule pack that somebody has written, and checks it: for authors, a
// configuration and Decide. A pack in a record is read by Parse. The name
// file is only for messages. The error is a strict.Errors: everything that is wrong,
// with file, line, column, key, value and what was expected; a bet that can never win,
// or never lose, is wrong.
func Load(file string, data []byte) (*Pack, error) {
	var f packFile
	positions, errs := strict.Decode(file, data, &f)
	if err := errs.Err(); err != nil {
		return nil, err
	}
	c := &packChecker{Positions: positions, file: &f}
	if err := c.check().Err(); err != nil {
		return nil, err
	}
	p := f.pack(data)
	p.play()
	if err := c.sane(p).Err(); err != nil {
		return nil, err
	}
	return p, nil
}

// pack returns the pack that a file describes, without its book.
func (f *packFile) pack(data []byte) *Pack {
	sum := sha256.Sum256(data)
	p := &Pack{
		ID: f.ID, Name: f.Name, Highlight: f.Highlight, Approval: f.Approval, Venue: f.Venue,
		Decks: f.Decks, Seats: f.Seats, HandsAfterCut: f.HandsAfterCut, PairMarks: f.PairMarks,
		ActionButton: f.ActionButton, Rotation: f.Rotation, Settlement: f.Settlement,
		Base: f.Base, Drawing: f.Drawing, Bets: f.Bets,
		Source: bytes.Clone(data), Digest: hex.EncodeToString(sum[:]),
	}
	if f.Date != nil {
		p.Date = f.Date.String()
	}
	for _, push := range f.Pushes {
		p.Pushes = append(p.Pushes, Push{Side: sides[push.Side], When: push.When, On: push.On, Source: push.Source})
	}
	return p
}

// sides are the words for the sides in rule packs.
var sides = map[string]Outcome{"player": Player, "banker": Banker}

// reserved are words of shoe files and packs that no bet may be called.
var reserved = []string{"player", "banker", "natural", "player-natural", "banker-natural", "player-pair", "banker-pair"}

// packChecker finds what the types of a file cannot say.
type packChecker struct {
	*strict.Positions
	file *packFile
	errs strict.Errors
}

// want notes an error at key unless ok.
func (c *packChecker) want(ok bool, key, expected string) {
	if !ok {
		c.errs = append(c.errs, c.Error(key, expected))
	}
}

// check checks everything that can be said before the bets are tried.
func (c *packChecker) check() strict.Errors {
	f := c.file
	c.want(isID(f.ID), "id", "lower-case letters, digits and hyphens")
	c.want(f.Name != "", "name", "the name of the game")
	c.want(strings.Contains(f.Name, f.Highlight), "highlight", "a part of the name")
	c.want(f.Approval != "", "approval", "the number of the approval")
	d := f.Decks
	c.want(d.Min >= 1 && d.Min <= 16, "decks.min", "a number from 1 to 16")
	c.want(d.Max >= d.Min && d.Max <= 16, "decks.max", "a number from decks.min to 16")
	c.want(d.Default >= d.Min && d.Default <= d.Max, "decks.default", "a number from decks.min to decks.max")
	c.want(len(f.Seats) > 0, "seats", "the numbers of seats that a table may have, such as [7, 13]")
	for i, seats := range f.Seats {
		c.want(seats >= 1 && seats <= 20, strict.Item("seats", i), "a number from 1 to 20")
	}
	c.want(c.Has("hands_after_cut") && f.HandsAfterCut >= 0 && f.HandsAfterCut <= 9,
		"hands_after_cut", "a number from 0 to 9")
	c.want(slices.Contains(actionButtons, f.ActionButton),
		"action_button", fmt.Sprintf("%q, %q or %q", actionButtons[0], actionButtons[1], actionButtons[2]))
	c.rotation()
	c.base()
	c.drawing()
	for i := range f.Pushes {
		c.compares(strict.Item("push", i)+".when", f.Pushes[i].When)
		c.push(strict.Item("push", i), &f.Pushes[i])
	}
	c.want(len(f.Bets) <= 32, "bet", "at most 32 bets")
	for i := range f.Bets {
		c.bet(strict.Item("bet", i), i)
	}
	c.settlement()
	c.errs.Sort()
	return c.errs
}

func (c *packChecker) rotation() {
	r := c.file.Rotation
	for _, f := range []struct {
		value, most int
		key, what   string
	}{{r.OfferEveryHands, 100, "offer_every_hands", "hands"},
		{r.RotateEveryMinutes, 1440, "rotate_every_minutes", "minutes"},
		{r.RotateToOthers, 20, "rotate_to_others", "players"}} {
		c.want(f.value >= 0 && f.value <= f.most, "rotation."+f.key,
			fmt.Sprintf("a number of %s from 0 (no such rule) to %d", f.what, f.most))
	}
}

func (c *packChecker) base() {
	c.want(!c.file.Base.Player.Push(), "base.player", `what Player pays to 1, such as "1"`)
	c.want(!c.file.Base.Banker.Push(), "base.banker", `what Banker pays to 1, such as "1"`)
	c.want(c.Has("base.back_line"), "base.back_line", "true or false")
}

func (c *packChecker) drawing() {
	for _, part := range []string{"player", "banker_after_stand", "banker_after_draw",
		"natural_stops", "natural_source"} {
		key := "drawing." + part
		c.want(c.Has(key), key, "a part of the drawing table")
	}
	stands := func(row Row) bool { return row[8] == Stand && row[9] == Stand }
	d := &c.file.Drawing
	c.want(stands(d.Player), "drawing.player", "S for 8 and 9: a natural stands")
	c.want(stands(d.BankerAfterStand), "drawing.banker_after_stand", "S for 8 and 9: a natural stands")
}

func (c *packChecker) push(key string, p *pushFile) {
	c.want(sides[p.Side] != NoOutcome, key+".side", `"player" or "banker"`)
	c.want(p.When.String() != "", key+".when", "a condition")
	c.want(!p.When.pairs, key+".when", "a condition on totals and cards; pairs are not always known")
	c.want(c.Has(key+".on"), key+".on", "true or false")
	c.want(p.Source != "", key+".source", "where the rule comes from")
}

func (c *packChecker) bet(key string, i int) {
	b := &c.file.Bets[i]
	earlier := slices.IndexFunc(c.file.Bets[:i], func(e Bet) bool { return e.ID == b.ID }) >= 0
	c.want(isID(b.ID) && !slices.Contains(reserved, b.ID) && !earlier, key+".id",
		"lower-case letters, digits and hyphens, not the name of something else")
	n := len([]rune(b.Short))
	c.want(n >= 1 && n <= 4, key+".short", "a short label of 1 to 4 characters")
	c.want(b.Labels["en"] != "", key+".labels.en", "the name in English")
	for language, label := range b.Labels {
		key := key + ".labels." + language
		c.want(slices.Contains(Languages, language), key, "one of the languages "+strings.Join(Languages, ", "))
		c.want(label != "", key, "a name")
	}
	for k, id := range b.Needs {
		c.want(id != b.ID && c.known(id), strict.Item(key+".needs", k), `"player", "banker" or the id of another bet`)
	}
	c.want(c.Has(key+".back_line"), key+".back_line", "true or false")
	c.want(slices.Contains([]Mark{"", "gold", "white", "kill"}, b.Mark), key+".mark", `"gold", "white" or "kill"`)
	c.want(len(b.Lines) > 0, key+".win", `what it wins on, such as [{ when = "tie", pays = "8" }]`)
	for k := range b.Lines {
		line := strict.Item(key+".win", k)
		c.want(b.Lines[k].When.String() != "", line+".when", "a condition")
		c.compares(line+".when", b.Lines[k].When)
		c.want(c.Has(line+".pays"), line+".pays", `what is paid to 1, such as "40" or "3/2", or "push"`)
	}
}

// compares notes a comparison that always or never holds: it is a mistake of the author.
func (c *packChecker) compares(key string, when Condition) {
	if when.constant != "" {
		c.errs = append(c.errs, c.Problem(key, when.constant))
	}
}

// known reports whether id is a side or a bet of the file.
func (c *packChecker) known(id string) bool {
	return sides[id] != NoOutcome || slices.ContainsFunc(c.file.Bets, func(b Bet) bool { return b.ID == id })
}

// settlement must have both sides and every bet exactly once.
func (c *packChecker) settlement() {
	order := c.file.Settlement
	for i, id := range order {
		c.want(c.known(id) && !slices.Contains(order[:i], id), strict.Item("settlement", i),
			`"player", "banker" or the id of a bet, each once`)
	}
	c.want(len(order) == len(c.file.Bets)+2, "settlement", `"player", "banker" and the id of every bet, each once`)
}

// sane tries every bet and push on every kind of hand: what never comes, or
// always, is a mistyped condition.
func (c *packChecker) sane(p *Pack) strict.Errors {
	for i := range p.Bets {
		c.tried(p, strict.Item("bet", i), &p.Bets[i])
	}
	for i := range p.Pushes {
		when := &p.Pushes[i].When
		c.sometimes(p, strict.Item("push", i)+".when", when.Holds)
	}
	return c.errs
}

// tried tries a bet and each of its lines.
func (c *packChecker) tried(p *Pack, key string, b *Bet) {
	for k := range b.Lines {
		c.sometimes(p, strict.Item(key+".win", k)+".when", func(h Hand) bool { return b.Line(h) == k })
	}
	c.sometimes(p, key+".win", b.Wins)
}

// sometimes notes an error at key unless something holds on some hands and not
// on others.
func (c *packChecker) sometimes(p *Pack, key string, holds func(Hand) bool) {
	var comes, fails bool
	for i := range p.book.entries {
		if holds(p.book.entries[i].hand) {
			comes = true
		} else {
			fails = true
		}
		if comes && fails {
			return
		}
	}
	c.want(comes, key, "something that can come; no hand comes to this, or an earlier line takes it")
	c.want(fails, key, "something that need not come; every hand comes to this")
}

// isID reports whether text is lower-case letters, digits and hyphens, a letter first.
func isID(text string) bool {
	return text != "" && len(text) <= 40 && text[0] >= 'a' && text[0] <= 'z' && !strings.HasSuffix(text, "-") &&
		strings.Trim(text, "abcdefghijklmnopqrstuvwxyz0123456789-") == ""
}
