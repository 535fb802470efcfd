package menu

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"shoeboard/tracker"
)

// Context holds what the pages show of the table.
type Context struct {
	Now      time.Duration
	NextTask int             // number of the task that starts next
	Number   string          // of the table
	Staff    bool            // the unit has staff: some pages need somebody
	KeyOn    bool            // a key switch is turned on: it stands for the floor
	Tests    []string        // names of the pages of the screen test
	Faults   []tracker.Fault // raised, those not recorded yet among them
}

// mostLine bounds a line of a result, in bytes.
const mostLine = 300

// Out tells what came of a press or a result.
type Out struct {
	Refusal     [2]string // why the press does not count, for the echo; an empty line stays as it is
	Task        *Task     // to be started
	Acknowledge string    // the code of this fault is to be acknowledged,
	By          string    // by the staff number of who has signed in, or "keypad"
	Opened      bool      // another page has to be read before OK counts
	Keyed       bool      // a digit has changed the page
	Closed      bool      // the menu
}

func refuse(line1, line2 string) Out { return Out{Refusal: [2]string{line1, line2}} }

// stays says how long the menu stays open without a press.
const stays = 60 * time.Second

// spec describes a page.
type spec struct {
	short    string // on the page above it, on the echo: at most 8 characters
	long     string // the same on the screen
	title    string // at most 13 characters
	opens    Kind   // the task that starts when the page opens: its result is the page
	does     Kind   // the task that OK starts
	question string // what OK would do, at most 13 characters
	form     form
}

// The pages that are no list, form or result.
const (
	faultsPage = "3"
	screenPage = "4"
	keypadPage = "5"
	signInPage = "*" // no digit leads to it
)

// pages are the pages, by the digits that lead to them.
var pages = map[string]spec{
	"":         {title: "MENU"},
	"1":        {"STATUS", "Status: address, serial number, versions", "STATUS", Status, "", "", noForm},
	"2":        {"DOCTOR", "Doctor: what is wrong and what to do", "DOCTOR", Doctor, "", "", noForm},
	faultsPage: {"FAULTS", "Faults: list and acknowledge", "FAULTS", "", "", "", noForm},
	screenPage: {"SCREEN", "Screen test", "SCREEN TEST", "", "", "", noForm},
	keypadPage: {"KEYPAD", "Keypad test", "KEYPAD TEST", "", "", "", noForm},
	signInPage: {"", "", "SIGN IN", "", SignIn, "", signInForm},
	"6":        {"TIME", "Set the time", "SET TIME", Clock, SetTime, "", timeForm},
	"7":        {"TABLE", "Table number", "TABLE NUMBER", "", SetTable, "", tableForm},
	"8":        {"STICK", "Stick: state, bundle, update, export", "STICK", "", "", "", noForm},
	"81":       {"STATE", "State of the stick and its mirror", "STICK", Stick, "", "", noForm},
	"82":       {"BUNDLE", "Write a support bundle", "BUNDLE", "", Bundle, "WRITE BUNDLE?", noForm},
	"83":       {"UPDATE", "Update the program", "UPDATE", FindUpdate, Update, "UPDATE?", noForm},
	"84":       {"EXPORT", "Export a day", "EXPORT", Clock, Export, "", dayForm},
	"9":        {"POWER", "Restart and power off", "POWER", "", "", "", noForm},
	"91":       {"PROGRAM", "Restart the program", "RESTART", "", Restart, "RESTART NOW?", noForm},
	"92":       {"UNIT", "Restart the unit", "RESTART UNIT", "", Reboot, "RESTART UNIT?", noForm},
	"93":       {"OFF", "Power off", "POWER OFF", "", PowerOff, "POWER OFF?", noForm},
}

// Menu holds the page that is open and what was keyed there.
type Menu struct {
	page   string
	since  time.Duration // the last press or result
	top    int           // the first row on the echo; of faults, the one shown
	codes  []string      // of the faults that have a digit
	task   int           // whose result the page waits for, 0: none
	stage  stage         // of what OK starts
	result *Result       // of the last task
	value  string        // what the digits began with
	keyed  string        // digits keyed over it
	test   int           // the page of the screen test
	keypad keypad
	who    string // the number of who has signed in, "" for nobody
	role   tracker.Role
	wanted string // the page for which somebody signs in
}

// stage says how far the task is that OK starts on a page.
type stage uint8

const (
	open      stage = iota
	confirmed       // an OK has started it
	cancelled       // and CLEAR or FLOOR has cancelled it
	done            // it has ended
)

func (m *Menu) spec() spec { return pages[m.page] }

// items returns the pages that the digits 1, 2 and so on open here.
func (m *Menu) items() (items []spec) {
	for digit := '1'; digit <= '9'; digit++ {
		if s, ok := pages[m.page+string(digit)]; ok {
			items = append(items, s)
		}
	}
	return items
}

// up returns the page above this one.
func (m *Menu) up() string { return m.page[:max(0, len(m.page)-1)] }

// Open opens the menu at its first page. Nobody has signed in.
func (m *Menu) Open(t *Context) Out {
	*m = Menu{}
	return m.show(t, "")
}

// show opens a page and starts the task that fills it, or asks first who is there.
func (m *Menu) show(t *Context, page string) Out {
	wanted := page
	if t.Staff && !m.may(t, page) {
		page = signInPage
	}
	*m = Menu{page: page, since: t.Now, who: m.who, role: m.role, wanted: wanted}
	m.number(t)
	out := Out{Opened: true}
	if kind := m.spec().opens; kind != "" {
		out.Task = m.start(t, kind, "")
	}
	return out
}

// may reports whether who has signed in, or the key that is turned, may open a page.
func (m *Menu) may(t *Context, page string) bool {
	need := tracker.NeededFor(string(pages[page].does))
	return need == "" || m.role.Has(need) || t.KeyOn && tracker.Floor.Has(need)
}

// signIn takes the answer to number and PIN: "07 technician".
func (m *Menu) signIn(t *Context, r *Result) {
	number, role, _ := strings.Cut(r.Value, " ")
	m.who, m.role = number, tracker.Role(role)
	if !m.may(t, m.wanted) {
		need := tracker.NeededFor(string(pages[m.wanted].does))
		r.Failed, r.Lines = true, []string{fmt.Sprintf("%s is %s: this needs %s", number, role, need)}
	}
}

// start asks for a task. The page waits for one at a time.
func (m *Menu) start(t *Context, kind Kind, arg string) *Task {
	m.task, m.result, m.top = t.NextTask, nil, 0
	by := m.who
	if by == "" && t.KeyOn {
		by = KeySwitch
	}
	return &Task{No: t.NextTask, Kind: kind, Arg: arg, By: by}
}

// Task returns the number of the task that is to go on, 0: none. One that was cancelled
// may end at once.
func (m *Menu) Task() int {
	if m.stage == cancelled {
		return 0
	}
	return m.task
}

// Finish takes the result of a task and reports whether the page waited for it.
func (m *Menu) Finish(t *Context, no int, r Result) bool {
	if no == 0 || m.task != no {
		return false
	}
	r.Lines = slices.Clone(r.Lines[:min(len(r.Lines), mostLines)])
	for i, line := range r.Lines { // it may quote a stick
		r.Lines[i] = tracker.Plain(line, mostLine)
	}
	m.task, m.since, m.top, m.result = 0, t.Now, 0, &r
	if m.page == signInPage && !r.Failed {
		m.signIn(t, &r)
	}
	switch form := m.spec().form; {
	case m.stage == open && form == noForm:
	case m.stage == open && !r.Failed && m.begin(r.Value):
		m.result = nil
	default:
		m.stage, r.Ready = done, false
	}
	return true
}

// Next returns the moment at which Tick has something to do, 0: never.
func (m *Menu) Next() time.Duration {
	switch {
	case m.page == keypadPage && m.keypad.clear > 0:
		return m.keypad.clear + clearFor
	case m.task == 0 || m.stage == cancelled:
		return m.since + stays
	}
	return 0
}

// Tick leaves the keypad test when CLEAR was held, and closes the menu when nothing was
// pressed for a minute. While a task runs the menu stays; a cancelled one may never end.
func (m *Menu) Tick(t *Context) Out {
	switch next := m.Next(); {
	case next == 0 || t.Now < next:
		return Out{}
	case m.page == keypadPage && m.keypad.clear > 0:
		return m.show(t, "")
	}
	return Out{Closed: true}
}

// Press takes OK, CLEAR, FLOOR or FIX, which is CLEAR held, or the digit on another key.
// Early says of an OK that the page has not stood long enough to be read.
func (m *Menu) Press(t *Context, key string, early bool) Out {
	m.since = t.Now
	switch key {
	case "OK":
		return m.ok(t, early)
	case "CLEAR":
		return m.back(t)
	case "FLOOR", "FIX":
		return Out{Closed: !m.cancel()}
	}
	return m.digit(t, key)
}

// back takes a digit back, or goes one page back, and from the first page out.
func (m *Menu) back(t *Context) Out {
	switch {
	case m.cancel():
		return Out{}
	case m.takesDigits() && m.keyed != "":
		m.keyed = m.keyed[:len(m.keyed)-1]
		return Out{Keyed: true}
	case m.page == "":
		return Out{Closed: true}
	}
	return m.show(t, m.up())
}

// cancel cancels, once, the task that an OK has started. The page stays until its result
// is there, for it may be done already; the next CLEAR or FLOOR leaves.
func (m *Menu) cancel() bool {
	if m.stage != confirmed {
		return false
	}
	m.stage = cancelled
	return true
}

// ok does what the page says.
func (m *Menu) ok(t *Context, early bool) Out {
	s := m.spec()
	switch {
	case m.task != 0:
		return refuse("WORKING", "CLEAR=BACK")
	case len(m.items()) > 0:
		if !m.scroll(2) {
			m.top = 0
		}
	case m.page == faultsPage:
		m.nextFault(t)
	case m.page == screenPage:
		m.test = (m.test + 1) % max(1, len(t.Tests))
	case m.stage == done && m.page == signInPage:
		return m.show(t, m.wanted) // again, where it failed
	case m.stage == done:
		return m.show(t, m.up())
	case s.does == "", s.opens != "" && s.form == noForm && (m.result == nil || !m.result.Ready):
		return m.show(t, m.page) // starts its task again
	case early:
		return refuse("", "TOO SOON: OK AGAIN")
	default:
		return m.confirm(t)
	}
	return Out{}
}

// confirm starts what OK does on this page.
func (m *Menu) confirm(t *Context) Out {
	arg := ""
	switch s := m.spec(); {
	case s.form != noForm:
		if why := m.formError(); why != "" {
			return refuse(why, "")
		}
		arg = m.entry()
	case m.result != nil:
		arg = m.result.Value
	}
	m.stage = confirmed
	return Out{Task: m.start(t, m.spec().does, arg)}
}

// digit opens an item, acknowledges a fault, keys a digit of a form, or scrolls.
func (m *Menu) digit(t *Context, digit string) Out {
	items := len(m.items())
	n, err := strconv.Atoi(digit)
	switch {
	case err != nil:
		return refuse("NO KEY OF THE MENU", "CLEAR=BACK FLOOR=OUT")
	case items > 0 && (n < 1 || n > items):
		return refuse(fmt.Sprintf("NO ITEM %d", n), "CLEAR=BACK FLOOR=OUT")
	case items > 0:
		return m.show(t, m.page+digit)
	case m.task != 0:
		return refuse("WORKING", "CLEAR=BACK")
	case m.page == faultsPage:
		return m.acknowledge(t, n)
	case m.page == screenPage:
		return refuse("OK=NEXT  CLEAR=BACK", "")
	case m.takesDigits():
		return m.key(digit)
	case n == 2 && m.scroll(2), n == 8 && m.scroll(-2):
		return Out{}
	}
	return refuse("2=DOWN  8=UP", "CLEAR=BACK")
}

// scroll moves the echo over the page's rows and reports whether it moved.
func (m *Menu) scroll(by int) bool {
	next := m.top + by
	if next < 0 || next >= len(m.rows()) {
		return false
	}
	m.top = next
	return true
}

// Kind names a maintenance task.
type Kind string

// The tasks.
const (
	Status     Kind = "status"         // address, serial number, versions, table, game, configuration
	Doctor     Kind = "doctor"         // its findings
	Clock      Kind = "clock"          // Value: the local time, YYYYMMDDhhmm
	SetTime    Kind = "set-time"       // Arg: the local time, YYYYMMDDhhmm
	SetTable   Kind = "table-number"   // Arg: 1 to 4 digits
	Stick      Kind = "stick"          // the contents of the stick, and its mirror
	Bundle     Kind = "support-bundle" // write it to the stick
	Export     Kind = "export"         // write a day to the stick; Arg: YYYYMMDD
	FindUpdate Kind = "find-update"    // Ready when the stick has one; Value: the file to install
	Update     Kind = "update"         // Arg: the Value of FindUpdate
	Restart    Kind = "restart"        // of the program
	Reboot     Kind = "reboot"
	PowerOff   Kind = "power-off"
	SignIn     Kind = "sign-in" // Arg: two digits and six; Value: the number and the role
)

// Acts reports whether a task changes the unit or takes something from it: the record says
// who had it done.
func (k Kind) Acts() bool {
	switch k {
	case SetTime, SetTable, Bundle, Export, Update, Restart, Reboot, PowerOff:
		return true
	}
	return false
}

// Task is one maintenance task.
type Task struct {
	No   int // counts up from 1: its result carries the same number
	Kind Kind
	Arg  string
	By   string // the staff number of who asked for it, or KeySwitch; "" for nobody known
}

// KeySwitch stands for who has turned the key, in the record.
const KeySwitch = "key-switch"

// Result is the outcome of a Task.
type Result struct {
	Lines  []string // for the page, in plain words; a long one is wrapped
	Failed bool
	Ready  bool   // OK may go on, with Value
	Value  string // see the tasks
}
