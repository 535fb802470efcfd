package journal

import "encoding/binary"

// SetLimit makes a segment due for a roll at n bytes.
func (j *Journal) SetLimit(n int64) { j.limit = n }

// SetVersion makes a segment one of another format.
func SetVersion(b []byte, v byte) {
	b[8] = v
	copy(b[12:16], make([]byte, 4))
	binary.LittleEndian.PutUint32(b[12:], checksum(b[:headerSize]))
}
