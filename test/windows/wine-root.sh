#!/bin/sh
# Makes a Debian trixie root with Wine 10 in build/wine-root (or $WIN_HCN_WINE_ROOT), for test/windows.
# Node 24 crashes under the Wine 8 of Debian bookworm. Run it as root on Debian; a second run changes nothing.
set -eu

here=$(cd "$(dirname "$0")/../.." && pwd)
root=${WIN_HCN_WINE_ROOT:-$here/build/wine-root}
partial=$root.partial

say() { echo "wine-root: $*"; }
fail() { echo "wine-root: $*" >&2; exit 1; }

[ "$(id -u)" = 0 ] || fail 'needs root: debootstrap makes device nodes and changes root'
command -v apt-get >/dev/null || fail 'needs Debian: there is no apt-get here'

missing=''
command -v debootstrap >/dev/null || missing="$missing debootstrap"
command -v bwrap >/dev/null || missing="$missing bubblewrap"
command -v x86_64-w64-mingw32-gcc >/dev/null || missing="$missing gcc-mingw-w64-x86-64"
if [ -n "$missing" ]; then
  say "installing$missing"
  apt-get update -qq
  # shellcheck disable=SC2086
  DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends $missing >/dev/null
else
  say 'debootstrap, bubblewrap and mingw are installed'
fi

if [ -e "$root/.complete" ]; then
  say "$root is complete"
else
  # The mirror apt already uses for this release; the security archive has its own codename.
  codename=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
  mirror=$(apt-get indextargets --format '$(SITE)' "Codename: $codename" 'Component: main' | head -n 1)
  [ -n "$mirror" ] || fail "apt names no mirror for $codename main: run apt-get update"

  say "unpacking Debian trixie with Wine into $root, about a minute"
  rm -rf "$partial"
  mkdir -p "$partial"
  debootstrap --arch=amd64 --variant=minbase --include=wine64,wine trixie "$partial" "$mirror" \
    >"$root.log" 2>&1 || fail "debootstrap failed, see $root.log"
  rm "$root.log"
  rm -rf "$partial/var/cache/apt/archives" "$partial/var/lib/apt/lists"
  touch "$partial/.complete"
  rm -rf "$root"
  mv "$partial" "$root"
fi

version=$(WINEDEBUG=-all bwrap --ro-bind "$root" / --dev /dev --proc /proc wine --version) || fail "wine does not start in $root"
say "$version is ready"
