package journaltest_test

import (
	"bytes"
	"errors"
	"os"
	"slices"
	"testing"

	"shoeboard/tracker/journal"
	"shoeboard/tracker/journal/journaltest"
)

func create(t *testing.T, fs *journaltest.FS, name string) journal.File {
	t.Helper()
	f, err := fs.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func write(t *testing.T, f journal.File, b []byte, at int64) {
	t.Helper()
	if n, err := f.WriteAt(b, at); n != len(b) || err != nil {
		t.Fatalf("wrote %d: %v", n, err)
	}
}

func ok(t *testing.T, errs ...error) {
	t.Helper()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}

// outcomes plays many power cuts and counts what is found.
func outcomes(play func() *journaltest.FS, look func(fs *journaltest.FS) string) map[string]int {
	seen := make(map[string]int)
	for seed := range uint64(200) {
		seen[look(play().AfterPowerCut(seed))]++
	}
	return seen
}

func TestWhatWasSyncedIsThereAndWhatWasNotMayBeTorn(t *testing.T) {
	old, fresh := bytes.Repeat([]byte("o"), 2048), bytes.Repeat([]byte("n"), 2048)
	seen := outcomes(func() *journaltest.FS {
		fs := journaltest.New()
		f := create(t, fs, "a")
		write(t, f, old, 0)
		ok(t, f.Datasync(), fs.SyncDir())
		write(t, f, fresh, 512)
		if !bytes.Equal(fs.Bytes("a")[512:], fresh) {
			t.Fatal("reading does not give what was written")
		}
		return fs
	}, func(fs *journaltest.FS) string {
		b := fs.Bytes("a")
		if len(b) < 2048 || !bytes.Equal(b[:512], old[:512]) {
			t.Fatalf("what was synced is gone: %q", b)
		}
		word := ""
		for at := 0; at < len(b); at += 512 {
			if slices.Max(b[at:min(at+512, len(b))]) != slices.Min(b[at:min(at+512, len(b))]) {
				t.Fatalf("a sector is torn: %q", b)
			}
			word += string(b[at : at+1])
		}
		return word
	})
	for _, want := range []string{"oooo", "onnnn", "onon", "oonon", "oooo\x00"} {
		if seen[want] == 0 {
			t.Errorf("%q never came up: %v", want, seen)
		}
	}
}

func TestNamesReachTheMediumInTheirOrder(t *testing.T) {
	seen := outcomes(func() *journaltest.FS {
		fs := journaltest.New()
		ok(t, create(t, fs, "a").Datasync(), fs.SyncDir())
		ok(t, create(t, fs, "b").Datasync(), fs.Rename("b", "a"), create(t, fs, "c").Datasync())
		return fs
	}, func(fs *journaltest.FS) string {
		list, err := fs.List()
		ok(t, err)
		word := ""
		for _, name := range list {
			word += name
		}
		return word
	})
	if len(seen) != 3 || seen["a"] == 0 || seen["ab"] == 0 || seen["ac"] == 0 {
		t.Errorf("saw %v", seen)
	}
}

func TestAFailedSyncIsForgotten(t *testing.T) {
	seen := outcomes(func() *journaltest.FS {
		fs := journaltest.New()
		f := create(t, fs, "a")
		ok(t, fs.SyncDir())
		write(t, f, bytes.Repeat([]byte("x"), 4096), 0)
		fs.FailAt(fs.Ops(), journaltest.EIO)
		if err := f.Datasync(); err == nil {
			t.Fatal("the sync did not fail")
		}
		ok(t, f.Datasync()) // the lie that a second sync tells
		return fs
	}, func(fs *journaltest.FS) string {
		if bytes.Equal(fs.Bytes("a"), bytes.Repeat([]byte("x"), 4096)) {
			return "whole"
		}
		return "lost"
	})
	if seen["lost"] == 0 {
		t.Errorf("a second sync made it good: %v", seen)
	}
}

func TestFaultsDoWhatTheySay(t *testing.T) {
	type result struct {
		n      int
		failed bool
		held   int
	}
	for fault, want := range map[journaltest.Fault]result{
		journaltest.EIO: {0, true, 0}, journaltest.Late: {10, true, 10},
		journaltest.ENOSPC: {5, true, 5}, journaltest.Short: {5, false, 5}, journaltest.Lie: {10, false, 10},
	} {
		fs := journaltest.New()
		f := create(t, fs, "a")
		fs.FailAt(fs.Ops(), fault)
		n, err := f.WriteAt([]byte("0123456789"), 0)
		if got := (result{n, err != nil, len(fs.Bytes("a"))}); got != want {
			t.Errorf("fault %d: %+v, want %+v", fault, got, want)
		}
		write(t, f, []byte("0123456789"), 0) // only that one
		fs.FailFrom(fs.Ops(), fault)
		if _, err = fs.Create("b"); (err != nil) != (fault < journaltest.Short) {
			t.Errorf("fault %d, create: %v", fault, err)
		}
		if err = f.Truncate(3); (err != nil) != (fault < journaltest.Short) {
			t.Errorf("fault %d, truncate: %v", fault, err)
		}
		if _, err = fs.Read("a"); (err != nil) != (fault == journaltest.EIO) {
			t.Errorf("fault %d, read: %v", fault, err)
		}
		fs.Heal()
		ok(t, f.Truncate(3))
	}
}

func TestALyingSyncWritesNothing(t *testing.T) {
	fs := journaltest.New()
	f := create(t, fs, "a")
	ok(t, fs.SyncDir())
	fs.FailFrom(fs.Ops(), journaltest.Lie)
	write(t, f, []byte("x"), 0)
	ok(t, f.Datasync())
	lost := 0
	for seed := range uint64(20) {
		if len(fs.AfterPowerCut(seed).Bytes("a")) == 0 {
			lost++
		}
	}
	if lost == 0 || lost == 20 {
		t.Errorf("%d of 20 cuts lost it", lost)
	}
}

func TestAfterACutNothingGoesOn(t *testing.T) {
	fs := journaltest.New()
	f := create(t, fs, "a")
	lock, err := fs.Lock()
	ok(t, err)
	if _, err := fs.Lock(); !errors.Is(err, journal.ErrInUse) {
		t.Errorf("locked twice: %v", err)
	}
	ok(t, lock.Close())
	_, err = fs.Lock()
	ok(t, err)
	fs.CutAt(fs.Ops(), journaltest.Torn)
	if n, err := f.WriteAt([]byte("0123456789"), 0); n != 5 || !errors.Is(err, journaltest.ErrCut) || !fs.Off() {
		t.Errorf("the write at the cut: %d, %v", n, err)
	}
	_, list := fs.List()
	_, made := fs.Create("b")
	_, opened := fs.Open("a")
	_, read := fs.Read("a")
	_, locked := fs.Lock()
	for _, err := range []error{list, made, opened, read, locked, fs.Rename("a", "b"), fs.SyncDir(), f.Datasync(), f.Truncate(0)} {
		if !errors.Is(err, journaltest.ErrCut) {
			t.Errorf("after the cut: %v", err)
		}
	}
	next := fs.AfterKill()
	if string(next.Bytes("a")) != "01234" {
		t.Errorf("a kill lost %q", next.Bytes("a"))
	}
	if _, err := next.Lock(); err != nil {
		t.Errorf("the next process: %v", err)
	}
	if b := next.AfterPowerCut(0).Bytes("a"); b != nil {
		t.Errorf("a name nobody synced came back with %q", b)
	}
}

func TestSlowSyncLetsOthersGoOn(t *testing.T) {
	fs := journaltest.New()
	f := create(t, fs, "a")
	fs.SlowSync(func() { write(t, create(t, fs, "b"), []byte("x"), 0) })
	ok(t, f.Datasync())
	if string(fs.Bytes("b")) != "x" {
		t.Error("nothing could be written while the sync was out")
	}
	if n := fs.Count("datasync"); n != 1 {
		t.Errorf("%d syncs were counted", n)
	}
}

func TestPutAndDropAreDurable(t *testing.T) {
	fs := journaltest.New()
	create(t, fs, "a")
	create(t, fs, "b")
	fs.Put("a", []byte("x"))
	fs.Drop("b")
	for seed := range uint64(10) {
		next := fs.AfterPowerCut(seed)
		_, err := next.Read("b")
		if string(next.Bytes("a")) != "x" || !errors.Is(err, os.ErrNotExist) {
			t.Fatalf("a is %q, b: %v", next.Bytes("a"), err)
		}
	}
}
