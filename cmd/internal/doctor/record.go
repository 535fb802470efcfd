package doctor

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	"shoeboard/cmd/internal/datadir"
	"shoeboard/cmd/internal/export"
	"shoeboard/cmd/internal/index"
	"shoeboard/tracker/history"
	"shoeboard/tracker/journal"
)

// probeRecord reads the whole record and checks every checksum, number and hash.
func probeRecord(p *Patient) []Finding {
	dir, known := datadir.Journal(p.Config.Data), index.Ask(p.Config.Data)
	if _, err := os.ReadDir(dir); err != nil {
		return grouped("record", append(missing(known, dir, 0), noRecord(err))...)
	}
	c, err := journal.Verify(journal.Dir(dir))
	if err != nil {
		return grouped("record", Finding{Name: "chain", Verdict: Broken, Text: err.Error(), Do: "run the doctor with sudo; if it stays " + changeCard})
	}
	chain := Finding{Name: "chain", Verdict: Fine, Text: fmt.Sprintf("%s in %s, every checksum, number and hash right", export.Count(c.Records, "record"), export.Count(c.Segments, "segment"))}
	for _, problem := range c.Problems {
		if unfinished(p, problem) {
			continue
		}
		chain.Verdict, chain.Text = Broken, fmt.Sprintf("%s; the first: %v", export.Count(len(c.Problems), "problem"), problem)
		chain.Do = "copy the record away (sudo shoeboard backup FILE), then find out why: a pulled plug leaves a cut, a bad card leaves gaps"
		break
	}
	found := append(missing(known, dir, c.Last), chain)
	if len(c.Kept) > 0 {
		found = append(found, Finding{Name: "cut", Verdict: Warning, Text: fmt.Sprintf("%d files hold bytes that were cut from the record", len(c.Kept)),
			Do: "none is lost that was shown as saved; keep them for whoever asks"})
	}
	return grouped("record", found...)
}

// missing tells that the record, which ends with number last, has lost its end.
func missing(known index.Witness, dir string, last uint64) []Finding {
	l := lostEnd(known, dir, last)
	if !l.Any() {
		return nil
	}
	return []Finding{{Name: "end", Verdict: Broken, Text: l.String(), Do: missingRecords}}
}

func noRecord(err error) Finding {
	f := Finding{Name: "chain", Verdict: Unknown, Text: "there is no record yet"}
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case errors.Is(err, fs.ErrPermission):
		f.Text = "it may not be read: run the doctor with sudo"
	default:
		f.Verdict, f.Text, f.Do = Broken, err.Error(), changeCard
	}
	return f
}

// unfinished: a record that the running core is just writing looks torn.
func unfinished(p *Patient, problem *journal.Problem) bool {
	return p.board != nil && problem.Trouble == journal.Torn
}

// probeIndex reads the file that can always be made anew, row by row. One that is just
// being written looks damaged, so it is read again.
func probeIndex(p *Patient) []Finding {
	f := Finding{Name: "index"}
	for range 3 {
		rows := 0
		err := history.Read(index.Path(p.Config.Data), func(history.Row) error { rows++; return nil })
		switch {
		case err == nil:
			f.Verdict, f.Text, f.Do = Fine, fmt.Sprintf("%d shoes, every row and sum right", rows), ""
			return grouped("record", f)
		case errors.Is(err, fs.ErrNotExist):
			f.Verdict, f.Text = Unknown, "there is none yet; the core makes it"
		case errors.Is(err, history.ErrDamaged):
			f.Verdict, f.Text, f.Do = Warning, err.Error(), "nothing is lost: sudo systemctl restart shoeboard makes it anew from the record"
		default:
			f.Verdict, f.Text = Unknown, err.Error()
		}
	}
	return grouped("record", f)
}

// leastFree and leastWarn are the free space below which there is a fault or a
// warning. A busy table's record takes some 650 MB a year.
const (
	leastFree = 32 << 20
	leastWarn = 256 << 20
)

func probeSpace(p *Patient) []Finding {
	var s unix.Statfs_t
	if err := unix.Statfs(p.Config.Data, &s); err != nil {
		return grouped("storage", Finding{Name: "space", Verdict: Unknown, Text: p.Config.Data + ": " + err.Error()})
	}
	free := int64(s.Bavail) * int64(s.Bsize)
	f := Finding{Name: "space", Code: "no-space", Verdict: Fine, Text: fmt.Sprintf("%d MB free for %s", free>>20, p.Config.Data)}
	switch {
	case free < leastFree:
		f.Verdict, f.Text, f.Do = Broken, "the card is nearly full: "+f.Text, moreSpace
	case free < leastWarn:
		f.Verdict, f.Do = Warning, "put in a larger card soon"
	}
	found := []Finding{f}
	if s.Flags&unix.ST_RDONLY != 0 {
		found = append(found, Finding{Name: "writing", Code: "read-only", Verdict: Broken, Text: p.Config.Data + " can only be read",
			Do: "the card is failing: " + changeCard})
	}
	return grouped("storage", found...)
}

// probeStorage asks the kernel for errors of file systems and the age of an eMMC.
func probeStorage(p *Patient) []Finding {
	var found []Finding
	counts, _ := fs.Glob(p.root, "sys/fs/ext4/*/errors_count")
	for _, name := range counts {
		n, err := strconv.Atoi(line(p.root, name))
		disk := path.Base(path.Dir(name))
		switch {
		case err != nil:
		case n > 0:
			found = append(found, Finding{Name: disk, Code: "storage-" + disk, Verdict: Broken, Text: fmt.Sprintf("the file system on %s has found %d errors", disk, n), Do: changeCard})
		default:
			found = append(found, Finding{Name: disk, Verdict: Fine, Text: "the file system has found no errors"})
		}
	}
	lives, _ := fs.Glob(p.root, "sys/block/mmcblk*/device/life_time")
	for _, name := range lives {
		found = append(found, cardAge(strings.Split(name, "/")[2], line(p.root, name)))
	}
	if len(found) == 0 {
		found = []Finding{{Name: "errors", Verdict: Unknown, Text: "this machine does not count them"}}
	}
	return grouped("storage", found...)
}

// cardAge reads an eMMC's two estimates, each in tenths of its life: 0x01 is up to
// 10 %, 0x0a up to all of it, 0x0b more.
func cardAge(disk, text string) Finding {
	worst := uint64(0)
	for _, word := range strings.Fields(text) {
		n, err := strconv.ParseUint(strings.TrimPrefix(word, "0x"), 16, 8)
		if err == nil {
			worst = max(worst, n)
		}
	}
	f := Finding{Name: disk, Code: "worn-" + disk, Verdict: Fine, Text: fmt.Sprintf("at most %d %% of its life is used", 10*worst)}
	switch {
	case worst == 0:
		f.Verdict, f.Text = Unknown, "the card does not tell its age"
	case worst > 10:
		f.Verdict, f.Text, f.Do = Broken, "the card "+disk+" is past its life", changeCard
	case worst >= 9:
		f.Verdict, f.Do = Warning, "put in another card soon"
	}
	return f
}
