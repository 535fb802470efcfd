#!/bin/sh
# Tries what of the image can be tried without a Pi and without its builder: the
# customisation is run on a Debian of this machine's kind; then that root, read only as
# a slot is, is started twice in a container, as slot a and as slot b, over one shared
# folder; then the tool of the slots writes, tries, keeps and takes back on files that
# stand for partitions. Needs root, mmdebstrap and systemd-nspawn; some minutes.
#
#   systemd/image/try.sh [PACKAGE]        without one it is built
#
# BASE=DIR keeps the Debian between runs.
set -eu

# --inside ROOT COMMAND...: runs it in the root with what the builder has there too.
# What is mounted here is in a name space of its own and ends with it.
if [ "${1:-}" = --inside ]; then
	root=$2
	shift 2
	mount -t proc proc "$root/proc"
	mount --rbind /dev "$root/dev"
	exec chroot "$root" "$@"
fi
here=$(cd "$(dirname "$0")" && pwd)
cd "$here/../.."
[ "$(id -u)" = 0 ] || { echo "try.sh: needs root: sudo make test-image" >&2; exit 1; }
arch=$(dpkg --print-architecture)
package=${1:-}
if [ -z "$package" ]; then
	systemd/deb/build.sh "$arch"
	package=dist/shoeboard_$(sed -n '1s/.*(\(.*\)).*/\1/p' systemd/deb/changelog)_$arch.deb
fi
work=$(mktemp -d /var/tmp/shoeboard-image.XXXXXX)
leave() {
	[ -z "${machine:-}" ] || kill "$machine" 2>/dev/null || true
	rm -rf --one-file-system "$work"
}
trap leave EXIT

step() { echo "== $*"; }
fail() { echo "FAILED: $*" >&2; exit 1; }
is() { [ "$1" = "$2" ] || fail "$3: \"$2\", expected \"$1\""; echo "$3: $2"; }

step "a Debian as the builder would hand it over"
base=${BASE:-$work/base}
if [ ! -d "$base/usr" ]; then
	packages=$(sed -n '/^  packages:/,/^  customize-hooks:/s/^    - //p' "$here/layer/shoeboard.yaml" | paste -sd,)
	mmdebstrap --quiet --variant=minbase --include="systemd,systemd-sysv,systemd-resolved,dbus,udev,openssh-server,$packages" trixie "$base" "${MIRROR:-http://deb.debian.org/debian}"
fi
root=$work/root
cp -a "$base" "$root"
mkdir -p "$root/boot/firmware"
echo 'console=serial0,115200 console=tty1 root=ROOTDEV rootfstype=ext4 fsck.repair=yes rootwait' >"$root/boot/firmware/cmdline.txt"
printf 'auto_initramfs=1\ndtoverlay=vc4-kms-v3d\n[cm5]\ndtoverlay=dwc2,dr_mode=host\n' >"$root/boot/firmware/config.txt"

step "the customisation"
CHROOT="unshare --mount $here/try.sh --inside" "$here/customize.sh" "$root" "$package" cmd/shoeboard/update.pub pi5 ds3231
is "640:640 750" "$(stat -c '%u:%g %a' "$root/var/lib/shoeboard")" "owner of the shared folder"
is /bootfs/shoeboard.toml "$(readlink "$root/etc/shoeboard/shoeboard.toml")" "the venue's file"
is "root=ROOTDEV rootfstype=ext4 rootwait console=tty3 quiet loglevel=3 logo.nologo vt.global_cursor_default=0 consoleblank=0 fsck.repair=yes panic=10 systemd.show_status=no" "$(cat "$root/boot/firmware/cmdline.txt")" "command line"
is 1 "$(grep -c '^dtoverlay=vc4-kms-v3d' "$root/boot/firmware/config.txt")" "vc4 overlays"
is "dtoverlay=i2c-rtc,ds3231" "$(tail -n 1 "$root/boot/firmware/config.txt")" "clock"
for unit in shoeboard shoeboard-screen shoeboard-board shoeboard-hostkey shoeboard-slot; do
	is enabled "$(systemctl --root="$root" is-enabled "$unit.service")" "$unit"
done
for unit in getty@.service serial-getty@.service ctrl-alt-del.target apt-daily.timer swap.target shoeboard-update.service; do
	is masked "$(systemctl --root="$root" is-enabled "$unit" || true)" "$unit"
done
is "" "$(ls "$root"/etc/ssh/ssh_host_* 2>/dev/null || true)" "ssh keys in the image"

step "the slots: /var of each, and what both share, as the builder lays them out"
persistent=$work/persistent
: >"$root/etc/machine-id"
for slot in a b; do
	mkdir -p "$persistent/slots/system_$slot"
	cp -a "$root/var" "$persistent/slots/system_$slot/var"
done
binds=
for path in $(sed -n 's/^Path=//p' "$root/etc/rpi-image-gen/slot-shared.d/shoeboard.conf"); do
	mkdir -p "$persistent/shared${path%/*}"
	cp -a "$root$path" "$persistent/shared$path"
	binds="$binds --bind=$persistent/shared$path:$path"
done
mkdir -p "$persistent/common/etc" "$work/bootfs" "$root/persistent"
cat >"$root/etc/systemd/system/try.service" <<UNIT
[Unit]
After=multi-user.target shoeboard-hostkey.service
[Service]
Type=oneshot
ExecStart=/bin/sh /bootfs/try.sh
StandardOutput=file:/bootfs/said
StandardError=file:/bootfs/said
ExecStopPost=/bin/sh -c 'echo "exit \$EXIT_STATUS" >>/bootfs/said'
ExecStopPost=/bin/systemctl --no-block poweroff --force
[Install]
WantedBy=multi-user.target
UNIT
ln -s ../try.service "$root/etc/systemd/system/multi-user.target.wants/try.service"

# One unit over all slots: on a Pi the serial number, here the machine-id.
id=$(cat /proc/sys/kernel/random/uuid)

# start SLOT SCRIPT: a start of the slot in which the script is run.
start() {
	printf 'set -eu\n%s\n' "$2" >"$work/bootfs/try.sh"
	rm -f "$work/bootfs/said"
	timeout 180 systemd-nspawn --quiet -D "$root" --read-only --boot --register=no --keep-unit --private-network --console=pipe --uuid="$id" \
		--bind="$persistent:/persistent" --bind="$persistent/slots/system_$1/var:/var" $binds --bind="$work/bootfs:/bootfs" \
		>"$work/boot-$1.log" 2>&1 </dev/null &
	machine=$!
	wait "$machine" || true
	machine=
	sed "s/^/slot $1: /" "$work/bootfs/said"
	grep -qx 'exit 0' "$work/bootfs/said" || fail "slot $1: $(tail -n 30 "$work/boot-$1.log")"
}

step "the first start, in slot a: the file, the table's number, a hand"
start a '
! touch /usr/written 2>/dev/null
shoeboard config init --out /bootfs/shoeboard.toml
sed -i "s/^venue = \"\"/venue = \"Test House\"/; s/^min_hand = 12/min_hand = 0/; s/^bet_seconds = 20/bet_seconds = 120/" /bootfs/shoeboard.toml
shoeboard config check
shoeboard config table 14
mkdir -p /run/systemd/system/shoeboard.service.d
printf "[Service]\nExecStart=\nExecStart=/usr/bin/shoeboard run --socket-keys\n" >/run/systemd/system/shoeboard.service.d/try.conf
systemctl daemon-reload
systemctl restart shoeboard
shoeboard press NEW_SHOE:2.2 OK
shoeboard press BETS
shoeboard press BANKER OK
shoeboard status --line
shoeboard verify
systemctl is-active shoeboard
sshd -t
cat /var/lib/shoeboard-ssh/ssh_host_ed25519_key.pub >/persistent/common/key
echo "kept in slot a only" >/var/lib/slot
systemctl show -p Result --value shoeboard-hostkey shoeboard-slot
'
step "a start of slot b: the same table, its hand, its key; the other /var is not there"
start b '
shoeboard status --line | grep "table 14"
shoeboard status --json | grep "\"hands\": 1"
shoeboard config show --effective | grep "Test House"
cmp /var/lib/shoeboard-ssh/ssh_host_ed25519_key.pub /persistent/common/key
! cat /var/lib/slot 2>/dev/null
systemctl is-active shoeboard
systemctl --failed --plain --no-legend --no-pager
test -z "$(systemctl --failed --plain --no-legend --no-pager | grep shoeboard)"
'

CHROOT="unshare --mount $here/try.sh --inside" "$here/try-slot.sh" "$root"
echo "The customisation, two slots over one table, and the tool of the slots: as they should be. On a Pi: NOT RUN."
