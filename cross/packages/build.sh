#!/usr/bin/env bash
# Makes the Debian packages: build.sh TARGET-FOLDER [ARCH...], ARCH one of amd64,
# arm64, armhf (all, when left out). The same commit gives the same bytes, in
# whatever folder and at whatever time.
set -euo pipefail
cd "$(dirname "$0")/../.."
target=${1:?TARGET-FOLDER is missing}; shift
[ $# -gt 0 ] || set -- amd64 arm64 armhf
mkdir -p "$target"; target=$(cd "$target" && pwd)
go=${GO:-go}
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
version=${VERSION:-$(git describe --tags --always --dirty)}
# A package's version begins with a digit and sorts; a commit without a tag is
# before every release.
case ${version#v} in
[0-9]*.[0-9]*) deb_version=${version#v} ;;
*) deb_version=0.0.0~$(git rev-list --count HEAD).$version ;;
esac
deb_version=${deb_version//-/+}
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT

# Licences of everything that is linked in, of all architectures.
{
	echo "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/"
	echo "Upstream-Name: carguardd"
	echo; echo "Files: *"; echo "Copyright: the carguardd authors"; echo "License: Apache-2.0"
	echo; echo "License: Apache-2.0"
	echo " See /usr/share/common-licenses/Apache-2.0."
	echo; echo "Comment: The program contains these Go modules."
	for goarch in amd64 arm64 arm; do
		CGO_ENABLED=0 GOOS=linux GOARCH=$goarch $go list -deps -f '{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}} {{.Dir}}{{end}}{{end}}' ./cmd/carguardd
	done | LC_ALL=C sort -u | while read -r path v dir; do
		echo; echo "==== $path $v"
		found=
		for f in "$dir"/LICENSE* "$dir"/LICENCE* "$dir"/COPYING* "$dir"/NOTICE*; do
			[ -f "$f" ] && { found=1; cat "$f"; echo; }
		done
		[ -n "$found" ] || { echo "no licence in $path" >&2; exit 1; }
	done
} >"$work/copyright"
gzip -9n <cross/packages/carguardd.1 >"$work/carguardd.1.gz"

CGO_ENABLED=0 $go build -C cross/tools -trimpath -o "$work/deb" ./deb
CGO_ENABLED=0 $go build -trimpath -o "$work/host" ./cmd/carguardd
"$work/host" completion bash >"$work/carguardd.bash"
for arch in "$@"; do
	case $arch in
	amd64 | arm64) goarch=$arch ;;
	armhf) goarch=arm ;;
	*) echo "unknown architecture $arch: one of amd64, arm64, armhf" >&2; exit 2 ;;
	esac
	CGO_ENABLED=0 GOOS=linux GOARCH=$goarch GOARM=7 $go build -trimpath -ldflags "-s -w -X main.version=$version" -o "$work/carguardd" ./cmd/carguardd
	ARCH=$arch DEB_VERSION=$deb_version STAGE=$work "$work/deb" cross/packages/nfpm.yaml "$target"
done
