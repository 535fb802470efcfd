package main

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"time"

	"github.com/google/renameio/v2"

	"shoeboard/cmd/internal/core"
	"shoeboard/cmd/internal/datadir"
	"shoeboard/cmd/internal/devices"
	"shoeboard/cmd/internal/doctor"
	"shoeboard/cmd/internal/ports"
	"shoeboard/cmd/internal/version"
)

type bundleVerb struct {
	dataFlag
	Out   string `arg:"" help:"File to write, such as /media/stick/table14-support.tar.gz." type:"path"`
	Lines int    `help:"Lines of the services' logs." default:"2000"`
}

// Run writes what helps somebody far away: the doctor's findings, the configuration,
// the devices, digests and the end of the logs. Names of machines and people,
// addresses and serial numbers are taken out; hands are not in it.
func (v *bundleVerb) Run(ctx context.Context, p *program, all *verbs) error {
	if err := within("--lines", v.Lines, 0, 1_000_000); err != nil {
		return err
	}
	sick, err := doctor.Meet(ctx, p.root, all.Config, v.Data, "")
	if err != nil {
		return err
	}
	out, err := renameio.NewPendingFile(v.Out, renameio.WithPermissions(0o640))
	if err != nil {
		return err
	}
	defer out.Cleanup()
	files, err := p.bundle(ctx, sick, v.Lines, out)
	if err != nil {
		return err
	}
	if err := out.CloseAtomicallyReplace(); err != nil {
		return err
	}
	fmt.Fprintf(p.out, "Wrote %s: %d files, without addresses, names and serial numbers. Look into it before you send it.\n", v.Out, files)
	return nil
}

// bundle writes a bundle and says how many files it has.
func (p *program) bundle(ctx context.Context, sick *doctor.Patient, lines int, out io.Writer) (files int, err error) {
	redact := newRedactor(sick.Table)
	z := gzip.NewWriter(out)
	pack := packer{tar: tar.NewWriter(z), made: time.Now().UTC().Truncate(time.Second)}
	for _, part := range p.bundleParts(ctx, sick, lines) {
		err = errors.Join(err, pack.add(part.name, []byte(redact(part.text()))))
	}
	return pack.files, errors.Join(err, pack.tar.Close(), z.Close())
}

// bundlePart is one file of a bundle.
type bundlePart struct {
	name string
	text func() string
}

func (p *program) bundleParts(ctx context.Context, sick *doctor.Patient, lines int) []bundlePart {
	asJSON := func(v any) func() string {
		return func() string {
			text, err := json.MarshalIndent(v, "", "  ")
			if err != nil {
				return err.Error()
			}
			return string(text)
		}
	}
	run := func(name string, args ...string) func() string {
		return func() string {
			ctx, cancel := context.WithTimeout(ctx, askedFor)
			defer cancel()
			out, err := exec.CommandContext(ctx, name, args...).CombinedOutput()
			if err != nil {
				return fmt.Sprintf("%s: %v\n%s", name, err, out)
			}
			return string(out)
		}
	}
	verified := doctor.Verification{Files: doctor.Sums(p.root, sick.Loaded)}
	verified.AddRecord(datadir.Journal(sick.Config.Data))
	return []bundlePart{
		{"doctor.json", asJSON(doctor.Examine(sick))},
		{"version.json", asJSON(version.Read())},
		{"verify.json", asJSON(verified)},
		{"devices.json", asJSON(devices.Below(p.root, p.log).Inventory(sick.Config, ports.NewBook(sick.Config.Data)))},
		{"configuration.toml", func() string { return string(sick.Loaded.Text) }},
		{"log.txt", run("journalctl", "-u", "shoeboard", "-u", "shoeboard-screen", "-n", fmt.Sprint(lines), "-o", "short-iso", "--no-hostname", "--no-pager")},
		{"units.txt", run("systemctl", "status", "--no-pager", "-l", "-n", "0", "shoeboard", "shoeboard-screen")}, // its lines of the log would name the machine
		{"kernel.txt", run("uname", "-srm")},
	}
}

// secrets are what a bundle does not need, with what stands in its place.
var secrets = []struct {
	like *regexp.Regexp
	as   string
}{
	{regexp.MustCompile(`\b[0-9A-Fa-f]{2}(?::[0-9A-Fa-f]{2}){5}\b`), "MAC"},
	{regexp.MustCompile(`\b(?:\d{1,3}\.){3}\d{1,3}\b`), "ADDRESS"},
	{regexp.MustCompile(`\b(?:[0-9A-Fa-f]{1,4}:){4,7}[0-9A-Fa-f]{1,4}\b|\b(?:[0-9A-Fa-f]{1,4}:)+:[0-9A-Fa-f:]*\b`), "ADDRESS"},
	{regexp.MustCompile(`(tcp://)[^":/\s]+`), "${1}HOST"},
	{regexp.MustCompile(`[\w.+-]+@[\w-]+(?:\.[\w-]+)+`), "MAIL"},
	{regexp.MustCompile(`(?i)((?:password|passwd|token|secret|psk|pin)\s*[=:]\s*)\S+`), "${1}REDACTED"},
	{regexp.MustCompile(`(/home/)[^/\s"]+`), "${1}USER"},
	{regexp.MustCompile(`(\bvenue\s*=\s*)("[^"\n]+"|'[^'\n]+')`), `${1}"HOUSE"`},
}

// newRedactor takes addresses, names and this unit's own serial numbers out of a text.
func newRedactor(table string) func(string) string {
	own := []string{core.ID()}
	if host, err := os.Hostname(); err == nil {
		own = append(own, host)
	}
	return func(text string) string {
		for _, name := range own {
			if len(name) >= 4 && name != table { // a shorter one stands in other words too
				text = strings.ReplaceAll(text, name, "UNIT")
			}
		}
		for _, s := range secrets {
			text = s.like.ReplaceAllString(text, s.as)
		}
		return text
	}
}
