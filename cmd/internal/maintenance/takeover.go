package maintenance

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"shoeboard/cmd/internal/transfer"
	"shoeboard/tracker/console"
	"shoeboard/tracker/menu"
)

// Asking is the world while a unit asks whether it shall take a table over: nothing of
// a record is open.
type Asking struct {
	Unit      string
	Questions []transfer.Question
	Zone      *time.Location
	End       func() // ends the asking soon
	Declined  bool   // the unit goes on as itself
	Taken     bool   // a table was taken over: the unit starts anew with it
}

// Ask is what the keypad asks.
func (a *Asking) Ask() []console.TakeOver {
	var all []console.TakeOver
	for i, q := range a.Questions {
		where := fmt.Sprintf("The card in this unit is that of unit %s.", q.Unit)
		if !q.Card {
			where = fmt.Sprintf("The stick has the record of unit %s.", q.Unit)
		}
		last := "No hand is in it."
		if !q.LastHand.IsZero() {
			last = "Last hand: " + q.LastHand.In(a.Zone).Format("2006-01-02 15:04")
		}
		all = append(all, console.TakeOver{ID: strconv.Itoa(i), Table: q.Table,
			Lines: []string{where, last, "This unit is " + a.Unit + ".", "YES only if that unit is out of use."}})
	}
	return all
}

// Do answers the question.
func (a *Asking) Do(_ context.Context, e menu.Task) menu.Result {
	i, err := strconv.Atoi(e.Arg)
	if err != nil || i < 0 || i >= len(a.Questions) {
		return failed(fmt.Errorf("there is no question %q", e.Arg))
	}
	q := a.Questions[i]
	switch e.Kind {
	case console.ErrandTakeOver:
		if err := q.Yes(a.Unit); err != nil {
			return failed(err)
		}
		a.Taken = true
		a.End()
		return menu.Result{Locked: true, Lines: []string{"TABLE " + q.Table + " TAKEN", "STARTS AGAIN", "This unit has table " + q.Table + " from now on."}}
	case console.ErrandLeaveTable:
		if why := q.No(); why != "" {
			return menu.Result{Locked: true, Lines: []string{"NOT TAKEN OVER", "FLOOR=ASK AGAIN", why}}
		}
		a.Declined = true
		a.End()
		return menu.Result{Locked: true, Lines: []string{"NOT TAKEN OVER", "STARTS AS ITSELF"}}
	}
	return failed(fmt.Errorf("answer the question first"))
}
