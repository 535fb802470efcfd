#!/bin/sh
# Makes a root that the image builder has set up into that of a table: run by
# layer/shoeboard.yaml inside the builder, and by try.sh on a Debian of its own. Root,
# or what stands for root in the builder's name space. NOT RUN on a Pi.
#
#   customize.sh ROOT PACKAGE KEY BOARD CLOCK
#
# KEY is the file with the public key of updates, BOARD pi4 or pi5, CLOCK none or ds3231.
#
# CHROOT= is another program than chroot to run something in the root with.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$1 package=$2 key=$3 board=$4 clock=$5
chroot=${CHROOT:-chroot}
fail() { echo "customize.sh: $*" >&2; exit 1; }
inside() { $chroot "$root" "$@"; }

boot=$root/boot/firmware
for file in cmdline.txt config.txt; do
	[ -f "$boot/$file" ] || fail "there is no /boot/firmware/$file yet: is this rpi-image-gen v2.7.0?"
done
[ -f "$package" ] || fail "there is no package $package"

# Users first, with the numbers that they have in every image.
cp "$here/ids.conf" "$root/root/ids.conf"
cp "$package" "$root/root/shoeboard.deb"
inside systemd-sysusers /root/ids.conf
inside env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends /root/shoeboard.deb
rm "$root/root/shoeboard.deb" "$root/root/ids.conf"

cp -r --no-preserve=ownership "$here/files/." "$root/"
# The venue's file is on the first partition of the card, beside autoboot.txt: any
# computer can write it there, and no update of a slot touches it.
mkdir -p "$root/bootfs" "$root/etc/shoeboard"
ln -sf /bootfs/shoeboard.toml "$root/etc/shoeboard/shoeboard.toml"
# What an update of a slot is checked with.
install -m 644 "$key" "$root/usr/share/shoeboard/update.pub"
echo "$board" >"$root/usr/share/shoeboard/board"

# What both slots share must be there, and empty: the builder copies what an image
# has in these folders over what a table has, at every start.
inside install -d -m 750 -o shoeboard -g shoeboard /var/lib/shoeboard
inside install -d -m 700 -o shoeboard -g shoeboard /var/lib/shoeboard-keys
inside install -d -m 700 /var/lib/shoeboard-ssh
sed -n 's/^Path=//p' "$root/etc/rpi-image-gen/slot-shared.d/shoeboard.conf" | while read -r path; do
	[ -d "$root$path" ] || fail "$path is shared and not there"
	[ -z "$(ls -A "$root$path")" ] || fail "$path is not empty: an image would write over what a table keeps"
done
# No key of an image is the key of a unit.
rm -f "$root"/etc/ssh/ssh_host_*

# No console to escape to; nothing waits for a network or asks for one; nothing but a
# slot is ever updated; no swap.
inside systemctl mask getty@.service autovt@.service serial-getty@.service console-getty.service \
	systemd-networkd-wait-online.service NetworkManager-wait-online.service systemd-time-wait-sync.service \
	apt-daily.timer apt-daily-upgrade.timer unattended-upgrades.service shoeboard-update.service \
	swap.target dphys-swapfile.service sshd-keygen.service
inside systemctl enable shoeboard-board.service shoeboard-hostkey.service shoeboard-slot.service systemd-networkd.service

# A quiet start: the board is the first thing that a player sees. panic: a slot that
# does not start goes back instead of standing still, in the initramfs as well.
set -f
line=
for word in $(cat "$boot/cmdline.txt"); do
	case $word in
	console=* | quiet | loglevel=* | logo.nologo | vt.global_cursor_default=* | consoleblank=* | fsck.repair=* | panic=* | systemd.show_status=*) ;;
	*) line="$line$word " ;;
	esac
done
set +f
echo "${line}console=tty3 quiet loglevel=3 logo.nologo vt.global_cursor_default=0 consoleblank=0 fsck.repair=yes panic=10 systemd.show_status=no" >"$boot/cmdline.txt"

cat "$here/config.txt" >>"$boot/config.txt"
grep -q '^dtoverlay=vc4-kms-v3d' "$boot/config.txt" || echo 'dtoverlay=vc4-kms-v3d' >>"$boot/config.txt"
case $clock in
none) ;;
ds3231) echo 'dtoverlay=i2c-rtc,ds3231' >>"$boot/config.txt" ;;
*) fail "clock $clock: expected none or ds3231" ;;
esac
