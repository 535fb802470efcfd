package history

import "bytes"

// Look is what Open knows of a file before bbolt sees it.
func Look(b []byte) (newest Row, err error) {
	err = look(bytes.NewReader(b), int64(len(b)), func(r Row) error { newest = r; return nil })
	return newest, err
}

// Encode and Decode are the form of a row in the file.
func Encode(r Row) []byte                   { return r.encode() }
func Decode(key, value []byte) (Row, error) { return decode(key, value) }

// Seal makes a row's checksum good, whatever else it says.
func Seal(key, value []byte) []byte {
	if len(value) < 4 {
		return value
	}
	body := value[:len(value)-4]
	sum := sealOf(key, body)
	return append(bytes.Clone(body), byte(sum>>24), byte(sum>>16), byte(sum>>8), byte(sum))
}
