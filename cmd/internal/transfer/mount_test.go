package transfer

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// machine is a picture of /sys and /proc in which devices can be put.
type machine struct {
	t     *testing.T
	root  string
	types map[string]string
}

func newMachine(t *testing.T) machine {
	m := machine{t, t.TempDir(), map[string]string{}}
	m.write("sys/class/block/x", "") // the folder
	m.write("proc/self/mountinfo", "21 1 179:2 / / rw - ext4 /dev/mmcblk0p2 rw\n")
	m.write("proc/swaps", "Filename Type Size Used Priority\n")
	return m
}

func (m machine) write(name, text string) {
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
func (m machine) disk(name string, major int, kind string, partitions ...string) {
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

func (m machine) machine() Machine {
	return Machine{Sys: filepath.Join(m.root, "sys"), Proc: filepath.Join(m.root, "proc"), Type: func(d string) string { return m.types[d] }}
}

// Which part of which disk is the stick.
func TestWhichPartIsTheStick(t *testing.T) {
	m := newMachine(t)
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
		"sdd1": "has no FAT", "sde1": "mounted at /", "sdf1": "part of dm-0", "sdg1": "sdg2 is swap", "sdh1": "sdh2 is mounted at /srv",
		"sdz1": "no such file", "../sda1": "is no device", "": "is no device",
	} {
		kind, err := m.machine().Stick(device)
		if got := kind + fmt.Sprint(err); err == nil && kind != want || err != nil && !strings.Contains(got, want) {
			t.Errorf("%q: %s, expected %s", device, got, want)
		}
	}
}

// What lies on a stick for an update: packages of this machine with a signature.
func TestPackagesOnAStick(t *testing.T) {
	slot := newStick(t)
	name := "shoeboard_0.2.0+next~1_" + arch() + ".deb"
	other := "shoeboard_0.3.0_other.deb"
	for _, file := range []string{name, name + ".sig", other, other + ".sig", "shoeboard_0.4.0_" + arch() + ".deb", "holiday.jpg"} {
		if err := os.WriteFile(filepath.Join(slot.Dir, file), []byte(file), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	found, err := slot.Packages()
	if want := []Package{{File: name, Version: "0.2.0+next~1"}}; err != nil || !slices.Equal(found, want) {
		t.Fatalf("found %+v, %v", found, err)
	}
	to := t.TempDir()
	if err := slot.Fetch(name, filepath.Join(to, name)); err != nil {
		t.Fatal(err)
	}
	if all := files(t, to); len(all) != 2 || all[name] != name || all[name+".sig"] != name+".sig" {
		t.Errorf("fetched %v", all)
	}
	huge := "shoeboard_7_" + arch() + ".deb"
	for _, err := range []error{os.WriteFile(filepath.Join(slot.Dir, huge), nil, 0o600), os.WriteFile(filepath.Join(slot.Dir, huge+".sig"), nil, 0o600),
		os.Truncate(filepath.Join(slot.Dir, huge+".sig"), mostText+1)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := slot.Fetch(huge, filepath.Join(to, huge)); err == nil {
		t.Error("fetched a signature of more than a megabyte")
	}
	secret := filepath.Join(t.TempDir(), "shadow")
	link := "shoeboard_9_" + arch() + ".deb"
	for _, err := range []error{os.WriteFile(secret, []byte("root"), 0o600), os.Symlink(secret, filepath.Join(slot.Dir, link))} {
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := slot.Fetch(link, filepath.Join(to, link)); err == nil {
		t.Error("fetched what a link leads to")
	}
	if err := slot.Fetch("shoeboard_8_"+arch()+".deb", filepath.Join(to, "x")); err == nil || !strings.Contains(err.Error(), "not on the stick") {
		t.Errorf("fetched what is not there: %v", err)
	}
}

// The folder of another unit on an ext4 stick becomes the core's; a link in it leads
// nowhere.
func TestLending(t *testing.T) {
	slot := newStick(t)
	home := filepath.Join(slot.Dir, Folder, "10000000aaaa")
	for _, err := range []error{os.MkdirAll(home, 0o755), os.WriteFile(home+"/table", nil, 0o600), os.Symlink("/", home+"/all")} {
		if err != nil {
			t.Fatal(err)
		}
	}
	var visited []string
	root, err := slot.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	err = walk(root, Folder, func(name string) error { visited = append(visited, name); return nil })
	if want := []string{"shoeboard", "shoeboard/10000000aaaa", "shoeboard/10000000aaaa/all", "shoeboard/10000000aaaa/table"}; err != nil || !slices.Equal(visited, want) {
		t.Errorf("visited %q, %v", visited, err)
	}
	if err := lend(slot.Dir, os.Getuid(), os.Getgid()); err != nil {
		t.Error(err)
	}
}

// Nothing of ours is mounted there: there is nothing to let go of.
func TestRemoveOfNothing(t *testing.T) {
	if err := newMachine(t).machine().Remove("sda1", Mount); err != nil {
		t.Error(err)
	}
}
