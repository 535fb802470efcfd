#!/bin/sh
# Proves the newcomer's two commands where nothing but Go has been installed: in
# a new Debian root, on a clone of what is committed here, "make run" and "make
# test". Needs root.
#
#   systemd/dev/fresh.sh [SUITE]    bookworm (the default) or trixie
set -eu

# --inside ROOT COMMAND...: runs it in the root; only Go is mounted in. What is
# mounted here is in a name space of its own and ends with it.
if [ "${1:-}" = --inside ]; then
	root=$2
	shift 2
	mount --bind -o ro "$(go env GOROOT)" "$root/usr/local/go"
	mount -t proc proc "$root/proc"
	mount --rbind /dev "$root/dev"
	exec chroot "$root" /usr/bin/env -i HOME=/root PATH=/usr/local/go/bin:/usr/sbin:/usr/bin:/sbin:/bin \
		${GOPROXY:+GOPROXY="$GOPROXY"} ${GOSUMDB:+GOSUMDB="$GOSUMDB"} \
		sh -c 'cd /root/shoeboard && exec "$@"' sh "$@" </dev/null
fi
inside() {
	echo "== in a fresh $suite: $*"
	unshare --mount "$0" --inside "$root" "$@"
}

suite=${1:-bookworm}
if [ "$(id -u)" != 0 ]; then
	echo "fresh.sh: to change into a root needs root: sudo make test-fresh" >&2
	exit 1
fi
root=$(mktemp -d /var/tmp/shoeboard-fresh.XXXXXX)
trap 'rm -rf --one-file-system "$root"' EXIT

# make and git are how the two commands are reached; ca-certificates how git clones.
mmdebstrap --quiet --variant=minbase --include=ca-certificates,git,make "$suite" "$root" "${MIRROR:-http://deb.debian.org/debian}"
# The way to the network is this machine's, with the authorities that it trusts.
cp --dereference /etc/resolv.conf "$root/etc/resolv.conf"
cp --dereference /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/ca-certificates.crt"
git clone -q --no-local . "$root/root/shoeboard"
mkdir -p "$root/usr/local/go"

mkdir -p out
inside make run
cp "$root/root/shoeboard/out/board.png" "out/board-fresh-$suite.png"
inside make test
echo "Both commands worked in a fresh $suite; its board is in out/board-fresh-$suite.png"
