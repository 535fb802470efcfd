#!/bin/sh
# Installs what is missing for a purpose, through apt and, when not root, sudo.
#
#   systemd/dev/need.sh PURPOSE...     net window xvfb test guest fonts fresh
#
# What is there already, however it came, is left alone. Without apt it says
# what is missing and by which names Debian knows it.
set -eu

# so NAME PACKAGE: a library that the program opens when it runs.
so() { libraries | grep -q "[[:space:]/]$1" || miss "$1" "$2"; }
# bin NAME PACKAGE: a program.
bin() { command -v "$1" >/dev/null 2>&1 || [ -x "/usr/sbin/$1" ] || miss "$1" "$2"; }
# file PATTERN PACKAGE: a file.
file() { ls $1 >/dev/null 2>&1 || miss "$1" "$2"; }

libraries() {
	PATH="$PATH:/sbin:/usr/sbin" ldconfig -p 2>/dev/null || ls /lib /usr/lib /lib64 /usr/lib64 2>/dev/null | sed 's|^|/|'
}
names= packages=
miss() { names="$names $1" packages="$packages $2"; }

for purpose; do
	case $purpose in
	net) # the Go command fetches modules over https
		file /etc/ssl/certs/ca-certificates.crt ca-certificates ;;
	window) # what ebiten opens for a window under X: GLES first, then GL
		so libX11.so.6 libx11-6
		so libXrandr.so.2 libxrandr2
		so libXi.so.6 libxi6
		so libXcursor.so.1 libxcursor1
		so libXinerama.so.1 libxinerama1
		so libXrender.so.1 libxrender1
		so libXext.so.6 libxext6
		so libGLESv2.so.2 libgles2
		so libEGL.so.1 libegl1
		so libGL.so.1 libgl1
		file '/usr/lib/*/dri/*_dri.so' libgl1-mesa-dri ;;
	xvfb) # a display where there is none
		bin Xvfb xvfb ;;
	test) # keys and monitors for the tests of the window; C for the race detector
		bin xdotool xdotool
		bin xrandr x11-xserver-utils
		bin gcc gcc
		file '/usr/include/*/sys/types.h' libc6-dev ;;
	guest) # a virtual machine, and what builds its kernel module and its disk
		bin qemu-system-x86_64 qemu-system-x86
		file /usr/share/seabios/bios-256k.bin seabios
		bin gcc gcc
		bin make make
		bin cpio cpio
		bin xz xz-utils
		so libelf.so.1 libelf1 ;;
	fonts)
		file '/usr/share/fonts/opentype/inter/Inter-Bold.otf' fonts-inter
		file '/usr/share/fonts/opentype/noto/NotoSansCJK-Bold.ttc' fonts-noto-cjk
		file '/usr/share/fonts/opentype/noto/NotoSansCJK-Medium.ttc' fonts-noto-cjk-extra
		file '/usr/lib/python3/dist-packages/fontTools' python3-fonttools ;;
	fresh)
		bin mmdebstrap mmdebstrap ;;
	*)
		echo "need.sh: no such purpose: $purpose" >&2
		exit 2 ;;
	esac
done
[ -n "$packages" ] || exit 0

if ! command -v apt-get >/dev/null 2>&1; then
	echo "This system has no apt. Please install, by whatever names it has them here:$names" >&2
	echo "(On Debian they are in the packages$packages.)" >&2
	exit 1
fi
sudo=
if [ "$(id -u)" != 0 ]; then
	if ! command -v sudo >/dev/null 2>&1; then
		echo "Missing:$names. There is no sudo here; as root, run: apt-get install$packages" >&2
		exit 1
	fi
	sudo=sudo
fi
echo "Installing what is missing:$packages" >&2
log=$(mktemp)
trap 'rm -f "$log"' EXIT
apt() { $sudo env DEBIAN_FRONTEND=noninteractive apt-get -q "$@" </dev/null >"$log" 2>&1; }
# Old lists name files that are gone; a fresh system has no lists.
if ! apt update || ! apt install -y --no-install-recommends $packages; then
	cat "$log" >&2
	echo "This could not be installed. With the network working, try again, or: apt-get install$packages" >&2
	exit 1
fi
