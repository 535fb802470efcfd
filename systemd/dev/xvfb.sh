#!/bin/sh
# Runs a command on a virtual display of its own and ends with its exit code.
#
#   systemd/dev/xvfb.sh [-s WIDTHxHEIGHT] COMMAND...
set -eu
size=1920x1080
if [ "$1" = -s ]; then
	size=$2
	shift 2
fi
tmp=$(mktemp -d)
Xvfb -displayfd 3 -screen 0 "${size}x24" -nolisten tcp -noreset 3>"$tmp/display" 2>"$tmp/log" &
xvfb=$!
trap 'kill $xvfb 2>/dev/null || true; rm -rf "$tmp"' EXIT
for _ in $(seq 100); do
	[ -s "$tmp/display" ] && break
	sleep 0.1
done
if ! [ -s "$tmp/display" ]; then
	echo "xvfb.sh: the virtual display did not start:" >&2
	cat "$tmp/log" >&2
	exit 1
fi
DISPLAY=":$(cat "$tmp/display")" "$@"
