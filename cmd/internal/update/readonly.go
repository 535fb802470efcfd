package update

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
)

// slotTool is there on a unit that was made from the image.
const slotTool = "usr/sbin/shoeboard-slot"

// checkWritable refuses a unit below root whose /usr nobody can write, and says what to
// do. Where the kernel does not tell, dpkg will.
func checkWritable(root string) error {
	text, err := os.ReadFile(filepath.Join(root, "proc/self/mountinfo"))
	if err != nil || !isReadOnly(string(text), "/usr") {
		return nil
	}
	if _, err := os.Stat(filepath.Join(root, slotTool)); err == nil {
		return errors.New("the system of this unit is read-only; it is updated as a whole: " +
			"sudo shoeboard-slot install FILE.slot")
	}
	return errors.New("the system of this unit is read-only: " +
		"if nobody has made it so, the card fails (sudo shoeboard doctor)")
}

// isReadOnly reports whether the file system that holds a folder is read-only itself, by
// the lines of mountinfo (proc_pid_mountinfo(5)). A read-only mount of a writable one is
// not: the service manager gives the helper that checks packages only those.
func isReadOnly(mountinfo, folder string) bool {
	holder, ro := "", false
	for line := range strings.Lines(mountinfo) {
		mount, source, _ := strings.Cut(line, " - ")
		m, s := strings.Fields(mount), strings.Fields(source)
		if len(m) < 6 || len(s) < 3 || !holds(m[4], folder) || len(m[4]) < len(holder) {
			continue
		}
		holder, ro = m[4], strings.HasPrefix(s[2]+",", "ro,") // the last of equals lies over the others
	}
	return ro
}

// holds reports whether a folder is at or below the place of a mount.
func holds(place, folder string) bool {
	return place == folder || strings.HasPrefix(folder, strings.TrimSuffix(place, "/")+"/")
}
