package tracker

import "strings"

// Role says what a member of the staff may do.
type Role string

// The roles.
const (
	Dealer     Role = "dealer"     // keys hands; needs no PIN for that
	Floor      Role = "floor"      // corrects hands, releases a review
	Technician Role = "technician" // sets units up
	Manager    Role = "manager"    // both
)

// Has reports whether a role has the rights of another one.
func (r Role) Has(needed Role) bool {
	return r == needed || r == Manager || needed == Dealer && r != ""
}

// What needs whom, where a unit has staff: acts of the technician's menu by their words in
// the record. What is not named here needs nobody.
var needs = map[string]Role{
	"table-number": Technician,
	"set-time":     Technician,
	"update":       Technician,
	"export":       Floor,
	"restart":      Technician,
	"reboot":       Technician,
	"power-off":    Technician,
}

// NeededFor returns the role that an act needs, "" for none.
func NeededFor(act string) Role { return needs[act] }

// decideAct accepts that somebody has done something to the unit: the record says who.
func decideAct(e Event) ([]Event, error) {
	e.Text, e.Was, e.By = Plain(e.Text, MaxAct), Plain(e.Was, MaxAct), Plain(e.By, MaxAct)
	if e.Code == "" || strings.Trim(e.Code, "abcdefghijklmnopqrstuvwxyz-") != "" {
		return nil, refuse("NO SUCH ACT", "")
	}
	e.Aside = true
	return []Event{e}, nil
}

// MaxAct bounds each text of an act, in bytes.
const MaxAct = 80
