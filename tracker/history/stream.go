package history

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"

	bolt "go.etcd.io/bbolt"
	"golang.org/x/sys/unix"

	"shoeboard/tracker/regular"
)

const (
	// checkVerb is the hidden verb with which the program runs Dump.
	checkVerb = "index-check"
	// checkIn limits how long bbolt's check may take, and checkMemory how much memory, beyond
	// what the program and the file itself take.
	checkIn     = 10 * time.Second
	askIn       = 3 * time.Second // for a start, which waits
	checkMemory = 256 << 20
	// maxFrame limits a row, in bytes: none comes near.
	maxFrame  = 1 << 20
	frameHead = 12
	// reachRows is how many of the newest rows tell how far all reach.
	reachRows = 1000
)

// head begins a stream.
type head struct {
	Device, Inode uint64 // of the file
	Shoe, Last    uint64 // of the newest row that the record has not lost
	Notes         bool   // whether that has notes
	Reach         uint64 // the last record of which any row knows
}

// verdict follows the head.
type verdict struct {
	Damage string `json:",omitempty"`
	InUse  bool   `json:",omitempty"`
	None   bool   `json:",omitempty"` // there is no file
}

func appendFrame(b []byte, key uint64, value []byte) []byte {
	b = binary.BigEndian.AppendUint32(b, uint32(len(value)))
	b = binary.BigEndian.AppendUint64(b, key)
	return append(b, value...)
}

func writeJSON(out io.Writer, v any) error {
	text, err := json.Marshal(v)
	if err == nil {
		_, err = out.Write(appendFrame(nil, 0, text))
	}
	return err
}

// headOf describes an open file.
func headOf(db *bolt.DB) (h head, err error) {
	if info, err := os.Stat(db.Path()); err == nil {
		h.Device, h.Inode = fileOf(info)
	}
	n := 0
	err = newestRows(db, func(r Row) bool {
		if h.Reach = max(h.Reach, r.Last); h.Shoe == 0 && !Only(r) {
			h.Shoe, h.Last, h.Notes = r.Shoe, r.Last, saysNotes(r)
		}
		n++
		return n < reachRows
	})
	return h, err
}

func fileOf(info os.FileInfo) (device, inode uint64) {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(s.Dev), s.Ino
	}
	return 0, 0
}

// writeRows writes the rows from one on, each page of them in a transaction of its own, so
// that a slow reader keeps nobody from writing. A damaged row is an error, or left out when
// the file is known to be damaged.
func writeRows(ctx context.Context, out io.Writer, from uint64, damaged bool,
	view func(func(*bolt.Tx) error) error) error {
	for buf := make([]byte, 0, 256<<10); ; buf = buf[:0] {
		n := 0
		err := view(func(tx *bolt.Tx) error {
			shoes, _, err := buckets(tx)
			if err != nil {
				return err
			}
			c := shoes.Cursor()
			for key, value := c.Seek(keyOf(from)); key != nil && n < pageRows; key, value = c.Next() {
				good := len(key) == 8 && sealed(key, value)
				if !good && !damaged {
					return fmt.Errorf("%w: %w", ErrDamaged, errRow)
				}
				if good {
					from = binary.BigEndian.Uint64(key)
					buf, n = appendFrame(buf, from, value), n+1
				}
			}
			from++
			return nil
		})
		if _, err2 := out.Write(buf); err == nil {
			err = err2
		}
		if err = errors.Join(err, ctx.Err()); err != nil {
			return err
		}
		if n < pageRows {
			_, err = out.Write(appendFrame(nil, 0, nil))
			return err
		}
	}
}

// Dump writes the file at path as a stream, in a process that has no other purpose: it
// limits the memory of the process first, because a damaged file may make bbolt take all
// that there is. Where that is not allowed the limit of time remains.
func Dump(path string, out io.Writer) error {
	_ = limitMemory(path)
	_ = os.WriteFile("/proc/self/oom_score_adj", []byte("1000"), 0) // rather this one than the core
	return dump(path, out)
}

// limitMemory limits the address space to what the process has already, what bbolt maps of the
// file, and checkMemory.
func limitMemory(path string) error {
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return err
	}
	var pages, size uint64
	if _, err := fmt.Sscan(string(text), &pages); err != nil {
		return err
	}
	if info, err := os.Stat(path); err == nil {
		size = uint64(info.Size())
	}
	limit := pages*uint64(os.Getpagesize()) + 2*size + checkMemory
	return unix.Setrlimit(unix.RLIMIT_AS, &unix.Rlimit{Cur: limit, Max: limit})
}

func dump(path string, out io.Writer) error {
	var h head
	db, err := openChecked(path)
	if err == nil {
		h, err = headOf(db)
	}
	out2 := bufio.NewWriterSize(out, 64<<10)
	failed := errors.Join(writeJSON(out2, h), out2.Flush())
	if err == nil && failed == nil {
		err = check(db)
	}
	v := verdict{InUse: errors.Is(err, ErrInUse), None: errors.Is(err, fs.ErrNotExist)}
	if err != nil {
		v.Damage = err.Error()
	}
	failed = errors.Join(failed, writeJSON(out2, v), out2.Flush())
	if db == nil || failed != nil {
		return failed
	}
	defer func() { _ = shut(db) }() // opened for reading only
	view := func(f func(*bolt.Tx) error) error { return guard(func() error { return db.View(f) }) }
	return errors.Join(writeRows(context.Background(), out2, 0, err != nil, view), out2.Flush())
}

// openChecked opens a file for reading that may be anything.
func openChecked(path string) (*bolt.DB, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, errors.New("it is not a file")
	}
	return openFile(path, bolt.Options{ReadOnly: true, Timeout: 1}) // not waiting for a core
}

// Reader reads finished shoes from a stream.
type Reader struct {
	head
	in   *bufio.Reader
	most time.Duration // for head and verdict
	kill func()        // ends the stream at once
	wait func()        // for what it came from, after kill
	err  error         // why there is no stream
	buf  []byte        // of the frame read last
}

// Stream returns the stream of a core that runs, from a shoe on.
type Stream func(ctx context.Context, from uint64) (io.ReadCloser, error)

// Open opens the finished shoes of the file at path for reading: through the core, when it
// has that file open, or from the file. Without a core there is none to ask.
func Open(ctx context.Context, path string, core Stream) (*Reader, error) {
	if core != nil {
		if body, err := core(ctx, 0); err == nil {
			r := newReader(body, func() { _ = body.Close() }, func() {})
			if r.begin() == nil && r.isOf(path) {
				return r, nil
			}
			r.Close() // it is another file's
		}
	}
	f, err := regular.Open(path, regular.AnySize)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, fs.ErrPermission):
		return nil, err // no damage
	case err == nil:
		_ = f.Close()
	}
	r := start(ctx, program(), path)
	if err := r.begin(); err != nil {
		r.Close()
		return nil, err
	}
	return r, nil
}

func newReader(in io.Reader, kill, wait func()) *Reader {
	return &Reader{in: bufio.NewReaderSize(in, 256<<10), most: checkIn, kill: kill, wait: wait}
}

// program returns the path of this program, "" for a test, which has no hidden verb and
// checks in its own process.
func program() string {
	if exe, err := os.Executable(); err != nil || strings.HasSuffix(exe, ".test") {
		return ""
	}
	return "/proc/self/exe"
}

// start runs Dump in a child process. With no exe it dumps in this process.
func start(ctx context.Context, exe, path string) *Reader {
	if exe == "" {
		var in bytes.Buffer
		_ = dump(path, &in) // a stream that ends early says so
		return newReader(&in, func() {}, func() {})
	}
	ctx, cancel := context.WithCancel(ctx)
	cmd := exec.CommandContext(ctx, exe, checkVerb, path)
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		cancel()
		return &Reader{in: bufio.NewReader(strings.NewReader("")), kill: cancel, wait: func() {}, err: err}
	}
	return newReader(out, cancel, func() { _ = cmd.Wait() }) // an error says that it was killed
}

// Close ends the stream.
func (r *Reader) Close() {
	r.kill()
	r.wait()
}

// begin reads head and verdict.
func (r *Reader) begin() error {
	if err := r.readHead(); err != nil {
		return err
	}
	var v verdict
	defer r.limit()()
	switch err := r.readJSON(&v); {
	case err != nil:
		return fmt.Errorf("%w: its check failed: %w", ErrDamaged, err)
	case v.InUse:
		return ErrInUse
	case v.None:
		return fs.ErrNotExist
	case v.Damage != "":
		return fmt.Errorf("%w: %s", ErrDamaged, strings.TrimPrefix(v.Damage, ErrDamaged.Error()+": "))
	}
	return nil
}

func (r *Reader) readHead() error {
	if r.err != nil {
		return fmt.Errorf("the check of the index does not start: %v", r.err) // of the program, not of the file
	}
	defer r.limit()()
	if err := r.readJSON(&r.head); err != nil {
		return fmt.Errorf("%w: its check failed: %w", ErrDamaged, err)
	}
	return nil
}

// limit ends the stream in time unless the function that it returns is called before.
func (r *Reader) limit() (stop func() bool) { return time.AfterFunc(r.most, r.kill).Stop }

// isOf reports whether the stream is of the file at path.
func (r *Reader) isOf(path string) bool {
	info, err := os.Stat(path)
	if err != nil {
		return false
	}
	device, inode := fileOf(info)
	return device == r.Device && inode == r.Inode
}

// Rows calls each for every row, until that returns an error. ErrDamaged says that the
// stream ended early.
func (r *Reader) Rows(each func(Row) error) error {
	for {
		key, value, err := r.next()
		if err == nil && binary.BigEndian.Uint64(key) == 0 {
			return nil
		}
		var row Row
		if err == nil {
			row, err = decode(key, value)
		}
		if err != nil {
			return fmt.Errorf("%w: %w", ErrDamaged, err)
		}
		if err := each(row); err != nil {
			return err
		}
	}
}

// next reads a frame; the value is valid until the next.
func (r *Reader) next() (key, value []byte, err error) {
	var h [frameHead]byte
	if _, err := io.ReadFull(r.in, h[:]); err != nil {
		return nil, nil, err
	}
	size := binary.BigEndian.Uint32(h[:])
	if size > maxFrame {
		return nil, nil, fmt.Errorf("a row of %d bytes", size)
	}
	if cap(r.buf) < int(size) {
		r.buf = make([]byte, size)
	}
	value = r.buf[:size]
	_, err = io.ReadFull(r.in, value)
	return h[4:], value, err
}

func (r *Reader) readJSON(v any) error {
	key, value, err := r.next()
	if err == nil && binary.BigEndian.Uint64(key) != 0 {
		err = errors.New("a row came too early")
	}
	if err != nil {
		return err
	}
	return json.Unmarshal(value, v)
}
