#!/bin/bash
# Runs each fuzz target of the module for the given time (default 20s), one after the other.
set -euo pipefail
cd "$(dirname "$0")/.."
time=${1:-20s}
failed=0 ran=0
while read -r package; do
  # A package's own tests must compile for it to be asked; a failure to do so is one.
  targets=$(go test -list '^Fuzz' "$package" | grep '^Fuzz' || true)
  for target in $targets; do
    ran=$((ran + 1))
    echo "== $package $target"
    go test -run '^$' -fuzz "^$target\$" -fuzztime "$time" "$package" || failed=$((failed + 1))
  done
done < <(go list -f '{{if or .TestGoFiles .XTestGoFiles}}{{.ImportPath}}{{end}}' ./... | grep .)
echo "$ran fuzz targets, $failed failed"
[ "$failed" -eq 0 ]
