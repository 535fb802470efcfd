package evdev

import (
	"encoding/binary"
	"time"
)

// Event types and codes of the kernel's input-event-codes.h.
const (
	evSyn      = 0
	evKey      = 1
	synReport  = 0
	synDropped = 3
)

// kernelsOwn is the value of a SYN_REPORT that no device sent. The kernel ends its
// auto-repeats with it, and the releases that it makes up when a device with keys down is
// unplugged, put to sleep or held back (input_disconnect_device and its like). To a quick
// reader such a release looks like a finger that let go.
const kernelsOwn = 1

// longestFrame bounds the records held back for a report that never ends. The kernel's own
// buffer for a keyboard holds 64.
const longestFrame = 256

// wordSize is the size in bytes of a C long, by which the two record forms differ.
type wordSize int

// Record forms: 24 bytes for 64-bit programs, 16 for 32-bit ones, whatever the kernel.
const (
	word32 wordSize = 4
	word64 wordSize = 8
)

// What is the kind of a Record.
type What uint8

// The kinds of records.
const (
	KeyDown What = iota + 1
	KeyUp
	Dropped  // the kernel threw events away; everything is unreliable from here
	Released // the kernel, not a finger, released the keys: the pad leaves, or is put to sleep
	Resumed  // the stream is whole again: the state of all keys must be read
)

// Record is one event of a node. Only key records have a Code. At is in the clock that was
// chosen for the node.
type Record struct {
	What What
	Code uint16
	At   time.Duration
}

// decoder makes Records of the bytes of a node, however they are cut. Keys are held back
// until their report is complete, because SYN_DROPPED voids them. It leaves out auto-repeat,
// scan codes and everything that is no key.
type decoder struct {
	word    wordSize
	part    []byte   // the beginning of an incomplete record
	frame   []Record // keys of the report that is not complete yet
	dropped bool     // between SYN_DROPPED and the next SYN_REPORT
}

// newDecoder returns a decoder for records of that form.
func newDecoder(w wordSize) *decoder { return &decoder{word: w} }

// feed decodes the next bytes and returns the records that they complete.
func (d *decoder) feed(p []byte) []Record {
	d.part = append(d.part, p...)
	size := 2*int(d.word) + 8
	var out []Record
	for len(d.part) >= size {
		out = d.record(d.part[:size], out)
		d.part = d.part[size:]
	}
	d.part = append([]byte(nil), d.part...) // let go of the consumed bytes
	return out
}

func (d *decoder) record(b []byte, out []Record) []Record {
	at, b := d.stamp(b)
	typ, code := binary.NativeEndian.Uint16(b), binary.NativeEndian.Uint16(b[2:])
	value := int32(binary.NativeEndian.Uint32(b[4:]))
	switch {
	case typ == evSyn && code == synDropped:
		return d.drop(at, out)
	case typ == evSyn && code == synReport:
		return d.report(at, value, out)
	case typ == evKey && !d.dropped && value == 1:
		d.frame = append(d.frame, Record{KeyDown, code, at})
	case typ == evKey && !d.dropped && value == 0:
		d.frame = append(d.frame, Record{KeyUp, code, at})
	}
	if len(d.frame) > longestFrame {
		return d.drop(at, out)
	}
	return out
}

// stamp splits the time off a record. It is unsigned: a 32-bit second lasts 136
// years of the boot-time clock.
func (d *decoder) stamp(b []byte) (time.Duration, []byte) {
	var sec, usec uint64
	if d.word == word64 {
		sec, usec = binary.NativeEndian.Uint64(b), binary.NativeEndian.Uint64(b[8:])
	} else {
		sec, usec = uint64(binary.NativeEndian.Uint32(b)), uint64(binary.NativeEndian.Uint32(b[4:]))
	}
	return time.Duration(sec)*time.Second + time.Duration(usec)*time.Microsecond, b[2*d.word:]
}

func (d *decoder) drop(at time.Duration, out []Record) []Record {
	d.frame = d.frame[:0]
	if d.dropped {
		return out
	}
	d.dropped = true
	return append(out, Record{What: Dropped, At: at})
}

func (d *decoder) report(at time.Duration, value int32, out []Record) []Record {
	switch {
	case d.dropped:
		d.dropped = false
		return append(out, Record{What: Resumed, At: at})
	case value == kernelsOwn && len(d.frame) > 0:
		out = append(out, Record{What: Released, At: at})
	default:
		out = append(out, d.frame...)
	}
	d.frame = d.frame[:0]
	return out
}
