#!/bin/sh
# Tries shoeboard-slot and the identity by serial number on files that stand for the
# card of a unit: a signed file is written into the other slot, tried, kept, taken
# back; one that is changed, for another board or unsigned is refused. Part of try.sh.
#
#   CHROOT=PROGRAM try-slot.sh ROOT      a root that customize.sh has made
set -eu
root=$1
unit=$root/unit
step() { echo "== $*"; }
fail() { echo "FAILED: $*" >&2; exit 1; }
is() { [ "$1" = "$2" ] || fail "$3: \"$2\", expected \"$1\""; echo "$3: $2"; }
slot() { $CHROOT "$root" env UNIT=/unit WAIT=3 shoeboard-slot "$@"; }
refused() { ! said=$(slot "$@" 2>&1) || fail "slot $*: not refused"; echo "refused: $said"; }
runs() { printf '\000\000\000\00'"$1" >"$unit/proc/device-tree/chosen/bootloader/partition"; }
next() { sed -n '/^\[all\]/,/^\[tryboot\]/s/^boot_partition=//p' "$unit/bootfs/autoboot.txt"; }

step "the card of a unit, as files"
mkdir -p "$unit/proc/device-tree/chosen/bootloader" "$unit/bootfs" "$unit/dev/disk/by-slot/other" "$unit/persistent/common/etc" \
	"$unit/persistent/slots/system_a/var" "$unit/persistent/slots/system_b/var/lib" "$unit/persistent/shared/var/lib/shoeboard-ssh" "$unit/usr/share/shoeboard"
printf '[all]\ntryboot_a_b=1\nboot_partition=2\n[tryboot]\nboot_partition=3\n' >"$unit/bootfs/autoboot.txt"
runs 2
truncate -s 3M "$unit/dev/disk/by-slot/other/boot"
truncate -s 9M "$unit/dev/disk/by-slot/other/system"
echo old >"$unit/persistent/slots/system_b/var/lib/old"
echo pi5 >"$unit/usr/share/shoeboard/board"
printf 'Version: 1.0\nArchitecture: arm64\n' >"$unit/package"
$CHROOT "$root" shoeboard update keygen /unit/key
cp "$unit/key.pub" "$unit/usr/share/shoeboard/update.pub"

step "an update of a slot"
make() { # BOARD FILE [VERSION [ARCHITECTURE]]
	rm -rf "$unit/made"
	mkdir -p "$unit/made/slots/system_a/var/lib/new"
	echo "$1" >"$unit/made/board"
	echo "${3:-1.1} ${4:-arm64}" >"$unit/made/version"
	head -c 2000000 /dev/urandom >"$unit/made/boot"
	head -c 8000000 /dev/urandom >"$unit/made/system"
	tar -czf "$unit/made/persistent" -C "$unit/made" ./slots
	tar --zstd -cf "$unit/$2" -C "$unit/made" version board boot system persistent
	$CHROOT "$root" shoeboard update sign "/unit/$2" --key /unit/key
}
make pi4 pi4.slot
refused install /unit/pi4.slot
make pi5 new.slot
cp "$unit/new.slot" "$unit/changed.slot"
cp "$unit/new.slot.sig" "$unit/changed.slot.sig"
printf x >>"$unit/changed.slot"
refused install /unit/changed.slot
is 2 "$(next)" "boot partition after what was refused"
refused install /unit/none.slot
make pi5 old.slot 0.9
refused install /unit/old.slot
make pi5 same.slot 1.0
refused install /unit/same.slot
make pi5 foreign.slot 1.2 armhf
refused install /unit/foreign.slot
cp "$unit/old.slot" "$unit/borrowed.slot"
cp "$unit/new.slot.sig" "$unit/borrowed.slot.sig"
refused install /unit/borrowed.slot
cp "$unit/old.slot" "$unit/claimed.slot"
sed '1s/0\.9/1.1/' "$unit/old.slot.sig" >"$unit/claimed.slot.sig"
refused install /unit/claimed.slot
cp "$unit/new.slot" "$unit/package.slot"
sed '1s/slot/package/' "$unit/new.slot.sig" >"$unit/package.slot.sig"
refused install /unit/package.slot
sed 1d "$unit/new.slot.sig" >"$unit/package.slot.sig"
refused install /unit/package.slot
sed 1p "$unit/new.slot.sig" >"$unit/package.slot.sig"
refused install /unit/package.slot
{ cat "$unit/new.slot.sig"; echo; } >"$unit/package.slot.sig"
refused install /unit/package.slot
make pi5 new.slot
slot install /unit/new.slot
cmp -n 2000000 "$unit/made/boot" "$unit/dev/disk/by-slot/other/boot" || fail "boot was not written"
cmp -n 8000000 "$unit/made/system" "$unit/dev/disk/by-slot/other/system" || fail "system was not written"
is new "$(ls "$unit/persistent/slots/system_b/var/lib")" "/var of the other slot"
is "" "$(ls "$unit/persistent" | grep -v -e slots -e common -e shared || true)" "left on the card"

step "the slot does not start: the one before is back"
runs 2
slot settle
is 2 "$(next)" "boot partition"
step "it starts, and the table does not work in it"
slot back
runs 3
echo 1 >"$unit/broken"
slot settle
is 2 "$(next)" "boot partition"
runs 2
slot settle
step "it starts and works: it is kept"
rm "$unit/broken"
slot back
runs 3
refused back
refused install /unit/new.slot
slot settle
is 3 "$(next)" "boot partition"
slot status
step "and by hand back again"
slot back
runs 2
slot settle
is 2 "$(next)" "boot partition"

step "identity by the board's serial number"
board() { printf '%s\000' "$1" >"$unit/proc/device-tree/serial-number"; $CHROOT "$root" env UNIT=/unit /usr/lib/shoeboard/board; }
board 10000000aaaaaaaa
echo id >"$unit/persistent/common/etc/machine-id"
touch "$unit/persistent/shared/var/lib/shoeboard-ssh/ssh_host_ed25519_key"
board 10000000aaaaaaaa
is id "$(cat "$unit/persistent/common/etc/machine-id")" "machine-id on the same board"
board 10000000bbbbbbbb
is "" "$(ls "$unit/persistent/shared/var/lib/shoeboard-ssh" "$unit/persistent/common/etc" | grep -e machine-id -e ssh_host || true)" "identity on another board"
rm -rf "$unit"
