#!/bin/sh
# A unit's life from its package: a Debian with a real systemd is booted in a
# container without a network, and the package is installed, set up, used, upgraded,
# updated, removed and purged in it (test-inside.sh), with the doctor asked at each step.
# Needs root, mmdebstrap and systemd-nspawn; a few minutes the first time.
#
#   systemd/deb/test-unit.sh [SUITE]     bookworm (the default) or trixie
#
# BASE=DIR keeps the Debian between runs. OLD=FILE is the package of an earlier version
# that the unit begins with; without it that is this one's. The log is out/unit-SUITE.log.
set -eu
cd "$(dirname "$0")/../.."
suite=${1:-bookworm}
if [ "$(id -u)" != 0 ]; then
	echo "test-unit.sh: needs root: sudo make test-unit" >&2
	exit 1
fi
arch=$(dpkg --print-architecture)
work=$(mktemp -d /var/tmp/shoeboard-unit.XXXXXX)
leave() {
	[ -z "${machine:-}" ] || kill "$machine" 2>/dev/null || true
	rm -rf --one-file-system "$work"
}
trap leave EXIT

# The package's own dependencies are what the container has besides a systemd and a
# virtual display: apt has no network in it.
base=${BASE:-$work/base}
if [ ! -d "$base/usr" ]; then
	depends=$(sed -n '/^depends:/,/^[a-z]*:$/s/^  - \([a-z0-9.+-]*\).*/\1/p' systemd/deb/nfpm.yaml | grep -v '^systemd$' | paste -sd,)
	mmdebstrap --quiet --variant=minbase --include="systemd,systemd-sysv,dbus,udev,xvfb,$depends" "$suite" "$base" "${MIRROR:-http://deb.debian.org/debian}"
fi
cp -a "$base" "$work/root"

# Updates are signed with a key of this run, and once with one that nobody knows.
go build -o "$work/shoeboard" ./cmd/shoeboard
for key in key stranger; do "$work/shoeboard" update keygen "$work/$key"; done
UPDATE_KEY=$work/key.pub COMPRESSION=none
export UPDATE_KEY COMPRESSION
VERSION=$(sed -n '1s/.*(\(.*\)).*/\1/p' systemd/deb/changelog)
if [ -n "${OLD:-}" ]; then
	cp "$OLD" "$work/root/root/old.deb"
else
	systemd/deb/build.sh "$arch"
	mv "dist/shoeboard_${VERSION}_$arch.deb" "$work/root/root/old.deb"
fi
VERSION=$VERSION+next systemd/deb/build.sh "$arch"
mv "dist/shoeboard_$VERSION+next_$arch.deb" "$work/root/root/new.deb"

# variant VERSION KEY [sick]: the newer package under another version, signed; a sick
# one does not start.
variant() {
	rm -rf "$work/variant"
	dpkg-deb -R "$work/root/root/new.deb" "$work/variant"
	sed -i "s/^Version: .*/Version: $1/" "$work/variant/DEBIAN/control"
	if [ -n "${3:-}" ]; then
		mv "$work/variant/usr/bin/shoeboard" "$work/variant/usr/lib/shoeboard/program"
		printf '#!/bin/sh\n[ "$1" = run ] && exit 1\nexec /usr/lib/shoeboard/program "$@"\n' >"$work/variant/usr/bin/shoeboard"
		chmod 755 "$work/variant/usr/bin/shoeboard"
	fi
	deb=$work/root/root/shoeboard_$1_$arch.deb
	dpkg-deb -Znone --root-owner-group -b "$work/variant" "$deb" >/dev/null
	"$work/shoeboard" update sign "$deb" --key "$work/$2"
}
variant 0.0.9 key
variant 2.0 key
variant 2.1 stranger
variant 2.2 key sick
variant 2.3 key
variant 2.4 key sick
cp systemd/deb/test-inside.sh "$work/root/root/test.sh"
cat >"$work/root/etc/systemd/system/test.service" <<UNIT
[Unit]
After=multi-user.target
[Service]
Type=oneshot
ExecStart=/bin/sh /root/test.sh
StandardOutput=append:/root/test.log
StandardError=append:/root/test.log
ExecStopPost=/bin/sh -c '[ -e /root/boots ] || { echo "exit \$EXIT_STATUS" >>/root/test.log; systemctl --no-block poweroff --force; }'
[Install]
WantedBy=default.target
UNIT
ln -sf /etc/systemd/system/test.service "$work/root/etc/systemd/system/multi-user.target.wants/test.service"

mkdir -p out
# 133: the container wants to boot again, as after the power cut of the test.
: >"out/unit-$suite-boot.log"
code=133
while [ "$code" = 133 ]; do
	timeout 900 systemd-nspawn --quiet -D "$work/root" --boot --register=no --keep-unit --private-network --console=pipe >>"out/unit-$suite-boot.log" 2>&1 </dev/null &
	machine=$!
	code=0
	wait "$machine" || code=$?
	machine=
done
cp "$work/root/root/test.log" "out/unit-$suite.log"
cat "out/unit-$suite.log"
if ! grep -qx 'exit 0' "out/unit-$suite.log"; then
	echo "test-unit.sh: FAILED; the boot is in out/unit-$suite-boot.log" >&2
	exit 1
fi
