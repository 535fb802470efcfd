package doctor

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

	"shoeboard/cmd/internal/version"
)

// commandTimeout bounds each command whose output is in a bundle.
const commandTimeout = 15 * time.Second

// Bundle writes what helps a technician far away, and returns the number of files: the
// findings, the configuration, the devices, digests and the end of the logs. Names of
// machines and people, addresses and the unit's id are removed; hands are not in it.
func Bundle(ctx context.Context, u *Unit, id string, lines int, out io.Writer) (files int, err error) {
	redact := redactor(u.Table, id)
	made := time.Now().UTC().Truncate(time.Second)
	z := gzip.NewWriter(out)
	t := tar.NewWriter(z)
	for _, part := range bundleParts(ctx, u, lines) {
		text := redact(part.text)
		head := tar.Header{Name: part.name, Mode: 0o640, Size: int64(len(text)), ModTime: made, Format: tar.FormatPAX}
		err = errors.Join(err, t.WriteHeader(&head))
		_, werr := io.WriteString(t, text)
		err = errors.Join(err, werr)
		files++
	}
	return files, errors.Join(err, t.Close(), z.Close())
}

// bundlePart is one file of a bundle.
type bundlePart struct{ name, text string }

func bundleParts(ctx context.Context, u *Unit, lines int) []bundlePart {
	asJSON := func(v any) string {
		text, err := json.MarshalIndent(v, "", "  ")
		if err != nil {
			return err.Error()
		}
		return string(text)
	}
	run := func(name string, args ...string) string {
		ctx, cancel := context.WithTimeout(ctx, commandTimeout)
		defer cancel()
		out, err := exec.CommandContext(ctx, name, args...).CombinedOutput()
		if err != nil {
			return fmt.Sprintf("%s: %v\n%s", name, err, out)
		}
		return string(out)
	}
	return []bundlePart{
		{"doctor.json", asJSON(Check(u))},
		{"version.json", asJSON(version.Read())},
		{"verify.json", asJSON(Verify(u.path, u.Loaded, u.Config.Data))},
		{"devices.json", asJSON(u.inventory)},
		{"configuration.toml", string(u.Loaded.Text)},
		{"log.txt", run("journalctl", "-u", "shoeboard", "-u", "shoeboard-screen", "-n", fmt.Sprint(lines),
			"-o", "short-iso", "--no-hostname", "--no-pager")},
		// without lines of the log, which would name the machine
		{"units.txt", run("systemctl", "status", "--no-pager", "-l", "-n", "0", "shoeboard", "shoeboard-screen")},
		{"kernel.txt", run("uname", "-srm")},
	}
}

// secrets are patterns that a bundle does not need, with their replacements.
var secrets = []struct {
	like *regexp.Regexp
	as   string
}{
	{regexp.MustCompile(`\b[0-9A-Fa-f]{2}(?::[0-9A-Fa-f]{2}){5}\b`), "MAC"},
	{regexp.MustCompile(`\b(?:\d{1,3}\.){3}\d{1,3}\b`), "ADDRESS"},
	{regexp.MustCompile(`\b(?:[0-9A-Fa-f]{1,4}:){4,7}[0-9A-Fa-f]{1,4}\b`), "ADDRESS"},
	{regexp.MustCompile(`\b(?:[0-9A-Fa-f]{1,4}:)+:[0-9A-Fa-f:]*\b`), "ADDRESS"},
	{regexp.MustCompile(`(tcp://)[^":/\s]+`), "${1}HOST"},
	{regexp.MustCompile(`[\w.+-]+@[\w-]+(?:\.[\w-]+)+`), "MAIL"},
	{regexp.MustCompile(`(?i)((?:password|passwd|token|secret|psk|pin)\s*[=:]\s*)\S+`), "${1}REDACTED"},
	{regexp.MustCompile(`(/home/)[^/\s"]+`), "${1}USER"},
	{regexp.MustCompile(`(\bvenue\s*=\s*)("[^"\n]+"|'[^'\n]+')`), `${1}"HOUSE"`},
}

// redactor returns a function that removes addresses, names and this unit's own id from a
// text.
func redactor(table, id string) func(string) string {
	own := []string{id}
	if host, err := os.Hostname(); err == nil {
		own = append(own, host)
	}
	return func(text string) string {
		for _, name := range own {
			if len(name) >= 4 && name != table { // a shorter one may be part of other words
				text = strings.ReplaceAll(text, name, "UNIT")
			}
		}
		for _, s := range secrets {
			text = s.like.ReplaceAllString(text, s.as)
		}
		return text
	}
}
