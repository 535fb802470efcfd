// Package guest holds the tests of our drivers against a kernel's own: key matrix on
// a GPIO chip, MCP23017 on an I2C bus, USB keyboard, uinput and USB serial, in a
// virtual machine without any of the hardware. `make test-guest` runs them.
//
// Words: the guest is a stock Debian kernel in QEMU whose first and only program is
// the test program of this package (built with the tag guest); the bench is our
// kernel module of folder module, which plays the wires; the monitor is QEMU's own
// (QMP), which the guest reaches on its second serial port and by which it plugs,
// unplugs and types on USB devices.
//
// A caller may assume that a test here has met the ioctls, the interrupts and the
// hotplug of Linux 6.1 as they are. Of times it shows what an emulated processor can
// show. There is nothing in the package for other packages.
package guest
