# Starts a private containerd in the current folder, with its log in $folder, and defines ctr for the namespace $name. To be sourced.

cat >config.toml <<END
version = 2
root = "$PWD/root"
state = "$PWD/state"
disabled_plugins = ["io.containerd.grpc.v1.cri"]
[grpc]
  address = "$PWD/containerd.sock"
END
containerd --config config.toml >"$folder/containerd.log" 2>&1 &
containerd=$!
ctr() { command ctr --address "$PWD/containerd.sock" --namespace "$name" "$@"; }
tries=100
until ctr version >/dev/null 2>&1; do
  tries=$((tries - 1))
  [ $tries -gt 0 ] || { echo 'containerd does not answer:' >&2; tail -n 5 "$folder/containerd.log" >&2; exit 1; }
  sleep 0.1
done
