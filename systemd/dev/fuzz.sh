#!/bin/sh
# Runs every fuzz target for a while, one after the other.
#
#   systemd/dev/fuzz.sh TIME        such as 10s
#
# Before Go 1.27 the end of the time is now and then called a failure of the target,
# "context deadline exceeded", with no input that failed (go.dev/issue/75804). Such a
# run has judged nothing, and is made again.
set -eu
log=$(mktemp)
trap 'rm -f "$log"' EXIT

# fuzz runs the target $2 of the folder $1 for $3.
fuzz() {
	{ go test -run '^$' -fuzz "^$2\$" -fuzztime "$3" -fuzzminimizetime 1s "./$1" </dev/null 2>&1 && echo "== passed"; } | tee "$log"
	grep -qx '== passed' "$log"
}

# lapsed says whether the run ended with its time and with no other failure.
lapsed() {
	grep -qx '    context deadline exceeded' "$log" && [ "$(grep -c -e '--- FAIL' -e 'Failing input' -e 'panic: ' "$log")" = 1 ]
}

grep -rn --include='*_test.go' '^func Fuzz' . | sed 's|^\./\(.*\)/[^/]*:[0-9]*:func \(Fuzz[A-Za-z0-9_]*\).*|\1 \2|' | sort |
	while read -r folder target; do
		echo "== $folder $target"
		for left in 2 1 0; do
			! fuzz "$folder" "$target" "$1" || break
			if [ "$left" -eq 0 ] || ! lapsed; then exit 1; fi
			echo "== only its time was up: again"
		done
	done
