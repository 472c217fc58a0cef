#!/bin/sh
# Installs Corkboard: downloads the executable for this machine, verifies its checksum and, if the
# release was signed, the signature of the checksums.
#
#   CORK_INSTALL_DIR   where to put `cork`; /usr/local/bin as root, otherwise ~/.local/bin
#   CORK_DOWNLOADS     another address to download from
set -eu

downloads="${CORK_DOWNLOADS:-@DOWNLOADS@}"
version='@VERSION@'
public_key='@PUBLIC_KEY@'

fail() {
	echo "install: $1" >&2
	exit 1
}

case "$(uname -s)" in
Linux) system=linux ;;
Darwin) system=darwin ;;
*) fail "there is no executable for $(uname -s). On Windows, download the .exe file." ;;
esac
case "$(uname -m)" in
x86_64 | amd64) processor=x64 ;;
aarch64 | arm64) processor=arm64 ;;
*) fail "there is no executable for $(uname -m)" ;;
esac
target="$system-$processor"
if [ "$system" = linux ] && ls /lib/ld-musl-* >/dev/null 2>&1; then target="$target-musl"; fi
file="cork-$version-$target"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM

download() {
	if command -v curl >/dev/null; then
		curl --fail --silent --show-error --location --output "$work/$1" "$downloads/$1"
	elif command -v wget >/dev/null; then
		wget -q -O "$work/$1" "$downloads/$1"
	else
		fail 'curl or wget is needed'
	fi || fail "$downloads/$1 could not be downloaded"
}

echo "Downloading $file"
download SHA256SUMS
download "$file"

if [ -n "$public_key" ]; then
	download SHA256SUMS.sig
	command -v openssl >/dev/null || fail 'openssl is needed to verify the signature'
	printf '%s\n' "$public_key" >"$work/key.pem"
	openssl pkeyutl -verify -rawin -pubin -inkey "$work/key.pem" -in "$work/SHA256SUMS" \
		-sigfile "$work/SHA256SUMS.sig" >/dev/null 2>&1 ||
		fail 'the signature of SHA256SUMS is wrong, or this openssl has no Ed25519 (3.0 has). Nothing was installed.'
fi

expected=$(sed -n "s/^\([0-9a-f]\{64\}\)  $file\$/\1/p" "$work/SHA256SUMS")
[ -n "$expected" ] || fail "SHA256SUMS does not list $file"
if command -v sha256sum >/dev/null; then
	actual=$(sha256sum "$work/$file")
else
	actual=$(shasum -a 256 "$work/$file")
fi
[ "${actual%% *}" = "$expected" ] || fail "$file has a wrong checksum. Nothing was installed."

if [ "$(id -u)" = 0 ]; then default=/usr/local/bin; else default="$HOME/.local/bin"; fi
folder="${CORK_INSTALL_DIR:-$default}"
mkdir -p "$folder"
# A rename replaces the executable of a running server, which writing into it could not.
chmod 755 "$work/$file"
mv "$work/$file" "$folder/.cork.new"
mv "$folder/.cork.new" "$folder/cork"
echo "Installed $("$folder/cork" --version) as $folder/cork"
case ":$PATH:" in
*":$folder:"*) ;;
*) echo "Add $folder to your PATH." ;;
esac
echo 'Start it: cork serve'
