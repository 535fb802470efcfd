package xclient

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// address is what a DISPLAY value names.
type address struct {
	host   string // empty for this machine
	number string
}

func parseDisplay(display string) (address, error) {
	host, rest, ok := strings.Cut(display, ":")
	number, _, _ := strings.Cut(rest, ".")
	if _, err := strconv.ParseUint(number, 10, 16); !ok || err != nil {
		return address{}, fmt.Errorf("DISPLAY is %q; expected something like :0", display)
	}
	if host == "unix" {
		host = ""
	}
	return address{host, number}, nil
}

func (a address) dial() (net.Conn, error) {
	if a.host != "" {
		n, _ := strconv.Atoi(a.number)
		return net.Dial("tcp", net.JoinHostPort(a.host, strconv.Itoa(6000+n)))
	}
	path := "/tmp/.X11-unix/X" + a.number
	if sock, err := net.Dial("unix", "@"+path); err == nil {
		return sock, nil
	}
	return net.Dial("unix", path)
}

// cookie returns the password for the display from the user's authority file,
// nil when there is none: some servers ask for none.
func (a address) cookie() []byte {
	path := os.Getenv("XAUTHORITY")
	if path == "" {
		home, err := os.UserHomeDir()
		if err != nil {
			return nil
		}
		path = filepath.Join(home, ".Xauthority")
	}
	file, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	host := a.host
	if host == "" {
		host, _ = os.Hostname()
	}
	return findCookie(file, host, a.number)
}

// findCookie looks through an authority file: entries of a family and four
// counted strings, host, display number, protocol and secret. An entry of
// this host comes before one of any host.
func findCookie(file []byte, host, number string) []byte {
	var any []byte
	for len(file) > 2 {
		file = file[2:] // the family says how the host is written; we compare it as text
		var f [4][]byte
		for i := range f {
			if len(file) < 2 {
				return any
			}
			n := int(binary.BigEndian.Uint16(file))
			if file = file[2:]; len(file) < n {
				return any
			}
			f[i], file = file[:n], file[n:]
		}
		if string(f[2]) != "MIT-MAGIC-COOKIE-1" || (len(f[1]) > 0 && string(f[1]) != number) {
			continue
		}
		if bytes.Equal(f[0], []byte(host)) {
			return f[3]
		}
		if any == nil {
			any = f[3]
		}
	}
	return any
}
