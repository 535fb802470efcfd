package shoe

import (
	"fmt"
	"strconv"
	"strings"

	"shoeboard/hw"
	"shoeboard/tracker/card"
)

// The measures of TSP1, as TSP1.md has them.
const (
	tspVersion = 1
	tspLongest = 96   // bytes of a line, with $ and CR LF
	tspLast    = 9999 // the number before 1
	tspKept    = 512  // frames that a device can repeat
)

// frame is one line of TSP1.
type frame struct {
	typ    string
	seq    int
	fields []string
	raw    string // as it came, between $ and CR
}

// encode returns the frame as a line.
func (f frame) encode() []byte {
	body := "TSP1," + f.typ + "," + strconv.Itoa(f.seq)
	for _, field := range f.fields {
		body += "," + field
	}
	return fmt.Appendf(nil, "$%s*%04X\r\n", body, crc16(body))
}

// parseFrame reads the text between $ and the end of the line.
func parseFrame(line string) (frame, error) {
	star := len(line) - 5
	if star < 0 || line[star] != '*' {
		return frame{}, fmt.Errorf("%q has no checksum: expected *HHHH at its end", line)
	}
	body := line[:star]
	if want := fmt.Sprintf("%04X", crc16(body)); line[star+1:] != want {
		return frame{}, fmt.Errorf("%q has checksum %s, expected %s", body, line[star+1:], want)
	}
	parts := strings.Split(body, ",")
	if len(parts) < 3 || parts[0] != "TSP1" || strings.Trim(parts[1], upper) != "" || parts[1] == "" {
		return frame{}, fmt.Errorf("%q is no frame: expected TSP1,TYPE,NUMBER", body)
	}
	seq, err := number(parts[2], tspLast)
	if err != nil {
		return frame{}, fmt.Errorf("%q: its number %w", body, err)
	}
	return frame{parts[1], seq, parts[3:], line}, nil
}

// tspLines finds the lines of TSP1 in a stream. A $ always begins one, and only an unbroken
// run of printable bytes that ends with CR is one, or with LF where an editor or a terminal
// program has removed the CR.
type tspLines struct{ line []byte } // what came after $, or nil

func (l *tspLines) feed(c byte, counts *Counts) (line string, whole bool) {
	switch {
	case c == '$':
		if l.line != nil {
			counts.Bad++
		}
		l.line = make([]byte, 0, tspLongest)
	case l.line == nil:
		if c != '\r' && c != '\n' {
			counts.Noise++
		}
	case c == '\r' || c == '\n':
		line, l.line = string(l.line), nil
		return line, true
	case c < ' ' || c > '~' || len(l.line) >= tspLongest-3:
		l.line = nil
		counts.Bad++
	default:
		l.line = append(l.line, c)
	}
	return "", false
}

const upper = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

// number reads a decimal number from 0 to most, without sign or leading zeros.
func number(text string, most int) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 || n > most || strconv.Itoa(n) != text {
		return 0, fmt.Errorf("is %.8q, expected 0 to %d", text, most)
	}
	return n, nil
}

// crc16 returns the CRC-16/CCITT-FALSE: polynomial 1021, begun with FFFF. Of "123456789" it is
// 29B1.
func crc16(s string) uint16 {
	crc := uint16(0xffff)
	for i := range len(s) {
		crc ^= uint16(s[i]) << 8
		for range 8 {
			carry := crc&0x8000 != 0
			if crc <<= 1; carry {
				crc ^= 0x1021
			}
		}
	}
	return crc
}

// event returns the event of a numbered frame. An unknown type is kindOther: a later version
// may have more.
func (f frame) event() (event, error) {
	switch f.typ {
	case "CARD":
		return f.card()
	case "HAND":
		return f.hand()
	case "BURN":
		c, err := f.face(0)
		return event{Kind: kindBurn, Card: c.Card, Text: "first card burned"}, err
	case "BACK":
		return f.back()
	case "SHOE":
		decks, err := f.number(0, 99)
		return event{Kind: kindBegun, Text: fmt.Sprintf("a shoe of %d decks", decks)}, err
	case "ERR", "CLR":
		return f.fault()
	case "LOCK", "BTN", "BEAT":
		return event{Kind: kindOther, Text: f.typ + " " + strings.Join(f.fields, " ")}, nil
	}
	simple := map[string]event{
		"HIDE": {Kind: kindHide, Text: "cards lie face down"}, "SHOW": {Kind: kindShow, Text: "cards are turned"},
		"OVER": {Kind: kindExtra, Text: "a card too many was drawn"},
		"VOID": {Kind: kindVoid, Text: "the hand is void"},
		"CUT":  {Kind: kindCut, Text: "the cut card came out"},
	}
	if e, known := simple[f.typ]; known {
		return e, nil
	}
	return event{Kind: kindOther, Text: "type " + f.typ + " is not known"}, nil
}

func (f frame) field(i int) string {
	if i >= len(f.fields) {
		return ""
	}
	return f.fields[i]
}

func (f frame) number(i, most int) (int, error) {
	n, err := number(f.field(i), most)
	if err != nil {
		return 0, fmt.Errorf("%s: field %d %w", f.typ, i+1, err)
	}
	return n, nil
}

// face reads a card: a rank and a suit, XX face down, or ?? not read.
func (f frame) face(i int) (event, error) {
	switch text := f.field(i); text {
	case "XX":
		return event{Down: true}, nil
	case "??":
		return event{}, nil
	default:
		c, err := card.Parse(text)
		if err != nil || c.String() != text || c.Suit == card.NoSuit {
			return event{}, fmt.Errorf("%s: field %d is %.8q, expected a card such as 7S, TH, XX or ??",
				f.typ, i+1, text)
		}
		return event{Card: c}, nil
	}
}

func (f frame) where(e *event) error {
	switch f.field(0) {
	case "P":
		e.Side = hw.PlayerSide
	case "B":
		e.Side = hw.BankerSide
	default:
		return fmt.Errorf("%s: field 1 is %.8q, expected P or B", f.typ, f.field(0))
	}
	n, err := f.number(1, 3)
	if err == nil && n == 0 {
		err = fmt.Errorf("%s: field 2 is 0, expected 1 to 3", f.typ)
	}
	e.Place = n
	return err
}

func (f frame) card() (event, error) {
	e, err := f.face(2)
	if err != nil {
		return event{}, err
	}
	e.Kind = kindDrawn
	return e, f.where(&e)
}

func (f frame) back() (event, error) {
	e := event{Kind: kindReturned, Text: "a card was put back"}
	return e, f.where(&e)
}

// hand reads a result, the pairs, and the totals of Player and Banker.
func (f frame) hand() (event, error) {
	winner := f.field(0)
	if winner != "P" && winner != "B" && winner != "T" {
		return event{}, fmt.Errorf("HAND: field 1 is %.8q, expected P, B or T", winner)
	}
	pairs, err := f.number(1, 3)
	if err != nil {
		return event{}, err
	}
	p, err := f.number(2, 9)
	if err != nil {
		return event{}, err
	}
	b, err := f.number(3, 9)
	return event{Kind: kindEnded, Claim: claim{
		Winner: winner[0], Pairs: true, PlayerPair: pairs&1 != 0, BankerPair: pairs&2 != 0,
		Totals: true, PlayerTotal: p, BankerTotal: b,
	}}, err
}

func (f frame) fault() (event, error) {
	code := map[string]faultCode{
		"READ": faultUnread, "OVERDRAW": faultOverdraw, "BUTTON": faultWrongButton, "BACK": faultPushedBack,
		"CODE": faultBadCard, "TIMEOUT": faultSlow,
	}[f.field(0)]
	e := event{Kind: kindFault, Code: code}
	e.Text = fmt.Sprintf("%s (%.16s)", code, strings.Join(f.fields, " ")) // a maker's own code, not a message
	if f.typ == "CLR" {
		e.Kind, e.Text = kindCleared, "cleared: "+e.Text
	}
	if f.field(0) == "" {
		return e, fmt.Errorf("%s: field 1 is empty, expected a code such as OVERDRAW", f.typ)
	}
	return e, nil
}
