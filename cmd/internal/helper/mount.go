package helper

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	"shoeboard/cmd/internal/transfer"
	"shoeboard/tracker"
)

// deviceName matches the kernel's names of disks and partitions.
var deviceName = regexp.MustCompile(`^[a-z0-9]{1,16}$`)

// fileSystems are the kinds that are mounted, with their options; uid and gid are those of
// the core, to which files without an owner belong.
var fileSystems = map[string]string{
	"vfat":  "uid=%d,gid=%d,dmask=0022,fmask=0133,utf8=1,shortname=mixed,flush,errors=remount-ro",
	"exfat": "uid=%d,gid=%d,dmask=0022,fmask=0133,errors=remount-ro",
	"ext4":  "errors=remount-ro",
}

// machine is /sys and /proc, or a test's picture of them, and the kinds of file systems.
type machine struct {
	sys, proc string
	kindOf    func(device string) string // of the file system on /dev/DEVICE, "" for none
	ext4      bool                       // is mounted too
}

func thisMachine(ext4 bool) machine {
	return machine{ext4: ext4, sys: "/sys", proc: "/proc", kindOf: func(device string) string {
		out, err := exec.Command("blkid", "-p", "-s", "TYPE", "-o", "value", "/dev/"+device).Output()
		if err != nil {
			return "" // blkid fails for a kind that it does not know
		}
		return strings.TrimSpace(string(out))
	}}
}

// parts returns the devices of a disk: its partitions in their order, or itself.
func (m machine) parts(device string) (disk string, parts []string, err error) {
	dir, err := filepath.EvalSymlinks(filepath.Join(m.sys, "class/block", device))
	if err != nil {
		return "", nil, err
	}
	if _, err := os.Stat(filepath.Join(dir, "partition")); err == nil {
		dir = filepath.Dir(dir)
	}
	disk = filepath.Base(dir)
	files, err := filepath.Glob(filepath.Join(dir, disk+"*", "partition"))
	if err != nil || len(files) == 0 {
		return disk, []string{disk}, err
	}
	number := func(file string) int {
		text, _ := os.ReadFile(file)
		n, _ := strconv.Atoi(strings.TrimSpace(string(text)))
		return n
	}
	slices.SortFunc(files, func(a, b string) int { return number(a) - number(b) })
	for _, file := range files {
		parts = append(parts, filepath.Base(filepath.Dir(file)))
	}
	return disk, parts, nil
}

// ErrNoStick says that a device is none to mount; the error that wraps it says why.
var ErrNoStick = errors.New("not mounted")

// kindError is ErrNoStick for a file system that is not mounted, by its kind.
type kindError string

// mostKind bounds the name of a kind of file system, in bytes.
const mostKind = 20

func (k kindError) Error() string {
	return fmt.Sprintf("%v: its file system is %s: expected FAT or exFAT (stick_ext4 = true allows ext4)",
		ErrNoStick, string(k))
}

func (k kindError) Is(err error) bool { return err == ErrNoStick }

// stick returns the kind of the file system on a device that is the one part of a USB stick
// to mount. It is ErrNoStick when an earlier part is the one, when no part has a file system
// to mount, or when the system uses the disk.
func (m machine) stick(device string) (kind string, err error) {
	if !deviceName.MatchString(device) {
		return "", fmt.Errorf("%q is no device", device)
	}
	disk, parts, err := m.parts(device)
	if err != nil {
		return "", err
	}
	if use, err := m.use(append(parts, disk)); use != "" || err != nil {
		return "", errors.Join(err, fmt.Errorf("%w: %s", ErrNoStick, use))
	}
	for _, part := range parts {
		kind := m.kindOf(part)
		switch {
		case fileSystems[kind] == "", kind == "ext4" && !m.ext4:
			continue
		case part != device:
			return "", fmt.Errorf("%w: %s is the part of this stick that counts", ErrNoStick, part)
		}
		return kind, nil
	}
	if kind := m.kindOf(device); kind != "" {
		return "", kindError(tracker.Plain(kind, mostKind))
	}
	return "", fmt.Errorf("%w: %s has no file system", ErrNoStick, device)
}

// use returns the use that a disk has already, "" for none: mounted, held by another
// device, or swap.
func (m machine) use(devices []string) (string, error) {
	mounts, err := m.mounts()
	if err != nil {
		return "", err
	}
	swaps, err := os.ReadFile(filepath.Join(m.proc, "swaps"))
	if err != nil {
		return "", err
	}
	for _, device := range devices {
		dir := filepath.Join(m.sys, "class/block", device)
		number, err := os.ReadFile(filepath.Join(dir, "dev"))
		if err != nil {
			return "", err
		}
		for _, at := range mounts {
			// btrfs has a number of its own, and is known by its source alone.
			if at.number == strings.TrimSpace(string(number)) || at.source == "/dev/"+device {
				return device + " is mounted at " + at.place, nil
			}
		}
		if held, err := os.ReadDir(filepath.Join(dir, "holders")); err == nil && len(held) > 0 {
			return device + " is part of " + held[0].Name(), nil
		}
		if strings.Contains(string(swaps), "/dev/"+device+" ") {
			return device + " is swap", nil
		}
	}
	return "", nil
}

// mount is one line of mountinfo.
type mount struct{ number, place, source string }

func (m machine) mounts() (all []mount, err error) {
	text, err := os.ReadFile(filepath.Join(m.proc, "self/mountinfo"))
	for line := range strings.Lines(string(text)) {
		left, right, _ := strings.Cut(line, " - ")
		words, from := strings.Fields(left), strings.Fields(right)
		if len(words) > 4 && len(from) > 1 {
			all = append(all, mount{number: words[2], place: words[4], source: from[1]})
		}
	}
	return all, err
}

// Mount mounts a device as the unit's stick, writable by the user, when it is one and the
// slot is empty; else it returns ErrNoStick. ext4 says that it may have that. It needs root.
func Mount(device string, slot transfer.Slot, uid, gid int, ext4 bool) error {
	if root, err := slot.Open(); err == nil {
		return errors.Join(fmt.Errorf("%w: there is a stick already", ErrNoStick), root.Close())
	}
	kind, err := thisMachine(ext4).stick(device)
	if err != nil {
		if refused := kindError(""); errors.As(err, &refused) {
			err = errors.Join(err, slot.Refuse(device, string(refused)))
		}
		return err
	}
	options := fileSystems[kind]
	if strings.Contains(options, "%d") {
		options = fmt.Sprintf(options, uid, gid)
	}
	if err := os.MkdirAll(slot.Dir, 0o755); err != nil {
		return err
	}
	const flags = unix.MS_NOSUID | unix.MS_NODEV | unix.MS_NOEXEC | unix.MS_NOATIME | unix.MS_NOSYMFOLLOW
	if err := unix.Mount("/dev/"+device, slot.Dir, kind, flags, options); err != nil {
		return fmt.Errorf("/dev/%s (%s) at %s: %w", device, kind, slot.Dir, err)
	}
	if kind != "ext4" {
		return nil
	}
	if err := lend(slot.Dir, uid, gid); err != nil {
		return errors.Join(err, unix.Unmount(slot.Dir, unix.MNT_DETACH))
	}
	return nil
}

// mostLent bounds the files of our folder on a stick, of which five years take 40,000, and
// deepest how far below it they are: UNIT/journal/BUCKET/SEGMENT.
const mostLent, deepest = 1 << 17, 4

// lend gives our folder on a stick that knows owners to the core, with everything that
// another unit has written into it. It follows no link.
func lend(dir string, uid, gid int) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	if err := root.MkdirAll(transfer.Folder, 0o755); errors.Is(err, unix.EROFS) {
		return nil // it can still be read
	} else if err != nil {
		return err
	}
	seen := 0
	return fs.WalkDir(root.FS(), transfer.Folder, func(name string, _ fs.DirEntry, err error) error {
		if seen++; seen > mostLent {
			err = fmt.Errorf("%s on the stick has more than %d files", transfer.Folder, mostLent)
		}
		if strings.Count(name, "/") > deepest {
			err = fmt.Errorf("%s on the stick has folders within folders: nothing of ours is so deep", transfer.Folder)
		}
		if err != nil {
			return err
		}
		return root.Lchown(name, uid, gid)
	})
}

// Unmount releases a device that is mounted as the unit's stick, whether it is still there
// or not. Open files on it fail with an I/O error.
func Unmount(device string, slot transfer.Slot) error {
	return errors.Join(thisMachine(true).unmount(device, slot.Dir), slot.Forget(device))
}

func (m machine) unmount(device, place string) error {
	mounts, err := m.mounts()
	if slices.ContainsFunc(mounts, func(at mount) bool { return at.place == place && at.source == "/dev/"+device }) {
		return unix.Unmount(place, unix.MNT_DETACH|unix.UMOUNT_NOFOLLOW)
	}
	return err
}
