// Package image is the recipe of a unit's image for Raspberry Pi's own builder. It
// promises that its files are read by the builder it was written for, that every path,
// unit, user and word of the program in them is the package's, and that what a table
// keeps is shared by both slots. That a Pi starts from it, nobody has seen yet.
package image

import (
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"shoeboard/tracker"
)

const (
	units  = ".." // the package's own units, users and folders
	files  = "files"
	commit = "a7b6d4806183195f3efadb533f58c8e46393d057"
)

// The builder's own, as of commit: what a configuration may include, ask for and set.
var (
	theirConfigs   = []string{"trixie-minbase-ab.yaml"}
	theirLayers    = []string{"rpi4", "rpi5", "rpi-boot-firmware", "systemd-net-min", "openssh-server"}
	theirVariables = []string{"device.layer", "device.hostname", "device.user1", "ssh.pubkey_only",
		"image.name", "image.system_part_size", "image.boot_part_size", "image.data_part_size"}
	theirFields = []string{"X-Env-Layer-Name", "X-Env-Layer-Version", "X-Env-Layer-Category", "X-Env-Layer-Desc",
		"X-Env-Layer-Requires", "X-Env-VarRequires", "X-Env-VarRequires-Valid", "X-Env-VarPrefix"}
)

func TestConfigurationsNameWhatThereIs(t *testing.T) {
	names := matches(t, "config/*.yaml")
	for _, name := range names {
		for section, v := range yamlFile(t, name) {
			for key, value := range v.(map[string]any) {
				value := value.(string)
				switch {
				case section == "include":
					if !slices.Contains(names, "config/"+value) && !slices.Contains(theirConfigs, value) {
						t.Errorf("%s includes %s, which is nowhere", name, value)
					}
				case section == "layer" || key == "layer":
					if !slices.Contains(theirLayers, value) && layerFields(t, "layer/"+value+".yaml")["X-Env-Layer-Name"] != value {
						t.Errorf("%s asks for layer %s, which is nowhere", name, value)
					}
				case !slices.Contains(theirVariables, section+"."+key):
					t.Errorf("%s sets %s.%s, which nobody declares", name, section, key)
				}
			}
		}
	}
	for _, board := range []string{"pi4", "pi5"} {
		if !slices.Contains(names, "config/"+board+".yaml") || !strings.Contains(read(t, "build.sh"), board) {
			t.Errorf("there is no configuration for a %s", board)
		}
	}
}

// layerFields are the fields of the layer's head.
func layerFields(t *testing.T, name string) map[string]string {
	t.Helper()
	_, head, _ := strings.Cut(read(t, name), "# METABEGIN\n")
	head, _, ok := strings.Cut(head, "# METAEND\n---\n")
	if !ok {
		t.Fatalf("%s has no METABEGIN and METAEND", name)
	}
	fields, last := map[string]string{}, ""
	for line := range strings.Lines(head) {
		line = strings.TrimSuffix(strings.TrimPrefix(strings.TrimPrefix(line, "#"), " "), "\n")
		key, value, ok := strings.Cut(line, ":")
		switch {
		case line == "":
		case strings.HasPrefix(line, " "):
			fields[last] += line
		case !ok || !strings.HasPrefix(key, "X-Env-") || fields[key] != "":
			t.Fatalf("%s: %q is no field, or is there twice", name, line)
		default:
			fields[key], last = strings.TrimSpace(value), key
		}
	}
	return fields
}

func TestLayerDeclaresWhatItUses(t *testing.T) {
	fields := layerFields(t, "layer/shoeboard.yaml")
	declared := []string{"IGconf_device_class"}
	for key, value := range fields {
		if name, ok := strings.CutPrefix(key, "X-Env-Var-"); ok {
			base, attribute, _ := strings.Cut(name, "-")
			if attribute == "" {
				declared = append(declared, "IGconf_"+fields["X-Env-VarPrefix"]+"_"+base)
				for _, want := range []string{"-Desc", "-Required", "-Valid", "-Set"} {
					if fields[key+want] == "" {
						t.Errorf("%s has no %s", key, want)
					}
				}
			} else if _, ok := fields["X-Env-Var-"+base]; !ok || !slices.Contains([]string{"Desc", "Required", "Valid", "Set"}, attribute) {
				t.Errorf("%s: %s belongs to nothing", key, value)
			}
		} else if !slices.Contains(theirFields, key) {
			t.Errorf("%s is not known to the builder", key)
		}
	}
	for name := range strings.SplitSeq(fields["X-Env-Layer-Requires"], ",") {
		if !slices.Contains(theirLayers, name) {
			t.Errorf("layer %s is nowhere", name)
		}
	}
	hook := yamlFile(t, "layer/shoeboard.yaml")["mmdebstrap"].(map[string]any)["customize-hooks"].([]any)[0].(string)
	used := regexp.MustCompile(`\$(IGconf_\w+)`).FindAllStringSubmatch(hook, -1)
	for _, name := range append(used, regexp.MustCompile(`"(IGconf_shoeboard_\w+)=`).FindAllStringSubmatch(read(t, "build.sh"), -1)...) {
		if !slices.Contains(declared, name[1]) {
			t.Errorf("%s is declared nowhere", name[1])
		}
	}
	if len(used) != 5 || !strings.HasPrefix(hook, `"$IGconf_shoeboard_assets/customize.sh" "$1" `) || fields["X-Env-Var-assets"] != "${DIRECTORY}/.." {
		t.Errorf("the hook %s does not call customize.sh beside the layer's folder", hook)
	}
}

func TestLayerBringsWhatThePackageDependsOn(t *testing.T) {
	packages := yamlFile(t, "layer/shoeboard.yaml")["mmdebstrap"].(map[string]any)["packages"].([]any)
	_, depends, _ := strings.Cut(read(t, "../deb/nfpm.yaml"), "\ndepends:\n")
	depends, _, _ = strings.Cut(depends, "\nrecommends:\n")
	found := regexp.MustCompile(`(?m)^  - ([a-z0-9.+-]+)`).FindAllStringSubmatch(depends, -1)
	if len(found) < 10 {
		t.Fatalf("the package depends on %d others", len(found))
	}
	for _, name := range found {
		if !slices.Contains(packages, any(name[1])) && name[1] != "libc6" && name[1] != "systemd" {
			t.Errorf("%s is not in the layer", name[1])
		}
	}
}

func TestScriptsAreRead(t *testing.T) {
	scripts := append(matches(t, "*.sh"), files+"/usr/sbin/shoeboard-slot", files+"/usr/lib/shoeboard/board")
	for _, name := range scripts {
		if info, err := os.Stat(name); err != nil || info.Mode()&0o111 != 0o111 {
			t.Errorf("%s cannot be run: %v", name, err)
		}
		if out, err := exec.Command("sh", "-n", name).CombinedOutput(); err != nil {
			t.Errorf("%s: %v: %s", name, err, out)
		}
	}
}

func TestSaysForWhatItWasWrittenAndThatNobodyRanIt(t *testing.T) {
	for _, name := range []string{"config/shoeboard.yaml", "build.sh"} {
		if !strings.Contains(read(t, name), commit) {
			t.Errorf("%s does not name the builder's commit", name)
		}
	}
	marked := append(matches(t, "config/*.yaml"), "layer/shoeboard.yaml", "customize.sh", "build.sh", files+"/usr/sbin/shoeboard-slot")
	for _, name := range marked {
		if !strings.Contains(read(t, name), "NOT RUN") {
			t.Errorf("%s does not say that nobody has run it on a Pi", name)
		}
	}
}

// setting is the value of a key of a unit or list.
func setting(text, key string) string {
	found := regexp.MustCompile(`(?m)^` + regexp.QuoteMeta(key) + `=(.*)$`).FindStringSubmatch(text)
	if found == nil {
		return ""
	}
	return found[1]
}

func TestWhatATableKeepsIsShared(t *testing.T) {
	list := read(t, files+"/etc/rpi-image-gen/slot-shared.d/shoeboard.conf")
	if setting(list, "Version") != "1" {
		t.Error("the list is not of version 1, which the builder reads")
	}
	var shared []string
	for _, found := range regexp.MustCompile(`(?m)^Path=(/\S+)$`).FindAllStringSubmatch(list, -1) {
		shared = append(shared, found[1])
	}
	if n := len(regexp.MustCompile(`(?m)^[^#\n]`).FindAllString(list, -1)); n != len(shared)+1 {
		t.Errorf("%d lines say something, %d of them are paths", n, len(shared))
	}
	kept := []string{"/var/lib/" + setting(read(t, units+"/shoeboard.service"), "StateDirectory")}
	for _, found := range regexp.MustCompile(`(?m)^d (/var\S+)`).FindAllStringSubmatch(read(t, units+"/shoeboard.tmpfiles"), -1) {
		kept = append(kept, found[1])
	}
	kept = append(kept, path.Dir(setting(read(t, units+"/shoeboard-update.service"), "ConditionPathExists")),
		path.Dir(strings.TrimPrefix(setting(read(t, files+"/etc/systemd/system/shoeboard-hostkey.service"), "ConditionPathExists"), "!")))
	for _, dir := range kept {
		// Packages are not installed on a unit of an image: nothing of theirs is kept.
		if dir == "/var/lib/shoeboard-update" && strings.Contains(maskedUnits(t), " shoeboard-update.service ") {
			continue
		}
		if !slices.Contains(shared, dir) {
			t.Errorf("%s is not shared: it would stay behind when the slot changes", dir)
		}
	}
	for _, dir := range shared {
		if !slices.Contains(kept, dir) || !regexp.MustCompile(`(?m)install -d .* `+dir+`$`).MatchString(read(t, "customize.sh")) {
			t.Errorf("%s is shared, and nobody keeps anything there or makes it", dir)
		}
		if !strings.HasPrefix(dir, "/var/") {
			t.Errorf("%s: the builder shares only what is under /var", dir)
		}
	}
	for _, unit := range []string{"shoeboard.service", "shoeboard-screen.service"} {
		if got := setting(read(t, files+"/etc/systemd/system/"+unit+".d/image.conf"), "RequiresMountsFor"); got != kept[0] {
			t.Errorf("%s waits for %q, expected %s", unit, got, kept[0])
		}
	}
}

func maskedUnits(t *testing.T) string {
	t.Helper()
	_, masked, _ := strings.Cut(read(t, "customize.sh"), "systemctl mask ")
	masked, _, ok := strings.Cut(masked, "\ninside ")
	if !ok {
		t.Fatal("customize.sh masks nothing")
	}
	return " " + strings.Join(strings.Fields(strings.ReplaceAll(masked, "\\\n", " ")), " ") + " "
}

// matches are the files of a pattern, at least one.
func matches(t *testing.T, pattern string) []string {
	t.Helper()
	names, err := filepath.Glob(pattern)
	if err != nil || len(names) == 0 {
		t.Fatalf("%s: %v", pattern, err)
	}
	return names
}

func TestUnitsNameWhatThereIs(t *testing.T) {
	script := read(t, "customize.sh")
	_, enabled, _ := strings.Cut(script, "systemctl enable ")
	enabled, _, _ = strings.Cut(enabled, "\n")
	for _, unit := range strings.Fields(enabled) {
		if unit == "systemd-networkd.service" {
			continue
		}
		if text := read(t, files+"/etc/systemd/system/"+unit); !strings.Contains(text, "\n[Install]\nWantedBy=") {
			t.Errorf("%s cannot be enabled", unit)
		}
	}
	for _, name := range matches(t, files+"/etc/systemd/system/*.service") {
		if !strings.Contains(enabled, path.Base(name)) {
			t.Errorf("%s is never enabled", name)
		}
		program, _, _ := strings.Cut(setting(read(t, name), "ExecStart"), " ")
		if _, err := os.Stat(files + program); err != nil && program != "/bin/sh" {
			t.Errorf("%s runs %s, which is not there", name, program)
		}
	}
	theirs := []string{"ssh.service", "emergency.service", "persistent.mount"}
	for _, name := range matches(t, files+"/etc/systemd/system/*.d") {
		unit := strings.TrimSuffix(path.Base(name), ".d")
		if _, err := os.Stat(units + "/" + unit); err != nil && !slices.Contains(theirs, unit) {
			t.Errorf("%s: there is no such unit", name)
		}
	}
}

func TestUsersHaveTheNumbersOfEveryImage(t *testing.T) {
	ids := regexp.MustCompile(`(?m)^u (\S+) +(\d+):(\d+) (.*)$`).FindAllStringSubmatch(read(t, "ids.conf"), -1)
	var got, want, groups []string
	for _, u := range ids {
		got = append(got, u[1]+" "+u[4])
		groups = append(groups, "g "+u[1]+" "+u[3])
		if u[2] != u[3] || u[2] < "100" || u[2] > "999" {
			t.Errorf("%s has the number %s", u[1], u[2])
		}
	}
	for _, u := range regexp.MustCompile(`(?m)^u (\S+) +- (.*)$`).FindAllStringSubmatch(read(t, units+"/shoeboard.sysusers"), -1) {
		want = append(want, u[1]+" "+u[2])
	}
	if !slices.Equal(got, want) || len(got) == 0 {
		t.Errorf("the image has the users %q, the package %q", got, want)
	}
	text := regexp.MustCompile(` +`).ReplaceAllString(read(t, "ids.conf"), " ")
	for _, line := range groups {
		if !strings.Contains(text, line+"\n") {
			t.Errorf("there is no %q in ids.conf", line)
		}
	}
}

func TestTheProgramKnowsTheWordsOfTheScripts(t *testing.T) {
	slot, mainFile := read(t, files+"/usr/sbin/shoeboard-slot"), read(t, "../../cmd/shoeboard/main.go")
	for _, verb := range regexp.MustCompile(`(?m)(?:\(| |^)shoeboard ([a-z]+) (?:--json|2?>)`).FindAllStringSubmatch(slot, -1) {
		if !regexp.MustCompile(`(?mi)^\t` + verb[1] + `\s+` + verb[1] + `Verb\s`).MatchString(mainFile) {
			t.Errorf("shoeboard-slot calls shoeboard %s, which there is not", verb[1])
		}
	}
	if idle := "'' | " + tracker.TableClosed.String() + " | " + tracker.Shuffling.String() + ") ;;"; !strings.Contains(slot, idle) {
		t.Errorf("shoeboard-slot does not know the phases between shoes: %s", idle)
	}
	if !strings.Contains(read(t, "../../cmd/shoeboard/status.go"), "`json:\"phase\"`") {
		t.Error("the status has no phase")
	}
	update := read(t, "../../cmd/internal/update/signature.go")
	if !strings.Contains(update, `"shoeboard update 2 %s %s %s"`) || !strings.Contains(slot, `(shoeboard update 2 slot `) {
		t.Error("shoeboard-slot checks another signature than shoeboard update sign makes")
	}
	venue := "/etc/shoeboard/shoeboard.toml"
	if !strings.Contains(read(t, "../../cmd/internal/config/load.go"), `"`+venue+`"`) || !strings.Contains(read(t, "customize.sh"), `ln -sf /bootfs/shoeboard.toml "$root`+venue+`"`) {
		t.Errorf("the program does not look for the venue's file in %s", venue)
	}
}

func TestFilesAreWhereSystemsLookForThem(t *testing.T) {
	want := []string{"etc/modules-load.d", "etc/rpi-image-gen", "etc/ssh/sshd_config.d", "etc/systemd/journald.conf.d", "etc/systemd/network", "etc/systemd/system", "usr/lib/shoeboard", "usr/sbin"}
	err := filepath.WalkDir(files, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name = strings.TrimPrefix(name, files+"/")
		if !slices.ContainsFunc(want, func(dir string) bool { return strings.HasPrefix(name, dir+"/") }) {
			t.Errorf("nobody looks at /%s", name)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	// drop-ins are read in the order of their names, the last word counts
	if builders := "persistent.conf"; path.Base(matches(t, files+"/etc/systemd/journald.conf.d/*")[0]) < builders {
		t.Error("the builder's journald settings come after ours")
	}
}

// The private key of updates looks like the public one: neither packages nor a card are
// built with it.
func TestThePrivateKeyIsNotBuiltIn(t *testing.T) {
	key := filepath.Join(t.TempDir(), "house.key")
	if err := os.WriteFile(key, []byte(strings.Repeat("0f", 32)+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, script := range []string{"build.sh", "../deb/build.sh"} {
		cmd := exec.Command("sh", script, "none")
		cmd.Env = append(os.Environ(), "UPDATE_KEY="+key)
		if out, err := cmd.CombinedOutput(); err == nil || !strings.Contains(string(out), "expected the public key") {
			t.Errorf("%s: %v, %s", script, err, out)
		}
	}
}
