#!/bin/sh
# The life of a unit, step by step, in a container that test-unit.sh has booted. Each
# step says what it saw; the first that is not as it should be ends the test.
set -eu
export DEBIAN_FRONTEND=noninteractive

step() { echo "== $*"; }
fail() {
	echo "FAILED: $*"
	journalctl -b -u shoeboard --no-pager | tail -n 40
	systemctl status shoeboard --no-pager || true
	exit 1
}
# is WANT GOT WHAT
is() { [ "$1" = "$2" ] || fail "$3: \"$2\", expected \"$1\""; echo "$3: $2"; }
has() { case $2 in *"$1"*) ;; *) fail "\"$1\" is missing in: $2" ;; esac; }

# doctor CODE GROUP:NAME:VERDICT...: asks the doctor, and wants this exit code and
# these verdicts.
doctor() {
	code=0
	want=$1
	shift
	shoeboard doctor --json >/root/doctor.json 2>/root/doctor.err || code=$?
	is "$want" "$code" "doctor's exit code"
	for line; do
		name=${line%:*} verdict=${line##*:}
		group=${name%%:*} name=${name#*:}
		got=$(tr -d '\n' </root/doctor.json | sed 's/},/}\n/g' | sed -n "s/.*\"group\": \"$group\", *\"name\": \"$name\", *\"verdict\": \"\([^\"]*\)\".*/\1/p")
		is "$verdict" "$got" "doctor on $group, $name"
	done
}
# board waits until the core answers with a table; before the first record of a first
# start is on the disk it has none.
board() {
	for _ in $(seq 40); do
		if shoeboard status --json >/root/status.json 2>/dev/null && grep -q '"table": "..*"' /root/status.json; then
			cat /root/status.json
			return
		fi
		sleep 0.5
	done
	fail "the core does not answer"
}
field() { board | sed -n "s/^  \"$1\": \"\{0,1\}\([^\",]*\)\"\{0,1\},\{0,1\}$/\1/p"; }
hands() { field hands; }
# hand KEYS...: a hand of the dealer's, and its acknowledgement.
hand() {
	before=$(hands)
	shoeboard press "$@" OK
	is $((before + 1)) "$(hands)" "hands after $*"
}

version() { dpkg-query --show --showformat='${Version}' shoeboard; }
arch=$(dpkg --print-architecture)
deb() { echo "/root/shoeboard_$1_$arch.deb"; }
# whole WHAT: after whatever was done, nothing of the record is lost and the core runs.
whole() {
	is active "$(systemctl is-active shoeboard)" "core after $1"
	is 9 "$(shoeboard export | wc -l)" "lines of the export after $1"
	doctor 1 core:running:ok record:chain:ok program:files:ok
	[ ! -e /var/lib/shoeboard-update/step.json ] || fail "a step of an update is left after $1"
	is "" "$(find /var/lib/shoeboard ! -user shoeboard)" "what is not the core's in its folder after $1"
}
# refused COMMAND...: it must fail, and the version stay.
refused() {
	before=$(version)
	if "$@" >/root/refused.log 2>&1; then fail "was taken: $*"; fi
	tail -n 1 /root/refused.log
	is "$before" "$(version)" "version after a refusal"
}
# as_core KIND...: requests of root as the core's user does for the technician's menu.
as_core() { setpriv --reuid shoeboard --regid shoeboard --clear-groups shoeboard helper request "$@"; }

if [ -e /root/boots ]; then
	rm /root/boots
	step "the power comes back after a cut in the middle of an update"
	for _ in $(seq 90); do
		[ -e /var/lib/shoeboard-update/step.json ] || break
		sleep 1
	done
	is 2.3 "$(version)" "version after the boot"
	board >/dev/null
	whole "an interrupted update"

	step "the card in another unit"
	old=$(cat /etc/machine-id)
	dbus-uuidgen >/etc/machine-id
	systemctl restart shoeboard || true
	sleep 2
	has "table 14" "$(shoeboard watch --once; shoeboard status --line 2>&1 || true; shoeboard takeover 2>&1 || true)"
	if shoeboard takeover; then fail "a look took the table over"; fi
	shoeboard takeover --yes
	systemctl restart shoeboard
	board >/dev/null
	is 14 "$(field table)" "table"
	whole "a take-over from the card"

	step "a stick in a spare unit"
	systemctl stop shoeboard
	mv /var/lib/shoeboard /root/dead
	echo "$old" >/etc/machine-id
	systemd-tmpfiles --create shoeboard.conf
	shoeboard takeover --from /root/stick --yes
	systemctl start shoeboard
	board >/dev/null
	is 14 "$(field table)" "table"
	whole "a take-over from a stick"

	step "purge says what it deletes"
	apt-get purge -y shoeboard | tee /root/purge.log
	has "deleting /var/lib/shoeboard" "$(cat /root/purge.log)"
	[ ! -e /var/lib/shoeboard ] || fail "the data folder is still there"
	[ ! -e /var/lib/shoeboard-update ] || fail "the folder of updates is still there"
	[ ! -e /etc/shoeboard ] || fail "the configuration folder is still there"
	[ -z "$(ls /etc/systemd/system/multi-user.target.wants | grep shoeboard || true)" ] || fail "a service is still enabled"
	echo "A unit's life, from its first day to its last: as it should be."
	exit
fi

step "install the package"
apt-get install -y --no-install-recommends /root/old.deb
is enabled "$(systemctl is-enabled shoeboard.service)" "core"
is enabled "$(systemctl is-enabled shoeboard-screen.service)" "screen"
is inactive "$(systemctl is-active shoeboard.service || true)" "core before there is a configuration"
is masked "$(systemctl is-enabled ctrl-alt-del.target || true)" "Ctrl-Alt-Del"
if udevadm verify --help >/dev/null 2>&1; then # since systemd 254
	udevadm verify /usr/lib/udev/rules.d/*shoeboard*.rules || fail "udev does not take the rules"
fi
is shoeboard "$(stat -c %U /var/lib/shoeboard)" "owner of the data folder"
doctor 1 configuration:file:warning configuration:table:warning core:running:fault record:chain:n/a program:files:ok

step "set it up"
shoeboard config init --out /etc/shoeboard/shoeboard.toml
sed -i 's/^venue = ""/venue = "Test House"/; s/^min_hand = 12/min_hand = 0/; s/^bet_seconds = 20/bet_seconds = 120/' /etc/shoeboard/shoeboard.toml
shoeboard config check
shoeboard config table 14
# keys come through the socket here: a container has no keypad
mkdir -p /etc/systemd/system/shoeboard.service.d
printf '[Service]\nExecStart=\nExecStart=/usr/bin/shoeboard run --socket-keys\n' >/etc/systemd/system/shoeboard.service.d/test.conf
systemctl daemon-reload
systemctl start shoeboard
is active "$(systemctl is-active shoeboard)" "core"
is 14 "$(field table)" "table"
has "table 14" "$(systemctl show -p StatusText shoeboard)"
echo "$(systemctl show -p StatusText --value shoeboard)"
doctor 1 configuration:file:ok configuration:table:ok core:running:ok core:version:ok record:chain:ok faults:keypad-missing:fault "devices:keypad pad:fault" permissions:data\ folder:ok program:files:ok

step "key a shoe"
shoeboard press NEW_SHOE:2.2 OK
shoeboard press BETS
hand BANKER
hand PLAYER
hand TIE
hand panda-8
hand dragon-7
hand BANKER_NATURAL

step "restart, kill, watchdog"
systemctl restart shoeboard
is 6 "$(hands)" "hands after a restart"
pid=$(systemctl show -p MainPID --value shoeboard)
kill -KILL "$pid"
sleep 3
is active "$(systemctl is-active shoeboard)" "core after SIGKILL"
is 6 "$(hands)" "hands after SIGKILL"
pid=$(systemctl show -p MainPID --value shoeboard)
kill -STOP "$pid"
sleep 16
is active "$(systemctl is-active shoeboard)" "core after it stood still"
[ "$pid" != "$(systemctl show -p MainPID --value shoeboard)" ] || fail "the watchdog did nothing"
is 6 "$(hands)" "hands after the watchdog"
hand PLAYER

step "the screen in its sandbox, on a virtual display"
mkdir -p /etc/systemd/system/shoeboard-screen.service.d
cat >/etc/systemd/system/shoeboard-screen.service.d/test.conf <<UNIT
[Unit]
ConditionPathExists=
[Service]
TTYPath=
StandardInput=null
Environment=XSERVER=/usr/bin/Xvfb
ExecStart=
ExecStart=/usr/bin/xinit /usr/bin/shoeboard screen -- /usr/lib/shoeboard/xserver :0 -screen 0 1280x720x24 -noreset -nolisten tcp -nolisten local
UNIT
systemctl daemon-reload
timeout 60 systemctl start shoeboard-screen || fail "the screen does not start: $(journalctl -b -u shoeboard-screen --no-pager | tail -n 20)"
is "the board is on the screen" "$(systemctl show -p StatusText --value shoeboard-screen)" "screen"
for dir in /proc/[0-9]*; do
	[ "$(cat "$dir/comm" 2>/dev/null)" != Xvfb ] || kill -STOP "${dir#/proc/}"
done
sleep 30
is 1 "$(systemctl show -p NRestarts --value shoeboard-screen)" "restarts after the X server stood still"
is active "$(systemctl is-active shoeboard-screen)" "screen"
for _ in $(seq 20); do
	shoeboard identify 1 && break
	sleep 1
done
doctor 1 display:screen:ok
systemctl stop shoeboard-screen
is inactive "$(systemctl is-active shoeboard-screen || true)" "screen after a stop"
sleep 40
has "no-screen" "$(shoeboard status --line)"
if shoeboard identify 1; then fail "a number flashes that nobody sees"; fi
doctor 1 faults:no-screen:fault display:screen:fault

step "a spoilt configuration changes nothing"
cp /etc/shoeboard/shoeboard.toml /root/good.toml
echo 'bet_secnds = 3' | cat - /root/good.toml >/etc/shoeboard/shoeboard.toml
if shoeboard config reload; then fail "a spoilt file was taken"; fi
doctor 1 configuration:file:fault core:running:ok
systemctl restart shoeboard
is 7 "$(hands)" "hands with a spoilt file"
has "Test House" "$(shoeboard config show --effective)"
has "Test House" "$(shoeboard watch --once | head -n 3)"
cp /root/good.toml /etc/shoeboard/shoeboard.toml
systemctl reload shoeboard
doctor 1 configuration:file:ok

step "back up, export, verify"
shoeboard backup /root/table14.tar.gz
is 8 "$(shoeboard export | wc -l)" "lines of the export, with its head"
shoeboard verify

step "upgrade"
before=$(field seq)
# as the helper of earlier versions noted that a person has set the clock
[ ! -d /run/shoeboard-ask ] || touch /run/shoeboard-ask/clock-set
apt-get install -y --no-install-recommends /root/new.deb
is active "$(systemctl is-active shoeboard)" "core"
is 7 "$(hands)" "hands after the upgrade"
[ "$(field seq)" -ge "$before" ] || fail "the record is shorter than before"
cmp /root/good.toml /etc/shoeboard/shoeboard.toml || fail "the configuration is not what it was"
doctor 1 configuration:file:ok core:running:ok core:version:ok record:chain:ok program:files:ok
is active "$(systemctl is-active shoeboard-helper.socket)" "helper's socket after the upgrade"
as_core addresses
is inactive "$(systemctl is-active shoeboard-asked.path || true)" "helper of earlier versions"
[ ! -e /run/shoeboard-ask ] || fail "the files through which earlier versions asked are left"
hand BANKER

step "no endless loop of failed starts ends in failure"
chmod 000 /var/lib/shoeboard/journal
systemctl restart shoeboard || true
sleep 12
case $(systemctl is-active shoeboard || true) in active | activating) ;; *) fail "the core was given up" ;; esac
has "no-start" "$(shoeboard status --line 2>&1 || true; shoeboard doctor || true)"
chmod 750 /var/lib/shoeboard/journal
systemctl restart shoeboard
is 8 "$(hands)" "hands after all that"

step "remove"
apt-get remove -y shoeboard
[ -z "$(systemctl show -p MainPID --value shoeboard | grep -v '^0$' || true)" ] || fail "the core still runs"
ls /var/lib/shoeboard/journal/*.jrn >/dev/null || fail "the record is gone"
cmp /root/good.toml /etc/shoeboard/shoeboard.toml || fail "the configuration is gone"

step "install again: everything is there"
apt-get install -y --no-install-recommends /root/new.deb
for unit in shoeboard shoeboard-screen shoeboard-update; do
	is enabled "$(systemctl is-enabled $unit.service)" "$unit after removal and installation"
done
systemctl start shoeboard
is 8 "$(hands)" "hands after removal and installation"
doctor 1 core:running:ok record:chain:ok program:files:ok

step "updates that are refused"
refused shoeboard update "$(deb 2.0)"
has "a shoe is in play" "$(cat /root/refused.log)"
shoeboard press NEW_SHOE:2.2 OK
refused shoeboard update "$(deb 2.1)"
has "is not signed by" "$(cat /root/refused.log)"
refused shoeboard update "$(deb 0.0.9)"
has "not newer" "$(cat /root/refused.log)"
whole "refusals"

step "the first update of a package that was installed by hand"
shoeboard update "$(deb 2.0)"
is 2.0 "$(version)" "version"
whole "an update"
is 2.0 "$(dpkg-deb --show --showformat='${Version}' /var/lib/shoeboard-update/current.deb)" "the way back"

step "a step that the card has spoilt"
echo '{"From":' >/var/lib/shoeboard-update/step.json
shoeboard update resume
ls /var/lib/shoeboard-update/step.json.damaged-*
is 2.0 "$(version)" "version"
whole "a spoilt step"

step "root does the core's work as the core"
ln -s /root/planted /var/lib/shoeboard/journal/lock.new
mv /var/lib/shoeboard/journal/lock /root/lock
mv /var/lib/shoeboard/journal/lock.new /var/lib/shoeboard/journal/lock
if shoeboard restore /root/table14.tar.gz --yes; then fail "restored beside a lock that leads elsewhere"; fi
[ ! -e /root/planted ] || fail "a link of the core's folder has led root to /root"
mv /root/lock /var/lib/shoeboard/journal/lock
if shoeboard run; then fail "root runs a core in the core's folder"; fi
systemctl restart shoeboard
board >/dev/null
whole "what root was kept from"

step "a version that does not start"
refused shoeboard update "$(deb 2.2)"
has "2.0 is back" "$(cat /root/refused.log)"
whole "a version that does not start"

step "what the keypad asks of root"
as_core addresses
if as_core update "../../root/x.deb"; then fail "a path was taken"; fi
if as_core set-time 1999-01-01T00:00:00Z; then fail "a year that cannot be was taken"; fi
# a container may not set the clock; that the question comes through is what is seen here
has "the clock cannot be set" "$(as_core set-time 2026-11-30T19:05:00Z 2>&1 || true)"
if setpriv --reuid shoeboard-screen --regid shoeboard-screen --groups shoeboard shoeboard helper request addresses; then fail "the screen's user was answered"; fi
is "" "$(systemctl list-units --all --plain --no-legend 'shoeboard-helper@*')" "helpers left"
is active "$(systemctl is-active shoeboard-helper.socket)" "helper's socket"
shoeboard press BETS
if as_core reboot; then fail "the unit was restarted in a shoe"; fi

step "a mount under the limits of the stick's unit"
mkdir -p /run/try-stick
sed -e '/^BindsTo=/d; /^After=dev/d' -e 's|^ExecStart=.*|ExecStart=/bin/mount -t tmpfs none /run/try-stick|' \
	-e 's|^ExecStopPost=.*|ExecStopPost=/bin/umount /run/try-stick|' \
	/usr/lib/systemd/system/shoeboard-stick@.service >/run/systemd/system/try-stick.service
systemctl daemon-reload
systemctl start try-stick
mountpoint -q /run/try-stick || fail "the others do not see what it mounts"
systemctl stop try-stick
if mountpoint -q /run/try-stick; then fail "it is still mounted"; fi
# The program itself runs under them, and finds that there is no such device.
sed -i 's|^ExecStart=.*|ExecStart=/usr/bin/shoeboard stick insert nosuch|; s|^ExecStopPost=.*||' /run/systemd/system/try-stick.service
systemctl daemon-reload
if systemctl start try-stick; then fail "a device that is not there is mounted"; fi
has "nosuch" "$(journalctl -b -u try-stick --no-pager)"
rm /run/systemd/system/try-stick.service
systemctl daemon-reload

step "staff"
is "700 shoeboard" "$(stat -c '%a %U' /var/lib/shoeboard-keys)" "folder of the keys"
echo 271828 | shoeboard staff set 07 technician
is "600 shoeboard" "$(stat -c '%a %U' /var/lib/shoeboard/staff.json)" "list of the staff"
is "600 shoeboard" "$(stat -c '%a %U' /var/lib/shoeboard-keys/unit.key)" "key of the unit"
grep -aq '"code":"staff-set","text":"07 technician","by":"uid ' /var/lib/shoeboard/journal/*.jrn || fail "the record does not say it"
doctor 1 permissions:staff:ok
shoeboard staff clear
doctor 1 permissions:staff:warning
has "helper: asked" "$(journalctl -b -t shoeboard --no-pager)"

step "a stick that is left in"
mkdir -p /root/stick
mount -t tmpfs -o "uid=$(id -u shoeboard),gid=$(id -g shoeboard)" stick /run/shoeboard-stick
for _ in $(seq 30); do
	ls /run/shoeboard-stick/shoeboard/*/manifest.json 2>/dev/null && break
	sleep 1
done
cat /run/shoeboard-stick/shoeboard/*/manifest.json
has '"table": "14"' "$(cat /run/shoeboard-stick/shoeboard/*/manifest.json)"
(cd /run/shoeboard-stick/shoeboard/*/journal/* && sha256sum --quiet -c SHA256SUMS)

step "an update from the stick, asked for at the keypad"
cp "$(deb 2.1)" "$(deb 2.1).sig" "$(deb 2.3)" "$(deb 2.3).sig" /run/shoeboard-stick/shoeboard/
if as_core update "shoeboard_2.3_$arch.deb"; then fail "taken in a shoe"; fi
shoeboard press NEW_SHOE:2.2 OK
if as_core update "shoeboard_2.1_$arch.deb"; then fail "a stranger's package was taken"; fi
as_core update "shoeboard_2.3_$arch.deb"
for _ in $(seq 90); do
	[ "$(version)" = 2.3 ] && [ ! -e /var/lib/shoeboard-update/step.json ] && break
	sleep 1
done
is 2.3 "$(version)" "version"
board >/dev/null
whole "an update from the stick"

step "the stick is pulled out, and keeps what it has"
cp -r /run/shoeboard-stick/shoeboard /root/stick/
umount -l /run/shoeboard-stick
systemctl restart shoeboard
whole "a stick that was pulled out"

step "the power is cut in the middle of an update"
shoeboard update "$(deb 2.4)" >/root/cut.log 2>&1 &
for _ in $(seq 60); do
	[ "$(version)" = 2.4 ] && break
	sleep 0.2
done
is 2.4 "$(version)" "version when the power is cut"
kill -KILL $!
touch /root/boots
sync
systemctl reboot --force --force
sleep 60
