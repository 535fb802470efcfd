package export

import (
	"encoding/json"
	"io"
	"strconv"
	"strings"
	"time"
)

// handColumns lists the columns of the CSV, for ever: new ones are added at the end.
const handColumns = "shoe,day,table,game,shoe_today,hand,time,clock_trusted,outcome,bets," +
	"player_natural,banker_natural,player_pair,banker_pair,free,fixed,token,record,index_only\n"

// CSV writes one line a hand.
func CSV(out io.Writer, zone *time.Location) (give func(*Shoe) error, finish func() error) {
	when := clockText{zone: zone}
	line := []byte(handColumns) // goes before the first hand, or at the end
	write := func() error {
		_, err := out.Write(line)
		line = line[:0]
		return err
	}
	give = func(s *Shoe) error {
		shoe := strings.Join([]string{strconv.FormatUint(s.Shoe, 10), csvField(s.Day), csvField(s.Table),
			csvField(s.Game), strconv.Itoa(s.totals.Number), ""}, ",")
		for i, h := range s.hands {
			w := s.words[h.Token]
			line = append(line, shoe...)
			line = strconv.AppendInt(line, int64(i+1), 10)
			if line = append(line, ','); !h.Lost() {
				line = when.append(line, h.Sec)
			}
			line = strconv.AppendBool(append(line, ','), h.Trusted)
			line = append(append(line, ','), w.csv...)
			line = strconv.AppendBool(append(line, ','), h.Free)
			line = strconv.AppendBool(append(line, ','), h.Fixed)
			line = append(append(line, ','), w.quoted...)
			line = strconv.AppendUint(append(line, ','), h.Seq, 10)
			line = strconv.AppendBool(append(line, ','), s.only)
			line = append(line, '\n')
		}
		return write()
	}
	return give, write
}

// csvField returns a text as CSV has it.
func csvField(s string) string {
	if !strings.ContainsAny(s, "\",\r\n") && !strings.HasPrefix(s, " ") {
		return s
	}
	return `"` + strings.ReplaceAll(s, `"`, `""`) + `"`
}

// clockText writes times; hands of one minute share their first part.
type clockText struct {
	zone   *time.Location
	minute int64
	head   string // "2026-11-30T18:04:"
	tail   string // "-08:00"
}

// append writes a Unix time in seconds as RFC 3339 has it.
func (c *clockText) append(b []byte, sec int64) []byte {
	if m := sec / 60; m != c.minute || c.head == "" {
		t := time.Unix(m*60, 0).In(c.zone)
		c.minute, c.head, c.tail = m, t.Format("2006-01-02T15:04:"), t.Format("Z07:00")
	}
	s := sec - c.minute*60
	b = append(b, c.head...)
	b = append(b, byte('0'+s/10), byte('0'+s%10))
	return append(b, c.tail...)
}

func (c *clockText) text(sec int64) string { return string(c.append(nil, sec)) }

// shoeJSON holds a shoe in the JSON form.
type shoeJSON struct {
	Shoe    uint64     `json:"shoe"` // record that began it
	Day     string     `json:"day,omitempty"`
	Table   string     `json:"table"`
	Game    string     `json:"game"`
	Number  int        `json:"shoe_today,omitempty"`
	Started string     `json:"started"`
	Trusted bool       `json:"clock_trusted"`
	InPlay  bool       `json:"in_play,omitempty"`
	Fixes   int        `json:"fixes,omitempty"`
	Voids   int        `json:"voids,omitempty"`
	Only    bool       `json:"index_only,omitempty"` // the record has lost it: only the index has it
	Hands   []handJSON `json:"hands"`
}

type handJSON struct {
	Time  string   `json:"time"`
	Token string   `json:"token"`
	Out   string   `json:"outcome"`
	Bets  []string `json:"bets,omitempty"`
	Free  bool     `json:"free,omitempty"`
	Fixed bool     `json:"fixed,omitempty"`
	Seq   uint64   `json:"record"`
}

// JSON writes one object a shoe, one a line.
func JSON(out io.Writer, zone *time.Location) func(*Shoe) error {
	e := json.NewEncoder(out)
	when := clockText{zone: zone}
	var hands []handJSON
	return func(s *Shoe) error {
		hands = hands[:0]
		for _, h := range s.hands {
			w, at := s.words[h.Token], ""
			if !h.Lost() {
				at = when.text(h.Sec)
			}
			hands = append(hands, handJSON{Time: at, Token: w.token, Out: w.outcome, Bets: w.bets,
				Free: h.Free, Fixed: h.Fixed, Seq: h.Seq})
		}
		return e.Encode(shoeJSON{Shoe: s.Shoe, Day: s.Day, Table: s.Table, Game: s.Game, Number: s.totals.Number,
			Started: when.text(s.Started / int64(time.Second)), Trusted: s.Trusted, InPlay: s.inPlay,
			Fixes: s.totals.Fixes, Voids: s.totals.Voids, Only: s.only, Hands: hands})
	}
}
