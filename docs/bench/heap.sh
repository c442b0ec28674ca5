#!/bin/bash
# Prints time and memory of `jtop heap` on a dump of about 1 GB, plain and gzipped. Needs a JDK of 11 or newer in PATH,
# 3 GB of disk under $TMPDIR and 2 GB of memory. About two minutes.
set -euo pipefail
cd "$(dirname "$0")/../.."
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
go build -o "$dir/jtop" ./cmd/jtop
java -Xmx2g -XX:+UseParallelGC docs/bench/HeapFill.java "${1:-800}" "$dir/heap.hprof"
gzip -1 -k "$dir/heap.hprof"

# look FILE: the kernel keeps the largest resident size of a process as VmHWM.
look() {
  local start peak=0 pid now
  start=$(date +%s%N)
  "$dir/jtop" heap "$1" --json >"$dir/out.json" &
  pid=$!
  while now=$(awk '/^VmHWM/ {print $2}' "/proc/$pid/status" 2>/dev/null) && [ -n "$now" ]; do
    peak=$now
    sleep 0.05
  done
  wait "$pid"
  echo "$(basename "$1"), $(($(stat -c %s "$1") >> 20)) MB: $((($(date +%s%N) - start) / 1000000)) ms, $((peak >> 10)) MB resident, $(grep -m1 '"objects"' "$dir/out.json" | tr -dc 0-9) objects"
}
echo "limits: 60 s and 500 MB for 1 GB"
look "$dir/heap.hprof"
look "$dir/heap.hprof.gz"
