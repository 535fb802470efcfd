package main

import (
	"bytes"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"shoeboard/cmd/internal/config"
	"shoeboard/cmd/internal/helper"
	"shoeboard/cmd/internal/transfer"
)

// The units are tested against the program's real flags, and with systemd's own eyes.

const unitsDir = root + "/systemd"

// mostExposed is what "systemd-analyze security" may say of a unit.
var mostExposed = map[string]float64{"shoeboard.service": 0.9, "shoeboard-screen.service": 1.5}

// mostExposedHelpers is the same for what root does at somebody's wish and ends.
var mostExposedHelpers = map[string]float64{
	"shoeboard-helper@.service": 2.0, "shoeboard-stick@.service": 3.8, "shoeboard-update.service": 4.0}

// looked are the units that systemd looks at.
func looked() []string {
	names := slices.AppendSeq([]string{"shoeboard-helper.socket"}, maps.Keys(mostExposed))
	return slices.Sorted(slices.Values(slices.AppendSeq(names, maps.Keys(mostExposedHelpers))))
}

func readUnit(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(unitsDir, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// commands are the Exec lines of a unit.
func commands(unit string) (all [][]string) {
	for line := range strings.Lines(unit) {
		key, value, ok := strings.Cut(strings.TrimSpace(line), "=")
		if ok && strings.HasPrefix(key, "Exec") {
			all = append(all, strings.Fields(value))
		}
	}
	return all
}

// ours is the part of a command that is this program's, without what xinit gets
// for the X server.
func ours(command []string) []string {
	at := slices.Index(command, "/usr/bin/shoeboard")
	if at < 0 {
		return nil
	}
	args := command[at+1:]
	if end := slices.Index(args, "--"); end >= 0 {
		args = args[:end]
	}
	return args
}

func TestUnitsUseFlagsThatThereAre(t *testing.T) {
	verbs := new(verbs)
	parser, err := kong.New(verbs, kong.Exit(func(int) { t.Error("the parser ends the program") }))
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	units, err := filepath.Glob(unitsDir + "/*.service")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range units {
		name := filepath.Base(path)
		for _, command := range commands(readUnit(t, name)) {
			args := ours(command)
			if args == nil {
				continue
			}
			found++
			if _, err := parser.Parse(args); err != nil {
				t.Errorf("%s: shoeboard %v: %v", name, args, err)
			}
		}
	}
	if found != 8 {
		t.Errorf("%d commands of the units are this program's, expected 8", found)
	}
	if _, err := parser.Parse([]string{"run", "--no-such-flag"}); err == nil {
		t.Error("this test takes any flag")
	}
}

func TestUnitsKeepTheirPromises(t *testing.T) {
	for name := range mostExposed {
		unit := readUnit(t, name)
		for _, want := range []string{"Type=notify", "Restart=always", "StartLimitIntervalSec=0", "WatchdogSec=", "RestartSec=", "NoNewPrivileges=yes", "Documentation=man:shoeboard(1)"} {
			if !strings.Contains(unit, "\n"+want) {
				t.Errorf("%s has no %s", name, want)
			}
		}
		if strings.Contains(unit, "network.target") || strings.Contains(unit, "network-online") {
			t.Errorf("%s waits for a network; a table needs none", name)
		}
	}
	core := readUnit(t, "shoeboard.service")
	for key, dir := range map[string]string{"StateDirectory": "/var/lib/", "RuntimeDirectory": "/run/"} {
		value := setting(core, key)
		if cfg := config.Default(); !strings.HasPrefix(cfg.Data+"/", dir+value+"/") && !strings.HasPrefix(cfg.Socket, dir+value+"/") {
			t.Errorf("%s=%s is not where the configuration's defaults are", key, value)
		}
	}
	// every group that a unit names is made by the package
	users := readUnit(t, "shoeboard.sysusers")
	for name := range mostExposed {
		for _, group := range strings.Fields(setting(readUnit(t, name), "SupplementaryGroups") + " " + setting(readUnit(t, name), "User")) {
			base := []string{"video", "tty", "dialout"} // of Debian's base-passwd
			if !slices.Contains(base, group) && !regexp.MustCompile(`(?m)^[gu] `+regexp.QuoteMeta(group)+`\s`).MatchString(users) {
				t.Errorf("%s wants group %s, which nobody makes", name, group)
			}
		}
	}
}

// The core sees a stick that comes later, and may write to it; it may connect to the
// helper. Nothing that cleans up ever empties the slot.
func TestTheSlotAndTheHelper(t *testing.T) {
	core, folders := readUnit(t, "shoeboard.service"), readUnit(t, "shoeboard.tmpfiles")
	if !slices.Contains(strings.Fields(setting(core, "ReadWritePaths")), "-"+transfer.Mount) {
		t.Error("the core may not write to a stick")
	}
	for _, line := range []string{"d " + transfer.Mount + " 0755 root root -", "d " + filepath.Dir(helper.Socket) + " 0755 root root -",
		"d /var/lib/shoeboard-update 0700 root root -"} {
		if !strings.Contains(folders, line+"\n") {
			t.Errorf("nobody makes %q", line)
		}
	}
	if regexp.MustCompile(`(?m)^[^d#]`).MatchString(folders) {
		t.Error("a line of tmpfiles does more than make a folder")
	}
	if strings.Contains(setting(core, "RuntimeDirectory"), "stick") {
		t.Error("the slot would be removed with what is on the stick when the core stops")
	}
	socket := readUnit(t, "shoeboard-helper.socket")
	for key, want := range map[string]string{"ListenStream": helper.Socket, "SocketUser": coreUser, "SocketMode": "0600", "Accept": "yes"} {
		if got := setting(socket, key); got != want {
			t.Errorf("the helper's socket has %s=%s, expected %s", key, got, want)
		}
	}
	mounter := readUnit(t, "shoeboard-stick@.service")
	// What makes no mount name space is allowed; test-inside.sh sees that the others see a mount.
	for _, own := range []string{"ProtectS", "ProtectHome", "ProtectK", "ProtectProc", "ProtectControl", "ProcSubset",
		"Private", "ReadOnly", "ReadWrite", "Inaccessible", "TemporaryFileSystem", "RuntimeDirectory", "StateDirectory", "DynamicUser", "Root"} {
		if regexp.MustCompile(`(?m)^` + own).MatchString(mounter) {
			t.Errorf("%s… gives the helper mounts of its own: nobody else would see the stick", own)
		}
	}
}

func setting(unit, key string) string {
	found := regexp.MustCompile(`(?m)^` + key + `=(.*)$`).FindStringSubmatch(unit)
	if found == nil {
		return ""
	}
	return found[1]
}

// analyze runs systemd-analyze on copies of the units whose programs exist here.
func analyze(t *testing.T, args ...string) string {
	t.Helper()
	if _, err := exec.LookPath("systemd-analyze"); err != nil {
		t.Skip("systemd-analyze is not installed; the rest of the unit tests do without")
	}
	dir := t.TempDir()
	var paths []string
	for _, name := range looked() {
		if name == "shoeboard-helper.socket" && args[0] == "security" {
			continue // it is no service
		}
		unit := regexp.MustCompile(`/usr/bin/(shoeboard|xinit)\b`).ReplaceAllString(readUnit(t, name), "/bin/true")
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(unit), 0o600); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, path)
	}
	var out bytes.Buffer
	cmd := exec.Command("systemd-analyze", append(args, paths...)...)
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Run(); err != nil {
		t.Errorf("systemd-analyze %v: %v\n%s", args, err, out.String())
	}
	return out.String()
}

func TestSystemdTakesTheUnits(t *testing.T) {
	for line := range strings.Lines(analyze(t, "verify", "--man=no", "--recursive-errors=no")) {
		if strings.Contains(line, "shoeboard") {
			t.Error(strings.TrimSpace(line))
		}
	}
}

func TestUnitsAreHardened(t *testing.T) {
	out := analyze(t, "security", "--offline=yes", "--no-pager")
	for _, found := range regexp.MustCompile(`level for (\S+): ([0-9.]+)`).FindAllStringSubmatch(out, -1) {
		exposure, err := strconv.ParseFloat(found[2], 64)
		if err != nil {
			t.Fatal(err)
		}
		name := strings.Replace(found[1], "@i.", "@.", 1)
		if most := mostExposed[name] + mostExposedHelpers[name]; exposure > most {
			t.Errorf("%s is exposed at %.1f, at most %.1f", found[1], exposure, most)
		}
		t.Logf("%s: %.1f", found[1], exposure)
	}
	if strings.Count(out, "Overall exposure") != len(mostExposed)+len(mostExposedHelpers) {
		t.Errorf("not all units were looked at:\n%s", out)
	}
}
