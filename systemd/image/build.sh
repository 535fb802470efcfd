#!/bin/sh
# Builds the image of a unit with Raspberry Pi's own builder, on a 64-bit Raspberry Pi
# OS of Debian 12 or 13. NOT RUN on a Pi.
#
#   systemd/image/build.sh BUILDER [pi5|pi4] [--key FILE] [--clock ds3231]
#
# BUILDER is a clone of https://github.com/raspberrypi/rpi-image-gen at v2.7.0; FILE
# has the public ssh keys of those who may log in as "technician" (without it nobody
# may). The result is dist/shoeboard-BOARD_VERSION.img for a card, and .slot for the
# other slot of a unit, which "shoeboard update sign" signs. UPDATE_KEY=FILE.pub is the
# key that the image checks it with, as for the package.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
cd "$here/../.."
commit=a7b6d4806183195f3efadb533f58c8e46393d057
fail() { echo "build.sh: $*" >&2; exit 1; }

case ${UPDATE_KEY:-.pub} in
*.pub) ;; # the private key looks alike, and would be on every card
*) fail "UPDATE_KEY=$UPDATE_KEY: expected the public key, FILE.pub" ;;
esac
[ $# -gt 0 ] || fail "which folder is the builder in? See the head of this file."
builder=$(cd "$1" && pwd)
shift
board=pi5 key= clock=none
while [ $# -gt 0 ]; do
	case $1 in
	pi4 | pi5) board=$1 ;;
	--key) shift; key=$(realpath "${1:?FILE}") ;;
	--clock) shift; clock=${1:?ds3231} ;;
	*) fail "$1: expected pi5, pi4, --key FILE or --clock ds3231" ;;
	esac
	shift
done
[ -x "$builder/rpi-image-gen" ] || fail "there is no rpi-image-gen in $builder"
[ "$(git -C "$builder" rev-parse HEAD)" = "$commit" ] ||
	fail "the builder is another version: git -C $builder checkout $commit"

version=$(sed -n '1s/.*(\(.*\)).*/\1/p' systemd/deb/changelog)
package=dist/shoeboard_${version}_arm64.deb
[ -f "$package" ] || systemd/deb/build.sh arm64

work=$PWD/out/image
mkdir -p "$work"
"$builder/rpi-image-gen" metadata --lint "$here/layer/shoeboard.yaml"
"$builder/rpi-image-gen" build -S "$here" -c "$board.yaml" -- \
	"IGconf_sys_workroot=$work" \
	"IGconf_shoeboard_package=$PWD/$package" \
	"IGconf_shoeboard_key=$(realpath "${UPDATE_KEY:-cmd/shoeboard/update.pub}")" \
	"IGconf_shoeboard_rtc=$clock" \
	${key:+"IGconf_ssh_pubkey_user1=$key"}

made=$work/image-shoeboard-$board name=dist/shoeboard-${board}_$version
for file in "shoeboard-$board.img" boot.vfat system.ext4 persistent-skel.tar.gz; do
	[ -f "$made/$file" ] || fail "the builder made no $made/$file"
done
cp --sparse=always "$made/shoeboard-$board.img" "$name.img"
echo "$board" >"$made/board"
echo "$version arm64" >"$made/version"
tar --zstd -chf "$name.slot" -C "$made" \
	--transform 's/^boot\.vfat$/boot/;s/^system\.ext4$/system/;s/^persistent-skel\.tar\.gz$/persistent/' \
	version board boot.vfat system.ext4 persistent-skel.tar.gz
ls -l "$name.img" "$name.slot"
