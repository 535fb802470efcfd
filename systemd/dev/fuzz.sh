#!/bin/sh
# Runs every fuzz target for a while, one after the other.
#
#   systemd/dev/fuzz.sh TIME        such as 10s
set -eu
grep -rn --include='*_test.go' '^func Fuzz' . | sed 's|^\./\(.*\)/[^/]*:[0-9]*:func \(Fuzz[A-Za-z0-9_]*\).*|\1 \2|' | sort |
	while read -r folder target; do
		echo "== $folder $target"
		go test -run '^$' -fuzz "^$target\$" -fuzztime "$1" -fuzzminimizetime 1s "./$folder" </dev/null
	done
