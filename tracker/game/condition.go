package game

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"shoeboard/tracker/strict"
)

// Condition is a yes-or-no question about a finished hand, written as
//
//	banker.wins and banker.cards == 3 and banker.total == 7
//
// with "and", "or", "not" and parentheses, "and" before "or". The facts are
// player.wins, player.natural, player.pair and player.perfect_pair, the same for
// banker, and tie; the numbers are player.total, player.cards, the same for
// banker, cards (dealt to both) and margin (by how much the winner won), which
// are compared with each other or with whole numbers by == != < <= > >=. A
// comparison with a number that always or never holds is a mistake and refused.
//
// The zero Condition never holds.
type Condition struct {
	text     string
	pairs    bool // it asks for pairs, which are not always known
	holds    test
	constant string // the first comparison in it that always or never holds, and why
}

// test is a condition made ready.
type test func(Hand) bool

// maxCondition is the longest condition in bytes; it bounds how deep one nests.
const maxCondition = 400

// facts are the questions that a condition may ask.
var facts = map[string]test{
	"player.wins":         func(h Hand) bool { return h.Outcome() == Player },
	"banker.wins":         func(h Hand) bool { return h.Outcome() == Banker },
	"tie":                 func(h Hand) bool { return h.Outcome() == Tie },
	"player.natural":      Hand.PlayerNatural,
	"banker.natural":      Hand.BankerNatural,
	"player.pair":         func(h Hand) bool { return h.PlayerPair != NoPair },
	"banker.pair":         func(h Hand) bool { return h.BankerPair != NoPair },
	"player.perfect_pair": func(h Hand) bool { return h.PlayerPair == SuitedPair },
	"banker.perfect_pair": func(h Hand) bool { return h.BankerPair == SuitedPair },
}

// numbers are the figures that a condition may compare, with their ranges.
var numbers = map[string]number{
	"player.total": {0, 9, func(h Hand) int { return int(h.PlayerTotal) }},
	"player.cards": {2, 3, func(h Hand) int { return int(h.PlayerCards) }},
	"banker.total": {0, 9, func(h Hand) int { return int(h.BankerTotal) }},
	"banker.cards": {2, 3, func(h Hand) int { return int(h.BankerCards) }},
	"cards":        {4, 6, func(h Hand) int { return int(h.PlayerCards + h.BankerCards) }},
	"margin":       {0, 9, Hand.margin},
}

// number is a figure of a hand and what it can be.
type number struct {
	low, high int
	of        func(Hand) int
}

// comparisons are the signs between two numbers.
var comparisons = map[string]func(a, b int) bool{
	"==": func(a, b int) bool { return a == b },
	"!=": func(a, b int) bool { return a != b },
	"<":  func(a, b int) bool { return a < b },
	"<=": func(a, b int) bool { return a <= b },
	">":  func(a, b int) bool { return a > b },
	">=": func(a, b int) bool { return a >= b },
}

// words returns what a condition is made of beside signs and numbers, for messages.
func words() []string {
	all := slices.AppendSeq(slices.Collect(maps.Keys(facts)), maps.Keys(numbers))
	return append(slices.Sorted(slices.Values(all)), "and", "or", "not")
}

// ParseCondition reads a condition. The error is one sentence.
func ParseCondition(text string) (Condition, error) {
	if len(text) > maxCondition {
		return Condition{}, fmt.Errorf("the condition has %d bytes, at most %d are read", len(text), maxCondition)
	}
	p := conditionParser{rest: text}
	p.next()
	holds := p.or()
	if p.err == nil && p.token != "" {
		p.fail("\"and\", \"or\" or the end")
	}
	if p.err != nil {
		return Condition{}, p.err
	}
	return Condition{text: text, pairs: p.pairs, holds: holds, constant: p.constant}, nil
}

// Holds reports whether the condition holds for a hand.
func (c Condition) Holds(h Hand) bool { return c.holds != nil && c.holds(h) }

// String returns the condition as it was written.
func (c Condition) String() string { return c.text }

// UnmarshalText reads the condition from a rule pack.
func (c *Condition) UnmarshalText(text []byte) (err error) {
	*c, err = ParseCondition(string(text))
	return err
}

// MarshalText returns the condition as it was written.
func (c Condition) MarshalText() ([]byte, error) { return []byte(c.text), nil }

// conditionParser goes through a condition word by word. After the first error
// it goes on to the end without meaning.
type conditionParser struct {
	token    string // the word in hand; empty at the end
	rest     string
	pairs    bool
	constant string
	err      error
}

// next takes the next word, sign, number or parenthesis in hand.
func (p *conditionParser) next() {
	p.rest = strings.TrimLeft(p.rest, " \t\r\n")
	n := strings.IndexFunc(p.rest, func(r rune) bool { return !isWord(r) })
	switch {
	case n < 0:
		n = len(p.rest)
	case n == 0 && len(p.rest) > 1 && strings.ContainsRune("=!<>", rune(p.rest[0])) && p.rest[1] == '=':
		n = 2
	case n == 0:
		_, n = utf8.DecodeRuneInString(p.rest)
	}
	p.token, p.rest = p.rest[:n], p.rest[n:]
}

func isWord(r rune) bool {
	return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '.' || r == '_'
}

// fail notes what was expected in place of the word in hand, and ends the reading.
func (p *conditionParser) fail(expected string) test {
	if p.err == nil {
		found := fmt.Sprintf("%q", p.token)
		if p.token == "" {
			found = "the end"
		}
		if near, ok := strict.Nearest(p.token, words()); ok && p.token != near {
			expected += fmt.Sprintf(" (did you mean %s?)", near)
		}
		p.err = fmt.Errorf("found %s, expected %s", found, expected)
	}
	p.token, p.rest = "", ""
	return nil
}

// skip goes to the next word if the one in hand is this, and reports whether it is.
func (p *conditionParser) skip(token string) bool {
	if p.token != token {
		return false
	}
	p.next()
	return true
}

func (p *conditionParser) or() test {
	a := p.and()
	for p.skip("or") {
		left, right := a, p.and()
		a = func(h Hand) bool { return left(h) || right(h) }
	}
	return a
}

func (p *conditionParser) and() test {
	a := p.not()
	for p.skip("and") {
		left, right := a, p.not()
		a = func(h Hand) bool { return left(h) && right(h) }
	}
	return a
}

func (p *conditionParser) not() test {
	if p.skip("not") {
		a := p.not()
		return func(h Hand) bool { return !a(h) }
	}
	if p.skip("(") {
		a := p.or()
		if !p.skip(")") {
			return p.fail("a closing parenthesis")
		}
		return a
	}
	return p.atom()
}

// atom reads a fact or a comparison.
func (p *conditionParser) atom() test {
	if fact, ok := facts[p.token]; ok {
		p.pairs = p.pairs || strings.HasSuffix(p.token, "pair")
		p.next()
		return fact
	}
	left, word := p.token, p.token
	a, ok := p.number()
	if !ok {
		return p.fail("a fact such as banker.wins or a comparison such as banker.total == 7")
	}
	sign := p.token
	compare, ok := comparisons[sign]
	if !ok {
		return p.fail(fmt.Sprintf("one of == != < <= > >= after %s", word))
	}
	p.next()
	right := p.token
	b, ok := p.number()
	if !ok {
		return p.fail(fmt.Sprintf("a number after %s %s", left, sign))
	}
	if p.constant == "" && constant(a, b, compare) {
		p.constant = fmt.Sprintf("%s %s %s is the same for every hand: %s is %d to %d, %s is %d to %d",
			left, sign, right, left, a.low, a.high, right, b.low, b.high)
	}
	return func(h Hand) bool { return compare(a.of(h), b.of(h)) }
}

// number takes a figure of the hand or a number of one digit.
func (p *conditionParser) number() (number, bool) {
	n, ok := numbers[p.token]
	if !ok && len(p.token) == 1 && '0' <= p.token[0] && p.token[0] <= '9' {
		digit := int(p.token[0] - '0')
		n, ok = number{digit, digit, func(Hand) int { return digit }}, true
	}
	if ok {
		p.next()
	}
	return n, ok
}

// constant reports whether a comparison is the same whatever the two numbers are.
func constant(a, b number, compare func(a, b int) bool) bool {
	var yes, no bool
	for x := a.low; x <= a.high; x++ {
		for y := b.low; y <= b.high; y++ {
			if compare(x, y) {
				yes = true
			} else {
				no = true
			}
		}
	}
	return !yes || !no
}
