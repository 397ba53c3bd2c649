#!/bin/sh
# Installs osslsigncode and openssl from Debian, for packaging/sign.mjs and its tests. Run as root. Safe to repeat.
set -eu

say() { echo "signing: $*"; }
fail() { echo "signing: $*" >&2; exit 1; }

command -v dpkg-query >/dev/null && command -v apt-get >/dev/null || fail 'requires Debian: apt-get not found'

missing=''
for package in osslsigncode openssl; do
  [ "$(dpkg-query --show --showformat '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || missing="$missing $package"
done

if [ -z "$missing" ]; then
  say 'osslsigncode and openssl are installed'
else
  [ "$(id -u)" = 0 ] || fail "requires root to install$missing"
  say "installing$missing"
  # shellcheck disable=SC2086
  install() { DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends $missing >/dev/null; }
  install || { apt-get update -qq && install; } || fail "apt-get could not install$missing"
  say "$(osslsigncode --version | head -n 1) is ready"
fi
