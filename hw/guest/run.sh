#!/bin/sh
# Boots a stock Debian kernel in QEMU whose init is the test program of this folder.
#
#   hw/guest/run.sh [-test.run REGEXP ...]    out/guest.log is the console
#
# Kernel and headers are fetched by apt and unpacked under out/guest, never installed;
# the newest one of this Debian is taken. Emulated in software (no KVM is needed).
# GUEST_WAIT is how many seconds it may take.
set -eu
cd "$(dirname "$0")/../.."
module=$PWD/hw/guest/module
out=$PWD/out/guest
mkdir -p "$out"

# drivers are the modules that the guest needs, in the order in which they load.
drivers='evdev uinput i2c-dev usb-common usbcore xhci-hcd xhci-pci hid usbhid hid-generic usbserial ftdi_sio'

# depends PACKAGE PATTERN: the package that a metapackage stands for.
depends() { apt-cache depends "$1" | sed -n "s/^ *Depends: *\($2\)$/\1/p" | head -n 1; }

image=$(depends linux-image-amd64 'linux-image-.*')
if [ -z "$image" ]; then
	echo "apt knows no kernel (linux-image-amd64); on Debian for amd64: apt-get update" >&2
	exit 1
fi
release=${image#linux-image-}
series=$(echo "$release" | sed 's/^\([0-9]*\.[0-9]*\).*/\1/')
kit=$out/$release

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
	unpack "linux-headers-$release" "linux-headers-${release%-amd64}-common" "linux-kbuild-$series"
	mv "$kit.part" "$kit"
fi

echo "Building the bench and the test program" >&2
headers=$kit/usr/src/linux-headers-$release
echo "include $kit/usr/src/linux-headers-${release%-amd64}-common/Makefile" >"$headers/Makefile"
rm -rf "$out/module"
cp -r "$module" "$out/module"
make -s -C "$headers" M="$out/module" CC=gcc modules >"$out/module.log" 2>&1 || {
	cat "$out/module.log" >&2
	exit 1
}
go vet -tags guest ./hw/guest
CGO_ENABLED=0 go test -c -tags guest -o "$out/init" ./hw/guest

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

# One processor of 250 million instructions a second whose clock counts them, and goes
# on at once while there are none: a busy host makes the guest slow, but not late, and
# an idle minute of the guest takes no minute. GUEST_CLOCK= has it run on the host's
# clock. Of the three serial ports one is the console, one the monitor's other end, and
# one the far end of the USB serial adapter's line. Sockets are relative to a folder of
# short name, for the kernel allows 107 bytes.
sockets=$(mktemp -d)
trap 'rm -rf "$sockets"' EXIT
echo "Booting" >&2
start=$(date +%s)
(cd "$sockets" && exec timeout "${GUEST_WAIT:-600}" qemu-system-x86_64 -accel tcg -machine pc,i8042=off -cpu max -m 512 ${GUEST_CLOCK--icount shift=2,sleep=off} \
	-nodefaults -display none -no-reboot \
	-kernel "$kit/vmlinuz" -initrd "$out/initrd.gz" \
	-append "console=ttyS0 quiet loglevel=4 oops=panic panic=-1 mitigations=off -- -test.v -test.timeout=60m $*" \
	-serial stdio \
	-chardev "socket,id=monitor,path=monitor,server=on,wait=off" -mon chardev=monitor,mode=control \
	-chardev "socket,id=guest,path=monitor" -serial chardev:guest \
	-chardev "socket,id=far,path=line,server=on,wait=off" -serial chardev:far \
	-device qemu-xhci,id=xhci </dev/null 2>&1) | tr -d '\r' | tee "$out.log" | { [ -z "${GUEST_QUIET:-}" ] && cat || cat >/dev/null; }
echo "The guest ran for $(($(date +%s) - start)) s; its console is in $out.log" >&2
grep -q '^guest: ok$' "$out.log" || {
	echo "The guest did not end well" >&2
	exit 1
}
