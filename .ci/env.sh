# Sourced by the scripts here: where the test JDKs are, and which java is the host's.
if [ -z "${JTOP_JDKS:-}" ]; then
  JTOP_JDKS=${HOME:-/root}/.cache/jtop/jdks
  if [ ! -d "$JTOP_JDKS" ] && [ -d /opt/jdks ]; then JTOP_JDKS=/opt/jdks; fi
fi
export JTOP_JDKS

# use_unpacked_17 puts an unpacked JDK 17 on PATH where the host has no JDK of its own.
use_unpacked_17() {
  local bin=$JTOP_JDKS/bookworm/usr/lib/jvm/java-17-openjdk-amd64/bin
  if [ -x "$bin/javac" ] && ! command -v javac >/dev/null; then export PATH="$bin:$PATH"; fi
}

# need_command NAME PACKAGES: installs the packages with apt where the command is missing and we are root; says so.
need_command() {
  command -v "$1" >/dev/null && return
  if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    echo "$1 is missing: installing $2 with apt" >&2
    DEBIAN_FRONTEND=noninteractive apt-get update -qq >/dev/null || true # an old list may still do
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $2 >/dev/null && command -v "$1" >/dev/null && return
  fi
  echo "$1 is missing; install it with: sudo apt-get install $2" >&2
  return 1
}
