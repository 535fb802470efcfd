package main

import (
	"bufio"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"shoeboard/tracker"
	"shoeboard/tracker/game"
)

type exportVerb struct {
	Format string `help:"csv (one line a hand) or json (one object a shoe, one a line)." enum:"csv,json" default:"csv"`
	Shoe   uint64 `help:"Only this shoe, by the number in column shoe." placeholder:"ID"`
	Date   string `help:"Only shoes begun on this local date." placeholder:"YYYY-MM-DD"`
	From   string `help:"Only shoes begun on this date or later." placeholder:"YYYY-MM-DD"`
	To     string `help:"Only shoes begun on this date or earlier." placeholder:"YYYY-MM-DD"`
	Out    string `help:"File to write; without it the hands are printed." type:"path" placeholder:"FILE"`
	Data   string `help:"Data folder; without it the configuration's." type:"path" placeholder:"DIR"`
}

// Run writes hands out of the record, while the core runs or not. It reads the
// record itself and not the index. What is damaged is passed over and told, and then
// the verb fails after writing the rest.
func (v *exportVerb) Run(ctx context.Context, p *program, all *verbs) error {
	want, err := v.wanted()
	if err != nil {
		return err
	}
	l, err := p.readConfig(all.Config, v.Data)
	if err != nil {
		return err
	}
	cfg := l.file.Table("")
	zone := cfg.Location()
	dir := filepath.Join(or(v.Data, cfg.Data), "journal")
	out := p.out
	if v.Out != "" {
		f, err := os.Create(v.Out)
		if err != nil {
			return err
		}
		defer f.Close()
		out = f
	}
	buffer := bufio.NewWriterSize(out, 256<<10)
	write := jsonShoes(buffer, zone)
	finish := func() error { return nil }
	if v.Format == "csv" {
		write, finish = csvHands(buffer, zone)
	}
	problems, err := eachShoe(ctx, dir, func(s shoeOut) error {
		if !want(s) {
			return nil
		}
		return write(s)
	})
	if err := errors.Join(err, finish(), buffer.Flush()); err != nil {
		return err
	}
	for _, problem := range problems {
		fmt.Fprintln(p.err, problem)
	}
	if len(problems) > 0 {
		return fmt.Errorf("%d places of the record could not be read; everything else is exported", len(problems))
	}
	return nil
}

// wanted is which shoes are meant.
func (v *exportVerb) wanted() (func(shoeOut) bool, error) {
	from, to := v.From, v.To
	if v.Date != "" {
		if from != "" || to != "" || v.Shoe != 0 {
			return nil, errors.New("--date stands alone: expected one of --shoe, --date, or --from and --to")
		}
		from, to = v.Date, v.Date
	}
	for _, date := range []string{from, to} {
		if _, err := time.Parse(time.DateOnly, date); date != "" && err != nil {
			return nil, fmt.Errorf("date %q: expected a day such as 2026-11-30", date)
		}
	}
	return func(s shoeOut) bool {
		if v.Shoe != 0 && s.shoe.Started.Seq != v.Shoe {
			return false
		}
		// a shoe begun before the clock was set has no day, and is in no range
		return from == "" && to == "" || s.shoe.Day != "" && s.shoe.Day >= from && (to == "" || s.shoe.Day <= to)
	}, nil
}

// columns of the CSV, for ever: new ones are added at the end.
var handColumns = []string{"shoe", "day", "table", "game", "shoe_today", "hand", "time", "clock_trusted", "outcome",
	"bets", "player_natural", "banker_natural", "player_pair", "banker_pair", "free", "fixed", "token", "record"}

// csvHands writes one line a hand.
func csvHands(out io.Writer, zone *time.Location) (write func(shoeOut) error, finish func() error) {
	w := csv.NewWriter(out)
	headed := false
	head := func() error {
		if headed {
			return nil
		}
		headed = true
		return w.Write(handColumns)
	}
	row := make([]string, len(handColumns))
	when, say := clockText{zone: zone}, handWords{}
	write = func(s shoeOut) error {
		if err := head(); err != nil {
			return err
		}
		row[0], row[1], row[2], row[3], row[4] = strconv.FormatUint(s.shoe.Started.Seq, 10), s.shoe.Day, s.table, s.game(), strconv.Itoa(s.shoe.Number)
		for i := range s.shoe.Hands {
			s.csv(row, i, &when, say)
			if err := w.Write(row); err != nil {
				return err
			}
		}
		return nil
	}
	finish = func() error {
		if err := head(); err != nil {
			return err
		}
		w.Flush()
		return w.Error()
	}
	return write, finish
}

// csv fills the columns of a hand.
func (s *shoeOut) csv(row []string, i int, when *clockText, say handWords) {
	h := s.shoe.Hands[i]
	row[5], row[6], row[7], row[8] = strconv.Itoa(i+1), when.text(h.At.Wall), strconv.FormatBool(h.At.Trusted), h.Outcome.String()
	words := say.of(s.shoe.Pack, h)
	row[9] = words.joined
	for col, on := range [...]bool{h.PlayerNatural, h.BankerNatural, h.PlayerPair, h.BankerPair, h.Free, h.Fixed} {
		row[10+col] = strconv.FormatBool(on)
	}
	row[16], row[17] = words.token, strconv.FormatUint(h.At.Seq, 10)
}

// clockText writes times; hands of one minute share their first part.
type clockText struct {
	zone   *time.Location
	minute int64
	head   string // "2026-11-30T18:04:"
	tail   string // "-08:00"
}

// text is a Unix time in milliseconds as RFC 3339 has it, to the second.
func (c *clockText) text(ms int64) string {
	sec := ms / 1000
	if m := sec / 60; m != c.minute || c.head == "" {
		t := time.Unix(m*60, 0).In(c.zone)
		c.minute, c.head, c.tail = m, t.Format("2006-01-02T15:04:"), t.Format("Z07:00")
	}
	s := sec - c.minute*60
	return c.head + string([]byte{byte('0' + s/10), byte('0' + s%10)}) + c.tail
}

// shoeJSON is a shoe in the JSON form.
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

// jsonShoes writes one object a shoe, one a line.
func jsonShoes(out io.Writer, zone *time.Location) func(shoeOut) error {
	e := json.NewEncoder(out)
	when, say := clockText{zone: zone}, handWords{}
	return func(s shoeOut) error {
		j := shoeJSON{Shoe: s.shoe.Started.Seq, Day: s.shoe.Day, Table: s.table, Game: s.game(), Number: s.shoe.Number,
			Started: when.text(s.shoe.Started.Wall), Trusted: s.shoe.Started.Trusted, InPlay: s.inPlay, Fixes: s.shoe.Fixes, Voids: s.shoe.Voids}
		j.Hands = make([]handJSON, len(s.shoe.Hands))
		for i, h := range s.shoe.Hands {
			words := say.of(s.shoe.Pack, h)
			j.Hands[i] = handJSON{Time: when.text(h.At.Wall), Token: words.token, Out: h.Outcome.String(),
				Bets: words.bets, Free: h.Free, Fixed: h.Fixed, Seq: h.At.Seq}
		}
		return e.Encode(j)
	}
}

func (s *shoeOut) game() string {
	if s.shoe.Pack == nil {
		return ""
	}
	return s.shoe.Pack.ID
}

// handWords are the words of the hands written so far: few kinds of hands come again
// and again.
type handWords map[handKind]handWord

type handKind struct {
	pack   *game.Pack
	result game.Result
	cards  string
}

type handWord struct {
	token, joined string
	bets          []string // ids of the bets that won
}

func (w handWords) of(p *game.Pack, h tracker.Hand) handWord {
	kind := handKind{p, h.Result, h.Cards}
	if word, ok := w[kind]; ok {
		return word
	}
	if len(w) > 10_000 {
		clear(w) // hands entered by their cards hardly ever come again
	}
	word := handWord{token: tracker.FormatToken(p, h)}
	for i := range h.Bets.All() {
		word.bets = append(word.bets, p.Bets[i].ID)
	}
	word.joined = strings.Join(word.bets, " ")
	w[kind] = word
	return word
}
