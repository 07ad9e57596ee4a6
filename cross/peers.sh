#!/usr/bin/env bash
# Installs the peers that nobody here wrote, from Debian. Does nothing where
# they are there already.
set -euo pipefail
want=(systemd can-utils python3-can python3-canmatrix mosquitto mosquitto-clients qemu-user-static)
missing=()
for p in "${want[@]}"; do
	dpkg-query -W -f='${Status}' "$p" 2>/dev/null | grep -q '^install ok installed$' || missing+=("$p")
done
[ ${#missing[@]} -eq 0 ] && { echo "peers: all installed"; exit 0; }
sudo=""; [ "$(id -u)" -eq 0 ] || sudo=sudo
echo "peers: installing ${missing[*]}"
$sudo apt-get update -qq
DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
