package main

import (
	"errors"
	"fmt"
	"os/user"
	"strconv"

	"shoeboard/cmd/internal/helper"
)

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
func (v *stickInsert) Run(p *program) error {
	uid, gid, err := idsOf(coreUser)
	if err != nil {
		return err
	}
	err = helper.Mount(v.Device, p.slot(), uid, gid)
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
