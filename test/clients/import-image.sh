#!/bin/sh
# Imports and unpacks an OCI archive into containerd 1.6, for Windows, and prints the image and the files of its layer. To be run by
# unshare with namespaces of its own for mounts and processes, as containerd.sh.
# import-image.sh FOLDER ARCHIVE NAME
set -eu

scripts=$(dirname "$0")
folder=$1
name=images
mount -t tmpfs tmpfs /run
cd "$folder"
. "$scripts/start-containerd.sh"

ctr images import --platform windows/amd64 --snapshotter native --base-name "$3" "$2" >/dev/null
ctr images check --snapshotter native | tail -n 1 | tr -s ' '
cd root/io.containerd.snapshotter.v1.native/snapshots/1
find . -type f | sort
kill "$containerd"
wait "$containerd" || true
