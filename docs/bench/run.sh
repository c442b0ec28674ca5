#!/bin/bash
# Prints the figures that jtop promises, measured on the real program in a pseudo-terminal, with jstat beside it.
# Needs what `make jdks` installs. About five minutes; run it on a quiet machine.
set -euo pipefail
cd "$(dirname "$0")/../.."
. .ci/env.sh
cat <<'TXT'
limits: first paint 100 ms, first figures 500 ms; Overview at 120x40 1 % of a core, 40 MB, 12 KB/s; picker with 50 JVMs 2 % of a core;
        Threads tab 0.5 % of time stopped; a frame 5 ms at 120x40 and 12 ms at 200x60; View without change 50 us
TXT
go test ./cmd/jtop -run '^$' -bench Figures -benchtime 1x -timeout 30m
go test ./tui ./tui/chart ./probes/store ./probes/hsperf ./probes/threads -run '^$' -bench . -benchtime 200ms
