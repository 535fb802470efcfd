package update

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"time"

	"shoeboard/tracker"
	"shoeboard/tracker/localapi"
)

const (
	// answersIn is how soon a core must answer a single question.
	answersIn = 3 * time.Second
	// startsIn is how long a new program has until it is READY and answers.
	startsIn = 60 * time.Second
	// program is the package's name.
	program = "shoeboard"
	// infoFormat asks dpkg for a packageInfo.
	infoFormat = "--showformat=${Package} ${Version} ${Architecture}"
)

// debian is dpkg and systemd.
type debian struct{ client localapi.Client }

// output runs a command and returns what it says.
func output(name string, args ...string) (string, error) {
	out, err := exec.Command(name, args...).CombinedOutput()
	text := strings.TrimSpace(string(out))
	if err != nil {
		return "", fmt.Errorf("%s: %w: %s", name, err, text)
	}
	return text, nil
}

func (debian) info(file string) (packageInfo, error) { return infoOf("dpkg-deb", file) }

// installed fails for a package that was unpacked and not configured, or only in half:
// its files may be there, and what goes with them is not.
func (debian) installed() (packageInfo, error) {
	status, err := output("dpkg-query", "--show", "--showformat=${db:Status-Status}", program)
	if err != nil {
		return packageInfo{}, err
	}
	if !isWhole(status) {
		return packageInfo{}, fmt.Errorf("the package is %s: sudo dpkg --configure -a", status)
	}
	return infoOf("dpkg-query", program)
}

// isWhole reports whether a package in dpkg's state is installed: its triggers may be due.
func isWhole(status string) bool {
	return status == "installed" || strings.HasPrefix(status, "triggers-")
}

func infoOf(tool, of string) (packageInfo, error) {
	text, err := output(tool, "--show", infoFormat, of)
	if err != nil {
		return packageInfo{}, err
	}
	words := strings.Fields(text)
	if len(words) != 3 {
		return packageInfo{}, fmt.Errorf("%s says %q", tool, text)
	}
	return packageInfo{words[0], words[1], words[2]}, nil
}

func (debian) newer(a, b string) (bool, error) { return Newer(a, b) }

// Newer reports whether version a of a package is newer than b, as dpkg compares them.
func Newer(a, b string) (bool, error) {
	err := exec.Command("dpkg", "--compare-versions", a, "gt", b).Run()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == 1 {
		return false, nil
	}
	return err == nil, err
}

// install installs a package, after what an interruption left half done. Files that
// a technician changed stay as they are. It goes on when the half-done cannot be ended:
// that may be what the package replaces.
func (debian) install(_ context.Context, file string) error {
	_, before := output("dpkg", "--configure", "-a")
	if _, err := output("dpkg", "--force-confold", "--install", file); err != nil {
		return errors.Join(before, err)
	}
	return nil
}

// healthy waits until the service is up, which it is when it has said READY, its loop
// answers, and the files are as the package has them. The record and the configuration
// do not matter: with an old gap in its record a unit must get updates too.
func (d debian) healthy(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, startsIn)
	defer cancel()
	if _, err := output("systemctl", "restart", "shoeboard.service"); err != nil {
		return err
	}
	for {
		h, err := d.client.Health(ctx)
		if err == nil && h.Alive {
			return unchanged()
		}
		select {
		case <-time.After(time.Second):
		case <-ctx.Done():
			return fmt.Errorf("the core does not answer within %v", startsIn)
		}
	}
}

func (d debian) idle(ctx context.Context) error { return BetweenShoes(ctx, d.client) }

// BetweenShoes returns nil if the core, where one runs, is not in a shoe, else why the
// unit must not be disturbed.
func BetweenShoes(ctx context.Context, client localapi.Client) error {
	ctx, cancel := context.WithTimeout(ctx, answersIn)
	defer cancel()
	b, err := client.Board(ctx)
	switch {
	case errors.Is(err, localapi.ErrNoCore):
		return nil
	case err != nil:
		return err
	case b.Phase == tracker.TableClosed.String(), b.Phase == tracker.Shuffling.String(), b.ShoeOver:
		return nil
	}
	return fmt.Errorf("a shoe is in play at table %s (hand %d): wait until it is over, or close the table",
		b.Table, b.Shoe.Hands)
}
