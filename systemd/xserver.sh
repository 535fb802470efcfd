#!/bin/sh
# The X server of shoeboard-screen.service. It would tell systemd READY for itself;
# the unit is ready when the board is on the screen, which may be tomorrow.
unset NOTIFY_SOCKET
exec "${XSERVER:-/usr/bin/Xorg}" "$@"
