#!/bin/sh
# Installs the browser that test/browser opens pages in, from Debian. Run it as root; a second run changes nothing.
set -eu

say() { echo "browser: $*"; }
fail() { echo "browser: $*" >&2; exit 1; }

command -v dpkg-query >/dev/null && command -v apt-get >/dev/null || fail 'needs Debian: there is no apt-get here'

missing=''
# Without any font it does not start.
for package in chromium fonts-liberation; do
  [ "$(dpkg-query --show --showformat '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || missing="$missing $package"
done

if [ -z "$missing" ]; then
  say 'chromium is installed'
else
  [ "$(id -u)" = 0 ] || fail "needs root to install$missing"
  say "installing$missing"
  # shellcheck disable=SC2086
  install() { DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends $missing >/dev/null; }
  install || { apt-get update -qq && install; } || fail "apt-get could not install$missing"
  say "$(chromium --version) is ready"
fi
