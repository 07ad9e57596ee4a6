#!/bin/sh
# After the files are there: the user, its folders, the catalog. Nothing is
# started that was not running: the configuration must name the car first.
set -e
if [ "$1" = configure ]; then
	systemd-sysusers carguardd.conf
	systemd-tmpfiles --create carguardd.conf || true # /run may not be there yet, in a chroot
	journalctl --update-catalog >/dev/null 2>&1 || true
	if [ -d /run/systemd/system ]; then
		systemctl daemon-reload || true
		if [ -n "$2" ]; then # an upgrade
			systemctl try-restart carguardd.service || true
		fi
	fi
fi
