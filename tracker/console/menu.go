package console

import (
	"time"

	"shoeboard/tracker"
	"shoeboard/tracker/menu"
)

// The technician's menu: pages on the dealer's keypad, shown on the echo and whole
// on the screen. It opens on a closed table only. What a page is stands in the table
// below as data; what the keys do there is menu_act.go, what is shown menu_show.go.
// What the menu cannot do by itself it asks the world for: an Errand goes out, and
// its Answer comes back as one more input.

// Bounds of what an answer may bring to a page.
const (
	mostLines = 100
	mostText  = 400
)

// menuFor is how long the menu stays without a press.
const menuFor = 60 * time.Second

// page is one page of the menu.
type page uint8

const (
	pageMain page = iota
	pageStatus
	pageDoctor
	pageFaults
	pageScreen
	pageKeypad
	pageTime
	pageTable
	pageStick
	pagePower
	pageStickState
	pageBundle
	pageUpdate
	pageExport
	pageRestart
	pageReboot
	pageOff
)

// form says which digits a page takes.
type form uint8

const (
	noForm    form = iota
	timeForm       // YYYYMMDDhhmm
	dayForm        // YYYYMMDD
	tableForm      // 1 to 4 digits
)

// item is a line of a page that leads to another page.
type item struct {
	page  page
	short string // at most 8 characters, for the echo
	long  string
}

// spec is what a page is.
type spec struct {
	title    string // at most 13 characters
	up       page
	items    []item
	asks     menu.Kind // goes out when the page opens: the answer is the page
	does     menu.Kind // goes out by OK
	question string    // what OK would do, at most 13 characters
	form     form
}

// specs are the pages.
var specs = [...]spec{
	pageMain: {title: "MENU", items: []item{
		{pageStatus, "STATUS", "Status: address, serial number, versions"},
		{pageDoctor, "DOCTOR", "Doctor: what is wrong and what to do"},
		{pageFaults, "FAULTS", "Faults: list and acknowledge"},
		{pageScreen, "SCREEN", "Screen test"},
		{pageKeypad, "KEYPAD", "Keypad test"},
		{pageTime, "TIME", "Set the time"},
		{pageTable, "TABLE", "Table number"},
		{pageStick, "STICK", "Stick: state, bundle, update, export"},
		{pagePower, "POWER", "Restart and power off"},
	}},
	pageStatus: {title: "STATUS", asks: menu.Status},
	pageDoctor: {title: "DOCTOR", asks: menu.Doctor},
	pageFaults: {title: "FAULTS"},
	pageScreen: {title: "SCREEN TEST"},
	pageKeypad: {title: "KEYPAD TEST"},
	pageTime:   {title: "SET TIME", asks: menu.Clock, does: menu.SetTime, form: timeForm},
	pageTable:  {title: "TABLE NUMBER", does: menu.SetTable, form: tableForm},
	pageStick: {title: "STICK", items: []item{
		{pageStickState, "STATE", "State of the stick and its mirror"},
		{pageBundle, "BUNDLE", "Write a support bundle"},
		{pageUpdate, "UPDATE", "Update the program"},
		{pageExport, "EXPORT", "Export a day"},
	}},
	pagePower: {title: "POWER", items: []item{
		{pageRestart, "PROGRAM", "Restart the program"},
		{pageReboot, "UNIT", "Restart the unit"},
		{pageOff, "OFF", "Power off"},
	}},
	pageStickState: {title: "STICK", up: pageStick, asks: menu.Stick},
	pageBundle:     {title: "BUNDLE", up: pageStick, does: menu.Bundle, question: "WRITE BUNDLE?"},
	pageUpdate:     {title: "UPDATE", up: pageStick, asks: menu.FindUpdate, does: menu.Update, question: "UPDATE?"},
	pageExport:     {title: "EXPORT", up: pageStick, asks: menu.Clock, does: menu.Export, form: dayForm},
	pageRestart:    {title: "RESTART", up: pagePower, does: menu.Restart, question: "RESTART NOW?"},
	pageReboot:     {title: "RESTART UNIT", up: pagePower, does: menu.Reboot, question: "RESTART UNIT?"},
	pageOff:        {title: "POWER OFF", up: pagePower, does: menu.PowerOff, question: "POWER OFF?"},
}

// menu is where the technician stands.
type menuState struct {
	page  page
	since time.Duration // the last press or answer
	top   int           // the first row of the echo; of faults, the one shown
	codes []string      // of the faults that have a digit
	out   int           // the errand that is out, 0: none
	doing bool          // it is that of OK
	back  bool          // and was called back: it may be done already, so what came of it is told
	done  bool          // OK has done it, or could not
	told  *menu.Result  // what came back last
	value string        // what the digits began with
	keyed string        // digits keyed over it
	test  int           // the page of the screen test
	pad   pad
}

func (m *menuState) spec() *spec { return &specs[m.page] }

// looking says whether the screen shows a page of its own: a test.
func (m *menuState) looking() bool { return m.page == pageScreen || m.page == pageKeypad }

// Waits is the number of the errand that is to go on, 0: none. One that is called back
// may end at once; its answer is dropped, unless it was that of an OK.
func (c Console) Waits() int {
	if c.menu.back {
		return 0
	}
	return c.menu.out
}

// InMenu says whether the technician's menu is open.
func (c Console) InMenu() bool { return c.mode == inMenu }

// ScreenTest is the number of the screen test's page that is shown, from 0 on, and
// false when none is.
func (c Console) ScreenTest() (int, bool) {
	return c.menu.test, c.mode == inMenu && c.menu.page == pageScreen
}

// openMenu opens the menu on a table that is closed, on disk as well.
func (c *Console) openMenu(t *Context) Out {
	if t.State.Phase != tracker.TableClosed {
		return c.refuseSaving(t)
	}
	c.clear()
	c.log = nil // what is pressed in the menu led to no decision
	return c.show(t, pageMain)
}

// show goes to a page and asks for what stands on it.
func (c *Console) show(t *Context, p page) Out {
	c.menu = menuState{page: p, since: t.Now.Mono}
	c.set(inMenu, standsAfterQ, t.Now.Mono)
	s := c.menu.spec()
	if s.form == tableForm {
		c.menu.value = t.State.Settings.Table
	}
	if p == pageFaults {
		c.menu.keepFaults(t)
	}
	if s.asks != "" {
		return c.send(s.asks, "")
	}
	return Out{Tone: Ack}
}

// send asks the world for something. One errand is out at a time.
func (c *Console) send(kind menu.Kind, arg string) Out {
	c.errands++
	c.menu.out, c.menu.told, c.menu.top = c.errands, nil, 0
	return Out{Tone: Ack, Errand: &menu.Task{No: c.errands, Kind: kind, Arg: arg}}
}

// Answered takes what came of an errand. An answer that is not waited for is dropped.
func (c Console) Answered(t *Context, no int, a menu.Result) (Console, Out) {
	if no == 0 || c.menu.out != no {
		return c, Out{}
	}
	a = bounded(a)
	c.menu.out, c.menu.back, c.menu.since, c.menu.top = 0, false, t.Now.Mono, 0
	c.uncover(t.Now.Mono)
	c.shown = t.Now.Mono
	tone := Ack
	if a.Failed {
		tone = Refused
	}
	s := c.menu.spec()
	c.menu.told = &a
	switch {
	case c.menu.doing:
		c.menu.doing, c.menu.done = false, true
	case s.form != noForm && !a.Failed && c.menu.begin(a.Value):
		c.menu.told = nil
	case s.form != noForm:
		c.menu.done = true
	}
	return c, Out{Tone: tone}
}

// tickMenu leaves the menu when nothing was pressed for a minute, and the keypad test
// when CLEAR was held. While an errand is out the menu stays; of one that was called back
// the world may say nothing any more.
func (c *Console) tickMenu(t *Context) {
	if c.mode != inMenu {
		return
	}
	out, held := c.clearHeld()
	switch {
	case c.menu.idle() && t.Now.Mono >= c.menu.since+menuFor:
		c.clear()
	case c.TestsKeys() && held && t.Now.Mono >= out:
		c.show(t, pageMain)
	}
}

// idle says that nothing goes on which the menu would stay for.
func (m *menuState) idle() bool { return m.out == 0 || m.back }

// menuNext is when tickMenu has something to do.
func (c *Console) menuNext(at func(time.Duration)) {
	if c.menu.idle() {
		at(c.menu.since + menuFor)
	}
	if out, held := c.clearHeld(); held && c.TestsKeys() {
		at(out)
	}
}
