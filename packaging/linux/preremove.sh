#!/bin/sh
set -e
# Upgrades replace the files of a running service; only a removal stops it.
case "$1" in
remove | 0 | '')
	if [ -d /run/systemd/system ]; then
		systemctl disable --now corkboard.service ||
			echo 'The service did not stop: see "systemctl status corkboard".' >&2
	fi
	;;
esac
