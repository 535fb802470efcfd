#!/bin/sh
# Shows the program to somebody who has just cloned it: in a window, or where
# there is no display, on a virtual one, as text and as a picture.
set -eu
dev=$(dirname "$0")
if [ -n "${DISPLAY:-}" ]; then
	"$dev/need.sh" window
	exec bin/shoeboard demo --auto
fi
"$dev/need.sh" window xvfb
mkdir -p out
echo "There is no display here; a shoe is played on a virtual one, about a minute." >&2
"$dev/xvfb.sh" bin/shoeboard demo --auto --shoes 1 --speed 60 --print --png out/board.png
echo "The board as a picture is in $(pwd)/out/board.png" >&2
