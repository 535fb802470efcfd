package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os/user"
	"path/filepath"
	"strconv"

	"github.com/coreos/go-systemd/v22/activation"

	"shoeboard/cmd/internal/helper"
	"shoeboard/cmd/internal/transfer"
	"shoeboard/cmd/internal/update"
	"shoeboard/tracker/localapi"
)

// helperVerb is root's helper of the technician's menu.
type helperVerb struct {
	Serve   helperServe   `cmd:"" help:"Serve the connection that systemd hands over, as root."`
	Request helperRequest `cmd:"" help:"Send a request as the menu does; only root and the core's user may."`
}

type helperServe struct{}

// Run answers one request.
func (*helperServe) Run(ctx context.Context, p *program, all *verbs) error {
	conn, err := activated()
	if err != nil {
		return err
	}
	s, err := p.helper(all.Config)
	if err != nil {
		return errors.Join(err, conn.Close())
	}
	return s.Serve(ctx, conn)
}

// helper returns the helper of this unit, which answers root and the core's user.
func (p *program) helper(config string) (*helper.Server, error) {
	client, err := p.client("", config)
	if err != nil {
		return nil, err
	}
	s := &helper.Server{Core: client, Slot: p.slot(), Log: p.log,
		Updater: func() (*update.Updater, error) { return p.updater(config) }}
	if uid, _, err := idsOf(coreUser); err == nil {
		s.Clients = localapi.Guard{Users: []int{uid}}
	}
	return s, nil
}

// activated returns the connection that systemd has accepted for this process.
func activated() (net.Conn, error) {
	files := activation.Files(true)
	if len(files) != 1 {
		return nil, errors.New("there is no connection: systemd starts this for shoeboard-helper.socket")
	}
	defer files[0].Close()
	return net.FileConn(files[0])
}

type helperRequest struct {
	Kind     string `arg:"" help:"set-time, update, addresses, reboot, power-off."`
	Argument string `arg:"" optional:"" help:"The time (2026-11-30T19:05:00Z), or the name of a package on the stick."`
}

// Run prints the answer.
func (v *helperRequest) Run(ctx context.Context, p *program) error {
	lines, err := helper.Do(ctx, p.helperSocket(), helper.Request{Kind: v.Kind, Argument: v.Argument})
	for _, line := range lines {
		fmt.Fprintln(p.out, line)
	}
	return err
}

// helperSocket returns where the helper is reached.
func (p *program) helperSocket() string { return filepath.Join(p.root, helper.Socket) }

// slot returns where the unit's stick is.
func (p *program) slot() transfer.Slot {
	return transfer.Slot{Dir: filepath.Join(p.root, transfer.Mount)}
}

// stick returns the unit's stick, or the folder that stands for it.
func (p *program) stick(folder string) transfer.Slot {
	if folder != "" {
		return transfer.Slot{Dir: folder, Plain: true}
	}
	return p.slot()
}

// coreUser may write on the stick; systemd/shoeboard.sysusers makes it.
const coreUser = "shoeboard"

// stickVerb is called by udev when a stick comes and goes.
type stickVerb struct {
	Insert stickInsert `cmd:"" help:"Mount a device for the core if it is a USB stick."`
	Remove stickRemove `cmd:"" help:"Unmount a USB stick."`
}

type stickInsert struct {
	Device string `arg:"" help:"Disk or partition by its kernel name: sda1."`
}

// Run mounts the device. One that is no stick is ignored: that is no failure.
func (v *stickInsert) Run(p *program, all *verbs) error {
	l, err := p.readConfig(all.Config, "")
	if err != nil {
		return err
	}
	uid, gid, err := idsOf(coreUser)
	if err != nil {
		return err
	}
	err = helper.Mount(v.Device, p.slot(), uid, gid, l.File.Table("").Ext4)
	if errors.Is(err, helper.ErrNoStick) {
		fmt.Fprintf(p.out, "%s: %v\n", v.Device, err)
		return nil
	}
	return err
}

type stickRemove struct {
	Device string `arg:"" help:"Disk or partition by its kernel name: sda1."`
}

// Run lets go of the device if it is the one that is mounted.
func (v *stickRemove) Run(p *program) error {
	return helper.Unmount(v.Device, p.slot())
}

func idsOf(name string) (uid, gid int, err error) {
	u, err := user.Lookup(name)
	if err != nil {
		return 0, 0, err
	}
	uid, err = strconv.Atoi(u.Uid)
	if err == nil {
		gid, err = strconv.Atoi(u.Gid)
	}
	return uid, gid, err
}
