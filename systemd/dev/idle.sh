#!/bin/sh
# Shows what an idle table costs: core and screen as on a unit, then the demo in
# one process, each left alone under a virtual display with a closed table.
#
#   systemd/dev/idle.sh [SECONDS]    300 is what the goals are for
#
# Goals: at most 5 frames drawn in five minutes (the clock's minutes), the screen
# under 1 % of a core, the demo under 4 %. It fails when one is missed.
set -eu
seconds=${1:-300}
settle=10 # for the window to open and the first pictures
dev=$(dirname "$0")
if [ -z "${IDLE_DISPLAY:-}" ]; then
	IDLE_DISPLAY=yes exec "$dev/xvfb.sh" "$0" "$seconds"
fi

tmp=$(mktemp -d)
pids=
leave() {
	for pid in $pids; do kill "$pid" 2>/dev/null || true; done
	wait
	rm -rf "$tmp"
}
trap leave EXIT

# ticks PID: processor time so far, in hundredths of a second.
ticks() { sed 's/.*) //' "/proc/$1/stat" | awk '{ print $12 + $13 }'; }
# frames LOG: the frames that a window that has closed says it drew.
frames() { sed -n 's/.*frames=\([0-9]*\).*/\1/p' "$1" | tail -n 1; }
# stop PID: ends it and waits.
stop() { kill "$1" && wait "$1" || true; }

# measure NAME PERCENT COMMAND...: runs a window twice, for settle seconds and for
# seconds more; the second one's frames over the first one's were drawn while idle.
failed=
measure() {
	name=$1 most=$2
	shift 2
	"$@" 2>"$tmp/short" & pid=$!
	pids="$pids $pid"
	sleep "$settle"
	stop "$pid"
	"$@" 2>"$tmp/long" & pid=$!
	pids="$pids $pid"
	sleep "$settle"
	before=$(ticks "$pid")
	sleep "$seconds"
	after=$(ticks "$pid")
	stop "$pid"
	first=$(frames "$tmp/short") all=$(frames "$tmp/long")
	if [ "${first:-0}" -lt 1 ] || [ "${all:-0}" -lt 1 ]; then
		echo "$name: the window did not draw:" >&2
		cat "$tmp/short" "$tmp/long" >&2
		exit 1
	fi
	drawn=$((all - first))
	percent=$(echo "$before $after $seconds $(getconf CLK_TCK)" | awk '{ printf "%.2f", 100 * ($2 - $1) / $4 / $3 }')
	verdict=ok
	if [ "$drawn" -gt 5 ] || ! echo "$percent $most" | awk '{ exit !($1 < $2) }'; then
		verdict=MISSED failed=yes
	fi
	echo "$name: $drawn frames in $seconds s, $percent % of a core (goals: 5 frames, under $most %): $verdict"
}

bin/shoeboard run --table 1 --data "$tmp/data" --socket "$tmp/socket" 2>"$tmp/core" & core=$!
pids="$core"
sleep 1
measure screen 1 bin/shoeboard screen --socket "$tmp/socket"
stop "$core"
measure demo 4 bin/shoeboard demo
[ -z "$failed" ]
