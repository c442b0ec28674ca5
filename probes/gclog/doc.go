// Package gclog reads the garbage collection logs of HotSpot: what JDK 8
// writes with -Xloggc, -XX:+PrintGC and -XX:+PrintGCDetails (Serial, Parallel,
// CMS, G1), and the unified logging of JDK 9 and later (JEP 158, JEP 271; also
// ZGC, Shenandoah and Epsilon), with any decorations in any order, or none,
// and mixed with lines of the application.
//
// A Parser turns lines into Events, one for each pause, concurrent cycle,
// stall and safepoint. A Tally adds events up to a Summary; a Log is both.
// Order puts the files of a rotated set in the order of their content, Follow
// reads a log as it is written, and FindLog derives its path from the JVM's
// flags.
//
// There is no specification of either format: the shapes here are those that
// the JDKs 8, 11, 17, 21 and 25 write (testdata has a log of each collector),
// and of their sources (gcTrace*.cpp, g1*.cpp, zStat.cpp, shenandoahUtils.cpp,
// logDecorations.cpp). A line that is not understood is counted and is never
// an error.
package gclog
