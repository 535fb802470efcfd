package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"shoeboard/cmd/shoeboard/config"
	"shoeboard/tracker"
	"shoeboard/tracker/game"
	"shoeboard/tracker/history"
	"shoeboard/tracker/journal"
	"shoeboard/tracker/table"
)

// exportShoe is a shoe as an export shows it, valid until the next is given.
type exportShoe struct {
	history.Row
	totals totals
	inPlay bool
	words  []*handWord  // of the tokens that occur in it
	hands  []packedHand // their tokens are places in words
}

// exporter gives the shoes of a data folder that have a hand, in the order of the
// record, the one in play last. It needs no lock and no core, and holds one shoe,
// however many there are.
type exporter struct {
	data   string
	record bool // leave the index alone
	want   func(history.Row) bool
	give   func(*exportShoe) error
	sum    exportSum

	packs map[string]*game.Pack // by the first letters of their digests
	words map[wordKey]*handWord
	rows  rowMaker
	shoe  exportShoe
}

// exportSum is what an export came to.
type exportSum struct {
	hands, indexed, recorded, inPlay int
	index                            error   // why the index was not used, or not to its end
	problems                         []error // places of the record that cannot be read
}

func (e *exporter) run(ctx context.Context) error {
	files := journal.Dir(config.JournalDir(e.data))
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
		return e.pass(e.rows.row(number, s), &e.sum.recorded)
	}
	state, problems, err := table.Shoes(files, last+1, record)
	if e.sum.problems = problems; err != nil {
		return err
	}
	if s := state.Shoe; len(s.Hands) > 0 {
		e.know(s.Pack)
		return e.pass(e.rows.row(state.Settings.Table, s), &e.sum.inPlay)
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
func (e *exporter) indexed(ctx context.Context, files journal.Files) (last uint64, err error) {
	if e.record {
		return 0, nil
	}
	var newest history.Row
	if e.sum.index = history.Read(indexPath(e.data), func(r history.Row) error { newest = r; return nil }); e.sum.index != nil {
		return 0, nil
	}
	found, err := journal.Look(files)
	if err != nil {
		return 0, err
	}
	state, err := table.Restore(found)
	playing := state.Shoe.Started.Seq
	if newest.Last > table.LastEnded(state) && newest.Shoe != playing {
		e.sum.index = errors.Join(errors.New("it reaches further than the record"), err)
		return 0, nil
	}
	err = history.Read(indexPath(e.data), func(r history.Row) error {
		if err := ctx.Err(); err != nil || r.Shoe == playing { // it was taken back
			return err
		}
		err := e.pass(r, &e.sum.indexed)
		if err == nil {
			last = r.Shoe
		}
		return err
	})
	switch {
	case errors.Is(err, errPacked) || errors.Is(err, errNoPack):
		e.sum.index = err
		return last, nil
	case errors.Is(err, history.ErrDamaged):
		return last, fmt.Errorf("the index was written while it was read, and shoes may be missing: try again, or with --record: %w", err)
	}
	return last, err
}

// pass gives a row if it is wanted, and counts it.
func (e *exporter) pass(r history.Row, count *int) error {
	if !e.want(r) {
		return nil
	}
	if err := e.unpack(r); err != nil {
		return err
	}
	e.shoe.inPlay = count == &e.sum.inPlay
	*count++
	e.sum.hands += r.Hands
	return e.give(&e.shoe)
}

// knowPacks takes the games that are built in.
func (e *exporter) knowPacks() error {
	e.packs, e.words = map[string]*game.Pack{}, map[wordKey]*handWord{}
	built, err := config.Packs()
	for _, p := range built {
		e.know(p)
	}
	return err
}

func (e *exporter) know(p *game.Pack) {
	if p != nil {
		e.packs[p.Digest[:packLetters]] = p
	}
}

var errNoPack = errors.New("it was dealt by a game of another program version")

// unpack makes e.shoe of a row.
func (e *exporter) unpack(r history.Row) error {
	s := exportShoe{Row: r, words: e.shoe.words[:0]}
	if err := json.Unmarshal(r.Totals, &s.totals); err != nil {
		return fmt.Errorf("shoe %d: %w: %w", r.Shoe, errPacked, err)
	}
	pack := e.packs[s.totals.Pack]
	if pack == nil {
		return fmt.Errorf("shoe %d: %w", r.Shoe, errNoPack)
	}
	tokens, hands, err := unpackHands(r, e.shoe.hands[:0])
	if err != nil {
		return err
	}
	for _, token := range tokens {
		w, err := e.word(pack, token)
		if err != nil {
			return fmt.Errorf("shoe %d: %w: %w", r.Shoe, errPacked, err)
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

func (e *exporter) word(p *game.Pack, token string) (*handWord, error) {
	key := wordKey{p, token}
	if w, known := e.words[key]; known {
		return w, nil
	}
	h, err := tracker.ParseToken(p, token)
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

// tell says where the shoes came from and what could not be read; the latter is an
// error.
func (s exportSum) tell(out io.Writer) error {
	for _, problem := range s.problems {
		fmt.Fprintln(out, problem)
	}
	if s.index != nil {
		fmt.Fprintln(out, "the index was not used:", s.index)
	}
	fmt.Fprintf(out, "%d hands of %d shoes: %d from the index, %d from the record, %d in play\n",
		s.hands, s.indexed+s.recorded+s.inPlay, s.indexed, s.recorded, s.inPlay)
	if len(s.problems) > 0 {
		return fmt.Errorf("%d places of the record could not be read; everything else is exported", len(s.problems))
	}
	return nil
}
