#!/bin/bash
# The whole check, as "make test" and the CI runner call it: vet, format, static build, then one run of all tests under
# the race detector: unit tests, goldens, fuzz seeds, real JVMs (8, 11, 17, 21, 25) and the terminal end to end in tmux.
# Arguments go to "go test" in place of ./... Missing tools are installed with apt as root, else named.
set -euo pipefail
cd "$(dirname "$0")/.."
. .ci/env.sh
export CI=${CI:-} LC_ALL=C.UTF-8

step() { printf '== %s\n' "$*"; }
finish() {
  printf '\n0 passed, 1 failed (%s)\n' "$1"
  exit 1
}

step "tools"
command -v go >/dev/null || finish "go is not installed"
need_command tmux tmux || finish "tmux"
need_command jmeter "jmeter jmeter-http" || finish "jmeter, which runs the plans that jtop exports"
need_command gcc "gcc libc6-dev" || finish "gcc, which the race detector needs"
.ci/jdks.sh || finish "test JDKs"
use_unpacked_17

step "gofmt"
unformatted=$(find . -name '*.go' -not -path '*/testdata/*' -not -path './.cache/*' -exec gofmt -l {} +)
[ -z "$unformatted" ] || { echo "$unformatted"; finish "gofmt -w the files above"; }

step "go vet"
go vet ./... || finish "go vet"

step "static build"
CGO_ENABLED=0 go build -trimpath -o /dev/null ./... || finish "go build"

if command -v golangci-lint >/dev/null; then
  step "golangci-lint"
  golangci-lint run ./... || finish "golangci-lint"
fi

step "go test -race"
[ $# -gt 0 ] || set -- ./...
# Real-JVM tests depend on what is installed, which the test cache does not know: -count=1.
# No pipe buffering in between and no standard input, so that a hanging test shows where it is.
go test -race -count=1 -timeout 20m -v "$@" </dev/null 2>&1 | awk -f .ci/count.awk
