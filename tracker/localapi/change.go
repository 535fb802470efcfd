package localapi

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"shoeboard/stats"
	"shoeboard/tracker/strict"
)

// The handlers of what changes things, each behind require.

func (c Core) identify(_ http.ResponseWriter, r *http.Request) (any, error) {
	d, err := parseSeconds(r.URL.Query().Get("seconds"))
	if err != nil {
		return nil, err
	}
	return nil, c.Identify(r.Context(), d)
}

// parseSeconds reads how long to identify.
func parseSeconds(s string) (time.Duration, error) {
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 || n > maxIdentify {
		return 0, badRequest("identify: seconds %q, expected a whole number from 0 (stop) to %d", s, maxIdentify)
	}
	return time.Duration(n) * time.Second, nil
}

func (c Core) screenTest(_ http.ResponseWriter, r *http.Request) (any, error) {
	page, forced, err := parseScreenTest(r.URL.Query())
	if err != nil {
		return nil, err
	}
	return nil, c.ScreenTest(r.Context(), page, forced)
}

// parseScreenTest reads which page of the screen test is wanted, "" for none, and
// whether in the middle of a hand as well.
func parseScreenTest(q url.Values) (page string, forced bool, err error) {
	page, pages := q.Get("page"), stats.TestPages()
	if page != "" && !slices.Contains(pages, page) {
		hint := "expected one of " + strings.Join(pages, ", ")
		if near, ok := strict.Nearest(page, pages); ok {
			hint = "did you mean " + near + "? " + hint
		}
		return "", false, badRequest("screen test: there is no page %q: %s", page, hint)
	}
	if s := q.Get("force"); s != "" {
		if forced, err = strconv.ParseBool(s); err != nil {
			return "", false, badRequest("screen test: force %q, expected true or false", s)
		}
	}
	return page, forced, nil
}

func (c Core) drawn(http.ResponseWriter, *http.Request) (any, error) {
	if c.Drawn == nil {
		return cannot("tell whether a screen shows the board")(nil, nil)
	}
	c.Drawn()
	return nil, nil
}

func (c Core) reload(_ http.ResponseWriter, r *http.Request) (any, error) {
	return nil, c.Reload(r.Context())
}

func (c Core) acknowledge(_ http.ResponseWriter, r *http.Request) (any, error) {
	q := r.URL.Query()
	if q.Get("code") == "" {
		return nil, badRequest("acknowledge: expected the code of a fault, code=keypad-missing")
	}
	return nil, c.Acknowledge(r.Context(), q.Get("code"), peerFrom(r.Context()).name(q.Get("by")))
}

func (c Core) acted(_ http.ResponseWriter, r *http.Request) (any, error) {
	q := r.URL.Query()
	if q.Get("act") == "" {
		return nil, badRequest("acted: expected what was done, act=table-number")
	}
	return nil, c.Acted(r.Context(), q.Get("act"), q.Get("was"), q.Get("is"), peerFrom(r.Context()).number(q.Get("by")))
}

func (c Core) correct(w http.ResponseWriter, r *http.Request) (any, error) {
	var what Correction
	err := readJSON(w, r, maxCorrection, &what)
	if err == nil {
		err = what.check()
	}
	if err != nil {
		return nil, badRequest("correction not understood: %v", err)
	}
	what.By = peerFrom(r.Context()).name(what.By)
	made, err := c.Correct(r.Context(), what)
	return made, err
}

func (c Core) press(w http.ResponseWriter, r *http.Request) (any, error) {
	if c.Press == nil {
		return nil, &AnswerError{Status: http.StatusForbidden,
			Text: "this core does not take key presses through its socket"}
	}
	var p press
	err := readJSON(w, r, maxPress, &p)
	if err == nil {
		err = p.check()
	}
	if err != nil {
		return nil, badRequest(`press not understood: %v; expected {"key":"BANKER","down":true}`, err)
	}
	return nil, c.Press(r.Context(), p.Key, *p.Down)
}

// cannot returns the action of a core that lacks what it would need.
func cannot(what string) action {
	return func(http.ResponseWriter, *http.Request) (any, error) {
		return nil, &AnswerError{Status: http.StatusNotImplemented, Text: "this core cannot " + what}
	}
}

func badRequest(format string, a ...any) error {
	return &AnswerError{Status: http.StatusBadRequest, Text: fmt.Sprintf(format, a...)}
}
