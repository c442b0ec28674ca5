// Package jstat computes what the JDK's jstat prints for -gc, -gcutil and
// -gccause from the shared counters of a JVM (package hsperf), and prints it
// with the same columns, units and widths.
//
// The columns are those of JDK 17 to 25; the jstat of JDK 8 has no CGC and
// CGCT. Their definitions are the file jstat_options of the jdk.jcmd module.
// What a column means depends on the collector, see docs/memory.md: jstat
// names them after the counters' numbers.
package jstat
