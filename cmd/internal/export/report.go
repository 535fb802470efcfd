package export

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"shoeboard/tracker/history"
	"shoeboard/tracker/journal"
)

// Report sums a day at a table up.
type Report struct {
	Day    string         `json:"day"`
	Tables []string       `json:"tables"`
	Shoes  []shoeReport   `json:"shoes"`
	Hands  int            `json:"hands"`
	AnHour int            `json:"hands_an_hour"` // while shoes were dealt
	Hours  []hourReport   `json:"hours"`
	Bets   map[string]int `json:"bets"`  // hands that each bet won
	Fixes  int            `json:"fixes"` // by the dealers
	Voids  int            `json:"voids"`
	Free   int            `json:"free"`
	Faults []faultReport  `json:"faults,omitempty"`

	Corrections []correctionReport `json:"corrections,omitempty"` // by the dealers and the floor
	Last        uint64             `json:"last_record,omitempty"`
	Code        string             `json:"code,omitempty"` // of that record
	zone        *time.Location
	seconds     int64
}

// shoeReport sums a shoe of the day up. Its hands an hour are counted from its beginning
// to its last hand.
type shoeReport struct {
	Number int            `json:"shoe_today"`
	Shoe   uint64         `json:"shoe"`
	Game   string         `json:"game"`
	Began  string         `json:"began"`
	Last   string         `json:"last_hand"`
	InPlay bool           `json:"in_play,omitempty"`
	Hands  int            `json:"hands"`
	AnHour int            `json:"hands_an_hour"`
	Player int            `json:"player"`
	Banker int            `json:"banker"`
	Tie    int            `json:"tie"`
	Bets   map[string]int `json:"bets"`
	Fixes  int            `json:"fixes"`
	Voids  int            `json:"voids"`
	Free   int            `json:"free"`
	Lost   int            `json:"lost,omitempty"`       // hands whose records cannot be read: in no figure but hands
	Only   bool           `json:"index_only,omitempty"` // the record has lost the shoe
}

// hourReport counts the hands recorded in an hour of the clock.
type hourReport struct {
	Hour  string `json:"hour"` // when it began, local time
	Hands int    `json:"hands"`
}

// UnknownDay names the day of shoes that were begun before the clock was set.
const UnknownDay = "unknown"

// NewReport returns the report of a local day, or of UnknownDay, without any shoe.
func NewReport(day string, zone *time.Location) *Report {
	return &Report{Day: day, Bets: map[string]int{}, zone: zone}
}

// End notes the last record and its code, by which the report can be held against the record.
func (r *Report) End(last uint64, code journal.Code) {
	if last > 0 {
		r.Last, r.Code = last, code.String()
	}
}

// Add adds a shoe of the day.
func (r *Report) Add(s *Shoe) error {
	began := s.Started / int64(time.Second)
	last := began
	for _, sec := range dealt(s.hands) {
		last = sec
		r.hour(sec)
	}
	t := s.totals
	r.Shoes = append(r.Shoes, shoeReport{Number: t.Number, Shoe: s.Shoe, Game: s.Game, Began: r.clock(began),
		Last: r.clock(last), InPlay: s.inPlay, Hands: s.Hands, AnHour: anHour(s.Hands, last-began),
		Player: t.Player, Banker: t.Banker, Tie: t.Tie, Bets: t.Bets,
		Fixes: t.Fixes, Voids: t.Voids, Free: t.Free, Lost: t.Lost, Only: s.only})
	for id, n := range t.Bets {
		r.Bets[id] += n
	}
	if !slices.Contains(r.Tables, s.Table) {
		r.Tables = append(r.Tables, s.Table)
	}
	r.Hands += s.Hands
	r.Fixes, r.Voids, r.Free = r.Fixes+t.Fixes, r.Voids+t.Voids, r.Free+t.Free
	r.seconds += max(last-began, 0)
	r.AnHour = anHour(r.Hands, r.seconds)
	return nil
}

// dealt returns when hands were dealt, as far as that is known. One that was put in later
// was dealt before the hand behind it.
func dealt(hands []history.Hand) []int64 {
	var secs []int64
	behind := int64(math.MaxInt64)
	for _, h := range slices.Backward(hands) {
		switch {
		case h.Lost():
			continue
		case !h.Fixed:
			behind = h.Sec
		default:
			behind = min(behind, h.Sec)
		}
		secs = append(secs, behind)
	}
	slices.Reverse(secs)
	return secs
}

// hour counts a hand. A new hour begins a new line, also when the clock is set back.
func (r *Report) hour(sec int64) {
	hour := time.Unix(sec, 0).In(r.zone).Format("2006-01-02 15:00")
	if n := len(r.Hours); n == 0 || r.Hours[n-1].Hour != hour {
		r.Hours = append(r.Hours, hourReport{Hour: hour})
	}
	r.Hours[len(r.Hours)-1].Hands++
}

func (r *Report) clock(sec int64) string { return time.Unix(sec, 0).In(r.zone).Format("15:04") }

// anHour returns how many hands an hour that makes, 0 when no time has passed.
func anHour(hands int, seconds int64) int {
	if seconds <= 0 {
		return 0
	}
	return int((int64(hands)*3600 + seconds/2) / seconds)
}

// Write writes the report as text or as one JSON object.
func (r *Report) Write(out io.Writer, asJSON bool) error {
	if asJSON {
		e := json.NewEncoder(out)
		e.SetIndent("", "  ")
		return e.Encode(r)
	}
	if len(r.Shoes) == 0 {
		none := r.Day + ": no shoe was begun on this day"
		if r.Day == UnknownDay {
			none = "no shoe was begun before the clock was set"
		}
		_, err := fmt.Fprint(out, none, "\n", r.notes(), r.end())
		return err
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	day := r.Day
	if day == UnknownDay {
		day = "before the clock was set"
	}
	fmt.Fprintf(out, "Table %s, %s: %s, %s, %d an hour while dealing\n",
		strings.Join(r.Tables, ", "), day, Count(len(r.Shoes), "shoe"), Count(r.Hands, "hand"), r.AnHour)
	fmt.Fprintf(out, "%s, %s, %s. Bets won: %s\n\n",
		Count(r.Fixes, "fix"), Count(r.Voids, "void"), Count(r.Free, "free hand"), betsText(r.Bets))
	fmt.Fprintln(w, "shoe\tbegan\tlast hand\thands\tan hour\tPlayer\tBanker\tTie\tfixes\tvoids\tfree\t  bets won")
	for _, s := range r.Shoes {
		last := s.Last
		if s.InPlay {
			last = "in play"
		}
		fmt.Fprintf(w, "%d\t%s\t%s\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t  %s\n", s.Number, s.Began, last, s.Hands, s.AnHour,
			s.Player, s.Banker, s.Tie, s.Fixes, s.Voids, s.Free, betsText(s.Bets))
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for _, s := range r.Shoes {
		if s.Lost > 0 {
			fmt.Fprintf(out, "INCOMPLETE: %s of shoe %d cannot be read\n", Count(s.Lost, "hand"), s.Number)
		}
		if s.Only {
			fmt.Fprintf(out, "INDEX ONLY: the record has lost shoe %d, begun %s\n", s.Number, s.Began)
		}
	}
	fmt.Fprintln(w, "\nhour\thands\t")
	for _, h := range r.Hours {
		fmt.Fprintf(w, "%s\t%d\t\n", strings.TrimPrefix(h.Hour, r.Day+" "), h.Hands)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	_, err := io.WriteString(out, r.notes()+r.end())
	return err
}

func (r *Report) end() string {
	if r.Code == "" {
		return ""
	}
	return fmt.Sprintf("\nRecord %d has the code %s\n", r.Last, r.Code)
}

// Count returns a number of something in words: "1 hand", "2 hands", "2 fixes".
func Count(n int, what string) string {
	switch {
	case n == 1:
	case strings.HasSuffix(what, "x"):
		what += "es"
	default:
		what += "s"
	}
	return fmt.Sprintf("%d %s", n, what)
}

// betsText returns the bets that won in words, without ties.
func betsText(bets map[string]int) string {
	var words []string
	for _, id := range slices.Sorted(maps.Keys(bets)) {
		if id != "tie" {
			words = append(words, fmt.Sprintf("%s %d", id, bets[id]))
		}
	}
	return strings.Join(words, ", ")
}
