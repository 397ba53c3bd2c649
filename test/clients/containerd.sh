#!/bin/sh
# Runs a command in a container of containerd 1.6, with ctr and --cni. To be run by unshare with namespaces of its own for
# mounts and processes: what it writes below /etc, /opt, /run and /var/lib goes with them, and so does containerd.
# containerd.sh FOLDER COMMAND...   FOLDER has bin/ with the plugins and net.d/ with the conflist.
set -eu

scripts=$(dirname "$0")
folder=$1
shift
image=localhost/busybox:clients
name=clients-${folder##*-}

mkdir "$folder/private"
mount -t tmpfs tmpfs "$folder/private"
cd "$folder/private"
for covered in etc opt var/lib; do
  mkdir -p "$covered.upper" "$covered.work"
  mount -t overlay -o "lowerdir=/$covered,upperdir=$covered.upper,workdir=$covered.work" overlay "/$covered"
done
mount -t tmpfs tmpfs /run
mkdir -p /etc/cni/net.d /opt/cni/bin
cp "$folder"/net.d/* /etc/cni/net.d
cp "$folder"/bin/* /opt/cni/bin

. "$scripts/start-containerd.sh"

# An image with nothing but busybox, as docker save writes one.
mkdir -p files/bin
cp "$(command -v busybox)" files/bin/sh
tar -C files -cf layer.tar .
layer=$(sha256sum layer.tar | cut -d ' ' -f 1)
architecture=$(dpkg --print-architecture)
echo '{"architecture":"'"$architecture"'","os":"linux","rootfs":{"type":"layers","diff_ids":["sha256:'"$layer"'"]}}' >config.json
echo '[{"Config":"config.json","RepoTags":["'$image'"],"Layers":["layer.tar"]}]' >manifest.json
tar -cf image.tar manifest.json config.json layer.tar
ctr images import --snapshotter native image.tar >/dev/null

ended=0
ctr run --rm --snapshotter native --cni $image pod1 "$@" || ended=$?
# When ADD fails, ctr leaves the container that it had made for it. The cgroups outlive our namespaces.
[ $ended = 0 ] || ctr tasks rm --force pod1 >/dev/null
kill $containerd
wait $containerd || true
find /sys/fs/cgroup -depth -type d -path "*/$name*" -exec rmdir {} +
exit $ended
