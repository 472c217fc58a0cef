#!/bin/sh
set -e
# The data is deleted by `apt-get purge` only.
if [ "$1" = purge ]; then
	rm -rf /var/lib/corkboard
	if getent passwd corkboard >/dev/null; then
		userdel corkboard || echo 'The account corkboard is in use and stays.' >&2
	fi
fi
# A failure must not leave the package half removed.
if [ -d /run/systemd/system ]; then
	systemctl daemon-reload || echo 'Run "systemctl daemon-reload" to forget the service.' >&2
fi
