package displaytest

import (
	"bytes"
	"encoding/binary"
	"image"
	"os"
	"testing"

	"golang.org/x/sys/unix"
)

// Memory is a server's screen as it changes: the pixels themselves, not a copy.
type Memory struct {
	pixels []byte // four bytes each, blue first
	stride int
	size   image.Point
}

// Memory maps the server's screen until the test ends. Looking at it costs the
// server nothing, so that a test may look a thousand times a second.
func (s Server) Memory(t testing.TB) *Memory {
	t.Helper()
	f, err := os.Open(s.fb)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	data, err := unix.Mmap(int(f.Fd()), 0, int(info.Size()), unix.PROT_READ, unix.MAP_SHARED)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = unix.Munmap(data) })
	return memory(data)
}

// memory reads the header of an xwd file: words of four bytes, the largest first.
func memory(data []byte) *Memory {
	field := func(i int) int { return int(binary.BigEndian.Uint32(data[4*i:])) }
	header, w, h, stride, colours := field(0), field(4), field(5), field(12), field(19)
	return &Memory{pixels: data[header+12*colours:], stride: stride, size: image.Pt(w, h)}
}

// Copy is what stands in r now, row by row.
func (m *Memory) Copy(r image.Rectangle) []byte {
	var out []byte
	for y := r.Min.Y; y < r.Max.Y; y++ {
		out = append(out, m.row(r, y)...)
	}
	return out
}

// Same reports whether r still is what Copy once gave of it.
func (m *Memory) Same(r image.Rectangle, was []byte) bool {
	for y := r.Min.Y; y < r.Max.Y; y++ {
		now := m.row(r, y)
		if !bytes.Equal(now, was[:len(now)]) {
			return false
		}
		was = was[len(now):]
	}
	return true
}

func (m *Memory) row(r image.Rectangle, y int) []byte {
	return m.pixels[y*m.stride+4*r.Min.X : y*m.stride+4*r.Max.X]
}

// image is the whole screen: millions of pixels, which nobody else has yet.
//
//go:norace
func (m *Memory) image() *image.RGBA {
	img := image.NewRGBA(image.Rectangle{Max: m.size})
	for y := range m.size.Y {
		from, to := m.row(img.Rect, y), img.Pix[y*img.Stride:][:img.Stride]
		for i := 0; i < len(to); i += 4 {
			to[i], to[i+1], to[i+2], to[i+3] = from[i+2], from[i+1], from[i], 255
		}
	}
	return img
}
