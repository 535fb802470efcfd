package localapi

import (
	"net/http"
	"net/http/pprof"
	"time"
)

// profileIn limits how long a profile may be taken and read.
const profileIn = 2 * time.Minute

// debug answers /v1/debug/pprof/, for root and the core's user: a unit that grows or stalls
// can be looked into where it stands.
//
//	curl --unix-socket /run/shoeboard/core.sock -o heap http://unit/v1/debug/pprof/heap
//	go tool pprof -top heap
func debug() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /debug/pprof/", pprof.Index)
	mux.HandleFunc("GET /debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("GET /debug/pprof/trace", pprof.Trace)
	return http.StripPrefix("/v1", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := (Guard{}).allows(peerFrom(r.Context())); err != nil {
			refuse(w, err)
			return
		}
		_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(profileIn))
		mux.ServeHTTP(w, r)
	}))
}
