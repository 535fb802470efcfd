package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"os/user"
	"strconv"
	"strings"
	"syscall"

	"github.com/alecthomas/kong"
	"golang.org/x/sys/unix"

	"shoeboard/cmd/internal/config"
)

// someoneElses says that root runs this on a data folder that is not root's, and whose
// it is. What root writes there would go wherever a link leads that the core's user has
// put there, and would stay root's, where the core cannot go on with it.
func someoneElses(data string) (uid, gid int, so bool, err error) {
	if os.Geteuid() != 0 {
		return 0, 0, false, nil
	}
	uid, gid, err = config.OwnerOf(data)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, 0, false, nil
	}
	return uid, gid, err == nil && uid != 0, err
}

// notForRoot refuses root a core on a data folder that is another's.
func notForRoot(data string) error {
	uid, _, so, err := someoneElses(data)
	if so {
		err = fmt.Errorf("%s is %s's: sudo systemctl start shoeboard runs the core as him", data, userName(uid))
	}
	return err
}

// folder reads the configuration and names the data folder: the flag's, or else the
// configuration's.
func (f dataFlag) folder(p *program, all *verbs) (l config.Loaded, data string, err error) {
	l, err = p.readConfig(all.Config, f.Data)
	if err != nil {
		return l, "", err
	}
	return l, cmp.Or(f.Data, l.File.Table("").Data), nil
}

// owned is folder for a verb that changes what is in it; done says that the verb was done
// by the folder's owner.
func (f dataFlag) owned(ctx context.Context, line *kong.Context, p *program, all *verbs) (l config.Loaded, data string, done bool, err error) {
	if l, data, err = f.folder(p, all); err == nil {
		done, err = p.asOwner(ctx, line, data)
	}
	return l, data, done, err
}

// asOwner runs this command line anew as whom the data folder belongs to, when root has
// called it and the folder is another's; done says so. The one right that goes along is
// to read: a stick or a backup may be root's.
func (p *program) asOwner(ctx context.Context, line *kong.Context, data string) (done bool, err error) {
	uid, gid, so, err := someoneElses(data)
	if !so || err != nil {
		return false, err
	}
	cmd := exec.CommandContext(ctx, "/proc/self/exe", line.Args...)
	cmd.Cancel = func() error { return cmd.Process.Signal(unix.SIGTERM) }
	var told bytes.Buffer
	cmd.Stdout, cmd.Stderr = p.out, &told
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}, AmbientCaps: []uintptr{unix.CAP_DAC_READ_SEARCH}}
	err = cmd.Run()
	why := strings.TrimSuffix(strings.ReplaceAll("\n"+told.String(), "\nshoeboard: ", "\n")[1:], "\n")
	if why != "" {
		p.refused = nil // he has told of it
	}
	switch {
	case err == nil:
		_, err = told.WriteTo(p.err)
		return true, err
	case why == "":
		return true, fmt.Errorf("as %s, whose %s is: %w", userName(uid), data, err)
	}
	return true, errors.New(why)
}

// userName is what a user is called, else his number.
func userName(uid int) string {
	u, err := user.LookupId(strconv.Itoa(uid))
	if err != nil {
		return strconv.Itoa(uid)
	}
	return u.Username
}
