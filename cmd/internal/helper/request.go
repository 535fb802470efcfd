// Package helper carries what the keypad's menu wants of root from the core, which has
// no rights and no network, to a helper that has both, and the answer back.
//
// # Words
//
// An ask is one line in a file of the spool's folder "ask", which is the core's own.
// The answer is a file of the same name in "answer", which is root's own. The helper
// is started by systemd when an ask appears, answers what is there, and ends.
//
// # What a caller may assume
//
// Every ask comes to an end within its context: an answer, a refusal in words,
// ErrNoAnswer, or ErrUnanswered if the helper has begun and takes too long. An ask that
// was given up before it was taken, or that is older than Fresh, is never done late; of one
// that was called back in time the end is ErrNoAnswer, and ErrUnanswered when it was too
// late. The helper trusts nothing of an ask but its meaning: it reads a file only when it
// is a plain and short one, takes no line that Parse does not take, and judges everything
// again that the menu has judged before.
//
// # The line
//
//	shoeboard-ask 1 ASKED KIND [ARGUMENT]\n
//
// ASKED is the boot clock in nanoseconds, in digits. KIND with its ARGUMENT is one of
//
//	set-time 2026-11-30T19:05:00Z     UTC, of the years FirstYear to LastYear
//	update shoeboard_0.2.0_arm64.deb  a package on the stick, by its name
//	addresses
//	reboot
//	power-off
//
// with single spaces, at most 256 bytes, nothing before or after it.
package helper

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// Kind is what is asked for.
type Kind string

// All kinds.
const (
	SetTime   Kind = "set-time"  // Request.Time
	Update    Kind = "update"    // Request.File
	Addresses Kind = "addresses" // of the unit's network interfaces
	Reboot    Kind = "reboot"
	PowerOff  Kind = "power-off"
)

// FirstYear and LastYear bound what may be set: before this program there was no
// table, and the clock of a 32-bit unit ends in January 2038.
const (
	FirstYear = 2026
	LastYear  = 2037
)

// Fresh is how long an ask may wait for the helper.
const Fresh = 30 * time.Second

// Works is how long the helper may work at an ask: TimeoutStartSec of its unit. To pack
// and check an update on a slow card takes more than Fresh.
const Works = 2 * time.Minute

const (
	mostLine = 256
	head     = "shoeboard-ask"
	version  = "1"
)

// Request is one ask.
type Request struct {
	Kind Kind
	Time time.Time // SetTime: whole seconds
	File string    // Update: the name of a file, no path
}

// packageName is what the file of a package may be called.
var packageName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9.+~_-]{0,120}\.deb$`)

var errLine = errors.New("this is no ask")

// line is the request as it is written at the time asked of the boot clock.
func (r Request) line(asked time.Duration) (string, error) {
	words := []string{head, version, strconv.FormatInt(int64(asked), 10), string(r.Kind)}
	switch r.Kind {
	case SetTime:
		words = append(words, r.Time.UTC().Format(time.RFC3339))
	case Update:
		words = append(words, r.File)
	}
	text := strings.Join(words, " ") + "\n"
	_, _, err := Parse([]byte(text))
	return text, err
}

// Parse reads one line and when it was asked, by the boot clock. It takes nothing
// that line does not write.
func Parse(text []byte) (Request, time.Duration, error) {
	line, whole := strings.CutSuffix(string(text), "\n")
	words := strings.Split(line, " ")
	if len(text) > mostLine || !whole || len(words) < 4 || words[0] != head || words[1] != version {
		return Request{}, 0, errLine
	}
	asked, err := strconv.ParseInt(words[2], 10, 64)
	if err != nil || asked < 0 || words[2] != strconv.FormatInt(asked, 10) {
		return Request{}, 0, errLine
	}
	r, err := request(Kind(words[3]), words[4:])
	return r, time.Duration(asked), err
}

func request(kind Kind, args []string) (Request, error) {
	r := Request{Kind: kind}
	switch kind {
	case Addresses, Reboot, PowerOff:
		if len(args) != 0 {
			return Request{}, errLine
		}
		return r, nil
	case SetTime, Update:
		if len(args) != 1 {
			return Request{}, errLine
		}
	default:
		return Request{}, fmt.Errorf("%w: kind %q", errLine, kind)
	}
	if kind == Update {
		r.File = args[0]
		if !packageName.MatchString(r.File) {
			return Request{}, fmt.Errorf("%q is not the name of a package", r.File)
		}
		return r, nil
	}
	at, err := time.Parse(time.RFC3339, args[0])
	if err != nil || at.UTC().Format(time.RFC3339) != args[0] {
		return Request{}, errLine
	}
	r.Time = at.UTC()
	if y := r.Time.Year(); y < FirstYear || y > LastYear {
		return Request{}, fmt.Errorf("the year %d cannot be: expected %d to %d", y, FirstYear, LastYear)
	}
	return r, nil
}
