#!/bin/sh
# Installs the clients that test/clients drives win-hcn with, from Debian. Run it as root; a second run changes nothing.
set -eu

say() { echo "clients: $*"; }
fail() { echo "clients: $*" >&2; exit 1; }

packages='golang-go golang-github-appc-cni-dev golang-github-containerd-go-cni-dev
  containerd runc containernetworking-plugins busybox-static unzip'

command -v dpkg-query >/dev/null && command -v apt-get >/dev/null || fail 'needs Debian: there is no apt-get here'

missing=''
for package in $packages; do
  [ "$(dpkg-query --show --showformat '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || missing="$missing $package"
done

if [ -z "$missing" ]; then
  say 'Go, libcni, go-cni, containerd, runc, the CNI plugins, busybox and unzip are installed'
else
  [ "$(id -u)" = 0 ] || fail "needs root to install$missing"
  say "installing$missing"
  # shellcheck disable=SC2086
  install() { DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends $missing >/dev/null; }
  install || { apt-get update -qq && install; } || fail "apt-get could not install$missing"
  say "$(go version) is ready"
fi
sh "$(dirname "$0")/newer-libcni.sh"
sh "$(dirname "$0")/kubectl.sh"
