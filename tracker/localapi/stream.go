package localapi

import (
	"net/http"
	"time"
)

// boards streams the newest Board as it comes. A reader that is slow blocks this
// goroutine in Write; what was published meanwhile is not kept for it.
func (s *server) boards(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/x-ndjson")
	w.WriteHeader(http.StatusOK)
	beat := time.NewTicker(beatEvery)
	defer beat.Stop()
	var sent *edition
	for {
		e := s.core.Hub.now.Load()
		if s.send(w, r, e, e == sent) != nil {
			return
		}
		sent = e
		select {
		case <-e.newer:
		case <-beat.C:
		case <-r.Context().Done():
			return
		}
	}
}

// send writes the edition's line, or a beat if the reader has it already.
func (s *server) send(w http.ResponseWriter, r *http.Request, e *edition, old bool) error {
	line := []byte("\n")
	var err error
	switch {
	case !old && e.board != nil:
		line, err = e.line()
	case s.alive(r.Context()) != nil:
		return nil // no beat: the reader draws its conclusion
	}
	if err != nil {
		return err
	}
	rc := http.NewResponseController(w)
	_ = rc.SetWriteDeadline(time.Now().Add(writeIn))
	if _, err := w.Write(line); err != nil {
		return err
	}
	return rc.Flush()
}
