package localapi

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/user"
	"slices"
	"strconv"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Guard names who may change things besides root and the program's own user.
type Guard struct {
	Users  []int // user ids
	Groups []int // group ids, a peer's own or supplementary
}

// peer is the process at the other end, as the kernel knew it when it connected.
type peer struct {
	uid    int
	groups []int // its own group first
}

// allows returns nil if p may change things, else the refusal.
func (g Guard) allows(p peer) error {
	if p.uid == 0 || p.uid == os.Geteuid() || slices.Contains(g.Users, p.uid) {
		return nil
	}
	for _, gid := range p.groups {
		if slices.Contains(g.Groups, gid) {
			return nil
		}
	}
	return &AnswerError{Status: 403, Text: fmt.Sprintf(
		"user %d may read the board, but not change anything here: use sudo", p.uid)}
}

// Check returns nil if the process at the other end of c may change things, else the
// refusal.
func (g Guard) Check(c net.Conn) error {
	return g.allows(whoIs(c))
}

// name returns the peer's login name. Root may sign for another, because a person uses
// sudo; nobody else may sign with another's name.
func (p peer) name(by string) string {
	if p.uid == 0 && by != "" {
		return by
	}
	if u, err := user.LookupId(strconv.Itoa(p.uid)); err == nil {
		return u.Username
	}
	return fmt.Sprintf("user %d", p.uid)
}

// number returns the peer's user id, "uid 1000". Root may sign for the user who used sudo.
func (p peer) number(by string) string {
	if uid, err := strconv.ParseUint(by, 10, 32); p.uid == 0 && err == nil {
		return fmt.Sprintf("uid %d", uid)
	}
	return fmt.Sprintf("uid %d", p.uid)
}

// UserOf returns the user id of the process at the other end of c, -1 when the kernel does
// not name it.
func UserOf(c net.Conn) int { return whoIs(c).uid }

// nobody may do nothing.
var nobody = peer{uid: -1}

// whoIs returns the process at the other end of a connection, nobody when the kernel does
// not name it.
func whoIs(c net.Conn) peer {
	u, ok := c.(*net.UnixConn)
	if !ok {
		return nobody
	}
	p, err := peerOf(u)
	if err != nil {
		return nobody
	}
	return p
}

// peerOf asks the kernel who connected.
func peerOf(c *net.UnixConn) (peer, error) {
	raw, err := c.SyscallConn()
	if err != nil {
		return peer{}, err
	}
	var p peer
	var failed error
	err = raw.Control(func(fd uintptr) { p, failed = credentials(int(fd)) })
	if err != nil {
		return peer{}, err
	}
	return p, failed
}

func credentials(fd int) (peer, error) {
	cred, err := unix.GetsockoptUcred(fd, unix.SOL_SOCKET, unix.SO_PEERCRED)
	if err != nil {
		return peer{}, os.NewSyscallError("getsockopt SO_PEERCRED", err)
	}
	p := peer{uid: int(cred.Uid), groups: []int{int(cred.Gid)}}
	for _, gid := range peerGroups(fd) {
		p.groups = append(p.groups, int(gid))
	}
	return p, nil
}

// peerGroups returns the supplementary groups of the peer, none where the kernel
// cannot say (before Linux 4.13). The kernel's own list is asked for because
// /proc/PID/status may by now be another process's, and a user database says
// what someone may become, not what the peer is.
func peerGroups(fd int) []uint32 {
	gids := make([]uint32, 64)
	for {
		size := uint32(len(gids)) * 4
		_, _, errno := unix.Syscall6(unix.SYS_GETSOCKOPT, uintptr(fd), unix.SOL_SOCKET, unix.SO_PEERGROUPS,
			uintptr(unsafe.Pointer(&gids[0])), uintptr(unsafe.Pointer(&size)), 0)
		switch {
		case errno == 0:
			return gids[:size/4]
		case errno == unix.ERANGE && int(size/4) > len(gids):
			gids = make([]uint32, size/4)
		default:
			return nil
		}
	}
}

type peerKey struct{}

// peerFrom returns the peer of a request.
func peerFrom(ctx context.Context) peer {
	if p, ok := ctx.Value(peerKey{}).(peer); ok {
		return p
	}
	return nobody
}
