#!/bin/sh
# Installs chromium for test/browser from Debian. Run as root. Safe to repeat.
set -eu

say() { echo "browser: $*"; }
fail() { echo "browser: $*" >&2; exit 1; }

command -v dpkg-query >/dev/null && command -v apt-get >/dev/null || fail 'requires Debian: apt-get not found'

missing=''
# chromium does not start without a font.
for package in chromium fonts-liberation; do
  [ "$(dpkg-query --show --showformat '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || missing="$missing $package"
done

if [ -z "$missing" ]; then
  say 'chromium is installed'
else
  [ "$(id -u)" = 0 ] || fail "requires root to install$missing"
  say "installing$missing"
  # shellcheck disable=SC2086
  install() { DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends $missing >/dev/null; }
  install || { apt-get update -qq && install; } || fail "apt-get could not install$missing"
  say "$(chromium --version) is ready"
fi
