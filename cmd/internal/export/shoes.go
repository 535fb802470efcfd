// Package export gives the hands of a record to others: as CSV, as JSON and as the
// report of a day.
//
// A caller may assume that shoes come in the order of the record, each once, the one
// in play last; that they are the same whether they come out of the index or out of
// the record, but for those that the record has lost and the index still has, which are
// marked; that one shoe is held at a time, however many there are; and that a
// core may run meanwhile. What cannot be read is passed over and told in Sum.
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
	"shoeboard/cmd/internal/index"
	"shoeboard/tracker"
	"shoeboard/tracker/game"
	"shoeboard/tracker/history"
	"shoeboard/tracker/journal"
	"shoeboard/tracker/table"
)

// Shoe is a shoe as an export shows it, valid until the next is given.
type Shoe struct {
	history.Row
	totals index.Totals
	inPlay bool
	only   bool         // the record has lost it
	words  []*handWord  // of the tokens that occur in it
	hands  []index.Hand // their tokens are places in words
}

// Exporter gives the shoes of a data folder that have a hand, in the order of the
// record, the one in play last. It needs no lock and no core, and holds one shoe,
// however many there are.
type Exporter struct {
	Data   string
	Record bool // leave the index alone
	Want   func(history.Row) bool
	Give   func(*Shoe) error
	Sum    Sum

	packs map[string]*game.Pack // by the first letters of their digests
	words map[wordKey]*handWord
	rows  index.Rows
	shoe  Shoe
}

// Sum is what an export came to.
type Sum struct {
	Hands, indexed, Recorded, InPlay int
	only                             int     // of those from the index: the record has lost them
	index                            error   // why the index was not used, or not to its end
	problems                         []error // places of the record that cannot be read
}

// Run gives the shoes that are wanted, until give fails or ctx ends.
func (e *Exporter) Run(ctx context.Context) error {
	files := journal.Dir(datadir.Journal(e.Data))
	if err := readable(string(files)); err != nil {
		return err
	}
	if err := e.knowPacks(); err != nil {
		return err
	}
	last, err := e.indexed(ctx, files)
	if err != nil {
		return err
	}
	record := func(number string, s tracker.Shoe) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		e.know(s.Pack)
		return e.pass(e.rows.Row(number, s), &e.Sum.Recorded)
	}
	state, problems, err := table.Shoes(files, last+1, record)
	if e.Sum.problems = problems; err != nil {
		return err
	}
	if s := state.Shoe; len(s.Hands) > 0 {
		e.know(s.Pack)
		return e.pass(e.rows.Row(state.Settings.Table, s), &e.Sum.InPlay)
	}
	return nil
}

func readable(dir string) error {
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

// indexed gives the shoes that the index has, and says which was the last. The index
// is looked through before: one that is damaged, or does not belong to this record, is
// not used at all.
func (e *Exporter) indexed(ctx context.Context, files journal.Files) (last uint64, err error) {
	if e.Record {
		return 0, nil
	}
	known := index.Ask(e.Data)
	var newest history.Row
	e.Sum.index = history.Read(index.Path(e.Data), func(r history.Row) error {
		if !index.Only(r) {
			newest = r
		}
		return nil
	})
	if e.Sum.index != nil {
		return 0, nil
	}
	found, err := journal.Look(files)
	if err != nil {
		return 0, err
	}
	state, unfit := table.Restore(found)
	playing, lost := state.Shoe.Started.Seq, known.Lost(state, found.Last)
	if newest.Last > table.LastEnded(state) && newest.Shoe != playing && !lost.Has(newest) {
		e.Sum.index = errors.Join(append(unfit, errors.New("it reaches further than the record"))...)
		return 0, nil
	}
	err = history.Read(index.Path(e.Data), func(r history.Row) error {
		only := index.Only(r) || lost.Has(r)
		if err := ctx.Err(); err != nil || r.Shoe == playing && !only { // it was taken back
			return err
		}
		if only {
			return e.pass(r, &e.Sum.only)
		}
		err := e.pass(r, &e.Sum.indexed)
		if err == nil {
			last = r.Shoe
		}
		return err
	})
	switch {
	case errors.Is(err, index.ErrPacked) || errors.Is(err, errNoPack):
		e.Sum.index = err
		return last, nil
	case errors.Is(err, history.ErrDamaged):
		return last, fmt.Errorf("the index was written while it was read, and shoes may be missing: try again, or with --record: %w", err)
	}
	return last, err
}

// pass gives a row if it is wanted, and counts it.
func (e *Exporter) pass(r history.Row, count *int) error {
	if !e.Want(r) {
		return nil
	}
	if err := e.unpack(r); err != nil {
		return err
	}
	e.shoe.inPlay, e.shoe.only = count == &e.Sum.InPlay, count == &e.Sum.only
	*count++
	e.Sum.Hands += r.Hands
	return e.Give(&e.shoe)
}

// knowPacks takes the games that are built in.
func (e *Exporter) knowPacks() error {
	e.packs, e.words = map[string]*game.Pack{}, map[wordKey]*handWord{}
	built, err := config.Packs()
	for _, p := range built {
		e.know(p)
	}
	return err
}

func (e *Exporter) know(p *game.Pack) {
	if p != nil {
		e.packs[p.Digest[:index.PackLetters]] = p
	}
}

var errNoPack = errors.New("it was dealt by a game of another program version")

// unpack makes e.shoe of a row.
func (e *Exporter) unpack(r history.Row) error {
	s := Shoe{Row: r, words: e.shoe.words[:0]}
	if err := json.Unmarshal(r.Totals, &s.totals); err != nil {
		return fmt.Errorf("shoe %d: %w: %w", r.Shoe, index.ErrPacked, err)
	}
	pack := e.packs[s.totals.Pack]
	if pack == nil {
		return fmt.Errorf("shoe %d: %w", r.Shoe, errNoPack)
	}
	tokens, hands, err := index.Unpack(r, e.shoe.hands[:0])
	if err != nil {
		return err
	}
	for _, token := range tokens {
		w, err := e.word(pack, token)
		if err != nil {
			return fmt.Errorf("shoe %d: %w: %w", r.Shoe, index.ErrPacked, err)
		}
		s.words = append(s.words, w)
	}
	s.hands = hands
	e.shoe = s
	return nil
}

// handWord is what a token says.
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

// wordsKept bounds what is remembered: hands entered by their cards hardly ever come
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
	w.csv = fmt.Sprintf("%s,%s,%t,%t,%t,%t", w.outcome, strings.Join(w.bets, " "), h.PlayerNatural, h.BankerNatural, h.PlayerPair, h.BankerPair)
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
	fmt.Fprintf(out, "%s of %s: %d from the index, %d from the record, %d in play\n",
		Count(s.Hands, "hand"), Count(s.indexed+s.only+s.Recorded+s.InPlay, "shoe"), s.indexed+s.only, s.Recorded, s.InPlay)
	if s.only > 0 {
		fmt.Fprintf(out, "INDEX ONLY: %s that the record has lost; shoeboard verify tells which records are missing\n", Count(s.only, "shoe"))
	}
	if len(s.problems) > 0 {
		return fmt.Errorf("%d places of the record could not be read; everything else is exported", len(s.problems))
	}
	return nil
}
