package doctor

import (
	"fmt"
	"io/fs"
	"os"
	"os/user"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"shoeboard/cmd/internal/clock"
	"shoeboard/cmd/internal/datadir"
	"shoeboard/cmd/internal/devices"
	"shoeboard/cmd/internal/update"
)

// checkClock checks that the clock is set and whether it runs without power.
func checkClock(u *Unit) []Finding {
	set := Finding{Name: "set", Code: ClockNotSet}.is(Fine, "the wall clock is set", "")
	trusted := clock.Trusted()
	if u.board != nil {
		trusted = u.board.ClockTrusted
	}
	if !trusted {
		set = set.is(Warning, "the wall clock is not set; the record marks its times as such", remedies[ClockNotSet])
	}
	battery := Finding{Name: "battery"}.is(Unknown, "this machine has no clock that runs without power", "")
	if name := line(u.root, "sys/class/rtc/rtc0/name"); name != "" {
		battery = battery.is(Fine, "a clock that runs without power: "+name, "")
	}
	return []Finding{set, battery}
}

func checkPower(u *Unit) []Finding {
	volts, _ := u.Voltage()
	return []Finding{volts, checkTemperature(u.root)}
}

// Voltage returns the finding about the supply alone, and false where nothing watches it.
// The kernel's driver remembers a drop for two seconds, so it is read every few seconds;
// earlier drops are in the record.
func (u *Unit) Voltage() (Finding, bool) {
	f := Finding{Name: "voltage", Code: "under-voltage"}
	names, _ := fs.Glob(u.root, "sys/class/hwmon/*/name")
	for _, name := range names {
		switch {
		case line(u.root, name) != "rpi_volt":
		case line(u.root, path.Join(path.Dir(name), "in0_lcrit_alarm")) == "1":
			return f.is(Broken, "the supply fell below 4.63 V", ownSupply), true
		default:
			return f.is(Fine, "no under-voltage now; see faults for earlier drops", ""), true
		}
	}
	return f.is(Unknown, "this machine does not watch its supply", ""), false
}

// hottest is the temperature in degrees above which a Pi throttles itself.
const (
	hottest = 80.0
	hot     = 70.0
)

func checkTemperature(root fs.FS) Finding {
	f := Finding{Name: "temperature", Code: "too-hot"}
	milli, err := strconv.Atoi(line(root, "sys/class/thermal/thermal_zone0/temp"))
	if err != nil {
		return f.is(Unknown, "this machine does not measure it", "")
	}
	c := float64(milli) / 1000
	text := fmt.Sprintf("the processor is at %.1f °C", c)
	switch {
	case c >= hottest:
		return f.is(Broken, text, moreAir)
	case c >= hot:
		return f.is(Warning, text, "improve the airflow")
	}
	return f.is(Fine, text, "")
}

// checkDevices checks the keypads and shoes that the configuration names.
func checkDevices(u *Unit) []Finding {
	var found []Finding
	for _, d := range u.inventory.Configured {
		f := Finding{Name: d.Section + " " + d.Name}
		switch {
		case d.Why != "":
			f = f.is(Broken, d.Device+": "+d.Why, remedy("device"))
		case d.Found == "":
			f = f.is(Unknown, d.Device+": only the core knows whether it answers; see faults", "")
		case d.Device == devices.AnyPad:
			f = f.is(Warning, "it is not enrolled: whatever numeric pad is plugged in is the dealer's",
				"sudo shoeboard keypad learn "+d.Name)
		default:
			f = f.is(Fine, d.Device+": "+d.State(), "")
		}
		if strings.HasPrefix(d.Device, "tcp://") {
			f.Do = "the service has no network by default: see /usr/share/doc/shoeboard/shoe-network.conf"
		}
		found = append(found, f)
	}
	return found
}

// coreUser is the core's user on a unit that was set up from the package.
const coreUser = "shoeboard"

// checkPermissions checks the owner of the data folder and who may open the socket.
func checkPermissions(u *Unit) []Finding {
	found := []Finding{checkOwner(u.Config.Data)}
	if info, err := os.Stat(u.Config.Socket); err == nil && info.Mode().Perm()&0o007 != 0 {
		found = append(found, Finding{Name: "socket"}.is(Broken, u.Config.Socket+" is open to everybody",
			"sudo systemctl restart shoeboard"))
	}
	return found
}

// checkOwner checks that the data folder and its files belong to the core: a program that
// was started as root leaves files that the core cannot write.
func checkOwner(data string) Finding {
	f := Finding{Name: "data folder"}
	uid, _, err := datadir.Owner(data)
	if err != nil {
		return f.is(Unknown, err.Error(), "")
	}
	chown := "sudo chown -R " + coreUser + ": " + data
	owner, err := user.LookupId(strconv.Itoa(uid))
	if err != nil {
		return f.is(Broken, fmt.Sprintf("%s belongs to user %d, who does not exist", data, uid), chown)
	}
	if _, err := user.Lookup(coreUser); err == nil && owner.Username != coreUser {
		text := fmt.Sprintf("%s belongs to %s, and the core runs as %s", data, owner.Username, coreUser)
		return f.is(Broken, text, chown)
	}
	if name := foreignFile(data, uid); name != "" {
		text := fmt.Sprintf("%s does not belong to %s, the owner of its folder", name, owner.Username)
		return f.is(Broken, text, chown)
	}
	return f.is(Fine, fmt.Sprintf("%s belongs to %s", data, owner.Username), "")
}

// foreignFile returns a file of the data folder, or the first or last of its record, that
// does not belong to uid; "" for none.
func foreignFile(data string, uid int) string {
	names, _ := filepath.Glob(filepath.Join(data, "*")) // the patterns are right
	if record, _ := filepath.Glob(filepath.Join(datadir.Journal(data), "*")); len(record) > 0 {
		names = append(names, record[0], record[len(record)-1])
	}
	for _, name := range names {
		if owner, _, err := datadir.Owner(name); err == nil && owner != uid && filepath.Base(name) != "lost+found" {
			return name
		}
	}
	return ""
}

// checkUpdate reports an update that was undone, and nothing when there was none.
func checkUpdate(u *Unit) []Finding {
	text, err := fs.ReadFile(u.root, strings.TrimPrefix(update.Failed, "/"))
	if err != nil {
		return nil
	}
	return []Finding{Finding{Name: "update", Code: "update-failed"}.is(Broken,
		strings.TrimSpace(string(text[:min(len(text), 100)])), whyNoUpdate)}
}
