#!/usr/bin/env bash
# Fetches what the guests are made of from Debian and keeps it per machine:
# a kernel for each architecture and the packages that run in a guest, unpacked.
# Nothing is installed but QEMU and the tools that build an image, and the
# machine's own dpkg architectures stay as they are.
#   fetch.sh          fetch what is missing
#   fetch.sh --path   print the folder
set -euo pipefail
version=1 # of this recipe; another one is kept elsewhere
root="${XDG_CACHE_HOME:-$HOME/.cache}/carguardd/vm-$version"
[ "${1:-}" != --path ] || { echo "$root"; exit 0; }

want=(qemu-system-x86 qemu-system-arm cpio kmod e2fsprogs)
missing=()
for p in "${want[@]}"; do
	dpkg-query -W -f='${Status}' "$p" 2>/dev/null | grep -q '^install ok installed$' || missing+=("$p")
done
sudo=""; [ "$(id -u)" -eq 0 ] || sudo=sudo
if [ ${#missing[@]} -gt 0 ]; then
	echo "vm: installing ${missing[*]}"
	$sudo apt-get update -qq
	DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
fi

# apt ARCH ARGS… is apt for another architecture, with an index of its own, as
# on a machine that has nothing installed yet.
apt() {
	local arch=$1 dir=$root/apt/$1; shift
	local opts=(-o APT::Architecture="$arch" -o APT::Architectures::="$arch" -o Dir::State="$dir/state" -o Dir::State::status="$dir/status"
		-o Dir::Cache="$dir/cache" -o Dir::Etc::sourcelist="$dir/sources.list" -o Dir::Etc::sourceparts=/dev/null
		-o Dir::Etc::preferencesparts=/dev/null -o APT::Sandbox::User=root -o Acquire::Languages=none -o APT::Install-Recommends=false
		-o Debug::NoLocking=true -o Acquire::Retries=3)
	if [ ! -e "$dir/.updated" ]; then
		mkdir -p "$dir"/state/lists/partial "$dir"/cache/archives/partial
		: >"$dir/status"
		# The security suite's foreign indexes can be caught in the middle of a sync.
		apt-get indextargets --format '$(REPO_URI) $(RELEASE) $(CODENAME) $(COMPONENT)' | sort -u | awk '$NF == "main" && $3 !~ /security/ {print $1, $3}' | sort -u |
			while read -r uri suite; do echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $uri $suite main"; done >"$dir/sources.list"
		[ -s "$dir/sources.list" ] || { echo "vm: apt has no index: run apt-get update" >&2; exit 1; }
		apt-get "${opts[@]}" update -qq
		touch "$dir/.updated"
	fi
	case $1 in
		depends) apt-cache "${opts[@]}" "$@" ;;
		*) apt-get "${opts[@]}" "$@" ;;
	esac
}

# tree ARCH NAME PKG… unpacks packages and all that they need into a folder.
tree() {
	local arch=$1 name=$2 dir=$root/$1/$2; shift 2
	[ "$(cat "$dir.done" 2>/dev/null)" != "$*" ] || return 0
	echo "vm: fetching $arch/$name"
	rm -rf "$dir" "$root/apt/$arch/cache/archives"
	mkdir -p "$dir" "$root/apt/$arch/cache/archives/partial"
	apt "$arch" install -y -qq --download-only "$@" >/dev/null
	for deb in "$root/apt/$arch"/cache/archives/*.deb; do dpkg-deb -x "$deb" "$dir"; done
	rm -rf "$root/apt/$arch/cache/archives" "$dir"/usr/share/{doc,man,locale,i18n,info,lintian,zoneinfo} "$dir"/usr/lib/*/{gconv,perl*} "$dir"/usr/share/perl*
	rm -f "$dir"-*.cpio # images of the old one
	echo "$*" >"$dir.done"
}

# kernel ARCH META unpacks the kernel that a meta package stands for, with the
# modules that a guest may load.
kernel() {
	local arch=$1 dir=$root/$1/kernel pkg deb v
	[ ! -e "$dir.done" ] || return 0
	pkg=$(apt "$arch" depends "$2" | awk '/Depends: linux-image/ {print $2; exit}')
	echo "vm: fetching $arch/$pkg"
	rm -rf "$dir" "$dir.tmp"
	mkdir -p "$dir.tmp"
	(cd "$dir.tmp" && apt "$arch" download -qq "$pkg" >/dev/null && dpkg-deb -x ./*.deb . && rm ./*.deb)
	v=$(basename "$dir.tmp"/lib/modules/*)
	cp "$dir.tmp"/boot/vmlinuz-* "$dir.tmp/vmlinuz"
	# Of some hundred megabytes of modules a guest needs a few kinds.
	(cd "$dir.tmp/lib/modules/$v/kernel" && find . -name '*.ko' | grep -vE '^\./(net/(can|9p|core|ipv6|unix)|drivers/(net/can|virtio|block|char/(virtio|hw_random)|pci|tty)|fs/(ext4|jbd2|mbcache|9p|fscache|netfs|autofs|fuse)|lib|crypto|arch)|/(crc|libcrc|jbd2|mbcache|virtio|ext4|9p|netfs|fscache|autofs|fs-mbcache)' | xargs rm -f)
	depmod -b "$dir.tmp" "$v"
	rm -rf "$dir.tmp/boot" "$dir.tmp/usr"
	mv "$dir.tmp" "$dir"
	touch "$dir.done"
}

mkdir -p "$root"
exec 9>"$root/.lock"
flock 9 # two runs at once fetch once
kernel amd64 linux-image-amd64
kernel arm64 linux-image-arm64
kernel armhf linux-image-armmp
for arch in amd64 arm64 armhf; do tree $arch tools busybox-static can-utils iproute2; done
tree arm64 system busybox-static systemd dbus dpkg libc-bin
echo "vm: all there in $root"
