// Package export gives the hands of a record to others: as CSV, as JSON and as the
// report of a day.
//
// A caller may assume that shoes come in the order of the record, each once, the one
// in play last; that they are the same whether they come from the index of finished shoes
// or from the record, except for those that the record has lost and the index still has,
// which are marked; that one shoe is held at a time, however many there are; and that a
// core may run meanwhile. What cannot be read is left out, and Sum names it.
package export

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"shoeboard/cmd/internal/config"
	"shoeboard/cmd/internal/datadir"
	"shoeboard/tracker"
	"shoeboard/tracker/game"
	"shoeboard/tracker/history"
	"shoeboard/tracker/journal"
	"shoeboard/tracker/localapi"
)

// Shoe is a shoe as an export shows it, valid until the next is given.
type Shoe struct {
	history.Row
	totals history.Totals
	inPlay bool
	only   bool           // the record has lost it
	words  []*handWord    // of the tokens that occur in it
	hands  []history.Hand // their tokens are places in words
}

// Exporter gives the shoes of a data folder that have a hand, in the order of the
// record, the one in play last.
type Exporter struct {
	Data   string
	Core   localapi.Client // may have the index of Data open; the zero value: none has
	Record bool            // do not use the index
	Want   func(history.Row) bool
	Give   func(*Shoe) error
	Note   func(history.Note)                   // is given every note of the record; nil: none
	End    func(last uint64, code journal.Code) // is given the record's last number and its code; nil: none
	Sum    Sum

	packs map[string]*game.Pack // by the first letters of their digests
	words map[wordKey]*handWord
	rows  history.Rows
	shoe  Shoe
}

// Sum says what an export gave.
type Sum struct {
	Hands, indexed, Recorded, InPlay int
	only                             int     // of those from the index: the record has lost them
	index                            error   // why the index was not used, or not to its end
	problems                         []error // places of the record that cannot be read
	last                             uint64  // of the record, with its code
	code                             journal.Code
}

// Run gives the shoes that are wanted, until Give fails or ctx ends.
func (e *Exporter) Run(ctx context.Context) error {
	files := journal.Dir(datadir.Journal(e.Data))
	if err := checkReadable(string(files)); err != nil {
		return err
	}
	built, err := config.Packs()
	if err != nil {
		return err
	}
	e.packs, e.words = map[string]*game.Pack{}, map[wordKey]*handWord{}
	for _, p := range built {
		e.know(p)
	}
	var last history.Row
	if !e.Record {
		if last, err = e.indexed(ctx, files); err != nil {
			return err
		}
	}
	inPlay, problems, err := history.Shoes(files, last, func(d history.Dealt) error {
		return errors.Join(ctx.Err(), e.dealt(d, &e.Sum.Recorded))
	})
	if e.Sum.problems = problems; err != nil {
		return err
	}
	found, err := journal.Look(files)
	if err != nil {
		return err
	}
	e.Sum.last, e.Sum.code = found.Last, found.Code
	if e.End != nil {
		e.End(found.Last, found.Code)
	}
	return e.dealt(inPlay, &e.Sum.InPlay)
}

func checkReadable(dir string) error {
	f, err := os.Open(dir)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return fmt.Errorf("there is no record in %s", dir)
	case errors.Is(err, os.ErrPermission):
		return fmt.Errorf("the record in %s may not be read: run it with sudo", dir)
	case err != nil:
		return err
	}
	return f.Close()
}

var errEarlier = errors.New("it was written by an earlier version, and has no corrections and faults")

// indexed gives the shoes of the index, and returns the last of those that the record has as
// well. An index that is damaged, or does not belong to this record, is not used.
func (e *Exporter) indexed(ctx context.Context, files journal.Files) (last history.Row, err error) {
	path := history.Path(e.Data)
	lost := history.FindLost(path, files)
	r, err := history.Open(ctx, path, e.Core.Shoes)
	if err != nil {
		e.Sum.index = err
		return last, ctx.Err()
	}
	defer r.Close()
	found, err := journal.Look(files)
	if err != nil {
		return last, err
	}
	state, unfit := history.Restore(found)
	playing := state.Shoe.Started.Seq
	switch {
	case r.Last > history.LastEnded(state) && r.Shoe != playing && !lost.Has(history.Row{Last: r.Last}):
		e.Sum.index = errors.Join(append(unfit, errors.New("it reaches further than the record"))...)
		return last, nil
	case e.Note != nil && r.Shoe > 0 && !r.Notes:
		e.Sum.index = errEarlier
		return last, nil
	}
	err = r.Rows(func(row history.Row) error {
		count, only := &e.Sum.indexed, history.Only(row) || lost.Has(row)
		if err := ctx.Err(); err != nil || row.Shoe == playing && !only { // it was taken back
			return err
		}
		if only {
			count = &e.Sum.only
		}
		err := e.pass(row, count)
		if err == nil && !only {
			last = row
		}
		return err
	})
	if errors.Is(err, history.ErrPacked) || errors.Is(err, errNoPack) || errors.Is(err, history.ErrDamaged) {
		e.Sum.index, err = err, nil // the record gives the rest
	}
	return last, err
}

// dealt gives a shoe of the record.
func (e *Exporter) dealt(d history.Dealt, count *int) error {
	e.know(d.Shoe.Pack)
	if len(d.Shoe.Hands) > 0 {
		return e.pass(e.rows.Row(d), count)
	}
	for _, n := range d.Notes {
		if e.Note != nil {
			e.Note(n)
		}
	}
	return nil
}

// pass gives a row if it is wanted, and counts it; its notes it gives in any case.
func (e *Exporter) pass(r history.Row, count *int) error {
	if e.Want(r) {
		if err := e.unpack(r); err != nil {
			return err
		}
		e.shoe.inPlay, e.shoe.only = count == &e.Sum.InPlay, count == &e.Sum.only
		*count++
		e.Sum.Hands += r.Hands
		if err := e.Give(&e.shoe); err != nil {
			return err
		}
	}
	if e.Note == nil {
		return nil
	}
	notes, err := history.NotesOf(r)
	for _, n := range notes {
		e.Note(n)
	}
	return err
}

func (e *Exporter) know(p *game.Pack) {
	if p != nil {
		e.packs[p.Digest[:history.PackLetters]] = p
	}
}

var errNoPack = errors.New("it was dealt by a game of another program version")

// unpack makes e.shoe of a row.
func (e *Exporter) unpack(r history.Row) error {
	s := Shoe{Row: r, words: e.shoe.words[:0]}
	if err := json.Unmarshal(r.Totals, &s.totals); err != nil {
		return fmt.Errorf("shoe %d: %w: %w", r.Shoe, history.ErrPacked, err)
	}
	pack := e.packs[s.totals.Pack]
	if pack == nil {
		return fmt.Errorf("shoe %d: %w", r.Shoe, errNoPack)
	}
	tokens, hands, err := history.Unpack(r, e.shoe.hands[:0])
	if err != nil {
		return err
	}
	for _, token := range tokens {
		w, err := e.word(pack, token)
		if err != nil {
			return fmt.Errorf("shoe %d: %w: %w", r.Shoe, history.ErrPacked, err)
		}
		s.words = append(s.words, w)
	}
	s.hands = hands
	e.shoe = s
	return nil
}

// handWord holds a token and what it says.
type handWord struct {
	token   string
	outcome string
	bets    []string // ids of the bets that won
	csv     string   // the columns from outcome to banker_pair
	quoted  string   // the token as CSV has it
}

type wordKey struct {
	pack  *game.Pack
	token string
}

// wordsKept limits what is remembered: hands entered by their cards hardly ever come
// again.
const wordsKept = 10_000

func (e *Exporter) word(p *game.Pack, token string) (*handWord, error) {
	key := wordKey{p, token}
	if w, known := e.words[key]; known {
		return w, nil
	}
	h, err := tracker.ReadToken(p, token)
	if err != nil {
		return nil, err
	}
	w := &handWord{token: token, outcome: h.Outcome.String(), quoted: csvField(token)}
	for i := range h.Bets.All() {
		w.bets = append(w.bets, p.Bets[i].ID)
	}
	w.csv = fmt.Sprintf("%s,%s,%t,%t,%t,%t", w.outcome, strings.Join(w.bets, " "),
		h.PlayerNatural, h.BankerNatural, h.PlayerPair, h.BankerPair)
	if len(e.words) >= wordsKept {
		clear(e.words)
	}
	e.words[key] = w
	return w, nil
}

// Tell says where the shoes came from and what could not be read; the latter is an
// error.
func (s Sum) Tell(out io.Writer) error {
	for _, problem := range s.problems {
		fmt.Fprintln(out, problem)
	}
	if s.index != nil {
		fmt.Fprintln(out, "the index was not used:", s.index)
	}
	fmt.Fprintf(out, "%s of %s: %d from the index, %d from the record, %d in play\n", Count(s.Hands, "hand"),
		Count(s.indexed+s.only+s.Recorded+s.InPlay, "shoe"), s.indexed+s.only, s.Recorded, s.InPlay)
	if s.last > 0 {
		fmt.Fprintf(out, "record %d has the code %v\n", s.last, s.code)
	}
	if s.only > 0 {
		fmt.Fprintf(out, "INDEX ONLY: %s that the record has lost; shoeboard verify lists the missing records\n",
			Count(s.only, "shoe"))
	}
	if len(s.problems) > 0 {
		return fmt.Errorf("%d places of the record could not be read; everything else is exported", len(s.problems))
	}
	return nil
}
