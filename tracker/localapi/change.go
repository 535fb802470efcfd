package localapi

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"
)

// What changes things. Every handler here stands behind server.only or server.change.

func (s *server) identify(w http.ResponseWriter, r *http.Request) {
	if s.core.Identify == nil {
		refuse(w, cannot("identify"))
		return
	}
	d, err := parseSeconds(r.URL.Query().Get("seconds"))
	if err == nil {
		err = s.core.Identify(r.Context(), d)
	}
	done(w, err)
}

func (s *server) screenTest(w http.ResponseWriter, r *http.Request) {
	if s.core.ScreenTest == nil {
		refuse(w, cannot("test its screen"))
		return
	}
	page, forced, err := parseScreenTest(r.URL.Query())
	if err == nil {
		err = s.core.ScreenTest(r.Context(), page, forced)
	}
	done(w, err)
}

func (s *server) drawn(w http.ResponseWriter, _ *http.Request) {
	if s.core.Drawn == nil {
		refuse(w, cannot("tell whether a screen shows the board"))
		return
	}
	s.core.Drawn()
	done(w, nil)
}

func (s *server) reload(w http.ResponseWriter, r *http.Request) {
	if s.core.Reload == nil {
		refuse(w, cannot("reload"))
		return
	}
	done(w, s.core.Reload(r.Context()))
}

func (s *server) acknowledge(w http.ResponseWriter, r *http.Request) {
	if s.core.Acknowledge == nil {
		refuse(w, cannot("acknowledge faults"))
		return
	}
	q := r.URL.Query()
	if q.Get("code") == "" {
		refuse(w, badRequest("acknowledge: expected the code of a fault, code=keypad-missing"))
		return
	}
	done(w, s.core.Acknowledge(r.Context(), q.Get("code"), peerFrom(r.Context()).name(q.Get("by"))))
}

func (s *server) correct(w http.ResponseWriter, r *http.Request) {
	if s.core.Correct == nil {
		refuse(w, cannot("correct hands"))
		return
	}
	body, err := readBody(w, r, maxCorrection)
	var c Correction
	if err == nil {
		c, err = parseCorrection(body)
	}
	if err != nil {
		refuse(w, badRequest("correction not understood: %v", err))
		return
	}
	c.By = peerFrom(r.Context()).name(c.By)
	made, err := s.core.Correct(r.Context(), c)
	if err != nil {
		refuse(w, err)
		return
	}
	answer(w, http.StatusOK, made)
}

func (s *server) press(w http.ResponseWriter, r *http.Request) {
	if s.core.Press == nil {
		refuse(w, &AnswerError{Status: http.StatusForbidden, Text: "this core was not started to take key presses through its socket"})
		return
	}
	body, err := readBody(w, r, maxPress)
	if err != nil {
		refuse(w, badRequest("press: %v", err))
		return
	}
	key, down, err := parsePress(body)
	if err == nil {
		err = s.core.Press(r.Context(), key, down)
	}
	done(w, err)
}

// readBody reads a small body in time. The deadline is taken off again, since the
// server watches the connection for the peer's leaving until the answer is out.
func readBody(w http.ResponseWriter, r *http.Request, most int64) ([]byte, error) {
	rc := http.NewResponseController(w)
	_ = rc.SetReadDeadline(time.Now().Add(readIn))
	defer func() { _ = rc.SetReadDeadline(time.Time{}) }()
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, most))
	var large *http.MaxBytesError
	if errors.As(err, &large) {
		err = fmt.Errorf("it is too large: expected at most %d bytes", most)
	}
	return body, err
}

func cannot(what string) error {
	return &AnswerError{Status: http.StatusNotImplemented, Text: "this core cannot " + what}
}

func done(w http.ResponseWriter, err error) {
	if err != nil {
		refuse(w, err)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}
