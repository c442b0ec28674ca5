#!/bin/bash
# Builds jtop and runs its demo. Where there is no Java at all, a JRE is installed with apt as root, else named.
set -euo pipefail
cd "$(dirname "$0")/.."
. .ci/env.sh
if [ ! -x "${JAVA_HOME:-/nonexistent}/bin/java" ] && ! ls /usr/lib/jvm/*/bin/java >/dev/null 2>&1; then
  need_command java default-jre-headless
fi
exec bin/jtop demo "$@"
