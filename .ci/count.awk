# Reads "go test -v" output: drops the chatter of passing tests, keeps failures, package lines and the build's own
# words, and ends with "N passed, N failed" over top-level tests. A package that fails without a failing test (it does
# not build, or it crashed) counts as one failure.
function emit(line) { print line; fflush() }
# Lines that follow "=== RUN" are held back until the verdict is known.
/^=== RUN / { if ($3 !~ /\//) { held = ""; failing = 0 } next }
/^=== / { next }
/^--- PASS: / { passed++; held = ""; next }
/^--- SKIP: / { skipped++; emit(held $0); held = ""; next }
/^--- FAIL: / { failed++; inpkg++; emit(held $0); held = ""; failing = 1; next }
/^ +--- (PASS|SKIP): / { next }
/^PASS$/ { held = ""; failing = 0; next }
/^ok  \t/ { packages++; held = ""; failing = inpkg = 0; emit($0); next }
/^\?   \t/ { held = ""; failing = inpkg = 0; emit($0); next }
/^FAIL\t/ {
  if (!inpkg) failed++
  emit(held $0); held = ""; failing = inpkg = 0; next
}
/^(FAIL|exit status [0-9]+|panic: .*|fatal error: .*|# .*|WARNING: DATA RACE)$/ { emit(held $0); held = ""; if ($0 !~ /^FAIL/) failing = 1; next }
{
  if (failing || $0 !~ /^ /) { emit($0); next }
  # Indented output of a test is printed only once it is known to belong to a failure.
  held = held $0 "\n"
  if (length(held) > 65536) held = substr(held, length(held) - 65535)
}
END {
  emit("")
  if (skipped) emit(skipped " skipped")
  emit(passed + 0 " passed, " failed + 0 " failed")
  exit (failed > 0)
}
