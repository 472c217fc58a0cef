#!/bin/sh
set -e
# The data is deleted by `apt-get purge` only.
if [ "$1" = purge ]; then
	rm -rf /var/lib/corkboard
	if getent passwd corkboard >/dev/null; then userdel corkboard || true; fi
fi
if [ -d /run/systemd/system ]; then systemctl daemon-reload || true; fi
