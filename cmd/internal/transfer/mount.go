package transfer

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// deviceName is what the kernel calls a disk or a partition.
var deviceName = regexp.MustCompile(`^[a-z0-9]{1,16}$`)

// fileSystems are the kinds that are mounted, with their options. What belongs to
// nobody belongs to the core: uid and gid are put in.
var fileSystems = map[string]string{
	"vfat":  "uid=%d,gid=%d,dmask=0022,fmask=0133,utf8=1,shortname=mixed,flush,errors=remount-ro",
	"exfat": "uid=%d,gid=%d,dmask=0022,fmask=0133,errors=remount-ro",
	"ext4":  "errors=remount-ro",
}

// Machine is what a mount needs to know of the machine: /sys and /proc, or a test's
// picture of them, and what is on a device.
type Machine struct {
	Sys, Proc string
	Type      func(device string) string // of the file system on /dev/DEVICE, "" for none
}

// ThisMachine is the one that the program runs on.
func ThisMachine() Machine {
	return Machine{Sys: "/sys", Proc: "/proc", Type: func(device string) string {
		out, err := exec.Command("blkid", "-p", "-s", "TYPE", "-o", "value", "/dev/"+device).Output()
		if err != nil {
			return "" // blkid fails for what it does not know
		}
		return strings.TrimSpace(string(out))
	}}
}

// parts are the devices of a disk: its partitions in their order, or itself.
func (m Machine) parts(device string) (disk string, parts []string, err error) {
	dir, err := filepath.EvalSymlinks(filepath.Join(m.Sys, "class/block", device))
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

// ErrPassed says that a device is none to mount; the error that wraps it says why.
var ErrPassed = errors.New("passed over")

// Stick says whether a device is the one part of a USB stick that shall be mounted,
// and the kind of its file system. It is not (ErrPassed) when an
// earlier part is the one, when nothing that we mount is on it, or when the system
// lives on that disk.
func (m Machine) Stick(device string) (kind string, err error) {
	if !deviceName.MatchString(device) {
		return "", fmt.Errorf("%q is no device", device)
	}
	disk, parts, err := m.parts(device)
	if err != nil {
		return "", err
	}
	if used, err := m.used(append(parts, disk)); used != "" || err != nil {
		return "", errors.Join(err, fmt.Errorf("%w: %s", ErrPassed, used))
	}
	for _, part := range parts {
		kind := m.Type(part)
		if fileSystems[kind] == "" {
			continue
		}
		if part != device {
			return "", fmt.Errorf("%w: %s is the part of this stick that counts", ErrPassed, part)
		}
		return kind, nil
	}
	return "", fmt.Errorf("%w: %s has no FAT, exFAT or ext4", ErrPassed, device)
}

// used says what a disk is used for already, "" for nothing: mounted, held by another
// device, or swap.
func (m Machine) used(devices []string) (string, error) {
	mounts, err := os.ReadFile(filepath.Join(m.Proc, "self/mountinfo"))
	if err != nil {
		return "", err
	}
	swaps, err := os.ReadFile(filepath.Join(m.Proc, "swaps"))
	if err != nil {
		return "", err
	}
	for _, device := range devices {
		dir := filepath.Join(m.Sys, "class/block", device)
		number, err := os.ReadFile(filepath.Join(dir, "dev"))
		if err != nil {
			return "", err
		}
		for line := range strings.Lines(string(mounts)) {
			place, source, _ := strings.Cut(line, " - ")
			words, from := strings.Fields(place), strings.Fields(source)
			if len(words) < 5 || len(from) < 2 {
				continue
			}
			// btrfs has a number of its own, and is known by its source alone.
			if words[2] == strings.TrimSpace(string(number)) || from[1] == "/dev/"+device {
				return device + " is mounted at " + words[4], nil
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

// Insert mounts a device as the unit's stick, writable by the user, when there is none
// yet and it is one. It needs root.
func (m Machine) Insert(device, mount string, uid, gid int) error {
	if mounted(mount) {
		return fmt.Errorf("%w: there is a stick already", ErrPassed)
	}
	kind, err := m.Stick(device)
	if err != nil {
		return err
	}
	options := fileSystems[kind]
	if strings.Contains(options, "%d") {
		options = fmt.Sprintf(options, uid, gid)
	}
	if err := os.MkdirAll(mount, 0o755); err != nil {
		return err
	}
	const flags = unix.MS_NOSUID | unix.MS_NODEV | unix.MS_NOEXEC | unix.MS_NOATIME | unix.MS_NOSYMFOLLOW
	if err := unix.Mount("/dev/"+device, mount, kind, flags, options); err != nil {
		return fmt.Errorf("/dev/%s (%s) at %s: %w", device, kind, mount, err)
	}
	if kind != "ext4" {
		return nil
	}
	if err := lend(mount, uid, gid); err != nil {
		return errors.Join(err, unix.Unmount(mount, unix.MNT_DETACH))
	}
	return nil
}

// lend makes our folder on a stick that knows owners the core's, with all that
// another unit has written into it.
func lend(mount string, uid, gid int) error {
	root, err := os.OpenRoot(mount)
	if err != nil {
		return err
	}
	defer root.Close()
	if err := root.MkdirAll(Folder, 0o755); err != nil {
		if errors.Is(err, unix.EROFS) {
			return nil // it can still be read
		}
		return err
	}
	return walk(root, Folder, func(name string) error { return root.Lchown(name, uid, gid) })
}

// walk visits a name and all below it, and follows no link.
func walk(root *os.Root, name string, visit func(name string) error) error {
	if err := visit(name); err != nil {
		return err
	}
	info, err := root.Lstat(name)
	if err != nil || !info.IsDir() {
		return err
	}
	names, err := list(root, name)
	for _, below := range names {
		if err == nil {
			err = walk(root, name+"/"+below, visit)
		}
	}
	return err
}

// Remove lets go of a device that is mounted as the unit's stick, whether it is still
// there or not. Whoever has a file of it open keeps nothing but an error.
func (m Machine) Remove(device, mount string) error {
	text, err := os.ReadFile(filepath.Join(m.Proc, "self/mountinfo"))
	if err != nil {
		return err
	}
	for line := range strings.Lines(string(text)) {
		place, source, ok := strings.Cut(line, " - ")
		words, from := strings.Fields(place), strings.Fields(source)
		if ok && len(words) > 4 && words[4] == mount && len(from) > 1 && from[1] == "/dev/"+device {
			return unix.Unmount(mount, unix.MNT_DETACH|unix.UMOUNT_NOFOLLOW)
		}
	}
	return nil
}
