#!/bin/sh
# Unpacks libcni 1.3 from Debian sid, and a Go that can compile it, into build/clients/debian. Debian bookworm's own libcni
# cannot read results of version 1.1.0. Nothing is installed into the system; a second run changes nothing.
set -eu

build=$(cd "$(dirname "$0")/../.." && pwd)/build/clients
unpacked=$build/debian
partial=$unpacked.partial
apt=$build/apt
keyring=/usr/share/keyrings/debian-archive-keyring.gpg
# Built for bookworm, so that it runs on every Debian from there on.
compiler='golang-1.23-go golang-1.23-src'
libcni=golang-github-appc-cni-dev

say() { echo "clients: $*"; }
fail() { echo "clients: $*" >&2; exit 1; }

if [ -e "$unpacked/.complete" ]; then
  say "$(cat "$unpacked/.complete") are unpacked in $unpacked"
  exit 0
fi
command -v apt-get >/dev/null || fail 'needs Debian: there is no apt-get here'
[ -e "$keyring" ] || fail "needs $keyring, of debian-archive-keyring"

# The mirror apt already uses for this release; the security archive has its own codename.
codename=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
mirror=$(apt-get indextargets --format '$(SITE)' "Codename: $codename" 'Component: main' | head -n 1)
[ -n "$mirror" ] || fail "apt names no mirror for $codename main: run apt-get update"

rm -rf "$apt" "$partial"
mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial" "$apt/state" "$apt/packages" "$partial"
: >"$apt/status"
for suite in bookworm-backports sid; do echo "deb [signed-by=$keyring] $mirror $suite main"; done >"$apt/sources.list"
cat >"$apt/apt.conf" <<END
Dir::Etc::SourceList "$apt/sources.list";
Dir::Etc::SourceParts "/dev/null";
Dir::Etc::Preferences "/dev/null";
Dir::Etc::PreferencesParts "/dev/null";
Dir::State "$apt/state";
Dir::State::Lists "$apt/lists";
Dir::State::Status "$apt/status";
Dir::Cache "$apt/cache";
APT::Sandbox::User "root";
APT::Update::Error-Mode "any";
END
export APT_CONFIG="$apt/apt.conf"

say 'reading what Debian bookworm-backports and sid have'
apt-get update -qq || fail 'apt-get could not read bookworm-backports and sid'
say "fetching $compiler $libcni"
cd "$apt/packages"
# shellcheck disable=SC2086
apt-get download -qq $compiler "$libcni/sid" || fail "apt-get could not fetch $compiler $libcni"
versions=''
for package in $compiler $libcni; do
  file=$(echo "$package"_*.deb)
  dpkg -x "$file" "$partial" || fail "dpkg could not unpack $file"
  versions="$versions${versions:+, }$package $(dpkg-deb --field "$file" Version)"
done
go=$partial/usr/lib/go-1.23/bin/go
GOTOOLCHAIN=local "$go" version >/dev/null || fail "$go does not start"
echo "$versions" >"$partial/.complete"
rm -rf "$unpacked" "$apt"
mv "$partial" "$unpacked"
say "$versions are unpacked in $unpacked"
