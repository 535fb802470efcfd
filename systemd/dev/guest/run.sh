#!/bin/sh
# Boots a stock Debian kernel in QEMU whose init is the test program of this folder.
#
#   systemd/dev/guest/run.sh [-test.run REGEXP ...]    out/guest.log is the console
#
# Without arguments it runs all tests, half of them in each of two guests at a time.
#
# Kernel and headers are fetched by apt and unpacked under out/guest, never installed;
# the newest one of this Debian is taken. Emulated in software (no KVM is needed).
# GUEST_WAIT is how many seconds it may take; with GUEST_QUIET nothing is shown of a
# console but how it ended.
set -eu
cd "$(dirname "$0")/../../.."
module=$PWD/systemd/dev/guest/module
out=$PWD/out/guest
mkdir -p "$out"

# drivers are the modules that the guest needs, in the order in which they load.
drivers='evdev uinput i2c-dev usb-common usbcore xhci-hcd xhci-pci hid usbhid hid-generic usbserial ftdi_sio'

# depends PACKAGE PATTERN: the package that a metapackage stands for.
depends() { apt-cache depends "$1" | sed -n "s/^ *Depends: *\($2\)$/\1/p" | head -n 1; }

machine=$(dpkg --print-architecture 2>/dev/null || uname -m)
if [ "$machine" != amd64 ]; then
	echo "The guest is a Debian for amd64, built and started on one; this machine is $machine" >&2
	exit 1
fi
# newest names the kernel of this Debian.
newest() {
	image=$(depends linux-image-amd64 'linux-image-.*')
	release=${image#linux-image-}
	kit=$out/$release
}
newest
if [ ! -d "$kit" ] || [ -z "$image" ]; then # old lists name files that are gone
	[ "$(id -u)" != 0 ] || apt-get -qq update >&2 || true
	newest
fi
if [ -z "$image" ]; then
	echo "apt knows no kernel (linux-image-amd64); as root: apt-get update" >&2
	exit 1
fi

# unpack PACKAGE...: fetches packages and unpacks them into the kit.
unpack() {
	(cd "$kit.part" && apt-get -qq download "$@" 2>/dev/null) || {
		echo "These could not be fetched: $* (try apt-get update)" >&2
		exit 1
	}
	for deb in "$kit.part"/*.deb; do
		dpkg-deb --fsys-tarfile "$deb" | tar -x -C "$kit.part"
		rm "$deb"
	done
}

if [ ! -d "$kit" ]; then
	echo "Fetching the kernel $release" >&2
	rm -rf "$kit.part"
	mkdir -p "$kit.part/modules"
	unpack "$image"
	mv "$kit.part/boot/vmlinuz-$release" "$kit.part/vmlinuz"
	for name in $drivers; do
		find "$kit.part" -name "$name.ko*" -exec cp {} "$kit.part/modules/" \;
	done
	xz -dq "$kit.part"/modules/*.xz 2>/dev/null || true
	rm -rf "$kit.part/lib" "$kit.part/boot" "$kit.part/usr"
	unpack "linux-headers-$release" $(depends "linux-headers-$release" 'linux-headers-.*-common') \
		$(depends "linux-headers-$release" 'linux-kbuild-.*')
	mv "$kit.part" "$kit"
fi

echo "Building the bench and the test program" >&2
headers=$kit/usr/src/linux-headers-$release
echo "include $(echo "$kit"/usr/src/linux-headers-*-common)/Makefile" >"$headers/Makefile"
rm -rf "$out/module"
cp -r "$module" "$out/module"
make -s -C "$headers" M="$out/module" CC=gcc CONFIG_DEBUG_INFO_BTF_MODULES= modules >"$out/module.log" 2>&1 || {
	cat "$out/module.log" >&2
	exit 1
}
CGO_ENABLED=0 go vet -tags guest ./systemd/dev/guest
CGO_ENABLED=0 go test -c -tags guest -o "$out/init" ./systemd/dev/guest

root=$out/root
rm -rf "$root"
mkdir -p "$root/modules"
cp "$out/init" "$root/init"
i=10
for name in $drivers; do
	cp "$kit/modules/$name.ko" "$root/modules/$i-$name.ko"
	i=$((i + 1))
done
cp "$out/module/shoeboard_bench.ko" "$root/modules/$i-shoeboard_bench.ko"
(cd "$root" && find . | cpio -o -H newc --quiet | gzip -1 >"$out/initrd.gz")

sockets=$(mktemp -d)
trap 'rm -rf "$sockets"' EXIT

# boot NAME ARGUMENT...: runs the tests that the arguments name in a guest; the console
# is out/NAME.log.
#
# One processor of 250 million instructions a second whose clock counts them, and goes
# on at once while there are none: a busy host makes the guest slow, but not late, and
# an idle minute of the guest takes no minute. GUEST_CLOCK= has it run on the host's
# clock. Of the three serial ports one is the console, one the monitor's other end, and
# one the far end of the USB serial adapter's line. Sockets are relative to a folder of
# short name, for the kernel allows 107 bytes.
boot() {
	name=$1
	shift
	mkdir "$sockets/$name"
	start=$(date +%s)
	(cd "$sockets/$name" && exec timeout "${GUEST_WAIT:-600}" qemu-system-x86_64 -accel tcg -machine pc,i8042=off -cpu max -m 512 ${GUEST_CLOCK--icount shift=2,sleep=off} \
		-nodefaults -display none -no-reboot \
		-kernel "$kit/vmlinuz" -initrd "$out/initrd.gz" \
		-append "console=ttyS0 quiet loglevel=4 oops=panic panic=-1 mitigations=off -- -test.v -test.timeout=60m $*" \
		-serial stdio \
		-chardev "socket,id=monitor,path=monitor,server=on,wait=off" -mon chardev=monitor,mode=control \
		-chardev "socket,id=guest,path=monitor" -serial chardev:guest \
		-chardev "socket,id=far,path=line,server=on,wait=off" -serial chardev:far \
		-device qemu-xhci,id=xhci </dev/null 2>&1) | stdbuf -oL tr -d '\r' | tee "$out/../$name.log" | {
		if [ -z "${GUEST_QUIET:-}" ]; then sed -u "s/^/$name: /"; else cat >/dev/null; fi
	}
	took=$(($(date +%s) - start))
	if grep -q '^guest: ok$' "$out/../$name.log"; then
		echo "$name ended well after $took s; its console is out/$name.log" >&2
		return
	fi
	[ -z "${GUEST_QUIET:-}" ] || tail -n 50 "$out/../$name.log" >&2
	echo "$name did not end well after $took s; its console is out/$name.log" >&2
	return 1
}

echo "Booting" >&2
if [ $# -gt 0 ]; then
	boot guest "$@"
	exit
fi
half='^Test(Idle|MatrixOnA)'
boot guest-1 "-test.run=$half" &
first=$!
failed=
boot guest-2 "-test.skip=$half" || failed=2
wait "$first" || failed=1
[ -z "$failed" ]
