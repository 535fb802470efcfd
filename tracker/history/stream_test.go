package history

import (
	"bytes"
	"context"
	"errors"
	"io"
	"reflect"
	"testing"
)

// A stream gives what is stored, from any shoe on, page after page, while rows are added.
func TestAStreamGivesWhatIsStored(t *testing.T) {
	c := newChronicle(t.Fatal)
	rows := shoes(3*pageRows + 7)
	k := NewKeeper(nil, written(t, rows), c.files)
	if err := k.attach(); err != nil {
		t.Fatal(err)
	}
	defer k.close()
	for _, from := range []int{0, 1, pageRows, 2*pageRows + 1, len(rows) - 1} {
		got := given(t, k, rows[from].Shoe)
		if !reflect.DeepEqual(got, rows[from:]) {
			t.Fatalf("from %d: %d rows", from, len(got))
		}
	}
	if got := given(t, k, rows[len(rows)-1].Shoe+1); len(got) > 0 {
		t.Errorf("%d rows behind the last", len(got))
	}
	more := &growing{k: k, row: shoe(len(rows) + 1)}
	if err := k.Stream(t.Context(), 0, more); err != nil {
		t.Fatal(err)
	}
	r := newReader(&more.Buffer, func() {}, func() {})
	n := 0
	if err := errors.Join(r.begin(), r.Rows(func(Row) error { n++; return nil })); err != nil || n < len(rows) {
		t.Errorf("%d rows, %v", n, err)
	}
}

// growing adds a row while it is written to: no transaction is open meanwhile.
type growing struct {
	bytes.Buffer
	k   *Keeper
	row Row
}

func (g *growing) Write(p []byte) (int, error) {
	if _, err := fill(g.k.db, source([]Row{g.row})); err != nil {
		return 0, err
	}
	return g.Buffer.Write(p)
}

func given(t *testing.T, k *Keeper, from uint64) (rows []Row) {
	t.Helper()
	var b bytes.Buffer
	if err := k.Stream(t.Context(), from, &b); err != nil {
		t.Fatal(err)
	}
	r := newReader(&b, func() {}, func() {})
	if err := errors.Join(r.begin(), r.Rows(func(row Row) error { rows = append(rows, row); return nil })); err != nil {
		t.Fatal(err)
	}
	return rows
}

// A stream that is cut anywhere, or of which a byte is another, is an error and never fewer or
// other rows.
func TestACutStreamIsAnError(t *testing.T) {
	rows := shoes(5)
	k := NewKeeper(nil, written(t, rows), nil)
	if err := k.attach(); err != nil {
		t.Fatal(err)
	}
	defer k.close()
	var b bytes.Buffer
	if err := k.Stream(t.Context(), 0, &b); err != nil {
		t.Fatal(err)
	}
	for cut := range b.Len() {
		r := newReader(bytes.NewReader(b.Bytes()[:cut]), func() {}, func() {})
		if err := errors.Join(r.begin(), r.Rows(func(Row) error { return nil })); !errors.Is(err, ErrDamaged) {
			t.Fatalf("cut at %d: %v", cut, err)
		}
	}
}

// A core that has another file open is not asked for this one.
func TestAnotherFilesCore(t *testing.T) {
	rows := shoes(4)
	other := NewKeeper(nil, written(t, shoes(9)), nil)
	if err := other.attach(); err != nil {
		t.Fatal(err)
	}
	defer other.close()
	for name, core := range map[string]func(context.Context, uint64) (io.ReadCloser, error){
		"another's": func(ctx context.Context, from uint64) (io.ReadCloser, error) {
			var b bytes.Buffer
			err := other.Stream(ctx, from, &b)
			return io.NopCloser(&b), err
		},
		"none": func(context.Context, uint64) (io.ReadCloser, error) { return nil, errors.New("no core") },
		"rubbish": func(context.Context, uint64) (io.ReadCloser, error) {
			return io.NopCloser(bytes.NewReader([]byte("x"))), nil
		},
	} {
		r, err := Open(t.Context(), written(t, rows), core)
		if err != nil {
			t.Fatal(name, err)
		}
		n := 0
		if err := r.Rows(func(Row) error { n++; return nil }); err != nil || n != len(rows) {
			t.Errorf("%s: %d rows, %v", name, n, err)
		}
		r.Close()
	}
	if _, err := Open(t.Context(), other.path, nil); !errors.Is(err, ErrInUse) {
		t.Errorf("in use: %v", err)
	}
}

// fiveYears is about as many shoes as a busy table deals in five years.
const fiveYears = 54_000

// What a start pays with five years of shoes: head, and then head and check.
func BenchmarkCheck(b *testing.B) {
	path := written(b, shoes(fiveYears))
	for name, of := range map[string]func(*Reader) error{"head": (*Reader).readHead, "verdict": (*Reader).begin} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				r := start(b.Context(), self(b), path)
				if err := of(r); err != nil {
					b.Fatal(err)
				}
				r.Close()
			}
		})
	}
}

// Rows through a stream, as the socket carries them.
func BenchmarkStream(b *testing.B) {
	rows := shoes(5000)
	k := NewKeeper(nil, written(b, rows), nil)
	if err := k.attach(); err != nil {
		b.Fatal(err)
	}
	defer k.close()
	hands := 0
	for b.Loop() {
		in, out := io.Pipe()
		go func() { out.CloseWithError(k.Stream(b.Context(), 0, out)) }()
		r := newReader(in, func() {}, func() {})
		if err := errors.Join(r.begin(), r.Rows(func(row Row) error { hands += row.Hands; return nil })); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(hands)/b.Elapsed().Seconds(), "hands/s")
}

// One shoe more.
func BenchmarkAdd(b *testing.B) {
	k := NewKeeper(nil, written(b, shoes(2000)), nil)
	if err := k.attach(); err != nil {
		b.Fatal(err)
	}
	defer k.close()
	for n := 2001; b.Loop(); n++ {
		if _, err := fill(k.db, source([]Row{shoe(n)})); err != nil {
			b.Fatal(err)
		}
	}
}
