// Package hsperf reads the performance counters that a HotSpot JVM keeps in shared memory
// (the "hsperfdata" or jvmstat region, format version 2.0, unchanged from JDK 8 to 28).
//
// Reading them costs the JVM nothing: no attach, no safepoint, no allocation. Parse is a pure
// function over bytes; Reader fetches those bytes, from the file /tmp/hsperfdata_USER/PID, from
// /proc/PID/map_files when the file was deleted, or from the memory of the process when there
// never was a file. The region is never mapped into this process, because a file that shrinks
// under a mapping kills the reader with SIGBUS.
//
// Names and strings are returned as the JVM wrote them. They come from another process, possibly
// of another user: clean them before they reach a terminal.
package hsperf
