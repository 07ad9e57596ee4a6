#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# build.sh          build the Ollama server that the system tests talk to, once per machine
# build.sh --path   print where the built server is, whether it is there or not
#
# The server is compiled from the module that go.mod names, so client and
# server are of one version. It takes 3 to 12 minutes on two cores the first
# time; after that the file is there and nothing happens.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
module=github.com/ollama/ollama
version=$(cd "$here" && go list -m -f '{{.Version}}' $module)
dir=${XDG_CACHE_HOME:-$HOME/.cache}/carguardd/ollama/$version-$(go env GOOS)-$(go env GOARCH)

case ${1:-} in
'') ;;
--path) echo "$dir/ollama"; exit ;;
*) echo "usage: build.sh [--path]" >&2; exit 64 ;;
esac

mkdir -p "$dir"
exec 9>"$dir/lock"
flock 9 # a second build waits for the first and finds its result
if [ -x "$dir/ollama" ]; then
	echo "ollama $version: already built, $dir/ollama"
	exit
fi

# The module leaves out folders called vendor, where these headers are.
missing=
[ -e /usr/include/nlohmann/json.hpp ] || missing="$missing nlohmann-json3-dev"
[ -e /usr/include/stb/stb_image.h ] || missing="$missing libstb-dev"
command -v g++ >/dev/null || missing="$missing g++"
if [ -n "$missing" ]; then
	if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
		echo "build.sh: missing Debian packages; run: apt-get install --no-install-recommends$missing" >&2
		exit 1
	fi
	apt-get update -qq
	# shellcheck disable=SC2086 # a list of names
	DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends $missing
fi

echo "ollama $version: building, 3 to 12 minutes on two cores"
rm -rf "$dir/new"
start=$(date +%s)
# Outside of this module: its go.mod does not have what the server needs.
(
	cd "$dir"
	CGO_ENABLED=1 CGO_CPPFLAGS=-I$here/include CGO_CFLAGS=-O2 CGO_CXXFLAGS=-O2 GOFLAGS= \
		GOBIN=$dir/new nice go install -p 2 -trimpath \
		-ldflags "-s -w -X $module/version.Version=${version#v}" "$module@$version"
)
mv "$dir/new/ollama" "$dir/ollama"
rmdir "$dir/new"
echo "ollama $version: built in $(($(date +%s) - start)) s, $dir/ollama"
