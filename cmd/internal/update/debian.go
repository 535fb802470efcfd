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

// answersIn is how soon a core must answer that is asked once.
const answersIn = 3 * time.Second

// startsIn is how long a new program has until it is READY and answers.
const startsIn = 60 * time.Second

// debian is dpkg and systemd.
type debian struct{ client localapi.Client }

func output(name string, args ...string) (string, error) {
	out, err := exec.Command(name, args...).CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%s: %w: %s", name, err, strings.TrimSpace(string(out)))
	}
	return strings.TrimSpace(string(out)), nil
}

func (debian) info(file string) (packageInfo, error) {
	return infoOf("dpkg-deb", "--show", "--showformat=${Package} ${Version} ${Architecture}", file)
}

// installed fails for a package that was unpacked and not configured, or only in half:
// its files may be there, but what goes with them is not.
func (debian) installed() (packageInfo, error) {
	status, err := output("dpkg-query", "--show", "--showformat=${db:Status-Status}", "shoeboard")
	if err != nil {
		return packageInfo{}, err
	}
	if !whole(status) {
		return packageInfo{}, fmt.Errorf("the package is %s: sudo dpkg --configure -a", status)
	}
	return infoOf("dpkg-query", "--show", "--showformat=${Package} ${Version} ${Architecture}", "shoeboard")
}

// whole says whether a package in dpkg's state is installed: its triggers may be due.
func whole(status string) bool {
	return status == "installed" || strings.HasPrefix(status, "triggers-")
}

func infoOf(name string, args ...string) (packageInfo, error) {
	text, err := output(name, args...)
	if err != nil {
		return packageInfo{}, err
	}
	words := strings.Fields(text)
	if len(words) != 3 {
		return packageInfo{}, fmt.Errorf("%s says %q", name, text)
	}
	return packageInfo{words[0], words[1], words[2]}, nil
}

func (debian) newer(a, b string) (bool, error) {
	err := exec.Command("dpkg", "--compare-versions", a, "gt", b).Run()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == 1 {
		return false, nil
	}
	return err == nil, err
}

// install installs a package, after what an interruption left half done. Files that
// a technician changed stay as they are. That what was left half done cannot be ended is
// no reason not to go on: it may be what the package is to take the place of.
func (debian) install(_ context.Context, file string) error {
	_, before := output("dpkg", "--configure", "-a")
	if _, err := output("dpkg", "--force-confold", "--install", file); err != nil {
		return errors.Join(before, err)
	}
	return nil
}

// healthy waits until the service is up, which it is when it has said READY, its loop
// answers, and the files are as the package has them. The record and the configuration
// are none of its business: with an old gap in its record a unit must get updates too.
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

// BetweenShoes says that the core, if there is one, is not in a shoe: nil, or why the
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
	return fmt.Errorf("a shoe is in play at table %s (hand %d): wait until it is over, or close the table", b.Table, b.Shoe.Hands)
}
