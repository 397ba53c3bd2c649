#!/bin/sh
# Installs the browser that test/browser opens pages in, from Debian. Run it as root; a second run changes nothing.
set -eu

say() { echo "browser: $*"; }
fail() { echo "browser: $*" >&2; exit 1; }

command -v dpkg-query >/dev/null && command -v apt-get >/dev/null || fail 'needs Debian: there is no apt-get here'

if [ "$(dpkg-query --show --showformat '${db:Status-Status}' chromium 2>/dev/null)" = installed ]; then
  say 'chromium is installed'
else
  [ "$(id -u)" = 0 ] || fail 'needs root to install chromium'
  say 'installing chromium'
  install() { DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends chromium >/dev/null; }
  install || { apt-get update -qq && install; } || fail 'apt-get could not install chromium'
  say "$(chromium --version) is ready"
fi
