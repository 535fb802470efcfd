package history

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
)

// bbolt trusts its data pages. A bit in the wrong place makes it read outside
// its file, which can be caught, or go round in a circle until the memory or
// the stack is used up, which cannot. So a file is looked through here, by
// bbolt's own file format (version 2), before bbolt sees it: every page that
// can be reached is reached once, every element lies in its page, the keys
// ascend and are where a search looks for them, and no page in use is called
// free.

const (
	pageSize = 4096
	pageHead = 16
	element  = 16
	maxDepth = 16 // four levels hold more shoes than a room deals in a century

	branchPage   = 0x01
	leafPage     = 0x02
	freelistPage = 0x10
	bucketFlag   = 0x01

	boltMagic   = 0xED0CDAED
	boltVersion = 2
)

var errPages = errors.New("the file's pages are damaged")

// meta is the newest of the two beginnings of a bbolt file.
type meta struct{ root, freelist, end, tx uint64 }

// pages looks through one file.
type pages struct {
	file  io.ReaderAt
	end   uint64 // pages from here on are not in use
	free  uint64 // the page that lists those that bbolt will write to next
	used  []bool // pages that were reached
	from  []byte // what lies before the page with this key is passed over; nil: nothing is
	found func(bucket, key, value []byte) error
}

// inspect checks the file of the given size and calls found for each value in
// it, with the name of the bucket it is in. key and value are valid during the
// call.
func inspect(file io.ReaderAt, size int64, found func(bucket, key, value []byte) error) error {
	p, err := inspectFrom(file, size, nil, found)
	if err != nil {
		return err
	}
	return p.freelist()
}

// inspectFrom is inspect without the pages that come before the one with a key, and without
// those that are free. It calls found for what comes from that page on.
func inspectFrom(file io.ReaderAt, size int64, from []byte, found func(bucket, key, value []byte) error) (*pages, error) {
	m, err := newestMeta(file)
	if err != nil {
		return nil, err
	}
	if m.end < 2 || m.end > uint64(size)/pageSize {
		return nil, fmt.Errorf("%w: %d pages in a file of %d bytes", errPages, m.end, size)
	}
	p := &pages{file: file, end: m.end, free: m.freelist, used: make([]bool, m.end), from: from, found: found}
	p.used[0], p.used[1] = true, true
	return p, p.tree(m.root, 0, nil, nil, nil)
}

func newestMeta(file io.ReaderAt) (meta, error) {
	var newest meta
	for id := range int64(2) {
		b := make([]byte, pageHead+64)
		if _, err := file.ReadAt(b, id*pageSize); err != nil {
			continue // too short, or refused: the other may do
		}
		b = b[pageHead:]
		le := binary.LittleEndian
		sum := fnv.New64a()
		_, _ = sum.Write(b[:56]) // never fails
		if le.Uint32(b) != boltMagic || le.Uint32(b[4:]) != boltVersion || le.Uint64(b[56:]) != sum.Sum64() || le.Uint32(b[8:]) != pageSize {
			continue
		}
		if m := (meta{le.Uint64(b[16:]), le.Uint64(b[32:]), le.Uint64(b[40:]), le.Uint64(b[48:])}); newest.end == 0 || m.tx > newest.tx {
			newest = m
		}
	}
	if newest.end == 0 {
		return meta{}, fmt.Errorf("%w: neither beginning is good", errPages)
	}
	return newest, nil
}

// read gives a page with those that belong to it.
func (p *pages) read(id uint64) ([]byte, error) {
	if id < 2 || id >= p.end {
		return nil, fmt.Errorf("%w: page %d of %d", errPages, id, p.end)
	}
	b := make([]byte, pageSize)
	if _, err := p.file.ReadAt(b, int64(id)*pageSize); err != nil {
		return nil, err
	}
	le := binary.LittleEndian
	more := uint64(le.Uint32(b[12:]))
	if le.Uint64(b) != id || more >= p.end-id {
		return nil, fmt.Errorf("%w: page %d says it is %d and %d more", errPages, id, le.Uint64(b), more)
	}
	for i := id; i <= id+more; i++ {
		if p.used[i] {
			return nil, fmt.Errorf("%w: page %d is used twice", errPages, i)
		}
		p.used[i] = true
	}
	if more > 0 {
		b = append(b, make([]byte, more*pageSize)...)
		if _, err := p.file.ReadAt(b[pageSize:], int64(id+1)*pageSize); err != nil {
			return nil, err
		}
	}
	return b, nil
}

// tree goes down from a page whose keys must lie from low up to, but not at,
// high; nil is no bound.
func (p *pages) tree(id uint64, depth int, bucket, low, high []byte) error {
	if depth > maxDepth {
		return fmt.Errorf("%w: page %d is too deep", errPages, id)
	}
	b, err := p.read(id)
	if err != nil {
		return err
	}
	switch flags := binary.LittleEndian.Uint16(b[8:]); flags {
	case branchPage:
		return p.branch(b, depth, bucket, low, high)
	case leafPage:
		return p.leaf(b, depth, bucket, low, high)
	default:
		return fmt.Errorf("%w: page %d is of kind %#x", errPages, id, flags)
	}
}

func (p *pages) branch(b []byte, depth int, bucket, low, high []byte) error {
	le := binary.LittleEndian
	count := int(le.Uint16(b[10:]))
	if count == 0 || pageHead+count*element > len(b) {
		return fmt.Errorf("%w: a branch of %d", errPages, count)
	}
	key := func(i int) ([]byte, error) {
		e := pageHead + i*element
		return span(b, e, uint64(le.Uint32(b[e:])), uint64(le.Uint32(b[e+4:])))
	}
	at, err := key(0)
	for i := range count {
		if err != nil {
			return err
		}
		var next []byte
		bound := high
		if i+1 < count {
			next, err = key(i + 1)
			bound = next
		}
		if err != nil || !between(at, low, bound) {
			return fmt.Errorf("%w: the keys of a branch do not ascend", errPages)
		}
		if p.from == nil || next == nil || bytes.Compare(p.from, next) < 0 {
			if err := p.tree(le.Uint64(b[pageHead+i*element+8:]), depth+1, bucket, at, bound); err != nil {
				return err
			}
		}
		low, at = at, next
	}
	return nil
}

func (p *pages) leaf(b []byte, depth int, bucket, low, high []byte) error {
	le := binary.LittleEndian
	count := int(le.Uint16(b[10:]))
	if pageHead+count*element > len(b) {
		return fmt.Errorf("%w: a leaf of %d", errPages, count)
	}
	for i := range count {
		e := pageHead + i*element
		flags, pos, size := le.Uint32(b[e:]), uint64(le.Uint32(b[e+4:])), uint64(le.Uint32(b[e+8:]))
		key, err := span(b, e, pos, size)
		if err != nil {
			return err
		}
		value, err := span(b, e, pos+size, uint64(le.Uint32(b[e+12:])))
		if err != nil {
			return err
		}
		if !between(key, low, high) {
			return fmt.Errorf("%w: the keys of a leaf do not ascend", errPages)
		}
		low = key
		switch {
		case flags == bucketFlag && bucket == nil:
			err = p.bucket(key, value, depth)
		case flags == 0 && bucket != nil:
			err = p.found(bucket, key, value)
		default:
			err = fmt.Errorf("%w: an element of kind %#x", errPages, flags)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// bucket goes into one of the named trees; a small one stands in its parent.
func (p *pages) bucket(name, value []byte, depth int) error {
	if len(value) < 16 {
		return fmt.Errorf("%w: a bucket of %d bytes", errPages, len(value))
	}
	if root := binary.LittleEndian.Uint64(value); root != 0 {
		return p.tree(root, depth+1, name, nil, nil)
	}
	inline := value[16:]
	if len(inline) < pageHead || binary.LittleEndian.Uint16(inline[8:]) != leafPage {
		return fmt.Errorf("%w: an inline bucket of %d bytes", errPages, len(inline))
	}
	return p.leaf(inline, depth+1, name, nil, nil)
}

// freelist checks the pages that bbolt will write to next.
func (p *pages) freelist() error {
	b, err := p.read(p.free)
	if err != nil {
		return err
	}
	le := binary.LittleEndian
	count, ids := uint64(le.Uint16(b[10:])), b[pageHead:]
	if count == 0xFFFF {
		count, ids = le.Uint64(ids), ids[8:]
	}
	if le.Uint16(b[8:]) != freelistPage || count > uint64(len(ids))/8 {
		return fmt.Errorf("%w: a list of %d free pages of kind %#x", errPages, count, le.Uint16(b[8:]))
	}
	for last := uint64(1); count > 0; count, ids = count-1, ids[8:] {
		free := le.Uint64(ids)
		if free <= last || free >= p.end || p.used[free] {
			return fmt.Errorf("%w: page %d is called free", errPages, free)
		}
		last = free
	}
	return nil
}

// span is size bytes at pos after the element at e.
func span(b []byte, e int, pos, size uint64) ([]byte, error) {
	from := uint64(e) + pos
	if pos < element || from > uint64(len(b)) || size > uint64(len(b))-from {
		return nil, fmt.Errorf("%w: an element of %d bytes at %d in %d", errPages, size, from, len(b))
	}
	return b[from : from+size : from+size], nil
}

func between(key, low, high []byte) bool {
	return bytes.Compare(low, key) <= 0 && (high == nil || bytes.Compare(key, high) < 0)
}
