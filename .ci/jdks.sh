#!/bin/bash
# Installs the JDKs that the tests watch, without touching the host's own packages.
#
#   .ci/jdks.sh [SUITE:RELEASE[:jdk]]...      default: the pinned set below, and 17 for the host
#
# Debian packages of other suites are downloaded with this machine's apt and mirror, and unpacked to
# DEST/SUITE/usr/lib/jvm/java-RELEASE-openjdk-amd64, DEST being $JTOP_JDKS or ~/.cache/jtop/jdks. The launchers are
# rewritten to use the C library of their own suite, so they run in place. About 750 MB and half a minute.
# ":jdk" adds the compiler; JREs are enough otherwise. What is there already is left alone.
set -euo pipefail

DEST=${JTOP_JDKS:-$HOME/.cache/jtop/jdks}
PINNED=(trixie:21 trixie:25 bullseye:11 sid:8)
KEYRING=/usr/share/keyrings/debian-archive-keyring.gpg

say() { printf 'jdks: %s\n' "$*" >&2; }
die() { say "$*"; exit 1; }

need_apt() {
  command -v apt-get >/dev/null && command -v dpkg-deb >/dev/null ||
    die "this machine has no apt. Unpack JDKs yourself as DEST/SUITE/usr/lib/jvm/java-N-openjdk-amd64 and set JTOP_JDKS=DEST"
  [ "$(dpkg --print-architecture)" = amd64 ] || die "only amd64 is supported"
  [ -r $KEYRING ] || die "$KEYRING is missing: apt-get install debian-archive-keyring"
  if [ -z "$(find /var/lib/apt/lists -maxdepth 1 -name '*Packages*' -print -quit)" ]; then
    as_root "read the package lists" apt-get update -qq
  fi
  command -v patchelf >/dev/null || as_root "install patchelf" apt-get install -y -qq patchelf
}

# as_root WHAT COMMAND...: runs it, or says what to run.
as_root() {
  local what=$1; shift
  [ "$(id -u)" = 0 ] || die "root is needed to $what; run: sudo $*"
  say "$what"
  DEBIAN_FRONTEND=noninteractive "$@" >/dev/null
}

# archive LABEL: base address of the first apt source with that label.
archive() {
  apt-get indextargets --format '$(LABEL) $(REPO_URI)' 2>/dev/null | awk -v want="$1" '$1 == want { print $2; exit }'
}

# private_apt SUITE: a directory with an apt of its own for that suite; prints the path of its configuration.
private_apt() {
  local suite=$1 dir=$DEST/.apt-$1 main security
  if [ ! -e "$dir/complete" ]; then
    main=$(archive Debian); security=$(archive Debian-Security)
    [ -n "$main" ] || die "this machine's apt sources have no Debian archive"
    mkdir -p "$dir/lists/partial" "$dir/cache/archives/partial"
    : >"$dir/status"
    echo "deb [signed-by=$KEYRING] $main $suite main" >"$dir/sources.list"
    if [ "$suite" != sid ] && [ -n "$security" ]; then
      echo "deb [signed-by=$KEYRING] $security $suite-security main" >>"$dir/sources.list"
    fi
    {
      echo "Dir::State \"$dir\";"
      echo "Dir::State::Lists \"$dir/lists\";"
      echo "Dir::State::Status \"$dir/status\";"
      echo "Dir::Cache \"$dir/cache\";"
      echo "Dir::Etc::SourceList \"$dir/sources.list\";"
      for part in SourceParts Preferences PreferencesParts; do echo "Dir::Etc::$part \"/dev/null\";"; done
      echo 'APT::Architecture "amd64";'
      echo 'APT::Architectures { "amd64"; };'
      echo 'APT::Sandbox::User "root";'
      echo 'Acquire::Languages "none";'
      echo 'Debug::NoLocking "true";'
    } >"$dir/apt.conf"
    say "reading the package lists of $suite"
    APT_CONFIG=$dir/apt.conf apt-get update -qq >&2 || die "cannot read the package lists of $suite"
    : >"$dir/complete"
  fi
  echo "$dir/apt.conf"
}

# relink ROOT JAVA_HOME: Debian's JDKs link into /etc; these links must stay inside the tree.
relink() {
  local link target
  find "$2" -type l -lname '/*' -print0 | while IFS= read -r -d '' link; do
    target=$(readlink "$link")
    if [ -e "$1$target" ]; then ln -sfn "$1$target" "$link"; fi
  done
}

# use_own_libc ROOT JAVA_HOME: points each launcher at the loader and the libraries in ROOT.
use_own_libc() {
  local loader libs program before
  loader=$(find "$1/usr/lib64" "$1/lib64" -maxdepth 1 -name ld-linux-x86-64.so.2 -print -quit 2>/dev/null || true)
  [ -n "$loader" ] || die "no dynamic loader in $1"
  libs=$1/usr/lib/x86_64-linux-gnu:$1/lib/x86_64-linux-gnu
  for program in "$2"/bin/* "$2"/jre/bin/* "$2"/lib/jspawnhelper; do
    if [ ! -f "$program" ] || [ -L "$program" ] || ! patchelf --print-interpreter "$program" >/dev/null 2>&1; then continue; fi
    before=$(patchelf --print-rpath "$program")
    patchelf --set-interpreter "$loader" --force-rpath --set-rpath "${before:+$before:}$libs" "$program"
  done
}

# from_host RELEASE HOME: where the machine has no Debian archive (Ubuntu), its own package of that release, linked to HOME.
from_host() {
  local packaged=/usr/lib/jvm/java-$1-openjdk-amd64
  if [ ! -x "$packaged/bin/java" ]; then
    as_root "install openjdk-$1-jre-headless with apt" apt-get install -y -qq --no-install-recommends "openjdk-$1-jre-headless" ||
      die "this machine's apt has no openjdk-$1-jre-headless, and no Debian archive; unpack a JDK $1 as $2"
  fi
  mkdir -p "$(dirname "$2")"
  ln -sfn "$packaged" "$2"
  say "linked $2 to $packaged"
}

# unpack SUITE RELEASE KIND: downloads and unpacks one JDK.
unpack() {
  local suite=$1 release=$2 kind=$3 root=$DEST/$1 home conf deb tmp
  home=$root/usr/lib/jvm/java-$release-openjdk-amd64
  if [ -x "$home/bin/java" ] && { [ "$kind" = jre ] || [ -x "$home/bin/javac" ]; }; then
    say "have $suite:$release"
    return
  fi
  if [ -z "$(archive Debian)" ] && command -v apt-get >/dev/null; then from_host "$release" "$home"; return; fi
  need_apt
  mkdir -p "$root"
  conf=$(private_apt "$suite")
  local packages=("openjdk-$release-jre-headless" libc6)
  [ "$kind" = jre ] || packages+=("openjdk-$release-jdk-headless")
  say "downloading ${packages[*]} of $suite"
  tmp=$(mktemp -d "$DEST/.download-XXXXXX")
  (cd "$tmp" && APT_CONFIG=$conf apt-get download -qq "${packages[@]}") || { rm -rf "$tmp"; die "cannot download $suite:$release"; }
  for deb in "$tmp"/*.deb; do dpkg-deb -x "$deb" "$root"; done
  rm -rf "$tmp"
  relink "$root" "$home"
  if ! "$home/bin/java" -version >/dev/null 2>&1; then use_own_libc "$root" "$home"; fi
  "$home/bin/java" -version >/dev/null 2>&1 || die "$home/bin/java does not run: $("$home/bin/java" -version 2>&1 | head -n 1)"
  say "installed $suite:$release: $("$home/bin/java" -version 2>&1 | sed -n 1p)"
}

# host_17: JDK 17 with its compiler, as a package of the host where that is possible.
host_17() {
  local javac
  for javac in "$(command -v javac || true)" /usr/lib/jvm/*/bin/javac; do
    if [ -x "$javac" ] && "$javac" -version 2>&1 | grep -q '^javac 17'; then say "have 17: $javac"; return; fi
  done
  if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    [ -n "$(apt-cache search --names-only '^openjdk-17-jdk-headless$')" ] || apt-get update -qq >/dev/null || true
    if [ -n "$(apt-cache search --names-only '^openjdk-17-jdk-headless$')" ]; then
      as_root "installing openjdk-17-jdk-headless with apt" apt-get install -y -qq --no-install-recommends openjdk-17-jdk-headless
      return
    fi
  fi
  unpack bookworm 17 jdk
}

mkdir -p "$DEST"
DEST=$(cd "$DEST" && pwd)
if [ $# -eq 0 ]; then
  host_17
  set -- "${PINNED[@]}"
fi
for spec in "$@"; do
  IFS=: read -r suite release kind <<<"$spec"
  [[ $suite =~ ^[a-z]+$ && $release =~ ^[0-9]+$ && ${kind:-jre} =~ ^(jre|jdk)$ ]] || die "'$spec' is not SUITE:RELEASE or SUITE:RELEASE:jdk"
  unpack "$suite" "$release" "${kind:-jre}"
done
