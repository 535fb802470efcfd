package main

import (
	"encoding/binary"
	"hash/crc32"
)

// withHeaderSum gives a segment's header the checksum that its bytes now have.
func withHeaderSum(segment []byte) []byte {
	table := crc32.MakeTable(crc32.Castagnoli)
	sum := crc32.Update(0, table, segment[:12])
	sum = crc32.Update(sum, table, make([]byte, 4))
	sum = crc32.Update(sum, table, segment[16:64])
	binary.LittleEndian.PutUint32(segment[12:], sum)
	return segment
}
