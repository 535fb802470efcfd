// Package helper lets the core, which has no rights and no network, have done what needs
// root: the menu's tasks of the clock, the addresses, an update, and the power.
//
// # Protocol
//
// The client connects to the socket and sends one HTTP request. systemd starts the
// helper, as root, for this connection; it answers and ends.
//
//	POST /v1/set-time?argument=2026-11-30T19:05:00Z     UTC, whole seconds
//	POST /v1/update?argument=shoeboard_0.2.0_arm64.deb  a package on the stick, by name
//	POST /v1/addresses                                  of the network interfaces
//	POST /v1/reboot
//	POST /v1/power-off
//
// 200 answers {"lines":["…"]}, lines for the page; any other status {"error":"…"}, one
// sentence for people: nothing was changed. To cancel, the client closes its side of the
// connection, and the answer says whether that was in time.
//
// # What a caller may assume
//
// Every request ends within its context, plus a moment to cancel. The helper answers
// root and the core's user only, accepts no other request, and checks everything again
// that the menu has checked before.
package helper

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"time"

	"shoeboard/cmd/internal/clock"
)

// Socket is where systemd listens for requests.
const Socket = "/run/shoeboard-helper/socket"

// The kinds of requests.
const (
	SetTime   = "set-time"  // Argument: the time, as RFC 3339 in UTC
	Update    = "update"    // Argument: the name of a package on the stick, no path
	Addresses = "addresses" // of the unit's network interfaces
	Reboot    = "reboot"
	PowerOff  = "power-off"
)

// Request is one thing that the helper is to do.
type Request struct{ Kind, Argument string }

const prefix = "/v1/"

// packageName is what the file of a package may be called.
var packageName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9.+~_-]{0,120}\.deb$`)

var errUnknown = errors.New("unknown request")

// check returns why a request cannot be done, nil if it may be.
func (r Request) check() error {
	switch r.Kind {
	case SetTime:
		_, err := r.time()
		return err
	case Update:
		if !packageName.MatchString(r.Argument) {
			return fmt.Errorf("%q is not the name of a package", r.Argument)
		}
		return nil
	case Addresses, Reboot, PowerOff:
		if r.Argument == "" {
			return nil
		}
	}
	return fmt.Errorf("%w: %q %q", errUnknown, r.Kind, r.Argument)
}

// time returns the time of a request to set it.
func (r Request) time() (time.Time, error) {
	at, err := time.Parse(time.RFC3339, r.Argument)
	if err != nil || at.UTC().Format(time.RFC3339) != r.Argument {
		return time.Time{}, fmt.Errorf("%q: expected a time as 2026-11-30T19:05:00Z", r.Argument)
	}
	return at, clock.Check(at)
}

// encode returns a request as it is sent.
func (r Request) encode() (*http.Request, error) {
	if err := r.check(); err != nil {
		return nil, err
	}
	address := "http://helper" + prefix + r.Kind
	if r.Argument != "" {
		address += "?" + url.Values{"argument": {r.Argument}}.Encode()
	}
	return http.NewRequest(http.MethodPost, address, http.NoBody)
}

// decode returns what was sent. It accepts only what encode may send.
func decode(q *http.Request) (Request, error) {
	kind, ok := strings.CutPrefix(q.URL.Path, prefix)
	r := Request{Kind: kind, Argument: q.URL.Query().Get("argument")}
	if !ok || q.Method != http.MethodPost {
		return Request{}, fmt.Errorf("%w: %s %s", errUnknown, q.Method, q.URL.Path)
	}
	return r, r.check()
}
