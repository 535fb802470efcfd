#!/bin/sh
# Builds the package of one or more machines into dist.
#
#   systemd/deb/build.sh [ARCH...]    arm64 armhf amd64 (the default: all three)
#
# The version is that of deb/changelog; VERSION= gives another one, for trials.
# COMPRESSION=none is quick, for trials too. UPDATE_KEY=FILE.pub builds in the public
# key that updates must be signed with ("shoeboard update keygen"); without it
# cmd/shoeboard/update.pub counts.
set -eu
cd "$(dirname "$0")/../.."
nfpm=github.com/goreleaser/nfpm/v2/cmd/nfpm@v2.45.2
[ $# -gt 0 ] || set -- arm64 armhf amd64
VERSION=${VERSION:-$(sed -n '1s/.*(\(.*\)).*/\1/p' systemd/deb/changelog)}
export VERSION CGO_ENABLED=0
vcs=
git rev-parse HEAD >/dev/null 2>&1 || vcs=-buildvcs=false
overlay=
if [ -n "${UPDATE_KEY:-}" ]; then
	case $UPDATE_KEY in
	*.pub) ;; # the private key looks alike, and would be in every package
	*) echo "build.sh: UPDATE_KEY=$UPDATE_KEY: expected the public key, FILE.pub" >&2; exit 2 ;;
	esac
	grep -qx '[0-9a-f]\{64\}' "$UPDATE_KEY" || { echo "build.sh: UPDATE_KEY=$UPDATE_KEY: expected a line of 64 hexadecimal digits" >&2; exit 2; }
	KEY=$(mktemp)
	printf '{"Replace": {"%s/cmd/shoeboard/update.pub": "%s"}}\n' "$PWD" "$(realpath "$UPDATE_KEY")" >"$KEY"
	overlay=-overlay=$KEY
fi
trap 'rm -rf "${KEY:-}" "${STAGE:-}"' EXIT
for DEB_ARCH; do
	case $DEB_ARCH in
	amd64) goarch=amd64 ;;
	arm64) goarch=arm64 ;;
	armhf) goarch=arm ;;
	*) echo "build.sh: $DEB_ARCH: expected arm64, armhf or amd64" >&2; exit 2 ;;
	esac
	# Go names a loader that Debian's 32-bit ARM does not have.
	loader=
	[ "$goarch" != arm ] || loader=' -I /lib/ld-linux-armhf.so.3'
	STAGE=$(mktemp -d)
	export DEB_ARCH STAGE
	GOARCH=$goarch GOARM=7 go build -trimpath $vcs $overlay -ldflags "-s -w -X shoeboard/cmd/internal/version.packaged=$VERSION$loader" -o "$STAGE/shoeboard" ./cmd/shoeboard
	# what "shoeboard verify" compares with; the parts that are built in are in the program
	(cd "$STAGE" && sha256sum shoeboard | sed 's| shoeboard$| /usr/bin/shoeboard|') >"$STAGE/manifest.sha256"
	for file in systemd/*.service systemd/*.socket; do
		sha256sum "$file" | sed 's| systemd/| /usr/lib/systemd/system/|'
	done >>"$STAGE/manifest.sha256"
	cp cmd/internal/config/init.toml "$STAGE/shoeboard.toml"
	systemd/deb/licenses.sh | gzip -9n >"$STAGE/licenses.gz"
	go run $vcs ./cmd/shoeboard manual | gzip -9n >"$STAGE/shoeboard.1.gz"
	gzip -9nc systemd/deb/changelog >"$STAGE/changelog.gz"
	chmod 644 "$STAGE"/*
	sed "s/compression: xz/compression: ${COMPRESSION:-xz}/" systemd/deb/nfpm.yaml >"$STAGE/nfpm.yaml"
	mkdir -p dist
	go run "$nfpm" package --config "$STAGE/nfpm.yaml" --packager deb --target "dist/shoeboard_${VERSION}_$DEB_ARCH.deb"
	rm -rf "$STAGE"
done
