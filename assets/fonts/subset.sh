#!/bin/sh
# Writes the fonts that the program embeds: Debian's Inter and Noto Sans CJK,
# cut down to the characters that a board can show.
#
#   assets/fonts/subset.sh [CATALOGUE-FOLDER ...]
#
# Needs the Debian packages fonts-inter, fonts-noto-cjk, fonts-noto-cjk-extra
# and python3-fonttools. Every character of every file in the folders named is
# added to what is always there: Latin, Vietnamese, Big5 level 1, GB2312 level
# 1, and the Hangul and signs of KS X 1001.
set -eu
here=$(cd "$(dirname "$0")" && pwd)

missing=
for package in fonts-inter fonts-noto-cjk fonts-noto-cjk-extra python3-fonttools; do
	dpkg -s "$package" >/dev/null 2>&1 || missing="$missing $package"
done
if [ -n "$missing" ]; then
	echo "subset.sh: first run: apt-get install$missing" >&2
	exit 1
fi
# Debian's own Python: another one on the PATH does not see the package.
exec /usr/bin/python3 "$here/subset.py" "$here" "$@"
