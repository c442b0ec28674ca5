#!/bin/bash
# Prints the figures of jtop's load runner beside its peers': CPU per request, memory and what is true about a server that freezes.
# On Debian with Go, as root, it installs the peers that are missing: wrk, h2load, JMeter and tmux with apt; bombardier, hey and vegeta with
# go install. Flags go on to the program that measures: -rounds 3, -d 2s, -parts closed,fixed, -only jtop,'wrk -t2'. About twelve
# minutes without flags; run it on a quiet machine.
set -euo pipefail
cd "$(dirname "$0")/../.."
. .ci/env.sh
need_command wrk wrk
need_command h2load nghttp2-client
need_command tmux tmux
need_command javac default-jdk-headless # the program that runs JMeter is compiled on the way
need_command jmeter "jmeter jmeter-http"
export GOBIN=${XDG_CACHE_HOME:-$HOME/.cache}/jtop/bench PATH=${XDG_CACHE_HOME:-$HOME/.cache}/jtop/bench:$PATH
for module in github.com/codesenberg/bombardier@v1.2.6 github.com/rakyll/hey@v0.1.5 github.com/tsenart/vegeta/v12@v12.13.0; do
  name=${module%@*}
  name=$(basename "${name%/v12}")
  [ -x "$GOBIN/$name" ] || go install "$module"
done
built=$(mktemp -d)
trap 'rm -rf "$built"' EXIT
CGO_ENABLED=0 go build -trimpath -ldflags '-s -w' -o "$built/jtop" ./cmd/jtop
go build -tags bench -o "$built/loadbench" ./docs/bench/load
"$built/loadbench" -jtop "$built/jtop" "$@"
