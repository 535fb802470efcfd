package doctor

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	"shoeboard/cmd/internal/datadir"
	"shoeboard/cmd/internal/export"
	"shoeboard/cmd/internal/secret"
	"shoeboard/cmd/internal/staff"
	"shoeboard/tracker/history"
	"shoeboard/tracker/journal"
	"shoeboard/tracker/localapi"
)

// checkRecord reads the whole record and checks every checksum, number and hash.
func checkRecord(u *Unit) []Finding {
	chain := Finding{Name: "chain"}
	dir := datadir.Journal(u.Config.Data)
	if _, err := os.ReadDir(dir); err != nil {
		switch {
		case errors.Is(err, fs.ErrNotExist):
			chain = chain.is(Unknown, "there is no record yet", "")
		case errors.Is(err, fs.ErrPermission):
			chain = chain.is(Unknown, "no permission to read it: run the doctor with sudo", "")
		default:
			chain = chain.is(Broken, err.Error(), changeCard)
		}
		return append(checkEnd(u), chain)
	}
	c, err := journal.Verify(journal.Dir(dir))
	if err != nil {
		return []Finding{chain.is(Broken, err.Error(), "run the doctor with sudo; if the fault stays, "+changeCard)}
	}
	chain = chain.is(Fine, fmt.Sprintf("%s in %s, all checksums, numbers and hashes are right",
		export.Count(c.Records, "record"), export.Count(c.Segments, "segment")), "")
	for _, problem := range c.Problems {
		if u.board != nil && problem.Trouble == journal.Torn {
			continue // the running core is writing it
		}
		chain = chain.is(Broken, fmt.Sprintf("%s; the first: %v", export.Count(len(c.Problems), "problem"), problem),
			"back up (sudo shoeboard backup FILE), then find out why: "+
				"a power cut leaves a cut end, a bad card leaves gaps")
		break
	}
	found := append(checkEnd(u), chain)
	if len(c.Kept) > 0 {
		text := fmt.Sprintf("%d files keep data cut from the record's end", len(c.Kept))
		found = append(found, Finding{Name: "cut"}.is(Warning, text,
			"nothing that was shown as saved is lost; keep the files for an investigation"))
	}
	return found
}

// checkEnd reports that the record has lost its end.
func checkEnd(u *Unit) []Finding {
	data := u.Config.Data
	if l := history.FindLost(history.Path(data), journal.Dir(datadir.Journal(data))); l.Any() {
		return []Finding{Finding{Name: "end"}.is(Broken, l.String(), recordLost)}
	}
	return nil
}

// checkIndex reads the finished shoes row by row.
func checkIndex(u *Unit) []Finding {
	f, rows := Finding{Name: "index"}, 0
	client := localapi.Client{Path: u.Config.Socket}
	r, err := history.Open(context.Background(), history.Path(u.Config.Data), client.Shoes)
	if err == nil {
		err = r.Rows(func(history.Row) error { rows++; return nil })
		r.Close()
	}
	switch {
	case err == nil:
		f = f.is(Fine, fmt.Sprintf("%d shoes, every row and sum right", rows), "")
	case errors.Is(err, fs.ErrNotExist):
		f = f.is(Unknown, "there is none yet; the core makes it", "")
	case errors.Is(err, history.ErrDamaged):
		f = f.is(Warning, err.Error(), "nothing is lost: sudo systemctl restart shoeboard rebuilds it from the record")
	default:
		f = f.is(Unknown, err.Error(), "")
	}
	return []Finding{f}
}

// checkStaff checks that the menu asks who is there, and that those who are entered can sign in.
func checkStaff(u *Unit) []Finding {
	f := Finding{Name: "staff"}
	switch has, why := staff.Required(u.Config.Data, filepath.Join(u.path, secret.Folder)); {
	case errors.Is(why, fs.ErrPermission):
		f = f.is(Unknown, "no permission to read it: run the doctor with sudo", "")
	case why != nil:
		f = f.is(Broken, "nobody can sign in at the menu: "+why.Error(), remedies["staff"])
	case !has:
		f = f.is(Warning, "there is none: anybody at a closed table can open the technician's menu",
			"enter a technician: sudo shoeboard staff set NUMBER technician")
	default:
		f = f.is(Fine, "the menu asks who is there", "")
	}
	return []Finding{f}
}

// leastFree and leastWarn are the free space below which there is a fault or a
// warning. A busy table's record takes some 650 MB a year.
const (
	leastFree = 32 << 20
	leastWarn = 256 << 20
)

// checkSpace checks the free space of the data folder and that it can be written.
func checkSpace(u *Unit) []Finding {
	f := Finding{Name: "space", Code: "no-space"}
	var s unix.Statfs_t
	if err := unix.Statfs(u.Config.Data, &s); err != nil {
		return []Finding{f.is(Unknown, u.Config.Data+": "+err.Error(), "")}
	}
	free := int64(s.Bavail) * int64(s.Bsize)
	f = f.is(Fine, fmt.Sprintf("%d MB free for %s", free>>20, u.Config.Data), "")
	switch {
	case free < leastFree:
		f = f.is(Broken, "the card is nearly full: "+f.Text, moreSpace)
	case free < leastWarn:
		f = f.is(Warning, f.Text, "use a larger card soon")
	}
	found := []Finding{f}
	if s.Flags&unix.ST_RDONLY != 0 {
		found = append(found, Finding{Name: "writing", Code: "read-only"}.is(Broken, u.Config.Data+" is read-only",
			"the card is failing: "+changeCard))
	}
	return found
}

// checkStorage reads the kernel's count of errors of file systems and the age of an eMMC.
func checkStorage(u *Unit) []Finding {
	var found []Finding
	counts, _ := fs.Glob(u.root, "sys/fs/ext4/*/errors_count")
	for _, name := range counts {
		n, err := strconv.Atoi(line(u.root, name))
		disk := path.Base(path.Dir(name))
		switch {
		case err != nil:
		case n > 0:
			found = append(found, Finding{Name: disk, Code: "storage-" + disk}.is(Broken,
				fmt.Sprintf("the file system on %s has found %d errors", disk, n), changeCard))
		default:
			found = append(found, Finding{Name: disk}.is(Fine, "the file system has found no errors", ""))
		}
	}
	lives, _ := fs.Glob(u.root, "sys/block/mmcblk*/device/life_time")
	for _, name := range lives {
		found = append(found, cardAge(strings.Split(name, "/")[2], line(u.root, name)))
	}
	if len(found) == 0 {
		found = []Finding{Finding{Name: "errors"}.is(Unknown, "this machine does not count them", "")}
	}
	return found
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
	f := Finding{Name: disk, Code: "worn-" + disk}
	used := fmt.Sprintf("at most %d %% of its life is used", 10*worst)
	switch {
	case worst == 0:
		return f.is(Unknown, "the card does not report its age", "")
	case worst > 10:
		return f.is(Broken, "the card "+disk+" is past its life", changeCard)
	case worst >= 9:
		return f.is(Warning, used, "change the card soon")
	}
	return f.is(Fine, used, "")
}
