#!/bin/bash
# Makes the golden data folder of a version: a day at a table by real presses, with the
# backup, the mirror on a stick, the boards that were shown and what that version exports.
# See README.md. Run as root:
#   unshare --mount --propagation private ./day.sh /path/to/shoeboard EMPTY-FOLDER
set -eu
prog=$(realpath "$1") out=$(realpath "$2")
work=/tmp/golden
rm -rf "$work"
mkdir "$work"
data=$work/data socket=$work/core.sock boards=$out/boards.jsonl
echo golden-unit >"$work/id"
mount --bind "$work/id" /etc/machine-id
mkdir -p /run/shoeboard-stick
mount -t tmpfs stick /run/shoeboard-stick
cd "$work"
trap 'kill -9 "$pid" 2>/dev/null || true' EXIT
: >"$boards"

venue() { # game, entry, further lines
	cat >venue.toml <<-END
		venue = "Golden"
		game = "$1"
		entry = "$2"
		data = "$data"
		socket = "$socket"
		bet_seconds = 5
		reopen_seconds = 3
		$3
	END
}
core() {
	"$prog" run --config venue.toml --table 14 --socket-keys >>core.log 2>&1 &
	pid=$!
	for _ in $(seq 100); do
		if board >/dev/null; then return; fi
		sleep 0.1
	done
	cat core.log
	exit 1
}
board() { curl -sf --unix-socket "$socket" http://unit/v1/board; }
key() {
	"$prog" press --socket "$socket" "$@"
	sleep 0.2
	board >>"$boards"
	echo >>"$boards"
}
reload() { kill -HUP $pid; sleep 1.5; }
stop() { kill "$pid"; wait "$pid" || true; }
cut_power() { kill -9 "$pid"; wait "$pid" || true; }

# The first shoe: EZ Baccarat, results keyed, bets timed.
venue ez-baccarat-panda-8 results 'min_hand = 0'
core
key NEW_SHOE:2.2 OK                   # opens the table
key BETS; sleep 1.6
key BETS; key BANKER OK               # closed by the key
sleep 1.6; key BETS; sleep 5.5        # closed by the time
key BETS; sleep 1.6                   # opened again
key PLAYER OK
key dragon-7 OK
key panda-8 OK
key TIE OK
key BANKER_NATURAL OK
key BANKER_NATURAL BANKER_NATURAL OK  # 9 over 8
key PLAYER_NATURAL OK
key BOTH_NATURAL OK
key FREE; key PLAYER OK               # a free hand
key FREE; key FREE; key BANKER OK     # by mistake, taken off
key VOID:1.2; key OK                  # misdeal
key VOID:1.2 VOID:1.2; key OK         # exposed card
key FIX:1.2 PLAYER; key OK            # fixed
key BANKER OK
key FIX:1.2 VOID:1.2; key OK          # removed
sleep 1.6; key BETS; key PAUSE:1.2    # paused with the bets open
key BETS; key BETS                    # goes on
key TIE OK
key REVIEW:1.2; key BANKER OK; key REVIEW:1.2

# Kill the power with a proposal on the echo, come back, save it.
key PLAYER
cut_power; core
key OK
"$prog" acknowledge --socket "$socket" keypad-missing

# A configuration that is refused: a fault that comes, is acknowledged, and ends.
echo nonsense >>venue.toml
reload
"$prog" acknowledge --socket "$socket" config
key BETS; sleep 1.6; key BETS

# Settings: bets close, a limit, a fee; two hands within min_hand; then the cut card.
venue ez-baccarat-panda-8 results 'bets = "close"
auto_open = 5
min_hand = 10
collection = "standard"
[collections.standard]
rates = [{ from = 40, fee = 1 }, { bets = ["dragon-7"], fee = 0.50 }]
[[limit]]
bets = ["player", "banker"]
min = 40
max = 12_000
[roads]
tail = "stay"
ask_marks = true'
reload
sleep 6
key BANKER OK
key PLAYER; key OK; key OK            # the same hand: replaced
sleep 11
key CUT; key CUT; key CUT
key CUT
key BANKER OK
sleep 11
key PLAYER OK
sleep 11
key TIE OK
key OK                                # the new shoe, hand 1 of it

# A new shoe by mistake, taken back; then a new one that stays.
key NEW_SHOE:2.2 OK
key FIX:1.2 OK || true
key NEW_SHOE:2.2 OK

# The second game, which waits for the next shoe: Dai Bacc, bets off.
venue dai-bacc results 'bets = "off"
min_hand = 0'
stop; core
key BETS
key BANKER OK
key NEW_SHOE:2.2 OK
key kill TIE OK
key tiger-7 kill OK
key ox-6 OK
key BANKER OK
key PLAYER OK
key FIX:1.2 kill OK
key TIE OK
key NEW_SHOE:2.2 OK
key BETS

# The third: totals.
venue dai-bacc totals 'bets = "off"
min_hand = 0
[[keypad]]
name = "pad"
layout = "numpad-17"'
stop; core
key 6 7 OK
key 6 PL_DEALER 7 PL_DEALER OK
key 9 9 OK
key 0 PL_DEALER 0 PL_DEALER OK
key FIX:1.2 5 PL_DEALER 7 OK

# Close the table, open it, leave a shoe in play with an entry pending.
venue ez-baccarat-panda-8 results 'min_hand = 0'
stop; core
key NEW_SHOE:2.2 OK
key NEW_SHOE:2.2 OK                   # closes
key NEW_SHOE:2.2 OK                   # opens
key PLAYER OK; key BANKER OK; key dragon-7 OK; key TIE OK; key FREE; key BANKER_NATURAL OK
key CUT
sleep 65                              # the stick's minute
key PLAYER
cut_power
tar -C /run/shoeboard-stick -czf "$out/stick.tar.gz" shoeboard
"$prog" backup --config venue.toml "$out/backup.tar.gz"
"$prog" export --config venue.toml >"$out/hands.csv"
"$prog" export --config venue.toml --record | cmp - "$out/hands.csv"
"$prog" export --config venue.toml --format json >"$out/hands.json"
"$prog" export --config venue.toml --report unknown >"$out/report.txt"
"$prog" verify --config venue.toml | grep ' record ' >"$out/head.txt"
tar -C "$data" -czf "$out/data.tar.gz" .
gzip -9n "$boards"
