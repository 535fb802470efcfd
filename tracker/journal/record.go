package journal

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/crc32"
	"strings"
)

const (
	magic      = "SHOEJRNL"
	version    = 1
	headerSize = 64
	envelope   = 76 // a record's bytes before source and payload
	maxRecord  = 1 << 20

	// MaxUnit is the longest unit id, in bytes.
	MaxUnit = 40
	// maxSource is the longest source of a record, in bytes.
	maxSource = 32
	// maxPayload is the longest payload of a record, in bytes.
	maxPayload = maxRecord - envelope - maxSource
)

// Kind says what a record's payload is.
type Kind uint8

const (
	// Event is one decision of the table.
	Event Kind = 1
	// Checkpoint is the whole state at the beginning of a segment.
	Checkpoint Kind = 2
)

// EventID makes an event known again when it is offered twice. The zero value
// means none.
type EventID [8]byte

// String gives 16 hexadecimal digits.
func (id EventID) String() string { return hex.EncodeToString(id[:]) }

// BootID names one run of the machine: boot clocks of different ids do not
// compare. The zero value means unknown.
type BootID [16]byte

// String gives 32 hexadecimal digits.
func (id BootID) String() string { return hex.EncodeToString(id[:]) }

// ParseBootID reads 32 hexadecimal digits, with or without the dashes that
// Linux puts in.
func ParseBootID(s string) (BootID, error) {
	var id BootID
	b, err := hex.DecodeString(strings.ReplaceAll(strings.TrimSpace(s), "-", ""))
	if err != nil || len(b) != len(id) {
		return id, fmt.Errorf("boot id %q: expected 32 hexadecimal digits", s)
	}
	return BootID(b), nil
}

// Record is one fact of the record. Append and Roll set Seq and Kind.
type Record struct {
	Seq     uint64  // from 1, without gaps
	Kind    Kind    // Event or Checkpoint
	ID      EventID // idempotency key of an event
	Boot    BootID
	Mono    int64  // boot clock, nanoseconds
	Wall    int64  // wall clock, nanoseconds since 1970 UTC
	Trusted bool   // whether the wall clock had been set
	Source  string // where the command came from, at most maxSource bytes
	Payload []byte // the caller's bytes, at most maxPayload
}

// errTooLong is returned for a source or a payload that does not fit; nothing
// has been written and the journal goes on.
var errTooLong = errors.New("journal: record is too long")

func (r Record) fits() error {
	if len(r.Source) > maxSource {
		return fmt.Errorf("%w: source of %d bytes, at most %d", errTooLong, len(r.Source), maxSource)
	}
	if len(r.Payload) > maxPayload {
		return fmt.Errorf("%w: payload of %d bytes, at most %d", errTooLong, len(r.Payload), maxPayload)
	}
	return nil
}

// digest is the hash that chains records.
type digest [16]byte

func digestOf(b []byte) digest {
	sum := sha256.Sum256(b)
	return digest(sum[:16])
}

func checksum(parts ...[]byte) uint32 {
	var sum uint32
	for _, p := range parts {
		sum = crc32.Update(sum, crc32.MakeTable(crc32.Castagnoli), p)
	}
	return sum
}

// appendRecord writes r, which follows the record with hash prev, behind b.
func appendRecord(b []byte, r Record, prev digest) []byte {
	at := len(b)
	le := binary.LittleEndian
	b = le.AppendUint32(b, uint32(envelope+len(r.Source)+len(r.Payload)))
	b = le.AppendUint32(b, 0)
	b = le.AppendUint64(b, r.Seq)
	b = append(b, prev[:]...)
	b = append(b, r.ID[:]...)
	b = append(b, r.Boot[:]...)
	b = le.AppendUint64(b, uint64(r.Mono))
	b = le.AppendUint64(b, uint64(r.Wall))
	var flags byte
	if r.Trusted {
		flags = 1
	}
	b = append(b, byte(r.Kind), flags, byte(len(r.Source)), 0)
	b = append(b, r.Source...)
	b = append(b, r.Payload...)
	le.PutUint32(b[at+4:], checksum(b[at:at+4], b[at+8:]))
	return b
}

// placed is a record as it stands in a segment.
type placed struct {
	Record
	at, end    int64 // bytes from the beginning of the segment
	prev, hash digest
}

// readRecord reads the record at the beginning of b. The cheap looks come
// before the checksum, because a bad stretch is tried at every byte; end says how many bytes
// the checksum took, of a bad record too.
func readRecord(b []byte, firstSeq, lastSeq uint64) (placed, bool) {
	if len(b) < envelope {
		return placed{}, false
	}
	le := binary.LittleEndian
	size, seq := le.Uint32(b), le.Uint64(b[8:])
	kind, flags, source := Kind(b[72]), b[73], int(b[74])
	switch {
	case size < envelope || size > maxRecord || int(size) > len(b):
		return placed{}, false
	case seq < firstSeq || seq > lastSeq:
		return placed{}, false
	case kind != Event && kind != Checkpoint, flags > 1, b[75] != 0:
		return placed{}, false
	case source > maxSource || envelope+source > int(size):
		return placed{}, false
	}
	b = b[:size]
	if le.Uint32(b[4:]) != checksum(b[:4], b[8:]) {
		return placed{end: int64(size)}, false
	}
	return placed{
		Record: Record{
			Seq: seq, Kind: kind, ID: EventID(b[32:40]), Boot: BootID(b[40:56]),
			Mono: int64(le.Uint64(b[56:])), Wall: int64(le.Uint64(b[64:])), Trusted: flags == 1,
			Source: string(b[envelope : envelope+source]), Payload: b[envelope+source : size : size],
		},
		end: int64(size), prev: digest(b[16:32]), hash: digestOf(b),
	}, true
}

// appendHeader writes a segment's header behind b.
func appendHeader(b []byte, unit string, first uint64) []byte {
	at := len(b)
	le := binary.LittleEndian
	b = append(b, magic...)
	b = le.AppendUint16(b, version)
	b = le.AppendUint16(b, uint16(len(unit)))
	b = le.AppendUint32(b, 0)
	b = le.AppendUint64(b, first)
	b = append(b, unit...)
	b = append(b, make([]byte, MaxUnit-len(unit))...)
	le.PutUint32(b[at+12:], checksum(b[at:at+headerSize]))
	return b
}

// versionError says that a segment was written in a format this program does
// not know. Nothing has been changed.
type versionError struct {
	Segment string
	Version int
}

func (e *versionError) Error() string {
	return fmt.Sprintf("journal: %s is in format %d, this program knows format %d: it was written by a newer program",
		e.Segment, e.Version, version)
}

// unitError says that the journal belongs to another unit. Nothing has been
// changed.
type unitError struct {
	Segment    string
	Have, Want string
}

func (e *unitError) Error() string {
	return fmt.Sprintf("journal: %s belongs to unit %q, this is unit %q", e.Segment, e.Have, e.Want)
}

var errHeader = errors.New("the header is damaged")

// readHeader gives the unit of a segment. A header with a good checksum and
// another version is a *versionError; any other fault is errHeader.
func readHeader(b []byte, name string, first uint64) (unit string, err error) {
	if len(b) < headerSize || string(b[:8]) != magic {
		return "", errHeader
	}
	le := binary.LittleEndian
	if le.Uint32(b[12:]) != checksum(b[:12], make([]byte, 4), b[16:headerSize]) {
		return "", errHeader
	}
	if v := le.Uint16(b[8:]); v != version {
		return "", &versionError{Segment: name, Version: int(v)}
	}
	n := int(le.Uint16(b[10:]))
	if n < 1 || n > MaxUnit || le.Uint64(b[16:]) != first || len(bytes.Trim(b[24+n:headerSize], "\x00")) > 0 {
		return "", errHeader
	}
	return string(b[24 : 24+n]), nil
}
