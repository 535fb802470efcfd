#!/bin/sh
# Proves the newcomer's two commands where nothing but Go has been installed: in
# a new Debian root, on a clone of what is committed here, "make run" and "make
# test". Needs root.
#
#   systemd/dev/fresh.sh [SUITE]    bookworm (the default) or trixie
set -eu
suite=${1:-bookworm}
if [ "$(id -u)" != 0 ]; then
	echo "fresh.sh: to change into a root needs root: sudo make test-fresh" >&2
	exit 1
fi
goroot=$(go env GOROOT)
root=$(mktemp -d /var/tmp/shoeboard-fresh.XXXXXX)
leave() {
	umount "$root/usr/local/go" "$root/dev" "$root/proc" 2>/dev/null || true
	if mountpoint -q "$root/usr/local/go" || mountpoint -q "$root/proc" || mountpoint -q "$root/dev"; then
		echo "fresh.sh: $root is still mounted and was left" >&2
		return
	fi
	rm -rf --one-file-system "$root"
}
trap leave EXIT

# make and git are how the two commands are reached; ca-certificates how git clones.
mmdebstrap --quiet --variant=minbase --include=ca-certificates,git,make "$suite" "$root" "${MIRROR:-http://deb.debian.org/debian}"
# The way to the network is this machine's, with the authorities that it trusts.
cp --dereference /etc/resolv.conf "$root/etc/resolv.conf"
cp --dereference /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/ca-certificates.crt"
git clone -q --no-local . "$root/root/shoeboard"
mkdir -p "$root/usr/local/go"
mount --bind -o ro "$goroot" "$root/usr/local/go"
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
mount --make-rslave "$root/dev"

in_root() {
	echo "== in a fresh $suite: $*"
	chroot "$root" /usr/bin/env -i HOME=/root PATH=/usr/local/go/bin:/usr/sbin:/usr/bin:/sbin:/bin \
		${GOPROXY:+GOPROXY="$GOPROXY"} ${GOSUMDB:+GOSUMDB="$GOSUMDB"} \
		sh -c 'cd /root/shoeboard && exec "$@"' sh "$@" </dev/null
}
in_root make run
test -s "$root/root/shoeboard/out/board.png"
mkdir -p out
cp "$root/root/shoeboard/out/board.png" "out/board-fresh-$suite.png"
in_root make test
echo "Both commands worked in a fresh $suite; its board is in out/board-fresh-$suite.png"
