#!/bin/sh
set -e
if ! getent group corkboard >/dev/null; then
	groupadd --system corkboard 2>/dev/null || addgroup -S corkboard
fi
if ! getent passwd corkboard >/dev/null; then
	useradd --system --gid corkboard --home-dir /var/lib/corkboard --shell /usr/sbin/nologin \
		corkboard 2>/dev/null ||
		adduser -S -D -H -h /var/lib/corkboard -s /sbin/nologin -G corkboard corkboard
fi
mkdir -p /var/lib/corkboard
chown corkboard:corkboard /var/lib/corkboard /etc/corkboard.env
chmod 700 /var/lib/corkboard
if [ -d /run/systemd/system ]; then
	systemctl daemon-reload
	# After an upgrade, the service goes on with the new version.
	systemctl try-restart corkboard.service
fi
