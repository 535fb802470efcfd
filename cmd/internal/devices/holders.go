package devices

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// holder is a process that has a device open.
type holder struct {
	PID  int    `json:"pid"`
	Name string `json:"name"`
}

func (h holder) String() string { return fmt.Sprintf("%s (process %d)", h.Name, h.PID) }

// Holders are the processes that have something open, by its path, or for lines of a
// GPIO chip by gpioLines. Processes of other users are seen by root only.
type Holders map[string][]holder

// gpioLines is what the kernel calls requested GPIO lines, of whatever chip.
const gpioLines = "anon_inode:gpio-line"

// openDevices looks through all processes but this one.
func openDevices(proc string) Holders {
	held := Holders{}
	links, err := filepath.Glob(filepath.Join(proc, "[0-9]*", "fd", "*"))
	if err != nil {
		return held
	}
	for _, link := range links {
		pid, err := strconv.Atoi(filepath.Base(filepath.Dir(filepath.Dir(link))))
		target, lost := os.Readlink(link)
		if err != nil || lost != nil || pid == os.Getpid() || !strings.Contains(target, "/dev/") && target != gpioLines {
			continue
		}
		h := holder{pid, "process"}
		if name, err := os.ReadFile(filepath.Join(proc, strconv.Itoa(pid), "comm")); err == nil {
			h.Name = strings.TrimSpace(string(name))
		}
		if !slices.Contains(held[target], h) {
			held[target] = append(held[target], h)
		}
	}
	for _, target := range slices.Sorted(maps.Keys(held)) {
		slices.SortFunc(held[target], func(a, b holder) int { return cmp.Compare(a.PID, b.PID) })
	}
	return held
}

// words names those that hold a device, "" for none.
func (h Holders) words(path string) string {
	var names []string
	for _, by := range h[path] {
		names = append(names, by.String())
	}
	return strings.Join(names, ", ")
}
