package helper

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"shoeboard/cmd/internal/datadir"
	"shoeboard/cmd/internal/transfer"
)

// picture is a picture of /sys and /proc in which devices can be put.
type picture struct {
	t     *testing.T
	root  string
	types map[string]string
}

func newPicture(t *testing.T) picture {
	m := picture{t, t.TempDir(), map[string]string{}}
	m.write("sys/class/block/x", "") // the folder
	m.disk("sdi", 16, "", "ext4")
	m.write("proc/self/mountinfo", "21 1 179:2 / / rw - ext4 /dev/mmcblk0p2 rw\n")
	m.write("proc/swaps", "Filename Type Size Used Priority\n")
	return m
}

func (m picture) write(name, text string) {
	m.t.Helper()
	path := filepath.Join(m.root, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		m.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		m.t.Fatal(err)
	}
}

// disk puts in a disk whose partitions have these kinds; without one it has none of
// its own, and a kind itself.
func (m picture) disk(name string, major int, kind string, partitions ...string) {
	m.t.Helper()
	link := func(device, place string, minor int) {
		m.write(place+"/dev", fmt.Sprintf("%d:%d\n", major, minor))
		if err := os.Symlink(filepath.Join(m.root, place), filepath.Join(m.root, "sys/class/block", device)); err != nil {
			m.t.Fatal(err)
		}
	}
	m.types[name] = kind
	place := "sys/devices/usb/block/" + name
	link(name, place, 0)
	for i, kind := range partitions {
		part := fmt.Sprintf("%s%d", name, i+1)
		m.types[part] = kind
		m.write(place+"/"+part+"/partition", fmt.Sprintln(i+1))
		link(part, place+"/"+part, i+1)
	}
}

func (m picture) machine() machine {
	return machine{sys: filepath.Join(m.root, "sys"), proc: filepath.Join(m.root, "proc"), kindOf: func(d string) string { return m.types[d] }}
}

// Which part of which disk is the stick.
func TestWhichPartIsTheStick(t *testing.T) {
	m := newPicture(t)
	m.disk("sda", 8, "", "vfat")
	m.disk("sdb", 9, "", "ntfs", "", "exfat", "vfat", "", "", "", "", "", "ext4")
	m.disk("sdc", 10, "vfat")
	m.disk("sdd", 11, "", "ntfs")
	m.disk("sde", 12, "", "vfat", "ext4") // the system is on it
	m.disk("sdf", 13, "", "vfat", "ext4") // part of something
	m.disk("sdg", 14, "", "vfat", "swap")
	m.disk("sdh", 15, "", "vfat", "btrfs") // and another system
	m.write("proc/self/mountinfo", "21 1 12:2 / / rw - ext4 /dev/root rw\n23 21 0:25 /@ /srv rw shared:1 - btrfs /dev/sdh2 rw\n22 21 179:1 / /boot rw - vfat /dev/mmcblk0p1 rw\n")
	m.write("sys/devices/usb/block/sdf/sdf2/holders/dm-0", "")
	m.write("proc/swaps", "Filename Type Size Used Priority\n/dev/sdg2 partition 100 0 -2\n")
	for device, want := range map[string]string{
		"sda1": "vfat", "sdb3": "exfat", "sdc": "vfat",
		"sda": "sda1 is the part", "sdb4": "sdb3 is the part", "sdb10": "sdb3 is the part", "sdb1": "sdb3 is the part",
		"sdd1": "its file system is ntfs", "sde1": "mounted at /", "sdf1": "part of dm-0", "sdg1": "sdg2 is swap", "sdh1": "sdh2 is mounted at /srv",
		"sdi1": "its file system is ext4: expected FAT or exFAT",
		"sdz1": "no such file", "../sda1": "is no device", "": "is no device",
	} {
		kind, err := m.machine().stick(device)
		if got := kind + fmt.Sprint(err); err == nil && kind != want || err != nil && !strings.Contains(got, want) {
			t.Errorf("%q: %s, expected %s", device, got, want)
		}
	}
}

// ext4 is mounted where the house wants it.
func TestAStickWithExt4(t *testing.T) {
	m := newPicture(t)
	m.disk("sda", 8, "", "ext4")
	m.write("proc/self/mountinfo", "")
	m.write("proc/swaps", "")
	machine := m.machine()
	machine.ext4 = true
	if kind, err := machine.stick("sda1"); kind != "ext4" || err != nil {
		t.Errorf("%s, %v", kind, err)
	}
}

// What a stranger has nested in our folder is left alone.
func TestLendingStopsAtFoldersWithinFolders(t *testing.T) {
	stick := t.TempDir()
	if err := os.MkdirAll(filepath.Join(stick, transfer.Folder, strings.Repeat("a/", 300)), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := lend(stick, os.Getuid(), os.Getgid()); err == nil || !strings.Contains(err.Error(), "folders within folders") {
		t.Errorf("%v", err)
	}
}

// The folder of another unit on an ext4 stick becomes the core's; a link in it leads
// nowhere.
func TestLending(t *testing.T) {
	stick := t.TempDir()
	home, target := filepath.Join(stick, transfer.Folder, "10000000aaaa"), t.TempDir()
	for _, err := range []error{os.MkdirAll(home, 0o755), os.WriteFile(home+"/table", nil, 0o600), os.Symlink(target, home+"/all"),
		os.WriteFile(target+"/file", nil, 0o600)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	uid := os.Getuid()
	if uid == 0 {
		uid = 65534
	}
	if err := lend(stick, uid, os.Getgid()); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]int{filepath.Dir(home): uid, home: uid, home + "/table": uid, target: os.Getuid(), target + "/file": os.Getuid()} {
		if got, _, err := datadir.Owner(path); got != want || err != nil {
			t.Errorf("%s belongs to %d, want %d: %v", path, got, want, err)
		}
	}
}

// Nothing of ours is mounted there: there is nothing to let go of.
func TestRemoveOfNothing(t *testing.T) {
	if err := newPicture(t).machine().unmount("sda1", transfer.Mount); err != nil {
		t.Error(err)
	}
}
