package main

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	"shoeboard/cmd/shoeboard/config"
	"shoeboard/tracker/journal"
)

func discard() *slog.Logger { return slog.New(slog.DiscardHandler) }

// probeRecord reads the whole record and checks every checksum, number and hash.
func probeRecord(p *patient) []finding {
	dir := config.JournalDir(p.config.Data)
	if _, err := os.ReadDir(dir); err != nil {
		return grouped("record", noRecord(err))
	}
	c, err := journal.Verify(journal.Dir(dir))
	if err != nil {
		return grouped("record", finding{Name: "chain", Verdict: broken, Text: err.Error(), Do: "run the doctor with sudo; if it stays, the card is failing: back up and change it"})
	}
	chain := finding{Name: "chain", Verdict: fine, Text: fmt.Sprintf("%d records in %d segments, every checksum, number and hash right", c.Records, c.Segments)}
	for _, problem := range c.Problems {
		if unfinished(p, problem) {
			continue
		}
		chain.Verdict, chain.Text = broken, fmt.Sprintf("%d problems; the first: %v", len(c.Problems), problem)
		chain.Do = "copy the record away (sudo shoeboard backup), then find out why: a pulled plug leaves a cut, a bad card leaves gaps"
		break
	}
	found := []finding{chain}
	if len(c.Kept) > 0 {
		found = append(found, finding{Name: "cut", Verdict: warning, Text: fmt.Sprintf("%d files hold bytes that were cut from the record", len(c.Kept)),
			Do: "none is lost that was shown as saved; keep them for whoever asks"})
	}
	return grouped("record", found...)
}

func noRecord(err error) finding {
	f := finding{Name: "chain", Verdict: unknown, Text: "there is no record yet"}
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case errors.Is(err, fs.ErrPermission):
		f.Text = "it may not be read: run the doctor with sudo"
	default:
		f.Verdict, f.Text, f.Do = broken, err.Error(), "the card is failing: change it"
	}
	return f
}

// unfinished: a record that the running core is just writing looks torn.
func unfinished(p *patient, problem *journal.Problem) bool {
	return p.board != nil && problem.Trouble == journal.Torn
}

// probeIndex looks at the file that can always be made anew.
func probeIndex(p *patient) []finding {
	info, err := os.Stat(filepath.Join(p.config.Data, "history.db"))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return grouped("record", finding{Name: "index", Verdict: unknown, Text: "there is none yet; the core makes it"})
	case err != nil:
		return grouped("record", finding{Name: "index", Verdict: unknown, Text: err.Error()})
	}
	return grouped("record", finding{Name: "index", Verdict: fine, Text: fmt.Sprintf("%d KB; whether it is right the core says, under board", info.Size()>>10)})
}

// leastFree and leastWarn are the free space below which there is a fault or a
// warning. A year of the record takes some 200 MB with its second copy.
const (
	leastFree = 32 << 20
	leastWarn = 256 << 20
)

func probeSpace(p *patient) []finding {
	var s unix.Statfs_t
	if err := unix.Statfs(p.config.Data, &s); err != nil {
		return grouped("storage", finding{Name: "space", Verdict: unknown, Text: p.config.Data + ": " + err.Error()})
	}
	free := int64(s.Bavail) * int64(s.Bsize)
	f := finding{Name: "space", Verdict: fine, Text: fmt.Sprintf("%d MB free for %s", free>>20, p.config.Data)}
	switch {
	case free < leastFree:
		f.Verdict, f.Do = broken, "back up, then delete what is not the record's, or put in a larger card"
	case free < leastWarn:
		f.Verdict, f.Do = warning, "put in a larger card soon"
	}
	found := []finding{f}
	if s.Flags&unix.ST_RDONLY != 0 {
		found = append(found, finding{Name: "writing", Verdict: broken, Text: p.config.Data + " can only be read",
			Do: "the kernel does that when the card fails: back up and change it"})
	}
	return grouped("storage", found...)
}

// probeStorage asks the kernel for errors of file systems and the age of an eMMC.
func probeStorage(p *patient) []finding {
	var found []finding
	counts, _ := fs.Glob(p.root, "sys/fs/ext4/*/errors_count")
	for _, name := range counts {
		n, err := strconv.Atoi(line(p.root, name))
		disk := path.Base(path.Dir(name))
		switch {
		case err != nil:
		case n > 0:
			found = append(found, finding{Name: disk, Verdict: broken, Text: fmt.Sprintf("the file system has found %d errors", n), Do: "back up and change the card"})
		default:
			found = append(found, finding{Name: disk, Verdict: fine, Text: "the file system has found no errors"})
		}
	}
	lives, _ := fs.Glob(p.root, "sys/block/mmcblk*/device/life_time")
	for _, name := range lives {
		found = append(found, cardAge(strings.Split(name, "/")[2], line(p.root, name)))
	}
	if len(found) == 0 {
		found = []finding{{Name: "errors", Verdict: unknown, Text: "this machine does not count them"}}
	}
	return grouped("storage", found...)
}

// cardAge reads an eMMC's two estimates, each in tenths of its life: 0x01 is up to
// 10 %, 0x0a up to all of it, 0x0b more.
func cardAge(disk, text string) finding {
	worst := uint64(0)
	for _, word := range strings.Fields(text) {
		n, err := strconv.ParseUint(strings.TrimPrefix(word, "0x"), 16, 8)
		if err == nil {
			worst = max(worst, n)
		}
	}
	f := finding{Name: disk, Verdict: fine, Text: fmt.Sprintf("at most %d %% of its life is used", 10*worst)}
	switch {
	case worst == 0:
		f.Verdict, f.Text = unknown, "the card does not tell its age"
	case worst > 10:
		f.Verdict, f.Text, f.Do = broken, "it is past its life", "back up and change it"
	case worst >= 9:
		f.Verdict, f.Do = warning, "change it soon"
	}
	return f
}
