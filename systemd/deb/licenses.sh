#!/bin/sh
# Prints the licences of the fonts and of every module that the program is built from.
set -eu
cd "$(dirname "$0")/../.."
for file in assets/fonts/*OFL.txt; do
	printf '==== %s\n\n' "$file"
	cat "$file"
done
go list -deps -f '{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}} {{.Dir}}{{end}}{{end}}' ./cmd/shoeboard | sort -u |
	while read -r path version dir; do
		found=
		for file in "$dir"/LICEN[CS]E* "$dir"/COPYING* "$dir"/NOTICE*; do
			[ -f "$file" ] || continue
			found=yes
			printf '\n==== %s %s, %s\n\n' "$path" "$version" "${file##*/}"
			cat "$file"
		done
		[ -n "$found" ] || { echo "licenses.sh: $path has no licence" >&2; exit 1; }
	done
