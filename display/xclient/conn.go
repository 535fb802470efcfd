package xclient

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
)

// conn is a connection to an X server. One goroutine uses it; another may
// close it.
type conn struct {
	net.Conn
	in     *bufio.Reader
	seq    uint16   // of the last request
	events [][]byte // came while a reply was awaited
	root   uint32   // the first screen's root window
}

var order = binary.LittleEndian // which the set-up asks the server to speak

// dial connects to the display and greets the server.
func dial(display string) (*conn, error) {
	addr, err := parseDisplay(display)
	if err != nil {
		return nil, err
	}
	sock, err := addr.dial()
	if err != nil {
		return nil, fmt.Errorf("display %q: %w", display, err)
	}
	c := &conn{Conn: sock, in: bufio.NewReader(sock)}
	if err := c.setUp(addr.cookie()); err != nil {
		sock.Close()
		return nil, fmt.Errorf("display %q: %w", display, err)
	}
	return c, nil
}

// setUp sends the greeting with the cookie that lets us in and learns the root
// window.
func (c *conn) setUp(cookie []byte) error {
	const protocol = "MIT-MAGIC-COOKIE-1"
	name := ""
	if cookie != nil {
		name = protocol
	}
	hello := []byte{'l', 0, 11, 0, 0, 0, byte(len(name)), 0, byte(len(cookie)), 0, 0, 0}
	hello = append(hello, pad([]byte(name))...)
	hello = append(hello, pad(cookie)...)
	if _, err := c.Write(hello); err != nil {
		return err
	}
	head := make([]byte, 8)
	if _, err := io.ReadFull(c.in, head); err != nil {
		return err
	}
	body := make([]byte, 4*int(order.Uint16(head[6:])))
	if _, err := io.ReadFull(c.in, body); err != nil {
		return err
	}
	if head[0] != 1 {
		return fmt.Errorf("the X server refuses: %q", body[:min(len(body), int(head[1]))])
	}
	return c.readRoot(body)
}

// readRoot finds the first screen behind the vendor's name and the pixmap
// formats.
func (c *conn) readRoot(body []byte) error {
	if len(body) < 32 {
		return errors.New("the X server's greeting is too short")
	}
	screens := 32 + len(pad(make([]byte, order.Uint16(body[16:])))) + 8*int(body[21])
	if len(body) < screens+4 {
		return errors.New("the X server has no screen")
	}
	c.root = order.Uint32(body[screens:])
	return nil
}

// pad fills b up to whole words of four bytes.
func pad(b []byte) []byte { return append(b, make([]byte, -len(b)&3)...) }

// send writes a request: opcode, its data byte, and a body of whole words.
func (c *conn) send(opcode, data byte, body []byte) error {
	head := []byte{opcode, data, 0, 0}
	order.PutUint16(head[2:], uint16(1+len(body)/4))
	c.seq++
	_, err := c.Write(append(head, body...))
	return err
}

// errRefused is the server's answer to a request about something that is not
// there any more.
type errRefused struct{ code byte }

func (e errRefused) Error() string { return fmt.Sprintf("the X server answers error %d", e.code) }

// call sends a request and returns its reply. Events that come first are kept.
func (c *conn) call(opcode, data byte, body []byte) ([]byte, error) {
	if err := c.send(opcode, data, body); err != nil {
		return nil, err
	}
	for {
		p, err := c.read()
		switch {
		case err != nil:
			return nil, err
		case p[0] > 1:
			c.events = append(c.events, p)
		case order.Uint16(p[2:]) != c.seq: // an error of a request without reply
		case p[0] == 0:
			return nil, errRefused{p[1]}
		default:
			return p, nil
		}
	}
}

// next returns the next event.
func (c *conn) next() ([]byte, error) {
	if len(c.events) > 0 {
		e := c.events[0]
		c.events = c.events[1:]
		return e, nil
	}
	for {
		p, err := c.read()
		if err != nil || p[0] > 1 {
			return p, err
		}
	}
}

// longest bounds a packet: no reply we ask for comes near it.
const longest = 1 << 20

// read returns one packet: an error (0), a reply (1) or an event.
func (c *conn) read() ([]byte, error) {
	p := make([]byte, 32)
	if _, err := io.ReadFull(c.in, p); err != nil {
		return nil, err
	}
	const generic = 35 // the one event that may be longer
	if p[0] != 1 && p[0]&0x7f != generic {
		return p, nil
	}
	more := order.Uint32(p[4:])
	if more > longest/4 {
		return nil, errors.New("the X server sends a packet without end")
	}
	p = append(p, make([]byte, 4*more)...)
	_, err := io.ReadFull(c.in, p[32:])
	return p, err
}
