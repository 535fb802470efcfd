#!/bin/sh
# Builds the package of one or more machines into dist.
#
#   systemd/deb/build.sh [ARCH...]    arm64 armhf amd64 (the default: all three)
#
# The version is that of deb/changelog; VERSION= gives another one, for trials.
set -eu
cd "$(dirname "$0")/../.."
nfpm=github.com/goreleaser/nfpm/v2/cmd/nfpm@v2.45.2
[ $# -gt 0 ] || set -- arm64 armhf amd64
VERSION=${VERSION:-$(sed -n '1s/.*(\(.*\)).*/\1/p' systemd/deb/changelog)}
export VERSION CGO_ENABLED=0
vcs=
git rev-parse HEAD >/dev/null 2>&1 || vcs=-buildvcs=false
for DEB_ARCH; do
	case $DEB_ARCH in
	amd64) goarch=amd64 ;;
	arm64) goarch=arm64 ;;
	armhf) goarch=arm ;;
	*) echo "build.sh: $DEB_ARCH: expected arm64, armhf or amd64" >&2; exit 2 ;;
	esac
	STAGE=$(mktemp -d)
	export DEB_ARCH STAGE
	GOARCH=$goarch GOARM=7 go build -trimpath $vcs -ldflags '-s -w' -o "$STAGE/shoeboard" ./cmd/shoeboard
	# what "shoeboard verify" compares with; the parts that are built in are in the program
	(cd "$STAGE" && sha256sum shoeboard | sed 's| shoeboard$| /usr/bin/shoeboard|') >"$STAGE/manifest.sha256"
	for file in shoeboard.service shoeboard-screen.service shoeboard-update.service; do
		sha256sum "systemd/$file" | sed 's| systemd/| /usr/lib/systemd/system/|'
	done >>"$STAGE/manifest.sha256"
	cp cmd/shoeboard/config/init.toml "$STAGE/shoeboard.toml"
	systemd/deb/licenses.sh | gzip -9n >"$STAGE/licenses.gz"
	go run $vcs ./cmd/shoeboard manual | gzip -9n >"$STAGE/shoeboard.1.gz"
	gzip -9nc systemd/deb/changelog >"$STAGE/changelog.gz"
	chmod 644 "$STAGE"/*
	mkdir -p dist
	go run "$nfpm" package --config systemd/deb/nfpm.yaml --packager deb --target "dist/shoeboard_${VERSION}_$DEB_ARCH.deb"
	rm -rf "$STAGE"
done
