package menu

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
)

// Task is one maintenance task.
type Task struct {
	No   int // counts up from 1: its result carries the same number
	Kind Kind
	Arg  string
}

// Result is the outcome of a Task.
type Result struct {
	Lines  []string // for the page, in plain words; a long one is wrapped
	Failed bool
	Ready  bool   // OK may go on, with Value
	Value  string // see the tasks
}
