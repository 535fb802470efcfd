package localapi

import (
	"net"
	"net/http"
	"sync"
)

const (
	// maxConns limits how many connections are served at once, so that many readers
	// cannot use up the file descriptors that the journal needs, and maxUser how many of
	// one user. Root, the core's user and the screen's are not counted: a screen that
	// starts again must find its place.
	maxConns = 64
	maxUser  = 8
)

// limit counts the connections of users.
type limit struct {
	free   Guard // whose connections are not counted
	mu     sync.Mutex
	owner  map[net.Conn]int // user ids of those that are counted
	byUser map[int]int
}

func newLimit(free Guard) *limit {
	return &limit{free: free, owner: map[net.Conn]int{}, byUser: map[int]int{}}
}

// state closes every connection beyond the limits.
func (l *limit) state(c net.Conn, s http.ConnState) {
	switch s {
	case http.StateNew:
		if !l.admit(c, whoIs(c)) {
			c.Close()
		}
	case http.StateClosed, http.StateHijacked:
		l.leave(c)
	}
}

// admit counts a connection, and reports whether there is room for it.
func (l *limit) admit(c net.Conn, p peer) bool {
	if l.free.allows(p) == nil {
		return true
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.owner) >= maxConns || l.byUser[p.uid] >= maxUser {
		return false
	}
	l.owner[c] = p.uid
	l.byUser[p.uid]++
	return true
}

func (l *limit) leave(c net.Conn) {
	l.mu.Lock()
	defer l.mu.Unlock()
	uid, counted := l.owner[c]
	if !counted {
		return
	}
	delete(l.owner, c)
	if l.byUser[uid]--; l.byUser[uid] == 0 {
		delete(l.byUser, uid)
	}
}
