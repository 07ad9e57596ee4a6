#!/bin/sh
# Before the files go: an upgrade lets the daemon run until it is restarted.
set -e
if [ "$1" = remove ] && [ -d /run/systemd/system ]; then
	systemctl disable --now carguardd-tcp.socket carguardd.socket carguardd.service || true
fi
