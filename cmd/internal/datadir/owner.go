package datadir

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"os/user"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// Owner returns whose a file is.
func Owner(path string) (uid, gid int, err error) {
	info, err := os.Stat(path)
	if err != nil {
		return 0, 0, err
	}
	s, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, 0, fmt.Errorf("%s: the system does not say whose it is", path)
	}
	return int(s.Uid), int(s.Gid), nil
}

// GiveTo gives a file that root wrote to the owner of the folder, so that the core can
// read it.
func GiveTo(path, folder string) error {
	if os.Geteuid() != 0 {
		return nil
	}
	uid, gid, err := Owner(folder)
	if err != nil {
		return err
	}
	return os.Lchown(path, uid, gid)
}

// foreign reports whether root runs this on a data folder of another user. A file that
// root writes there would go wherever a link of that user leads, and the core could not go
// on with it.
func foreign(data string) (uid, gid int, so bool, err error) {
	if os.Geteuid() != 0 {
		return 0, 0, false, nil
	}
	uid, gid, err = Owner(data)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, 0, false, nil
	}
	return uid, gid, err == nil && uid != 0, err
}

// RefuseRoot returns an error when root would run a core on the folder of another user.
func RefuseRoot(data string) error {
	uid, _, so, err := foreign(data)
	if so {
		err = fmt.Errorf("%s is %s's: sudo systemctl start shoeboard runs the core as him", data, userName(uid))
	}
	return err
}

// RunAsOwner runs this program with other arguments as the owner of a data folder, when
// root has called it and the folder is another user's; done says so. That process has one
// right of root, to read: a stick or a backup may be root's. warned is what it wrote to
// standard error, and err its message when it failed.
func RunAsOwner(ctx context.Context, data string, args []string, out io.Writer) (done bool, warned string, err error) {
	uid, gid, so, err := foreign(data)
	if !so || err != nil {
		return false, "", err
	}
	cmd := exec.CommandContext(ctx, "/proc/self/exe", args...)
	cmd.Cancel = func() error { return cmd.Process.Signal(unix.SIGTERM) }
	var stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = out, &stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)},
		AmbientCaps: []uintptr{unix.CAP_DAC_READ_SEARCH}}
	err = cmd.Run()
	message := strings.TrimSuffix(strings.ReplaceAll("\n"+stderr.String(), "\nshoeboard: ", "\n")[1:], "\n")
	switch {
	case err == nil:
		return true, stderr.String(), nil
	case message == "":
		return true, "", fmt.Errorf("as %s, whose %s is: %w", userName(uid), data, err)
	}
	return true, stderr.String(), errors.New(message)
}

// userName returns a user's name, else the number.
func userName(uid int) string {
	u, err := user.LookupId(strconv.Itoa(uid))
	if err != nil {
		return strconv.Itoa(uid)
	}
	return u.Username
}
